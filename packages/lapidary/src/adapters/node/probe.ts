/**
 * Tries whether the adapter may go beyond Node's documentation. Two things take node:http longer than the toolkit takes for all of a small
 * response: it makes a stream of each request, and it writes head and body apart. `DirectIncomingMessage` and `endWithText` avoid both, and
 * rest on this:
 *
 * - Node hands each chunk of a body to `push` of the class it was given, null at the end, and discards an unread body by `resume`;
 * - `ServerResponse` sends the text of its `_header` with the first write or at the end, and asks `_hasBody` and `_headerSent` about the
 *   rest.
 *
 * Both have been true for a decade and may change in a later version. So they are tried once, on a connection in memory, before the first
 * server listens. A version of Node that answers anything unexpected serves by its documented API alone.
 */
import { createServer, type ServerOptions } from 'node:http'
import { Duplex } from 'node:stream'
import { createErrorListener } from '../../http/errorReport.ts'
import type { HttpHandler } from '../../http/httpHandler.ts'
import { detachedLifetime } from '../lifetime.ts'
import { DirectIncomingMessage } from './internals.ts'
import { createRequestListener, type NodeListener } from './requestListener.ts'

/** Creates a server as `createServer` of node:http does. It gets its connections by `emit`. */
type CreateServer = (
  options: ServerOptions<typeof DirectIncomingMessage>,
  listener: NodeListener,
) => { readonly emit: (event: 'connection', connection: Duplex) => boolean }

const probeHeaders = Object.freeze(['Content-Type', 'text/plain'])

/** Responds with the body of the request, or with its method at once. */
const echoRequest: HttpHandler = (request) => {
  if (request.method !== 'POST') return { status: 200, headers: probeHeaders, body: request.method }
  return request.body(100).then((bytes) => ({ status: 200, headers: probeHeaders, body: new TextDecoder().decode(bytes) }))
}

const probeRequests = [
  'GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab',
  'cdHEAD / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ne\r\n',
  '1\r\nf\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
]

const formatExpectedHead = (length: number): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\nDate: now\r\n`
const expectedKeepAlive = 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n'
const expectedResponses = [
  `${formatExpectedHead(3)}${expectedKeepAlive}GET`,
  `${formatExpectedHead(4)}${expectedKeepAlive}abcd`,
  `${formatExpectedHead(4)}${expectedKeepAlive}`,
  `${formatExpectedHead(2)}${expectedKeepAlive}ef`,
  `${formatExpectedHead(3)}Connection: close\r\n\r\nGET`,
].join('')

/** As much of a socket as a server uses. */
class MemorySocket extends Duplex {
  setTimeout(): this {
    return this
  }
}

/** How long to wait for the responses, in milliseconds. They take two. */
const nodeProbeTimeout = 1_000

/** Sends the requests to a server. Resolves to whether it responds as expected. */
export const probeNodeServer = (create: CreateServer): Promise<boolean> =>
  new Promise((resolve) => {
    let responses = ''
    const socket = new MemorySocket({
      read: () => {},
      write: (bytes: Buffer, _encoding, done) => {
        responses += bytes.toString('latin1')
        done()
      },
      // The last response closes the connection.
      final: (done) => {
        settle(responses.replace(/Date: [^\r]+/g, 'Date: now') === expectedResponses)
        done()
      },
    })
    const timer = setTimeout(() => settle(false), nodeProbeTimeout)
    const settle = (isAsExpected: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(isAsExpected)
    }
    socket.on('error', () => settle(false))
    try {
      const options = {
        readerTimeout: nodeProbeTimeout,
        unreadLimit: 0,
        keepAliveLine: 'Keep-Alive: timeout=5\r\n',
        lifetime: detachedLifetime,
      }
      const listener = createRequestListener(echoRequest, false, options, createErrorListener(undefined))
      create({ IncomingMessage: DirectIncomingMessage }, listener).emit('connection', socket)
      for (const bytes of probeRequests) socket.push(bytes)
    } catch {
      settle(false)
    }
  })

let nodeProbe: Promise<boolean> | undefined

/** Whether the running version of Node passes the probe. It is probed once in a process. */
export const hasKnownInternals = (): Promise<boolean> => {
  nodeProbe ??= probeNodeServer(createServer)
  return nodeProbe
}
