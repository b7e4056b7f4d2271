/** `text`: any text as a parameter, `text/plain` as a body. */
import { decodeUtf8 } from '../../http/encodings.ts'
import type { JsonSchema } from '../../json-schema/jsonSchema.ts'
import { parseError } from '../../json-schema/parseError.ts'
import { isOutOfBounds } from '../../json-schema/validator.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import * as expectation from '../../messages/expectations.ts'
import {
  type Codec,
  type CodecDefinition,
  type CodecOptions,
  type CodecWithOptions,
  createCallableCodec,
  createCodecDefinition,
  returnText,
} from '../parameters/parameter.ts'
import { type MediaType, mediaType } from './mediaType.ts'

/** @throws TypeError for another value than a text, and for a text that has no UTF-8. */
function requireText(text: string): string {
  if (typeof text !== 'string') throw new TypeError(developerErrors.unencodableValue(text, 'a text'))
  if (!text.isWellFormed()) throw new TypeError(developerErrors.illFormedText())
  return text
}

/** Options of `text`. */
interface TextOptions<Default extends string = string> extends CodecOptions<string, Default> {
  /** In characters (code points), as JSON Schema counts them. */
  readonly minLength?: number
  readonly maxLength?: number
  /**
   * A text must contain a match: begin it with `^` and end it with `$` for all of the text. It runs on texts of clients, after the check of
   * their length, and JavaScript does not limit its time. So give a `maxLength`, and do not put a repetition into another one. Without
   * flags, or with `u`.
   */
  readonly pattern?: RegExp
}

/** `text`, and `text({ maxLength: 80 })`. */
export interface TextCodec extends Codec<string>, MediaType<string> {
  <const Default extends string = never>(options: TextOptions<Default>): CodecWithOptions<string, Default>
}

function createTextDefinition(options: TextOptions): CodecDefinition<string> {
  const { minLength, maxLength, pattern } = options
  if (pattern?.flags.replace('u', '')) throw new TypeError(developerErrors.unencodableValue(pattern, 'a pattern without flags'))
  // JSON has no undefined members.
  const schema: JsonSchema = JSON.parse(JSON.stringify({ type: 'string', minLength, maxLength, pattern: pattern?.source }))
  const isBounded = (minLength ?? maxLength ?? pattern) !== undefined
  const definition = createCodecDefinition(
    returnText,
    (text): text is string => !(isBounded && isOutOfBounds(schema, text)),
    `a ${expectation.boundedText(minLength, maxLength, pattern?.source)}`,
    { name: 'text', schema, example: 'text'.padEnd(minLength ?? 0, '-').slice(0, maxLength) },
  )
  return { ...definition, print: (text) => definition.print(requireText(text)) }
}

const textMediaType: MediaType<string> = mediaType<string>({
  types: ['text/plain;charset=utf-8'],
  reader: () => (bytes) => decodeUtf8(bytes) ?? parseError(expectation.utf8()),
  // A reader of UTF-8 skips one byte order mark. A text that begins with one gets a second one, so that it keeps its own.
  writer: () => (text) => (requireText(text).charCodeAt(0) === 0xfeff ? `\ufeff${text}` : text),
})

/**
 * Any text. As a capture, a query parameter or a header it is the value itself; as a body it is `text/plain` in UTF-8.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 *
 * const hello = endpoint('GET /hello', { query: { name: text }, response: ok(text) })
 * ```
 */
export const text: TextCodec = /* @__PURE__ */ createCallableCodec(createTextDefinition, 'minLength, maxLength, pattern, ', textMediaType)
