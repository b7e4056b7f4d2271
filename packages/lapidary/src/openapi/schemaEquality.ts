/** Which JSON Schemas of a document are equal: nothing in them differs, at any depth, and their references lead to equal schemas. */
import { annotationKeywords, getKeywordKind, type JsonSchema, type KeywordKind, mapKeyword } from '../json-schema/jsonSchema.ts'
import { resolveReference } from '../json-schema/references.ts'

/** Keywords that name a schema, or hold what references point at. The document has its own places for both. */
const placementKeywords = new Set(['$schema', '$id', 'id', '$anchor', '$defs', 'definitions'])

/** Keywords that tell what a schema means. Plain numbers and texts are too much alike. */
const distinctiveKeywords = new Set(['const', 'enum', 'format', 'pattern'])
const distinctiveKinds: ReadonlySet<KeywordKind | undefined> = new Set(['schema', 'array', 'members'])

/** The keywords of a schema with each schema directly within it replaced. Keywords for its place and its name are left out. */
export const mapSubschemas = (schema: JsonSchema, change: (part: JsonSchema) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => value !== undefined && !placementKeywords.has(keyword))
      .map(([keyword, value]) => [keyword, mapKeyword(keyword, value, change)]),
  )

/** The schemas directly within a schema. */
function getSubschemas(schema: JsonSchema): readonly JsonSchema[] {
  const parts: JsonSchema[] = []
  mapSubschemas(schema, (part) => parts.push(part))
  return parts
}

const pickKeywords = (schema: JsonSchema, isWanted: (keyword: string) => boolean): JsonSchema =>
  Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => value !== undefined && isWanted(keyword)))

/** The keywords of a schema that describe its values without restricting them. */
export const getAnnotations = (schema: JsonSchema): JsonSchema => pickKeywords(schema, (keyword) => annotationKeywords.has(keyword))

/** The schema without its annotations. */
const removeAnnotations = (schema: JsonSchema): JsonSchema => pickKeywords(schema, (keyword) => !annotationKeywords.has(keyword))

/** Whether the form of a schema tells what it means: two schemas `{ "type": "string" }` may mean different things. */
export const isDistinctive = (schema: JsonSchema): boolean =>
  Object.keys(schema).some((keyword) => distinctiveKeywords.has(keyword) || distinctiveKinds.has(getKeywordKind(keyword)))

/** What is known of some schemas and all schemas within them. */
export interface SchemaEquality {
  /** Every schema, in the order of discovery. */
  readonly schemas: readonly JsonSchema[]
  /** The schema that a reference leads to; undefined where the schema has no reference. */
  readonly getTarget: (schema: JsonSchema) => JsonSchema | undefined
  /** The schema itself; of one that is only a reference, the schema behind it. */
  readonly resolve: (schema: JsonSchema) => JsonSchema
  /** The schemas directly within, and the target of the reference. */
  readonly getParts: (schema: JsonSchema) => readonly JsonSchema[]
  /** A number that two schemas share if they are equal. */
  readonly getKind: (schema: JsonSchema) => number
  /** The kind of the schema without its annotations. */
  readonly getBareKind: (schema: JsonSchema) => number
}

/**
 * A schema as text with its members and required names in one order, and the schemas within it in the order of their places in the text.
 */
function spellSchema(schema: JsonSchema): { readonly text: string; readonly parts: readonly JsonSchema[] } {
  const subschemas = new Map<unknown, JsonSchema>(getSubschemas(schema).map((part) => [part, part]))
  const parts: JsonSchema[] = []
  const text = JSON.stringify(
    mapSubschemas(schema, (part) => part),
    (keyword, value: unknown) => {
      if (typeof value !== 'object' || value === null) return value
      if (Array.isArray(value)) return keyword === 'required' ? value.toSorted() : value
      const part = subschemas.get(value)
      if (part === undefined) return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      parts.push(part)
      return null
    },
  )
  return { text, parts }
}

/** Finds which of these schemas, and of the schemas within them, are equal. Each is the document of its own references. */
export function findEqualSchemas(documents: readonly JsonSchema[]): SchemaEquality {
  const schemas: JsonSchema[] = []
  const targets = new Map<JsonSchema, JsonSchema | undefined>()
  const bare = new Map<JsonSchema, JsonSchema>()

  const getTarget = (schema: JsonSchema): JsonSchema | undefined => targets.get(schema)

  function followReferences(schema: JsonSchema): JsonSchema {
    let here = schema
    const seen = new Set<JsonSchema>()
    while (!seen.has(here)) {
      seen.add(here)
      const target = getTarget(here)
      if (target === undefined || Object.keys(mapSubschemas(here, () => 0)).length > 1) break
      here = target
    }
    return here
  }

  const getParts = (schema: JsonSchema): readonly JsonSchema[] => {
    const target = getTarget(schema)
    return target === undefined ? getSubschemas(schema) : [...getSubschemas(schema), target]
  }

  const collect = (schema: JsonSchema, root: JsonSchema): void => {
    if (targets.has(schema)) return
    const target = schema.$ref === undefined ? undefined : resolveReference(schema.$ref, schema, root)
    targets.set(schema, target)
    schemas.push(schema)
    if (Object.keys(getAnnotations(schema)).length > 0) {
      const without = removeAnnotations(schema)
      bare.set(schema, without)
      targets.set(without, target)
    }
    for (const part of getParts(schema)) collect(part, root)
  }
  for (const schema of documents) collect(schema, schema)

  const resolved = new Map([...targets.keys()].map((schema) => [schema, followReferences(schema)]))
  const resolve = (schema: JsonSchema): JsonSchema => resolved.get(schema) ?? schema
  const forms = [...targets].map(([schema, target]) => {
    // Two references to one schema are equal, also where their texts differ.
    const { text, parts } = spellSchema(target === undefined ? schema : { ...schema, $ref: '#' })
    return { schema, text, parts: target === undefined ? parts : [...parts, target] }
  })
  // All schemas begin as one kind. Each round splits the kinds by the kinds of the parts, until a round splits none.
  let kinds: ReadonlyMap<JsonSchema, number> = new Map()
  const getKind = (schema: JsonSchema): number => kinds.get(resolve(schema)) ?? 0
  for (let count = -1, next = 0; count !== next; ) {
    const numbers = new Map<string, number>()
    const found = new Map<JsonSchema, number>()
    for (const { schema, text, parts } of forms) {
      const key = `${parts.map(getKind)} ${text}`
      const number = numbers.get(key) ?? numbers.size
      numbers.set(key, number)
      found.set(schema, number)
    }
    kinds = found
    count = next
    next = numbers.size
  }

  return { schemas, getTarget, resolve, getParts, getKind, getBareKind: (schema) => getKind(bare.get(resolve(schema)) ?? schema) }
}
