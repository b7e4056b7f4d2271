/** Percent-encoding (RFC 3986 §2.1) and the pairs of `application/x-www-form-urlencoded`, in strict UTF-8. */
import * as expectation from '../messages/expectations.ts'
import { encodeUtf8 } from './encodings.ts'

/** The decoded text; undefined for a malformed one, and for one that is not UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Characters that need no encoding (RFC 3986 §2.3). */
const unreservedPattern = /^[\w.~-]*$/
/** Reserved characters that `encodeURIComponent` leaves. */
const reservedMarks = /[!'()*]/g

/** Percent-encodes a character as the one byte of its code, from 0x10 to 0xff. */
export const percentEncodeByte = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** Percent-encodes all but unreserved characters. A lone surrogate, which has no UTF-8, becomes U+FFFD. */
export const percentEncode = (text: string): string =>
  unreservedPattern.test(text) ? text : encodeURIComponent(text.toWellFormed()).replace(reservedMarks, percentEncodeByte)

const plusByte = 0x2b
const spaceByte = 0x20
const exactDecoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true })

/** The text with a space for each plus sign. */
function replacePlusSigns(text: string): string {
  if (!text.includes('+')) return text
  // V8 replaces in a text in quadratic time, in bytes in linear time. A text with a lone surrogate has no bytes.
  if (text.length < 1_024 || !text.isWellFormed()) return text.replaceAll('+', ' ')
  const bytes = encodeUtf8(text)
  for (let index = bytes.indexOf(plusByte); index >= 0; index = bytes.indexOf(plusByte, index + 1)) bytes[index] = spaceByte
  return exactDecoder.decode(bytes)
}

/** More than any form has fields. A pair costs far more than its two or three bytes. */
const maxPairs = 10_000

/** The first malformed pair: what was expected, and its name where that can be decoded. */
export interface MalformedPair {
  readonly name: string | undefined
  readonly expected: string
}

/**
 * Calls `visit` with each name and value of a query or a form, decoded, in order. The value is undefined where there is no `=`.
 *
 * @returns Undefined, or the first pair that is not percent-encoded UTF-8 or is one too many; later pairs are not visited.
 */
export function forEachPair(text: string, visit: (name: string, value: string | undefined) => void): MalformedPair | undefined {
  let start = 0
  let count = 0
  // The next equals sign, searched when a pair needs it, and not again once there is none. V8 moves a search before the loop into it, and then
  // searches the whole text for each pair.
  let equals = -1
  let hasMore = true
  while (start <= text.length) {
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    if (end > start) {
      count += 1
      if (count > maxPairs) return { name: undefined, expected: expectation.pairs(maxPairs) }
      if (hasMore && equals < start) {
        equals = text.indexOf('=', start)
        hasMore = equals >= 0
      }
      const split = equals < 0 || equals > end ? end : equals
      const name = percentDecode(replacePlusSigns(text.slice(start, split)))
      const value = split < end ? percentDecode(replacePlusSigns(text.slice(split + 1, end))) : undefined
      if (name === undefined || (value === undefined && split < end)) return { name, expected: expectation.percentEncoding() }
      visit(name, value)
    }
    start = end + 1
  }
  return undefined
}
