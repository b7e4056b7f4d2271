/** One request and what came of it, as they stand on the wire. */
import { Agent, type IncomingMessage, request as overHttp } from 'node:http'
import { request as overHttps, Agent as SecureAgent } from 'node:https'
import { reasonIn } from '../client/noAnswer.ts'
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { essenceOf } from '../describe/mediaType.ts'

/** A header line: its name and its value. */
export type Line = readonly [name: string, value: string]

/** A request, exactly as it is sent. */
export interface Asked {
  readonly method: string
  /** Path and query, percent-encoded. */
  readonly target: string
  readonly headers: readonly Line[]
  readonly body: Uint8Array | undefined
}

const isNamed = (line: Line, name: string): boolean => line[0].toLowerCase() === name.toLowerCase()

/** The same request with these lines under a name, in place of those that it had. */
export const withLines = (asked: Asked, name: string, ...values: readonly string[]): Asked => ({
  ...asked,
  headers: [...asked.headers.filter((line) => !isNamed(line, name)), ...values.map((value): Line => [name, value])],
})

/** The same request, on no condition. */
export const unconditional = (asked: Asked): Asked => ({ ...asked, headers: asked.headers.filter(([name]) => !/^if-/i.test(name)) })

/** What came back. */
export interface Answered {
  readonly status: number
  /** The lines as they came, flat: name, value, name, value. */
  readonly rawHeaders: readonly string[]
  /** The value under a name, which is in lower case; of several lines, the values joined by a comma. */
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
  /** Whether all of it came. */
  readonly complete: boolean
  /** Whether the rest was left there: it is a stream, which may have no end. */
  readonly isLeft: boolean
  /** Until the last byte. */
  readonly milliseconds: number
}

/** The names of the headers of an answer, in lower case, each once. */
export const namesIn = ({ rawHeaders }: Answered): readonly string[] => [
  ...new Set(rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())),
]

/** What belongs to the moment or to the connection, and not to what is there. */
export const passing: ReadonlySet<string> = new Set([
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
export interface Unanswered {
  readonly reason: string
  /** `late`: none came in time. `gone`: nobody is there to answer. */
  readonly how: 'late' | 'gone' | 'cut'
}

/** A request with its answer, or with the reason why there is none. */
export interface Exchange {
  readonly asked: Asked
  readonly answered: Answered | Unanswered
}

export const isAnswered = (answered: Answered | Unanswered): answered is Answered => 'status' in answered

/** How answers are read that may have no end. */
export interface Streams {
  /** The media types of streams, without their parameters. */
  readonly types: ReadonlySet<string>
  /** For how long to read one, in milliseconds. */
  readonly patience: number
}

/** Sends a request. It never throws: that there is no answer is an answer as well. */
export type Send = (asked: Asked, streams?: Streams) => Promise<Answered | Unanswered>

/** Those of an endpoint. */
export const streamsOf = ({ response: { content } }: AnyEndpoint, patience: number): Streams => ({
  types: new Set((content?.media ?? []).flatMap(({ types, streamReader }) => (streamReader === undefined ? [] : types.map(essenceOf)))),
  patience,
})

/** How requests are sent. */
export interface SendOptions {
  /** For how long to wait for a whole answer, in milliseconds. */
  readonly timeout: number
  /** An answer with a larger body is left there, in bytes. */
  readonly largest: number
}

function headerOf(rawHeaders: readonly string[]): Answered['header'] {
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
function linesOf(lines: readonly Line[]): Readonly<Record<string, string[]>> {
  const all: Record<string, string[]> = Object.create(null)
  for (const [name, value] of lines) all[name] = [...(all[name] ?? []), value]
  return all
}

async function received(response: IncomingMessage, begun: number, largest: number, streams: Streams | undefined): Promise<Answered> {
  const pieces: Uint8Array[] = []
  let length = 0
  let isLeft = false
  const leave = (): void => {
    isLeft = true
    response.destroy()
  }
  const isStream = streams?.types.has(essenceOf(response.headers['content-type'] ?? '')) === true
  const timer = isStream ? setTimeout(leave, streams.patience) : undefined
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
    header: headerOf(rawHeaders),
    body: Buffer.concat(pieces),
    complete: complete && length <= largest,
    isLeft: isLeft && !complete,
    milliseconds: performance.now() - begun,
  }
}

/** What is said where no server is. */
const absent = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'])

/** Sends requests to the server at `base`, over connections that are kept. `close` ends those. */
export function sender(base: URL, { timeout, largest }: SendOptions): { readonly send: Send; readonly close: () => void } {
  const isSecure = base.protocol === 'https:'
  const agent = isSecure ? new SecureAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const begin = isSecure ? overHttps : overHttp
  const prefix = base.pathname.replace(/\/+$/, '')
  const send: Send = async (asked, streams) => {
    const { method, target, body } = asked
    const begun = performance.now()
    const length: readonly Line[] = body === undefined ? [] : [['Content-Length', String(body.length)]]
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const request = begin(
          base,
          {
            agent,
            method,
            path: prefix + target,
            headers: linesOf([...asked.headers, ...length]),
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
      return await received(response, begun, largest, streams)
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'AbortError'
      if (isLate) return { reason: `there was no answer within ${timeout} ms`, how: 'late' }
      return { reason: reasonIn(error), how: absent.has(String(Object(error).code)) ? 'gone' : 'cut' }
    }
  }
  return { send, close: () => agent.destroy() }
}
