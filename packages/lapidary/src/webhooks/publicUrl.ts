/** `isPublicUrl(url)`: whether a URL names a host of this network, as far as its text tells (server-side request forgery). */

import { parseIpAddress } from '../http/ipAddress.ts'
import { isPublicAddress } from '../http/publicAddress.ts'

/** Names that public DNS does not have (RFC 6761, RFC 6762 §3 and appendix G, RFC 8375). */
const privateNames = /(?:^|\.)(?:localhost|localdomain|local|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid)\.?$/i

/**
 * Whether a URL is of `http:` or `https:`, and its host is neither a private address nor a name that only private networks have. It is what
 * `createWebhookSender` allows by default.
 *
 * It resolves no names: a public name can have a private address. `fetchPublic` of `lapidary/node` rejects such a name when it connects.
 *
 * @example
 * ```ts
 * import { isPublicUrl } from 'lapidary/webhooks'
 *
 * console.log(isPublicUrl(new URL('https://shop.example/hooks')), isPublicUrl(new URL('http://169.254.169.254/'))) // true false
 * ```
 */
export function isPublicUrl({ protocol, hostname }: URL): boolean {
  if (protocol !== 'https:' && protocol !== 'http:') return false
  // An IPv4 address in IPv6 form is a detour that no receiver needs.
  if (hostname.startsWith('[')) return parseIpAddress(hostname.slice(1, -1))?.family === 'ipv6' && isPublicAddress(hostname.slice(1, -1))
  // The parser of URLs writes each form of an IPv4 address in one.
  if (parseIpAddress(hostname) !== undefined) return isPublicAddress(hostname)
  // A name without a dot is one of the own network.
  return hostname.replace(/\.$/, '').includes('.') && !privateNames.test(hostname)
}
