/** A client with a keep-alive connection or a new one for each request, which reads responses to their end or disconnects. */
import { Agent, type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

/** A request. Default: GET, without headers and body. */
export interface CallerRequest {
  readonly method?: string
  readonly target: string
  readonly headers?: Readonly<Record<string, string>>
  /** A list is sent in chunks. */
  readonly body?: string | Uint8Array | readonly string[]
}

export interface CallerResponse {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export interface Caller {
  /** Rejects where no whole answer comes. */
  readonly send: (callerRequest: CallerRequest) => Promise<CallerResponse>
  /** Reads no more than the first piece, resets the connection, and resolves with the status. */
  readonly leave: (target: string) => Promise<number>
  readonly close: () => void
}

/** No response takes this long in milliseconds, even on a busy machine. */
const responseTimeout = 15_000

function sent(sending: ClientRequest, body: CallerRequest['body']): void {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) return void sending.end(body)
  for (const piece of body) sending.write(piece)
  sending.end()
}

const whole = async (response: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece as Buffer) // no encoding is set
  return Buffer.concat(pieces)
}

/** A client of the service at `base`; `took` receives the milliseconds of each complete response. */
export function caller(base: string, keepAlive: boolean, took: (milliseconds: number) => void): Caller {
  const agent = new Agent({ keepAlive, maxSockets: 1 })

  function begun({ method = 'GET', target, headers = {}, body }: CallerRequest): Promise<IncomingMessage> {
    const length = typeof body === 'string' || body instanceof Uint8Array ? { 'Content-Length': Buffer.byteLength(body) } : {}
    return new Promise((resolve, reject) => {
      const sending = request(`${base}${target}`, { agent, method, headers: { ...length, ...headers } }, resolve)
      sending.setTimeout(responseTimeout, () => sending.destroy(new Error('no answer')))
      sending.once('error', reject)
      sent(sending, body)
    })
  }

  return {
    send: async (callerRequest) => {
      const at = performance.now()
      const response = await begun(callerRequest)
      const bytes = await whole(response)
      took(performance.now() - at)
      return { status: response.statusCode ?? 0, headers: response.headers, bytes }
    },
    leave: async (target) => {
      const response = await begun({ target })
      // The fate of an unwanted response does not matter.
      response.on('error', () => {})
      // A short answer may be over, and its connection put aside, by then.
      const { socket } = response
      await new Promise((resolve) => response.once('data', resolve))
      const closed = new Promise((resolve) => socket.once('close', resolve))
      socket.resetAndDestroy()
      await closed
      return response.statusCode ?? 0
    },
    close: () => agent.destroy(),
  }
}
