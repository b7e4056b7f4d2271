/** `problem`: errors with problem details of a type of their own, from the handler to the client and in every document. */
import { mock } from '@lapidary/testing'
import { endpoint, errors, HttpError, int, noContent, ok, problem, reply, type Schema, schemaCodec, text } from 'lapidary'
import { client, isDeclaredError } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'

const outOfStock = problem(409, '/problems/out-of-stock', z.object({ left: z.int(), day: z.string().transform((day) => new Date(day)) }), {
  title: 'The stock is too small.',
  description: 'There are fewer.',
})
const closed = problem(409, '/problems/closed', undefined, { headers: { 'Retry-After': int } })
const nested = problem(422, 'https://example.com/nested', z.object({ errors: z.array(z.object({ at: z.string() })) }))
const api = {
  order: endpoint('POST /orders/:name', { response: noContent, errors: [reply(409), outOfStock, closed, nested] }),
}

const day = '2026-11-26'
const stock = { type: '/problems/out-of-stock', left: 3, day }
type Options = Readonly<Record<string, unknown>>
const cases: Readonly<Record<string, readonly [status: number, Options, sent: object | string]>> = {
  'the first': [
    409,
    { body: { ...stock, secret: 1 }, detail: 'Three.' },
    { type: '/problems/out-of-stock', title: 'The stock is too small.', status: 409, detail: 'Three.', left: 3, day },
  ],
  'without a detail': [409, { body: stock }, { ...stock, title: 'The stock is too small.', status: 409 }],
  'with a title of its own': [409, { body: stock, reason: 'Mine' }, { ...stock, title: 'Mine', status: 409 }],
  'the second': [
    409,
    { body: { type: '/problems/closed' }, headers: { 'Retry-After': 5 } },
    { type: '/problems/closed', title: 'Conflict', status: 409 },
  ],
  'no type': [409, { detail: 'None.' }, { type: 'about:blank', title: 'Conflict', status: 409, detail: 'None.' }],
  nested: [
    422,
    { body: { type: 'https://example.com/nested', errors: [{ at: '/a' }] } },
    { type: 'https://example.com/nested', title: 'Unprocessable Content', status: 422, errors: [{ at: '/a' }] },
  ],
  'a missing member': [409, { body: { type: '/problems/out-of-stock', day } }, 'left'],
  'a member of another type': [409, { body: { ...stock, left: 'three' } }, 'left'],
  'an undeclared type': [409, { body: { ...stock, type: '/problems/other' } }, 'type'],
  'a body without a type': [409, { body: { left: 3, day } }, 'type'],
  'a problem without its header': [409, { body: { type: '/problems/closed' } }, 'POST /orders/:name'],
}

const reports: unknown[] = []
const server = serve(
  api,
  {
    order: ({ params: { name } }) => {
      const [status, options] = cases[name] ?? [500, {}]
      throw new HttpError(status, options as object)
    },
  },
  { onError: (error) => void reports.push(error), format: () => ({ type: 'text/plain', body: 'another format' }) },
)

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  test.each(Object.entries(cases))('%s', async (name, [status, , sent]) => {
    reports.length = 0
    const response = await adapter.fetch(`/orders/${encodeURIComponent(name)}`, { method: 'POST' })
    const body = await response.text()
    if (typeof sent === 'string') {
      expect(response.status).toBe(500)
      expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining(sent) })])
      return
    }
    expect([response.status, reports]).toEqual([status, []])
    if (name === 'no type') expect(body).toBe('another format')
    else expect([response.headers.get('content-type'), JSON.parse(body)]).toEqual(['application/problem+json', sent])
  })
})

describe('the client', () => {
  const catchError = async (status: number, body: unknown) => {
    const call = client(api, 'http://a.test', {
      fetch: async () =>
        new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/problem+json', 'Retry-After': '5' } }),
    })
    return call.order({ params: { name: 'a' } }).catch((error: unknown) => error)
  }
  const full = { ...stock, title: 'T', status: 409 }

  test('has the members of the type, as their schema parses them', async () => {
    const error = await catchError(409, { ...full, detail: 'D', further: 1 })
    if (!isDeclaredError(api.order, error) || error.status !== 409 || error.body?.type !== '/problems/out-of-stock') throw error
    expect(error.body).toEqual({ type: '/problems/out-of-stock', title: 'T', status: 409, detail: 'D', left: 3, day: new Date(day) })
    expect([error.detail, error.received?.problem]).toEqual(['D', expect.objectContaining({ further: 1 })])
  })

  test('tells the types of one status apart', async () => {
    const error = await catchError(409, { type: '/problems/closed', title: 'Conflict', status: 409 })
    expect([isDeclaredError(api.order, error), (error as HttpError).body]).toEqual([
      true,
      { type: '/problems/closed', title: 'Conflict', status: 409 },
    ])
    expect((error as HttpError).headers).toMatchObject({ 'Retry-After': 5, 'retry-after': '5' })
  })

  test.each([
    { type: 'about:blank', title: 'Conflict', status: 409 },
    { ...full, left: 'three' },
    { ...full, status: 410 },
    { ...full, title: 1 },
    { ...full, detail: 1 },
  ])('takes %j for a problem without a type where one is declared', async (body) => {
    const error = await catchError(409, body)
    expect([isDeclaredError(api.order, error), (error as HttpError).body]).toEqual([true, undefined])
  })

  test('does not take another problem for a declared one where all have types', async () => {
    const error = await catchError(422, { type: 'about:blank', title: 'a', status: 422 })
    expect([isDeclaredError(api.order, error), (error as HttpError).status]).toEqual([false, 422])
  })
})

test('OpenAPI shows the members, by their type', async () => {
  const { paths, components } = await openapi(api, { title: 'Orders', version: '1' })
  const text = JSON.stringify([paths, components])
  expect(text).toContain('"const":"/problems/out-of-stock"')
  const responses = paths['/orders/{name}']?.post?.responses as Readonly<Record<string, { content: object; description: string }>>
  expect(Object.keys(responses['409']?.content ?? {})).toEqual(['application/problem+json'])
  expect(responses['409']?.description).toBe('There are fewer.')
  expect(JSON.stringify(responses['409']?.content)).toMatch(/"anyOf":\[.*out-of-stock.*\/problems\/closed/)
})

test('Markdown shows each with an example', async () => {
  const document = markdown(await outline(api, { title: 'Orders' }))
  expect(document).toContain('application/problem+json')
  for (const type of ['/problems/out-of-stock', '/problems/closed', 'https://example.com/nested']) expect(document).toContain(type)
  expect(document).toContain('The stock is too small.')
})

test('the mock raises one with all of its members', async () => {
  const closedShop = problem(503, '/problems/closed-shop', z.object({ left: z.int() }))
  const handler = mock({ order: endpoint('POST /orders', { response: noContent, errors: [closedShop] }) }, { faults: { unavailable: 1 } })
  const response = await handler.fetch(new Request('http://a.test/orders', { method: 'POST' }))
  expect([response.status, await response.json()]).toEqual([
    503,
    expect.objectContaining({ type: '/problems/closed-shop', title: expect.any(String), status: 503, left: expect.any(Number) }),
  ])
})

describe('a mistake', () => {
  test.each<[string, () => unknown, string]>([
    ['a status of success', () => problem(200, '/a'), 'expected an integer from 400 to 599'],
    ['a status that is no integer', () => problem(409.5, '/a'), 'expected an integer from 400 to 599'],
    ['no type', () => problem(409, ''), 'expected a URI reference'],
    ['the type of any problem', () => problem(409, 'about:blank'), 'expected a URI reference'],
    ['a type with a space', () => problem(409, 'out of stock'), 'expected a URI reference'],
    ['a type that is no text', () => problem(409, 1 as never), 'expected a URI reference'],
    ['members that are no schema', () => problem(409, '/a', {} as never), 'schema'],
    ['among the responses', () => endpoint('GET /', { response: [ok(text), problem(409, '/a')] }), 'Move it into errors'],
  ])('%s', (_name, make, message) => {
    expect(make).toThrow(expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }))
  })

  test.each<[string, Schema, string]>([
    ['an array', z.array(z.int()), 'no object'],
    ['a union', z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]), 'no object'],
    ['a text', z.string(), 'no object'],
    ...['type', 'title', 'status', 'detail'].map((name): [string, Schema, string] => [
      `the member ${name}`,
      z.object({ [name]: z.string() }),
      `declares the member "${name}"`,
    ]),
  ])('%s as the members', (_name, members, message) => {
    const wrong = { it: endpoint('GET /', { response: noContent, errors: [problem(409, '/a', members)] }) }
    expect(() => serve(wrong, { it: () => {} })).toThrow(message)
  })
})

test('an error of the toolkit with the same status stays a problem without a type', async () => {
  const own = { it: endpoint('POST /', { body: text, response: noContent, errors: [problem(415, '/a')] }) }
  const response = await serve(own, { it: () => errors.unsupportedMediaType({ body: { type: '/a' } }) }).fetch(
    new Request('http://a.test/', { method: 'POST', headers: { 'Content-Type': 'image/png' }, body: 'a' }),
  )
  expect([response.status, await response.json()]).toEqual([415, expect.objectContaining({ type: 'about:blank' })])
})

test('members of a codec are values for the handler and the caller, and texts on the wire', async () => {
  const dateTime = z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
  const late = problem(409, '/problems/late', schemaCodec(z.strictObject({ until: dateTime })))
  const lateApi = { order: endpoint('POST /orders', { response: noContent, errors: [late] }) }
  const until = new Date('2026-05-01T10:00:00.000Z')
  const { fetch } = serve(lateApi, { order: ({ fail }) => fail(409, { body: { type: '/problems/late', until }, detail: 'Too late.' }) })
  const response = await fetch(new Request('http://problems.test/orders', { method: 'POST' }))
  expect([response.status, await response.json()]).toEqual([
    409,
    { type: '/problems/late', title: 'Conflict', status: 409, detail: 'Too late.', until: until.toISOString() },
  ])
  await expect(client(lateApi, 'http://problems.test', { fetch }).order()).rejects.toMatchObject({
    body: { type: '/problems/late', until },
  })
  const mocked = mock({ other: endpoint('GET /', { response: ok(text), errors: [late] }) })
  expect((await mocked.fetch(new Request('http://problems.test/'))).status).toBe(200)
})

test('serve finds members that only decode', () => {
  const broken = problem(409, '/problems/broken', schemaCodec(z.object({ n: z.string().transform(Number) })))
  expect(() => serve({ one: endpoint('GET /', { response: noContent, errors: [broken] }) }, { one: () => {} })).toThrow(
    'GET /: error 409, at "/n": a transform only decodes',
  )
})
