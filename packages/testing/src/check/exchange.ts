/** Requests and responses as they are on the wire, and how they are sent. */
import { Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import type { AnyEndpoint } from 'lapidary'
import { getCauseMessage, getEssence, toTimerDelay } from 'lapidary/internal'
import type { WebhookSecret } from 'lapidary/webhooks'
import type { Call } from '../generate/calls.ts'

/** A header line: its name and its value. */
export type HeaderLine = readonly [name: string, value: string]

/** A request, exactly as it is sent. */
export interface WireRequest {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly target: string
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array | undefined
  /** Signs the request when it is sent. */
  readonly secret?: WebhookSecret | undefined
  /** The call that the request was built of. A rule may have changed the request since. */
  readonly call?: Call | undefined
}

/** Returns a copy of a request whose lines of one header are replaced by these values. */
export const withHeaderLines = (request: WireRequest, name: string, ...values: readonly string[]): WireRequest => ({
  ...request,
  headers: [
    ...request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
    ...values.map((value): HeaderLine => [name, value]),
  ],
})

/** One line for all cookies (RFC 6265bis §5.7.3). */
export function joinCookies(lines: readonly HeaderLine[]): readonly HeaderLine[] {
  const isCookie = ([name]: HeaderLine): boolean => name.toLowerCase() === 'cookie'
  const cookies = lines.filter(isCookie).map(([, value]) => value)
  return cookies.length < 2 ? lines : [...lines.filter((line) => !isCookie(line)), ['Cookie', cookies.join('; ')]]
}

/** Returns a key that no other request has, as a String of structured fields. */
export const createIdempotencyKey = (): string => `"${globalThis.crypto.randomUUID()}"`

/** Returns a copy of a request without conditional headers (RFC 9110 §13.1). */
export const withoutConditions = (request: WireRequest): WireRequest => ({
  ...request,
  headers: request.headers.filter(([name]) => !/^if-/i.test(name)),
})

/** A response, as it was received. */
export interface WireResponse {
  readonly status: number
  /** The header lines as received, flat: name, value, name, value. */
  readonly rawHeaders: readonly string[]
  /** Returns the value of a header by its name in lower case; several lines are joined by commas. */
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
  /** Whether the whole body was received. */
  readonly complete: boolean
  /** Whether the checker stopped reading, because the response is a stream that may have no end. */
  readonly isAbandoned: boolean
  /** The time until the head of the response, in milliseconds. */
  readonly headMilliseconds: number
  /** The time until the last byte, in milliseconds. */
  readonly milliseconds: number
}

/** Lists the header names of a response in lower case, each once. */
export const listHeaderNames = ({ rawHeaders }: WireResponse): readonly string[] => [
  ...new Set(rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())),
]

/** Headers that depend on the moment, the connection or the request alone: times, identifiers of requests and traces, and what counts requests. */
const volatileHeaderPattern =
  /^(?:date|age|expires|connection|keep-alive|transfer-encoding|set-cookie|traceparent|tracestate|traceresponse|server-timing|cf-ray|(?:x-)?(?:request|correlation|trace|span|amzn-trace)-id|x-amz-(?:request-id|id-2|cf-id)|x-amzn-requestid|x-runtime|x-(?:response|process)-time|x-timer|(?:x-)?rate-?limit(?:-.+)?)$/

/** Whether a header, in lower case, may have another value in the next response. */
export const isVolatileHeader = (name: string): boolean => volatileHeaderPattern.test(name)

/** Why a request has no response. */
export interface NoResponse {
  readonly reason: string
  /** `timeout`: no response in time. `unreachable`: no server at this address that is trusted. `interrupted`: the connection was closed. */
  readonly cause: 'timeout' | 'unreachable' | 'interrupted'
}

/** A request with its response, or with the reason why it has none. */
export interface Exchange {
  readonly request: WireRequest
  readonly response: WireResponse | NoResponse
}

export const isWireResponse = (response: WireResponse | NoResponse): response is WireResponse => 'status' in response

/** How streams are read, which may have no end. */
interface StreamReadOptions {
  /** The media types of streams, without parameters. */
  readonly mediaTypes: ReadonlySet<string>
  /** How long to read a stream. */
  readonly milliseconds: number
}

/** Sends a request. It never rejects: a missing response is a result, too. */
export type SendRequest = (request: WireRequest, streams?: StreamReadOptions) => Promise<WireResponse | NoResponse>

/** Returns how to read the streams of an endpoint. */
export const getStreamReadOptions = ({ response: { content } }: AnyEndpoint, milliseconds: number): StreamReadOptions => ({
  mediaTypes: new Set(
    (content?.media ?? []).flatMap(({ types, streamReader }) => (streamReader === undefined ? [] : types.map(getEssence))),
  ),
  milliseconds,
})

/** How requests are sent. */
interface SenderOptions {
  /** How long to wait for a whole response, in milliseconds. */
  readonly timeout: number
  /** The number of bytes after which a body is no longer read. */
  readonly maxBodySize: number
}

function createHeaderLookup(rawHeaders: readonly string[]): WireResponse['header'] {
  const values = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase()
    const value = String(rawHeaders[index + 1])
    const previous = values.get(name)
    values.set(name, previous === undefined ? value : `${previous}, ${value}`)
  }
  return (name) => values.get(name)
}

/** Groups header lines by name, as `node:http` takes them. */
function groupHeaderLines(lines: readonly HeaderLine[]): Readonly<Record<string, string[]>> {
  const groups: Record<string, string[]> = Object.create(null)
  for (const [name, value] of lines) groups[name] = [...(groups[name] ?? []), value]
  return groups
}

async function readResponse(
  message: IncomingMessage,
  startTime: number,
  maxBodySize: number,
  streams: StreamReadOptions | undefined,
): Promise<WireResponse> {
  const headMilliseconds = performance.now() - startTime
  const chunks: Uint8Array[] = []
  let length = 0
  let isAbandoned = false
  const abandon = (): void => {
    isAbandoned = true
    message.destroy()
  }
  const isStream = streams?.mediaTypes.has(getEssence(message.headers['content-type'] ?? '')) === true
  const timer = isStream ? setTimeout(abandon, streams.milliseconds) : undefined
  try {
    for await (const chunk of message as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > maxBodySize) break
    }
  } catch {
    // `complete` tells that the body was interrupted.
  } finally {
    clearTimeout(timer)
  }
  const { rawHeaders, statusCode = 0, complete } = message
  return {
    status: statusCode,
    rawHeaders,
    header: createHeaderLookup(rawHeaders),
    body: Buffer.concat(chunks),
    complete: complete && length <= maxBodySize,
    isAbandoned: isAbandoned && !complete,
    headMilliseconds,
    milliseconds: performance.now() - startTime,
  }
}

/** Error codes that mean that no server is at the address, or none that this process trusts: no other request gets further. */
const unreachableCodes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ENOENT|EPROTO|ERR_(?:SSL|TLS)_.+|.*(?:CERT|SIGNATURE).*|HOSTNAME_MISMATCH)$/

/** Whether an error means that no server is at the address, or none that is trusted. */
export const isUnreachableError = (error: unknown): boolean => unreachableCodes.test(String(Object(error).code))

/** Thrown when no server is at the URL. */
export class ServerUnreachableError extends Error {
  override readonly name = 'ServerUnreachableError'
}

/** How often a request is sent that a rate limit refuses. Other requests of the check may take the quota first. */
const maxAttempts = 5

/** How long a rate limit asks to wait, in milliseconds; infinite where no further attempt can help. */
function getLimitPause(response: Awaited<ReturnType<SendRequest>>): number {
  if (!isWireResponse(response) || response.status !== 429) return Number.POSITIVE_INFINITY
  const seconds = response.header('retry-after') ?? ''
  return /^\d{1,9}$/.test(seconds) ? Number(seconds) * 1_000 : Number.POSITIVE_INFINITY
}

/** Sends requests to one server, until it is closed. */
export type Sender = ReturnType<typeof createSender>

/** Creates a function that sends requests to the server at `base` over persistent connections. `close` ends the connections. */
export function createSender(
  base: URL,
  { timeout, maxBodySize }: SenderOptions,
): { readonly send: SendRequest; readonly close: () => void } {
  const isSecure = base.protocol === 'https:'
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const startRequest = isSecure ? requestHttps : requestHttp
  const prefix = base.pathname.replace(/\/+$/, '')
  const sendOnce: SendRequest = async (request, streams) => {
    const { method, target, body } = request
    const startTime = performance.now()
    const length: readonly HeaderLine[] = body === undefined ? [] : [['Content-Length', String(body.length)]]
    const options = { agent, method, path: prefix + target, headers: groupHeaderLines([...request.headers, ...length]) }
    const controller = new AbortController()
    // `AbortSignal.timeout` would go on after the response, and make an error for nothing.
    const timer = setTimeout(() => controller.abort(), toTimerDelay(timeout))
    let isConnected = false
    try {
      const message = await new Promise<IncomingMessage>((resolve, reject) => {
        const outgoing = startRequest(base, { ...options, signal: controller.signal }, resolve)
        outgoing.once('error', reject)
        outgoing.once('socket', (socket) => {
          isConnected = !socket.connecting
          if (socket.connecting)
            socket.once('connect', () => {
              isConnected = true
            })
        })
        // Without a listener, Node closes such a connection silently.
        outgoing.once('upgrade', (_message, socket) => {
          socket.destroy()
          reject(new Error('the server switched protocols (101), which the request did not ask for'))
        })
        outgoing.end(body)
      })
      return await readResponse(message, startTime, maxBodySize, streams)
    } catch (error) {
      const isTimeout = error instanceof Error && error.name === 'AbortError'
      if (isTimeout && !isConnected) return { reason: `there was no connection within ${timeout} ms`, cause: 'unreachable' }
      if (isTimeout) return { reason: `there was no response within ${timeout} ms`, cause: 'timeout' }
      const reason = getCauseMessage(error)
      if (isUnreachableError(error)) return { reason, cause: 'unreachable' }
      const isClosed = /socket hang up|ECONNRESET|EPIPE/.test(reason)
      return { reason: isClosed ? `the server closed the connection without a response (${reason})` : reason, cause: 'interrupted' }
    } finally {
      clearTimeout(timer)
    }
  }
  // A request that a rate limit refuses has had no effect.
  const send: SendRequest = async (request, streams) => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await sendOnce(request, streams)
      const pause = getLimitPause(response)
      if (attempt === maxAttempts || pause > timeout) return response
      await new Promise((resolve) => void setTimeout(resolve, pause))
    }
  }
  return { send, close: () => agent.destroy() }
}
