/** `HttpError`: an error that is a response. A handler throws one, and the server sends it; a client throws one for each error response. */
import { getReasonPhrase } from './status.ts'

/** One error of a request. */
export interface ProblemError {
  readonly in: 'path' | 'query' | 'header' | 'cookie' | 'body'
  /** The name of the capture, query parameter, header or cookie. */
  readonly name?: string
  /**
   * The place in the body (JSON Pointer). A pointer of more than 512 characters ends with the last step that fits; the error is below it.
   */
  readonly pointer?: string
  readonly detail: string
}

/** Problem details. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail?: string
  /** At most 20 errors, and 15 KB of JSON. */
  readonly errors?: readonly ProblemError[]
  /**
   * The number of errors that `errors` does not list; undefined where it lists all. The validation stops at 1,000 errors, so there can be
   * more.
   */
  readonly more?: number
  /** Identifies the request in the log of the server. */
  readonly requestId?: string
  /** The names of the rate limits whose quota is used up, of a 429. */
  readonly 'violated-policies'?: readonly string[]
}

/** The problem details of a status. */
export const createProblem = (status: number, members: Partial<Problem> = {}): Problem => ({
  type: 'about:blank',
  title: getReasonPhrase(status),
  status,
  ...members,
})

/** The response from which a client made an error. */
interface ErrorOrigin {
  /** The route of the endpoint that was called: `GET /users/:id`. */
  readonly route: string
  /** The URL that answered, without its query. */
  readonly url: string
  /** The problem details of the response, with all members that they have; undefined where the response has none. */
  readonly problem: Problem | undefined
}

/** The headers of an error as texts; a list sends the header once for each text. */
export interface ErrorHeaders {
  readonly [name: string]: string | readonly string[]
}

/** The parts of an error response besides its status. */
export interface HttpErrorOptions<Body = unknown, Headers = ErrorHeaders> {
  /**
   * The body. Text and bytes are sent unchanged (text as `text/plain`, unless `headers` has a Content-Type). Any other value is written as
   * the endpoint's `errors` declare it for this status, else as JSON. If there are several declarations, the first one that matches the
   * value counts. `''` is an empty body. Default: problem details (RFC 9457).
   */
  readonly body?: Body
  /** The reason phrase. Default: the standard one of the status. */
  readonly reason?: string | undefined
  /**
   * Headers to send. A header that the endpoint's `errors` declare for this status has a value of its codec, or the text of one. Any other
   * header is text; a list sends it once for each text.
   */
  readonly headers?: Headers
  /** One sentence for the problem details. */
  readonly detail?: string | undefined
  /** What exactly is wrong with the request, for the problem details. */
  readonly errors?: readonly ProblemError[] | undefined
  /** The error that caused this one. The server never sends it. */
  readonly cause?: unknown
  /** Set by a client, never by a handler. */
  readonly received?: ErrorOrigin
}

/** The options of an error. They can be left out if it needs no body and no headers. */
type ErrorArguments<Body, Headers> = undefined extends Body
  ? Readonly<Record<never, never>> extends Headers
    ? readonly [options?: NoInfer<HttpErrorOptions<Body, Headers>>]
    : readonly [options: NoInfer<HttpErrorOptions<Body, Headers> & { readonly headers: Headers }>]
  : readonly [options: NoInfer<HttpErrorOptions<Body, Headers> & { readonly body: Body }>]

function formatErrorMessage(status: number, reason: string, { detail, received }: HttpErrorOptions<unknown, unknown>): string {
  if (received === undefined) return detail ?? `${status} ${reason}`
  const [method] = received.route.split(' ', 1)
  return `${method} ${received.url} answered ${status} ${reason}${detail === undefined ? '' : `: ${detail}`}`
}

const errorNames: Record<number, string> = {}

/** The reason phrase as the name of an error: `NotFound`, `UriTooLong`; `Status499` for a status without a phrase. */
function getErrorName(status: number): string {
  errorNames[status] ??= getReasonPhrase(status)
    .replace("'", '')
    .replace(/(\w)(\w*)\W*/g, (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase())
  return errorNames[status]
}

/** Marks the errors of every copy of this package. It is a symbol, because no JSON can contain one. */
const httpErrorBrand = Symbol.for('lapidary.HttpError')

/**
 * An error that is a response. `errors.notFound()` and its siblings make one for each registered status; the constructor makes one for any
 * other.
 *
 * @example
 * ```ts
 * import { HttpError } from 'lapidary'
 *
 * throw new HttpError(499, { detail: 'The client has left.' })
 * ```
 */
export class HttpError<Status extends number = number, Body = unknown, Headers = ErrorHeaders> extends Error {
  static {
    Object.assign(HttpError.prototype, { [httpErrorBrand]: true })
  }

  /** The reason phrase in Pascal case: `NotFound`. */
  override readonly name: string
  // `declare`: the constructor sets each member once, and no field initializer makes bundles larger.
  declare readonly status: Status
  /** The reason phrase. */
  declare readonly reason: string
  /** Undefined where the body is problem details. */
  declare readonly body: Body
  /**
   * The headers that the handler gave. An error that a client received has the texts of all headers, by their names in lower case. One that
   * its endpoint declares also has the values of the declared headers, by their declared names.
   */
  // Not inferred from `withHeaders`, which has headers, too.
  declare readonly headers: NoInfer<Headers>
  declare readonly detail: string | undefined
  declare readonly errors: readonly ProblemError[] | undefined
  /**
   * The response that a client received; undefined for an error that this program made. A server never forwards a received error: if a
   * handler does not catch such an error, it has failed unexpectedly, and the client gets a 500. To forward a response, throw a new error.
   */
  declare readonly received: ErrorOrigin | undefined

  /**
   * @param status From 300 to 599.
   */
  constructor(status: Status, ...given: ErrorArguments<Body, Headers>) {
    const options: HttpErrorOptions<unknown, unknown> = given[0] ?? {}
    const reason = options.reason ?? getReasonPhrase(status)
    super(formatErrorMessage(status, reason, options), options)
    this.name = getErrorName(status)
    this.status = status
    this.reason = reason
    // The declaration of the error has the type of its body.
    this.body = options.body as Body
    this.headers = (options.headers ?? {}) as NoInfer<Headers>
    this.detail = options.detail
    this.errors = options.errors
    this.received = options.received
  }
}

/**
 * Whether a value is an `HttpError`, of any copy of this package.
 *
 * @param status The status that the error must have. Default: any.
 * @example
 * ```ts
 * import { isHttpError } from 'lapidary'
 *
 * const isMissing = (error: unknown): boolean => isHttpError(error, 404)
 * ```
 */
export const isHttpError = <Status extends number = number>(error: unknown, status?: Status): error is HttpError<Status> =>
  error instanceof Error && httpErrorBrand in error && (status === undefined || (error as unknown as HttpError).status === status)

const toolkitErrorSet = /* @__PURE__ */ new WeakSet<HttpError>()

/** Records that the toolkit has made an error, and not the application. */
export const markToolkitError = (error: HttpError): void => void toolkitErrorSet.add(error)

/** Whether an error is a response of this server. One that a client has received from another server is not. */
export const isOwnHttpError = (error: unknown): error is HttpError => isHttpError(error) && error.received === undefined

/** Whether the toolkit has made an error. The handler has not promised its form. */
export const isToolkitError = (error: HttpError): boolean => toolkitErrorSet.has(error)
