/** `contractSchema(contract.posts.create.body)`: a schema of a contract, for an endpoint. */
import type { Schema } from 'lapidary'
import { toSchema } from './schemas/toSchema.ts'

/** The types of a schema: those of zod, or of Standard Schema. */
type SchemaOf<Source> = Source extends { readonly _input: infer Input; readonly _output: infer Output }
  ? Schema<Input, Output>
  : Source extends Schema<infer Input, infer Output>
    ? Schema<Input, Output>
    : never

/**
 * Takes a schema of a contract for an endpoint: it adds what the schema has not, such as the JSON Schema of zod 3, and makes dates of texts.
 * `lapidary migrate ts-rest` writes it for a schema that it cannot write down.
 *
 * @param place `'text'` for a parameter, whose values are texts on the wire; `'json'` for a body. @default 'json'
 * @throws TypeError for a schema without a JSON Schema
 * @example
 * ```ts
 * import { contractSchema } from '@lapidary/ts-rest'
 * import { endpoint, ok } from 'lapidary'
 * import { z } from 'zod'
 *
 * const contract = { stone: { responses: { 200: z.object({ name: z.string() }) } } }
 * const api = { stone: endpoint('GET /stone', { response: ok(contractSchema(contract.stone.responses[200])) }) }
 * ```
 */
export const contractSchema = <Source extends object>(source: Source, place: 'text' | 'json' = 'json'): SchemaOf<Source> =>
  toSchema(source, place) as SchemaOf<Source>
