/** The origins of pages, which `cors` and `csrf` allow. */
import * as middlewareErrors from '../messages/middlewareErrors.ts'

/**
 * Whether a browser can send a text as the origin of a page. An origin of the web is in its normal form; others, such as those of extensions,
 * have no path, and `null` is a page without an origin.
 */
function isOrigin(text: unknown): boolean {
  if (typeof text !== 'string' || !/^(?:null|[a-z][a-z\d+.-]*:\/\/[^/?#\s\\]+)$/.test(text)) return false
  return !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text)
}

/** @throws TypeError for what is no list of origins, and for an origin that no browser sends. @param cure a further way out */
export function checkOrigins(place: string, origins: unknown, cure = ''): void {
  if (!Array.isArray(origins)) throw new TypeError(middlewareErrors.invalidOrigin(place, origins, cure))
  for (const origin of origins) if (!isOrigin(origin)) throw new TypeError(middlewareErrors.invalidOrigin(place, origin, cure))
}
