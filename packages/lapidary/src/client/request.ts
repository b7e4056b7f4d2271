/** Makes the request of a call. */
import type { AnyAuthScheme, AuthScheme } from '../contract/auth/authScheme.ts'
import { addEncoder } from '../contract/contentEncoder.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { getEssences } from '../contract/media/content.ts'
import type { EncodedBody } from '../contract/media/mediaType.ts'
import { getValue } from '../contract/parameters/parameter.ts'
import { splitValues } from '../contract/parameters/parameterGroups.ts'
import { collectBytes } from '../http/chunks.ts'
import { formatCookiePair } from '../http/cookies.ts'
import { encodeUtf8 } from '../http/encodings.ts'
import { joinHeaderValues } from '../http/headerFields.ts'
import { getEssence, isInMediaRange } from '../http/mediaTypes.ts'
import { percentEncode } from '../http/percentEncoding.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import { link } from '../links/link.ts'
import * as authErrors from '../messages/authErrors.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { type Cancellation, createCancellation } from './cancellation.ts'

type InputValues = Readonly<Record<string, unknown>>

/** The input of a call to any endpoint. */
export interface AnyCallInput {
  readonly params?: InputValues
  readonly query?: InputValues
  readonly headers?: InputValues
  readonly cookies?: InputValues
  readonly body?: unknown
}

/** A request before it is sent. */
export interface CallRequest {
  readonly method: string
  /** Path and query: `/hello?name=Ann`. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | Blob | ReadableStream<Uint8Array> | null
}

/** The media types of a call: that of its body, by default the first of the endpoint, and that of its response. */
export interface CallTypes {
  readonly contentType?: string
  readonly accept?: string
}

/** Makes the request of a call. The cancellation of the call ends a body that is a stream. */
export type RequestWriter = (input: AnyCallInput, types: CallTypes, cancellation: Cancellation) => Promise<CallRequest>

/**
 * Returns the Accept header: the given media type, else those that can be read; undefined if there is no body.
 *
 * @throws TypeError if none can be read, and for one that no response has.
 */
function getAcceptHeader({ route, response: { content }, responses }: AnyEndpoint, accept: string | undefined): string | undefined {
  if (accept !== undefined) {
    const declared = responses.flatMap((reply) => (reply.content ? getEssences(reply.content) : []))
    if (declared.some((range) => isInMediaRange(getEssence(accept), range))) return accept
    throw new TypeError(developerErrors.unsupportedResponseType(route, accept, declared.join(', ')))
  }
  if (content === undefined) return undefined
  const media = content.media.filter(({ reader, streamReader }) => reader ?? streamReader)
  if (media.length === 0) throw new TypeError(developerErrors.unreadableResponse(route))
  return getEssences({ media }).join(', ')
}

/** A body and its media type. */
export interface TypedBody {
  readonly type: string
  readonly body: EncodedBody
}

/** Writes a body. */
export type BodyWriter = (value: unknown, contentType: string | undefined) => TypedBody | undefined

/** Compiles the writer of a request body; undefined if the endpoint takes none. */
export function createBodyWriter({ route, body: content }: Pick<AnyEndpoint, 'route' | 'body'>): BodyWriter | undefined {
  if (content === undefined) return undefined
  const schema = content.schema && getJsonSchema(content.schema)
  const offers = content.media.flatMap(({ types, writer }) => {
    const write = addEncoder(content, writer(schema))
    return types.map((type) => ({ type, write }))
  })
  return (value, contentType) => {
    if (value === undefined && content.isOptional) return undefined
    const offer = offers.find(({ type }) => contentType === undefined || getEssence(type) === getEssence(contentType))
    if (offer === undefined)
      throw new TypeError(developerErrors.unsupportedRequestType(route, contentType ?? '', getEssences(content).join(', ')))
    const body = offer.write(value)
    // The Blob of a form has its boundary.
    return { type: body instanceof Blob && body.type.startsWith(`${offer.type};`) ? body.type : offer.type, body }
  }
}

const isChunked = (body: EncodedBody | null): body is AsyncIterable<string | Uint8Array> => Symbol.asyncIterator in Object(body)

function writeRequestHeaders({ route, headers, parameterGroups }: AnyEndpoint, given: InputValues): Readonly<Record<string, string>> {
  const values = splitValues(parameterGroups.headers, given)
  const pairs = Object.entries(headers).flatMap(([name, parameter]) => {
    const texts = parameter.write(getValue(values, name))
    if (texts.length === 0) return []
    const value = joinHeaderValues(texts, parameter.repeats)
    if (value === undefined) throw new TypeError(developerErrors.invalidRequestHeader(route, name))
    return [[name, value] as const]
  })
  return Object.fromEntries(pairs)
}

/** Browsers drop a `Cookie` that a script sets. No name of a browser is tested: what counts is whether the header stays. */
export const canSendCookies = (): boolean => new Request('http://a', { headers: { Cookie: 'a' } }).headers.has('cookie')

/** @throws TypeError in a browser, which would send the request without these cookies. */
function writeCookies({ route, cookies, parameterGroups }: AnyEndpoint, given: InputValues): Readonly<Record<string, string>> {
  const values = splitValues(parameterGroups.cookies, given)
  const pairs = Object.entries(cookies).flatMap(([name, { write }]) => write(values[name]).map((text) => formatCookiePair(name, text)))
  if (pairs.length === 0) return {}
  if (!canSendCookies()) throw new TypeError(developerErrors.cookiesInBrowser(route))
  return { Cookie: pairs.join('; ') }
}

/**
 * Makes the body of a request of chunks, as fast as they are sent, until the call ends.
 *
 * @param toError makes of an error of the chunks what the call throws
 */
export const createRequestStream = (
  chunks: AsyncIterable<string | Uint8Array>,
  { abort, onEnd }: Pick<Cancellation, 'abort' | 'onEnd'>,
  toError: (error: unknown) => unknown,
): ReadableStream<Uint8Array> => {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream({
    pull: async (controller) => {
      onEnd(() => {
        // The server must not take the chunks before it for the whole body.
        controller.error()
        iterator.return?.().catch(abort)
      })
      try {
        const { done, value } = await iterator.next()
        if (done) controller.close()
        else controller.enqueue(typeof value === 'string' ? encodeUtf8(value) : value)
      } catch (error) {
        // `fetch` would hide it behind an error of its own.
        abort(toError(error))
      }
    },
  })
}

/** Compiles the requests of an endpoint. A value that cannot be sent is a TypeError, and no request is sent. */
export function createRequestWriter(endpoint: AnyEndpoint): RequestWriter {
  const { route, method, idempotent } = endpoint
  const writeBody = createBodyWriter(endpoint)

  /** A codec does not know the endpoint whose value it rejects. */
  const addRoute = (error: unknown): unknown =>
    error instanceof TypeError && !error.message.startsWith(route)
      ? new TypeError(developerErrors.invalidRequestValue(route, error.message), { cause: error })
      : error

  return async (input, types, cancellation) => {
    try {
      const accept = getAcceptHeader(endpoint, types.accept)
      const target = link(endpoint, input)
      const declaredHeaders = writeRequestHeaders(endpoint, input.headers ?? {})
      const cookies = input.cookies && writeCookies(endpoint, input.cookies)
      const { type, body: made = null } = writeBody?.(input.body, types.contentType) ?? {}
      const headers = { ...(accept && { Accept: accept }), ...declaredHeaders, ...cookies, ...(type && { 'Content-Type': type }) }
      // A retry sends the body again, and an array is in memory anyway. Of browsers, some send no stream, the others none by HTTP/1.1.
      const body = !isChunked(made)
        ? made
        : idempotent || Array.isArray(input.body) || !canSendCookies()
          ? await collectBytes(made)
          : createRequestStream(made, cancellation, addRoute)
      return { method, target, headers, body }
    } catch (error) {
      throw addRoute(error)
    }
  }
}

/** Makes the request of one call. @throws TypeError for a value that cannot be sent. */
export const createCallRequest = async (endpoint: AnyEndpoint, input: AnyCallInput): Promise<CallRequest> =>
  createRequestWriter(endpoint)(
    input,
    {},
    createCancellation([], Number.POSITIVE_INFINITY, () => undefined),
  )

/**
 * Returns the address that paths are appended to.
 *
 * @throws TypeError for another URL, without quoting it: a password must not get into a log.
 */
export function parseBaseUrl(base: string | URL): string {
  const url = String(base).replace(/\/+$/, '')
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(url)) throw new TypeError(developerErrors.invalidClientBase())
  return url
}

/** Headers by name. */
export type HeaderRecord = Readonly<Record<string, string>>

/**
 * Merges headers, whose names have no case; later records win. Cookies are joined: of two with one name, a server reads the first.
 *
 * @throws TypeError for a value that cannot be sent.
 */
export function mergeHeaderRecords(route: string, ...records: readonly (HeaderRecord | undefined)[]): Headers {
  const merged = new Headers()
  for (const [name, value] of records.flatMap((record = {}) => Object.entries(record))) {
    if (joinHeaderValues([value], false) === undefined) throw new TypeError(developerErrors.invalidRequestHeader(route, name))
    const cookies = name.toLowerCase() === 'cookie' && merged.get(name)
    merged.set(name, cookies ? `${value}; ${cookies}` : value)
  }
  return merged
}

/** What credentials add to a request. */
export interface CredentialParts {
  readonly headers: HeaderRecord
  readonly query: Readonly<Record<string, string>>
}

/** The credentials of one auth scheme, as they are written. */
export interface Credentials {
  readonly scheme: AnyAuthScheme
  readonly write: () => Promise<CredentialParts>
}

/**
 * Connects an auth scheme with the credentials of a client. A function is called for each request, so that a token can be renewed. Where it
 * returns `undefined`, before a person signs in, the request has no credentials.
 *
 * @throws TypeError for a scheme that does not say how credentials are sent.
 * @example
 * ```ts
 * import { basic } from 'lapidary'
 * import { credentials } from 'lapidary/client'
 *
 * const people = basic<{ readonly name: string }>('people')
 * const auth = [credentials(people, { username: 'ann', password: 'secret' })]
 * ```
 */
export function credentials<User, Values>(
  scheme: AuthScheme<User, Values>,
  values: Values | (() => Values | undefined | Promise<Values | undefined>),
): Credentials {
  const { headers, query } = scheme
  if (headers === undefined && query === undefined) throw new TypeError(authErrors.authSchemeWithoutHeaders(scheme.name))
  // Credentials are data, so a function is one that returns them.
  const getValues = typeof values === 'function' ? (values as () => Values | undefined | Promise<Values | undefined>) : () => values
  const write = async (): Promise<CredentialParts> => {
    const known = await getValues()
    return known === undefined ? { headers: {}, query: {} } : { headers: headers?.(known) ?? {}, query: query?.(known) ?? {} }
  }
  return Object.freeze({ scheme, write })
}

/**
 * The credentials that a client sends to an endpoint: of its alternatives, those of the first that the client has all of. Where there is
 * none, those of the first that lacks cookies only: a browser sends these by itself.
 */
export function selectCredentials({ auth = [] }: Pick<AnyEndpoint, 'auth'>, given: readonly Credentials[]): readonly Credentials[] {
  for (const mayLackCookies of [false, true]) {
    for (const requirements of auth) {
      const found = given.filter(({ scheme }) => requirements.some((one) => one.scheme === scheme))
      const isComplete = requirements.every(
        ({ scheme }) => found.some((one) => one.scheme === scheme) || (mayLackCookies && scheme.openapi['in'] === 'cookie'),
      )
      if (found.length > 0 && isComplete) return found
    }
  }
  return []
}

/** Adds credentials to the query of a URL. They are not part of a redirect: the server writes its target whole. */
export function addQuery(url: string, parts: readonly CredentialParts[]): string {
  const pairs = parts.flatMap(({ query }) => Object.entries(query).map((pair) => pair.map(percentEncode).join('=')))
  const separator = url.includes('?') ? '&' : '?'
  return pairs.length === 0 ? url : url + separator + pairs.join('&')
}
