/** `fetchPublic(request)`: sends a request to a public address, and to no other (server-side request forgery). */
import { lookup } from 'node:dns'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Readable } from 'node:stream'
import { parseIpAddress } from '../../http/ipAddress.ts'
import { isPublicAddress } from '../../http/publicAddress.ts'
import { isNullBodyStatus } from '../../http/status.ts'

const describePrivateHost = (host: string): string => `${host} has an address that is not public.`

/** Makes the response of `fetch` from that of node:http. @throws RangeError for a status that `fetch` does not know */
function toResponse(incoming: IncomingMessage): Response {
  const headers = new Headers()
  const { rawHeaders, statusCode: status = 0 } = incoming
  for (let index = 0; index < rawHeaders.length; index += 2) headers.append(String(rawHeaders[index]), String(rawHeaders[index + 1]))
  if (!isNullBodyStatus(status))
    return new Response(Readable.toWeb(incoming) as ReadableStream<Uint8Array<ArrayBuffer>>, { status, headers })
  incoming.resume()
  return new Response(null, { status, headers })
}

/** Creates a `fetch` that connects to some addresses alone. @param isAllowed called with each address of a host */
export function createGuardedFetch(isAllowed: (address: string) => boolean): (request: Request) => Promise<Response> {
  const lookupAllowed: LookupFunction = (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) callback(error, [])
      else if (!addresses.every(({ address }) => isAllowed(address))) callback(new Error(describePrivateHost(hostname)), [])
      else if (options.all === true) callback(null, addresses)
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family)
    })

  return async (request) => {
    const { method, headers, signal } = request
    const url = new URL(request.url)
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
    // node:http resolves names alone.
    if (parseIpAddress(host) !== undefined && !isAllowed(host)) throw new Error(describePrivateHost(host))
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer())
    const send = url.protocol === 'https:' ? requestHttps : requestHttp
    return new Promise((resolve, reject) => {
      // A connection of its own: one that other code has opened was not looked up here.
      const options = { method, headers: Object.fromEntries(headers), signal, lookup: lookupAllowed, agent: false }
      const outgoing = send(url, options, (incoming) => {
        try {
          resolve(toResponse(incoming))
        } catch (error) {
          incoming.destroy()
          reject(error)
        }
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }
}

/**
 * Sends a request as `fetch` does, but only to a host whose addresses are all public: no address of this machine or of its network. The
 * addresses are checked when it connects, so that a name cannot have another address by then. It follows no redirects, and reads no
 * environment variables for proxies.
 *
 * For URLs that others give, such as those of webhooks.
 *
 * @throws Error for a host with another address, and where no response arrives
 * @example
 * ```ts
 * import { webhook } from 'lapidary'
 * import { fetchPublic } from 'lapidary/node'
 * import { createWebhookSecret, createWebhookSender } from 'lapidary/webhooks'
 * import { z } from 'zod'
 *
 * const api = { paid: webhook('order.paid', { body: z.object({ id: z.int() }) }) }
 * const sender = createWebhookSender(api, { secret: createWebhookSecret(), fetch: fetchPublic })
 * ```
 */
export const fetchPublic: (request: Request) => Promise<Response> = createGuardedFetch(isPublicAddress)
