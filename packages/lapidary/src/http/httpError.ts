/** Errors that become answers: throw one in a handler and it is sent exactly as it was raised. A client throws the same ones for the answers that it gets. */

import type { Problem, ProblemError } from './problemDetails.ts'
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

// The errors by their names: a class for each status to tell one by, and a function to raise one.

/** Makes the error of one status: `throw notFound({ detail: 'There is no user 7.' })`. */
export type ErrorOf<Status extends number> = (options?: HttpErrorOptions) => HttpError<Status>

export const MultipleChoices: ErrorClass<300> = /* @__PURE__ */ getErrorClass(300)
export const MovedPermanently: ErrorClass<301> = /* @__PURE__ */ getErrorClass(301)
export const Found: ErrorClass<302> = /* @__PURE__ */ getErrorClass(302)
export const SeeOther: ErrorClass<303> = /* @__PURE__ */ getErrorClass(303)
export const NotModified: ErrorClass<304> = /* @__PURE__ */ getErrorClass(304)
export const TemporaryRedirect: ErrorClass<307> = /* @__PURE__ */ getErrorClass(307)
export const PermanentRedirect: ErrorClass<308> = /* @__PURE__ */ getErrorClass(308)
export const BadRequest: ErrorClass<400> = /* @__PURE__ */ getErrorClass(400)
export const Unauthorized: ErrorClass<401> = /* @__PURE__ */ getErrorClass(401)
export const PaymentRequired: ErrorClass<402> = /* @__PURE__ */ getErrorClass(402)
export const Forbidden: ErrorClass<403> = /* @__PURE__ */ getErrorClass(403)
export const NotFound: ErrorClass<404> = /* @__PURE__ */ getErrorClass(404)
export const MethodNotAllowed: ErrorClass<405> = /* @__PURE__ */ getErrorClass(405)
export const NotAcceptable: ErrorClass<406> = /* @__PURE__ */ getErrorClass(406)
export const ProxyAuthenticationRequired: ErrorClass<407> = /* @__PURE__ */ getErrorClass(407)
export const RequestTimeout: ErrorClass<408> = /* @__PURE__ */ getErrorClass(408)
export const Conflict: ErrorClass<409> = /* @__PURE__ */ getErrorClass(409)
export const Gone: ErrorClass<410> = /* @__PURE__ */ getErrorClass(410)
export const LengthRequired: ErrorClass<411> = /* @__PURE__ */ getErrorClass(411)
export const PreconditionFailed: ErrorClass<412> = /* @__PURE__ */ getErrorClass(412)
export const ContentTooLarge: ErrorClass<413> = /* @__PURE__ */ getErrorClass(413)
export const UriTooLong: ErrorClass<414> = /* @__PURE__ */ getErrorClass(414)
export const UnsupportedMediaType: ErrorClass<415> = /* @__PURE__ */ getErrorClass(415)
export const RangeNotSatisfiable: ErrorClass<416> = /* @__PURE__ */ getErrorClass(416)
export const ExpectationFailed: ErrorClass<417> = /* @__PURE__ */ getErrorClass(417)
export const ImATeapot: ErrorClass<418> = /* @__PURE__ */ getErrorClass(418)
export const MisdirectedRequest: ErrorClass<421> = /* @__PURE__ */ getErrorClass(421)
export const UnprocessableContent: ErrorClass<422> = /* @__PURE__ */ getErrorClass(422)
export const Locked: ErrorClass<423> = /* @__PURE__ */ getErrorClass(423)
export const FailedDependency: ErrorClass<424> = /* @__PURE__ */ getErrorClass(424)
export const TooEarly: ErrorClass<425> = /* @__PURE__ */ getErrorClass(425)
export const UpgradeRequired: ErrorClass<426> = /* @__PURE__ */ getErrorClass(426)
export const PreconditionRequired: ErrorClass<428> = /* @__PURE__ */ getErrorClass(428)
export const TooManyRequests: ErrorClass<429> = /* @__PURE__ */ getErrorClass(429)
export const RequestHeaderFieldsTooLarge: ErrorClass<431> = /* @__PURE__ */ getErrorClass(431)
export const UnavailableForLegalReasons: ErrorClass<451> = /* @__PURE__ */ getErrorClass(451)
export const InternalServerError: ErrorClass<500> = /* @__PURE__ */ getErrorClass(500)
export const NotImplemented: ErrorClass<501> = /* @__PURE__ */ getErrorClass(501)
export const BadGateway: ErrorClass<502> = /* @__PURE__ */ getErrorClass(502)
export const ServiceUnavailable: ErrorClass<503> = /* @__PURE__ */ getErrorClass(503)
export const GatewayTimeout: ErrorClass<504> = /* @__PURE__ */ getErrorClass(504)
export const HttpVersionNotSupported: ErrorClass<505> = /* @__PURE__ */ getErrorClass(505)
export const InsufficientStorage: ErrorClass<507> = /* @__PURE__ */ getErrorClass(507)
export const NetworkAuthenticationRequired: ErrorClass<511> = /* @__PURE__ */ getErrorClass(511)

const createErrorFactory =
  <Status extends number>(status: Status): ErrorOf<Status> =>
  (options) =>
    new (getErrorClass(status))(options)

export const multipleChoices: ErrorOf<300> = /* @__PURE__ */ createErrorFactory(300)
export const movedPermanently: ErrorOf<301> = /* @__PURE__ */ createErrorFactory(301)
export const found: ErrorOf<302> = /* @__PURE__ */ createErrorFactory(302)
export const seeOther: ErrorOf<303> = /* @__PURE__ */ createErrorFactory(303)
export const notModified: ErrorOf<304> = /* @__PURE__ */ createErrorFactory(304)
export const temporaryRedirect: ErrorOf<307> = /* @__PURE__ */ createErrorFactory(307)
export const permanentRedirect: ErrorOf<308> = /* @__PURE__ */ createErrorFactory(308)
export const badRequest: ErrorOf<400> = /* @__PURE__ */ createErrorFactory(400)
export const unauthorized: ErrorOf<401> = /* @__PURE__ */ createErrorFactory(401)
export const paymentRequired: ErrorOf<402> = /* @__PURE__ */ createErrorFactory(402)
export const forbidden: ErrorOf<403> = /* @__PURE__ */ createErrorFactory(403)
export const notFound: ErrorOf<404> = /* @__PURE__ */ createErrorFactory(404)
export const methodNotAllowed: ErrorOf<405> = /* @__PURE__ */ createErrorFactory(405)
export const notAcceptable: ErrorOf<406> = /* @__PURE__ */ createErrorFactory(406)
export const proxyAuthenticationRequired: ErrorOf<407> = /* @__PURE__ */ createErrorFactory(407)
export const requestTimeout: ErrorOf<408> = /* @__PURE__ */ createErrorFactory(408)
export const conflict: ErrorOf<409> = /* @__PURE__ */ createErrorFactory(409)
export const gone: ErrorOf<410> = /* @__PURE__ */ createErrorFactory(410)
export const lengthRequired: ErrorOf<411> = /* @__PURE__ */ createErrorFactory(411)
export const preconditionFailed: ErrorOf<412> = /* @__PURE__ */ createErrorFactory(412)
export const contentTooLarge: ErrorOf<413> = /* @__PURE__ */ createErrorFactory(413)
export const uriTooLong: ErrorOf<414> = /* @__PURE__ */ createErrorFactory(414)
export const unsupportedMediaType: ErrorOf<415> = /* @__PURE__ */ createErrorFactory(415)
export const rangeNotSatisfiable: ErrorOf<416> = /* @__PURE__ */ createErrorFactory(416)
export const expectationFailed: ErrorOf<417> = /* @__PURE__ */ createErrorFactory(417)
export const imATeapot: ErrorOf<418> = /* @__PURE__ */ createErrorFactory(418)
export const misdirectedRequest: ErrorOf<421> = /* @__PURE__ */ createErrorFactory(421)
export const unprocessableContent: ErrorOf<422> = /* @__PURE__ */ createErrorFactory(422)
export const locked: ErrorOf<423> = /* @__PURE__ */ createErrorFactory(423)
export const failedDependency: ErrorOf<424> = /* @__PURE__ */ createErrorFactory(424)
export const tooEarly: ErrorOf<425> = /* @__PURE__ */ createErrorFactory(425)
export const upgradeRequired: ErrorOf<426> = /* @__PURE__ */ createErrorFactory(426)
export const preconditionRequired: ErrorOf<428> = /* @__PURE__ */ createErrorFactory(428)
export const tooManyRequests: ErrorOf<429> = /* @__PURE__ */ createErrorFactory(429)
export const requestHeaderFieldsTooLarge: ErrorOf<431> = /* @__PURE__ */ createErrorFactory(431)
export const unavailableForLegalReasons: ErrorOf<451> = /* @__PURE__ */ createErrorFactory(451)
export const internalServerError: ErrorOf<500> = /* @__PURE__ */ createErrorFactory(500)
export const notImplemented: ErrorOf<501> = /* @__PURE__ */ createErrorFactory(501)
export const badGateway: ErrorOf<502> = /* @__PURE__ */ createErrorFactory(502)
export const serviceUnavailable: ErrorOf<503> = /* @__PURE__ */ createErrorFactory(503)
export const gatewayTimeout: ErrorOf<504> = /* @__PURE__ */ createErrorFactory(504)
export const httpVersionNotSupported: ErrorOf<505> = /* @__PURE__ */ createErrorFactory(505)
export const insufficientStorage: ErrorOf<507> = /* @__PURE__ */ createErrorFactory(507)
export const networkAuthenticationRequired: ErrorOf<511> = /* @__PURE__ */ createErrorFactory(511)
