/** Every error has the status and the reason that its name says. */
import { STATUS_CODES } from 'node:http'
import * as lapidary from 'lapidary'
import { HttpError } from 'lapidary'
import { expect, test } from 'vitest'
import * as errors from '../src/http/httpError.ts'
import { getReasonPhrase, isNullBodyStatus, reasonPhrases } from '../src/http/status.ts'

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

test('every constructor is in the table, and in the public door', () => {
  const classNames = Object.keys(statuses).map((name) => name[0]?.toUpperCase() + name.slice(1))
  const names = Object.keys(errors)
  expect(names.sort()).toEqual([...Object.keys(statuses), ...classNames].sort())
  for (const name of names) expect(lapidary).toHaveProperty(name)
})

test.each(Object.entries(statuses))('%s is %i', (maker, status) => {
  const error = (Reflect.get(errors, maker) as errors.ErrorOf<number>)({ body: 'a', headers: { 'X-A': 'b' } })
  expect(error).toBeInstanceOf(HttpError)
  const name = `${maker[0]?.toUpperCase()}${maker.slice(1)}`
  expect(error).toBeInstanceOf(Reflect.get(errors, name))
  expect(error).toMatchObject({ name, status, reason: getReasonPhrase(status), body: 'a', headers: { 'X-A': 'b' } })
  expect((Reflect.get(errors, maker) as errors.ErrorOf<number>)()).toMatchObject({ status, body: undefined, headers: {} })
  expect(reasonPhrases[status]).toBeDefined()
})

/** Node has older phrases for these; ours are those of RFC 9110. */
const renamed = new Set([413, 422])
test.each(Object.entries(reasonPhrases).filter(([status]) => !renamed.has(Number(status))))('%s is "%s" to node, too', (status, reason) => {
  expect(STATUS_CODES[status]?.toLowerCase()).toBe(reason.toLowerCase())
})

test('a status without a phrase', () => {
  expect(getReasonPhrase(299)).toBe('Status 299')
  expect([204, 205, 304].every(isNullBodyStatus) && ![200, 206, 404].some(isNullBodyStatus)).toBe(true)
})
