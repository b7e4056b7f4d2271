/** `errors`: the error responses by their reason phrases (RFC 9110 §15 and the IANA registry). */
import { HttpError, type HttpErrorOptions, markToolkitError } from './httpError.ts'

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

// biome-ignore lint/complexity/noBannedTypes: an interface without members cannot stand for texts by name
type NoHeaders = {}

/** Makes the error of one status. */
export interface ErrorFactory<Status extends number> {
  (options?: HttpErrorOptions<undefined, never>): HttpError<Status, undefined, NoHeaders>
  // Not inferred from what a handler has to return: the error has what its options have.
  <const Body = undefined, const Headers extends object = NoHeaders>(
    options: HttpErrorOptions<Body, Headers>,
  ): HttpError<Status, NoInfer<Body>, NoInfer<Headers>>
}

/** A function for each status. */
type ErrorFactories = { readonly [Name in keyof typeof statuses]: ErrorFactory<(typeof statuses)[Name]> }

const createFactories = (create: (status: number, options?: HttpErrorOptions) => HttpError): ErrorFactories =>
  Object.freeze(
    Object.fromEntries(Object.entries(statuses).map(([name, status]) => [name, (options?: HttpErrorOptions) => create(status, options)])),
  ) as unknown as ErrorFactories

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
export const errors: ErrorFactories = /* @__PURE__ */ createFactories((status, options) => new HttpError(status, options))

/**
 * The same functions, for the errors that the toolkit itself makes. They are problem details, even if an endpoint declares another form for
 * their status: the handler has not promised them.
 */
export const toolkitErrors: ErrorFactories = /* @__PURE__ */ createFactories((status, options) => {
  const error = new HttpError(status, options)
  markToolkitError(error)
  return error
})
