/**
 * Rejects a large body before its schema validates it, where so much of it is wrong that the schema's own list of issues would fill the
 * memory: half a million issues take 250 MB.
 */
import { isPromise } from '../http/promises.ts'
import { createIssueTranslator } from './invalidPlaces.ts'
import { getBound, isJsonObject, type JsonSchema, neverSchema } from './jsonSchema.ts'
import { encodePointer, type Issue, isParseError, maxIssues, maxListedErrors, TruncatedParseError } from './parseError.ts'
import { parseSchema, type SchemaNode } from './schemaNode.ts'
import { getIssuePath, getJsonSchema, type Schema, type StandardSchemaIssue } from './standardSchema.ts'
import { hasParts, hasSchemaType, hasType, isOutOfBounds, isRuledOut, Validator, visitParts } from './validator.ts'

/** A body of fewer bytes is left to its schema. */
const minEarlyBytes = 65_536

/** The number of bytes of values that were read from a stream, where they are large. */
const itemSizes = new WeakMap<object, number>()

/** Notes how many bytes a value of a stream was read from. Small values, and those that have no parts, are not noted. */
export function noteItemSize<Value>(value: Value, bytes: number): Value {
  if (bytes >= minNotedBytes && typeof value === 'object' && value !== null) itemSizes.set(value, bytes)
  return value
}

/** A smaller value has fewer issues than a search ends at: each takes two bytes, or is one of the members that `{}` misses. */
const minNotedBytes = 2_048

/** The number of bytes of a value of a stream; 0 for a small one. */
const getItemSize = (value: unknown): number => (typeof value === 'object' && value !== null ? (itemSizes.get(value) ?? 0) : 0)

type ValuePath = readonly (string | number)[]

/** A place in a value that breaks its JSON Schema. */
interface Suspect {
  readonly path: ValuePath
  /** How many steps of the path the schema's issue has to share: of a union it reports that no branch fits, not why. */
  readonly depth: number
  /** Of an array that is too long: how many of its items are too many already. */
  readonly items?: number
}

/** How much of the values beside a suspect a sample keeps: items, levels of objects, and parts of the value that a union is about. */
const sampleLimits = { items: 16, levels: 3, parts: 5_000 } as const

/** The extent of a JSON Schema with all its parts. */
interface SchemaExtent {
  /** The names of all members. */
  readonly names: ReadonlySet<string>
  /** The most members that one object requires: `{}` is two bytes and that many issues. */
  readonly maxRequired: number
  /** How many items of an array, and members that no schema names, a sample keeps: at least as many as the schema asks for anywhere. */
  readonly kept: number
}

function measureSchema(schema: JsonSchema): SchemaExtent {
  const names = new Set<string>()
  let maxRequired = 1
  let kept: number = sampleLimits.items
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit)
    if (!isJsonObject(part)) return
    const { properties, required, minItems, minProperties } = part
    kept = Math.max(kept, getBound(minItems, 0), getBound(minProperties, 0))
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name)
    if (Array.isArray(required)) maxRequired = Math.max(maxRequired, required.length)
    Object.values(part).forEach(visit)
  }
  visit(schema)
  return { names, maxRequired, kept }
}

/** What the search needs to know of a schema, derived once. */
interface SchemaFacts {
  /** The one type that it names, where nothing but limits of a number restricts it further. */
  readonly type: string | undefined
  /** Whether it has keywords besides its type. */
  readonly isBounded: boolean
}

/** The type, which is tested apart, and keywords that restrict no value. */
const inertKeywords = new Set(['type', 'title', 'description', 'examples', 'default'])
const numberLimitKeywords = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])

function getSchemaFacts({ schema }: SchemaNode): SchemaFacts {
  const keywords = Object.keys(schema).filter((keyword) => !inertKeywords.has(keyword))
  const isPlain = typeof schema.type === 'string' && keywords.every((keyword) => numberLimitKeywords.has(keyword))
  return { type: isPlain ? schema.type : undefined, isBounded: keywords.length > 0 }
}

/** The first two of the branches that a value may be meant for, by its type and by the constants in it. */
function selectBranches(branches: readonly SchemaNode[], value: unknown): readonly SchemaNode[] {
  const selected: SchemaNode[] = []
  for (const branch of branches) if (selected.length < 2 && !isRuledOut(branch, value)) selected.push(branch)
  return selected
}

/** The places of a value that break its JSON Schema: at most `maxIssues`, an array that is too long first. */
function findSuspects(root: SchemaNode, known: Map<SchemaNode, SchemaFacts>, whole: unknown): readonly Suspect[] {
  const found: Suspect[] = []
  const path: (string | number)[] = []
  const validator = new Validator(true)

  const addSuspect = (depth: number | undefined): void => void found.push({ path: [...path], depth: depth ?? path.length })

  function visitCompoundParts(node: SchemaNode, value: unknown, depth: number | undefined): void {
    const { maxItems } = node.schema
    if (typeof maxItems === 'number' && Array.isArray(value) && value.length > maxItems)
      found.unshift({ path: [...path], depth: path.length, items: maxItems + 1 })
    let visited: string | number | undefined
    visitParts(node, value, (step, part, of, role) => {
      // Of several schemas about one member the first one counts, and none where its name is wrong.
      if (step === visited || (role === 'name' && validator.validate(part, of) !== 'no')) return false
      visited = step
      path.push(step)
      if (role === 'present') {
        if (part.schema !== neverSchema) visit(part, of, depth)
      } else if (typeof step === 'string') addSuspect(depth)
      path.pop()
      return found.length >= maxIssues
    })
  }

  /** @param depth that of the union around the value, no branch of which fits */
  function visit(node: SchemaNode, value: unknown, depth: number | undefined): void {
    let facts = known.get(node)
    if (facts === undefined) {
      facts = getSchemaFacts(node)
      known.set(node, facts)
    }
    const { type, isBounded } = facts
    if (type !== undefined && type !== 'object' && type !== 'array') {
      if (!hasType(value, type) || (isBounded && isOutOfBounds(node.schema, value))) addSuspect(depth)
      return
    }
    const { allOf, branches } = node.parts
    const selected = branches && selectBranches(branches, value)
    const isDecided = allOf.length === 0 && selected !== undefined && selected.length < 2
    if (isDecided || !hasParts(node)) visitCompound(node, selected, value, depth)
    else validator.rememberResults(() => visitCompound(node, selected, value, depth))
  }

  /** @param selected the branches of its union that the value may be meant for */
  function visitCompound(node: SchemaNode, selected: readonly SchemaNode[] | undefined, value: unknown, depth: number | undefined): void {
    // One value can meet one part often: a part is searched only where the value does not fit.
    for (const part of node.parts.allOf) if (found.length < maxIssues && validator.validate(part, value) === 'no') visit(part, value, depth)
    if (selected !== undefined) {
      const [first, second] = selected
      if (first === undefined) addSuspect(depth)
      else if (second === undefined) visit(first, value, depth)
      else if (validator.validateUnion(node, value) === 'no') visit(first, value, depth ?? path.length)
    } else if (value === undefined) addSuspect(depth)
    else if (!hasSchemaType(node, value)) addSuspect(depth)
    else if (typeof value === 'object' && value !== null) visitCompoundParts(node, value, depth)
    else if (validator.validate(node, value) === 'no') addSuspect(depth)
  }

  visit(root, whole, undefined)
  return found
}

/** Thrown where too much would have to be kept: then a sample tells nothing. */
const tooLarge = Object.freeze({})

/** Makes small values that contain a suspect. */
class Sampler {
  private readonly extent: SchemaExtent
  private parts = 0

  constructor(extent: SchemaExtent) {
    this.extent = extent
  }

  /**
   * A small value that contains a suspect, and the path to the suspect in it.
   *
   * @param depth how many steps are not about the suspect. Beside these, values are stripped: an issue there is not the suspect's. The values
   * below keep what a schema asks for, since a schema says only that no branch of a union fits.
   * @param items of an array that is too long, how many of its items to keep
   */
  sampleAround(value: unknown, path: ValuePath, depth: number, items: number): { readonly value: unknown; readonly path: ValuePath } {
    const [step, ...steps] = path
    if (step === undefined) {
      const isTooLong = items > 0 && Array.isArray(value)
      return { value: isTooLong ? value.slice(0, items).map((item) => this.strip(item)) : this.keep(value), path: [] }
    }
    const beside = (one: unknown): unknown => (depth > 0 ? this.strip(one) : this.keep(one))
    if (Array.isArray(value)) {
      const below = this.sampleAround(value[Number(step)], steps, depth - 1, items)
      const at = Number(step)
      const before = value.slice(0, Math.min(at, sampleLimits.items)).map(beside)
      // As many items as a schema can ask for: those after the suspect, else those before it.
      const others = at + this.extent.kept < value.length ? value.slice(at + 1, at + this.extent.kept) : value.slice(before.length, at)
      const after = depth > 0 ? [] : others.slice(-this.extent.kept).map(beside)
      return { value: [...before, below.value, ...after], path: [before.length, ...below.path] }
    }
    if (!isJsonObject(value) || !Object.hasOwn(value, step)) return { value: beside(value), path }
    const below = this.sampleAround(value[step], steps, depth - 1, items)
    // Entry by entry, so that `__proto__` is a name like any other. A member stands where it stood.
    const others = Object.entries({ ...(depth > 0 ? (this.strip(value) as object) : this.pickMembers(value)) })
    const kept = others.map(([name, one]) => [name, depth > 0 || name === step ? one : beside(one)] as const)
    return { value: Object.fromEntries([...kept, [step, below.value]]), path: [step, ...below.path] }
  }

  /** A value without its arrays, and without members that no schema names. */
  private strip(value: unknown, levels: number = sampleLimits.levels): unknown {
    if (Array.isArray(value)) return []
    if (!isJsonObject(value)) return value
    const kept = levels === 0 ? [] : [...this.extent.names].filter((name) => Object.hasOwn(value, name))
    return Object.fromEntries(kept.map((name) => [name, this.strip(value[name], levels - 1)]))
  }

  /** A value with as many items and members as a schema can ask for. @throws `tooLarge` */
  private keep(value: unknown): unknown {
    this.parts += 1
    if (this.parts > sampleLimits.parts) throw tooLarge
    if (Array.isArray(value)) return value.slice(0, this.extent.kept).map((item) => this.keep(item))
    if (!isJsonObject(value)) return value
    return Object.fromEntries(Object.entries(this.pickMembers(value)).map(([name, member]) => [name, this.keep(member)]))
  }

  /** An object with the members that a schema names, and some others. */
  private pickMembers(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { names, kept } = this.extent
    const all = Object.keys(value)
    if (all.length <= kept) return value
    const [named, others] = [all.filter((name) => names.has(name)), all.filter((name) => !names.has(name))]
    return Object.fromEntries([...named, ...others.slice(0, kept)].map((name) => [name, value[name]]))
  }
}

/**
 * Creates the early check of a schema: from a value and the number of bytes that it was read from (by default, that of a value of a stream) to the value or a parse error. The JSON
 * Schema does not decide, since a schema may allow more than its JSON Schema: `z.coerce.number()` reads texts. It only finds suspects. An
 * error is made of those suspects that the schema itself rejects, each in a small sample. The samples of an asynchronous schema tell
 * nothing, so it validates the whole value.
 */
export function createEarlyRejecter(schema: Schema): (value: unknown, bytes?: number) => unknown {
  const jsonSchema = getJsonSchema(schema)
  const root = parseSchema(jsonSchema)
  const extent = measureSchema(jsonSchema)
  const known = new Map<SchemaNode, SchemaFacts>()

  /**
   * The issues of a sample; none where the schema is asynchronous or throws. What it throws here it throws for the whole value too, where
   * it counts.
   */
  function validateSample(value: unknown): readonly StandardSchemaIssue[] {
    try {
      const result = schema['~standard'].validate(value)
      if (!isPromise(result)) return result.issues ?? []
      result.catch(() => {})
    } catch {}
    return []
  }

  function createSample(whole: unknown, path: ValuePath, depth: number, items: number): ReturnType<Sampler['sampleAround']> | undefined {
    try {
      return new Sampler(extent).sampleAround(whole, path, depth, items)
    } catch (error) {
      if (error !== tooLarge) throw error
      return undefined
    }
  }

  function confirmSuspect({ path, depth, items = 0 }: Suspect, whole: unknown): Issue | undefined {
    const sample = createSample(whole, path, depth, items)
    if (sample === undefined) return undefined
    const isAtSuspect = (issue: StandardSchemaIssue): boolean => {
      const steps = getIssuePath(issue)
      return steps.length >= depth && sample.path.slice(0, depth).every((step, index) => String(step) === String(steps[index]))
    }
    const issue = validateSample(sample.value).find(isAtSuspect)
    if (issue === undefined) return undefined
    const { pointer, detail } = createIssueTranslator(schema, sample.value)(issue)
    // The same place in the whole value. The translated issue may stand below the one that the schema names.
    const steps = getIssuePath(issue)
    const stepsInWhole = steps.map((step, index) => path[index] ?? step)
    return { pointer: encodePointer(stepsInWhole) + pointer.slice(encodePointer(steps).length), detail }
  }

  return (value, bytes = getItemSize(value)) => {
    if (bytes * extent.maxRequired < minEarlyBytes || isParseError(value)) return value
    const suspects = findSuspects(root, known, value)
    if (suspects.length < maxIssues && suspects[0]?.items === undefined) return value
    const listed = suspects.slice(0, maxListedErrors)
    const issues = listed.map((suspect) => confirmSuspect(suspect, value)).filter((issue) => issue !== undefined)
    if (issues.length === 0) return value
    return new TruncatedParseError(issues, issues.length < listed.length ? 0 : suspects.length - listed.length)
  }
}
