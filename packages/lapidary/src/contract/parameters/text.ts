/** `text`: any text as a parameter, `text/plain` as a body. */

import { decodeUtf8 } from '../../http/utf8.ts'
import { parseError } from '../../json-schema/parseError.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { expectation } from '../../messages/problemMessages.ts'
import { type MediaType, mediaType } from '../media/mediaType.ts'
import { type Codec, codec } from './parameter.ts'

/** @throws TypeError for another value than a text, and for a text that has no UTF-8. */
function requireText(text: string): string {
  if (typeof text !== 'string') throw new TypeError(developerErrors.unencodableValue(text, 'a text'))
  if (!text.isWellFormed()) throw new TypeError(developerErrors.illFormedText())
  return text
}

const textCodec: Codec<string> = codec({
  name: 'text',
  parse: (text) => text,
  print: requireText,
  schema: { type: 'string' },
  example: 'text',
})

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
export const text: Codec<string> & MediaType<string> = Object.freeze({ ...textCodec, ...textMediaType })
