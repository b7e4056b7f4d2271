/** From the bytes of a body to its value, in whichever of its media they stand. */
import { getEssence, type ParsedMediaType } from '../http/mediaTypeParser.ts'
import { isPromise } from '../http/promises.ts'
import { isParseError, type ParseError } from '../json-schema/parseError.ts'
import { getJsonSchema, type Schema, type StandardSchemaIssue, type StandardSchemaResult } from '../json-schema/standardSchema.ts'
import type { Content } from './media/mediaType.ts'

/** The value, or a `ParseError`; a promise of either where the schema is asynchronous. */
export type DecodeBody = (bytes: Uint8Array) => unknown

/** What is wrong with a value that its schema does not take. */
export type ToParseError = (issues: readonly StandardSchemaIssue[], schema: Schema, value: unknown) => ParseError

/** Holds a value, as it was read, against its schema: the schema's output, or a `ParseError`; or a promise of either. */
export function createValidator(schema: Schema | undefined, refuse: ToParseError): (value: unknown) => unknown {
  if (schema === undefined) return (value) => value
  const settled = (verdict: StandardSchemaResult<unknown> | Promise<StandardSchemaResult<unknown>>, value: unknown): unknown =>
    isPromise(verdict)
      ? verdict.then((late) => settled(late, value))
      : verdict.issues
        ? refuse(verdict.issues, schema, value)
        : verdict.value
  const validated = (value: unknown): unknown =>
    isParseError(value) ? value : isPromise(value) ? value.then(validated) : settled(schema['~standard'].validate(value), value)
  return validated
}

/** Compiles the decoders of a content, by the media types (without parameters) that name them. */
export function createBodyDecoders({ schema, media }: Content<unknown, unknown>, refuse: ToParseError): ReadonlyMap<string, DecodeBody> {
  const form = schema === undefined ? undefined : getJsonSchema(schema)
  const validated = createValidator(schema, refuse)
  const found = new Map<string, DecodeBody>()
  for (const { types, reader } of media) {
    const read = reader?.(form)
    if (read === undefined) continue
    for (const type of types) {
      const essence = getEssence(type)
      if (!found.has(essence)) found.set(essence, (bytes) => validated(read(bytes)))
    }
  }
  return found
}

/** Whether the bytes of a type are UTF-8, as far as it says. */
export const isUtf8Charset = ({ parameters }: ParsedMediaType): boolean => (parameters.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8'
