/** A server of one stream, and the bytes that it sends. */
import { connect, type Socket } from 'node:net'
import { endpoint, list, ndjson, ok } from 'lapidary'
import type { ListenOptions, RunningServer } from 'lapidary/node'
import { type ApiServer, type ErrorContext, type HttpRequest, serve } from 'lapidary/server'
import { z } from 'zod'
import { listenOnNodeWith } from '../../src/adapters/node/listen.ts'
import { listen, onNode } from './matrix/adapters.ts'

export const Item = z.object({ n: z.int(), padding: z.string().optional() })
export type Item = z.infer<typeof Item>

export const api = {
  feed: endpoint('GET /feed', { response: ok(ndjson(Item)) }),
  list: endpoint('GET /list', { response: ok(list(Item)) }),
}

/** A server whose streams each test replaces, and what it has reported. */
export interface Streaming {
  readonly server: ApiServer
  readonly producer: { produce: (request: HttpRequest) => AsyncIterable<Item> }
  readonly reports: { readonly error: unknown; readonly incident: ErrorContext }[]
}

export function streaming(): Streaming {
  const reports: Streaming['reports'] = []
  const producer: Streaming['producer'] = { produce: async function* () {} }
  const produce = (_input: unknown, request: HttpRequest): AsyncIterable<Item> => producer.produce(request)
  const server = serve(api, { feed: produce, list: produce }, { onError: (error, incident) => void reports.push({ error, incident }) })
  return { server, producer, reports }
}

/** Every way to listen that this runtime has. */
export const listens: readonly { readonly name: string; readonly listenOn: typeof listen }[] = [
  { name: 'over a socket', listenOn: listen },
  ...(onNode
    ? [
        {
          name: 'over a socket, by its documented API',
          listenOn: (handler: Parameters<typeof listen>[0], options: ListenOptions = {}) => listenOnNodeWith(handler, options, false),
        },
      ]
    : []),
]

export const line = (item: Item): string => `${JSON.stringify(item)}\n`
export const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** Asks, and resolves as soon as it is so, with everything that has come by then. */
export async function until(isSo: () => boolean, what: string, limit = 10_000): Promise<void> {
  for (const end = Date.now() + limit; !isSo(); await after(5)) if (Date.now() > end) throw new Error(`Not within ${limit} ms: ${what}`)
}

/** A connection, and what has come on it so far. */
export interface OpenConnection {
  readonly socket: Socket
  /** Latin-1. */
  text: string
  isClosed: boolean
}

/** Sends these bytes on a connection of its own. */
export function openConnection({ port }: Pick<RunningServer, 'port'>, ...requests: readonly string[]): OpenConnection {
  const connection: OpenConnection = { socket: connect(port, '127.0.0.1'), text: '', isClosed: false }
  connection.socket.setEncoding('latin1')
  connection.socket.on('data', (text) => {
    connection.text += text
  })
  connection.socket.on('error', () => {})
  connection.socket.on('close', () => {
    connection.isClosed = true
  })
  connection.socket.write(requests.join(''))
  return connection
}

/** Everything that comes until the connection ends, as it may: a stream that is cut on Bun ends in a reset. */
export async function exchangeText(listening: Pick<RunningServer, 'port'>, ...requests: readonly string[]): Promise<string> {
  const connection = openConnection(listening, ...requests)
  await until(() => connection.isClosed, 'the end of the connection')
  return connection.text
}

export const get = (path: string, ...headers: readonly string[]): string =>
  `${[`GET ${path} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`

/** A whole answer in chunks, taken apart (RFC 9112 §7.1). */
export interface Chunked {
  readonly head: string
  /** Without the last one, which has no bytes. */
  readonly chunks: readonly string[]
  /** Whether the last one is there. */
  readonly isWhole: boolean
  /** What follows it. */
  readonly rest: string
}

export function chunked(response: string): Chunked {
  const start = response.indexOf('\r\n\r\n') + 4
  const chunks: string[] = []
  let rest = response.slice(start)
  while (rest !== '') {
    const end = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.slice(0, end), 16)
    if (size === 0) return { head: response.slice(0, start), chunks, isWhole: true, rest: rest.slice(end + 4) }
    chunks.push(rest.slice(end + 2, end + 2 + size))
    rest = rest.slice(end + 4 + size)
  }
  return { head: response.slice(0, start), chunks, isWhole: false, rest }
}
