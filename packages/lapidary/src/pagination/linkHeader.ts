/** The `Link` of a page (RFC 8288): the URLs of other pages. */
import { percentEncode } from '../http/percentEncoding.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/** A character that a URI cannot have (RFC 3986 §2). */
const nonUriCharacter = /[^!#-;=?-[\]_a-z~]/u

/** Writes one link: `<?cursor=…>; rel="next"`. */
export const formatLink = (target: string, relation: 'next' | 'prev' | 'first' | 'last'): string =>
  `<${nonUriCharacter.test(target) ? target.replace(new RegExp(nonUriCharacter, 'gu'), percentEncode) : target}>; rel="${relation}"`

/** Returns the URL of a page at these query parameters, relative to any page of the collection. */
export const printQueryTarget = (query: Readonly<Record<string, string | number>>): string =>
  `?${Object.entries(query)
    .map(([name, value]) => `${name}=${percentEncode(String(value))}`)
    .join('&')}`

/** @throws TypeError for query parameters of the application, of which `printQueryTarget` knows nothing */
export function requireOwnQuery(place: string, query: object, parameters: readonly string[]): void {
  const others = Object.entries(query).filter(([name, value]) => value !== undefined && !parameters.includes(name))
  if (others.length > 0) throw new TypeError(developerErrors.linkLosesQuery(place, others.map(([name]) => name).join(', ')))
}
