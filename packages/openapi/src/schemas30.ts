/** Schema Objects of OpenAPI 3.0 in the keywords of JSON Schema. */
import { isJsonObject } from 'lapidary/internal'
import type { JsonObject } from './document.ts'

/** `exclusiveMinimum: true` belongs to `minimum` in 3.0. */
function translateBound(schema: Record<string, unknown>, bound: 'minimum' | 'maximum', exclusive: string): void {
  const flag = schema[exclusive]
  if (typeof flag !== 'boolean') return
  delete schema[exclusive]
  if (!flag || schema[bound] === undefined) return
  schema[exclusive] = schema[bound]
  delete schema[bound]
}

/** The formats that name the encoding of bytes in 3.0. */
function translateFormat(schema: Record<string, unknown>): void {
  if (schema['type'] !== 'string' && schema['type'] !== undefined) return
  if (schema['format'] === 'binary') {
    delete schema['format']
    schema['contentMediaType'] = 'application/octet-stream'
  } else if (schema['format'] === 'byte') {
    delete schema['format']
    schema['contentEncoding'] = 'base64'
  }
}

/** `nullable` adds null to the type beside it, and to nothing where there is no type. */
function translateNullable(schema: Record<string, unknown>): void {
  const { nullable, type, enum: values } = schema
  delete schema['nullable']
  if (nullable !== true) return
  const isNullAlone = Array.isArray(values) && values.length === 1 && values[0] === null
  if (isNullAlone) {
    delete schema['enum']
    schema['type'] = 'null'
  } else if (typeof type === 'string') {
    schema['type'] = [type, 'null']
    // Documents leave null out of the listed values, and their servers send it.
    if (Array.isArray(values) && !values.includes(null)) schema['enum'] = [...(values as unknown[]), null]
  } else if (type === undefined) addNullAlternative(schema)
}

/**
 * By the letter, `nullable` without a type changes nothing. Documents write it beside `allOf` and the like, and mean that null is allowed:
 * their servers send it.
 */
function addNullAlternative(schema: Record<string, unknown>): void {
  const parts = ['allOf', 'anyOf', 'oneOf', '$ref'].filter((keyword) => schema[keyword] !== undefined)
  if (parts.length === 0) return
  const [part] = parts
  if (parts.length === 1 && part !== 'allOf' && Array.isArray(schema[part as string])) {
    schema[part as string] = [...(schema[part as string] as unknown[]), { type: 'null' }]
    return
  }
  const moved = Object.fromEntries(parts.map((keyword) => [keyword, schema[keyword]]))
  for (const keyword of parts) delete schema[keyword]
  schema['anyOf'] = [moved, { type: 'null' }]
}

/** One Schema Object, without those within it, in the keywords of draft 2020-12. */
export function fromSchema30(source: JsonObject): JsonObject {
  const { example, ...rest } = source
  const schema: Record<string, unknown> = { ...rest }
  translateBound(schema, 'minimum', 'exclusiveMinimum')
  translateBound(schema, 'maximum', 'exclusiveMaximum')
  translateFormat(schema)
  translateNullable(schema)
  if (example !== undefined && schema['examples'] === undefined) schema['examples'] = [example]
  // An array has `items` in 3.0, also one of any values.
  if (schema['type'] === 'array' && isJsonObject(schema['items']) && Object.keys(schema['items']).length === 0) delete schema['items']
  return schema
}
