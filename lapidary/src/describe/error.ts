/** Errors that become answers: throw one in a handler and it is sent exactly as it was raised. */
import type { ProblemError } from './problem.ts'
import { reasonOf } from './status.ts'

/** What may be said of an error. */
export interface HttpErrorOptions {
  /**
   * The body. Text and bytes are sent as they are (text as `text/plain`, unless `headers` has a Content-Type); any other value in the form
   * that the endpoint's `errors` declare for this status, else as JSON. `''` is an empty body. Left out: problem details (RFC 9457).
   */
  readonly body?: unknown
  /** The reason phrase, where the standard one does not do. */
  readonly reason?: string
  /** Headers to send; a list sends the header once for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** One sentence for the problem details. */
  readonly detail?: string
  /** What exactly is wrong with the request, for the problem details. */
  readonly errors?: readonly ProblemError[]
  /** What led to it; for the log, never sent. */
  readonly cause?: unknown
}

/** An answer that is thrown. */
export class HttpError extends Error {
  override readonly name: string = 'HttpError'
  readonly status: number
  readonly reason: string
  readonly body: unknown
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly detail: string | undefined
  readonly errors: readonly ProblemError[] | undefined

  constructor(status: number, options: HttpErrorOptions = {}) {
    const reason = options.reason ?? reasonOf(status)
    super(options.detail ?? `${status} ${reason}`, options.cause === undefined ? undefined : { cause: options.cause })
    this.status = status
    this.reason = reason
    this.body = options.body
    this.headers = options.headers ?? {}
    this.detail = options.detail
    this.errors = options.errors
  }
}

/** Makes the error of one status: `throw notFound({ detail: 'There is no user 7.' })`. */
export type ErrorOf = (options?: HttpErrorOptions) => HttpError

const errorOf =
  (status: number): ErrorOf =>
  (options) =>
    new HttpError(status, options)

export const multipleChoices: ErrorOf = errorOf(300)
export const movedPermanently: ErrorOf = errorOf(301)
export const found: ErrorOf = errorOf(302)
export const seeOther: ErrorOf = errorOf(303)
export const notModified: ErrorOf = errorOf(304)
export const temporaryRedirect: ErrorOf = errorOf(307)
export const permanentRedirect: ErrorOf = errorOf(308)
export const badRequest: ErrorOf = errorOf(400)
export const unauthorized: ErrorOf = errorOf(401)
export const paymentRequired: ErrorOf = errorOf(402)
export const forbidden: ErrorOf = errorOf(403)
export const notFound: ErrorOf = errorOf(404)
export const methodNotAllowed: ErrorOf = errorOf(405)
export const notAcceptable: ErrorOf = errorOf(406)
export const proxyAuthenticationRequired: ErrorOf = errorOf(407)
export const requestTimeout: ErrorOf = errorOf(408)
export const conflict: ErrorOf = errorOf(409)
export const gone: ErrorOf = errorOf(410)
export const lengthRequired: ErrorOf = errorOf(411)
export const preconditionFailed: ErrorOf = errorOf(412)
export const contentTooLarge: ErrorOf = errorOf(413)
export const uriTooLong: ErrorOf = errorOf(414)
export const unsupportedMediaType: ErrorOf = errorOf(415)
export const rangeNotSatisfiable: ErrorOf = errorOf(416)
export const expectationFailed: ErrorOf = errorOf(417)
export const imATeapot: ErrorOf = errorOf(418)
export const misdirectedRequest: ErrorOf = errorOf(421)
export const unprocessableContent: ErrorOf = errorOf(422)
export const locked: ErrorOf = errorOf(423)
export const failedDependency: ErrorOf = errorOf(424)
export const tooEarly: ErrorOf = errorOf(425)
export const upgradeRequired: ErrorOf = errorOf(426)
export const preconditionRequired: ErrorOf = errorOf(428)
export const tooManyRequests: ErrorOf = errorOf(429)
export const requestHeaderFieldsTooLarge: ErrorOf = errorOf(431)
export const unavailableForLegalReasons: ErrorOf = errorOf(451)
export const internalServerError: ErrorOf = errorOf(500)
export const notImplemented: ErrorOf = errorOf(501)
export const badGateway: ErrorOf = errorOf(502)
export const serviceUnavailable: ErrorOf = errorOf(503)
export const gatewayTimeout: ErrorOf = errorOf(504)
export const httpVersionNotSupported: ErrorOf = errorOf(505)
export const insufficientStorage: ErrorOf = errorOf(507)
export const networkAuthenticationRequired: ErrorOf = errorOf(511)
