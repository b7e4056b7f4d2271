/** Whether a schema makes another value of what is on the wire. A client without the schema would have a value of another type. */
import type { Schema } from 'lapidary'
import { getEncoder, getJsonSchema, getSchemaParts, getZodInternals, isJsonObject, listParts, toCanonicalJson } from 'lapidary/internal'
import * as messages from './cliMessages.ts'

/** Finds a part of a schema of zod that decodes its value. */
function findZodCodec(schema: unknown, path: readonly string[], seen: Set<unknown> = new Set()): string | undefined {
  if (Array.isArray(schema)) return schema.map((one: unknown) => findZodCodec(one, path, seen)).find((found) => found !== undefined)
  const definition = getZodInternals(schema)?.def
  if (definition === undefined || seen.has(schema)) return undefined
  seen.add(schema)
  if (definition.type === 'transform' || 'reverseTransform' in definition) return messages.decodedPart(path.join('/'))
  return listParts(definition, path)
    .map(([at, part]) => findZodCodec(part, at, seen))
    .find((found) => found !== undefined)
}

/** Keywords that say nothing of a value, and what libraries say of one side alone. */
const ignoredKeywords = new Set(['$schema', '$id', 'title', 'description', 'examples', 'default', 'deprecated'])

/** The JSON Schema of a value, without what the server sees to: it sends declared members alone, and fills in their defaults. */
function normalize(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(normalize)
  if (!isJsonObject(schema)) return schema
  const { properties } = schema
  const isRequired = (name: unknown): boolean => !(isJsonObject(properties) && Object(properties[`${name}`]).default !== undefined)
  const members = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (
      ignoredKeywords.has(keyword) ||
      (keyword === 'additionalProperties' && (value === false || Object.keys(Object(value)).length === 0))
    )
      return []
    if (keyword !== 'required' || !Array.isArray(value)) return [[keyword, normalize(value)]]
    const names = value.filter(isRequired).sort()
    return names.length === 0 ? [] : [[keyword, names]]
  })
  return Object.fromEntries(members)
}

/** The extension of Standard Schema for JSON Schema, of both sides. */
interface JsonSchemaSides {
  readonly output?: (options: { readonly target: 'draft-2020-12' }) => unknown
}

/** Says how a schema changes a value of the wire; undefined where it only checks it. */
export function findSchemaChange(schema: Schema): string | undefined {
  if (getEncoder(schema) !== undefined) return messages.encodedSchema()
  const parts = getSchemaParts(schema)
  if (parts !== undefined) return parts.map(findSchemaChange).find((found) => found !== undefined)
  const found = findZodCodec(schema, [])
  if (found !== undefined) return found
  const { output } = (schema['~standard'].jsonSchema ?? {}) as JsonSchemaSides
  // zod/mini has no JSON Schema of its own: only that of the wire is known.
  if (output === undefined) return undefined
  try {
    const [read, written] = [output({ target: 'draft-2020-12' }), getJsonSchema(schema)]
    return toCanonicalJson(normalize(read)) === toCanonicalJson(normalize(written)) ? undefined : messages.otherOutput()
  } catch (error) {
    return messages.unknownOutput(error instanceof Error ? error.message : String(error))
  }
}
