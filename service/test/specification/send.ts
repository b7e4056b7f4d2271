/** Sends one request unchanged, and returns the complete response. */

import { Agent, type IncomingMessage, request, STATUS_CODES } from 'node:http'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { request as requestHttps } from 'node:https'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { part, same, twinOf } from '../support/databases/twins.ts'

/** A request: its method and target, its header lines, its body. */
export interface Sent {
  /** `GET /hello?name=Ann` */
  readonly line: string
  /** A list sends a header once for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | Uint8Array
  /** The address to send it from: any of 127.0.0.0/8. */
  readonly from?: string
}

export interface ReceivedResponse {
  /** The method of its request. */
  readonly method: string
  readonly status: number
  readonly reason: string
  /** By their lower-case names; several lines of one name are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Buffer
  readonly text: string
}

/** The connections to each service. */
const agents = new Map<string, Agent>()

function agentOf(base: string): Agent {
  const agent = agents.get(base) ?? new Agent({ keepAlive: true })
  agents.set(base, agent)
  return agent
}

/** The connections of HTTP/2 to each service, by the address that they come from. */
const sessions = new Map<string, ClientHttp2Session>()

function sessionOf(base: string, from: string): ClientHttp2Session {
  const key = `${base} ${from}`
  const open = sessions.get(key)
  if (open !== undefined && !open.closed && !open.destroyed) return open
  const { hostname, port } = new URL(base)
  const transport = { localAddress: from, rejectUnauthorized: false, ALPNProtocols: ['h2'], servername: 'localhost' }
  const session = connectHttp2(base, { createConnection: () => connectTls(Number(port), hostname, transport) })
  // Each request learns of it itself.
  session.on('error', () => {})
  sessions.set(key, session)
  return session
}

/** To be called when a service has closed: the next one on its port is another, and knows nothing of connections that were kept, or of a twin. */
export function forget(base: string): void {
  agents.get(base)?.destroy()
  agents.delete(base)
  for (const [key, session] of sessions) {
    if (!key.startsWith(`${base} `)) continue
    session.destroy()
    sessions.delete(key)
  }
  part(base)
}

function toReceivedResponse(method: string, response: IncomingMessage, bytes: Buffer): ReceivedResponse {
  const headers: Record<string, string> = {}
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = String(response.rawHeaders[index]).toLowerCase()
    const value = String(response.rawHeaders[index + 1])
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`
  }
  return { method, status: response.statusCode ?? 0, reason: response.statusMessage ?? '', headers, bytes, text: bytes.toString() }
}

/**
 * Sends a request to the service at `base`. The target is sent as it stands: nothing is tidied up on the way, as `fetch` would.
 * Where the service has a twin on another database, the twin gets the request as well, and must respond with the same.
 */
export async function send(base: string, sent: string | Sent): Promise<ReceivedResponse> {
  const response = await sendOnce(base, sent)
  const twin = twinOf(base)
  if (twin !== undefined) same(sent, response, await sendOnce(twin, sent))
  return response
}

function sendOnce(base: string, sent: string | Sent): Promise<ReceivedResponse> {
  const { line, headers = {}, body = '', from }: Sent = typeof sent === 'string' ? { line: sent } : sent
  const [method, path] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
  // Node's client of HTTP/2 sends some headers once only, and nghttp2 has no targets but paths.
  const isOfHttp1 = !path.startsWith('/') || Object.values(headers).some((value) => typeof value !== 'string')
  if (base.startsWith('https:') && !isOfHttp1) return sendOverHttp2(base, { method, path, headers, body, from: from ?? '127.0.0.1' })
  // Node leaves the length out of a GET or DELETE with a body.
  const length = body.length === 0 ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...length, ...headers }).map(([name, value]): [string, string | string[]] => [
    name,
    typeof value === 'string' ? value : [...value],
  ])
  const isTls = base.startsWith('https:')
  const connection = isTls ? { agent: false as const, rejectUnauthorized: false } : { agent: agentOf(base) }
  return new Promise((resolve, reject) => {
    const sending = (isTls ? requestHttps : request)(
      base,
      { ...connection, method, path, headers: Object.fromEntries(lines), localAddress: from },
      async (response) => {
        try {
          const chunks: Buffer[] = []
          for await (const chunk of response) chunks.push(chunk as Buffer)
          resolve(toReceivedResponse(method, response, Buffer.concat(chunks)))
        } catch (error) {
          reject(error)
        }
      },
    )
    sending.once('error', reject)
    sending.end(body)
  })
}

/** As over HTTP/1.1, with the reason phrase and the Transfer-Encoding that HTTP/2 leaves out. */
function sendOverHttp2(
  base: string,
  { method, path, headers, body, from }: Omit<Required<Sent>, 'line'> & Readonly<Record<'method' | 'path', string>>,
): Promise<ReceivedResponse> {
  const { host } = new URL(base)
  // Each cookie has a line of its own, and what belongs to a connection of HTTP/1.1 is left out.
  const fields: Record<string, string | string[]> = { ':method': method, ':path': path, ':authority': host }
  if (body.length > 0) fields['content-length'] = String(Buffer.byteLength(body))
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase()
    if (name === 'host') fields[':authority'] = String(value)
    else if (name !== 'connection' && name !== 'transfer-encoding') fields[name] = typeof value === 'string' ? value : [...value]
  }
  return new Promise((resolve, reject) => {
    const stream = sessionOf(base, from).request(fields, { endStream: body.length === 0 })
    stream.once('error', reject)
    stream.once('response', async (received) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        const status = Number(received[':status'])
        const lines = Object.entries(received).filter(([name]) => !name.startsWith(':'))
        const texts = lines.map(([name, value]) => [name, [value ?? []].flat().join(', ')])
        const bytes = Buffer.concat(chunks)
        // Over HTTP/1.1 a body has a length or chunks.
        if (bytes.length > 0 && received['content-length'] === undefined) texts.push(['transfer-encoding', 'chunked'])
        resolve({ method, status, reason: STATUS_CODES[status] ?? '', headers: Object.fromEntries(texts), bytes, text: bytes.toString() })
      } catch (error) {
        reject(error)
      }
    })
    if (body.length > 0) stream.end(body)
  })
}

/** Connects to the service at `base`, over TLS where it speaks TLS: then HTTP/1.1. */
export function connectTo(base: string): Socket {
  const { hostname, port, protocol } = new URL(base)
  return protocol === 'https:' ? connectTls(Number(port), hostname, { rejectUnauthorized: false }) : connect(Number(port), hostname)
}

/** Sends these bytes over a connection of their own and gives back all that came until it was closed, as Latin-1. */
export function exchange(base: string, bytes: string | Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connectTo(base)
    const chunks: Buffer[] = []
    // Over TLS the end may be a reset, behind all that was sent.
    socket.once('error', (error) => (base.startsWith('https:') && chunks.length > 0 ? undefined : reject(error)))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('close', () => resolve(Buffer.concat(chunks).toString('latin1')))
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes)
  })
}

/** A request with a JSON body. */
export const withJson = (line: string, value: unknown, headers: Sent['headers'] = {}): Sent => ({
  line,
  headers: { 'Content-Type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

/** A request with a body of this type. */
export const withBody = (line: string, type: string, body: string | Uint8Array, headers: Sent['headers'] = {}): Sent => ({
  line,
  headers: { 'Content-Type': type, ...headers },
  body,
})

/** A request with these headers. */
export const withHeaders = (line: string, headers: NonNullable<Sent['headers']>): Sent => ({ line, headers })
