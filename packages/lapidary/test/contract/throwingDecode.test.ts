/** What `decode` of a codec throws: bad input is 400 and the error is reported, a bad response is an UnexpectedResponseError. */
import {
  applyMergePatch,
  content,
  endpoint,
  events,
  form,
  list,
  mergePatch,
  ndjson,
  noContent,
  ok,
  reply,
  schemaCodec,
  text,
} from 'lapidary'
import { client, UnexpectedResponseError } from 'lapidary/client'
import { match } from 'lapidary/links'
import { type ErrorContext, serve } from 'lapidary/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

const bigInteger = z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String })
const Count = schemaCodec(bigInteger)
const Stone = schemaCodec(z.object({ name: z.string(), atoms: bigInteger }))
const Filter = schemaCodec(z.object({ atoms: bigInteger }))
const stoneText = (atoms: string): string => JSON.stringify({ name: 'opal', atoms })

const reports: (readonly [unknown, ErrorContext])[] = []
beforeEach(() => void reports.splice(0))

const api = {
  body: endpoint('POST /body', { body: Stone, response: noContent }),
  list: endpoint('POST /list', { body: list(Stone), response: noContent }),
  form: endpoint('POST /form', { body: content(Stone, form), response: noContent }),
  lines: endpoint('POST /lines', { body: ndjson(Stone), response: noContent }),
  path: endpoint('GET /path/:count', { params: { count: Count }, response: noContent }),
  query: endpoint('GET /query', { query: { count: Count }, response: noContent }),
  group: endpoint('GET /group', { query: Filter, response: noContent }),
  nested: endpoint('GET /nested', { query: { filter: Filter }, response: noContent }),
  header: endpoint('GET /header', { headers: { 'X-Count': Count }, response: noContent }),
  cookie: endpoint('GET /cookie', { cookies: { count: Count }, response: noContent }),
  patch: endpoint('PATCH /patch', { body: mergePatch(Stone), response: ok(Stone), errors: [reply(422)] }),
}
const { fetch } = serve(
  api,
  {
    body: () => {},
    list: () => {},
    form: () => {},
    lines: async ({ body }) => {
      for await (const _ of body);
    },
    path: () => {},
    query: () => {},
    group: () => {},
    nested: () => {},
    header: () => {},
    cookie: () => {},
    patch: ({ body }) => applyMergePatch(Stone, { name: 'opal', atoms: 1n }, body),
  },
  { onError: (error, context) => void reports.push([error, context]) },
)

const post = (body: string, type = 'application/json', method = 'POST'): RequestInit => ({
  method,
  body,
  headers: { 'Content-Type': type },
})

describe('in a request', () => {
  test.each<[string, string, RequestInit, string, object]>([
    ['a body', '/body', post(stoneText('SECRET')), 'POST /body', { in: 'body', pointer: '' }],
    ['an item of a body', '/list', post(`[${stoneText('1')},${stoneText('SECRET')}]`), 'POST /list', { in: 'body', pointer: '/1' }],
    ['a form', '/form', post('name=opal&atoms=SECRET', 'application/x-www-form-urlencoded'), 'POST /form', { in: 'body', pointer: '' }],
    [
      'a line',
      '/lines',
      post(`${stoneText('1')}\n${stoneText('SECRET')}\n`, 'application/x-ndjson'),
      'POST /lines',
      { in: 'body', pointer: '' },
    ],
    ['a capture', '/path/SECRET', {}, 'GET /path/:count', { in: 'path', name: 'count' }],
    ['a query parameter', '/query?count=SECRET', {}, 'GET /query', { in: 'query', name: 'count' }],
    ['a query', '/group?atoms=SECRET', {}, 'GET /group', { in: 'query' }],
    ['an object of a query', '/nested?filter%5Batoms%5D=SECRET', {}, 'GET /nested', { in: 'query' }],
    ['a header', '/header', { headers: { 'X-Count': 'SECRET' } }, 'GET /header', { in: 'header', name: 'X-Count' }],
    ['a cookie', '/cookie', { headers: { Cookie: 'count=SECRET' } }, 'GET /cookie', { in: 'cookie', name: 'count' }],
  ])('%s is 400, and the error is reported once', async (_what, target, init, route, error) => {
    const response = await fetch(new Request(`http://test.invalid${target}`, init))
    const text = await response.text()
    expect([response.status, JSON.parse(text)]).toEqual([
      400,
      expect.objectContaining({ status: 400, errors: [{ ...error, detail: expect.stringMatching(/^expected /) }] }),
    ])
    expect(text).not.toContain('SECRET')
    expect(reports).toEqual([[expect.any(SyntaxError), { method: init.method ?? 'GET', target, route }]])
  })

  test.each(['POST', 'OPTIONS'])(
    '%s of a path whose captures no endpoint can read is 400, and the error is reported once',
    async (method) => {
      const response = await fetch(new Request('http://test.invalid/path/SECRET', { method }))
      const text = await response.text()
      expect([response.status, JSON.parse(text)]).toEqual([
        400,
        expect.objectContaining({ errors: [expect.objectContaining({ in: 'path' })] }),
      ])
      expect(text).not.toContain('SECRET')
      expect(reports).toEqual([[expect.any(SyntaxError), { method, target: '/path/SECRET' }]])
    },
  )

  test('a capture that another endpoint of the path reads is no error', async () => {
    const { fetch } = serve(
      {
        one: endpoint('GET /:count', { params: { count: Count }, response: noContent }),
        other: endpoint('PUT /:name', { params: { name: text }, response: noContent }),
      },
      { one: () => {}, other: () => {} },
      { onError: (error, context) => void reports.push([error, context]) },
    )
    expect((await fetch(new Request('http://test.invalid/x', { method: 'POST' }))).status).toBe(405)
    expect(reports).toEqual([])
  })

  test.each([
    ['GET', { route: 'GET /path/:count' }],
    ['POST', {}],
  ])('a fallback answers %s, and the error is reported once', async (method, ofRoute) => {
    const { fetch } = serve(
      { path: api.path },
      { path: () => {} },
      {
        fallback: () => ({ status: 404, headers: [], body: 'the fallback' }),
        onError: (error, context) => void reports.push([error, context]),
      },
    )
    const response = await fetch(new Request('http://test.invalid/path/x', { method }))
    expect(await response.text()).toBe('the fallback')
    expect(reports).toEqual([[expect.any(SyntaxError), { method, target: '/path/x', ...ofRoute }]])
  })

  test('the result of a merge patch is 422, and the error is reported', async () => {
    const { status } = await fetch(new Request('http://test.invalid/patch', post('{"atoms":"x"}', 'application/merge-patch+json', 'PATCH')))
    expect(status).toBe(422)
    expect(reports).toEqual([[expect.any(SyntaxError), expect.objectContaining({ route: 'PATCH /patch' })]])
  })

  test('what the schema refuses before is reported to the client alone', async () => {
    expect((await fetch(new Request('http://test.invalid/body', post('{"name":"opal","atoms":1}')))).status).toBe(400)
    expect(reports).toEqual([])
  })

  test('a schema that waits for its answer keeps its failure: it is a reported 500', async () => {
    const failure = new Error('The registry is down.')
    const Waiting = { '~standard': { ...z.string()['~standard'], validate: () => Promise.reject(failure) } }
    const Registered = schemaCodec<string, string>(Waiting, { encode: String })
    const { fetch } = serve(
      { one: endpoint('POST /', { body: Registered, response: noContent }) },
      { one: () => {} },
      { onError: (error, context) => void reports.push([error, context]) },
    )
    expect((await fetch(new Request('http://test.invalid/', post('"opal"')))).status).toBe(500)
    expect(reports).toEqual([[failure, expect.objectContaining({ route: 'POST /' })]])
  })

  test('a schema of another library throws as well', async () => {
    const Plain = {
      '~standard': {
        version: 1,
        vendor: 'mine',
        validate: (value: unknown) => ({ value: BigInt(value as string) }),
        jsonSchema: { input: () => ({ type: 'string' }) },
      },
    } as const
    const { fetch } = serve(
      { one: endpoint('POST /', { body: schemaCodec<string, bigint>(Plain as never, { encode: String }), response: noContent }) },
      { one: () => {} },
      { onError: (error, context) => void reports.push([error, context]) },
    )
    expect((await fetch(new Request('http://test.invalid/', post('"opal"')))).status).toBe(400)
    expect(reports).toEqual([[expect.any(SyntaxError), expect.objectContaining({ route: 'POST /' })]])
  })
})

describe('in a response', () => {
  const replies = {
    one: endpoint('GET /one', { response: ok(Stone), errors: [reply(409, Stone)] }),
    many: endpoint('GET /many', { response: ok(list(Stone)) }),
    lines: endpoint('GET /lines', { response: ok(ndjson(Stone)) }),
    events: endpoint('GET /events', { response: ok(events(Stone)) }),
  }
  const callWith = (body: string, type: string, status = 200) =>
    client(replies, 'http://test.invalid', { fetch: async () => new Response(body, { status, headers: { 'Content-Type': type } }) })
  const readAll = async (items: AsyncIterable<unknown>): Promise<void> => {
    for await (const _ of items);
  }

  test.each<[string, () => Promise<unknown>, string]>([
    ['a body', () => callWith(stoneText('x'), 'application/json').one(), 'its body: '],
    ['an item of a list', () => callWith(`[${stoneText('x')}]`, 'application/json').many(), 'its body at /0: '],
    ['a line', async () => readAll(await callWith(`${stoneText('x')}\n`, 'application/x-ndjson').lines()), 'its body at /0: '],
    ['an event', async () => readAll(await callWith(`data: ${stoneText('x')}\n\n`, 'text/event-stream').events()), 'its body at /0/data: '],
  ])('%s is an UnexpectedResponseError with its cause', async (_what, read, place) => {
    const error = await read().catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(UnexpectedResponseError)
    expect(error).toMatchObject({ detail: expect.stringContaining(place), cause: expect.any(SyntaxError) })
  })

  test('an error is not the declared one', async () => {
    await expect(callWith(stoneText('x'), 'application/json', 409).one()).rejects.toMatchObject({ name: 'Conflict', status: 409 })
  })
})

test('a URL has no match', () => {
  expect(match(api.query, '/query?count=x')).toBe(undefined)
  expect(match(api.path, '/path/x')).toBe(undefined)
  expect(match(api.path, '/path/7')).toEqual({ params: { count: 7n }, query: {} })
})
