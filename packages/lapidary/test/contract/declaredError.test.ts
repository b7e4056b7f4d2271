/** Errors that handlers throw, return or raise by `fail` are sent exactly as they were made. */
import { bytes, endpoint, errors, HttpError, reply, text } from 'lapidary'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'
import { type ExpectedResponse, expectResponse, get, respondsWith } from '../support/matrix/row.ts'

const SoldOut = z.object({ item: z.string() })
const plain = 'text/plain;charset=utf-8'
const problem = 'application/problem+json'

const cases: Readonly<Record<string, readonly [raise: () => HttpError, expected: ExpectedResponse]>> = {
  'a status alone is a problem': [
    () => errors.notFound(),
    respondsWith(404, { json: { type: 'about:blank', title: 'Not Found', status: 404 }, headers: { 'Content-Type': problem } }),
  ],
  'a detail stands in the problem': [
    () => errors.notFound({ detail: 'There is no user 7.' }),
    respondsWith(404, { json: { type: 'about:blank', title: 'Not Found', status: 404, detail: 'There is no user 7.' } }),
  ],
  'errors stand in the problem': [
    () => errors.badRequest({ errors: [{ in: 'body', pointer: '/a', detail: 'expected less' }] }),
    respondsWith(400, {
      json: { type: 'about:blank', title: 'Bad Request', status: 400, errors: [{ in: 'body', pointer: '/a', detail: 'expected less' }] },
    }),
  ],
  'a reason of its own': [
    () => errors.notFound({ reason: 'Gone Fishing', body: 'later' }),
    respondsWith(404, { reason: 'Gone Fishing', text: 'later' }),
  ],
  'a reason of its own is the title of the problem': [
    () => errors.notFound({ reason: 'Gone Fishing' }),
    respondsWith(404, { reason: 'Gone Fishing', json: { type: 'about:blank', title: 'Gone Fishing', status: 404 } }),
  ],
  'a text': [
    () => errors.notFound({ body: 'Nobody — höre!' }),
    respondsWith(404, { text: 'Nobody — höre!', headers: { 'Content-Type': plain, 'Content-Length': '17' } }),
  ],
  'a text under a media type of its own': [
    () => errors.notFound({ body: '<p>Nobody', headers: { 'content-type': 'text/html' } }),
    respondsWith(404, { text: '<p>Nobody', headers: { 'Content-Type': 'text/html' } }),
  ],
  'an empty body': [
    () => errors.notFound({ body: '' }),
    respondsWith(404, { text: '', headers: { 'Content-Type': null, 'Content-Length': '0' } }),
  ],
  bytes: [
    () => errors.notFound({ body: Uint8Array.of(1, 2) }),
    respondsWith(404, { text: '\u0001\u0002', headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': '2' } }),
  ],
  'a value that no schema declares is JSON': [
    () => errors.imATeapot({ body: { short: true, stout: [1] } }),
    respondsWith(418, { text: '{"short":true,"stout":[1]}', headers: { 'Content-Type': 'application/json;charset=utf-8' } }),
  ],
  'a value that a schema declares loses what is not declared': [
    () => errors.conflict({ body: { item: 'tea', secret: 1 } }),
    respondsWith(409, { text: '{"item":"tea"}', headers: { 'Content-Type': 'application/json;charset=utf-8' } }),
  ],
  'a text goes out as it is, even where a schema is declared': [
    () => errors.conflict({ body: 'no' }),
    respondsWith(409, { text: 'no', headers: { 'Content-Type': plain } }),
  ],
  headers: [
    () => errors.serviceUnavailable({ body: 'Sorry.', headers: { 'Retry-After': '1' } }),
    respondsWith(503, { text: 'Sorry.', headers: { 'Retry-After': '1' } }),
  ],
  'a header with several values': [
    () => errors.notFound({ headers: { Link: ['<a>', '<b>'] } }),
    respondsWith(404, { headers: { Link: '<a>, <b>' } }),
  ],
  'an unregistered status': [() => new HttpError(499, { body: 'left' }), respondsWith(499, { text: 'left' })],
  'a redirection': [
    () => errors.seeOther({ body: '', headers: { Location: '/x' } }),
    respondsWith(303, { text: '', headers: { Location: '/x' } }),
  ],
  'a status that never has a body': [
    () => errors.notModified({ headers: { ETag: '"a"' } }),
    respondsWith(304, { text: '', headers: { ETag: '"a"', 'Content-Type': null } }),
  ],
  'a status that never has a body, with one all the same': [() => errors.notModified({ body: 'same' }), respondsWith(304, { text: '' })],
}

const thrown = (name: string): HttpError => {
  const [raise] = cases[name] ?? []
  if (raise === undefined) throw new Error(`no case ${name}`)
  return raise()
}

const server = serve(
  {
    now: endpoint('GET /now/:name', { response: reply(200, bytes), errors: [reply(404), reply(409, SoldOut)] }),
    later: endpoint('GET /later/:name', { response: reply(200, text), errors: [reply(409, SoldOut)] }),
    returned: endpoint('GET /returned/:name', { response: reply(200, text), errors: [reply(409, SoldOut)] }),
    returnedLater: endpoint('GET /returned-later/:name', { response: [reply(200, text), reply(202)], errors: [reply(409, SoldOut)] }),
    failed: endpoint('GET /failed/:name', { response: reply(200, text), errors: [reply(409, SoldOut)] }),
  },
  {
    now: ({ params }) => {
      throw thrown(params.name)
    },
    later: async ({ params }) => {
      await Promise.resolve()
      throw thrown(params.name)
    },
    // The types allow only declared errors; plain JavaScript returns any.
    returned: ({ params }) => thrown(params.name) as never,
    returnedLater: async ({ params }) => thrown(params.name) as never,
    failed: ({ params, fail }) => {
      const { status, body, reason, detail, headers, errors: issues } = thrown(params.name)
      return fail(status as 409, { body: body as never, reason, detail, headers, errors: issues })
    },
  },
)

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  test.each(Object.entries(cases))('%s', async (name, [, expected]) => {
    await expectResponse(adapter, get(`/now/${encodeURIComponent(name)}`), expected)
    await expectResponse(adapter, get(`/later/${encodeURIComponent(name)}`), expected)
    await expectResponse(adapter, get(`/returned/${encodeURIComponent(name)}`), expected)
    await expectResponse(adapter, get(`/returned-later/${encodeURIComponent(name)}`), expected)
    await expectResponse(adapter, get(`/failed/${encodeURIComponent(name)}`), expected)
  })
})

test('the message of an HttpError has its status, and its cause is kept for the log', () => {
  const cause = new Error('disk')
  expect(new HttpError(503, { cause }).message).toBe('503 Service Unavailable')
  expect(new HttpError(503, { cause }).cause).toBe(cause)
})

describe('the constant headers of an endpoint, and an error with its own', () => {
  const constant = { 'X-Robots-Tag': 'noindex', 'X-Unit': 'piece' }
  const problemless = serve(
    {
      one: endpoint('GET /one/:how', { response: reply(200, text), errors: [reply(409, SoldOut)], responseHeaders: constant }),
    },
    {
      one: ({ params: { how } }) => {
        if (how === 'none') throw errors.notFound()
        if (how === 'same') throw errors.notFound({ headers: { 'X-Robots-Tag': 'all' } })
        if (how === 'lower') throw errors.notFound({ headers: { 'x-robots-tag': 'all' } })
        if (how === 'upper') throw errors.notFound({ body: 'gone', headers: { 'X-ROBOTS-TAG': 'all' } })
        if (how === 'declared') throw errors.conflict({ body: { item: 'tea' }, headers: { 'x-robots-tag': 'all' } })
        if (how === 'several') throw errors.notFound({ headers: { 'x-robots-tag': ['all', 'none'] } })
        if (how === 'unexpected') throw new Error('ours')
        return 'one'
      },
    },
    { onError: () => {} },
  )

  describe.each(adapters)('$name', ({ startAdapter }) => {
    let adapter: RunningAdapter
    beforeAll(async () => {
      adapter = await startAdapter(problemless)
    })
    afterAll(() => adapter.close())

    // Each header once: of two lines with one name the values would come as a list.
    test.each([
      ['success', 200, 'noindex'],
      ['none', 404, 'noindex'],
      ['same', 404, 'all'],
      ['lower', 404, 'all'],
      ['upper', 404, 'all'],
      ['declared', 409, 'all'],
      ['several', 404, 'all, none'],
      ['unexpected', 500, 'noindex'],
    ])('%s', async (how, status, robots) => {
      const response = await adapter.fetch(`/one/${how}`)
      await response.text()
      expect([response.status, response.headers.get('x-robots-tag'), response.headers.get('x-unit')]).toEqual([status, robots, 'piece'])
    })
  })
})
