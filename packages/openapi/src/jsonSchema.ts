/** A Standard Schema that holds a JSON Schema, which the engine of the toolkit validates. */
import type { JsonSchema, Schema } from 'lapidary'
import { createSchema, findSchemaIssue, parseSchema } from 'lapidary/internal'

const createStandardSchema = (jsonSchema: JsonSchema, fallback?: { readonly value: unknown }): Schema =>
  createSchema({
    validate: (value) => {
      if (value === undefined && fallback !== undefined) return { value: fallback.value }
      const issue = findSchemaIssue(parseSchema(jsonSchema), value)
      return issue === undefined ? { value } : { issues: [issue] }
    },
    getJsonSchema: () => jsonSchema as Record<string, unknown>,
  })

/** Schemas by what they hold: several replies have one body. */
const schemas = new WeakMap<JsonSchema, Schema>()

/**
 * Makes a schema of a JSON Schema of draft 2020-12 that has all of its definitions in `$defs`. Its values are those of the wire.
 *
 * @param fallback what the value is where none is given; the schema then accepts `undefined`
 */
export function toStandardSchema(jsonSchema: JsonSchema, fallback?: { readonly value: unknown }): Schema {
  if (fallback !== undefined) return createStandardSchema(jsonSchema, fallback)
  const schema = schemas.get(jsonSchema) ?? createStandardSchema(jsonSchema)
  schemas.set(jsonSchema, schema)
  return schema
}
