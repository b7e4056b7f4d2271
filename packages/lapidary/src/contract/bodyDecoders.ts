/** Decoders of a body: from bytes, in any of its media types, to the validated value. */
import { getEssence, type ParsedMediaType } from '../http/mediaTypes.ts'
import { isPromise } from '../http/promises.ts'
import { createEarlyRejecter } from '../json-schema/earlyRejection.ts'
import { isParseError, type ParseError } from '../json-schema/parseError.ts'
import { getJsonSchema, type Schema, type StandardSchemaIssue, type StandardSchemaResult } from '../json-schema/standardSchema.ts'
import type { Content } from './media/mediaType.ts'

/**
 * Returns the value, or a `ParseError`; a promise of either where the schema is asynchronous.
 *
 * @param type the media type that the body was sent as
 */
export type DecodeBody = (bytes: Uint8Array, type?: string) => unknown

/** Makes a parse error of the issues that a schema reports. */
export type ToParseError = (issues: readonly StandardSchemaIssue[], schema: Schema, value: unknown) => ParseError

/** Compiles the validation of the values of a stream. One that is wrong throughout is rejected before its schema lists every issue. */
export function createItemValidator(schema: Schema | undefined, toParseError: ToParseError): (value: unknown) => unknown {
  const validate = createValidator(schema, toParseError)
  const rejectEarly = schema && createEarlyRejecter(schema)
  return rejectEarly === undefined ? validate : (value) => validate(rejectEarly(value))
}

/** Compiles the validation of a value that was read: the output of the schema, or a `ParseError`, or a promise of either. */
function createValidator(schema: Schema | undefined, toParseError: ToParseError): (value: unknown) => unknown {
  if (schema === undefined) return (value) => value
  const toOutput = (result: StandardSchemaResult<unknown> | Promise<StandardSchemaResult<unknown>>, value: unknown): unknown =>
    isPromise(result)
      ? result.then((settled) => toOutput(settled, value))
      : result.issues
        ? toParseError(result.issues, schema, value)
        : result.value
  const validate = (value: unknown): unknown =>
    isParseError(value) ? value : isPromise(value) ? value.then(validate) : toOutput(schema['~standard'].validate(value), value)
  return validate
}

/**
 * Compiles the decoders of a content, by media type without parameters. A large body that is wrong throughout is rejected before its schema
 * lists every issue.
 */
export function createBodyDecoders(
  { schema, media }: Content<unknown, unknown>,
  toParseError: ToParseError,
): ReadonlyMap<string, DecodeBody> {
  const jsonSchema = schema && getJsonSchema(schema)
  const validate = createValidator(schema, toParseError)
  const rejectEarly = schema === undefined ? (value: unknown) => value : createEarlyRejecter(schema)
  const decoders = new Map<string, DecodeBody>()
  for (const { types, reader } of media) {
    const read = reader?.(jsonSchema)
    if (read === undefined) continue
    for (const type of types) {
      const essence = getEssence(type)
      if (!decoders.has(essence)) decoders.set(essence, (bytes, sent) => validate(rejectEarly(read(bytes, sent), bytes.length)))
    }
  }
  return decoders
}

/** Whether the charset of a media type is UTF-8, which is the default. */
export const isUtf8Charset = ({ parameters }: ParsedMediaType): boolean => (parameters.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8'
