/** What the keywords of a JSON Schema mean for a document: which have no place in a component, and which tell what a schema is. */
import { isObject, type JsonSchema } from '../describe/jsonSchema.ts'
import { annotations, definitions, lists, records, single } from '../describe/keywords.ts'

/** They name a schema, or hold what is referred to: the document has its own places for both. */
const placing = new Set(['$schema', '$id', 'id', '$anchor', ...definitions])

/** A schema with one of these is told by its form; bare numbers and texts are too much alike. */
const telling = new Set(['const', 'enum', 'format', 'pattern', ...single, ...lists, ...records])

const isSchema = (value: unknown): value is JsonSchema => isObject(value)

/** A schema, or `true` or `false` in its place. */
const changed = (value: unknown, change: (part: JsonSchema) => unknown): unknown => (isSchema(value) ? change(value) : value)

function within(keyword: string, value: unknown, change: (part: JsonSchema) => unknown): unknown {
  if (single.has(keyword)) return changed(value, change)
  if (lists.has(keyword) && Array.isArray(value)) return value.map((part) => changed(part, change))
  if (!records.has(keyword) || !isSchema(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, changed(part, change)]))
}

/** What a schema says, with each schema directly within it replaced. Where a schema stands and what it is called is left out. */
export const mapped = (schema: JsonSchema, change: (part: JsonSchema) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => value !== undefined && !placing.has(keyword))
      .map(([keyword, value]) => [keyword, within(keyword, value, change)]),
  )

/** The schemas directly within a schema. */
export function partsOf(schema: JsonSchema): readonly JsonSchema[] {
  const parts: JsonSchema[] = []
  mapped(schema, (part) => parts.push(part))
  return parts
}

const entries = (schema: JsonSchema, isWanted: (keyword: string) => boolean): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => value !== undefined && isWanted(keyword)))

/** What a schema tells of its values without restricting them. */
export const annotationsOf = (schema: JsonSchema): JsonSchema => entries(schema, (keyword) => annotations.has(keyword))

/** The schema without its annotations. */
export const bareOf = (schema: JsonSchema): JsonSchema => entries(schema, (keyword) => !annotations.has(keyword))

/** Whether a schema's form tells what it means: two that both say `{ "type": "string" }` may well mean different things. */
export const isTelling = (schema: JsonSchema): boolean => Object.keys(schema).some((keyword) => telling.has(keyword))

/** The local reference of a schema, if it has one; another one leads to where nobody here has been. */
export const referenceOf = ({ $ref }: JsonSchema): string | undefined => ($ref?.startsWith('#') === true ? $ref : undefined)
