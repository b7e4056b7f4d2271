/** Plain text: any text as a parameter, `text/plain` as a body. */
import { decodeUtf8 } from '../../http/utf8.js'
import { parseError } from '../../json-schema/parseError.js'
import * as complaint from '../../messages/developerErrors.js'
import { expectation } from '../../messages/problemMessages.js'
import { mediaType } from '../media/mediaType.js'
import { codec } from './parameter.js'

/** The same text. @throws TypeError for what is none, or cannot be written as UTF-8. */
function requireText(text) {
  if (typeof text !== 'string') throw new TypeError(complaint.unencodableValue(text, 'a text'))
  if (!text.isWellFormed()) throw new TypeError(complaint.illFormedText())
  return text
}
const textCodec = codec({
  name: 'text',
  parse: (text) => text,
  print: requireText,
  schema: { type: 'string' },
  example: 'text',
})
const textMediaType = mediaType({
  types: ['text/plain;charset=utf-8'],
  reader: () => (bytes) => decodeUtf8(bytes) ?? parseError(expectation.utf8()),
  // Whoever reads UTF-8 skips one byte order mark; a text that begins with one is not to lose it.
  writer: () => (text) => (requireText(text).charCodeAt(0) === 0xfeff ? `\ufeff${text}` : text),
})
/** As a capture, a query parameter or a header: any text. As a body: `text/plain`, UTF-8. */
export const text = Object.freeze({ ...textCodec, ...textMediaType })
