/** What node:http leaves to its user: requests that are none, and those that no request may be made of. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { answer } from '../describe/message.ts'
import { problem } from '../describe/problem.ts'
import { reasonOf } from '../describe/status.ts'
import { isNamed } from './headerLines.ts'
import { detailOf, type Unsound, unsound } from './unsound.ts'

/** More lines than this are refused; node itself would drop the ones past its limit in silence. */
const mostHeaders = 1_000

const statuses: Readonly<Record<string, number>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  HPE_HEADER_OVERFLOW: 431,
}

/** The status for what the parser says of bytes that are no request, and for what takes too long. */
export const statusOf = (code: string | undefined): number => statuses[code ?? ''] ?? 400

/** A whole answer as text, for a connection that has no request to answer. One to HEAD has no body, only its length. */
function written(status: number, toHead: boolean): string {
  const body = JSON.stringify(problem(status, { detail: detailOf(status) ?? answer.notHttp() }))
  const head = [
    `HTTP/1.1 ${status} ${reasonOf(status)}`,
    'Content-Type: application/problem+json',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `Date: ${new Date().toUTCString()}`,
    ...(status === 503 ? ['Retry-After: 1'] : []),
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${toHead ? '' : body}`
}

/** How long a client that sends on behind a refusal is still read, in milliseconds: long enough to get to the answer. */
const patience = 1_000
/** How much of it is read, in bytes. */
const mostDropped = 1_048_576

/**
 * Sends the last answer of a connection that can't be understood any further. What still comes is dropped: unread it would reset the connection,
 * and the reset might overtake the answer.
 */
export function endRefused(socket: Socket, status: number, toHead = false): void {
  const cut = setTimeout(() => socket.destroy(), patience)
  let length = 0
  // It may have gone already.
  socket.on('error', () => {})
  socket.once('close', () => clearTimeout(cut))
  // Node's parser would read on, and fail again.
  socket.removeAllListeners('data')
  socket.on('data', (bytes: Buffer) => {
    length += bytes.length
    if (length > mostDropped) socket.destroy()
  })
  socket.resume()
  socket.end(written(status, toHead))
}

/** Whether what cannot be read would have been a HEAD: then nobody expects a body behind the refusal. */
export const beginsHead = (bytes: Buffer | undefined): boolean => bytes?.toString('latin1', 0, 5) === 'HEAD '

const latest = Symbol('latest request')

/** Node keeps the answer that a connection is giving under this name; its own handler of such errors looks there, too. */
type Answering = Socket & { readonly _httpMessage?: ServerResponse | null; [latest]?: IncomingMessage }

/** What node tells of what it cannot read, with the bytes that came last. */
type Unreadable = NodeJS.ErrnoException & { readonly rawPacket?: Buffer }

/** Remembers which request a connection made last: what cannot be read may be the rest of it, though it is answered already. */
export function remember(request: IncomingMessage): void {
  const socket: Answering = request.socket
  socket[latest] = request
}

/**
 * Answers what llhttp refused, or what took too long. An answer that is under way is never written into: it is the last of its connection. So is
 * one that was given before the rest of its request came: no request is answered twice.
 */
export function refuseUnreadable(error: Unreadable, socket: Socket): void {
  const { _httpMessage: underWay, [latest]: request } = socket as Answering
  if (error.code === 'ECONNRESET' || !socket.writable) socket.destroy(error)
  else if (underWay?.req.complete === true) underWay.once('finish', () => socket.destroySoon())
  else if (underWay?.headersSent === true) socket.destroy(error)
  else if (!underWay && request?.complete === false) socket.destroySoon()
  else endRefused(socket, statusOf(error.code), underWay ? underWay.req.method === 'HEAD' : beginsHead(error.rawPacket))
}

/** What a head says of itself. */
export interface Head {
  /** `1.1` */
  readonly httpVersion: string
  readonly rawHeaders: readonly string[]
}

/** What the head of a request says of its body: there is one, or none; or the status to refuse it with, which the parser let through. */
export function framingOf({ rawHeaders, httpVersion }: Head): 'body' | 'none' | Unsound {
  // llhttp takes 0.9 and 2.0 for two more.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return 505
  if (rawHeaders.length > 2 * mostHeaders) return 431
  let hosts = 0
  let framing: 'body' | 'none' = 'none'
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    const value = rawHeaders[index + 1] as string
    if (isNamed(name, 'host')) hosts += 1
    else if (isNamed(name, 'content-length')) {
      if (Number(value) > 0) framing = 'body'
    } else if (isNamed(name, 'transfer-encoding')) {
      // What is coded before it is cut into chunks nobody here decodes, and no coding at all is no end of a body (RFC 9112 §6.1).
      if (value.toLowerCase() !== 'chunked') return 501
      framing = 'body'
    }
  }
  // Two hosts are two answers to the question of who was asked, and none is none (RFC 9112 §3.2). There was no such line before 1.1.
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1') ? 400 : framing
}

/** Refuses such a request, and ends its connection. */
export function refuseUnsound(status: Unsound, response: ServerResponse): void {
  const { headers, body } = unsound(status)
  response.writeHead(status, [...headers, 'Content-Length', `${Buffer.byteLength(body)}`])
  response.end(body)
}
