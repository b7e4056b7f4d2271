/** Declared errors keep their promises: an error that has not the headers or the body that the endpoint declares is a reported 500. */
import {
  type AnyReply,
  array,
  bearer,
  bool,
  bytes,
  content,
  dateTime,
  endpoint,
  errors,
  HttpError,
  int,
  json,
  noContent,
  ok,
  optional,
  reply,
  text,
} from 'lapidary'
import { authenticate, guard, type Handlers, provide, serve } from 'lapidary/server'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'

const SoldOut = z.object({ left: z.int() })
const wait = { headers: { 'Retry-After': int } }
const forms: Readonly<Record<string, readonly AnyReply[]>> = {
  header: [reply(429, undefined, wait)],
  exact: [reply(429, undefined, { headers: { 'Retry-After': int({ min: 1 }), 'X-Exact': optional(bool), 'X-Names': array(text) } })],
  dated: [reply(429, undefined, { headers: { 'X-Until': dateTime } })],
  body: [reply(429, SoldOut)],
  both: [reply(429, SoldOut, wait)],
  text: [reply(429, text)],
  bytes: [reply(429, bytes)],
  json: [reply(429, content(z.string(), json))],
  problem: [reply(429)],
  several: [reply(429, SoldOut, wait), reply(429, undefined, { headers: { 'X-Why': text } })],
  none: [],
}

const problem = { type: 'about:blank', title: 'Too Many Requests', status: 429 }
const at = new Date('2026-11-26T00:00:00Z')

type Options = Readonly<Record<string, unknown>>
/** What is thrown, then the headers and the body that are sent; or a part of the report. */
const cases: readonly (readonly [string, keyof typeof forms, Options, Readonly<Record<string, string>> | string, unknown?])[] = [
  ['a header as a value', 'header', { headers: { 'Retry-After': 60 } }, { 'retry-after': '60' }, problem],
  ['a header as a text', 'header', { headers: { 'Retry-After': '60' } }, { 'retry-after': '60' }, problem],
  ['a header by its name in another case', 'header', { headers: { 'retry-after': 60 } }, { 'retry-after': '60' }, problem],
  [
    'a further header',
    'header',
    { headers: { 'Retry-After': 60, 'X-More': ['a', 'b'] } },
    { 'retry-after': '60', 'x-more': 'a, b' },
    problem,
  ],
  [
    'optional headers',
    'exact',
    { headers: { 'Retry-After': 1, 'X-Names': ['a', 'b'] } },
    { 'retry-after': '1', 'x-names': 'a,b' },
    problem,
  ],
  ['all headers', 'exact', { headers: { 'Retry-After': 1, 'X-Exact': true } }, { 'x-exact': 'true' }, problem],
  ['a date as a value', 'dated', { headers: { 'X-Until': at } }, { 'x-until': '2026-11-26T00:00:00.000Z' }, problem],
  ['a date as a text', 'dated', { headers: { 'X-Until': '2026-11-26T00:00:00Z' } }, { 'x-until': '2026-11-26T00:00:00Z' }, problem],
  ['a missing header', 'header', {}, 'the header Retry-After is missing'],
  ['a missing header besides another', 'header', { headers: { 'X-Other': 'a' } }, 'the header Retry-After is missing'],
  ['a header of the wrong type', 'header', { headers: { 'Retry-After': 'soon' } }, 'Retry-After'],
  ['a header outside its bounds', 'exact', { headers: { 'Retry-After': 0 } }, 'Retry-After'],
  ['a header as an object', 'header', { headers: { 'Retry-After': {} } }, 'Retry-After'],
  ['two texts of one value', 'header', { headers: { 'Retry-After': ['1', '2'] } }, 'Retry-After'],
  ['a declared body', 'body', { body: { left: 1, secret: 1 } }, { 'content-type': 'application/json;charset=utf-8' }, { left: 1 }],
  ['a body and a header', 'both', { body: { left: 1 }, headers: { 'Retry-After': 1 } }, { 'retry-after': '1' }, { left: 1 }],
  ['a missing body', 'body', { detail: 'No.' }, 'it has no body'],
  ['a missing body beside the header', 'both', { headers: { 'Retry-After': 1 } }, 'it has no body'],
  ['a missing header beside the body', 'both', { body: { left: 1 } }, 'the header Retry-After is missing'],
  ['a body of the wrong type', 'body', { body: { left: 'many' } }, 'left'],
  [
    'a text, which the handler has encoded itself',
    'body',
    { body: 'Sold out.' },
    { 'content-type': 'text/plain;charset=utf-8' },
    'Sold out.',
  ],
  ['an empty body, which is one as well', 'body', { body: '' }, {}, ''],
  ['a text without its header', 'both', { body: 'Sold out.' }, 'the header Retry-After is missing'],
  ['a text', 'text', { body: 'Sold out.' }, { 'content-type': 'text/plain;charset=utf-8' }, 'Sold out.'],
  ['an empty text', 'text', { body: '' }, { 'content-type': 'text/plain;charset=utf-8' }, ''],
  ['an object in place of a text', 'text', { body: { left: 1 } }, 'GET /text'],
  ['bytes', 'bytes', { body: new Uint8Array([97]) }, { 'content-type': 'application/octet-stream' }, 'a'],
  ['a text as JSON', 'json', { body: 'Sold out.' }, { 'content-type': 'application/json;charset=utf-8' }, 'Sold out.'],
  ['a problem', 'problem', { detail: 'No.' }, { 'content-type': 'application/problem+json' }, { ...problem, detail: 'No.' }],
  ['a body in place of a problem', 'problem', { body: { left: 1 } }, 'declares problem details'],
  ['the first of several', 'several', { body: { left: 1 }, headers: { 'Retry-After': 1 } }, { 'retry-after': '1' }, { left: 1 }],
  ['the second of several', 'several', { headers: { 'X-Why': 'a' } }, { 'x-why': 'a' }, problem],
  ['none of several', 'several', { body: { left: 1 } }, 'the header Retry-After is missing'],
  ['any body where nothing is declared', 'none', { body: 'a' }, { 'content-type': 'text/plain;charset=utf-8' }, 'a'],
  ['a number as an undeclared header', 'none', { headers: { 'Retry-After': 1 } }, 'its header Retry-After is no text'],
]

const users = bearer<string>('users')
const api = {
  ...Object.fromEntries(
    Object.entries(forms).map(([name, declared]) => [name, endpoint(`GET /${name}`, { response: noContent, errors: declared })]),
  ),
}
type Server = ReturnType<typeof serve>
let options: Options = {}
const create = (): HttpError => new HttpError(429, options as object)

/** Where the error comes from. */
const sources: Readonly<Record<string, () => Server>> = {
  thrown: () =>
    serveAll(() => {
      throw create()
    }),
  'thrown later': () =>
    serveAll(async () => {
      throw await Promise.resolve(create())
    }),
  returned: () => serveAll(create),
  'returned later': () => serveAll(async () => create()),
  'raised by fail': () => serveAll(({ fail }) => fail(429, options)),
  'thrown by a factory': () =>
    serveAll(() => {
      throw errors.tooManyRequests(options)
    }),
  'mapped by the server': () =>
    serveAll(
      () => {
        throw new RangeError('full')
      },
      { mapError: (error: unknown) => (error instanceof RangeError ? create() : undefined) },
    ),
  'returned by a guard': () =>
    serve(
      api,
      guard(
        api,
        () => create() as unknown as undefined,
        allHandlers(() => {}),
      ) as never,
      { onError },
    ),
  'thrown by a provider': () =>
    serve(
      api,
      provide(
        api,
        async () => {
          throw create()
        },
        allHandlers(() => {}) as never,
      ) as never,
      { onError },
    ),
  'thrown by an authenticator': () => {
    const guarded = Object.fromEntries(
      Object.entries(forms).map(([name, declared]) => [
        name,
        endpoint(`GET /${name}`, { auth: users, response: noContent, errors: declared }),
      ]),
    )
    const verify = (): never => {
      throw create()
    }
    return serve(guarded, allHandlers(() => {}) as never, { onError, auth: [authenticate(users, verify)] })
  },
}

const reports: unknown[] = []
const onError = (error: unknown): void => void reports.push(error)
// biome-ignore lint/suspicious/noExplicitAny: the endpoints are made of a table
const allHandlers = (handler: (input: any) => unknown) => Object.fromEntries(Object.keys(forms).map((name) => [name, handler])) as never
// biome-ignore lint/suspicious/noExplicitAny: as above
const serveAll = (handler: (input: any) => unknown, more: object = {}) => serve(api, allHandlers(handler), { onError, ...more })

const read = (given: string): unknown => {
  try {
    return JSON.parse(given)
  } catch {
    return given
  }
}

async function judge(send: (path: string) => Promise<Response>, [, form, , expected, body]: (typeof cases)[number]): Promise<void> {
  reports.length = 0
  const response = await send(`/${form}`)
  const sent = read(await response.text())
  if (typeof expected === 'string') {
    expect([response.status, sent]).toEqual([500, expect.objectContaining({ title: 'Internal Server Error' })])
    expect(reports).toEqual([expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(expected) })])
    return
  }
  expect(reports).toEqual([])
  expect([response.status, sent]).toEqual([429, body])
  expect(Object.fromEntries(response.headers)).toMatchObject(expected)
}

describe.each(Object.entries(sources))('%s', (_source, createServer) => {
  const server = createServer()

  test.each(cases)('%s (%s)', async (...given) => {
    const row = given as unknown as (typeof cases)[number]
    options = row[2]
    await judge(async (path) => server.fetch(new Request(`http://a.test${path}`, { headers: { Authorization: 'Bearer a' } })), row)
  })
})

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(sources['thrown']?.() as Server)
  })
  afterAll(() => adapter.close())

  test.each(cases)('%s (%s)', async (...given) => {
    const row = given as unknown as (typeof cases)[number]
    options = row[2]
    await judge((path) => adapter.fetch(path), row)
  })
})

describe('an error of the toolkit is not a promise of the handler', () => {
  const statuses = [400, 401, 403, 404, 406, 409, 412, 413, 415, 422, 428, 503]
  const declared = statuses.map((status) => reply(status, SoldOut, { headers: { 'X-Promise': int } }))
  const token = bearer<string, 'read'>('token')
  const own = {
    one: endpoint('POST /one/:id', {
      auth: token.scopes('read'),
      params: { id: int },
      query: { count: int },
      body: SoldOut,
      maxBodySize: 20,
      idempotent: 'optional',
      timeout: 20,
      response: ok(text),
      errors: declared,
    }),
    read: endpoint('GET /tagged', { response: ok(text), etag: true }),
    change: endpoint('PUT /tagged', { body: text, response: noContent, etag: 'required', errors: declared }),
  }
  const handlers: Handlers<typeof own> = {
    one: ({ query }) => (query.count === 0 ? new Promise<string>(() => {}) : 'one'),
    read: () => 'tagged',
    change: ({ precondition }) => precondition('tagged'),
  }
  const server = serve(own, handlers, {
    onError,
    auth: [
      authenticate(token, (shown) => (shown === 'wrong' ? undefined : shown), { scopes: (shown) => (shown === 'none' ? [] : ['read']) }),
    ],
  })
  const right = { Authorization: 'Bearer a', 'Content-Type': 'application/json' }
  const post = (target: string, headers: object = {}, body = '{"left":1}') =>
    new Request(`http://a.test${target}`, { method: 'POST', headers: { ...right, ...headers }, body })
  const put = (headers: object) =>
    new Request('http://a.test/tagged', { method: 'PUT', headers: { 'Content-Type': 'text/plain', ...headers }, body: 'a' })

  beforeEach(() => void reports.splice(0))

  test.each<[status: number, string, Request]>([
    [400, 'the path', post('/one/a?count=1')],
    [400, 'the query', post('/one/1')],
    [400, 'the body', post('/one/1?count=1', {}, '{}')],
    [401, 'credentials', post('/one/1?count=1', { Authorization: 'Bearer wrong' })],
    [403, 'scopes', post('/one/1?count=1', { Authorization: 'Bearer none' })],
    [406, 'Accept', post('/one/1?count=1', { Accept: 'image/png' })],
    [413, 'the size', post('/one/1?count=1', {}, `{"left":1}${' '.repeat(20)}`)],
    [415, 'the media type', post('/one/1?count=1', { 'Content-Type': 'image/png' })],
    [503, 'the time', post('/one/1?count=0')],
    [428, 'no condition', put({})],
    [412, 'a condition that fails', put({ 'If-Match': '"other"' })],
  ])('%i by %s', async (status, _reason, request) => {
    const response = await server.fetch(request)
    expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/problem+json'])
    expect(reports).toEqual([])
  })

  test('422 for a key that was used for another request', async () => {
    const key = { 'Idempotency-Key': '"a"' }
    expect((await server.fetch(post('/one/1?count=1', key))).status).toBe(200)
    const response = await server.fetch(post('/one/2?count=1', key))
    expect([response.status, response.headers.get('content-type')]).toEqual([422, 'application/problem+json'])
    expect(reports).toEqual([])
  })
})
