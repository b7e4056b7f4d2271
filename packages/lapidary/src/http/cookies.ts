/** The headers `Cookie` and `Set-Cookie` (RFC 6265bis): names, values and attributes, as both sides write and read them. */
import { isHeaderName, trimBlanks } from './headerFields.ts'

/** A name is a token (§4.1.1). Every object has a `__proto__`, so no record of values could hold that one. */
export const isCookieName = (name: string): boolean => isHeaderName(name) && name !== '__proto__'

/** The text that percent-encoding stands for; the same text where it is no percent-encoded UTF-8, which other servers may have set. */
function decodeCookieValue(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** The value of a pair, without a pair of quotes around it. */
function parseCookieValue(text: string): string {
  const value = trimBlanks(text)
  return decodeCookieValue(value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value)
}

/**
 * The value of a cookie. Of several cookies with one name it is the first: browsers send the one with the longest path first.
 *
 * @param header The value of `Cookie`; several fields are joined by `; `.
 * @param name The name of the cookie, with its case.
 * @returns The value without a pair of quotes around it, percent-decoded; undefined where there is no such cookie.
 */
export function getCookie(header: string, name: string): string | undefined {
  for (let start = 0; start < header.length; ) {
    const next = header.indexOf(';', start)
    const end = next === -1 ? header.length : next
    const pair = header.slice(start, end)
    const equals = pair.indexOf('=')
    if (equals !== -1 && trimBlanks(pair.slice(0, equals)) === name) {
      return parseCookieValue(pair.slice(equals + 1))
    }
    start = end + 1
  }
  return undefined
}

/** All but cookie-octets (RFC 6265bis §4.1.1), and the percent sign, which begins an encoded character. */
const encodedPattern = /[^!#$&-+\--:<-[\]-~]+/g

/** One pair of `Cookie` or `Set-Cookie`. `getCookie` reads the same value. A lone surrogate, which has no UTF-8, becomes U+FFFD. */
export const formatCookiePair = (name: string, value: string): string =>
  `${name}=${value.toWellFormed().replace(encodedPattern, encodeURIComponent)}`

/** A field of `Set-Cookie`. */
interface ParsedSetCookie {
  readonly name: string
  readonly value: string
  /** As they were sent: `Max-Age=3600`, `Secure`. */
  readonly attributes: readonly string[]
  /** Whether it has expired, which deletes it. */
  readonly isDeleted: boolean
}

/** The moment of a date in Coordinated Universal Time, in milliseconds; NaN for a text that is no date (§5.1.1). */
function parseCookieDate(text: string): number {
  const time = Date.parse(/GMT$/i.test(text) ? text : `${text} GMT`)
  const [day] = /(?<![\d:])\d{1,2}(?![\d:])/.exec(text) ?? []
  // A Date makes 3 March of 31 February.
  return new Date(time).getUTCDate() === Number(day) ? time : Number.NaN
}

/** Whether an attribute says that the cookie has expired. */
const isExpired = (attribute: string): boolean => {
  const [name = '', value = ''] = attribute.split('=', 2).map(trimBlanks)
  if (/^max-age$/i.test(name)) return /^(?:0|-\d+)$/.test(value)
  return /^expires$/i.test(name) && parseCookieDate(value) <= Date.now()
}

/** Parses a field of `Set-Cookie` (§5.6). */
export function parseSetCookie(field: string): ParsedSetCookie {
  const [pair = '', ...others] = field.split(';')
  const equals = pair.indexOf('=')
  const attributes = others.map(trimBlanks).filter((attribute) => attribute !== '')
  // Max-Age counts where both are there.
  const isLimited = attributes.filter((attribute) => /^max-age[\t ]*=/i.test(attribute))
  return {
    name: trimBlanks(pair.slice(0, Math.max(0, equals))),
    value: parseCookieValue(pair.slice(equals + 1)),
    attributes,
    isDeleted: (isLimited.length > 0 ? isLimited : attributes).some(isExpired),
  }
}
