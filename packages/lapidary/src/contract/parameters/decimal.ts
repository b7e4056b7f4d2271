/** `decimal`: decimal numbers of any precision, kept as text. */
import * as expectation from '../../messages/expectations.ts'
import { type CodecDefinition, createCallableCodec, createCodecDefinition, returnText, type SimpleCodec } from './parameter.ts'

/** A number of JSON (RFC 8259 §6) without an exponent, which would stand for any number of digits. */
const plainDecimalPattern = /^-?(0|[1-9][0-9]*)(\.[0-9]+)?$/
const maxLength = 100

const createDecimalDefinition = (): CodecDefinition<string> =>
  createCodecDefinition(
    returnText,
    (text): text is string => typeof text === 'string' && text.length <= maxLength && plainDecimalPattern.test(text),
    expectation.decimalNumber(maxLength),
    {
      name: 'decimal',
      schema: { type: 'string', pattern: plainDecimalPattern.source, maxLength },
      example: '19.90',
    },
  )

/**
 * A decimal number, kept as its text: no digit is lost, and `1.50` stays `1.50`. It has no exponent, no leading zeros, and at most 100
 * characters.
 *
 * @example
 * ```ts
 * import { decimal, endpoint, noContent } from 'lapidary'
 *
 * const pay = endpoint('POST /payments', { query: { amount: decimal }, response: noContent })
 * ```
 */
export const decimal: SimpleCodec<string> = /* @__PURE__ */ createCallableCodec(createDecimalDefinition)
