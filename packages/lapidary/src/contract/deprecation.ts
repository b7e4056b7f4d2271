/** `deprecated` of an endpoint: clients should stop using it, and headers say so. */
import * as developerErrors from '../messages/developerErrors.ts'
import { type EndpointParts, findHeaderName } from './endpointParts.ts'

/** When an endpoint became deprecated, until when it responds, and which page says what to use instead. */
export interface Deprecation {
  /** When it became deprecated, or will be: the header `Deprecation` (RFC 9745). @default none */
  readonly since?: Date
  /** When it will cease to respond, not before `since`: the header `Sunset` (RFC 8594). @default none */
  readonly sunset?: Date
  /** The URL of a page about the deprecation: a `Link` with `rel="deprecation"` (RFC 9745 §3). @default none */
  readonly link?: string
}

const deprecationKeys: readonly string[] = ['since', 'sunset', 'link']

/** An invalid date has no year, and the date of a header has four digits for it. */
const isHeaderDate = (date: unknown): boolean => date === undefined || (date instanceof Date && / \d{4} /.test(date.toUTCString()))

/** The characters of a URL (RFC 3986): no other may stand in a Link. */
const isUrlText = (link: unknown): boolean => link === undefined || (typeof link === 'string' && /^[!#-;=?-[\]_a-z~]+$/i.test(link))

/** @throws TypeError for anything but `true` or a deprecation. */
function checkDeprecation(route: string, deprecated: unknown): void {
  if (deprecated === true) return
  if (typeof deprecated !== 'object' || deprecated === null) throw new TypeError(developerErrors.invalidDeprecation(route))
  const { since, sunset, link } = deprecated as Deprecation
  const isValid =
    Object.keys(deprecated).every((key) => deprecationKeys.includes(key)) && [since, sunset].every(isHeaderDate) && isUrlText(link)
  if (!isValid) throw new TypeError(developerErrors.invalidDeprecation(route))
  if (since !== undefined && sunset !== undefined && sunset < since) throw new TypeError(developerErrors.sunsetBeforeSince(route))
}

/**
 * Returns the headers of every response of an endpoint that say that it is deprecated. `Deprecation` is a date, and has no form without one
 * (RFC 9745 §2.1): without `since` there is none, because any date would be invented.
 */
export function getDeprecationHeaders({
  deprecated,
}: {
  readonly deprecated: true | Deprecation | undefined
}): Readonly<Record<string, string>> {
  const { since, sunset, link } = deprecated === undefined || deprecated === true ? ({} as Deprecation) : deprecated
  return {
    ...(since && { Deprecation: `@${Math.floor(since.getTime() / 1000)}` }),
    ...(sunset && { Sunset: sunset.toUTCString() }),
    ...(link !== undefined && { Link: `<${link}>; rel="deprecation"` }),
  }
}

/** A header that a response declares itself would be sent twice, or one of the two would be lost. */
function checkAddedHeaders({ route, responses, errors, responseHeaders }: EndpointParts, added: Readonly<Record<string, string>>): void {
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()))
  const name = findHeaderName([responseHeaders, ...[...responses, ...errors].map(({ headers }) => headers)], names)
  if (name !== undefined) throw new TypeError(developerErrors.headerOfDeprecation(route, name))
}

/**
 * Returns the parts of an endpoint with the headers of its deprecation among those of every response.
 *
 * @throws TypeError for a wrong `deprecated`.
 */
export function addDeprecation(parts: EndpointParts, deprecated: true | Deprecation | undefined): EndpointParts {
  if (deprecated === undefined) return parts
  checkDeprecation(parts.route, deprecated)
  const added = getDeprecationHeaders({ deprecated })
  checkAddedHeaders(parts, added)
  return { ...parts, responseHeaders: { ...parts.responseHeaders, ...added } }
}
