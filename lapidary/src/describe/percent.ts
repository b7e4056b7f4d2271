/** Percent-encoding (RFC 3986 §2.1) and the pairs of `application/x-www-form-urlencoded`, strictly UTF-8. */

/** The text that a percent-encoded one spells; undefined where it is malformed or not UTF-8. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** What needs no encoding (RFC 3986 §2.3). */
const unreserved = /^[\w.~-]*$/
/** What `encodeURIComponent` leaves besides. */
const left = /[!'()*]/g

const encodedSign = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`

/** Percent-encodes everything but the unreserved characters. A lone surrogate, which has no UTF-8, becomes U+FFFD. */
export const percentEncoded = (text: string): string =>
  unreserved.test(text) ? text : encodeURIComponent(text.toWellFormed()).replace(left, encodedSign)

const spaced = (text: string): string => (text.includes('+') ? text.replaceAll('+', ' ') : text)

/**
 * Calls `visit` with each name and value of a query or a form body, decoded, in order; the value is undefined where there is no `=`.
 *
 * @returns false as soon as something is not percent-encoded UTF-8.
 */
export function eachPair(text: string, visit: (name: string, value: string | undefined) => void): boolean {
  let start = 0
  while (start <= text.length) {
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    if (end > start) {
      const equals = text.indexOf('=', start)
      const split = equals < 0 || equals > end ? end : equals
      const name = percentDecoded(spaced(text.slice(start, split)))
      const value = split < end ? percentDecoded(spaced(text.slice(split + 1, end))) : undefined
      if (name === undefined || (value === undefined && split < end)) return false
      visit(name, value)
    }
    start = end + 1
  }
  return true
}
