/** Resolves a URL against the base of an API. */
import { memoize } from '../http/memoize.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/** The parts of a URL that determine the endpoint. */
interface UrlParts {
  /** Undefined for a path, which can be at any origin. */
  readonly origin: string | undefined
  readonly path: string
  /** The text after `?`, percent-encoded. */
  readonly search: string
}

/** The origin for parsing a path. It goes in front of the text, so that `//example.org` stays a path. */
const placeholderOrigin = 'http://anywhere.invalid'

/** The parts of an absolute HTTP URL or of a path; undefined for any other text. */
function parseUrl(text: string): UrlParts | undefined {
  const isPath = text.startsWith('/')
  // After an origin, every path can be parsed.
  if (!isPath && !URL.canParse(text)) return undefined
  const { protocol, origin, pathname, search } = new URL(isPath ? placeholderOrigin + text : text)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return { origin: isPath ? undefined : origin, path: pathname, search: search.slice(1) }
}

/**
 * The origin and the path of an API, without a trailing slash.
 *
 * @throws TypeError for a text that is neither a URL nor a path, and for one with a query or a fragment.
 */
const parseMatchBase = memoize((base: string): Pick<UrlParts, 'origin' | 'path'> => {
  const address = /[?#]/.test(base) ? undefined : parseUrl(base)
  if (address === undefined) throw new TypeError(developerErrors.invalidMatchBase(base))
  return { origin: address.origin, path: address.path.replace(/\/+$/, '') }
})

/**
 * The path of a URL below `base`, and its query; undefined for a URL that is not below it.
 *
 * @throws TypeError for a base that is neither a URL nor a path, and for one with a query or a fragment.
 */
export function resolveUrl(base: string | URL, url: string | URL): Pick<UrlParts, 'path' | 'search'> | undefined {
  const place = parseMatchBase(String(base))
  const address = parseUrl(String(url))
  if (address === undefined || !address.path.startsWith(`${place.path}/`)) return undefined
  const isElsewhere = place.origin !== undefined && address.origin !== undefined && place.origin !== address.origin
  return isElsewhere ? undefined : { path: address.path.slice(place.path.length), search: address.search }
}
