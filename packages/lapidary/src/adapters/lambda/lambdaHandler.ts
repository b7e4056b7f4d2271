/** Runs a handler on AWS Lambda: the events of function URLs and of HTTP APIs (payload format 2.0), whole responses and streams. */
import { encodeUtf8 } from '../../http/encodings.ts'
import type { ErrorListener } from '../../http/errorReport.ts'
import type { HttpHandler } from '../../http/httpHandler.ts'
import * as adapterErrors from '../../messages/adapterErrors.ts'
import { toFetch } from '../fetch/toFetch.ts'
import { peerAddresses } from '../fetch/webHttpRequest.ts'

/** A request as Lambda passes it to a function: payload format 2.0, of a function URL or of an HTTP API. */
export interface LambdaEvent {
  /** Percent-encoded by a function URL, and decoded by an HTTP API. */
  readonly rawPath: string
  readonly rawQueryString: string
  /** By name in lower case. Several lines of one name are joined with commas. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies?: readonly string[] | undefined
  /** A text, or the bytes in Base64. */
  readonly body?: string | undefined
  readonly isBase64Encoded: boolean
  readonly requestContext: { readonly http: { readonly method: string; readonly sourceIp: string } }
}

/** A whole response, as Lambda expects it from a function. */
export interface LambdaResult {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly cookies: string[]
  readonly body: string
  readonly isBase64Encoded: boolean
}

/** A function that returns whole responses. */
export type LambdaHandler = (event: LambdaEvent) => Promise<LambdaResult>

/** The response of a function that streams: a stream of Node.js, which Lambda reads. */
interface LambdaResponseStream {
  readonly write: (chunk: string | Uint8Array) => boolean
  readonly end: () => void
  readonly once: (event: 'close' | 'drain', listener: () => void) => unknown
}

/** A function that streams its responses. Lambda calls it with more arguments than an event. */
export type LambdaStreamHandler = (event: LambdaEvent, stream: LambdaResponseStream) => Promise<void>

/** What the Node.js runtime of Lambda has as the global `awslambda`. */
interface LambdaRuntime {
  readonly streamifyResponse: (handler: LambdaStreamHandler) => LambdaStreamHandler
  readonly HttpResponseStream: {
    readonly from: (stream: LambdaResponseStream, head: Pick<LambdaResult, 'statusCode' | 'headers' | 'cookies'>) => LambdaResponseStream
  }
}

/** What a path of an event can have, and a path of a URL cannot. An HTTP API decodes `%25`, `%3F`, `%23` and `%0A`. */
const unencodedPathCharacters = /%(?![\da-f]{2})|[?#\\\s]/gi

/** The value of a header as the web's Headers take it, each byte as a character. Lambda may have read the bytes as UTF-8. */
const toLatin1Bytes = (value: string): string => (/[\u0100-\uffff]/.test(value) ? String.fromCharCode(...encodeUtf8(value)) : value)

const readBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (character) => character.charCodeAt(0))

/** @throws TypeError for an event of another format */
function toWebRequest(event: LambdaEvent): Request {
  // Plain JavaScript, and what AWS lets a function be invoked by, have other events.
  if (typeof (event as Partial<LambdaEvent> | null | undefined)?.requestContext?.http?.method !== 'string') {
    throw new TypeError(adapterErrors.unknownLambdaEvent())
  }
  const { rawPath, rawQueryString, headers: record, cookies = [], body, isBase64Encoded, requestContext } = event
  const { method, sourceIp } = requestContext.http
  const headers = new Headers()
  for (const [name, value] of Object.entries(record)) if (value !== undefined) headers.set(name, toLatin1Bytes(value))
  if (cookies.length > 0) headers.set('cookie', toLatin1Bytes(cookies.join('; ')))
  const path = rawPath.replace(unencodedPathCharacters, encodeURIComponent)
  // The Host is a header: of the URL a handler sees the target alone.
  const request = new Request(`https://localhost${path}${rawQueryString === '' ? '' : `?${rawQueryString}`}`, {
    ...{ method, headers },
    body: method === 'GET' || method === 'HEAD' || body === undefined ? null : isBase64Encoded ? readBase64(body) : body,
  })
  peerAddresses.set(request, sourceIp)
  return request
}

/** The head of a response: its cookies are apart, because a record has one value for a name. */
const readHead = ({ status, headers }: Response): Pick<LambdaResult, 'statusCode' | 'headers' | 'cookies'> => ({
  statusCode: status,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== 'set-cookie')),
  cookies: headers.getSetCookie(),
})

/** The text of these bytes; undefined for bytes that are not UTF-8. A byte order mark stays. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const encodeBase64 = (bytes: Uint8Array): string => {
  let text = ''
  // A call takes as many arguments as the stack has room for.
  for (let start = 0; start < bytes.length; start += 8_192) text += String.fromCharCode(...bytes.subarray(start, start + 8_192))
  return btoa(text)
}

/**
 * Creates a function of AWS Lambda from a handler, for a function URL or an HTTP API of API Gateway (payload format 2.0). It returns each
 * response as a whole: streams and events arrive when they are complete, and Lambda allows 6 MB.
 *
 * @param options.onError as for `toFetch`
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { toLambdaHandler } from 'lapidary/lambda'
 * import { serve } from 'lapidary/server'
 *
 * const server = serve({ hello: endpoint('GET /hello', { response: ok(text) }) }, { hello: () => 'Hello!' })
 * export const handler = toLambdaHandler(server)
 * ```
 */
export function toLambdaHandler(handler: HttpHandler, options: { readonly onError?: ErrorListener } = {}): LambdaHandler {
  const fetch = toFetch(handler, options)
  return async (event) => {
    const response = await fetch(toWebRequest(event))
    const bytes = new Uint8Array(await response.arrayBuffer())
    const text = decodeText(bytes)
    return { ...readHead(response), body: text ?? encodeBase64(bytes), isBase64Encoded: text === undefined }
  }
}

/** Writes a body at the pace of Lambda. A connection that is closed never drains. */
async function writeStream(body: ReadableStream<Uint8Array>, stream: LambdaResponseStream): Promise<void> {
  let isClosed = false
  stream.once('close', () => {
    isClosed = true
  })
  const reader = body.getReader()
  for (let { value } = await reader.read(); value !== undefined; { value } = await reader.read()) {
    const isDrained = stream.write(value)
    if (!isDrained && !isClosed) {
      await new Promise<void>((resolve) => {
        stream.once('drain', resolve)
        stream.once('close', resolve)
      })
    }
    if (isClosed) return reader.cancel()
  }
}

/**
 * As `toLambdaHandler`, for a function that streams its responses: a function URL with the invoke mode `RESPONSE_STREAM`, or API Gateway with
 * the transfer mode `STREAM`. Streams and events arrive piece by piece.
 *
 * @throws TypeError outside of the Node.js runtime of AWS Lambda, which has the global `awslambda`.
 * @example
 * ```ts
 * import { endpoint, ndjson, ok } from 'lapidary'
 * import { type LambdaStreamHandler, toLambdaStreamHandler } from 'lapidary/lambda'
 * import { serve } from 'lapidary/server'
 * import { z } from 'zod'
 *
 * const api = { numbers: endpoint('GET /numbers', { response: ok(ndjson(z.int())) }) }
 * const server = serve(api, { numbers: () => [1, 2, 3] })
 * export const createHandler = (): LambdaStreamHandler => toLambdaStreamHandler(server)
 * ```
 */
export function toLambdaStreamHandler(handler: HttpHandler, options: { readonly onError?: ErrorListener } = {}): LambdaStreamHandler {
  const fetch = toFetch(handler, options)
  const { awslambda: runtime } = globalThis as { readonly awslambda?: LambdaRuntime }
  if (typeof runtime?.streamifyResponse !== 'function') throw new TypeError(adapterErrors.lambdaRequired())
  return runtime.streamifyResponse(async (event, rawStream) => {
    const response = await fetch(toWebRequest(event))
    const stream = runtime.HttpResponseStream.from(rawStream, readHead(response))
    // Lambda sends the head with the first write.
    stream.write('')
    // What it throws ends the response early, and Lambda reports it.
    if (response.body !== null) await writeStream(response.body, stream)
    stream.end()
  })
}
