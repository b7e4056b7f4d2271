/** What the keywords of a JSON Schema mean for a document: which have no place in a component, and which tell what a schema is. */
import {
  annotationKeywords,
  definitionKeywords,
  dereference,
  isJsonObject,
  schemaArrayKeywords,
  schemaKeywords,
  schemaMapKeywords,
} from '../json-schema/jsonSchema.js'

/** They name a schema, or hold what is referred to: the document has its own places for both. */
const placementKeywords = new Set(['$schema', '$id', 'id', '$anchor', ...definitionKeywords])
/** A schema with one of these is told by its form; bare numbers and texts are too much alike. */
const distinctiveKeywords = new Set(['const', 'enum', 'format', 'pattern', ...schemaKeywords, ...schemaArrayKeywords, ...schemaMapKeywords])
const isSchemaObject = (value) => isJsonObject(value)
/** A schema, or `true` or `false` in its place. */
const mapSchemaOrBoolean = (value, change) => (isSchemaObject(value) ? change(value) : value)
function mapKeyword(keyword, value, change) {
  if (schemaKeywords.has(keyword)) return mapSchemaOrBoolean(value, change)
  if (schemaArrayKeywords.has(keyword) && Array.isArray(value)) return value.map((part) => mapSchemaOrBoolean(part, change))
  if (!schemaMapKeywords.has(keyword) || !isSchemaObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mapSchemaOrBoolean(part, change)]))
}
/** What a schema says, with each schema directly within it replaced. Where a schema stands and what it is called is left out. */
export const mapSubschemas = (schema, change) =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword, value]) => value !== undefined && !placementKeywords.has(keyword))
      .map(([keyword, value]) => [keyword, mapKeyword(keyword, value, change)]),
  )
/** The schemas directly within a schema. */
export function getSubschemas(schema) {
  const parts = []
  mapSubschemas(schema, (part) => parts.push(part))
  return parts
}
const pickKeywords = (schema, isWanted) =>
  Object.fromEntries(Object.entries(schema).filter(([keyword, value]) => value !== undefined && isWanted(keyword)))
/** What a schema tells of its values without restricting them. */
export const getAnnotations = (schema) => pickKeywords(schema, (keyword) => annotationKeywords.has(keyword))
/** The schema without its annotations. */
export const removeAnnotations = (schema) => pickKeywords(schema, (keyword) => !annotationKeywords.has(keyword))
/** Whether a schema's form tells what it means: two that both say `{ "type": "string" }` may well mean different things. */
export const isDistinctive = (schema) => Object.keys(schema).some((keyword) => distinctiveKeywords.has(keyword))
/** The local reference of a schema, if it has one; another one leads to where nobody here has been. */
export const getLocalReference = ({ $ref }) => ($ref?.startsWith('#') === true ? $ref : undefined)
/** Longer chains of references lead in circles. */
const maxEqualityHops = 32
/** A schema in one spelling, in which members are a set, as is what is required; and the schemas within it, in the order of their places there. */
function spellSchema(schema) {
  const within = new Map(getSubschemas(schema).map((part) => [part, part]))
  const parts = []
  const text = JSON.stringify(
    mapSubschemas(schema, (part) => part),
    (keyword, value) => {
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
export function findEqualSchemas(schemas) {
  const all = []
  const targets = new Map()
  const bare = new Map()
  const referred = (schema) => targets.get(schema)
  function behind(schema) {
    let here = schema
    for (let hops = 0; hops < maxEqualityHops; hops += 1) {
      const target = referred(here)
      if (target === undefined || Object.keys(mapSubschemas(here, () => 0)).length > 1) break
      here = target
    }
    return here
  }
  const below = (schema) => {
    const target = referred(schema)
    return target === undefined ? getSubschemas(schema) : [...getSubschemas(schema), target]
  }
  const gather = (schema, root) => {
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
  let kinds = new Map()
  const kindOf = (schema) => kinds.get(places.get(schema) ?? schema) ?? 0
  for (let count = -1, next = 0; count !== next; ) {
    const numbers = new Map()
    const found = new Map()
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
