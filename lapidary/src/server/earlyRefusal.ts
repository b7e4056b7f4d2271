/**
 * Refuses a large body before its schema has seen it, where so much of it is wrong that the schema's own list of issues would fill the memory:
 * half a million of them are 250 MB.
 */
import { isOutOfBounds } from '../describe/bounds.ts'
import { fits, isOfType, teller } from '../describe/conform.ts'
import { isObject, type JsonSchema, membersOf, resolved, typesOf } from '../describe/jsonSchema.ts'
import { type Flaw, mostFlaws, pointerStep, Refusal } from '../describe/refusal.ts'
import { type Issue, jsonSchemaOf, type Schema } from '../describe/schema.ts'
import { mostErrors, ShortRefusal } from '../describe/shortened.ts'

/** Bodies of fewer bytes are left to their schema. */
const large = 65_536

type Path = readonly (string | number)[]

/** A place that is not as JSON Schema says, in a value. */
interface Suspect {
  readonly path: Path
  /** How much of the path the schema is to complain of: of a union it says that nothing in it fits, not what. */
  readonly depth: number
  /** Of a list that is too long: how many of its items are too many already. */
  readonly items?: number
}

/** What there is to know of a JSON Schema, all its parts taken together. */
interface Extent {
  /** Every name of a member. */
  readonly names: ReadonlySet<string>
  /** The most members that one object has to have: `{}` is two bytes, and so many issues. */
  readonly most: number
}

function extentOf(schema: JsonSchema): Extent {
  const names = new Set<string>()
  let most = 1
  const look = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(look)
    if (!isObject(part)) return
    const { properties, required } = part
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name)
    if (Array.isArray(required)) most = Math.max(most, required.length)
    Object.values(part).forEach(look)
  }
  look(schema)
  return { names, most }
}

/** What is looked up of a schema again and again. */
interface Known {
  /** The schema itself, behind its references. */
  readonly here: JsonSchema
  readonly members: ReturnType<typeof membersOf>
  /** The one type that it names, where it says nothing else, or only how small and large a number is. */
  readonly type: string | undefined
  readonly isBounded: boolean
}

/** What a value that is not there, or a name that may not be, is taken for. */
const nothing: JsonSchema = Object.freeze({ not: {} })

/** Keywords that say nothing of a value. */
const annotations = new Set(['type', 'title', 'description', 'examples', 'default'])
const limits = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])

function knownOf(schema: JsonSchema, root: JsonSchema): Known {
  const here = resolved(schema, root)
  const keywords = Object.keys(here).filter((keyword) => !annotations.has(keyword))
  const isPlain = typeof here.type === 'string' && keywords.every((keyword) => limits.has(keyword))
  return { here, members: membersOf(here), type: isPlain ? typesOf(here)[0] : undefined, isBounded: keywords.length > 0 }
}

/** Whether a value is of one of the types that a schema names, if it names some. */
function isTyped(schema: JsonSchema, value: unknown): boolean {
  const types = typesOf(schema)
  return types.length === 0 || types.some((type) => isOfType(value, type))
}

/** The branches that a value may be meant for, by its type and by the constants in it. */
const meant = (branches: readonly JsonSchema[], value: unknown, root: JsonSchema): readonly JsonSchema[] =>
  branches.filter((branch) => {
    const here = resolved(branch, root)
    if (!isTyped(here, value)) return false
    if (!isObject(value)) return true
    return Object.entries(here.properties ?? {}).every(
      ([name, member]) => member.const === undefined || (Object.hasOwn(value, name) && value[name] === member.const),
    )
  })

/** The places of a value that are not as JSON Schema says, up to `mostFlaws`, or up to a list that is too long. */
function suspectsIn(root: JsonSchema, known: Map<JsonSchema, Known>, whole: unknown): readonly Suspect[] {
  const found: Suspect[] = []
  const path: (string | number)[] = []

  const suspect = (depth: number | undefined): void => void found.push({ path: [...path], depth: depth ?? path.length })

  function below(step: string | number, schema: JsonSchema, value: unknown, depth: number | undefined): void {
    path.push(step)
    look(schema, value, depth)
    path.pop()
  }

  function lookAtItems({ prefixItems = [], items, maxItems }: JsonSchema, value: readonly unknown[], depth: number | undefined): void {
    if (typeof maxItems === 'number' && value.length > maxItems) found.unshift({ path: [...path], depth: path.length, items: maxItems + 1 })
    for (let index = 0; index < value.length && found.length < mostFlaws; index += 1) {
      const item = prefixItems[index] ?? items
      if (typeof item === 'object') below(index, item, value[index], depth)
    }
  }

  function lookAtMembers({ here: schema, members }: Known, value: Readonly<Record<string, unknown>>, depth: number | undefined): void {
    const { properties, required, rest } = members
    for (const name of required) if (!Object.hasOwn(value, name) && found.length < mostFlaws) below(name, nothing, undefined, depth)
    for (const name of Object.keys(value)) {
      if (found.length >= mostFlaws) return
      const member = Object.hasOwn(properties, name) ? properties[name] : rest
      if (schema.propertyNames !== undefined && !fits(schema.propertyNames, name, root)) below(name, nothing, undefined, depth)
      else if (typeof member === 'object') below(name, member, value[name], depth)
    }
  }

  /** `depth` is that of the union which is looked into, and no part of which fits. */
  function look(schema: JsonSchema, value: unknown, depth: number | undefined): void {
    let facts = known.get(schema)
    if (facts === undefined) {
      facts = knownOf(schema, root)
      known.set(schema, facts)
    }
    const { here, type, isBounded } = facts
    if (type !== undefined && type !== 'object' && type !== 'array') {
      if (!isOfType(value, type) || (isBounded && isOutOfBounds(here, value))) suspect(depth)
      return
    }
    for (const part of here.allOf ?? []) look(part, value, depth)
    const branches = here.anyOf ?? here.oneOf
    if (branches !== undefined) {
      const [first, ...others] = meant(branches, value, root)
      if (first === undefined) suspect(depth)
      else if (others.length === 0) look(first, value, depth)
      else if (!fits(here, value, root)) look(first, value, depth ?? path.length)
    } else if (value === undefined) suspect(depth)
    else if (!isTyped(here, value)) suspect(depth)
    else if (Array.isArray(value)) lookAtItems(here, value, depth)
    else if (isObject(value)) lookAtMembers(facts, value, depth)
    else if (!fits(here, value, root)) suspect(depth)
  }

  look(root, whole, undefined)
  return found
}

/** How much of what stands beside a suspect is kept: places of tuples, and objects within objects. */
const beside = { items: 16, levels: 3 } as const

/** A value without its lists, and without members that no schema names. */
function bare(value: unknown, names: Extent['names'], levels: number = beside.levels): unknown {
  if (Array.isArray(value)) return []
  if (!isObject(value)) return value
  const kept = levels === 0 ? [] : [...names].filter((name) => Object.hasOwn(value, name))
  return Object.fromEntries(kept.map((name) => [name, bare(value[name], names, levels - 1)]))
}

/** A small value with a suspect in it, and the way to it there. */
function sampleOf(value: unknown, path: Path, names: Extent['names'], items: number): { readonly value: unknown; readonly path: Path } {
  const [step, ...steps] = path
  if (step === undefined) {
    return {
      value: items > 0 && Array.isArray(value) ? value.slice(0, items).map((item) => bare(item, names)) : bare(value, names),
      path: [],
    }
  }
  if (Array.isArray(value)) {
    const below = sampleOf(value[Number(step)], steps, names, items)
    const before = value.slice(0, Math.min(Number(step), beside.items)).map((item) => bare(item, names))
    return { value: [...before, below.value], path: [before.length, ...below.path] }
  }
  if (!isObject(value) || !Object.hasOwn(value, step)) return { value: bare(value, names), path }
  const below = sampleOf(value[step], steps, names, items)
  // Entry by entry, so that `__proto__` is a name like any other.
  const members = { ...(bare(value, names) as object) }
  return { value: Object.fromEntries([...Object.entries(members), [step, below.value]]), path: [step, ...below.path] }
}

const pointerTo = (steps: readonly PropertyKey[]): string => steps.map(pointerStep).join('')
const stepsOf = ({ path = [] }: Issue): readonly PropertyKey[] => path.map((part) => (typeof part === 'object' ? part.key : part))

/**
 * Compiles the look at a value that was read from so many bytes: to the value, or to a refusal. JSON Schema does not decide, since a schema may take what its JSON Schema
 * does not say: `z.coerce.number()` takes texts. It only finds suspects, and a refusal is made of those of which the schema complains as well, each in a small sample.
 * Of a schema that answers later, nothing is known here, and the value is left to it.
 */
export function earlyRefuser(schema: Schema): (value: unknown, bytes: number) => unknown {
  const root = jsonSchemaOf(schema)
  const { names, most } = extentOf(root)
  const known = new Map<JsonSchema, Known>()

  /** The issues of a sample; none where its schema cannot be asked. What it throws there, it may throw of the whole as well, where it counts. */
  function issuesOf(value: unknown): readonly Issue[] {
    try {
      const verdict = schema['~standard'].validate(value)
      if (!(verdict instanceof Promise)) return verdict.issues ?? []
      verdict.catch(() => {})
    } catch {}
    return []
  }

  function flawAt({ path, depth, items = 0 }: Suspect, whole: unknown): Flaw | undefined {
    const sample = sampleOf(whole, path, names, items)
    const isAt = (issue: Issue): boolean => {
      const steps = stepsOf(issue)
      return steps.length >= depth && sample.path.slice(0, depth).every((step, index) => String(step) === String(steps[index]))
    }
    const issue = issuesOf(sample.value).find(isAt)
    if (issue === undefined) return undefined
    const { pointer, detail } = teller(root, sample.value)(issue)
    // The same place in the whole value; what is wrong may stand below the one that the schema names.
    const steps = stepsOf(issue)
    const inWhole = steps.map((step, index) => path[index] ?? step)
    return { pointer: pointerTo(inWhole) + pointer.slice(pointerTo(steps).length), detail }
  }

  return (value, bytes) => {
    if (bytes * most < large || value instanceof Refusal) return value
    const suspects = suspectsIn(root, known, value)
    if (suspects.length < mostFlaws && suspects[0]?.items === undefined) return value
    const looked = suspects.slice(0, mostErrors)
    const flaws = looked.map((suspect) => flawAt(suspect, value)).filter((flaw) => flaw !== undefined)
    if (flaws.length === 0) return value
    return new ShortRefusal(flaws, flaws.length < looked.length ? 0 : suspects.length - looked.length)
  }
}
