/** The `Cookie` header of requests (RFC 6265bis §5.7, §4.2): names and values, as a client writes them and a server reads them. */

/** The text that percent-encoding stands for; the same text where it is no percent-encoded UTF-8, which other servers may have set. */
function decodeCookieValue(value: string): string {
  if (!value.includes('%')) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
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
    if (equals !== -1 && pair.slice(0, equals).trim() === name) {
      const value = pair.slice(equals + 1).trim()
      return decodeCookieValue(value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value)
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
