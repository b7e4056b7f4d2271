/** Serves a handler on node:net and Node's own HTTP parser, without the streams and objects that node:http creates for each request. */
import { createServer } from 'node:net'
import {
  checkConnections,
  checkListenArguments,
  formatKeepAliveLine,
  Lifetime,
  limitConnections,
  resolveListenOptions,
  startNodeServer,
} from 'lapidary/internal-node'
import { type ListenOptions, listen as listenOnNode, type RunningServer } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { LlhttpConnection, type ServerState } from './connection.ts'
import { getNodeParser, type ProbedParser } from './parserProbe.ts'

/** The options of `listen` of `lapidary/node`, but those of TLS and HTTP/2. */
export type LlhttpListenOptions = Omit<ListenOptions, 'tls' | 'maxConcurrentStreams'>

const tlsNotSupported = '@lapidary/llhttp does not speak TLS. Import listen from lapidary/node, or leave TLS to a proxy.'

/** A listening server that tells which adapter it uses. */
export interface RunningLlhttpServer extends RunningServer {
  /** `node` where this version of Node lacks the parser that `llhttp` needs. */
  readonly adapter: 'llhttp' | 'node'
}

/**
 * Serves a handler over HTTP/1.1 as `listen` of `lapidary/node` does, with less work for each request. Where Node's parser is missing or
 * behaves in an unknown way, it listens on node:http instead: `adapter` says which. Mounted Node listeners (`fromNodeListener`) need
 * node:http and throw here.
 *
 * @experimental It uses parts of Node that are not documented.
 * @returns a promise of the running server; it rejects with Node's error (`EADDRINUSE`, `EACCES`) where the server cannot listen
 * @example
 * ```ts
 * import { listen } from '@lapidary/llhttp'
 * import { endpoint, ok, text } from 'lapidary'
 * import { serve } from 'lapidary/server'
 *
 * const server = serve({ hello: endpoint('GET /hello', { response: ok(text) }) }, { hello: () => 'Hello!' })
 * const { adapter, url } = await listen(server, { port: 8081 })
 * console.log(`${adapter} listens at ${url}`)
 * ```
 */
export async function listenOnLlhttp(handler: HttpHandler, options: LlhttpListenOptions = {}): Promise<RunningLlhttpServer> {
  // Plain JavaScript has no types that say so. Otherwise the server would listen without TLS.
  const { tls } = options as ListenOptions
  if (tls !== undefined) throw new TypeError(tlsNotSupported)
  return listenWithParser(await getNodeParser(), handler, options)
}

/** Listens with a parser, or on node:http where there is none. */
export async function listenWithParser(
  parser: ProbedParser | undefined,
  handler: HttpHandler,
  options: LlhttpListenOptions,
): Promise<RunningLlhttpServer> {
  if (parser === undefined) return Object.freeze({ ...(await listenOnNode(handler, options)), adapter: 'node' })
  checkListenArguments(handler, options)
  const resolved = resolveListenOptions(options)
  const connections = new Set<LlhttpConnection>()
  const lifetime = new Lifetime()
  const state: ServerState = {
    ...resolved,
    ...{ handler, lifetime, parser, connections, keepAliveLine: formatKeepAliveLine(resolved.keepAliveTimeout) },
  }
  // As in the server of node:http, a client that has half-closed its connection may still read.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void new LlhttpConnection(socket, state))
  limitConnections(server, resolved.maxConnections)
  const checkTimeouts = (): void => {
    const now = performance.now()
    for (const connection of connections) connection.checkTimeouts(now)
  }
  // After a long turn of the event loop, the bytes that have arrived meanwhile are read first.
  checkConnections(server, () => setImmediate(checkTimeouts))
  const closable = Object.assign(server, {
    closeAllConnections: () => {
      for (const { socket } of connections) socket.destroy()
    },
    closeIdleConnections: () => {
      for (const connection of connections) if (connection.isIdle) connection.socket.destroy()
    },
    stopListening: (onEnd: () => void) => void server.close(onEnd),
    closeSilentConnections: (before: number) => {
      for (const connection of connections) if (connection.isSilentSince(before)) connection.socket.destroy()
    },
  })
  const running = await startNodeServer(closable, resolved, lifetime)
  return Object.freeze({ ...running, adapter: 'llhttp' })
}
