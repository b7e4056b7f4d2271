/** Carries a kernel on the web's Request and Response: Bun, Deno, workers, and tests without a socket. */
import { contentTooLarge } from '../describe/error.ts'
import { answer } from '../describe/message.ts'
import { isBodiless } from '../describe/status.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import type { Incoming, Kernel, Outgoing } from '../server/kernel.ts'

/** A web-standard server: takes a Request, resolves to its Response. */
export type Fetch = (request: Request) => Promise<Response>

/** The target in origin form; the URL of a Request is already normalized. */
function targetOf({ url }: Request): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const hash = url.indexOf('#')
  return start < 0 ? '/' : url.slice(start, hash < 0 ? undefined : hash)
}

async function bodyOf(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = (): Error => contentTooLarge({ detail: answer.bodyTooLarge(limit) })
  if (Number(request.headers.get('content-length')) > limit) throw tooLarge()
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = request.body?.getReader()
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    length += part.value.byteLength
    if (length > limit) {
      await reader?.cancel()
      throw tooLarge()
    }
    chunks.push(part.value)
  }
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const chunk of chunks) {
    bytes.set(chunk, offset)
    offset += chunk.byteLength
  }
  return bytes
}

const incomingOf = (request: Request): Incoming => ({
  method: request.method,
  target: targetOf(request),
  header: (name) => request.headers.get(name) ?? undefined,
  get rawHeaders() {
    return [...request.headers].flat()
  },
  body: (limit) => bodyOf(request, limit),
  get signal() {
    return request.signal
  },
  remote: '',
})

/** The pieces as a web stream: made when they are pulled, and no longer once the reader has cancelled. */
function streamed(pieces: AsyncIterable<string | Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await iterator.next()
      if (done === true) controller.close()
      else controller.enqueue(typeof value === 'string' ? utf8Encoded(value) : value)
    },
    cancel: async () => {
      await iterator.return?.()
    },
  })
}

function responseOf({ status, reason, headers: flat, body }: Outgoing, method: string): Response {
  const headers = new Headers()
  for (let index = 0; index < flat.length; index += 2) headers.append(flat[index] as string, flat[index + 1] as string)
  const whole = typeof body === 'string' ? utf8Encoded(body) : body
  if (whole instanceof Uint8Array) headers.set('content-length', `${whole.byteLength}`)
  else if (whole === null && !isBodiless(status) && !headers.has('content-length')) headers.set('content-length', '0')
  const init = { status, headers, ...(reason === undefined ? {} : { statusText: reason }) }
  if (whole === null || whole instanceof Uint8Array)
    return new Response(method === 'HEAD' ? null : (whole as Uint8Array<ArrayBuffer> | null), init)
  if (method !== 'HEAD') return new Response(streamed(whole), init)
  void whole[Symbol.asyncIterator]().return?.()
  return new Response(null, init)
}

/** The web-standard face of a kernel: `export default { fetch: fetchOf(kernel) }`. */
export const fetchOf =
  (kernel: Kernel): Fetch =>
  async (request) =>
    responseOf(await kernel(incomingOf(request)), request.method)

/** A foreign web-standard handler as a kernel, to be mounted: `fromFetch(hono.fetch)`. Its request bodies are read whole, up to `bodyLimit` bytes. */
export const fromFetch =
  (handler: (request: Request) => Response | Promise<Response>, { bodyLimit = 1_048_576 }: { readonly bodyLimit?: number } = {}): Kernel =>
  async (incoming) => {
    const headers = new Headers()
    for (let index = 0; index < incoming.rawHeaders.length; index += 2) {
      headers.append(incoming.rawHeaders[index] as string, incoming.rawHeaders[index + 1] as string)
    }
    const { method, signal } = incoming
    const target = incoming.target.startsWith('/') ? incoming.target : `/${incoming.target}`
    const body = method === 'GET' || method === 'HEAD' ? null : ((await incoming.body(bodyLimit)) as Uint8Array<ArrayBuffer>)
    const url = `http://${headers.get('host') ?? 'localhost'}${target}`
    const response = await handler(new Request(url, { method, headers, body, signal }))
    return { status: response.status, reason: response.statusText || undefined, headers: [...response.headers].flat(), body: response.body }
  }
