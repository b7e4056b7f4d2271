/**
 * Whether the adapter may go past what node documents. Two things take node:http longer than the toolkit takes for all of a small answer: it makes a
 * stream of each request, and writes head and body apart. `DirectIncomingMessage` and `nodeSend.ts` do without, and rest on this:
 *
 * - node hands what it reads to `push` of the class that it was given, null at the end, and empties what nobody has read by `resume`;
 * - `ServerResponse` sends the text of its `_header` with the first write, or at the end, and asks `_hasBody` and `_headerSent` about the rest.
 *
 * All of it has been so for a decade, and may be otherwise in a node that comes. So it is tried once, on a connection in memory, before the first
 * server listens; a node that answers anything but what is expected here serves by the documented way alone.
 */
import { createServer } from 'node:http'
import { Duplex } from 'node:stream'
import { createErrorListener } from '../../http/errorReport.js'
import { detachedLifetime } from '../lifetime.js'
import { DirectIncomingMessage } from './internals.js'
import { createRequestListener } from './requestListener.js'

const probeHeaders = Object.freeze(['Content-Type', 'text/plain'])
/** Answers what it was sent; without a body, at once. */
const echoRequest = (incoming) => {
  if (incoming.method !== 'POST') return { status: 200, headers: probeHeaders, body: incoming.method }
  return incoming.body(100).then((bytes) => ({ status: 200, headers: probeHeaders, body: new TextDecoder().decode(bytes) }))
}
const probeRequests = [
  'GET / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab',
  'cdHEAD / HTTP/1.1\r\nHost: a\r\n\r\nPOST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\ne\r\n',
  '1\r\nf\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
]
const formatExpectedHead = (length) => `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: ${length}\r\nDate: now\r\n`
const expectedKeepAlive = 'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n'
const expectedResponses = `${formatExpectedHead(3)}${expectedKeepAlive}GET${formatExpectedHead(4)}${expectedKeepAlive}abcd${formatExpectedHead(4)}${expectedKeepAlive}${formatExpectedHead(2)}${expectedKeepAlive}ef${formatExpectedHead(3)}Connection: close\r\n\r\nGET`
/** As much of a socket as a server asks for. */
class MemorySocket extends Duplex {
  setTimeout() {
    return this
  }
}
/** How long to wait for the answers, in milliseconds: they are there within two. */
const nodeProbeTimeout = 1_000
/** Asks a server that is made by `create`, and resolves to whether it answers as expected. */
export const probeNodeServer = (create) =>
  new Promise((resolve) => {
    let answers = ''
    const connection = new MemorySocket({
      read: () => {},
      write: (bytes, _encoding, done) => {
        answers += bytes.toString('latin1')
        done()
      },
      // The last answer closes the connection.
      final: (done) => {
        settle(answers.replace(/Date: [^\r]+/g, 'Date: now') === expectedResponses)
        done()
      },
    })
    const timer = setTimeout(() => settle(false), nodeProbeTimeout)
    const settle = (isExpected) => {
      clearTimeout(timer)
      connection.destroy()
      resolve(isExpected)
    }
    connection.on('error', () => settle(false))
    try {
      const sending = {
        readerTimeout: nodeProbeTimeout,
        unreadLimit: 0,
        keepAliveLine: 'Keep-Alive: timeout=5\r\n',
        lifetime: detachedLifetime,
      }
      create(
        { IncomingMessage: DirectIncomingMessage },
        createRequestListener(echoRequest, false, sending, createErrorListener(undefined)),
      ).emit('connection', connection)
      for (const bytes of probeRequests) connection.push(bytes)
    } catch {
      settle(false)
    }
  })
let nodeProbe
/** Whether this node has passed; asked once in a process. */
export const hasKnownInternals = () => {
  nodeProbe ??= probeNodeServer(createServer)
  return nodeProbe
}
