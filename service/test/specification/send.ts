/** Sends one request unchanged, and returns the complete response. */

import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
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

/** To be called when a service has closed: the next one on its port is another, and knows nothing of connections that were kept, or of a twin. */
export function forget(base: string): void {
  agents.get(base)?.destroy()
  agents.delete(base)
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
  // Node leaves the length out of a GET or DELETE with a body.
  const length = body.length === 0 ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }
  const lines = Object.entries({ ...length, ...headers }).map(([name, value]): [string, string | string[]] => [
    name,
    typeof value === 'string' ? value : [...value],
  ])
  return new Promise((resolve, reject) => {
    const sending = request(
      base,
      { agent: agentOf(base), method, path, headers: Object.fromEntries(lines), localAddress: from },
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

/** Sends these bytes over a connection of their own and gives back all that came until it was closed, as Latin-1. */
export function exchange(base: string, bytes: string | Uint8Array): Promise<string> {
  const { hostname, port } = new URL(base)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    socket.once('error', reject)
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
