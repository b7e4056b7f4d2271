/** Plain text: any text as a parameter, `text/plain` as a body. */
import { type Medium, medium } from './medium.ts'
import { complaint, expectation } from './message.ts'
import { type Scalar, scalar } from './parameter.ts'
import { expected } from './refusal.ts'
import { utf8Decoded } from './utf8.ts'

const parameter: Scalar<string> = scalar({
  name: 'text',
  parse: (text) => text,
  print: (text) => {
    if (typeof text !== 'string') throw new TypeError(complaint.unprintable(text, 'a text'))
    return text
  },
  schema: { type: 'string' },
  example: 'text',
})

const plain: Medium<string> = medium<string>({
  types: ['text/plain;charset=utf-8'],
  reader: () => (bytes) => utf8Decoded(bytes) ?? expected(expectation.utf8()),
  writer: () => (text) => text,
})

/** As a capture, a query parameter or a header: any text. As a body: `text/plain`, UTF-8. */
export const text: Scalar<string> & Medium<string> = Object.freeze({ ...parameter, ...plain })
