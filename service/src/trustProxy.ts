/** Finds the address of the client behind load balancers. */

import { type BlockList, isIP, isIPv6 } from 'node:net'
import type { HttpHandler } from 'lapidary/server'

/** Node may report an IPv4 peer as an IPv6 address. */
const unmapIPv4 = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The address of the client. Each proxy appends the address of its peer to `X-Forwarded-For`, so the list is read from its end as long as a
 * trusted proxy has written it. The client may have written the rest.
 */
export function clientAddress(remote: string, forwardedFor: string | undefined, trusted: BlockList): string {
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  const hops = [...(forwardedFor ?? '').split(',').map((hop) => unmapIPv4(hop.trim())), unmapIPv4(remote)]
  let client = remote
  for (let hop = hops.pop(); hop !== undefined && isIP(hop) !== 0; hop = hops.pop()) {
    client = hop
    if (!isTrusted(hop)) break
  }
  return client
}

/** Sets the address of each request to the client that the trusted proxies name. */
export function trustProxy(handler: HttpHandler, trusted: BlockList | undefined): HttpHandler {
  if (trusted === undefined) return handler
  return (request) => {
    request.remoteAddress = clientAddress(request.remoteAddress, request.header('x-forwarded-for'), trusted)
    return handler(request)
  }
}
