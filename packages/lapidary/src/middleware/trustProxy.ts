/** `trustProxy(proxies)`: finds the address of the client behind load balancers. */

import { describeKind } from '../http/functions.ts'
import { trimBlanks } from '../http/headerFields.ts'
import { type IpAddress, parseIpAddress, parseNetwork } from '../http/ipAddress.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import type { Middleware } from './compose.ts'
import { refuseHandler } from './options.ts'
import { withTraits } from './order.ts'

/** A set of addresses, such as Node's `BlockList`. */
interface AddressList {
  readonly check: (address: string, family: 'ipv4' | 'ipv6') => boolean
}

type TrustTest = (address: IpAddress, text: string) => boolean

/** An IPv6 socket reports an IPv4 peer like this. */
const mappedAddress = /^::ffff:(?=\d+\.)/i

function createTrustTest(proxies: AddressList | readonly string[]): TrustTest {
  const isList = Array.isArray(proxies)
  if (!isList && typeof (proxies as Partial<AddressList> | undefined | null)?.check !== 'function')
    throw new TypeError(middlewareErrors.invalidProxies(describeKind(proxies)))
  if ('check' in proxies) return ({ family }, text) => proxies.check(text, family)
  const networks = proxies
    .filter((text) => text !== unixPeer)
    .map((text) => {
      const network = parseNetwork(text)
      if (network === undefined) throw new TypeError(middlewareErrors.invalidProxy(text))
      return network
    })
  return (address) => networks.some((contains) => contains(address))
}

/** Stands in a list for the other side of a Unix socket, whose address is unknown. nginx has the same word. */
const unixPeer = 'unix:'

/** Reads the list from its end as long as a trusted proxy has written it. The client may have written the rest. */
function findClient(remoteAddress: string, forwardedFor: string, isTrusted: TrustTest): string {
  const hops = [...forwardedFor.split(','), remoteAddress].map((hop) => trimBlanks(hop).replace(mappedAddress, ''))
  let client = remoteAddress
  for (let hop = hops.pop(); hop !== undefined; hop = hops.pop()) {
    const address = parseIpAddress(hop)
    if (address === undefined) break
    client = hop
    if (!isTrusted(address, hop)) break
  }
  return client
}

/**
 * Sets `request.remoteAddress` to the address of the client behind load balancers and reverse proxies.
 *
 * Each proxy appends the address of its peer to `X-Forwarded-For`. The list is read from its end: the client is the nearest address that is
 * not a trusted proxy. A client can write the header as well, so only what a trusted proxy has appended counts; without a trusted proxy in
 * front of it, the header is ignored.
 *
 * Put it before all middleware that uses the address of a request.
 *
 * @param proxies addresses and networks, such as `['10.0.0.0/8', 'fd00::1']`, or a `BlockList` of `node:net`. `'unix:'` is the other side of
 * a Unix socket: list it only where the server listens on nothing else.
 * @throws TypeError for no list, and for a text that is neither an address nor a network.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { trustProxy } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * const api = { me: endpoint('GET /me', { response: ok(text) }) }
 * const server = serve(api, { me: (_input, { remoteAddress }) => remoteAddress }, { middleware: [trustProxy(['10.0.0.0/8'])] })
 * ```
 */
export function trustProxy(proxies: AddressList | readonly string[]): Middleware {
  refuseHandler('trustProxy()', proxies)
  if (Array.isArray(proxies) && proxies.length === 0) return (next) => next
  const isTrusted = createTrustTest(proxies)
  const trustsUnix = Array.isArray(proxies) && proxies.includes(unixPeer)
  const middleware: Middleware = (next) => (request) => {
    const forwardedFor = request.header('x-forwarded-for') ?? ''
    const { remoteAddress } = request
    if (remoteAddress !== '') request.remoteAddress = findClient(remoteAddress, forwardedFor, isTrusted)
    // The last hop is the one that the proxy behind the socket has seen.
    else if (trustsUnix) request.remoteAddress = findClient(trimBlanks(forwardedFor.split(',').pop() ?? ''), forwardedFor, isTrusted)
    return next(request)
  }
  return withTraits('trustProxy', middleware)
}
