/** `errors`: the error responses by their reason phrases (RFC 9110 §15 and the IANA registry). */
import { HttpError, type HttpErrorOptions } from './httpError.ts'

/** The registered statuses of redirections and errors. */
const statuses = {
  multipleChoices: 300,
  movedPermanently: 301,
  found: 302,
  seeOther: 303,
  notModified: 304,
  temporaryRedirect: 307,
  permanentRedirect: 308,
  badRequest: 400,
  unauthorized: 401,
  paymentRequired: 402,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  notAcceptable: 406,
  proxyAuthenticationRequired: 407,
  requestTimeout: 408,
  conflict: 409,
  gone: 410,
  lengthRequired: 411,
  preconditionFailed: 412,
  contentTooLarge: 413,
  uriTooLong: 414,
  unsupportedMediaType: 415,
  rangeNotSatisfiable: 416,
  expectationFailed: 417,
  imATeapot: 418,
  misdirectedRequest: 421,
  unprocessableContent: 422,
  locked: 423,
  failedDependency: 424,
  tooEarly: 425,
  upgradeRequired: 426,
  preconditionRequired: 428,
  tooManyRequests: 429,
  requestHeaderFieldsTooLarge: 431,
  unavailableForLegalReasons: 451,
  internalServerError: 500,
  notImplemented: 501,
  badGateway: 502,
  serviceUnavailable: 503,
  gatewayTimeout: 504,
  httpVersionNotSupported: 505,
  insufficientStorage: 507,
  networkAuthenticationRequired: 511,
} as const

/** Makes the error of one status. */
export interface ErrorFactory<Status extends number> {
  (options?: HttpErrorOptions<undefined>): HttpError<Status, undefined>
  <const Body>(options: HttpErrorOptions<Body>): HttpError<Status, Body>
}

/** A function for each status. */
type ErrorFactories = { readonly [Name in keyof typeof statuses]: ErrorFactory<(typeof statuses)[Name]> }

/**
 * A function for each registered status from 300 to 511, which makes the error to throw.
 *
 * @example
 * ```ts
 * import { errors } from 'lapidary'
 *
 * throw errors.notFound({ detail: 'There is no user 7.' })
 * ```
 */
export const errors: ErrorFactories = Object.freeze(
  Object.fromEntries(
    Object.entries(statuses).map(([name, status]) => [name, (options?: HttpErrorOptions) => new HttpError(status, options)]),
  ),
) as unknown as ErrorFactories
