/** Carries a kernel on node:net and Node's own HTTP parser, without the streams and objects that node:http makes of each request. */
import { createServer } from 'node:net'
import { Lifetime } from '../lifetime.js'
import { connectionCheckInterval, listenOnNode, resolveListenOptions, startNodeServer } from '../node/listen.js'
import { limitConnections } from '../node/rejectMalformed.js'
import { formatKeepAliveLine } from '../node/responseHead.js'
import { LlhttpConnection } from './connection.js'
import { getNodeParser } from './parserProbe.js'
/** Listens with this parser; on node:http where there is none. */
export async function listenWithParser(parser, kernel, options) {
  if (parser === undefined) return Object.freeze({ ...(await listenOnNode(kernel, options)), adapter: 'node' })
  const all = resolveListenOptions(options)
  const connections = new Set()
  const lifetime = new Lifetime()
  const served = {
    ...all,
    ...{ handler: kernel, lifetime, parser, connections, keepAliveLine: formatKeepAliveLine(all.keepAliveTimeout) },
  }
  // Who has said all may still read: node:http's server is made the same.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void new LlhttpConnection(socket, served))
  limitConnections(server, all.maxConnections)
  const look = () => {
    const now = performance.now()
    for (const connection of connections) connection.checkTimeouts(now)
  }
  // What has come while this process was held up is read before anybody is told that it is late.
  const looking = setInterval(() => setImmediate(look), connectionCheckInterval).unref()
  server.once('close', () => clearInterval(looking))
  const closable = Object.assign(server, {
    closeAllConnections: () => {
      for (const { socket } of connections) socket.destroy()
    },
    closeIdleConnections: () => {
      for (const connection of connections) if (connection.isIdle) connection.socket.destroy()
    },
  })
  const listening = await startNodeServer(closable, all, lifetime)
  return Object.freeze({ ...listening, adapter: 'llhttp' })
}
/**
 * Serves a kernel over HTTP/1.1 as `listenOnLlhttp` of `lapidary/node` does, with less work for each request. Where Node's parser is not to be found, or does
 * not do what it is known to do, it listens on node:http instead: `adapter` says which. Rejects when it cannot listen, with node's error
 * (`EADDRINUSE`, `EACCES`).
 *
 * Node listeners (`fromListener`) need node:http: mounted here they throw.
 */
export async function listenOnLlhttp(kernel, options = {}) {
  return listenWithParser(await getNodeParser(), kernel, options)
}
