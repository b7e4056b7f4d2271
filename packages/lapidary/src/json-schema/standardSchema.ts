/** Body schemas: anything that speaks Standard Schema v1 and can give its JSON Schema. */

import * as developerErrors from '../messages/developerErrors.ts'
import type { JsonSchema } from './jsonSchema.ts'

/** One complaint of a schema about a value. */
export interface StandardSchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** What a schema says of a value: the value as read, or the issues. */
export type StandardSchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardSchemaIssue[] }

/**
 * A Standard Schema (https://standardschema.dev). `Input` is what stands on the wire, `Output` what a handler gets.
 *
 * `jsonSchema` is its JSON Schema extension: zod 4.2+, ArkType 2.1.28+, and Valibot through `@valibot/to-json-schema` have it.
 */
export interface Schema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardSchemaResult<Output> | Promise<StandardSchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    readonly jsonSchema?: {
      readonly input: (options: { readonly target: 'draft-2020-12' }) => Record<string, unknown>
    }
  }
}

/** @throws TypeError for what is no Standard Schema, or has no JSON Schema to give. */
export function assertSchema(schema: Schema): void {
  // Plain JavaScript may give anything.
  const standard: Partial<Schema['~standard']> | undefined = (schema as Partial<Schema> | null | undefined)?.['~standard']
  if (typeof standard?.validate !== 'function') throw new TypeError(developerErrors.expectedSchema())
  if (standard.jsonSchema === undefined)
    throw new TypeError(developerErrors.missingJsonSchema(`${standard.vendor}`, 'it has no "~standard".jsonSchema'))
}

const jsonSchemaCache = new WeakMap<object, JsonSchema>()

/**
 * The JSON Schema of what stands on the wire.
 *
 * @throws TypeError when the schema cannot give one.
 */
export function getJsonSchema(schema: Schema): JsonSchema {
  const found = jsonSchemaCache.get(schema)
  if (found !== undefined) return found
  // One without jsonSchema was refused where its content was made.
  const standard = schema['~standard'] as Required<Schema['~standard']>
  let given: JsonSchema
  try {
    given = standard.jsonSchema.input({ target: 'draft-2020-12' })
  } catch (error) {
    throw new TypeError(developerErrors.missingJsonSchema(standard.vendor, error instanceof Error ? error.message : String(error)), {
      cause: error,
    })
  }
  jsonSchemaCache.set(schema, given)
  return given
}
