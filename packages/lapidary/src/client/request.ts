/** From what a caller gives to the request that is sent. */

import type { AuthScheme } from '../contract/auth.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { getEssences } from '../contract/media/content.ts'
import type { EncodedBody } from '../contract/media/mediaType.ts'
import { collectBytes } from '../http/chunks.ts'
import { joinHeaderValues } from '../http/headerFields.ts'
import { getEssence } from '../http/mediaTypeParser.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import { link } from '../links/link.ts'
import * as complaint from '../messages/developerErrors.ts'
import type { FetchLike } from './client.ts'
import { cancelBody } from './response.ts'

type InputValues = Readonly<Record<string, unknown>>

/** What a call is made with, whatever its endpoint. */
export interface AnyCallInput {
  readonly params?: InputValues
  readonly query?: InputValues
  readonly headers?: InputValues
  readonly body?: unknown
}

/** A request, before it is sent. */
export interface CallRequest {
  readonly method: string
  /** Path and query: `/hello?name=Ann`. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | null
}

/** The request that calls an endpoint with this input; its body in the first of the endpoint's media, or in the one that `contentType` names. */
export type RequestWriter = (input: AnyCallInput, contentType?: string) => Promise<CallRequest>

/** The types of the media that can be read, as an Accept header; undefined where there is no body. @throws TypeError when none can be. */
function getAcceptHeader({ route, response: { content } }: AnyEndpoint): string | undefined {
  if (content === undefined) return undefined
  const media = content.media.filter(({ reader, streamReader }) => reader !== undefined || streamReader !== undefined)
  if (media.length === 0) throw new TypeError(complaint.unreadableResponse(route))
  return getEssences({ media }).join(', ')
}

/** A body, and the media type that names it. */
interface TypedBody {
  readonly type: string
  readonly body: EncodedBody
}

type BodyWriter = (value: unknown, asked: string | undefined) => TypedBody

/** Compiles the writer of a request body; undefined where there is none. */
function createBodyWriter({ route, body: content }: AnyEndpoint): BodyWriter | undefined {
  if (content === undefined) return undefined
  const form = content.schema === undefined ? undefined : getJsonSchema(content.schema)
  const offers = content.media.flatMap(({ types, writer }) => {
    const write = writer(form)
    return types.map((type) => ({ type, write }))
  })
  return (value, asked) => {
    const offer = offers.find(({ type }) => asked === undefined || getEssence(type) === getEssence(asked))
    if (offer === undefined) throw new TypeError(complaint.unsupportedRequestType(route, asked ?? '', getEssences(content).join(', ')))
    return { type: offer.type, body: offer.write(value) }
  }
}

/** A body goes out whole, also where it was given one item after the other: then servers know its length, and every `fetch` can send it. */
const collectBody = (body: EncodedBody | null = null): CallRequest['body'] | Promise<Uint8Array> =>
  body === null || typeof body === 'string' || body instanceof Uint8Array ? body : collectBytes(body)

function writeRequestHeaders({ route, headers }: AnyEndpoint, values: InputValues): Readonly<Record<string, string>> {
  const pairs = Object.entries(headers).flatMap(([name, parameter]) => {
    const texts = parameter.write(values[name])
    if (texts.length === 0) return []
    const text = joinHeaderValues(texts, parameter.repeats)
    if (text === undefined) throw new TypeError(complaint.invalidRequestHeader(route, name))
    return [[name, text] as const]
  })
  return Object.fromEntries(pairs)
}

/** Compiles the writer of an endpoint's requests. It throws a TypeError for what cannot be sent: nothing leaves. */
export function createRequestWriter(endpoint: AnyEndpoint): RequestWriter {
  const { route, method } = endpoint
  const accept = getAcceptHeader(endpoint)
  const writeBody = createBodyWriter(endpoint)
  return async (input, contentType) => {
    try {
      const target = link(endpoint, input)
      const declared = writeRequestHeaders(endpoint, input.headers ?? {})
      const { type, body } = writeBody?.(input.body, contentType) ?? {}
      const headers = { ...(accept && { Accept: accept }), ...declared, ...(type && { 'Content-Type': type }) }
      return { method, target, headers, body: await collectBody(body) }
    } catch (error) {
      // A codec does not know whose value it has refused.
      if (!(error instanceof TypeError) || error.message.startsWith(route)) throw error
      throw new TypeError(complaint.invalidRequestValue(route, error.message), { cause: error })
    }
  }
}

/** The request of one call, for who makes no other. @throws TypeError for a value that cannot be sent. */
export const createCallRequest = async (endpoint: AnyEndpoint, input: AnyCallInput): Promise<CallRequest> =>
  createRequestWriter(endpoint)(input)

// Puts the headers of a request together.

/** Headers by their names. */
export type HeaderRecord = Readonly<Record<string, string>>

/** All of them, each name once, in whatever case it is written: what comes later wins. @throws TypeError for a value that cannot be sent. */
export function mergeHeaderRecords(route: string, ...records: readonly (HeaderRecord | undefined)[]): Headers {
  const merged = new Headers()
  for (const [name, value] of records.flatMap((record = {}) => Object.entries(record))) {
    if (joinHeaderValues([value], false) === undefined) throw new TypeError(complaint.invalidRequestHeader(route, name))
    merged.set(name, value)
  }
  return merged
}

// Where a server is.

/** The address that paths are put behind. @throws TypeError for what is no such address. It is not shown: a password does not belong into a log. */
export function parseBaseUrl(base: string | URL): string {
  const address = String(base).replace(/\/+$/, '')
  if (!/^https?:\/\/[^/?#@]+(\/[^?#]*)?$/.test(address)) throw new TypeError(complaint.invalidClientBase())
  return address
}

// What a client shows where an endpoint asks who is calling.

/** The headers that show someone's credentials for one auth scheme. */
export interface Credentials {
  // biome-ignore lint/suspicious/noExplicitAny: any scheme is meant
  readonly scheme: AuthScheme<any, any>
  readonly headers: () => Promise<Readonly<Record<string, string>>>
}

/**
 * Ties a scheme to what a client shows for it: `credentials(people, { username: 'ann', password })`. A function is asked at each call, so that a
 * token may be renewed.
 *
 * @throws TypeError for a scheme that does not say how credentials are sent.
 */
export function credentials<User, Shown>(scheme: AuthScheme<User, Shown>, shown: Shown | (() => Shown | Promise<Shown>)): Credentials {
  const { headers } = scheme
  if (headers === undefined) throw new TypeError(complaint.authSchemeWithoutHeaders(scheme.name))
  // Credentials are data: a function stands for them.
  const ask = typeof shown === 'function' ? (shown as () => Shown | Promise<Shown>) : (): Shown => shown
  return Object.freeze({ scheme, headers: async () => headers(await ask()) })
}

// Sends a request, and follows redirections as far as nobody is shown what was meant for the server.

/** What is sent: to any server, as often as it is asked to. */
export interface SendInit extends RequestInit {
  readonly method: string
  readonly headers: Headers
}

/** As many as `fetch` follows. */
const maxRedirects = 20

export const isRedirect = ({ status }: { readonly status: number }): boolean => /30[12378]/.test(`${status}`)

/** Sends it to `url`, and on within its origin, unless redirections are `declared`. The last answer may be a redirection. */
export async function fetchWithRedirects(
  fetch: FetchLike,
  url: string,
  { method, body, headers, signal }: SendInit,
  declared: boolean,
): Promise<Response> {
  // What is left may be seen by any server, but for Authorization: only of that does `fetch` know that it is not for everybody.
  const isOpen = body === null && [...headers.keys()].every((name) => /^a(ccept|uthorization)$/.test(name))
  for (let hops = 0; ; hops += 1) {
    const response = await fetch(
      new Request(url, { method, body, headers, signal, redirect: declared || !isOpen ? 'manual' : 'follow' } as RequestInit),
    )
    const location = response.headers.get('location') ?? ''
    if (declared || hops === maxRedirects || !isRedirect(response) || !URL.canParse(location, url)) return response
    const next = new URL(location, url)
    if (next.origin !== new URL(url).origin) return response
    cancelBody(response.body)
    url = next.href
    // As Fetch has it (§4.4).
    if (response.status === 303 || (response.status < 303 && method === 'POST')) {
      method = 'GET'
      body = null
      headers.delete('content-type')
    }
  }
}
