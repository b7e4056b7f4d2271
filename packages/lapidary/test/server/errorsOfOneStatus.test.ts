/** Several declared errors of one status: each can be thrown, and the client and the OpenAPI document distinguish them. */
import {
  content,
  endpoint,
  errors,
  HttpError,
  type JsonSchema,
  json,
  mediaType,
  noContent,
  ok,
  type RouteLine,
  reply,
  type Schema,
  text,
} from 'lapidary'
import { client, isDeclaredError } from 'lapidary/client'
import { openapi } from 'lapidary/openapi'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'

const SoldOut = z.object({ reason: z.literal('sold out'), again: z.string().optional() })
const Closed = z.object({ reason: z.literal('closed'), until: z.string() })
const Gone = z.object({ since: z.int() })
const Late = z.object({ by: z.int(), price: z.int() })
const Early = z.object({ by: z.int() })
const csv = mediaType<{ readonly row: string }>({
  types: ['text/csv'],
  reader: () => (bytes) => ({ row: new TextDecoder().decode(bytes) }),
  writer: () => (value) => {
    if (typeof value.row !== 'string') throw new TypeError('expected a row')
    return value.row
  },
})

const order = endpoint('POST /orders/:name', {
  response: noContent,
  errors: [reply(409, SoldOut), reply(409, Closed), reply(409, content(z.object({ row: z.string() }), csv)), reply(404), reply(404, Gone)],
})
const early = endpoint('GET /early/:name', { response: noContent, errors: [reply(409, Late), reply(409, Early)] })
const api = { order, early }

const bodies: Readonly<Record<string, readonly [status: number, body: object | undefined, sent: unknown, type: string]>> = {
  first: [409, { reason: 'sold out', again: 'soon', secret: 1 }, { reason: 'sold out', again: 'soon' }, 'application/json;charset=utf-8'],
  second: [409, { reason: 'closed', until: 'noon', secret: 1 }, { reason: 'closed', until: 'noon' }, 'application/json;charset=utf-8'],
  third: [409, { row: 'a,b' }, { row: 'a,b' }, 'text/csv'],
  problem: [404, undefined, undefined, 'application/problem+json'],
  gone: [404, { since: 1, secret: 1 }, { since: 1 }, 'application/json;charset=utf-8'],
  larger: [409, { by: 1, price: 2 }, { by: 1, price: 2 }, 'application/json;charset=utf-8'],
  smaller: [409, { by: 1 }, { by: 1 }, 'application/json;charset=utf-8'],
}

const raise = (name: string): never => {
  const [status = 0, body] = bodies[name] ?? []
  throw new HttpError(status, body === undefined ? {} : { body })
}

const reports: unknown[] = []
const server = serve(
  api,
  {
    order: ({ params }) => {
      if (params.name === 'none') throw errors.conflict({ body: { reason: 'full' } })
      raise(params.name)
    },
    early: ({ params }) => raise(params.name),
  },
  { onError: (error) => reports.push(error) },
)

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  test.each(Object.entries(bodies))('%s', async (name, [status, , sent, type]) => {
    const call = client(api, 'http://test.invalid', {
      fetch: ({ url, method }) => adapter.fetch(new URL(url).pathname, { method }),
    })
    const params = { params: { name } }
    const one = name.endsWith('er') ? early : order
    const error: unknown = await (one === early ? call.early(params) : call.order(params)).catch((thrown: unknown) => thrown)
    expect(isDeclaredError(one, error)).toBe(true)
    expect(error).toMatchObject({ status, headers: { 'content-type': type } })
    expect((error as HttpError).body).toEqual(sent)
  })

  test('a body that fits none of them is answered with 500, and the report names what the first expects', async () => {
    reports.length = 0
    const response = await adapter.fetch('/orders/none', { method: 'POST' })
    expect([response.status, await response.text()]).toEqual([500, expect.not.stringContaining('full')])
    expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining('POST /orders/:name') })])
  })
})

test('the OpenAPI document has each of them', async () => {
  const { paths } = await openapi(api, { title: 'Orders', version: '1' })
  const responses = paths['/orders/{name}']?.post?.responses as Readonly<
    Record<string, { readonly content: Readonly<Record<string, { readonly schema: unknown }>> }>
  >
  const { 404: absent, 409: refused } = responses
  expect(Object.keys(absent?.content ?? {})).toEqual(['application/problem+json', 'application/json'])
  expect(Object.keys(refused?.content ?? {})).toEqual(['application/json', 'text/csv'])
  expect(refused?.content['application/json']?.schema).toEqual({
    anyOf: [
      expect.objectContaining({ properties: expect.objectContaining({ again: { type: 'string' } }) }),
      expect.objectContaining({ properties: expect.objectContaining({ until: { type: 'string' } }) }),
    ],
  })
})

const Item = z.object({ item: z.string() })
const More = z.object({ item: z.string(), price: z.int() })
/** An object with the members `code` and others, as another library may describe it. */
const coded = (code: JsonSchema, others: Readonly<Record<string, JsonSchema>> = {}): Schema<unknown> => ({
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value) => ({ value }),
    jsonSchema: {
      input: () => ({
        type: 'object',
        properties: { code, ...others },
        required: ['code', ...Object.keys(others)],
        additionalProperties: false,
      }),
    },
  },
})
const place = (...names: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  required: names,
})
const like = (member: string): string =>
  `GET /a: two of its errors of status 409 cannot be told apart, so the first would drop "${member}" of the second. Declare the one with more members first, or give both a member with different constants.`

describe('errors of one status', () => {
  const started = (...errors: readonly ReturnType<typeof reply>[]): unknown =>
    serve({ a: endpoint('GET /a' as RouteLine, { response: noContent, errors }) }, { a: () => {} })

  test.each<[string, readonly unknown[], string | undefined]>([
    ['the second has a member more', [reply(409, Item), reply(409, More)], like('price')],
    ['the first has a member more', [reply(409, More), reply(409, Item)], undefined],
    [
      'each has one that may be left out',
      [reply(409, Item.extend({ a: z.int().optional() })), reply(409, Item.extend({ b: z.int() }))],
      like('b'),
    ],
    [
      'the keywords of a member have another order',
      [
        reply(409, coded({ type: 'string', minLength: 1 })),
        reply(409, coded({ minLength: 1, type: 'string' }, { extra: { type: 'string' } })),
      ],
      like('extra'),
    ],
    [
      'the members of a member have another order',
      [reply(409, coded(place('x', 'y'))), reply(409, coded(place('y', 'x'), { extra: { type: 'string' } }))],
      like('extra'),
    ],
    [
      'a constant has another order',
      [reply(409, coded({ const: ['x', 'y'] })), reply(409, coded({ const: ['y', 'x'] }, { extra: { type: 'string' } }))],
      undefined,
    ],
    ['they are alike', [reply(409, Item), reply(409, Item)], undefined],
    ['a member has another type', [reply(409, z.object({ item: z.int() })), reply(409, More)], undefined],
    ['the first keeps what it does not name', [reply(409, z.looseObject({ item: z.string() })), reply(409, More)], undefined],
    ['they have different statuses', [reply(409, Item), reply(410, More)], undefined],
    ['they have different media', [reply(409, content(Item, { ...json, types: ['application/a+json'] })), reply(409, More)], undefined],
    ['none has a body', [reply(409), reply(409)], undefined],
  ])('%s', (_what, errors, sentence) => {
    const start = (): unknown => started(...(errors as never[]))
    if (sentence === undefined) expect(start).not.toThrow()
    else expect(start).toThrow(new TypeError(sentence))
  })

  test('one has the status of the response', () => {
    expect(() => endpoint('GET /a', { response: ok(text), errors: [reply(200, Item)] })).toThrow(
      new TypeError(
        'GET /a: its response and one of its errors have the status 200, so clients cannot tell them apart. Give one of them another status.',
      ),
    )
  })
})

describe.each(adapters)('an HttpError with a body and no headers, $name', ({ startAdapter }) => {
  const raising = serve(
    { one: endpoint('GET /:status/:what', { response: noContent }) },
    {
      one: ({ params }) => {
        const values: Readonly<Record<string, unknown>> = {
          text: 'höre',
          empty: '',
          bytes: Uint8Array.of(1, 2),
          'no bytes': new Uint8Array(),
          null: null,
          object: { a: 1 },
          function: () => {},
          symbol: Symbol('a'),
        }
        throw new HttpError(Number(params.status), { body: values[params.what] })
      },
    },
    { onError: () => {} },
  )
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(raising)
  })
  afterAll(() => adapter.close())

  const send = async (status: number, what: string): Promise<readonly unknown[]> => {
    const response = await adapter.fetch(`/${status}/${encodeURIComponent(what)}`)
    const { headers } = response
    return [response.status, headers.get('content-type'), headers.get('content-length'), await response.text()]
  }

  test.each([200, 299, 404, 500, 599])('of status %i', async (status) => {
    expect(await send(status, 'text')).toEqual([status, 'text/plain;charset=utf-8', '5', 'höre'])
    expect(await send(status, 'empty')).toEqual([status, null, '0', ''])
    expect(await send(status, 'bytes')).toEqual([status, 'application/octet-stream', '2', '\u0001\u0002'])
    expect(await send(status, 'no bytes')).toEqual([status, 'application/octet-stream', '0', ''])
    expect(await send(status, 'null')).toEqual([status, null, '0', ''])
    expect(await send(status, 'object')).toEqual([status, 'application/json;charset=utf-8', '7', '{"a":1}'])
  })

  test.each([204, 304])('of status %i, which has no body', async (status) => {
    for (const what of ['text', 'empty', 'bytes', 'no bytes', 'null', 'object'])
      expect(await send(status, what)).toEqual([status, null, null, ''])
  })

  test.each([100, 101, 103, 199, 600, 0])('of status %i, which is not a status of a response', async (status) => {
    expect(await send(status, 'text')).toEqual([500, 'application/problem+json', expect.any(String), expect.stringContaining('requestId')])
  })

  test.each(['function', 'symbol'])('that JSON cannot express: a %s', async (what) => {
    expect(await send(404, what)).toEqual([500, 'application/problem+json', expect.any(String), expect.stringContaining('requestId')])
  })
})
