/** Merges the parts of `allOf` into one JSON Schema. */
import type { JsonSchema } from 'lapidary'
import { getTypes, type SchemaNode } from 'lapidary/internal'
import { isEqualJson, isOneOf } from '../canonical.ts'
import { getOwn } from '../change.ts'
import { haveGroupConflict, unevaluatedKeywords } from './comparedKeywords.ts'
import { isUnresolved, omitKeywords, unfold } from './unfold.ts'

type KeywordMerge = (one: never, other: never) => unknown

const intersectValues = (one: readonly unknown[], other: readonly unknown[]): readonly unknown[] =>
  one.filter((value) => isOneOf(other, value))

const takeLeast: KeywordMerge = (one: number, other: number) => Math.min(one, other)
const takeMost: KeywordMerge = (one: number, other: number) => Math.max(one, other)

type SchemaProperties = Readonly<Record<string, JsonSchema>>

const mergeProperties = (one: SchemaProperties, other: SchemaProperties): SchemaProperties => {
  const shared = Object.keys(one).filter((name) => Object.hasOwn(other, name))
  return { ...one, ...other, ...Object.fromEntries(shared.map((name) => [name, { allOf: [one[name] ?? {}, other[name] ?? {}] }])) }
}

const keywordMerges: Readonly<Record<string, KeywordMerge>> = {
  properties: mergeProperties,
  required: (one: readonly string[], other: readonly string[]) => [...new Set([...one, ...other])],
  enum: intersectValues,
  minimum: takeMost,
  exclusiveMinimum: takeMost,
  minLength: takeMost,
  minItems: takeMost,
  minProperties: takeMost,
  maximum: takeLeast,
  exclusiveMaximum: takeLeast,
  maxLength: takeLeast,
  maxItems: takeLeast,
  maxProperties: takeLeast,
  uniqueItems: () => true,
}

const isClosedObject = ({ additionalProperties }: JsonSchema): boolean =>
  additionalProperties !== undefined && additionalProperties !== true

/** A member that one part declares is a further one to the other, which may restrict it. */
const canMergeMembers = (one: JsonSchema, other: JsonSchema): boolean =>
  [one, other].every((part) => !isClosedObject(part)) ||
  isEqualJson(Object.keys(one.properties ?? {}).sort(), Object.keys(other.properties ?? {}).sort())

function mergeTypes(one: JsonSchema, other: JsonSchema): JsonSchema {
  const [ours, theirs] = [getTypes(one), getTypes(other)]
  if (ours.length === 0 || theirs.length === 0) return {}
  const has = (types: readonly string[], type: string): boolean => types.includes(type) || (type === 'integer' && types.includes('number'))
  const shared = [...new Set([...ours, ...theirs])].filter((type) => has(ours, type) && has(theirs, type))
  return shared.length === 0 ? { enum: [] } : { type: shared }
}

function mergePair(one: JsonSchema, other: JsonSchema): JsonSchema | undefined {
  if (!canMergeMembers(one, other) || haveGroupConflict(one, other)) return undefined
  const result: Record<string, unknown> = { ...one, ...other }
  for (const keyword of Object.keys(one).filter((name) => Object.hasOwn(other, name) && name !== 'type')) {
    if (isEqualJson(one[keyword], other[keyword])) continue
    const merge = getOwn(keywordMerges, keyword)
    if (merge === undefined) return undefined
    result[keyword] = merge(one[keyword] as never, other[keyword] as never)
  }
  return { ...result, ...mergeTypes(one, other) }
}

/** Deeper parts are not merged. */
const maxMergeDepth = 12

/** The parts, and the parts of these; undefined where they are too deep. */
function flattenAllOf(parts: readonly SchemaNode[], depth = 0): readonly JsonSchema[] | undefined {
  if (depth > maxMergeDepth) return undefined
  const all: JsonSchema[] = []
  for (const part of parts) {
    const node = unfold(part)
    if (isUnresolved(node)) return undefined
    const { $defs: _, allOf, ...own } = node.raw
    const below = allOf === undefined ? [] : flattenAllOf(node.parts.allOf, depth + 1)
    if (below === undefined) return undefined
    all.push(own, ...below)
  }
  return all
}

const mergeAll = (schemas: readonly JsonSchema[]): JsonSchema | undefined =>
  schemas.reduce<JsonSchema | undefined>((merged, schema) => merged && mergePair(merged, schema), {})

/**
 * One schema of the values that all parts allow, without what they say of what their other keywords leave over; undefined where JSON Schema
 * cannot express it without `allOf`.
 */
export function mergeSchemas(parts: readonly SchemaNode[]): JsonSchema | undefined {
  const schemas = flattenAllOf(parts)
  return schemas && mergeAll(schemas.map((schema) => omitKeywords(schema, ...unevaluatedKeywords)))
}

const mergedNodes = new WeakMap<SchemaNode, SchemaNode>()

/** The same schema without `allOf`, unfolded; the schema itself where JSON Schema cannot express it without. */
export function mergeAllOf(node: SchemaNode): SchemaNode {
  const known = mergedNodes.get(node)
  if (known !== undefined) return known
  const here = unfold(node)
  const found = here.raw.allOf === undefined || isUnresolved(here) ? here : unfold(toMergedNode(here))
  mergedNodes.set(node, found)
  return found
}

function toMergedNode(node: SchemaNode): SchemaNode {
  const schemas = flattenAllOf([node])
  // What these leave over depends on all parts.
  if (schemas === undefined || schemas.some((schema) => unevaluatedKeywords.some((keyword) => keyword in schema))) return node
  const merged = mergeAll(schemas)
  return merged === undefined ? node : node.parse(merged)
}
