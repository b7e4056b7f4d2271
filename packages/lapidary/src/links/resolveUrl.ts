/** Where a URL leads, as the server there gets it: its path and its query. */

import { memoize } from '../http/memoize.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/** The pieces of a URL that say which endpoint is meant. */
interface UrlParts {
  /** Undefined where only a path was given, which may be at any origin. */
  readonly origin: string | undefined
  readonly path: string
  /** What stands behind `?`, percent-encoded. */
  readonly search: string
}

/** Where a path is read as if it stood there. It is put in front, so that `//example.org` stays a path. */
const placeholderOrigin = 'http://anywhere.invalid'

/** The pieces of an absolute URL, or of a path; undefined for what is neither, or leads to no HTTP server. */
function parseUrl(text: string): UrlParts | undefined {
  const isPath = text.startsWith('/')
  // Behind an origin, every path can be read.
  if (!isPath && !URL.canParse(text)) return undefined
  const { protocol, origin, pathname, search } = new URL(isPath ? placeholderOrigin + text : text)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  return { origin: isPath ? undefined : origin, path: pathname, search: search.slice(1) }
}

/** Where an API is; its path has no slash at the end. @throws TypeError for what is neither an address nor a path, or has more than these. */
const parseMatchBase = memoize((base: string): Pick<UrlParts, 'origin' | 'path'> => {
  const address = /[?#]/.test(base) ? undefined : parseUrl(base)
  if (address === undefined) throw new TypeError(developerErrors.invalidMatchBase(base))
  return { origin: address.origin, path: address.path.replace(/\/+$/, '') }
})

/**
 * The path below `base`, and the query; undefined for a URL that is not below it.
 *
 * @throws TypeError when `base` is neither an address nor a path, or has a query or a fragment.
 */
export function resolveUrl(base: string | URL, url: string | URL): Pick<UrlParts, 'path' | 'search'> | undefined {
  const place = parseMatchBase(String(base))
  const address = parseUrl(String(url))
  if (address === undefined || !address.path.startsWith(`${place.path}/`)) return undefined
  const isElsewhere = place.origin !== undefined && address.origin !== undefined && place.origin !== address.origin
  return isElsewhere ? undefined : { path: address.path.slice(place.path.length), search: address.search }
}
