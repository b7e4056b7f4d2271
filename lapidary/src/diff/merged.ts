/** Several JSON Schemas that hold together, as one. */
import { type JsonSchema, typesOf } from '../describe/jsonSchema.ts'
import { isOneOf, isSame } from './canonical.ts'
import { own } from './change.ts'
import { unfolded } from './unfolded.ts'

type Merge = (one: never, other: never) => unknown

const isShared = (one: readonly unknown[], other: readonly unknown[]): readonly unknown[] => one.filter((value) => isOneOf(other, value))

const least: Merge = (one: number, other: number) => Math.min(one, other)
const most: Merge = (one: number, other: number) => Math.max(one, other)

type Properties = Readonly<Record<string, JsonSchema>>

const both = (one: Properties, other: Properties): Properties => {
  const shared = Object.keys(one).filter((name) => Object.hasOwn(other, name))
  return { ...one, ...other, ...Object.fromEntries(shared.map((name) => [name, { allOf: [one[name] ?? {}, other[name] ?? {}] }])) }
}

const merges: Readonly<Record<string, Merge>> = {
  properties: both,
  required: (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])],
  enum: isShared,
  minimum: most,
  exclusiveMinimum: most,
  minLength: most,
  minItems: most,
  minProperties: most,
  maximum: least,
  exclusiveMaximum: least,
  maxLength: least,
  maxItems: least,
  maxProperties: least,
  uniqueItems: () => true,
}

const isClosed = ({ additionalProperties }: JsonSchema): boolean => additionalProperties !== undefined && additionalProperties !== true

/** Members that one part declares are further ones to the other, which may have a word to say of them. */
const areApart = (one: JsonSchema, other: JsonSchema): boolean =>
  [one, other].every((part) => !isClosed(part)) ||
  isSame(Object.keys(one.properties ?? {}).sort(), Object.keys(other.properties ?? {}).sort())

function typesOfBoth(one: JsonSchema, other: JsonSchema): JsonSchema {
  const [ours, theirs] = [typesOf(one), typesOf(other)]
  if (ours.length === 0 || theirs.length === 0) return {}
  const has = (types: readonly string[], type: string): boolean => types.includes(type) || (type === 'integer' && types.includes('number'))
  const shared = [...new Set([...ours, ...theirs])].filter((type) => has(ours, type) && has(theirs, type))
  return shared.length === 0 ? { enum: [] } : { type: shared }
}

function pair(one: JsonSchema, other: JsonSchema): JsonSchema | undefined {
  if (!areApart(one, other)) return undefined
  const result: Record<string, unknown> = { ...one, ...other }
  for (const keyword of Object.keys(one).filter((name) => Object.hasOwn(other, name) && name !== 'type')) {
    if (isSame(one[keyword], other[keyword])) continue
    const merge = own(merges, keyword)
    if (merge === undefined) return undefined
    result[keyword] = merge(one[keyword] as never, other[keyword] as never)
  }
  return { ...result, ...typesOfBoth(one, other) }
}

/** More parts within parts are not written down. */
const deepest = 12

/** The parts, and the parts of those; undefined where they have no end. */
function flat(parts: readonly JsonSchema[], root: JsonSchema, depth = 0): readonly JsonSchema[] | undefined {
  if (depth > deepest) return undefined
  const all: JsonSchema[] = []
  for (const part of parts) {
    const { $defs: _, allOf, ...here } = unfolded(part, root)
    const below = allOf === undefined ? [] : flat(allOf, root, depth + 1)
    if (below === undefined) return undefined
    all.push(here, ...below)
  }
  return all
}

/** One schema with the values that all of the parts allow; undefined where that cannot be written down. */
export function merged(parts: readonly JsonSchema[], root: JsonSchema): JsonSchema | undefined {
  let whole: JsonSchema | undefined = {}
  for (const part of flat(parts, root) ?? [undefined]) whole = whole === undefined || part === undefined ? undefined : pair(whole, part)
  return whole
}
