/** How to be refused by the toolkit: for each status, requests that are right but for the one thing. */
import type { Section } from 'lapidary/docs'
import { type ExchangeRequest, withHeader, withoutHeaders, withQuery } from './exchange.ts'
import { keyInUse, keyOfAnother } from './plannedKeys.ts'

/** The most bytes that the servers of these tests take. */
export const maxBodySize = 2_000

const nothing = 'application/x-nothing'

export const refused: Readonly<Record<number, (right: ExchangeRequest, section: Section) => readonly ExchangeRequest[]>> = {
  304: (right) => [withHeader(right, 'If-None-Match', '*')],
  400: (right) => [withQuery(right, '%'), ...(right.body === null ? [] : [{ ...right, body: Uint8Array.of(0xff) }].filter(isText))],
  401: (right, { auth }) => [
    withoutHeaders(
      right,
      (auth?.alternatives ?? []).flat().flatMap(({ headers }) => Object.keys(headers)),
    ),
  ],
  406: (right) => [withHeader(right, 'Accept', nothing)],
  412: (right) => [withHeader(right, 'If-Match', '"other"')],
  409: (right, section) => (hasKey(section) ? [withHeader(right, 'Idempotency-Key', keyInUse)] : []),
  413: (right) => [{ ...right, body: 'x'.repeat(maxBodySize + 1) }],
  415: (right) => [withHeader(right, 'Content-Type', nothing), withHeader(right, 'Content-Encoding', 'gzip')],
  422: (right, section) => (hasKey(section) ? [withHeader(right, 'Idempotency-Key', keyOfAnother)] : []),
  428: (right) => [withoutHeaders(right, ['If-Match'])],
}

const hasKey = ({ headers }: Section): boolean => headers.some(({ name }) => name === 'Idempotency-Key')

/** Octets may be any. */
function isText({ headers }: ExchangeRequest): boolean {
  return !/^(application\/octet-stream|image\/.+)$/.test(headers['Content-Type'] ?? '')
}
