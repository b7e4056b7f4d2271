/** Who asks, where load balancers stand in between. */

import { type BlockList, isIP, isIPv6 } from 'node:net'
import type { HttpHandler } from 'lapidary/server'

/** Node may give an IPv4 peer as an IPv6 address. */
const plain = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

/**
 * The client as far as it can be known: each proxy writes whom it got the request from behind the others, so that the list is read from its
 * end for as long as it was written by somebody trusted. What stands before that, the client may have written itself.
 */
export function client(remote: string, forwardedFor: string | undefined, trusted: BlockList): string {
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  const hops = [...(forwardedFor ?? '').split(',').map((hop) => plain(hop.trim())), plain(remote)]
  let known = remote
  for (let hop = hops.pop(); hop !== undefined && isIP(hop) !== 0; hop = hops.pop()) {
    known = hop
    if (!isTrusted(hop)) break
  }
  return known
}

/** The same kernel, for which the client is the one that proxies at these addresses name (`X-Forwarded-For`). */
export function proxied(kernel: HttpHandler, trusted: BlockList | undefined): HttpHandler {
  if (trusted === undefined) return kernel
  return (incoming) => {
    incoming.remoteAddress = client(incoming.remoteAddress, incoming.header('x-forwarded-for'), trusted)
    return kernel(incoming)
  }
}
