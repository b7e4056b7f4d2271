/** Standard Schema v1, with its extension for JSON Schema. */
import * as developerErrors from '../messages/developerErrors.ts'
import type { JsonSchema } from './jsonSchema.ts'

/** One issue that a schema reports. */
export interface StandardSchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The message of an issue. Some libraries quote the value in it, "… (was 12)"; the toolkit never sends back what a client sent. */
export const getIssueDetail = ({ message }: StandardSchemaIssue): string => message.replace(/ \(was .*\)$/s, '')

/** The output of a schema, or its issues. */
export type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] }

/**
 * A Standard Schema (https://standardschema.dev). `Input` is the value on the wire, `Output` the value that a handler gets.
 *
 * `jsonSchema` is its extension for JSON Schema: zod 4.2+, ArkType 2.1.28+, and Valibot through `@valibot/to-json-schema` have it.
 */
export interface Schema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema?: {
      readonly input: (options: {
        readonly target: 'draft-2020-12'
        readonly libraryOptions?: Record<string, unknown> | undefined
      }) => Record<string, unknown>
    }
  }
}

/** @throws TypeError for a value that is not a Standard Schema, and for one without JSON Schema. */
export function assertSchema(schema: Schema): void {
  // Plain JavaScript can pass any value.
  const standard: Partial<Schema['~standard']> | undefined = (schema as Partial<Schema> | null | undefined)?.['~standard']
  if (typeof standard?.validate !== 'function') throw new TypeError(developerErrors.expectedSchema())
  if (standard.jsonSchema === undefined)
    throw new TypeError(developerErrors.missingJsonSchema(`${standard.vendor}`, 'it has no "~standard".jsonSchema'))
}

/** The error of a schema that has no JSON Schema. */
export interface JsonSchemaError extends TypeError {
  readonly schema: Schema
}

/**
 * Effect says `additionalProperties: true` of every struct, whose reader drops undeclared members. A record of any members has no such
 * keyword there, or `{}`. Read literally, each member of a row of a database would be sent.
 */
const closeEffectStructs = (schema: JsonSchema): JsonSchema =>
  JSON.parse(JSON.stringify(schema), (name, value: unknown) => (name === 'additionalProperties' && value === true ? undefined : value))

const jsonSchemaCache = new WeakMap<object, JsonSchema>()

/**
 * The JSON Schema of the value on the wire.
 *
 * @throws JsonSchemaError where the schema, or one that it is made of, cannot produce one.
 */
export function getJsonSchema(schema: Schema): JsonSchema {
  const cached = jsonSchemaCache.get(schema)
  if (cached !== undefined) return cached
  // `assertSchema` has rejected a schema without it.
  const standard = schema['~standard'] as Required<Schema['~standard']>
  let jsonSchema: JsonSchema
  try {
    jsonSchema = standard.jsonSchema.input({ target: 'draft-2020-12' })
  } catch (error) {
    const cause = error as Partial<JsonSchemaError>
    // The error of a schema within this one names what is wrong.
    throw cause.schema
      ? cause
      : Object.assign(new TypeError(developerErrors.missingJsonSchema(standard.vendor, `${cause.message}`), { cause }), { schema })
  }
  if (standard.vendor === 'effect') jsonSchema = closeEffectStructs(jsonSchema)
  jsonSchemaCache.set(schema, jsonSchema)
  return jsonSchema
}

/** A JSON Schema as a part of another one: its references start at its root, which is at `pointer` there. */
export const embedJsonSchema = (schema: JsonSchema, pointer: string): JsonSchema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"#${pointer}`)) as JsonSchema

/** The issues of a part, with the step that leads to it. */
export const prefixIssue = (issue: StandardSchemaIssue, step: PropertyKey): StandardSchemaIssue => ({
  message: issue.message,
  path: [step, ...(issue.path ?? [])],
})
