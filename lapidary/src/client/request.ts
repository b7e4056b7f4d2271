/** From what a caller gives to the request that is sent. */
import * as complaint from '../describe/complaint.ts'
import { getEssences } from '../describe/content.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { joinHeaderValues } from '../describe/headerField.ts'
import { getEssence } from '../describe/mediaType.ts'
import type { EncodedBody } from '../describe/medium.ts'
import { getJsonSchema } from '../describe/schema.ts'
import { collectBytes } from '../describe/whole.ts'
import { link } from '../links/link.ts'

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
