/** `fetch` over HTTP/2, by node:http2: as much of it as tests use. */
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { Readable } from 'node:stream'
import { firstCertificate } from './certificates.ts'

/** Statuses whose responses have no body. */
const bodiless = new Set([204, 205, 304])

function toHeaders(received: IncomingHttpHeaders): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(received)) {
    if (!name.startsWith(':')) for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  return headers
}

/** What a stream receives. A stream of Node ends without an error where its client has not sent all of its request. */
function toBody(stream: ClientHttp2Stream): ReadableStream<Uint8Array> {
  let isCancelled = false
  return new ReadableStream({
    start(controller) {
      let hasEnded = false
      stream.on('data', (chunk: Buffer) => {
        if (isCancelled) return
        controller.enqueue(chunk)
        if ((controller.desiredSize ?? 1) <= 0) stream.pause()
      })
      stream.once('end', () => {
        hasEnded = stream.rstCode === 0
      })
      stream.once('close', () => {
        if (isCancelled) return
        if (hasEnded && stream.rstCode === 0) controller.close()
        else controller.error(new TypeError(`The stream was reset with ${stream.rstCode}.`))
      })
    },
    pull: () => void stream.resume(),
    cancel: () => {
      isCancelled = true
      stream.close(constants.NGHTTP2_CANCEL)
    },
  })
}

/** Connects to a server of a test. */
export const connectHttp2 = (url: string): ClientHttp2Session => connect(url, { ca: firstCertificate.cert, servername: 'localhost' })

/** One connection, and the `fetch` on it. */
export interface Http2Client {
  readonly fetch: (target: string, init?: RequestInit) => Promise<Response>
  readonly close: () => void
}

/** Connects to a server, and again whenever the server has ended the connection. */
export function createHttp2Client(url: string): Http2Client {
  let session: ClientHttp2Session | undefined
  const getSession = (): ClientHttp2Session => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connectHttp2(url)
      // Each request learns of it itself.
      session.on('error', () => {})
    }
    return session
  }
  const fetchOnce = async (target: string, init: RequestInit = {}): Promise<Response> => {
    const isStream = init.body instanceof ReadableStream
    // It writes a form, and has the Content-Type of its body.
    const given = new Request(`http://test.invalid${target}`, isStream ? { headers: init.headers ?? {} } : init)
    const { pathname, search } = new URL(given.url)
    const body = isStream ? init.body : given.body === null ? undefined : new Uint8Array(await given.arrayBuffer())
    const headers: OutgoingHttpHeaders = { ':method': init.method ?? 'GET', ':path': `${pathname}${search}`, accept: '*/*' }
    for (const [name, value] of given.headers) headers[name] = value
    if (body instanceof Uint8Array) headers['content-length'] = body.length
    return new Promise((resolve, reject) => {
      const stream = getSession().request(headers, { endStream: body === undefined })
      init.signal?.addEventListener('abort', () => stream.close(constants.NGHTTP2_CANCEL))
      stream.once('error', reject)
      stream.once('close', () => reject(new TypeError('fetch failed')))
      stream.once('response', (received) => {
        const status = Number(received[':status'])
        const hasBody = !bodiless.has(status) && init.method !== 'HEAD'
        if (!hasBody) stream.resume()
        const content = hasBody ? toBody(stream) : null
        resolve(new Response(content, { status, headers: toHeaders(received) }))
      })
      if (body instanceof Uint8Array) stream.end(body)
      else if (body !== undefined) Readable.fromWeb(body as never).pipe(stream)
    })
  }
  return { fetch: fetchOnce, close: () => session?.destroy() }
}
