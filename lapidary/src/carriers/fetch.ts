/** Carries a kernel on the web's Request and Response: Bun, Deno, workers, and tests without a socket. */
import { contentTooLarge } from '../describe/errors.ts'
import { answer } from '../describe/message.ts'
import { isBodiless } from '../describe/status.ts'
import { joined } from '../describe/stream.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import type { Ending, Incoming, Kernel, Outgoing } from '../server/kernel.ts'
import { type Stopwatch, stopwatch } from './stopwatch.ts'

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
  return joined(chunks)
}

/** A Request as a kernel sees it. */
class FetchIncoming implements Incoming {
  readonly method: string
  readonly target: string
  remote: string
  id: string | undefined
  private readonly request: Request
  private readonly listeners: ((ending: Ending) => void)[]
  /** Where its state is: an object around it, which shows another target, has none of its own. */
  private readonly self: this
  private controller: AbortController | undefined
  /** Of the wait for the body, once somebody asks for it. */
  private wait: Stopwatch | undefined

  constructor(request: Request) {
    this.method = request.method
    this.target = targetOf(request)
    this.remote = ''
    this.id = undefined
    this.request = request
    this.listeners = []
    this.self = this
    this.controller = undefined
    this.wait = undefined
  }

  get rawHeaders(): readonly string[] {
    return [...this.request.headers].flat()
  }

  /** Fires when the request is aborted, or when the reader of the answer has cancelled. */
  get signal(): AbortSignal {
    return this.aborter().signal
  }

  abort(reason: unknown): void {
    this.aborter().abort(reason)
  }

  get waited(): number {
    return this.self.wait?.elapsed() ?? 0
  }

  private aborter(): AbortController {
    const { self, request } = this
    if (self.controller === undefined) {
      const controller = new AbortController()
      self.controller = controller
      const { signal } = request
      if (signal.aborted) controller.abort()
      else signal.addEventListener('abort', () => controller.abort(), { once: true })
    }
    return self.controller
  }

  header(name: string): string | undefined {
    return this.request.headers.get(name) ?? undefined
  }

  async body(limit: number): Promise<Uint8Array> {
    const wait = stopwatch()
    this.self.wait = wait
    try {
      return await bodyOf(this.request, limit)
    } finally {
      wait.stop()
    }
  }

  onEnd(listener: (ending: Ending) => void): void {
    this.listeners.push(listener)
  }

  /** The reader has gone. */
  leave(): void {
    this.controller?.abort()
  }

  end(ending: Ending): void {
    for (const listener of this.listeners.splice(0)) listener(ending)
  }
}

/** The pieces as a web stream: made when they are pulled, and no longer once the reader has cancelled. */
function streamed(pieces: AsyncIterable<string | Uint8Array>, status: number, incoming: FetchIncoming): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]()
  let bytes = 0
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      try {
        const { done, value } = await iterator.next()
        if (done === true) {
          controller.close()
          incoming.end({ status, bytes, how: 'sent' })
        } else {
          const piece = typeof value === 'string' ? utf8Encoded(value) : value
          bytes += piece.byteLength
          controller.enqueue(piece)
        }
      } catch (error) {
        incoming.end({ status, bytes, how: 'cut' })
        throw error
      }
    },
    cancel: async () => {
      // The signal first: it wakes a producer that waits for something else than its reader.
      incoming.leave()
      incoming.end({ status, bytes, how: 'left' })
      await iterator.return?.()
    },
  })
}

function responseOf({ status, reason, headers: flat, body }: Outgoing, incoming: FetchIncoming): Response {
  const { method } = incoming
  const headers = new Headers()
  for (let index = 0; index < flat.length; index += 2) headers.append(flat[index] as string, flat[index + 1] as string)
  const whole = typeof body === 'string' ? utf8Encoded(body) : body
  if (whole instanceof Uint8Array) headers.set('content-length', `${whole.byteLength}`)
  else if (whole === null && !isBodiless(status) && !headers.has('content-length')) headers.set('content-length', '0')
  const init = { status, headers, ...(reason === undefined ? {} : { statusText: reason }) }
  const isStream = whole !== null && !(whole instanceof Uint8Array)
  if (isStream && method !== 'HEAD') return new Response(streamed(whole, status, incoming), init)
  const sent = method === 'HEAD' || isStream ? null : whole
  const response = new Response(sent as Uint8Array<ArrayBuffer> | null, init) // no carrier shares its memory
  incoming.end({ status, bytes: sent?.byteLength ?? 0, how: 'sent' })
  if (isStream) void whole[Symbol.asyncIterator]().return?.()
  return response
}

/** The web-standard face of a kernel: `export default { fetch: fetchOf(kernel) }`. */
export const fetchOf =
  (kernel: Kernel): Fetch =>
  async (request) => {
    const incoming = new FetchIncoming(request)
    try {
      return responseOf(await kernel(incoming), incoming)
    } catch (error) {
      incoming.end({ status: 0, bytes: 0, how: 'cut' })
      throw error
    }
  }

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
