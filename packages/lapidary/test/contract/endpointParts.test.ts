/** `endpoint` and `prefix` refuse a wrong declaration where it is written: no server and no client is needed to see it. */
import { apiKey, array, byteStream, download, endpoint, file, json, multipart, noContent, ok, prefix, type RouteLine, text } from 'lapidary'
import { describe, expect, test } from 'vitest'

/** As plain JavaScript declares it. */
const declare = (line: string, definition: object): (() => unknown) => {
  const parts = { response: noContent, ...definition }
  return () => endpoint(line as RouteLine, parts as { readonly response: typeof noContent })
}

const keyed = apiKey({ in: 'query', name: 'key' })
const unbounded = text({ maxLength: Number.NaN })

describe('a wrong declaration is refused where it is written', () => {
  test.each<[what: string, begin: () => unknown, message: string]>([
    ['a method that no server has', declare('GTE /a', {}), 'GTE /a: Node.js answers the method GTE'],
    ['a size without a body', declare('PUT /a', { maxBodySize: 1 }), 'PUT /a has the option maxBodySize, but takes no body'],
    ['a size without a unit', declare('PUT /a', { body: text, maxBodySize: '5' }), 'PUT /a: maxBodySize is 5'],
    ['files without a number', declare('PUT /a', { body: multipart({ a: array(file({ maxSize: '1 MB' })) }) }), 'PUT /a: body.a is a list'],
    ['a file in a query', declare('GET /a', { query: { a: file() } }), 'GET /a: query.a is a file'],
    ['a file in a path', declare('GET /:a', { params: { a: file() } }), 'GET /:a: params.a is a file'],
    ['a bound that is no number', declare('GET /a', { query: { a: unbounded } }), 'GET /a: query.a has a maxLength that is no number'],
    ['the same in a prefix', () => prefix('/:a', { a: unbounded }, {}), '/:a: params.a has a maxLength that is no number'],
    ['credentials as a parameter', declare('GET /a', { auth: keyed, query: { key: text } }), 'GET /a declares the query parameter "key"'],
    [
      'a header that no head has',
      declare('GET /a', { responseHeaders: { 'X-A': 'a\nb' } }),
      'GET /a: responseHeaders has the header "X-A"',
    ],
    ['the bytes of a stream', declare('PUT /a', { body: byteStream(), rawBody: true }), 'PUT /a'],
    ['a key for a stream', declare('POST /a', { body: byteStream(), idempotent: 'required' }), 'POST /a is "idempotent", but has a stream'],
    ['a download of a change', declare('POST /a', { response: ok(download()) }), 'POST /a'],
    ['one tag', declare('GET /a', { tags: 'a' }), 'GET /a has wrong "tags"'],
    ['an example of nothing', declare('GET /a', { examples: ['a'] }), 'GET /a has wrong "examples"'],
    ['a wrong deprecation', declare('GET /a', { deprecated: false }), 'GET /a has a wrong "deprecated"'],
  ])('%s', (_what, begin, message) => {
    expect(begin).toThrow(TypeError)
    expect(begin).toThrow(message)
  })
})

test('an endpoint is complete when it is declared', () => {
  const pay = endpoint('POST /payments', {
    body: json,
    response: noContent,
    idempotent: 'required',
    deprecated: { sunset: new Date('2030-01-01T00:00:00Z') },
  })
  expect(Object.keys(pay.headers)).toEqual(['Idempotency-Key'])
  expect(pay.responseHeaders).toEqual({ Sunset: 'Tue, 01 Jan 2030 00:00:00 GMT' })
  const report = endpoint('GET /report', { response: ok(download()) })
  expect(report.responses.map(({ status }) => status)).toEqual([200])
  expect(report.download?.responses.map(({ status }) => status)).toEqual([200, 206])
  expect(report.download?.errors.map(({ status }) => status)).toEqual([304, 412, 416])
  expect(Object.keys(report.download?.headers ?? {})).toContain('If-Range')
  expect(pay.download).toBe(undefined)
})
