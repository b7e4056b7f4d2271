/** Plain text: any text as a parameter, `text/plain` as a body. */

import { decodeUtf8 } from '../../http/utf8.ts'
import { parseError } from '../../json-schema/parseError.ts'
import * as complaint from '../../messages/developerErrors.ts'
import { expectation } from '../../messages/problemMessages.ts'
import { type MediaType, mediaType } from '../media/mediaType.ts'
import { type Codec, codec } from './parameter.ts'

/** The same text. @throws TypeError for what is none, or cannot be written as UTF-8. */
function requireText(text: string): string {
  if (typeof text !== 'string') throw new TypeError(complaint.unencodableValue(text, 'a text'))
  if (!text.isWellFormed()) throw new TypeError(complaint.illFormedText())
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
  // Whoever reads UTF-8 skips one byte order mark; a text that begins with one is not to lose it.
  writer: () => (text) => (requireText(text).charCodeAt(0) === 0xfeff ? `\ufeff${text}` : text),
})

/** As a capture, a query parameter or a header: any text. As a body: `text/plain`, UTF-8. */
export const text: Codec<string> & MediaType<string> = Object.freeze({ ...textCodec, ...textMediaType })
