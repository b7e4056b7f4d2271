/** Percent-encoding (RFC 3986 §2.1) and the pairs of `application/x-www-form-urlencoded`, strictly UTF-8. */
import { expectation } from '../messages/problemMessages.ts'
import { encodeUtf8 } from './utf8.ts'

/** The text that a percent-encoded one spells; undefined where it is malformed or not UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** What needs no encoding (RFC 3986 §2.3). */
const unreservedPattern = /^[\w.~-]*$/
/** What `encodeURIComponent` leaves besides. */
const reservedMarks = /[!'()*]/g

const encodeCharacter = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** Percent-encodes everything but the unreserved characters. A lone surrogate, which has no UTF-8, becomes U+FFFD. */
export const percentEncode = (text: string): string =>
  unreservedPattern.test(text) ? text : encodeURIComponent(text.toWellFormed()).replace(reservedMarks, encodeCharacter)

const plusByte = 0x2b
const spaceByte = 0x20
const exactDecoder = /* @__PURE__ */ new TextDecoder('utf-8', { ignoreBOM: true })

/** The same text with spaces for its plus signs. */
function replacePlusSigns(text: string): string {
  if (!text.includes('+')) return text
  // V8 takes four times as long for twice as many signs. Bytes take twice as long; a text with half of a surrogate pair has none.
  if (text.length < 1_024 || !text.isWellFormed()) return text.replaceAll('+', ' ')
  const bytes = encodeUtf8(text)
  for (let index = bytes.indexOf(plusByte); index >= 0; index = bytes.indexOf(plusByte, index + 1)) bytes[index] = spaceByte
  return exactDecoder.decode(bytes)
}

/** More pairs than any page has fields; each of them costs far more than its two or three bytes. */
const maxPairs = 10_000

/** Why pairs cannot be read: what was expected, and the name under which it was, where that can be read. */
export interface MalformedPair {
  readonly name: string | undefined
  readonly expected: string
}

/**
 * Calls `visit` with each name and value of a query or a form body, decoded, in order; the value is undefined where there is no `=`.
 *
 * @returns undefined once all are read; else the first that is not percent-encoded UTF-8, or one too many. Nothing behind it is visited.
 */
export function forEachPair(text: string, visit: (name: string, value: string | undefined) => void): MalformedPair | undefined {
  let start = 0
  let count = 0
  // The next one from here on, looked for when a pair needs it, and no more once there is none. Looked for before the loop, V8 moves the search
  // into it, and looks through all of the text once a pair.
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
