/** Expected responses: the status, every header that the service chose, and the whole body. */

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ReceivedResponse, type Sent, send } from './send.ts'

/** Headers by their lower-case names, without `Content-Length` and `nosniff` (which answers are checked for), those of the connection, and the name of the request. */
export interface Expected {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  /** Parsed, where it is JSON; `''` where there is none. */
  readonly body: unknown
}

type Headers = Expected['headers']

const ofEvery = new Set(['date', 'connection', 'keep-alive', 'content-length', 'x-content-type-options', 'x-request-id'])

const isJson = (type: string | undefined): boolean => type?.startsWith('application/json') === true || type === 'application/problem+json'

/** What every response of a deployment has for browsers, unless it says something else. */
const ofBrowsers: Headers = {
  'content-security-policy': "frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
}

/** The headers of a response without those that every response has for browsers. */
export const withoutBrowserHeaders = <Values extends Headers>(headers: Values): Values =>
  Object.fromEntries(Object.entries(headers).filter(([name, value]) => ofBrowsers[name] !== value)) as Values // none is changed

/** The comparable part of a response. Throws if its Content-Length is wrong, or a header for browsers is not right. */
export function comparable({ method, status, headers, bytes, text }: ReceivedResponse): Expected {
  const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = headers
  if (method !== 'HEAD' && (length === undefined ? bytes.length > 0 && encoding !== 'chunked' : Number(length) !== bytes.length)) {
    throw new Error(`The Content-Length is ${length}, the body has ${bytes.length} bytes.`)
  }
  // The headers of a handler's own error are those that the handler set.
  if (type !== undefined && (status < 400 || isJson(type)) && headers['x-content-type-options'] !== 'nosniff')
    throw new Error('The response has no X-Content-Type-Options: nosniff.')
  for (const [name, value] of Object.entries(ofBrowsers)) {
    // Pages have a policy of their own, which is compared.
    const isRight = name === 'content-security-policy' ? headers[name] !== undefined : headers[name] === value
    if (!isRight) throw new Error(`The header ${name} is ${headers[name]}.`)
  }
  return {
    status,
    headers: Object.fromEntries(Object.entries(withoutBrowserHeaders(headers)).filter(([name]) => !ofEvery.has(name))),
    body: isJson(type) && text !== '' ? JSON.parse(text) : text,
  }
}

/** What `/persons` says in all of its forms: its form depends on Accept, and as a page it loads nothing. */
export const ofPersons: Headers = {
  vary: 'Accept',
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
}

/** JSON with its length. */
export const json = (body: unknown, headers: Headers = {}, status = 200): Expected => ({
  status,
  headers: { 'content-type': 'application/json;charset=utf-8', ...headers },
  body,
})

/** The entity tag of a JSON value: half of the SHA-256 of its type and its bytes. */
export const tagOf = (body: unknown): string =>
  `"${createHash('sha256')
    .update(`application/json\n${JSON.stringify(body)}`)
    .digest('hex')
    .slice(0, 32)}"`

/** An item of a collection: JSON with its tag. */
export const item = (body: unknown): Expected => json(body, { etag: tagOf(body) })

/** JSON that is sent while it is made. */
export const streamed = (body: unknown, headers: Headers = {}): Expected => json(body, { 'transfer-encoding': 'chunked', ...headers })

/** Plain text. */
export const plain = (body: unknown, headers: Headers = {}, status = 200): Expected => ({
  status,
  headers: { 'content-type': 'text/plain;charset=utf-8', ...headers },
  body,
})

/** No body at all. */
export const nothing = (status: number, headers: Headers = {}): Expected => ({ status, headers, body: '' })

/** The reason phrases of RFC 9110 section 15 and RFC 6585. */
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  416: 'Range Not Satisfiable',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** One line of sentences, without a trace of a stack, a file system or a query. */
const sentence: unknown = expect.stringMatching(/^(?!.*(node_modules|\/tmp\/|\/home\/|SELECT|INSERT|SQLITE|\.ts:|\.js:))[A-Z][^\n]*\.$/)

/** What is wrong with a request: where, and what was expected there. */
export interface Wrong {
  readonly in: 'path' | 'query' | 'header' | 'body'
  readonly name?: string
  readonly pointer?: string
}

/** One problem, with any message. */
export const wrong = (place: Wrong): unknown => ({ ...place, detail: expect.stringMatching(/^expected ./) })

/** Problem details (RFC 9457). Without `errors` there must be none. */
export const problem = (status: number, headers: Headers = {}, ...errors: readonly Wrong[]): Expected => ({
  status,
  headers: { 'content-type': 'application/problem+json', ...headers },
  body: {
    type: 'about:blank',
    title: titles[status],
    status,
    detail: sentence,
    ...(errors.length > 0 ? { errors: errors.map(wrong) } : {}),
  },
})

/** What the specification says, what is asked, what is answered. */
export type Row = readonly [sentence: string, request: string | Sent, expected: Expected]

/** One test for each row, named by its sentence. */
export function specify(base: string, rows: readonly Row[]): void {
  test.each(rows)('%s', async (_sentence, request, expected) => {
    expect(comparable(await send(base, request))).toEqual(expected)
  })
}
