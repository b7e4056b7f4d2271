/** `client(api, 'http://127.0.0.1:8081')`: an API as functions. */
import { type Api, isOperation } from '../contract/api.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import * as complaint from '../messages/developerErrors.ts'
import type { CallOptions, Client } from './call.ts'
import { createCancellation, onAbort } from './cancellation.ts'
import * as failure from './clientErrorMessages.ts'
import { ConnectionError, getCauseMessage } from './errors.ts'
import type { Credentials } from './request.ts'
import {
  type AnyCallInput,
  createRequestWriter,
  fetchWithRedirects,
  type HeaderRecord,
  isRedirect,
  mergeHeaderRecords,
  parseBaseUrl,
  type RequestWriter,
  type SendInit,
} from './request.ts'
import { createResponseReader, type ResponseReader } from './response.ts'

/** What sends a request. The global `fetch` is one, `server.fetch` another. */
export type FetchLike = (request: Request) => Promise<Response>

/** How a client makes its calls. */
export interface ClientOptions {
  /** Default: the global `fetch`. `{ fetch: server.fetch }` calls a server in this process, without a socket. */
  readonly fetch?: FetchLike
  /** Further headers of every request, which yield to those that a call needs; a function is asked at each call. */
  readonly headers?: HeaderRecord | (() => HeaderRecord | Promise<HeaderRecord>)
  /**
   * What to show where an endpoint has an auth scheme: `[credentials(people, { username, password })]`. Others get none, and no other origin does,
   * wherever a redirection leads.
   */
  readonly auth?: readonly Credentials[]
  /** Ends every call, and every stream. */
  readonly signal?: AbortSignal
  /** For how long a call waits, in milliseconds. Default: as long as `fetch` does. */
  readonly timeout?: number
  /**
   * The most bytes of an answer that are held at once, after decompression: those of a whole body, or of one item of a stream, which may be over it by
   * what arrives in one piece. More are not read, and `UnexpectedAnswer` is thrown. Default: 67,108,864 (64 MiB).
   */
  readonly maxResponseSize?: number
}

/** Without what stands behind the path. */
const stripQuery = (url: string): string => url.replace(/[?#].*$/s, '')

/** Makes the function that calls one endpoint. */
function createCall(
  endpoint: AnyEndpoint,
  base: string,
  { fetch = (request) => globalThis.fetch(request), headers, auth = [], signal, timeout, maxResponseSize = 2 ** 26 }: ClientOptions,
) {
  const { route, response: success, errors } = endpoint
  // Compiled at the first call: a page that needs three endpoints of five hundred pays for three.
  let compiled: readonly [RequestWriter, ResponseReader] | undefined
  const shown = auth.find(({ scheme }) => scheme === endpoint.auth)
  const isRedirecting = [success, ...errors].some(isRedirect)

  return async (input: AnyCallInput = {}, options: CallOptions = {}): Promise<unknown> => {
    compiled ??= [createRequestWriter(endpoint), createResponseReader(endpoint)]
    const [write, read] = compiled
    const { timeout: limit = timeout, maxResponseSize: size = maxResponseSize } = options
    let call = route
    const end = createCancellation(
      [signal, options.signal],
      limit,
      () => new DOMException(failure.responseTimeout(call, limit), 'TimeoutError'),
    )

    const answer = async (): Promise<unknown> => {
      const { method, target, headers: own, body } = await write(input, options.contentType)
      const url = base + target
      call = `${method} ${stripQuery(url)}`
      const common = typeof headers === 'function' ? await headers() : headers
      const request: SendInit = {
        method,
        headers: mergeHeaderRecords(route, common, await shown?.headers(), own, options.headers),
        // Bytes of whatever memory: what is sent is copied.
        body: body as string | Uint8Array<ArrayBuffer> | null,
        signal: end.signal,
      }
      end.signal.throwIfAborted()
      let response: Response
      try {
        response = await fetchWithRedirects(fetch, url, request, isRedirecting)
      } catch (error) {
        end.signal.throwIfAborted()
        throw new ConnectionError(failure.noResponse(call, getCauseMessage(error)), { cause: error })
      }
      return read({ call, url: stripQuery(response.url || url), response, cancellation: end, limit: size })
    }

    const leave = end.listen()
    return new Promise((resolve, reject) => {
      // Whatever it is that takes its time, nobody waits for it longer than they want to.
      onAbort(end.signal, () => reject(end.signal.reason))
      answer().then(resolve, reject)
    }).finally(leave)
  }
}

function createCalls(api: Api, base: string, options: ClientOptions): object {
  const calls = Object.entries(api).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) throw new TypeError(complaint.invalidApi(key))
    if (!isOperation(value)) return [[key, createCalls(value, base, options)] as const]
    return value['~kind'] === 'mount' ? [] : [[key, createCall(value, base, options)] as const]
  })
  return Object.freeze(Object.fromEntries(calls))
}

/**
 * The client of an API: the same record, with a function for each endpoint. It needs nothing but `fetch`: it runs in Node, Bun, Deno and browsers.
 *
 * `base` is where the server is, and may have a path: `https://example.org/api`. In a browser `location.origin` is the page's own server.
 *
 * @throws TypeError for a base that is no address, or has credentials or a query.
 */
export function client<const A extends Api>(api: A, base: string | URL, options: ClientOptions = {}): Client<A> {
  // The types say what was built here, one function for each endpoint.
  return createCalls(api, parseBaseUrl(base), options) as Client<A>
}
