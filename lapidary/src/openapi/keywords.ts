/** What the keywords of a JSON Schema mean for a document: which have no place in a component, and which tell what a schema is. */
import { isJsonObject, type JsonSchema } from '../describe/jsonSchema.ts'
import { annotationKeywords, definitionKeywords, schemaArrayKeywords, schemaKeywords, schemaMapKeywords } from '../describe/keywords.ts'

/** They name a schema, or hold what is referred to: the document has its own places for both. */
const placementKeywords = new Set(['$schema', '$id', 'id', '$anchor', ...definitionKeywords])

/** A schema with one of these is told by its form; bare numbers and texts are too much alike. */
const distinctiveKeywords = new Set(['const', 'enum', 'format', 'pattern', ...schemaKeywords, ...schemaArrayKeywords, ...schemaMapKeywords])

const isSchemaObject = (value: unknown): value is JsonSchema => isJsonObject(value)

/** A schema, or `true` or `false` in its place. */
const mapSchemaOrBoolean = (value: unknown, change: (part: JsonSchema) => unknown): unknown =>
  isSchemaObject(value) ? change(value) : value

function mapKeyword(keyword: string, value: unknown, change: (part: JsonSchema) => unknown): unknown {
  if (schemaKeywords.has(keyword)) return mapSchemaOrBoolean(value, change)
  if (schemaArrayKeywords.has(keyword) && Array.isArray(value)) return value.map((part) => mapSchemaOrBoolean(part, change))
  if (!schemaMapKeywords.has(keyword) || !isSchemaObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapSchemaOrBoolean(part, change)]))
}

/** What a schema says, with each schema directly within it replaced. Where a schema stands and what it is called is left out. */
export const mapSubschemas = (schema: JsonSchema, change: (part: JsonSchema) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => value !== undefined && !placementKeywords.has(keyword))
      .map(([keyword, value]) => [keyword, mapKeyword(keyword, value, change)]),
  )

/** The schemas directly within a schema. */
export function getSubschemas(schema: JsonSchema): readonly JsonSchema[] {
  const parts: JsonSchema[] = []
  mapSubschemas(schema, (part) => parts.push(part))
  return parts
}

const pickKeywords = (schema: JsonSchema, isWanted: (keyword: string) => boolean): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => value !== undefined && isWanted(keyword)))

/** What a schema tells of its values without restricting them. */
export const getAnnotations = (schema: JsonSchema): JsonSchema => pickKeywords(schema, (keyword) => annotationKeywords.has(keyword))

/** The schema without its annotations. */
export const removeAnnotations = (schema: JsonSchema): JsonSchema => pickKeywords(schema, (keyword) => !annotationKeywords.has(keyword))

/** Whether a schema's form tells what it means: two that both say `{ "type": "string" }` may well mean different things. */
export const isDistinctive = (schema: JsonSchema): boolean => Object.keys(schema).some((keyword) => distinctiveKeywords.has(keyword))

/** The local reference of a schema, if it has one; another one leads to where nobody here has been. */
export const getLocalReference = ({ $ref }: JsonSchema): string | undefined => ($ref?.startsWith('#') === true ? $ref : undefined)
