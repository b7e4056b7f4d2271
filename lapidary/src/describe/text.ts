/** Plain text: any text as a parameter, `text/plain` as a body. */

import * as complaint from './complaint.ts'
import { type Medium, medium } from './medium.ts'
import { expectation } from './message.ts'
import { type Scalar, scalar } from './parameter.ts'
import { expected } from './refusal.ts'
import { utf8Decoded } from './utf8.ts'

/** The same text. @throws TypeError for what is none, or cannot be written as UTF-8. */
function written(text: string): string {
  if (typeof text !== 'string') throw new TypeError(complaint.unprintable(text, 'a text'))
  if (!text.isWellFormed()) throw new TypeError(complaint.illFormed())
  return text
}

const parameter: Scalar<string> = scalar({
  name: 'text',
  parse: (text) => text,
  print: written,
  schema: { type: 'string' },
  example: 'text',
})

const plain: Medium<string> = medium<string>({
  types: ['text/plain;charset=utf-8'],
  reader: () => (bytes) => utf8Decoded(bytes) ?? expected(expectation.utf8()),
  // Whoever reads UTF-8 skips one byte order mark; a text that begins with one is not to lose it.
  writer: () => (text) => (written(text).charCodeAt(0) === 0xfeff ? `\ufeff${text}` : text),
})

/** As a capture, a query parameter or a header: any text. As a body: `text/plain`, UTF-8. */
export const text: Scalar<string> & Medium<string> = Object.freeze({ ...parameter, ...plain })
