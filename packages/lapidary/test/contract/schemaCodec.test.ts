/** `schemaCodec`: handlers and callers deal in values such as dates, the wire has their texts. */
import {
  applyMergePatch,
  content,
  endpoint,
  errors,
  events,
  form,
  int,
  list,
  mergePatch,
  ndjson,
  noContent,
  ok,
  optional,
  reply,
  schemaCodec,
  withHeaders,
} from 'lapidary'
import { client } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { link, match } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import { type Handlers, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { adapters, listen, type RunningAdapter } from '../support/matrix/adapters.ts'

const dateTime = z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
const Source = z.object({ name: z.string(), cutAt: dateTime, tags: z.array(z.string()).default([]) })
const Stone = schemaCodec(Source)
const Day = schemaCodec(dateTime)
const Period = schemaCodec(z.object({ since: dateTime, until: dateTime.optional() }))

const api = {
  add: endpoint('POST /stones', { body: Stone, response: ok(Stone), errors: [reply(409, Stone)] }),
  addForm: endpoint('POST /forms', {
    body: content(schemaCodec(z.object({ name: z.string(), cutAt: dateTime })), form),
    response: noContent,
  }),
  maybe: endpoint('POST /maybe', { body: optional(Stone), response: ok(list(Day)) }),
  all: endpoint('GET /stones', { query: Period, response: ok(list(Stone), { headers: { 'X-Count': int } }) }),
  streamed: endpoint('GET /streamed', { response: ok(list(Stone)) }),
  lines: endpoint('GET /lines', { response: ok(ndjson(Stone)) }),
  events: endpoint('GET /events', { response: ok(events({ cut: Stone, day: Day, note: z.string() })) }),
  upload: endpoint('POST /lines', { body: ndjson(Stone), response: ok(list(Day)) }),
  day: endpoint('GET /days/:day', {
    params: { day: Day },
    query: { until: Day, filter: Period },
    headers: { 'X-Day': Day },
    response: ok(Day),
  }),
}

const day = new Date('2026-05-01T10:00:00.000Z')
const opal = { name: 'opal', cutAt: day, tags: ['blue'] }
const opalText = '{"name":"opal","cutAt":"2026-05-01T10:00:00.000Z","tags":["blue"]}'
const received: unknown[] = []

const handlers: Handlers<typeof api> = {
  add: ({ body }) => {
    received.push(body)
    if (body.name === 'taken') throw errors.conflict({ body })
    return body
  },
  addForm: ({ body }) => void received.push(body),
  maybe: ({ body }) => (body === undefined ? [] : [body.cutAt]),
  all: ({ query }) => withHeaders([{ ...opal, cutAt: query.until ?? query.since }], { 'X-Count': 1 }),
  streamed: async function* () {
    yield opal
    yield { ...opal, name: 'agate' }
  },
  lines: () => [opal, opal].values(),
  events: async function* () {
    yield { event: 'cut', data: opal, id: '1' }
    yield { event: 'day', data: day }
    yield { event: 'note', data: 'polished' }
  },
  upload: async ({ body }) => {
    const days: Date[] = []
    for await (const { cutAt } of body) days.push(cutAt)
    return days
  },
  day: ({ params, query, headers }) => {
    received.push([params.day, query.until, query.filter, headers['X-Day']])
    return params.day
  },
}
const server = serve(api, handlers, { onError: () => {} })

test('handlers and callers have the types of the values', () => {
  expectTypeOf<Parameters<(typeof handlers)['add']>[0]['body']['cutAt']>().toEqualTypeOf<Date>()
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })
  expectTypeOf<NonNullable<Parameters<typeof call.add>[0]>['body']>().toEqualTypeOf<{
    name: string
    cutAt: Date
    tags?: string[] | undefined
  }>()
  expectTypeOf<Awaited<ReturnType<typeof call.streamed>>>().toEqualTypeOf<{ name: string; cutAt: Date; tags: string[] }[]>()
})

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    adapter = await startAdapter(server)
  })
  afterAll(() => adapter.close())

  const post = (target: string, body: string, type = 'application/json') =>
    adapter.fetch(target, { method: 'POST', headers: { 'Content-Type': type }, body })
  const getText = async (target: string) => (await adapter.fetch(target)).text()

  test('a body is decoded for the handler, and its value encoded for the response', async () => {
    received.length = 0
    expect(await (await post('/stones', opalText)).text()).toBe(opalText)
    expect(received).toEqual([opal])
  })

  test('what the schema refuses is 400, at its place', async () => {
    const response = await post('/stones', '{"name":"opal","cutAt":"yesterday"}')
    expect([response.status, await response.json()]).toMatchObject([400, { errors: [{ in: 'body', pointer: '/cutAt' }] }])
  })

  test('a default of a request is decoded, and is in the response', async () => {
    expect(await (await post('/stones', '{"name":"opal","cutAt":"2026-05-01T10:00:00Z"}')).json()).toEqual({
      ...JSON.parse(opalText),
      tags: [],
    })
  })

  test('the body of a declared error is encoded', async () => {
    const response = await post('/stones', opalText.replace('opal', 'taken'))
    expect([response.status, await response.text()]).toEqual([409, opalText.replace('opal', 'taken')])
  })

  test.each<[string, string, string]>([
    ['an array with headers', '/stones?since=2026-05-01T10:00:00Z', `[${opalText}]`],
    ['an array that is streamed', '/streamed', `[${opalText},${opalText.replace('opal', 'agate')}]`],
    ['lines', '/lines', `${opalText}\n${opalText}\n`],
    [
      'events',
      '/events',
      `event: cut\nid: 1\ndata: ${opalText}\n\nevent: day\ndata: "2026-05-01T10:00:00.000Z"\n\nevent: note\ndata: "polished"\n\n`,
    ],
  ])('the items of %s are encoded', async (_what, target, expected) => {
    expect((await getText(target)).replaceAll(/^:.*\n\n?/gm, '')).toBe(expected)
  })

  test('a form, an optional body and a stream of a request are decoded', async () => {
    received.length = 0
    expect((await post('/forms', 'name=opal&cutAt=2026-05-01T10%3A00%3A00.000Z', 'application/x-www-form-urlencoded')).status).toBe(204)
    expect(received).toEqual([{ name: 'opal', cutAt: day }])
    expect(await (await post('/maybe', opalText)).json()).toEqual([day.toISOString()])
    expect(await (await post('/lines', `${opalText}\n${opalText}\n`, 'application/x-ndjson')).json()).toEqual([
      day.toISOString(),
      day.toISOString(),
    ])
  })
})

describe('the client', () => {
  const open = async () => {
    const { url, close } = await listen(server)
    onTestFinished(() => close({ drain: 0 }))
    return client(api, url)
  }

  test('encodes what it sends, and decodes what it gets', async () => {
    const call = await open()
    expect(await call.add({ body: opal })).toEqual(opal)
    await expect(call.add({ body: { ...opal, name: 'taken' } })).rejects.toMatchObject({ status: 409, body: { name: 'taken', cutAt: day } })
    expect(await call.maybe({ body: opal })).toEqual([day])
    expect(await call.maybe()).toEqual([])
    const later = new Date('2027-01-01T00:00:00.000Z')
    expect((await call.all({ query: { since: day, until: later } })).body).toEqual([{ ...opal, cutAt: later }])
    expect(await call.streamed()).toEqual([opal, { ...opal, name: 'agate' }])
    expect(await call.upload({ body: [opal, opal] })).toEqual([day, day])
    const lines: unknown[] = []
    for await (const line of await call.lines()) lines.push(line)
    expect(lines).toEqual([opal, opal])
    const all: unknown[] = []
    for await (const event of await call.events()) all.push(event)
    expect(all).toEqual([
      { event: 'cut', data: opal, id: '1' },
      { event: 'day', data: day },
      { event: 'note', data: 'polished' },
    ])
  })

  test('encodes parameters: captures, queries, an object of a query, headers', async () => {
    const call = await open()
    received.length = 0
    expect(await call.day({ params: { day }, query: { until: day, filter: { since: day } }, headers: { 'X-Day': day } })).toEqual(day)
    expect(received).toEqual([[day, day, { since: day }, day]])
  })

  test('sends no request with a value that the schema cannot encode', async () => {
    const call = client(api, 'http://test.invalid', { fetch: () => Promise.reject(new Error('sent')) })
    await expect(call.add({ body: { ...opal, cutAt: 'today' as never } })).rejects.toThrow(
      new TypeError(
        'POST /stones cannot be called with this input: expected a value that the schema can encode: at /cutAt: Invalid input: expected date, received string.',
      ),
    )
  })
})

describe('an instance of a class', () => {
  class Row {
    readonly id = 7
    get name() {
      return 'opal'
    }
    get cutAt() {
      return day
    }
    get tags() {
      return ['blue']
    }
  }
  class CutEvent {
    get event() {
      return 'cut' as const
    }
    get data() {
      return new Row()
    }
    get id() {
      return '7'
    }
  }

  test('has its getters in a body, in a list and in an error', async () => {
    const rows = {
      one: endpoint('GET /one', { response: ok(Stone) }),
      many: endpoint('GET /many', { response: ok(list(Stone)) }),
      error: endpoint('GET /error', { response: noContent, errors: [reply(409, Stone)] }),
    }
    const { fetch } = serve(rows, {
      one: () => new Row(),
      many: () => [new Row()],
      error: () => {
        throw errors.conflict({ body: new Row() })
      },
    })
    const getText = async (target: string) => (await fetch(new Request(`http://test.invalid${target}`))).text()
    expect([await getText('/one'), await getText('/many'), await getText('/error')]).toEqual([opalText, `[${opalText}]`, opalText])
  })

  test('has its getters as an event', async () => {
    const { fetch } = serve(
      { all: endpoint('GET /all', { response: ok(events({ cut: Stone, note: z.string() })) }) },
      { all: () => [new CutEvent()] },
    )
    expect(await (await fetch(new Request('http://test.invalid/all'))).text()).toContain(`event: cut\nid: 7\ndata: ${opalText}\n\n`)
  })
})

test('a schema of all headers can be strict, beside a header that the toolkit adds', async () => {
  const strict = {
    change: endpoint('POST /change', {
      headers: schemaCodec(z.strictObject({ 'X-Day': dateTime })),
      response: ok(z.object({ day: z.string(), key: z.string() })),
      idempotent: 'required',
    }),
  }
  const { fetch } = serve(strict, {
    change: ({ headers }) => ({ day: headers['X-Day'].toISOString(), key: String(Reflect.get(headers, 'Idempotency-Key')) }),
  })
  const call = client(strict, 'http://test.invalid', { fetch })
  expect(await call.change({ headers: { 'X-Day': day } }, { idempotencyKey: 'abcdefgh' })).toEqual({
    day: day.toISOString(),
    key: 'abcdefgh',
  })
})

test('a merge patch has the form of the wire, and is applied to the value', async () => {
  const patching = {
    change: endpoint('PATCH /stone', { body: mergePatch(Stone), response: ok(Stone), errors: [reply(422)] }),
  }
  const server = serve(patching, {
    change: ({ body }) => {
      expectTypeOf(body.cutAt).toEqualTypeOf<string | undefined>()
      const changed = applyMergePatch(Stone, opal, body)
      expectTypeOf(changed.cutAt).toEqualTypeOf<Date>()
      return changed
    },
  })
  const call = client(patching, 'http://test.invalid', { fetch: server.fetch })
  const later = new Date('2027-01-01T00:00:00.000Z')
  expect(await call.change({ body: { cutAt: later.toISOString() } })).toEqual({ ...opal, cutAt: later })
  expect(await call.change({ body: { name: 'agate' } })).toEqual({ ...opal, name: 'agate' })
  await expect(call.change({ body: { cutAt: 'soon' } })).rejects.toMatchObject({ status: 400 })
})

test('links have the texts, and are matched to the values', () => {
  const input = { params: { day }, query: { until: day, filter: { since: day } } }
  const url = link(api.day, input)
  expect(url).toBe('/days/2026-05-01T10%3A00%3A00.000Z?until=2026-05-01T10%3A00%3A00.000Z&filter%5Bsince%5D=2026-05-01T10%3A00%3A00.000Z')
  expect(match(api.day, url)).toEqual(input)
})

test('documents describe the wire, and encode the examples', async () => {
  const documented = {
    add: endpoint('POST /stones', { body: Stone, response: ok(Stone), examples: { body: opal, response: opal } }),
  }
  expect(await openapi(documented, { title: 'Stones', version: '1' })).toMatchObject({
    paths: {
      '/stones': {
        post: {
          requestBody: {
            content: {
              'application/json': {
                schema: { properties: { cutAt: { type: 'string', format: 'date-time' } } },
                example: JSON.parse(opalText),
              },
            },
          },
        },
      },
    },
  })
  expect(markdown(await outline(documented))).toContain('2026-05-01T10:00:00.000Z')
})

test('documents show an example of a parameter', async () => {
  const documented = { day: endpoint('GET /days/:day', { params: { day: Day }, query: { until: Day }, response: noContent }) }
  const parameter = { schema: { type: 'string', format: 'date-time' }, example: '2024-02-29T12:00:00Z' }
  expect(await openapi(documented, { title: 'Days', version: '1' })).toMatchObject({
    paths: {
      '/days/{day}': {
        get: {
          parameters: [
            { name: 'day', ...parameter },
            { name: 'until', ...parameter },
          ],
        },
      },
    },
  })
})

describe('an error of the developer', () => {
  test('a value that the schema cannot encode is a reported 500, and the reader of a stream learns of it', async () => {
    const reported: unknown[] = []
    const wrong = serve(
      { one: endpoint('GET /one', { response: ok(Stone) }), many: endpoint('GET /many', { response: ok(list(Stone)) }) },
      {
        one: () => ({ ...opal, cutAt: 'today' as never }),
        many: async function* () {
          yield { ...opal, cutAt: new Date(Number.NaN) }
        },
      },
      { onError: (error) => void reported.push(String(error)) },
    )
    expect((await wrong.fetch(new Request('http://test.invalid/one'))).status).toBe(500)
    expect((await wrong.fetch(new Request('http://test.invalid/many'))).status).toBe(500)
    expect(reported).toEqual([
      expect.stringContaining(
        'GET /one returned a value that its reply does not allow: expected a value that the schema can encode: at /cutAt: Invalid input: expected date, received string',
      ),
      expect.stringContaining('expected a value that the schema can encode: at /cutAt: Invalid input: expected date, received Date'),
    ])
  })

  test('a stream of items is ended where one cannot be encoded', async () => {
    let isEnded = false
    const wrong = serve(
      { many: endpoint('GET /many', { response: ok(ndjson(Stone)) }) },
      {
        many: async function* () {
          try {
            yield opal
            yield { ...opal, cutAt: 'today' as never }
          } finally {
            isEnded = true
          }
        },
      },
      { onError: () => {} },
    )
    await expect((await wrong.fetch(new Request('http://test.invalid/many'))).text()).rejects.toThrow()
    expect(isEnded).toBe(true)
  })

  test.each<[string, () => unknown, string]>([
    [
      'a transform',
      () => schemaCodec(z.object({ deep: z.array(z.object({ n: z.string().transform(Number) })) })),
      'GET /one: response 200, at "/deep/*/n": a transform only decodes, so schemaCodec() cannot encode it. Make it a codec, such as z.codec(z.string(), z.number(), { decode: Number, encode: String }).',
    ],
    [
      'a preprocess in an item of a list',
      () => list(schemaCodec(z.preprocess(String, z.string()))),
      'GET /one: response 200: a transform only decodes, so schemaCodec() cannot encode it. Make it a codec, such as z.codec(z.string(), z.number(), { decode: Number, encode: String }).',
    ],
    [
      'a transform of an event',
      () => events({ a: z.string(), b: schemaCodec(z.lazy(() => z.string().transform(Number))) }),
      'GET /one: response 200: a transform only decodes, so schemaCodec() cannot encode it. Make it a codec, such as z.codec(z.string(), z.number(), { decode: Number, encode: String }).',
    ],
  ])('%s is refused by serve', (_what, body, message) => {
    const api = { one: endpoint('GET /one', { response: ok(body() as never) }) }
    expect(() => serve(api, { one: () => undefined as never })).toThrow(new TypeError(message))
  })

  test.each<[string, () => z.ZodType]>([
    ['a default that holds a schema', () => z.object({ any: z.any().default(z.string().transform(Number)) })],
    ['a check that validates a member', () => z.object({ a: z.string() }).check(z.property('a', z.string().transform(Number) as never))],
    ['a value that stands for what is wrong', () => z.object({ any: z.any().catch(z.string().transform(Number)) })],
  ])('%s is no part that encodes', async (_what, make) => {
    const one = endpoint('GET /one', { response: ok(schemaCodec(make())) })
    const { fetch } = serve({ one }, { one: () => ({ a: 'x', any: 1 }) as never })
    expect((await fetch(new Request('http://test.invalid/one'))).status).toBe(200)
  })

  test.each<[string, () => z.ZodType, string]>([
    ['a default', () => z.object({ a: z.string().transform(Number).default(1) }), ', at "/a"'],
    ['an option of a union', () => z.union([z.null(), z.object({ a: z.string().transform(Number) })]), ', at "/a"'],
    ['an item of a tuple', () => z.object({ a: z.tuple([z.string().transform(Number)]) }), ', at "/a"'],
    ['the other items of a tuple', () => z.tuple([z.string()]).rest(z.string().transform(Number)), ', at "/*"'],
    ['any other member', () => z.object({}).catchall(z.string().transform(Number)), ', at "/*"'],
    ['a member of a record', () => z.record(z.string(), z.string().transform(Number)), ', at "/*"'],
    ['a part of an intersection', () => z.object({}).and(z.object({ a: z.string().transform(Number) })), ', at "/a"'],
    ['the output of a codec', () => z.codec(z.string(), z.string().transform(Number), { decode: String, encode: String }), ''],
    ['a member that can be left out', () => z.object({ a: z.string().transform(Number).optional().readonly() }), ', at "/a"'],
  ])('a transform in %s is found', (_what, make, place) => {
    const api = { one: endpoint('GET /one', { response: ok(schemaCodec(make())) }) }
    expect(() => serve(api, { one: () => undefined as never })).toThrow(
      `GET /one: response 200${place}: a transform only decodes, so schemaCodec() cannot encode it.`,
    )
  })

  test('an event that is not encoded can have a transform beside one that is', async () => {
    const api = { all: endpoint('GET /all', { response: ok(events({ size: z.string().transform(Number), cut: Stone })) }) }
    const { fetch } = serve(api, { all: () => [{ event: 'size', data: '3' } as const] })
    expect(await (await fetch(new Request('http://test.invalid/all'))).text()).toContain('data: "3"')
  })

  test('a recursive schema is looked at once', () => {
    interface Tree {
      readonly at: Date
      readonly children: readonly Tree[]
    }
    const Tree: z.ZodType<Tree, { at: string; children: unknown[] }> = z.object({
      at: dateTime,
      children: z.array(z.lazy(() => Tree)),
    }) as never
    const api = { tree: endpoint('GET /tree', { response: ok(schemaCodec(Tree)) }) }
    expect(() => serve(api, { tree: () => ({ at: day, children: [] }) })).not.toThrow()
  })

  test('a schema of another library needs the function', async () => {
    const plain = {
      '~standard': {
        version: 1,
        vendor: 'mine',
        validate: (value: unknown) => ({ value: Number(value) }),
        jsonSchema: { input: () => ({ type: 'string' }) },
      },
    } as const
    expect(() => schemaCodec(plain)).toThrow(
      new TypeError('schemaCodec(): this schema of mine has no method encode. Give it one: schemaCodec(schema, { encode: (value) => … }).'),
    )
    const Text = schemaCodec<string, number>(plain as never, { encode: String })
    const api = { double: endpoint('POST /double', { body: Text, response: ok(Text) }) }
    const call = client(api, 'http://test.invalid', { fetch: serve(api, { double: ({ body }) => body * 2 }).fetch })
    expect(await call.double({ body: 21 })).toBe(42)
  })

  test('a function of its own encodes what the schema only decodes', async () => {
    const Doubled = schemaCodec(z.object({ n: z.string().transform(Number) }), { encode: ({ n }) => ({ n: String(n) }) })
    const api = { double: endpoint('POST /double', { body: list(Doubled), response: ok(Doubled) }) }
    const server = serve(api, { double: ({ body }) => ({ n: body.reduce((sum, { n }) => sum + n, 0) }) })
    const call = client(api, 'http://test.invalid', { fetch: server.fetch })
    expect(await call.double({ body: [{ n: 20 }, { n: 1 }] })).toEqual({ n: 21 })
  })

  test('an asynchronous encode is refused', async () => {
    const Text = schemaCodec(z.string(), { encode: (async (text: string) => text) as never })
    const reported: unknown[] = []
    const api = { one: endpoint('GET /one', { response: ok(Text) }) }
    const { fetch } = serve(api, { one: () => 'one' }, { onError: (error) => void reported.push(String(error)) })
    expect((await fetch(new Request('http://test.invalid/one'))).status).toBe(500)
    expect(reported).toEqual([expect.stringContaining('The function "encode" of schemaCodec()')])
  })
})
