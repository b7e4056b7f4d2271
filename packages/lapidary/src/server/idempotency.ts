/** Idempotent endpoints: the first response to a key is kept, and sent again (draft-ietf-httpapi-idempotency-key-header). */
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { getRequestIdReader, idempotencyKeyHeader } from '../contract/idempotency.ts'
import { isNegotiated } from '../contract/media/content.ts'
import type { ParameterValues } from '../contract/parameters/parameter.ts'
import { getCookie } from '../http/cookies.ts'
import { digest } from '../http/digest.ts'
import { fromBase64, toBase64 } from '../http/encodings.ts'
import { toolkitErrors } from '../http/errors.ts'
import { checkFunctions, checkOptions, isPlainObject, requireFunction } from '../http/functions.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { type ByteSize, requireByteSize } from '../http/limits.ts'
import { percentDecode } from '../http/percentEncoding.ts'
import { type Awaitable, requireSync } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail, signedRequestDetail } from '../messages/problemMessages.ts'
import { createSchemeFinder } from './authenticate.ts'
import { type IdempotencyClaim, type IdempotencyStore, memoryIdempotencyStore, requireFinite } from './idempotencyStore.ts'

/** How idempotent endpoints are served. */
export interface IdempotencyOptions {
  /** Where first responses are kept. @default memoryIdempotencyStore(), which is for one process */
  readonly store?: IdempotencyStore
  /**
   * For how long no other request can use the key of a handler, in milliseconds. Set a longer time than any handler takes. If the process
   * ends while a handler runs, the same request can run again after this time.
   *
   * @default 60,000
   */
  readonly lease?: number
  /**
   * The longest body that is kept; a character of a text counts as one byte. A longer body is sent and reported. If the client sends the
   * same request again, it gets 422: the request has had its effect, and its handler does not run twice.
   *
   * @default '16 MB'
   */
  readonly maxResponseSize?: ByteSize
  /**
   * Returns a value that distinguishes a user from all others: plain JSON, such as an id, without undefined members. Two users never share
   * a key. You need this function if the value that the authenticator returns for a user changes between two requests, or is not plain
   * JSON.
   *
   * @default the user
   */
  // A method, so that its parameter can have the type of the users.
  identify?(user: unknown): unknown
}

/** The options, with their defaults. */
export interface IdempotencySettings {
  readonly store: IdempotencyStore
  readonly lease: number
  /** In bytes. */
  readonly maxResponseSize: number
  /** Undefined: the user identifies itself. */
  readonly identify: ((user: unknown) => unknown) | undefined
}

/** Completes the options. @throws TypeError for a wrong one, which plain JavaScript can give. */
export function completeIdempotencyOptions(options: IdempotencyOptions): IdempotencySettings {
  checkOptions('serve(): idempotency', options, 'store, lease, maxResponseSize, identify')
  const { store = memoryIdempotencyStore(), identify } = options
  checkFunctions('serve()', { 'idempotency.identify': identify })
  for (const method of ['begin', 'complete', 'release'] as const) requireFunction(`serve(): idempotency.store.${method}`, store[method])
  return {
    store,
    // A process that stops would keep its keys for ever.
    lease: requireFinite('serve(): idempotency.lease', options.lease ?? 60_000),
    maxResponseSize: requireByteSize('serve(): idempotency', 'maxResponseSize', options.maxResponseSize ?? '16 MB'),
    identify: identify && ((user) => options.identify?.(user)),
  }
}

/** Whether JSON says all of a value. Of a class it does not: two users would be one. Absent members are those of a user without them. */
function isPlainJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null) return ['string', 'boolean', 'undefined', 'object'].includes(typeof value)
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isPlainJson(item))
  return isPlainObject(value) && Object.values(value).every(isPlainJson)
}

/** Whether a value has a part that can be another one for another user. `true` says that there is a user, and not which. */
const tellsApart = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(tellsApart)
    : typeof value === 'number' || Boolean(value && value !== true)

const containsUndefined = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some(containsUndefined) : value === undefined

/**
 * Returns what identifies a user. Without a user there is nothing: all requests without credentials are of one.
 *
 * @throws TypeError for an identity that other users could have
 */
function getIdentity(route: string, user: unknown, identify: IdempotencySettings['identify']): unknown {
  if (user === undefined) return null
  if (identify === undefined) {
    if (isPlainJson(user) && tellsApart(user)) return user
    throw new TypeError(developerErrors.unidentifiedUser(route))
  }
  const identity = requireSync(identify(user), 'The function "identify" of serve()')
  if (isPlainJson(identity) && tellsApart(identity) && !containsUndefined(identity)) return identity
  throw new TypeError(developerErrors.invalidIdentity(route))
}

/**
 * Compiles a function that lists what a request says besides its body: the whole target at its host, and the headers and cookies that a
 * response depends on.
 */
function createHeadReader({ headers, cookies, responses }: AnyEndpoint): (request: HttpRequest) => readonly unknown[] {
  const isAcceptUsed = responses.some(({ content }) => content !== undefined && isNegotiated(content))
  const declared = Object.keys(headers).filter((name) => name !== idempotencyKeyHeader)
  const headerNames = ['content-type', ...(isAcceptUsed ? ['accept'] : []), ...declared.map((name) => name.toLowerCase())]
  const cookieNames = Object.keys(cookies)
  return (request) => {
    const cookie = cookieNames.length === 0 ? '' : (request.header('cookie') ?? '')
    return [
      request.method,
      request.header('host')?.replace(/:\d*$/, '').toLowerCase(),
      request.originalTarget ?? request.target,
      ...headerNames.map((name) => request.header(name)),
      ...cookieNames.map((name) => getCookie(cookie, name)),
    ]
  }
}

/** The decoded segments of the path of a request: in another spelling of its target, it is the same request. */
function decodePath({ originalTarget, target }: HttpRequest): readonly string[] {
  const [path = ''] = (originalTarget ?? target).split('?', 1)
  return path.split('/').map((segment) => percentDecode(segment) ?? segment)
}

/** A response as text, and the response of a text. */
const writeKept = ({ status, reason, headers, body }: HttpResponse): string => {
  const kept = body instanceof Uint8Array ? { base64: toBase64(body) } : { body }
  return JSON.stringify({ status, reason, headers, ...kept })
}
const readKept = (text: string, route: string): HttpResponse => {
  const { base64, ...response } = JSON.parse(text) as HttpResponse & { readonly base64?: string }
  if (base64 === undefined) return { ...response, route }
  return { ...response, body: fromBase64(base64), route }
}

/** Statuses that ask for the same request again, beside those of servers: then its handler has to run. */
const retriedStatuses: readonly number[] = [408, 425, 429]

/** What is decoded of a request. */
interface KeyedInput {
  readonly headers: ParameterValues
  readonly user: unknown
}

/** Runs a request, unless it has run before. */
type IdempotentRunner = (
  request: HttpRequest,
  input: KeyedInput,
  body: Uint8Array,
  run: () => Awaitable<HttpResponse>,
) => Awaitable<HttpResponse>

/** What a runner does with errors. */
interface IdempotentErrorHandlers {
  /** Makes the response to an error of the handler. */
  readonly respondToError: (error: unknown, request: HttpRequest) => HttpResponse
  /** Receives an error of the store after the handler. */
  readonly onStoreError: (error: unknown, request: HttpRequest) => void
}

/**
 * Compiles the runner of an endpoint. It keeps what the handler answered, declared errors included. It forgets the key after an unexpected
 * error, and after a response that asks for the same request again: the handler has to undo what it did.
 */
export function createIdempotentRunner(
  endpoint: AnyEndpoint,
  { store, lease, maxResponseSize, identify }: IdempotencySettings,
  { respondToError, onStoreError }: IdempotentErrorHandlers,
): IdempotentRunner {
  const { route, auth } = endpoint
  const findSchemes = createSchemeFinder(endpoint)
  const readHead = createHeadReader(endpoint)
  const readRequestId = getRequestIdReader(endpoint)

  /** The key of a request: two paths can get one signed request each with the same id. */
  const readKey = (request: HttpRequest, headers: ParameterValues): string | readonly string[] | undefined => {
    if (readRequestId === undefined) return headers[idempotencyKeyHeader] as string | undefined
    const id = requireSync(
      readRequestId((name) => request.header(name)),
      'The function "requestId" of an auth scheme',
    )
    return id === undefined ? undefined : [id, ...decodePath(request)]
  }

  const createClaim = (request: HttpRequest, key: string | readonly string[], user: unknown, body: Uint8Array): IdempotencyClaim => {
    const identity = auth === undefined ? null : getIdentity(route, user, identify)
    return {
      key: digest(JSON.stringify([key, findSchemes(request), identity]), ''),
      fingerprint: digest(`${JSON.stringify(readHead(request))}\n`, body),
      owner: globalThis.crypto.randomUUID(),
      lease,
    }
  }

  const runOnce = async (request: HttpRequest, claim: IdempotencyClaim, run: () => Awaitable<HttpResponse>): Promise<HttpResponse> => {
    const known = await store.begin(claim)
    if (known !== undefined && known.fingerprint !== claim.fingerprint)
      throw toolkitErrors.unprocessableContent({
        detail: readRequestId === undefined ? problemDetail.keyReused() : signedRequestDetail.idReused(),
      })
    if (known !== undefined && known.response === undefined)
      throw toolkitErrors.conflict({
        detail: readRequestId === undefined ? problemDetail.keyInUse() : signedRequestDetail.idInUse(),
        headers: { 'Retry-After': '1' },
      })
    if (known?.response !== undefined) return readKept(known.response, route)
    let response: HttpResponse
    try {
      response = await run()
    } catch (error) {
      response = respondToError(error, request)
    }
    const length = typeof response.body === 'string' || response.body instanceof Uint8Array ? response.body.length : 0
    const isTooLarge = length > maxResponseSize
    // A sender of signed requests sends one again after any failure.
    const isFinal =
      readRequestId === undefined ? response.status < 500 && !retriedStatuses.includes(response.status) : response.status < 300
    try {
      const kept = isTooLarge
        ? respondToError(toolkitErrors.unprocessableContent({ detail: problemDetail.responseNotKept() }), request)
        : response
      await (isFinal ? store.complete(claim, writeKept(kept)) : store.release(claim))
    } catch (error) {
      // What the handler did is done, so its response is right.
      onStoreError(error, request)
    }
    if (isFinal && isTooLarge) onStoreError(new TypeError(developerErrors.responseNotKept(route, length, maxResponseSize)), request)
    return response
  }

  return (request, { headers, user }, body, run) => {
    const key = readKey(request, headers)
    return key === undefined ? run() : runOnce(request, createClaim(request, key, user, body), run)
  }
}
