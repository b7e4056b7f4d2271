/** The one server type, and what goes in and out of it. Adapters, middleware and `serve` share these types. */
import type { Awaitable } from './promises.ts'

/** How the response to a request ended. */
export interface RequestEnd {
  /** The status that was sent; 0 if the connection closed before a status was sent. */
  readonly status: number
  /** How many bytes of the body were handed to the connection. 0 for a mounted Node listener, which writes to the connection itself. */
  readonly bytes: number
  /**
   * `completed`: sent to the last byte. `aborted`: the client left before that. `failed`: the server cut the connection, for example
   * because a stream failed.
   */
  readonly outcome: 'completed' | 'aborted' | 'failed'
}

/** One request, as the adapter received it: nothing is parsed and nothing is copied. */
export interface HttpRequest {
  readonly method: string
  /**
   * The request as the adapter made it. Defined only on a request that stands for it: that of a mount, which has another target, and those of
   * middleware that changes a header or the body.
   */
  readonly original?: HttpRequest | undefined
  /** The request target in origin form, as sent: `/hello?name=Ann`. The adapter percent-encodes everything outside ASCII. */
  readonly target: string
  /**
   * The full target, if a server around this one, such as Express, has removed prefixes from `target`. Undefined if `target` is the full
   * target.
   */
  readonly originalTarget?: string | undefined
  /**
   * Returns the value of a header. Several lines of one name are joined with `, `.
   *
   * @param name in lower case
   */
  header(name: string): string | undefined
  /** All header lines as they arrived, flat: name, value, name, value. */
  readonly rawHeaders: readonly string[]
  /** Whether another parser has already read the body and left a value. `body` then resolves to the same JSON, but in other bytes. */
  readonly isBodyParsed?: boolean | undefined
  /**
   * Reads the whole body. Call it once: a second call is an error of the program, since the bytes are gone.
   *
   * @param limit the largest size in bytes
   * @throws HttpError 413 as soon as more than `limit` bytes have arrived.
   */
  body(limit: number): Promise<Uint8Array>
  /**
   * Reads the body chunk by chunk, at the pace of the reader. Call it once, instead of `body`. Iterating throws HttpError 413 as soon as
   * more than `limit` bytes have arrived, and 400 where the body ends early. A reader that leaves early drops the rest.
   *
   * @param limit the largest size in bytes
   * @throws HttpError 413 for a `Content-Length` that is larger.
   */
  bodyStream(limit: number): AsyncIterableIterator<Uint8Array>
  /**
   * How long the server has waited for the body so far, in milliseconds; 0 if nothing has read it. The time that a handler takes between
   * two chunks does not count.
   */
  readonly bodyWait: number
  /** Fires when the client leaves before the response is complete. */
  readonly signal: AbortSignal
  /**
   * Fires when the server begins to close. A handler with an endless response listens to it, and ends the response before the server cuts
   * it. Other handlers need not: the server waits for their responses. It never fires in `server.fetch` and `toNodeListener`, which do not
   * close the server.
   */
  readonly shutdown: AbortSignal
  /**
   * Fires `signal`: nothing waits for the response any more.
   *
   * @param reason the reason of the signal
   */
  abort(reason: unknown): void
  /** The address of the client; empty if the adapter does not know it. Middleware sets it when it knows the client behind a proxy. */
  remoteAddress: string
  /**
   * The request id in logs. Middleware sets it before it calls the handler; a response with status 500 then tells the client to quote it,
   * and `onError` receives it. It is a field of the request, because a wrapper object for each request would cost more time than the rest
   * of the request.
   */
  id?: string | undefined
  /**
   * Calls a listener once, when the response has ended: the last byte is sent, the client has left, or the connection was cut. A request
   * without a listener costs nothing. In `server.fetch` a body that is not a stream ends when the Response is made.
   */
  onEnd(listener: (end: RequestEnd) => void): void
}

/** The body of a response: text (UTF-8), bytes, a stream of either, or nothing. */
export type ResponseBody = string | Uint8Array | ResponseStream | null

/** A body that is sent chunk by chunk, while it is made. */
export type ResponseStream = AsyncIterable<string | Uint8Array>

/**
 * One response, ready for every adapter.
 *
 * The adapter adds `Content-Length` for text and bytes. It sends a stream as it is made, with the `Content-Length` that the headers have,
 * if any. It leaves the body out of a response to HEAD.
 */
export interface HttpResponse {
  /** Status 0 marks a response that a mounted Node listener writes itself; see `isAlreadySent`. */
  readonly status: number
  /** The reason phrase, if it is not the standard one. */
  readonly reason?: string | undefined
  /** Flat: name, value, name, value. */
  readonly headers: readonly string[]
  readonly body: ResponseBody
  /**
   * The route line of the endpoint that answered, or the prefix of the mount, for logs and metrics. Absent if no endpoint and no mount
   * matched.
   */
  readonly route?: string | undefined
}

/** The response of a mounted Node listener, which writes to the connection itself. */
export const alreadySent: HttpResponse = Object.freeze({ status: 0, headers: Object.freeze([]), body: null })

/**
 * Whether a mounted Node listener writes the response itself. Middleware returns such a response unchanged.
 *
 * @example
 * ```ts
 * import { appendHeader, isAlreadySent, type Middleware } from 'lapidary/middleware'
 *
 * const poweredBy: Middleware = (next) => async (request) => {
 *   const response = await next(request)
 *   return isAlreadySent(response) ? response : { ...response, headers: appendHeader(response.headers, 'X-Powered-By', 'Lapidary') }
 * }
 * ```
 */
export const isAlreadySent = ({ status }: HttpResponse): boolean => status === alreadySent.status

/** A server without an adapter. It returns a plain response, rather than a promise, if nothing has to be awaited. */
export type HttpHandler = (request: HttpRequest) => Awaitable<HttpResponse>
