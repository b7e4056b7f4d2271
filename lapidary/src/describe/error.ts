/** Errors that become answers: throw one in a handler and it is sent exactly as it was raised. A client throws the same ones for the answers that it gets. */
import type { Problem, ProblemError } from './problem.ts'
import { getReasonPhrase } from './status.ts'

/** Where a client got an error from. */
export interface ErrorOrigin {
  /** The route of the endpoint that was called: `GET /users/:id`. */
  readonly route: string
  /** The address that answered, without its query. */
  readonly url: string
  /** The problem details of the answer, with whatever further members they have; undefined where it had none. */
  readonly problem: Problem | undefined
}

/** What may be said of an error. */
export interface HttpErrorOptions {
  /**
   * The body. Text and bytes are sent as they are (text as `text/plain`, unless `headers` has a Content-Type); any other value in the form
   * that the endpoint's `errors` declare for this status (of several, the first that it fits), else as JSON. `''` is an empty body. Left out: problem details (RFC 9457).
   */
  readonly body?: unknown
  /** The reason phrase, where the standard one does not do. */
  readonly reason?: string | undefined
  /** Headers to send; a list sends the header once for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** One sentence for the problem details. */
  readonly detail?: string | undefined
  /** What exactly is wrong with the request, for the problem details. */
  readonly errors?: readonly ProblemError[] | undefined
  /** What led to it; for the log, never sent. */
  readonly cause?: unknown
  /** Set by a client, never by a handler. */
  readonly received?: ErrorOrigin
}

const formatErrorMessage = (status: number, reason: string, { detail, received }: HttpErrorOptions): string => {
  if (received === undefined) return detail ?? `${status} ${reason}`
  const [method] = received.route.split(' ', 1)
  return `${method} ${received.url} answered ${status} ${reason}${detail === undefined ? '' : `: ${detail}`}`
}

/** An answer that is thrown. Each status has a class of its own: `error instanceof NotFound`. */
export class HttpError<Status extends number = number, Body = unknown> extends Error {
  override readonly name: string = 'HttpError'
  readonly status: Status
  readonly reason: string
  /** Undefined where the body is problem details. */
  readonly body: Body
  /** As raised; of an error that a client received, by their lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly detail: string | undefined
  readonly errors: readonly ProblemError[] | undefined
  /**
   * Where a client got it from; undefined for an error of one's own. What was received is not sent on: a handler that lets such an error
   * through has failed unexpectedly, and its client gets a 500. To pass an answer on, raise an error of your own.
   */
  readonly received: ErrorOrigin | undefined

  constructor(status: Status, options: HttpErrorOptions = {}) {
    const reason = options.reason ?? getReasonPhrase(status)
    super(formatErrorMessage(status, reason, options), options)
    this.status = status
    this.reason = reason
    // What a body is stands in the type of whoever declared it.
    this.body = options.body as Body
    this.headers = options.headers ?? {}
    this.detail = options.detail
    this.errors = options.errors
    this.received = options.received
  }
}

/** The class of the errors of one status. */
export type ErrorClass<Status extends number> = new <Body = unknown>(options?: HttpErrorOptions) => HttpError<Status, Body>

const errorClasses = new Map<number, ErrorClass<number>>()

/** The reason phrase as the name of a class: `NotFound`, `UriTooLong`. */
const getErrorClassName = (status: number): string =>
  getReasonPhrase(status)
    .replace("'", '')
    .replace(/(\w)(\w*)\W*/g, (_, first: string, rest: string) => first.toUpperCase() + rest.toLowerCase())

/** `NotFound` for 404, `Status499` for a status that has no reason phrase. The same class each time. */
export function getErrorClass<Status extends number>(status: Status): ErrorClass<Status> {
  const known = errorClasses.get(status)
  // Under each status stands the class that was made for it.
  if (known !== undefined) return known as ErrorClass<Status>
  const name = getErrorClassName(status)
  const made = class<Body> extends HttpError<Status, Body> {
    static override readonly name: string = name
    override readonly name: string = name
    constructor(options?: HttpErrorOptions) {
      super(status, options)
    }
  }
  errorClasses.set(status, made as ErrorClass<number>)
  return made as ErrorClass<Status>
}
