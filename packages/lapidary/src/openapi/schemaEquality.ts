/** What the keywords of a JSON Schema mean for a document: which have no place in a component, and which tell what a schema is. */

import {
  annotationKeywords,
  definitionKeywords,
  dereference,
  isJsonObject,
  type JsonSchema,
  schemaArrayKeywords,
  schemaKeywords,
  schemaMapKeywords,
} from '../json-schema/jsonSchema.ts'

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

// Which JSON Schemas are the same: those that nothing tells apart, however deep one looks and whatever their references are called.

/** What was found out about some schemas and everything within them. */
export interface SchemaEquality {
  /** Every schema, in the order of discovery. */
  readonly all: readonly JsonSchema[]
  /** What its reference leads to; undefined where it has none. */
  readonly referred: (schema: JsonSchema) => JsonSchema | undefined
  /** The schema itself; of one that is a reference and nothing else, what that leads to. */
  readonly behind: (schema: JsonSchema) => JsonSchema
  /** The schemas directly below: those within, and the one that a reference leads to. */
  readonly below: (schema: JsonSchema) => readonly JsonSchema[]
  /** A number; two schemas have the same one when they are the same. */
  readonly kindOf: (schema: JsonSchema) => number
  /** The same for the schema without its annotations. */
  readonly bareKindOf: (schema: JsonSchema) => number
}

/** Longer chains of references lead in circles. */
const maxEqualityHops = 32

/** A schema in one spelling, in which members are a set, as is what is required; and the schemas within it, in the order of their places there. */
function spellSchema(schema: JsonSchema): { readonly text: string; readonly parts: readonly JsonSchema[] } {
  const within = new Map<unknown, JsonSchema>(getSubschemas(schema).map((part) => [part, part]))
  const parts: JsonSchema[] = []
  const text = JSON.stringify(
    mapSubschemas(schema, (part) => part),
    (keyword, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return keyword === 'required' ? value.toSorted() : value
      const part = within.get(value)
      if (part === undefined) return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      parts.push(part)
      return null
    },
  )
  return { text, parts }
}

/** Looks into schemas, each of which is the root of its own references. */
export function findEqualSchemas(schemas: readonly JsonSchema[]): SchemaEquality {
  const all: JsonSchema[] = []
  const targets = new Map<JsonSchema, JsonSchema | undefined>()
  const bare = new Map<JsonSchema, JsonSchema>()

  const referred = (schema: JsonSchema): JsonSchema | undefined => targets.get(schema)

  function behind(schema: JsonSchema): JsonSchema {
    let here = schema
    for (let hops = 0; hops < maxEqualityHops; hops += 1) {
      const target = referred(here)
      if (target === undefined || Object.keys(mapSubschemas(here, () => 0)).length > 1) break
      here = target
    }
    return here
  }

  const below = (schema: JsonSchema): readonly JsonSchema[] => {
    const target = referred(schema)
    return target === undefined ? getSubschemas(schema) : [...getSubschemas(schema), target]
  }

  const gather = (schema: JsonSchema, root: JsonSchema): void => {
    if (targets.has(schema)) return
    const reference = getLocalReference(schema)
    const target = reference === undefined ? undefined : dereference(reference, root)
    targets.set(schema, target)
    all.push(schema)
    if (Object.keys(getAnnotations(schema)).length > 0) {
      const without = removeAnnotations(schema)
      bare.set(schema, without)
      targets.set(without, target)
    }
    for (const next of below(schema)) gather(next, root)
  }
  for (const schema of schemas) gather(schema, schema)

  // All are taken for the same, until what is directly in them tells some apart; then what is in that does; and so on, until nothing does.
  const places = new Map([...targets.keys()].map((schema) => [schema, behind(schema)]))
  const forms = [...targets].map(([schema, target]) => {
    // Wherever a reference leads, how it says so does not matter.
    const { text, parts } = spellSchema(target === undefined ? schema : { ...schema, $ref: '#' })
    return { schema, text, below: target === undefined ? parts : [...parts, target] }
  })
  let kinds: ReadonlyMap<JsonSchema, number> = new Map()
  const kindOf = (schema: JsonSchema): number => kinds.get(places.get(schema) ?? schema) ?? 0
  for (let count = -1, next = 0; count !== next; ) {
    const numbers = new Map<string, number>()
    const found = new Map<JsonSchema, number>()
    for (const { schema, text, below } of forms) {
      const key = `${below.map(kindOf)} ${text}`
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      found.set(schema, number)
    }
    kinds = found
    count = next
    next = numbers.size
  }

  return {
    all,
    referred,
    behind: (schema) => places.get(schema) ?? schema,
    below,
    kindOf,
    bareKindOf: (schema) => kindOf(bare.get(places.get(schema) ?? schema) ?? schema),
  }
}
