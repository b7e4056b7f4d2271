/** One request and what came of it, as they stand on the wire. */
import { Agent, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, Agent as SecureAgent } from 'node:https'
import type { AnyEndpoint } from 'lapidary'
import { getCauseMessage, getEssence } from 'lapidary/internal'

/** A header line: its name and its value. */
export type HeaderLine = readonly [name: string, value: string]

/** A request, exactly as it is sent. */
export interface WireRequest {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly target: string
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array | undefined
}

const isHeaderLineNamed = (line: HeaderLine, name: string): boolean => line[0].toLowerCase() === name.toLowerCase()

/** The same request with these lines under a name, in place of those that it had. */
export const withHeaderLines = (asked: WireRequest, name: string, ...values: readonly string[]): WireRequest => ({
  ...asked,
  headers: [...asked.headers.filter((line) => !isHeaderLineNamed(line, name)), ...values.map((value): HeaderLine => [name, value])],
})

/** The same request, on no condition. */
export const withoutConditions = (asked: WireRequest): WireRequest => ({
  ...asked,
  headers: asked.headers.filter(([name]) => !/^if-/i.test(name)),
})

/** What came back. */
export interface WireResponse {
  readonly status: number
  /** The lines as they came, flat: name, value, name, value. */
  readonly rawHeaders: readonly string[]
  /** The value under a name, which is in lower case; of several lines, the values joined by a comma. */
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
  /** Whether all of it came. */
  readonly complete: boolean
  /** Whether the rest was left there: it is a stream, which may have no end. */
  readonly isAbandoned: boolean
  /** Until the last byte. */
  readonly milliseconds: number
}

/** The names of the headers of an answer, in lower case, each once. */
export const listHeaderNames = ({ rawHeaders }: WireResponse): readonly string[] => [
  ...new Set(rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())),
]

/** What belongs to the moment or to the connection, and not to what is there. */
export const volatileHeaders: ReadonlySet<string> = new Set([
  'date',
  'age',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'x-request-id',
  'set-cookie',
  'traceparent',
])

/** There was no answer, and why. */
export interface NoResponse {
  readonly reason: string
  /** `late`: none came in time. `gone`: nobody is there to answer. */
  readonly cause: 'late' | 'gone' | 'cut'
}

/** A request with its answer, or with the reason why there is none. */
export interface Exchange {
  readonly request: WireRequest
  readonly response: WireResponse | NoResponse
}

export const isWireResponse = (answered: WireResponse | NoResponse): answered is WireResponse => 'status' in answered

/** How answers are read that may have no end. */
export interface StreamReadOptions {
  /** The media types of streams, without their parameters. */
  readonly mediaTypes: ReadonlySet<string>
  /** For how long to read one, in milliseconds. */
  readonly milliseconds: number
}

/** Sends a request. It never throws: that there is no answer is an answer as well. */
export type SendRequest = (asked: WireRequest, streams?: StreamReadOptions) => Promise<WireResponse | NoResponse>

/** Those of an endpoint. */
export const getStreamReadOptions = ({ response: { content } }: AnyEndpoint, patience: number): StreamReadOptions => ({
  mediaTypes: new Set(
    (content?.media ?? []).flatMap(({ types, streamReader }) => (streamReader === undefined ? [] : types.map(getEssence))),
  ),
  milliseconds: patience,
})

/** How requests are sent. */
export interface SenderOptions {
  /** For how long to wait for a whole answer, in milliseconds. */
  readonly timeout: number
  /** An answer with a larger body is left there, in bytes. */
  readonly maxBodySize: number
}

function createHeaderLookup(rawHeaders: readonly string[]): WireResponse['header'] {
  const found = new Map<string, string>()
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = String(rawHeaders[index]).toLowerCase()
    const value = String(rawHeaders[index + 1])
    const before = found.get(name)
    found.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return (name) => found.get(name)
}

/** Header lines as node sends them: those of one name together, in their order. */
function groupHeaderLines(lines: readonly HeaderLine[]): Readonly<Record<string, string[]>> {
  const all: Record<string, string[]> = Object.create(null)
  for (const [name, value] of lines) all[name] = [...(all[name] ?? []), value]
  return all
}

async function readResponse(
  response: IncomingMessage,
  begun: number,
  largest: number,
  streams: StreamReadOptions | undefined,
): Promise<WireResponse> {
  const pieces: Uint8Array[] = []
  let length = 0
  let isLeft = false
  const leave = (): void => {
    isLeft = true
    response.destroy()
  }
  const isStream = streams?.mediaTypes.has(getEssence(response.headers['content-type'] ?? '')) === true
  const timer = isStream ? setTimeout(leave, streams.milliseconds) : undefined
  try {
    for await (const piece of response as AsyncIterable<Uint8Array>) {
      pieces.push(piece)
      length += piece.length
      if (length > largest) break
    }
  } catch {
    // How far it came is seen by `complete`.
  } finally {
    clearTimeout(timer)
  }
  const { rawHeaders, statusCode = 0, complete } = response
  return {
    status: statusCode,
    rawHeaders,
    header: createHeaderLookup(rawHeaders),
    body: Buffer.concat(pieces),
    complete: complete && length <= largest,
    isAbandoned: isLeft && !complete,
    milliseconds: performance.now() - begun,
  }
}

/** What is said where no server is. */
const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'])

/** Sends requests to the server at `base`, over connections that are kept. `close` ends those. */
export function createSender(
  base: URL,
  { timeout, maxBodySize: largest }: SenderOptions,
): { readonly send: SendRequest; readonly close: () => void } {
  const isSecure = base.protocol === 'https:'
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const begin = isSecure ? overHttps : overHttp
  const prefix = base.pathname.replace(/\/+$/, '')
  const send: SendRequest = async (asked, streams) => {
    const { method, target, body } = asked
    const begun = performance.now()
    const length: readonly HeaderLine[] = body === undefined ? [] : [['Content-Length', String(body.length)]]
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = begin(
          base,
          {
            agent,
            method,
            path: prefix + target,
            headers: groupHeaderLines([...asked.headers, ...length]),
            signal: AbortSignal.timeout(timeout),
          },
          resolve,
        )
        request.once('error', reject)
        // Node would end such a connection without a word.
        request.once('upgrade', (_response, socket) => {
          socket.destroy()
          reject(new Error('the server went over to another protocol (101), which was not asked for'))
        })
        request.end(body)
      })
      return await readResponse(response, begun, largest, streams)
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'AbortError'
      if (isLate) return { reason: `there was no answer within ${timeout} ms`, cause: 'late' }
      return { reason: getCauseMessage(error), cause: unreachableCodes.has(String(Object(error).code)) ? 'gone' : 'cut' }
    }
  }
  return { send, close: () => agent.destroy() }
}
