/** Every error has the status and the reason phrase of its name. */
import { STATUS_CODES } from 'node:http'
import { type ErrorFactory, errors, HttpError, isHttpError } from 'lapidary'
import { expect, test } from 'vitest'
import { getReasonPhrase, isNullBodyStatus, reasonPhrases } from '../../src/http/status.ts'

/** Written out and not read from the source, so that a wrong status there is found (RFC 9110 §15 and the IANA registry). */
const statuses: Readonly<Record<string, number>> = {
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
}

test('every factory is in the table', () => {
  expect(Object.keys(errors)).toEqual(Object.keys(statuses))
})

test.each(Object.entries(statuses))('%s is %i', (maker, status) => {
  const create = Reflect.get(errors, maker) as ErrorFactory<number>
  const error = create({ body: 'a', headers: { 'X-A': 'b' } })
  expect(error).toBeInstanceOf(HttpError)
  expect([isHttpError(error), isHttpError(error, status), isHttpError(error, 599)]).toEqual([true, true, false])
  const name = `${maker[0]?.toUpperCase()}${maker.slice(1)}`
  expect(error).toMatchObject({ name, status, reason: getReasonPhrase(status), body: 'a', headers: { 'X-A': 'b' } })
  expect(create()).toMatchObject({ status, body: undefined, headers: {} })
  expect(reasonPhrases[status]).toBeDefined()
})

test('an error of another copy of the package is an HttpError, and nothing else is', async () => {
  const path = '../../src/http/httpError.ts?copy'
  const other = (await import(path)) as typeof import('../../src/http/httpError.ts')
  expect(other.HttpError).not.toBe(HttpError)
  expect(isHttpError(new other.HttpError(404), 404)).toBe(true)
  for (const value of [undefined, null, 404, {}, new Error('404'), { ...new HttpError(404) }]) expect(isHttpError(value)).toBe(false)
})

/** Node has older phrases for these; ours are those of RFC 9110. */
const renamed = new Set([413, 422])
test.each(Object.entries(reasonPhrases).filter(([status]) => !renamed.has(Number(status))))(
  'Node has the same phrase for %s: "%s"',
  (status, reason) => {
    expect(STATUS_CODES[status]?.toLowerCase()).toBe(reason.toLowerCase())
  },
)

test('a status without a phrase has its number as its phrase', () => {
  expect(getReasonPhrase(299)).toBe('Status 299')
  expect([204, 205, 304].every(isNullBodyStatus) && ![200, 206, 404].some(isNullBodyStatus)).toBe(true)
})
