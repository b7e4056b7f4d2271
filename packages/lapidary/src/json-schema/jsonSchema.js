/** JSON Schema (draft 2020-12), as far as the toolkit looks into it. */
/** Whether a value is an object, as JSON has them: no list, and not null. */
export const isJsonObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
/** What a reference that leads nowhere is taken for. */
const anySchema = Object.freeze({})
/** One step of a JSON Pointer in a URI fragment; undefined where it is not percent-encoded as it should be. */
function decodePointerStep(text) {
  try {
    return decodeURIComponent(text).replaceAll('~1', '/').replaceAll('~0', '~')
  } catch {
    return undefined
  }
}
/** What a local reference points at: `#`, `#/$defs/User`; undefined where it leads nowhere. */
export function resolvePointer(reference, root) {
  let here = root
  for (const text of reference.split('/').slice(1)) {
    const step = decodePointerStep(text)
    // What an object inherits is no part of the document: `#/__proto__` leads nowhere.
    if (step === undefined || typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined
    here = Reflect.get(here, step)
  }
  return here
}
/** The schema that a local reference points at. */
export const dereference = (reference, root) => resolvePointer(reference, root) ?? anySchema
/** The schema behind a local `$ref`, and behind that one's; the schema itself where there is none. */
export function resolveSchema(schema, root) {
  let here = schema
  for (let hops = 0; here.$ref !== undefined && hops < 32; hops += 1) here = dereference(here.$ref, root)
  return here
}
/** The types that a schema names, as a list; empty where it names none. */
export function getTypes(schema) {
  if (schema.type === undefined) return []
  return typeof schema.type === 'string' ? [schema.type] : schema.type
}
/** The members that a schema declares. Where it names the keys of a record (`propertyNames`), each of them is a member of its own. */
export function getMembers({ properties = {}, required = [], additionalProperties, propertyNames }) {
  const names = propertyNames?.enum
  if (names === undefined || typeof additionalProperties !== 'object') return { properties, required, rest: additionalProperties }
  const named = Object.fromEntries(names.map((name) => [String(name), additionalProperties]))
  return { properties: { ...named, ...properties }, required, rest: undefined }
}
// The keywords of JSON Schema (draft 2020-12): which have schemas within, and which describe without restricting.
/** Each has a schema, or `true` or `false` in its place. */
export const schemaKeywords = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])
/** Each has a list of schemas. */
export const schemaArrayKeywords = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
/** Each has schemas by names that are no keywords. */
export const schemaMapKeywords = new Set(['dependentSchemas', 'patternProperties', 'properties'])
/** The same, of schemas that are only referred to. */
export const definitionKeywords = new Set(['$defs', 'definitions'])
/** What is told of values without restricting them. */
export const annotationKeywords = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
])
