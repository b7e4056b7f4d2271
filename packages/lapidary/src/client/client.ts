/** `client(api, 'http://127.0.0.1:8081')`: an API as functions. */
import { type Api, isMount, isOperation } from '../contract/api.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { idempotencyKeyHeader } from '../contract/idempotency.ts'
import { getValue, type ParameterValues } from '../contract/parameters/parameter.ts'
import { splitValues } from '../contract/parameters/parameterGroups.ts'
import { isWebhook } from '../contract/webhook.ts'
import { checkFunctions } from '../http/functions.ts'
import { requireTime } from '../http/limits.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { CallCodec, CallOptions, CallRoute, Client } from './callTypes.ts'
import { createCancellation, onAbort } from './cancellation.ts'
import * as clientErrors from './clientErrorMessages.ts'
import { ConnectionError, getCauseMessage } from './errors.ts'
import { type FetchLike, fetchWithRedirects, isRedirect, type SendInit } from './redirects.ts'
import {
  type AnyCallInput,
  addQuery,
  type CallRequest,
  type CallTypes,
  type Credentials,
  createRequestWriter,
  type HeaderRecord,
  mergeHeaderRecords,
  parseBaseUrl,
  type RequestWriter,
  selectCredentials,
} from './request.ts'
import { createResponseReader, type ResponseReader } from './response.ts'
import { createIdempotencyKey, retry } from './retry.ts'

/** Returns the input of a call with its key among the headers. @throws TypeError for a key that no server reads. */
const withIdempotencyKey = (route: string, input: AnyCallInput, key: string | undefined): AnyCallInput => ({
  ...input,
  headers: { ...input.headers, [idempotencyKeyHeader]: createIdempotencyKey(route, key) },
})

/** How a client makes its calls. */
export interface ClientOptions {
  /** Sends the requests: `{ fetch: server.fetch }` calls a server in the same process, without a socket. @default the global `fetch` */
  readonly fetch?: FetchLike
  /** Headers of every request. The headers that a call needs take precedence. A function is called for each request. */
  readonly headers?: HeaderRecord | (() => HeaderRecord | Promise<HeaderRecord>)
  /**
   * Credentials for endpoints with an auth scheme: `[credentials(people, { username, password })]`. For an endpoint with alternatives, the
   * client sends the credentials of the first alternative for which it has all credentials. It sends no credentials to other endpoints, and
   * none to another origin after a redirect.
   */
  readonly auth?: readonly Credentials[]
  /** Cancels every call, and every stream. */
  readonly signal?: AbortSignal
  /**
   * How long a call may take. A time limit is a number of milliseconds above 0 and at most 2,147,483,647 (24.8 days); `Infinity` is no limit.
   *
   * @default Infinity: no limit but that of `fetch`
   */
  readonly timeout?: number
  /**
   * How often a call of an endpoint with `idempotent` is sent again, with the same key: after a connection that failed, after 503, and
   * after 409 and 429 with `Retry-After`. The client waits as long as `Retry-After` says, up to 30 seconds. Without `Retry-After` it waits for a
   * fifth of a second, and twice as long before each further attempt.
   *
   * @default 2
   */
  readonly retries?: number
  /**
   * How many bytes of a response may be buffered at once, after decompression: of a whole body, or of one item of a stream, which can
   * exceed the limit by one chunk. A larger response is an `UnexpectedResponseError`. @default 67,108,864 (64 MiB)
   */
  readonly maxResponseSize?: number
}

/** Removes the query and the fragment. */
const stripQuery = (url: string): string => url.replace(/[?#].*/s, '')

/** The options that are limits of sizes and counts. */
const limitNames = ['maxResponseSize', 'retries'] as const

/** @throws TypeError for a limit that is not a number from 0, and for a `timeout` that is no time limit. Nothing is greater than NaN, so NaN would be no limit. */
function checkLimits(place: string, options: Pick<CallOptions, (typeof limitNames)[number] | 'timeout'>): void {
  const { timeout = Number.POSITIVE_INFINITY } = options
  requireTime(`${place}: timeout`, timeout, 'limit')
  for (const name of limitNames) {
    const limit: unknown = options[name]
    if (limit !== undefined && !(typeof limit === 'number' && limit >= 0))
      throw new TypeError(developerErrors.invalidLimit(place, name, limit))
  }
}

/** Creates the function that calls one endpoint. */
function createCall(
  endpoint: AnyEndpoint,
  base: string,
  {
    fetch = (request) => globalThis.fetch(request),
    headers,
    auth = [],
    signal,
    timeout = Number.POSITIVE_INFINITY,
    retries = 2,
    maxResponseSize = 2 ** 26,
  }: ClientOptions,
) {
  const { route, responses, errors, idempotent } = endpoint
  // Compiled at the first call: a page that uses three endpoints of five hundred pays for three.
  let compiled: readonly [RequestWriter, ResponseReader] | undefined
  const credentials = selectCredentials(endpoint, auth)
  const declaresRedirect = [...responses, ...errors].some(isRedirect)

  return async (input: AnyCallInput = {}, options: CallOptions & CallTypes = {}): Promise<unknown> => {
    compiled ??= [createRequestWriter(endpoint), createResponseReader(endpoint)]
    const [writeRequest, readResponse] = compiled
    checkLimits(route, options)
    checkFunctions(route, { fetch: options.fetch })
    const {
      timeout: timeLimit = timeout,
      retries: maxRetries = retries,
      maxResponseSize: limit = maxResponseSize,
      fetch: send = fetch,
    } = options
    let call = route
    const cancellation = createCancellation(
      [signal, options.signal],
      timeLimit,
      () => new DOMException(clientErrors.responseTimeout(call, timeLimit), 'TimeoutError'),
    )

    const run = async (): Promise<unknown> => {
      const keyed = idempotent ? withIdempotencyKey(route, input, options.idempotencyKey) : input
      const { method, target, headers: ownHeaders, body } = await writeRequest(keyed, options, cancellation)
      call = `${method} ${stripQuery(base + target)}`
      const attempt = () => sendOnce(method, target, ownHeaders, body)
      return idempotent ? retry(attempt, maxRetries, cancellation.signal) : attempt()
    }

    const sendOnce = async (method: string, target: string, ownHeaders: HeaderRecord, body: CallRequest['body']): Promise<unknown> => {
      const commonHeaders = typeof headers === 'function' ? await headers() : headers
      const written = await Promise.all(credentials.map(({ write }) => write()))
      const url = addQuery(base + target, written)
      const request: SendInit = {
        method,
        headers: mergeHeaderRecords(route, commonHeaders, ...written.map((parts) => parts.headers), ownHeaders, options.headers),
        // `fetch` copies the bytes, so shared memory is no problem, though its type excludes it.
        body: body as Exclude<typeof body, Uint8Array> | Uint8Array<ArrayBuffer>,
        signal: cancellation.signal,
      }
      cancellation.signal.throwIfAborted()
      let response: Response
      try {
        response = await fetchWithRedirects(send, url, request, declaresRedirect)
      } catch (error) {
        cancellation.signal.throwIfAborted()
        throw new ConnectionError(clientErrors.noResponse(call, getCauseMessage(error)), { cause: error })
      }
      const { accept, '~onSkipped': onSkipped } = options
      return readResponse({ call, url: stripQuery(response.url || url), response, cancellation, limit, accept, onSkipped })
    }

    const removeListeners = cancellation.listen()
    return new Promise((resolve, reject) => {
      // A cancellation ends the call at once, even if `fetch` or a function of the caller ignores it.
      onAbort(cancellation.signal, () => reject(cancellation.signal.reason))
      run().then(resolve, reject)
    }).finally(removeListeners)
  }
}

/** What helpers for a call know of its endpoint. */
function toCallRoute({ route, params, query, parameterGroups }: AnyEndpoint): CallRoute<unknown, unknown, unknown> {
  const toCodecs = (parameters: AnyEndpoint['query'], groups: AnyEndpoint['parameterGroups']['query']): Record<string, CallCodec> =>
    Object.fromEntries(
      Object.entries(parameters).map(([name, { write }]) => {
        const find = (values: ParameterValues): readonly string[] => {
          const value = getValue(splitValues(groups, values), name)
          return value === undefined ? [] : write(value)
        }
        return [name, { find }]
      }),
    )
  return { route, params: toCodecs(params, parameterGroups.params), query: toCodecs(query, parameterGroups.query) }
}

function createCalls(api: Api, base: string, options: ClientOptions): object {
  const calls = Object.entries(api).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) throw new TypeError(developerErrors.invalidApi(key))
    if (isWebhook(value)) return []
    if (!isOperation(value)) return [[key, createCalls(value, base, options)] as const]
    return isMount(value) ? [] : [[key, Object.assign(createCall(value, base, options), { '~route': toCallRoute(value) })] as const]
  })
  return Object.freeze(Object.fromEntries(calls))
}

/**
 * Returns the client of an API: the same record, with a function for each endpoint. It needs only `fetch`: it runs in Node, Bun, Deno and
 * browsers.
 *
 * @param base the URL of the server, with or without a path: `https://example.org/api`; in a browser `location.origin` is the server of the
 * page
 * @throws TypeError for a base that is not such a URL, or that has credentials or a query, for a limit that is not a number from 0, and
 * for a `timeout` that is no time limit.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { client } from 'lapidary/client'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const call = client(api, 'http://127.0.0.1:8081')
 * console.log(await call.hello())
 * ```
 */
export function client<const A extends Api>(api: A, base: string | URL, options: ClientOptions = {}): Client<A> {
  checkLimits('client()', options)
  checkFunctions('client()', { fetch: options.fetch })
  // createCalls() made what the type says: one function for each endpoint.
  return createCalls(api, parseBaseUrl(base), options) as Client<A>
}
