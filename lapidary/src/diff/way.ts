/** How two JSON Schemas are held against each other: what is known on the way, and the smallest words about one of them. */
import type { JsonSchema } from '../describe/jsonSchema.ts'
import { annotations, isSame, spelled } from './canonical.ts'

type Pair = readonly [JsonSchema, JsonSchema]

/** How a pair of schemas was reached. */
export interface Way {
  readonly roots: Pair
  /** Whether the one is proven to be within the other. It stands here, so that no file that it is made of needs to import it. */
  readonly isProven: (one: JsonSchema, other: JsonSchema, way: Way) => boolean
  /** Pairs that enclose this one, by a member or an item: that they hold may be assumed, since any value comes to an end. */
  readonly assumed: readonly Pair[]
  /** Pairs that are about the same value. */
  readonly pending: readonly Pair[]
  /** How many pairs enclose this one, whatever about. */
  readonly depth: number
}

/** Whether two parts of the schemas are the same, and so are those that they refer to. */
export const isAlike = (one: unknown, other: unknown, { roots }: Pick<Way, 'roots'>): boolean =>
  isSame(one, other) && (!spelled(one).includes('"$ref"') || isSame(...roots))

/** One step down, to a member or an item. */
export const below = (way: Way): Way => ({ ...way, assumed: [...way.assumed, ...way.pending], pending: [] })

/** What allows nothing. */
export const nothing: JsonSchema = Object.freeze({ not: Object.freeze({}) })

const saysNothing = (keyword: string): boolean => annotations.has(keyword) || keyword === '$defs' || keyword === 'definitions'

/** Whether a schema allows any value. */
export const isAnything = (schema: JsonSchema): boolean => Object.keys(schema).every(saysNothing)

/** Whether a schema plainly allows none. */
export const isNothing = (schema: JsonSchema): boolean =>
  schema.enum?.length === 0 || (typeof schema['not'] === 'object' && isAnything(schema['not'] as JsonSchema))

/** What is left of a schema without some of its keywords. */
export const without = (schema: JsonSchema, ...keywords: readonly string[]): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword]) => !keywords.includes(keyword)))
