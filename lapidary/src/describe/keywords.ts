/** The keywords of JSON Schema (draft 2020-12): which have schemas within, and which describe without restricting. */

/** Each has a schema, or `true` or `false` in its place. */
export const schemaKeywords: ReadonlySet<string> = new Set([
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
export const schemaArrayKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
/** Each has schemas by names that are no keywords. */
export const schemaMapKeywords: ReadonlySet<string> = new Set(['dependentSchemas', 'patternProperties', 'properties'])
/** The same, of schemas that are only referred to. */
export const definitionKeywords: ReadonlySet<string> = new Set(['$defs', 'definitions'])

/** What is told of values without restricting them. */
export const annotationKeywords: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
])
