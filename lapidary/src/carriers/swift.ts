/** Carries a kernel on node:net and Node's own HTTP parser, without the streams and objects that node:http makes of each request. */
import { createServer } from 'node:net'
import type { Kernel } from '../server/kernel.ts'
import { Lifetime } from './lifetime.ts'
import type { Listening } from './listening.ts'
import { listen as listenOnNode } from './node.ts'
import { keepAliveLine } from './nodeHead.ts'
import { limitConnections } from './nodeLimit.ts'
import { checkingInterval, type ListenOptions, listeningOn, settled } from './nodeListening.ts'
import { SwiftConnection } from './swiftConnection.ts'
import type { Served } from './swiftServed.ts'
import { soundParser, type TriedParser } from './swiftTrial.ts'

/** A server that listens, and what it listens by. */
export interface SwiftListening extends Listening {
  /** `swift`, or `node` where this Node has not the parser that `swift` needs. */
  readonly carrier: 'swift' | 'node'
}

/** Listens with this parser; on node:http where there is none. */
export async function listenWith(parser: TriedParser | undefined, kernel: Kernel, options: ListenOptions): Promise<SwiftListening> {
  if (parser === undefined) return Object.freeze({ ...(await listenOnNode(kernel, options)), carrier: 'node' })
  const all = settled(options)
  const connections = new Set<SwiftConnection>()
  const lifetime = new Lifetime()
  const served: Served = {
    ...all,
    ...{ kernel, lifetime, parser, connections, keepAlive: keepAliveLine(all.keepAliveTimeout) },
  }
  // Who has said all may still read: node:http's server is made the same.
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void new SwiftConnection(socket, served))
  limitConnections(server, all.maxConnections)
  const look = (): void => {
    const now = performance.now()
    for (const connection of connections) connection.look(now)
  }
  // What has come while this process was held up is read before anybody is told that it is late.
  const looking = setInterval(() => setImmediate(look), checkingInterval).unref()
  server.once('close', () => clearInterval(looking))
  const closable = Object.assign(server, {
    closeAllConnections: () => {
      for (const { socket } of connections) socket.destroy()
    },
    closeIdleConnections: () => {
      for (const connection of connections) if (connection.idle) connection.socket.destroy()
    },
  })
  const listening = await listeningOn(closable, all, lifetime)
  return Object.freeze({ ...listening, carrier: 'swift' })
}

/**
 * Serves a kernel over HTTP/1.1 as `listen` of `lapidary/node` does, with less work for each request. Where Node's parser is not to be found, or does
 * not do what it is known to do, it listens on node:http instead: `carrier` says which. Rejects when it cannot listen, with node's error
 * (`EADDRINUSE`, `EACCES`).
 *
 * Node listeners (`fromListener`) need node:http: mounted here they throw.
 */
export async function listen(kernel: Kernel, options: ListenOptions = {}): Promise<SwiftListening> {
  return listenWith(await soundParser(), kernel, options)
}
