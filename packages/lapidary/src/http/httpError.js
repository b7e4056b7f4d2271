/** Errors that become answers: throw one in a handler and it is sent exactly as it was raised. A client throws the same ones for the answers that it gets. */
import { getReasonPhrase } from './status.js'

const formatErrorMessage = (status, reason, { detail, received }) => {
  if (received === undefined) return detail ?? `${status} ${reason}`
  const [method] = received.route.split(' ', 1)
  return `${method} ${received.url} answered ${status} ${reason}${detail === undefined ? '' : `: ${detail}`}`
}
/** An answer that is thrown. Each status has a class of its own: `error instanceof NotFound`. */
export class HttpError extends Error {
  name = 'HttpError'
  status
  reason
  /** Undefined where the body is problem details. */
  body
  /** As raised; of an error that a client received, by their lower-case names. */
  headers
  detail
  errors
  /**
   * Where a client got it from; undefined for an error of one's own. What was received is not sent on: a handler that lets such an error
   * through has failed unexpectedly, and its client gets a 500. To pass an answer on, raise an error of your own.
   */
  received
  constructor(status, options = {}) {
    const reason = options.reason ?? getReasonPhrase(status)
    super(formatErrorMessage(status, reason, options), options)
    this.status = status
    this.reason = reason
    // What a body is stands in the type of whoever declared it.
    this.body = options.body
    this.headers = options.headers ?? {}
    this.detail = options.detail
    this.errors = options.errors
    this.received = options.received
  }
}
const errorClasses = new Map()
/** The reason phrase as the name of a class: `NotFound`, `UriTooLong`. */
const getErrorClassName = (status) =>
  getReasonPhrase(status)
    .replace("'", '')
    .replace(/(\w)(\w*)\W*/g, (_, first, rest) => first.toUpperCase() + rest.toLowerCase())
/** `NotFound` for 404, `Status499` for a status that has no reason phrase. The same class each time. */
export function getErrorClass(status) {
  const known = errorClasses.get(status)
  // Under each status stands the class that was made for it.
  if (known !== undefined) return known
  const name = getErrorClassName(status)
  const made = class extends HttpError {
    static name = name
    name = name
    constructor(options) {
      super(status, options)
    }
  }
  errorClasses.set(status, made)
  return made
}
export const MultipleChoices = /* @__PURE__ */ getErrorClass(300)
export const MovedPermanently = /* @__PURE__ */ getErrorClass(301)
export const Found = /* @__PURE__ */ getErrorClass(302)
export const SeeOther = /* @__PURE__ */ getErrorClass(303)
export const NotModified = /* @__PURE__ */ getErrorClass(304)
export const TemporaryRedirect = /* @__PURE__ */ getErrorClass(307)
export const PermanentRedirect = /* @__PURE__ */ getErrorClass(308)
export const BadRequest = /* @__PURE__ */ getErrorClass(400)
export const Unauthorized = /* @__PURE__ */ getErrorClass(401)
export const PaymentRequired = /* @__PURE__ */ getErrorClass(402)
export const Forbidden = /* @__PURE__ */ getErrorClass(403)
export const NotFound = /* @__PURE__ */ getErrorClass(404)
export const MethodNotAllowed = /* @__PURE__ */ getErrorClass(405)
export const NotAcceptable = /* @__PURE__ */ getErrorClass(406)
export const ProxyAuthenticationRequired = /* @__PURE__ */ getErrorClass(407)
export const RequestTimeout = /* @__PURE__ */ getErrorClass(408)
export const Conflict = /* @__PURE__ */ getErrorClass(409)
export const Gone = /* @__PURE__ */ getErrorClass(410)
export const LengthRequired = /* @__PURE__ */ getErrorClass(411)
export const PreconditionFailed = /* @__PURE__ */ getErrorClass(412)
export const ContentTooLarge = /* @__PURE__ */ getErrorClass(413)
export const UriTooLong = /* @__PURE__ */ getErrorClass(414)
export const UnsupportedMediaType = /* @__PURE__ */ getErrorClass(415)
export const RangeNotSatisfiable = /* @__PURE__ */ getErrorClass(416)
export const ExpectationFailed = /* @__PURE__ */ getErrorClass(417)
export const ImATeapot = /* @__PURE__ */ getErrorClass(418)
export const MisdirectedRequest = /* @__PURE__ */ getErrorClass(421)
export const UnprocessableContent = /* @__PURE__ */ getErrorClass(422)
export const Locked = /* @__PURE__ */ getErrorClass(423)
export const FailedDependency = /* @__PURE__ */ getErrorClass(424)
export const TooEarly = /* @__PURE__ */ getErrorClass(425)
export const UpgradeRequired = /* @__PURE__ */ getErrorClass(426)
export const PreconditionRequired = /* @__PURE__ */ getErrorClass(428)
export const TooManyRequests = /* @__PURE__ */ getErrorClass(429)
export const RequestHeaderFieldsTooLarge = /* @__PURE__ */ getErrorClass(431)
export const UnavailableForLegalReasons = /* @__PURE__ */ getErrorClass(451)
export const InternalServerError = /* @__PURE__ */ getErrorClass(500)
export const NotImplemented = /* @__PURE__ */ getErrorClass(501)
export const BadGateway = /* @__PURE__ */ getErrorClass(502)
export const ServiceUnavailable = /* @__PURE__ */ getErrorClass(503)
export const GatewayTimeout = /* @__PURE__ */ getErrorClass(504)
export const HttpVersionNotSupported = /* @__PURE__ */ getErrorClass(505)
export const InsufficientStorage = /* @__PURE__ */ getErrorClass(507)
export const NetworkAuthenticationRequired = /* @__PURE__ */ getErrorClass(511)
const createErrorFactory = (status) => (options) => new (getErrorClass(status))(options)
export const multipleChoices = /* @__PURE__ */ createErrorFactory(300)
export const movedPermanently = /* @__PURE__ */ createErrorFactory(301)
export const found = /* @__PURE__ */ createErrorFactory(302)
export const seeOther = /* @__PURE__ */ createErrorFactory(303)
export const notModified = /* @__PURE__ */ createErrorFactory(304)
export const temporaryRedirect = /* @__PURE__ */ createErrorFactory(307)
export const permanentRedirect = /* @__PURE__ */ createErrorFactory(308)
export const badRequest = /* @__PURE__ */ createErrorFactory(400)
export const unauthorized = /* @__PURE__ */ createErrorFactory(401)
export const paymentRequired = /* @__PURE__ */ createErrorFactory(402)
export const forbidden = /* @__PURE__ */ createErrorFactory(403)
export const notFound = /* @__PURE__ */ createErrorFactory(404)
export const methodNotAllowed = /* @__PURE__ */ createErrorFactory(405)
export const notAcceptable = /* @__PURE__ */ createErrorFactory(406)
export const proxyAuthenticationRequired = /* @__PURE__ */ createErrorFactory(407)
export const requestTimeout = /* @__PURE__ */ createErrorFactory(408)
export const conflict = /* @__PURE__ */ createErrorFactory(409)
export const gone = /* @__PURE__ */ createErrorFactory(410)
export const lengthRequired = /* @__PURE__ */ createErrorFactory(411)
export const preconditionFailed = /* @__PURE__ */ createErrorFactory(412)
export const contentTooLarge = /* @__PURE__ */ createErrorFactory(413)
export const uriTooLong = /* @__PURE__ */ createErrorFactory(414)
export const unsupportedMediaType = /* @__PURE__ */ createErrorFactory(415)
export const rangeNotSatisfiable = /* @__PURE__ */ createErrorFactory(416)
export const expectationFailed = /* @__PURE__ */ createErrorFactory(417)
export const imATeapot = /* @__PURE__ */ createErrorFactory(418)
export const misdirectedRequest = /* @__PURE__ */ createErrorFactory(421)
export const unprocessableContent = /* @__PURE__ */ createErrorFactory(422)
export const locked = /* @__PURE__ */ createErrorFactory(423)
export const failedDependency = /* @__PURE__ */ createErrorFactory(424)
export const tooEarly = /* @__PURE__ */ createErrorFactory(425)
export const upgradeRequired = /* @__PURE__ */ createErrorFactory(426)
export const preconditionRequired = /* @__PURE__ */ createErrorFactory(428)
export const tooManyRequests = /* @__PURE__ */ createErrorFactory(429)
export const requestHeaderFieldsTooLarge = /* @__PURE__ */ createErrorFactory(431)
export const unavailableForLegalReasons = /* @__PURE__ */ createErrorFactory(451)
export const internalServerError = /* @__PURE__ */ createErrorFactory(500)
export const notImplemented = /* @__PURE__ */ createErrorFactory(501)
export const badGateway = /* @__PURE__ */ createErrorFactory(502)
export const serviceUnavailable = /* @__PURE__ */ createErrorFactory(503)
export const gatewayTimeout = /* @__PURE__ */ createErrorFactory(504)
export const httpVersionNotSupported = /* @__PURE__ */ createErrorFactory(505)
export const insufficientStorage = /* @__PURE__ */ createErrorFactory(507)
export const networkAuthenticationRequired = /* @__PURE__ */ createErrorFactory(511)
