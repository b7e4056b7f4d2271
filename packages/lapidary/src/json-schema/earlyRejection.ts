/**
 * Refuses a large body before its schema has seen it, where so much of it is wrong that the schema's own list of issues would fill the memory:
 * half a million of them are 250 MB.
 */

import { isPromise } from '../http/promises.ts'
import { getMembers, getTypes, isJsonObject, type JsonSchema, resolveSchema } from './jsonSchema.ts'
import { encodePointerStep, type Issue, isParseError, maxIssues, maxListedErrors, TruncatedParseError } from './parseError.ts'
import { getJsonSchema, type Schema, type StandardSchemaIssue } from './standardSchema.ts'
import { createIssueTranslator, hasType, isOutOfBounds, isValid } from './validate.ts'

/** Bodies of fewer bytes are left to their schema. */
const minEarlyBytes = 65_536

type ValuePath = readonly (string | number)[]

/** A place that is not as JSON Schema says, in a value. */
interface Suspect {
  readonly path: ValuePath
  /** How much of the path the schema is to complain of: of a union it says that nothing in it fits, not what. */
  readonly depth: number
  /** Of a list that is too long: how many of its items are too many already. */
  readonly items?: number
}

/** What there is to know of a JSON Schema, all its parts taken together. */
interface SchemaExtent {
  /** Every name of a member. */
  readonly names: ReadonlySet<string>
  /** The most members that one object has to have: `{}` is two bytes, and so many issues. */
  readonly most: number
}

function measureSchema(schema: JsonSchema): SchemaExtent {
  const names = new Set<string>()
  let most = 1
  const look = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(look)
    if (!isJsonObject(part)) return
    const { properties, required } = part
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name)
    if (Array.isArray(required)) most = Math.max(most, required.length)
    Object.values(part).forEach(look)
  }
  look(schema)
  return { names, most }
}

/** What is looked up of a schema again and again. */
interface SchemaFacts {
  /** The schema itself, behind its references. */
  readonly here: JsonSchema
  readonly members: ReturnType<typeof getMembers>
  /** The one type that it names, where it says nothing else, or only how small and large a number is. */
  readonly type: string | undefined
  readonly isBounded: boolean
}

/** What a value that is not there, or a name that may not be, is taken for. */
const neverSchema: JsonSchema = Object.freeze({ not: {} })

/** Keywords that say nothing of a value. */
const inertKeywords = new Set(['type', 'title', 'description', 'examples', 'default'])
const numberLimitKeywords = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])

function getSchemaFacts(schema: JsonSchema, root: JsonSchema): SchemaFacts {
  const here = resolveSchema(schema, root)
  const keywords = Object.keys(here).filter((keyword) => !inertKeywords.has(keyword))
  const isPlain = typeof here.type === 'string' && keywords.every((keyword) => numberLimitKeywords.has(keyword))
  return { here, members: getMembers(here), type: isPlain ? getTypes(here)[0] : undefined, isBounded: keywords.length > 0 }
}

/** Whether a value is of one of the types that a schema names, if it names some. */
function hasSchemaType(schema: JsonSchema, value: unknown): boolean {
  const types = getTypes(schema)
  return types.length === 0 || types.some((type) => hasType(value, type))
}

/** The branches that a value may be meant for, by its type and by the constants in it. */
const selectBranches = (branches: readonly JsonSchema[], value: unknown, root: JsonSchema): readonly JsonSchema[] =>
  branches.filter((branch) => {
    const here = resolveSchema(branch, root)
    if (!hasSchemaType(here, value)) return false
    if (!isJsonObject(value)) return true
    return Object.entries(here.properties ?? {}).every(
      ([name, member]) => member.const === undefined || (Object.hasOwn(value, name) && value[name] === member.const),
    )
  })

/** The places of a value that are not as JSON Schema says, up to `maxIssues`, or up to a list that is too long. */
function findSuspects(root: JsonSchema, known: Map<JsonSchema, SchemaFacts>, whole: unknown): readonly Suspect[] {
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
    for (let index = 0; index < value.length && found.length < maxIssues; index += 1) {
      const item = prefixItems[index] ?? items
      if (typeof item === 'object') below(index, item, value[index], depth)
    }
  }

  function lookAtMembers(
    { here: schema, members }: SchemaFacts,
    value: Readonly<Record<string, unknown>>,
    depth: number | undefined,
  ): void {
    const { properties, required, rest } = members
    for (const name of required) if (!Object.hasOwn(value, name) && found.length < maxIssues) below(name, neverSchema, undefined, depth)
    for (const name of Object.keys(value)) {
      if (found.length >= maxIssues) return
      const member = Object.hasOwn(properties, name) ? properties[name] : rest
      if (schema.propertyNames !== undefined && !isValid(schema.propertyNames, name, root)) below(name, neverSchema, undefined, depth)
      else if (typeof member === 'object') below(name, member, value[name], depth)
    }
  }

  /** `depth` is that of the union which is looked into, and no part of which fits. */
  function look(schema: JsonSchema, value: unknown, depth: number | undefined): void {
    let facts = known.get(schema)
    if (facts === undefined) {
      facts = getSchemaFacts(schema, root)
      known.set(schema, facts)
    }
    const { here, type, isBounded } = facts
    if (type !== undefined && type !== 'object' && type !== 'array') {
      if (!hasType(value, type) || (isBounded && isOutOfBounds(here, value))) suspect(depth)
      return
    }
    for (const part of here.allOf ?? []) look(part, value, depth)
    const branches = here.anyOf ?? here.oneOf
    if (branches !== undefined) {
      const [first, ...others] = selectBranches(branches, value, root)
      if (first === undefined) suspect(depth)
      else if (others.length === 0) look(first, value, depth)
      else if (!isValid(here, value, root)) look(first, value, depth ?? path.length)
    } else if (value === undefined) suspect(depth)
    else if (!hasSchemaType(here, value)) suspect(depth)
    else if (Array.isArray(value)) lookAtItems(here, value, depth)
    else if (isJsonObject(value)) lookAtMembers(facts, value, depth)
    else if (!isValid(here, value, root)) suspect(depth)
  }

  look(root, whole, undefined)
  return found
}

/** How much of what stands beside a suspect is kept: places of tuples, and objects within objects. */
const sampleLimits = { items: 16, levels: 3 } as const

/** A value without its lists, and without members that no schema names. */
function stripValue(value: unknown, names: SchemaExtent['names'], levels: number = sampleLimits.levels): unknown {
  if (Array.isArray(value)) return []
  if (!isJsonObject(value)) return value
  const kept = levels === 0 ? [] : [...names].filter((name) => Object.hasOwn(value, name))
  return Object.fromEntries(kept.map((name) => [name, stripValue(value[name], names, levels - 1)]))
}

/** A small value with a suspect in it, and the way to it there. */
function sampleAround(
  value: unknown,
  path: ValuePath,
  names: SchemaExtent['names'],
  items: number,
): { readonly value: unknown; readonly path: ValuePath } {
  const [step, ...steps] = path
  if (step === undefined) {
    return {
      value: items > 0 && Array.isArray(value) ? value.slice(0, items).map((item) => stripValue(item, names)) : stripValue(value, names),
      path: [],
    }
  }
  if (Array.isArray(value)) {
    const below = sampleAround(value[Number(step)], steps, names, items)
    const before = value.slice(0, Math.min(Number(step), sampleLimits.items)).map((item) => stripValue(item, names))
    return { value: [...before, below.value], path: [before.length, ...below.path] }
  }
  if (!isJsonObject(value) || !Object.hasOwn(value, step)) return { value: stripValue(value, names), path }
  const below = sampleAround(value[step], steps, names, items)
  // Entry by entry, so that `__proto__` is a name like any other.
  const members = { ...(stripValue(value, names) as object) }
  return { value: Object.fromEntries([...Object.entries(members), [step, below.value]]), path: [step, ...below.path] }
}

const toPointer = (steps: readonly PropertyKey[]): string => steps.map(encodePointerStep).join('')
const getIssueSteps = ({ path = [] }: StandardSchemaIssue): readonly PropertyKey[] =>
  path.map((part) => (typeof part === 'object' ? part.key : part))

/**
 * Compiles the look at a value that was read from so many bytes: to the value, or to a refusal. JSON Schema does not decide, since a schema may take what its JSON Schema
 * does not say: `z.coerce.number()` takes texts. It only finds suspects, and a refusal is made of those of which the schema complains as well, each in a small sample.
 * Of a schema that answers later, nothing is known here, and the value is left to it.
 */
export function createEarlyRejecter(schema: Schema): (value: unknown, bytes: number) => unknown {
  const root = getJsonSchema(schema)
  const { names, most } = measureSchema(root)
  const known = new Map<JsonSchema, SchemaFacts>()

  /** The issues of a sample; none where its schema cannot be asked. What it throws there, it may throw of the whole as well, where it counts. */
  function issuesOf(value: unknown): readonly StandardSchemaIssue[] {
    try {
      const verdict = schema['~standard'].validate(value)
      if (!isPromise(verdict)) return verdict.issues ?? []
      verdict.catch(() => {})
    } catch {}
    return []
  }

  function flawAt({ path, depth, items = 0 }: Suspect, whole: unknown): Issue | undefined {
    const sample = sampleAround(whole, path, names, items)
    const isAt = (issue: StandardSchemaIssue): boolean => {
      const steps = getIssueSteps(issue)
      return steps.length >= depth && sample.path.slice(0, depth).every((step, index) => String(step) === String(steps[index]))
    }
    const issue = issuesOf(sample.value).find(isAt)
    if (issue === undefined) return undefined
    const { pointer, detail } = createIssueTranslator(root, sample.value)(issue)
    // The same place in the whole value; what is wrong may stand below the one that the schema names.
    const steps = getIssueSteps(issue)
    const inWhole = steps.map((step, index) => path[index] ?? step)
    return { pointer: toPointer(inWhole) + pointer.slice(toPointer(steps).length), detail }
  }

  return (value, bytes) => {
    if (bytes * most < minEarlyBytes || isParseError(value)) return value
    const suspects = findSuspects(root, known, value)
    if (suspects.length < maxIssues && suspects[0]?.items === undefined) return value
    const looked = suspects.slice(0, maxListedErrors)
    const flaws = looked.map((suspect) => flawAt(suspect, value)).filter((flaw) => flaw !== undefined)
    if (flaws.length === 0) return value
    return new TruncatedParseError(flaws, flaws.length < looked.length ? 0 : suspects.length - looked.length)
  }
}
