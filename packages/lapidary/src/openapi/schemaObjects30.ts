/**
 * Translates the Schema Objects of a document, which are JSON Schemas (draft 2020-12), into those of OpenAPI 3.0. What 3.0 cannot say is left
 * out: a translation allows every value that the schema allows, and sometimes more.
 */
import { getBound, getKeywordKind, getTypes, isJsonObject, isSameJson, mapKeyword } from '../json-schema/jsonSchema.ts'
import type { SchemaObject } from './documentTypes.ts'
import { getAnnotations } from './schemaEquality.ts'

/** Keywords that mean the same in both. */
const sharedKeywords: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly', 'example', 'externalDocs', 'xml', 'discriminator'],
  ...['format', 'minLength', 'maxLength', 'pattern', 'multipleOf', 'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
])

/** Keywords that restrict values in a way that 3.0 has no word for. */
const lostKeywords: ReadonlySet<string> = new Set([
  ...['if', 'then', 'else', 'contains', 'minContains', 'maxContains', 'prefixItems', 'unevaluatedItems', 'unevaluatedProperties'],
  ...['patternProperties', 'propertyNames', 'dependentRequired', 'dependentSchemas', 'dependencies', '$dynamicRef'],
])

type Translate = (schema: unknown) => SchemaObject

const isDescription = (schema: SchemaObject): boolean => Object.keys(getAnnotations(schema)).length === Object.keys(schema).length

/** Whether a schema allows null alone. */
function isNullSchema(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false
  const { type, const: value, ...rest } = schema
  return isDescription(rest) && (type === 'null' ? (value ?? null) === null : type === undefined && value === null)
}

/** Whether it is the schema of names that every name has, as records have it. */
const isAnyName = (keyword: string, value: unknown): boolean => keyword === 'propertyNames' && isSameJson(value, { type: 'string' })

/** Null alone. In 3.0, null needs a type that it is added to. */
const nullSchema: SchemaObject = { type: 'string', nullable: true, enum: [null] }
const nothing: SchemaObject = { not: {} }

/** One schema for what any of several allow. */
function unite(schemas: readonly SchemaObject[]): SchemaObject {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  const [first = {}] = distinct
  if (distinct.length < 2 || distinct.some((schema) => Object.keys(schema).length === 0)) return distinct.length < 2 ? first : {}
  return { anyOf: distinct }
}

/** A bound in 3.0, where `exclusiveMinimum: true` belongs to `minimum`. @param sign 1 for a least value, -1 for a greatest */
function translateBound(schema: SchemaObject, bound: 'minimum' | 'maximum', exclusive: string, sign: 1 | -1): SchemaObject {
  const none = sign * Number.NEGATIVE_INFINITY
  const [inclusive, beyond] = [getBound(schema[bound], none), getBound(schema[exclusive], none)]
  if (inclusive === none && beyond === none) return {}
  return sign * beyond >= sign * inclusive ? { [bound]: beyond, [exclusive]: true } : { [bound]: inclusive }
}

/** The format of a text that holds bytes. */
function translateContent({ format, contentEncoding, contentMediaType, contentSchema }: SchemaObject): SchemaObject {
  if (format !== undefined || contentSchema !== undefined) return {}
  if (contentEncoding === 'base64') return { format: 'byte' }
  return contentEncoding === undefined && contentMediaType !== undefined ? { format: 'binary' } : {}
}

/** The listed values. */
function translateValues({ const: value, enum: values }: SchemaObject): SchemaObject {
  const listed = value === undefined ? values : [value]
  return Array.isArray(listed) && listed.length > 0 ? { enum: listed } : {}
}

/** The items of an array. A position of a tuple has no schema of its own in 3.0: every item is one of those of all positions. */
function translateItems({ items, prefixItems, maxItems }: SchemaObject, translate: Translate): SchemaObject {
  if (!Array.isArray(prefixItems)) {
    if (items === false) return { items: {}, maxItems: 0 }
    return items === undefined ? {} : { items: translate(items) }
  }
  const isClosed = items === false || getBound(maxItems, Number.POSITIVE_INFINITY) <= prefixItems.length
  const all = unite([...prefixItems.map(translate), ...(isClosed ? [] : [translate(items ?? true)])])
  return { items: all, ...(items === false && { maxItems: Math.min(getBound(maxItems, prefixItems.length), prefixItems.length) }) }
}

/** The members of an object. Those that a pattern would name are among the additional ones in 3.0. */
function translateMembers(schema: SchemaObject, translate: Translate): SchemaObject {
  const { properties, patternProperties, additionalProperties: rest, required } = schema
  const patterns = Object.values(Object(patternProperties) as object).map(translate)
  const further = [...patterns, ...(rest === false ? [] : [translate(rest)])]
  return {
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, translate(member)])),
    }),
    ...(rest !== undefined && { additionalProperties: further.length === 0 ? false : unite(further) }),
    ...(Array.isArray(required) && required.length > 0 && { required }),
  }
}

/** What types or a union become: keywords of the schema itself, and parts that hold as well. */
interface WholeParts {
  readonly keywords: SchemaObject
  readonly parts: readonly SchemaObject[]
}

/** The types of a value. 3.0 has one type, which null is added to. */
function translateTypes(schema: SchemaObject): WholeParts {
  const types = getTypes(schema)
  const [first, ...others] = types.filter((type) => type !== 'null')
  const nullable = types.includes('null') ? { nullable: true } : {}
  if (first === undefined) return { keywords: {}, parts: types.length === 0 ? [] : [nullSchema] }
  if (others.length === 0) return { keywords: { type: first, ...nullable }, parts: [] }
  // An array has `items` in 3.0.
  const toTyped = (type: string): SchemaObject => ({ type, ...(type === 'array' && { items: {} }) })
  return { keywords: {}, parts: [{ anyOf: [{ ...toTyped(first), ...nullable }, ...others.map(toTyped)] }] }
}

/** Whether null can be added to a schema as a word. */
const isNullableForm = ({ type, $ref, allOf, anyOf, oneOf, not }: SchemaObject): boolean =>
  type !== undefined && [$ref, allOf, anyOf, oneOf, not].every((part) => part === undefined)

const addNull = (schema: SchemaObject): SchemaObject => ({
  ...schema,
  nullable: true,
  ...(Array.isArray(schema['enum']) && !schema['enum'].includes(null) && { enum: [...schema['enum'], null] }),
})

/**
 * Creates the translator of a document's schemas.
 *
 * @param components the schemas that references lead to
 */
export function createSchemaTranslator(components: Readonly<Record<string, SchemaObject>>): (schema: SchemaObject) => SchemaObject {
  /** Whether a translation allows more than its schema: then it does not tell which values the schema does not allow. */
  function isWidened(schema: unknown, seen: Set<unknown> = new Set()): boolean {
    if (!isJsonObject(schema) || seen.has(schema)) return false
    seen.add(schema)
    const parts: unknown[] = typeof schema['$ref'] === 'string' ? [components[schema['$ref'].split('/').at(-1) ?? '']] : []
    for (const [keyword, value] of Object.entries(schema)) {
      if (lostKeywords.has(keyword) && !isAnyName(keyword, value)) return true
      if (getKeywordKind(keyword) !== undefined) mapKeyword(keyword, value, (part) => parts.push(part))
    }
    return parts.some((part) => isWidened(part, seen))
  }

  /** `anyOf`, `oneOf`: null among the alternatives is a word of the other one, if there is one other. */
  function translateUnion(schema: SchemaObject, keyword: 'anyOf' | 'oneOf'): WholeParts {
    const { [keyword]: alternatives, ...beside } = schema
    if (!Array.isArray(alternatives)) return { keywords: {}, parts: [] }
    const others = alternatives.filter((one) => !isNullSchema(one))
    const [only] = others
    if (others.length === 1 && alternatives.length === 2 && isDescription(beside)) {
      const translated = translate(only)
      if (isNullableForm(translated)) return { keywords: addNull(translated), parts: [] }
    }
    // A value can be one of several widened alternatives.
    const name = keyword === 'oneOf' && alternatives.some((one) => isWidened(one)) ? 'anyOf' : keyword
    return { keywords: {}, parts: [{ [name]: alternatives.map((one) => (isNullSchema(one) ? nullSchema : translate(one))) }] }
  }

  function translateKeywords(schema: SchemaObject): SchemaObject {
    const { examples, allOf, not, const: value, enum: values } = schema
    const [example] = Array.isArray(examples) ? (examples as readonly unknown[]) : []
    const wholes = [translateTypes(schema), translateUnion(schema, 'anyOf'), translateUnion(schema, 'oneOf')]
    const parts = wholes.flatMap((whole) => whole.parts)
    if (Array.isArray(values) && values.length === 0) parts.push(nothing)
    else if (Array.isArray(values) && value !== undefined) parts.push({ enum: values })
    const own: SchemaObject = {
      ...Object.assign({}, ...wholes.map(({ keywords }) => keywords)),
      ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => sharedKeywords.has(keyword) || keyword.startsWith('x-'))),
      ...(example !== undefined && schema['example'] === undefined && { example }),
      ...translateContent(schema),
      ...translateBound(schema, 'minimum', 'exclusiveMinimum', 1),
      ...translateBound(schema, 'maximum', 'exclusiveMaximum', -1),
      ...translateValues(schema),
      ...translateItems(schema, translate),
      ...translateMembers(schema, translate),
      ...(Array.isArray(allOf) && { allOf: allOf.map(translate) }),
      ...(not !== undefined && !isWidened(not) && { not: translate(not) }),
    }
    if (own['type'] === 'array' && own['items'] === undefined) own['items'] = {}
    return addParts(own, parts)
  }

  function translate(schema: unknown): SchemaObject {
    if (schema === false) return nothing
    if (!isJsonObject(schema)) return {}
    if (isNullSchema(schema)) return { ...translateKeywords(getAnnotations(schema)), ...nullSchema }
    const { $ref, ...rest } = schema
    const own = translateKeywords(rest)
    if ($ref === undefined) return own
    if (Object.keys(own).length === 0) return { $ref }
    // A reference has nothing beside it in 3.0.
    const { allOf = [], ...beside } = own
    return { ...beside, allOf: [{ $ref }, ...(allOf as readonly SchemaObject[])] }
  }

  return translate
}

/** A schema with parts that hold as well. The only one stands in the schema itself, where its keywords are free. */
function addParts(own: SchemaObject, parts: readonly SchemaObject[]): SchemaObject {
  const [only, ...others] = parts
  if (only === undefined) return own
  if (others.length === 0 && Object.keys(only).every((keyword) => own[keyword] === undefined)) return { ...own, ...only }
  return { ...own, allOf: [...((own['allOf'] ?? []) as readonly SchemaObject[]), ...parts] }
}
