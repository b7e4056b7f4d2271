/** How two JSON Schemas are held against each other: what is known on the way, and the smallest words about one of them. */
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { ignoredKeywords, isEqualJson, toCanonicalText } from './canonical.ts'

type SchemaPair = readonly [JsonSchema, JsonSchema]

/** How a pair of schemas was reached. */
export interface CompareContext {
  readonly roots: SchemaPair
  /** Whether the one is proven to be within the other. It stands here, so that no file that it is made of needs to import it. */
  readonly isProven: (one: JsonSchema, other: JsonSchema, way: CompareContext) => boolean
  /** Pairs that enclose this one, by a member or an item: that they hold may be assumed, since any value comes to an end. */
  readonly assumed: readonly SchemaPair[]
  /** Pairs that are about the same value. */
  readonly pending: readonly SchemaPair[]
  /** How many pairs enclose this one, whatever about. */
  readonly depth: number
}

/** Whether two parts of the schemas are the same, and so are those that they refer to. */
export const isEqualSchema = (one: unknown, other: unknown, { roots }: Pick<CompareContext, 'roots'>): boolean =>
  isEqualJson(one, other) && (!toCanonicalText(one).includes('"$ref"') || isEqualJson(...roots))

/** One step down, to a member or an item. */
export const descend = (way: CompareContext): CompareContext => ({ ...way, assumed: [...way.assumed, ...way.pending], pending: [] })

/** What allows nothing. */
export const neverSchema: JsonSchema = Object.freeze({ not: Object.freeze({}) })

const isInertKeyword = (keyword: string): boolean => ignoredKeywords.has(keyword) || keyword === '$defs' || keyword === 'definitions'

/** Whether a schema allows any value. */
export const isAnySchema = (schema: JsonSchema): boolean => Object.keys(schema).every(isInertKeyword)

/** Whether a schema plainly allows none. */
export const isNeverSchema = (schema: JsonSchema): boolean =>
  schema.enum?.length === 0 || (typeof schema['not'] === 'object' && isAnySchema(schema['not'] as JsonSchema))

/** What is left of a schema without some of its keywords. */
export const omitKeywords = (schema: JsonSchema, ...keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
