/** What goes in and out of a server, whatever carries the bytes: a few types and nothing else. */

/** How the answer to a request ended, whoever gave it. */
export interface RequestEnd {
  /** The status that was sent; 0 where the connection ended before there was any. */
  readonly status: number
  /** How many bytes of the body were handed to the connection. Those of a mounted Node listener are not counted: 0. */
  readonly bytes: number
  /** `sent`: whole. `left`: the client went before that. `cut`: the connection was cut here, as when a stream fails part-way. */
  readonly outcome: 'completed' | 'aborted' | 'failed'
}

/** One request as the adapter got it. Nothing is parsed, nothing is copied. */
export interface HttpRequest {
  readonly method: string
  /** The request target in origin form, as sent: `/hello?name=Ann`. ASCII; what is not is percent-encoded by the adapter. */
  readonly target: string
  /** The value of a header by its lower-case name; several lines of one name are joined with `, `. */
  header(name: string): string | undefined
  /** Every header line as it came, flat: name, value, name, value. */
  readonly rawHeaders: readonly string[]
  /** The whole body, read once. Rejects with `HttpError` 413 as soon as more than `limit` bytes have arrived. */
  body(limit: number): Promise<Uint8Array>
  /** How long the body was waited for, so far, in milliseconds; 0 where nobody has read it. */
  readonly bodyWait: number
  /** Fires when the client leaves before the answer is complete. */
  readonly signal: AbortSignal
  /**
   * Fires when the server begins to close, for a handler whose answer would not end by itself: it may send what it has and come to its end, before it is
   * cut. What is under way is waited for, so that most need not look. It never fires where the adapter is not the one that closes: `server.fetch`, `listener`.
   */
  readonly shutdown: AbortSignal
  /** Fires `signal` for this reason: nobody waits for the answer any more. */
  abort(reason: unknown): void
  /** The address of the peer; empty where the adapter does not know it. A kernel around a server may set it, when it knows better whom a proxy asks for. */
  remoteAddress: string
  /**
   * What logs call the request. A kernel around a server may set it, before it hands the request on (as a field, since an object around each request
   * takes longer than all the rest of it): a 500 then tells the client to quote it, and `report` hears of it.
   */
  id?: string | undefined
  /**
   * Calls `listener` once, when the answer has ended: its last byte is sent, the client has left, or the connection was cut. A request that nobody
   * watches costs nothing. On the web's Request and Response the end of a body that is no stream is when the Response is made.
   */
  onEnd(listener: (ending: RequestEnd) => void): void
}

/** What an answer carries: text (UTF-8), bytes, a stream of either, or nothing. */
export type ResponseBody = string | Uint8Array | AsyncIterable<string | Uint8Array> | null

/**
 * One answer, ready for any adapter.
 *
 * `headers` is flat: name, value, name, value. The adapter adds `Content-Length` for text and bytes, sends a stream as it is made
 * (with the `Content-Length` among the headers, if there is one), and leaves the body out of an answer to HEAD.
 *
 * One of status 0 stands for the answer that a mounted Node listener gives by itself: a kernel around it hands it on as it is.
 */
export interface HttpResponse {
  readonly status: number
  /** The reason phrase, where it is not the standard one. */
  readonly reason?: string | undefined
  readonly headers: readonly string[]
  readonly body: ResponseBody
  /** For whoever observes: the route line of the endpoint that answered, or the prefix of the mount. Absent where the request reached neither. */
  readonly route?: string | undefined
}

/** A server without its adapter. It answers at once when nothing has to be waited for. */
export type HttpHandler = (incoming: HttpRequest) => HttpResponse | Promise<HttpResponse>
