/** Parameters that a schema describes: text becomes a value by the JSON Schema, and never by a guess. */
import { type } from 'arktype'
import { endpoint, type int, type JsonSchema, json, ok, prefix, type Schema, text } from 'lapidary'
import { client } from 'lapidary/client'
import { link, match } from 'lapidary/links'
import { type ApiServer, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter, testRows } from '../../support/matrix/eachAdapter.ts'
import { get, json as isJson, type Row, refuses } from '../../support/matrix/row.ts'

/** A schema that accepts any value, as another library could make it. */
const described = (jsonSchema: JsonSchema): Schema<unknown> => ({
  '~standard': { version: 1, vendor: 'own', validate: (value) => ({ value }), jsonSchema: { input: () => ({ ...jsonSchema }) } },
})

const api = {
  mixed: endpoint('GET /mixed/:id', {
    params: { id: z.uuid() },
    query: {
      word: text,
      page: z.int().min(1).default(1),
      price: z.number().optional(),
      open: z.boolean().optional(),
      owner: z.uuid().optional(),
      sort: z.enum(['age', 'name']).default('age'),
      level: z.union([z.literal('all'), z.int()]).optional(),
      size: z.literal([1, 2]).optional(),
      limit: z.int().nullable().optional(),
      tags: z.array(z.string()),
      sizes: z.array(z.int()).max(2).optional(),
      day: z.iso
        .date()
        .transform((day) => day.replaceAll('-', '/'))
        .optional(),
      filter: z.object({ owner: z.uuid(), ages: z.array(z.int()) }).optional(),
    },
    headers: { 'X-Level': z.int().default(7) },
    response: ok(json),
  }),
  whole: endpoint('GET /whole', {
    query: z
      .object({
        page: z.int().min(1).default(1),
        tags: z.array(z.string()),
        from: z.int().optional(),
        to: z.int().optional(),
        filter: z.object({ owner: z.uuid().optional(), words: z.array(z.string()) }),
      })
      .refine(({ from = 0, to = 0 }) => from <= to, { message: 'from must not be above to', path: ['from'] })
      .refine(({ page }) => page !== 13, { message: 'there is no page 13' }),
    response: ok(json),
  }),
  point: endpoint('GET /points/:x/:y', { params: z.object({ x: z.int(), y: z.int().max(9) }), response: ok(json) }),
  headers: endpoint('GET /headers', { headers: z.object({ 'X-One': z.int(), 'X-Two': z.string().optional() }), response: ok(json) }),
  cookies: endpoint('GET /cookies', {
    cookies: z.object({ theme: z.enum(['dark', 'light']).default('dark'), visits: z.int().optional() }),
    response: ok(json),
  }),
  shops: prefix('/shops/:shop/:floor', z.object({ shop: z.int().transform((shop) => shop * 2), floor: z.enum(['up', 'down']) }), {
    shelf: endpoint('GET /:shelf', { params: { shelf: z.int() }, response: ok(json) }),
  }),
  ark: endpoint('GET /ark', { query: type({ count: 'number.integer > 0', 'name?': 'string' }), response: ok(json) }),
}

const server: ApiServer = serve(api, {
  mixed: ({ params, query, headers }) => ({ ...params, ...query, ...headers }),
  whole: ({ query }) => query,
  point: ({ params }) => params,
  headers: ({ headers }) => headers,
  cookies: ({ cookies }) => cookies,
  shops: { shelf: ({ params: { shop, floor, shelf } }) => [shop, floor, shelf] },
  ark: ({ query }) => query,
})

const id = 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6'
const mixed = (query: string) => get(`/mixed/${id}?word=w${query}`)
const plain = { id, word: 'w', page: 1, sort: 'age', tags: [], 'X-Level': 7 }
const wrong = (name: string, detail: string, place = 'query') => refuses(400, { in: place, name, detail })
const whole = { page: 1, tags: [], filter: { words: [] } }

const rows: readonly Row[] = [
  ['a request without them has the defaults of the schemas', mixed(''), isJson(plain)],
  ['an integer', mixed('&page=2'), isJson({ ...plain, page: 2 })],
  ['a number, with an exponent as JavaScript writes it', mixed('&price=1.5e-7'), isJson({ ...plain, price: 1.5e-7 })],
  ['the exponent of a large number', mixed('&price=1e%2B21'), isJson({ ...plain, price: 1e21 })],
  ['an exponent of a number that JavaScript writes without one', mixed('&price=1e%2B3'), wrong('price', 'expected a number such as 1.5')],
  ['no digit at all', mixed('&price='), wrong('price', 'expected a number such as 1.5')],
  ['no digit in front of the point', mixed('&price=.5'), wrong('price', 'expected a number such as 1.5')],
  ['an exponent that JavaScript would not write', mixed('&price=1e3'), wrong('price', 'expected a number such as 1.5')],
  ['true and false', mixed('&open=false'), isJson({ ...plain, open: false })],
  ['a string with a format', mixed(`&owner=${id}`), isJson({ ...plain, owner: id })],
  ['an enumeration', mixed('&sort=name'), isJson({ ...plain, sort: 'name' })],
  ['a union: its literal', mixed('&level=all'), isJson({ ...plain, level: 'all' })],
  ['a union: its number', mixed('&level=7'), isJson({ ...plain, level: 7 })],
  ['a number among literals', mixed('&size=2'), isJson({ ...plain, size: 2 })],
  ['null stands as null', mixed('&limit=null'), isJson({ ...plain, limit: null })],
  ['a list', mixed('&tags=a&tags=2'), isJson({ ...plain, tags: ['a', '2'] })],
  ['a list of integers', mixed('&sizes=1&sizes=2'), isJson({ ...plain, sizes: [1, 2] })],
  ['the handler gets the output of a transform', mixed('&day=2024-02-29'), isJson({ ...plain, day: '2024/02/29' })],
  ['an object, one level deep', mixed(`&filter[owner]=${id}&filter%5Bages%5D=1`), isJson({ ...plain, filter: { owner: id, ages: [1] } })],
  ['a list in an object may be empty', mixed(`&filter[owner]=${id}`), isJson({ ...plain, filter: { owner: id, ages: [] } })],
  ['a header', get(`/mixed/${id}?word=w`, { 'X-Level': '8' }), isJson({ ...plain, 'X-Level': 8 })],
  ['a name without a value is as good as absent', mixed('&page'), isJson(plain)],
  ['text that is no integer', mixed('&page=1.5'), wrong('page', 'expected an integer such as 42, within ±9007199254740991')],
  ['text that is no number', mixed('&price=0x10'), wrong('price', 'expected a number such as 1.5')],
  ['a number that a float does not keep', mixed('&price=9007199254740993'), wrong('price', 'expected a number such as 1.5')],
  ['text that is neither true nor false', mixed('&open=1'), wrong('open', 'expected true or false')],
  ['a bound, in the words of the schema', mixed('&page=0'), wrong('page', 'Too small: expected number to be >=1')],
  ['none of an enumeration', mixed('&sort=size'), wrong('sort', 'expected one of age, name')],
  ['neither of a union', mixed('&level=some'), wrong('level', 'expected one of all or an integer such as 42, within ±9007199254740991')],
  ['twice', mixed('&page=1&page=2'), wrong('page', 'expected one value, got 2')],
  ['a capture', get('/mixed/7?word=w'), wrong('id', 'Invalid UUID', 'path')],
  ['an item of a list', mixed('&sizes=1&sizes=x'), wrong('sizes', 'expected an integer such as 42, within ±9007199254740991')],
  ['too many items', mixed('&sizes=1&sizes=1&sizes=1'), wrong('sizes', 'Too big: expected array to have <=2 items')],
  ['a member of an object', mixed('&filter[owner]=7'), wrong('filter[owner]', 'Invalid UUID')],
  ['a member that is missing', mixed('&filter[ages]=7'), wrong('filter[owner]', 'expected a value, got nothing')],
  ['names of prototypes are names like any other', mixed('&filter[__proto__]=1&__proto__=2&constructor=3'), isJson(plain)],
  ['other brackets are other names', mixed('&filter[owner=1&filter[owner][x]=2&filter=3'), isJson(plain)],
  ['one schema for all', get('/whole'), isJson(whole)],
  [
    'its lists and objects',
    get(`/whole?tags=a&filter[words]=x&filter[words]=y&filter[owner]=${id}`),
    isJson({ ...whole, tags: ['a'], filter: { owner: id, words: ['x', 'y'] } }),
  ],
  ['a rule between two members', get('/whole?from=2&to=1'), wrong('from', 'from must not be above to')],
  ['a rule of the whole names no parameter', get('/whole?page=13'), refuses(400, { in: 'query', detail: 'there is no page 13' })],
  ['one schema for the captures', get('/points/3/4'), isJson({ x: 3, y: 4 })],
  ['a capture of it', get('/points/3/10'), wrong('y', 'Too big: expected number to be <=9', 'path')],
  ['one schema for the captures of a prefix', get('/shops/2/up/3'), isJson([4, 'up', 3])],
  ['a capture of the prefix', get('/shops/2/in/3'), wrong('floor', 'expected one of up, down', 'path')],
  ['one schema for the cookies', get('/cookies', { Cookie: 'visits=3' }), isJson({ theme: 'dark', visits: 3 })],
  ['a cookie of it', get('/cookies', { Cookie: 'theme=blue' }), wrong('theme', 'expected one of dark, light', 'cookie')],
  ['one schema for the headers', get('/headers', { 'x-one': '1' }), isJson({ 'X-One': 1 })],
  ['a header that is missing', get('/headers'), wrong('X-One', 'expected a value, got nothing', 'header')],
  ['a schema of ArkType', get('/ark?count=3&name=a'), isJson({ count: 3, name: 'a' })],
  ['a bound of ArkType', get('/ark?count=0'), wrong('count', 'expected positive')],
]

describeEachAdapter(server, (running) => {
  testRows(running, rows)
})

describe('a name __proto__ is a name like any other', () => {
  const named = (schema: unknown): Record<string, never> => Object.fromEntries([['__proto__', schema]]) as Record<string, never>
  const proto = {
    codecs: endpoint('GET /codecs/:__proto__', {
      query: named(z.string().optional()),
      headers: named(z.int().optional()),
      response: ok(json),
    }),
    schemas: endpoint('GET /schemas/:__proto__', {
      params: described({ type: 'object', properties: named({ type: 'string' }), required: ['__proto__'] }) as never,
      query: described({ type: 'object', properties: named({ type: 'string' }) }) as never,
      response: ok(json),
    }),
    objects: endpoint('GET /objects', { query: named(z.object({ owner: z.string() }).optional()), response: ok(json) }),
  }
  const listParts = ({ params, query, headers }: Readonly<Record<'params' | 'query' | 'headers', object>>): unknown =>
    [params, query, headers].map((part) => Object.entries(part))
  const server = serve(proto, { codecs: listParts, schemas: listParts, objects: listParts } as never) as ApiServer
  test.each<[string, Readonly<Record<string, string>>, unknown]>([
    ['/codecs/a?__proto__=b', { ['__proto__']: '3' }, [[['__proto__', 'a']], [['__proto__', 'b']], [['__proto__', 3]]]],
    ['/codecs/a', {}, [[['__proto__', 'a']], [['__proto__', null]], [['__proto__', null]]]],
    ['/schemas/a?__proto__=b', {}, [[['__proto__', 'a']], [['__proto__', 'b']], []]],
    ['/objects?__proto__[owner]=b', {}, [[], [['__proto__', { owner: 'b' }]], []]],
  ])('%s', async (target, fields, expected) => {
    const response = await server.fetch(
      new Request(`http://stones.example${target}`, { headers: Object.entries(fields) as [string, string][] }),
    )
    expect(await response.text()).toBe(JSON.stringify(expected))
  })
})

test('a parameter that is left out has no value, also where each object has a member of its name', async () => {
  const optionals = Object.fromEntries(['constructor', 'toString', '__proto__'].map((name) => [name, z.string().optional()]))
  const race = endpoint('GET /races', { query: optionals, headers: optionals, response: ok(text) })
  const call = client({ race }, 'http://stones.example', {
    fetch: async ({ url }) => new Response(url, { headers: { 'Content-Type': 'text/plain' } }),
  })
  expect(await call.race({})).toBe('http://stones.example/races')
  expect(link(race, { query: { constructor: 'lotus' } as never })).toBe('/races?constructor=lotus')
})

test('a client writes what the schemas read', async () => {
  const call = client(api, 'http://stones.example', { fetch: server.fetch })
  const filter = { owner: id, ages: [1, 2] }
  const query = { word: 'w', price: 1e-7, level: 'all' as const, limit: null, tags: ['a', 'b'], filter }
  expect(await call.mixed({ params: { id }, query, headers: { 'X-Level': 9 } })).toEqual({ ...plain, ...query, 'X-Level': 9 })
  expect(await call.whole({ query: { tags: [], filter: { words: ['x'] } } })).toEqual({ ...whole, filter: { words: ['x'] } })
  expect(await call.shops.shelf({ params: { shop: 2, floor: 'up', shelf: 3 } })).toEqual([4, 'up', 3])
  expect(await call.point({ params: { x: 1, y: 2 } })).toEqual({ x: 1, y: 2 })
  expect(await call.headers({ headers: { 'X-One': 1 } })).toEqual({ 'X-One': 1 })
  await expect(call.mixed({ params: { id }, query: { ...query, price: Number.NaN } })).rejects.toThrow('NaN cannot be written')
})

test('match reads what link writes', () => {
  const input = { query: { tags: ['a'], from: 1, to: 2, filter: { owner: id, words: ['x y'] } } }
  const url = link(api.whole, input)
  expect(url).toBe(`/whole?tags=a&from=1&to=2&filter%5Bowner%5D=${id}&filter%5Bwords%5D=x%20y`)
  expect(match(api, url)).toMatchObject({ name: 'whole', query: { ...input.query, page: 1 } })
})

describe('what no text holds is refused when the endpoint is declared', () => {
  test('an object in a query is refused in a prefix', () => {
    const declare = () => prefix('/:x', z.object({ x: z.object({ y: z.int() }) }) as never, {})
    expect(declare).toThrow('/:x: params: A parameter is a text, which cannot hold an object inside another value.')
  })

  const declare = (query: object) => () => endpoint('GET /x', { query: query as { a: typeof int }, response: ok(json) })
  test.each([
    ['any value', { a: z.any() }, 'A parameter is a text, which cannot hold a value of any type.'],
    ['text or a number', { a: z.union([z.string(), z.int()]) }, 'The same text would stand for any text, and other values.'],
    [
      'text of any form or of one, or a number',
      { a: z.union([z.string(), z.uuid(), z.int()]) },
      'The same text would stand for any text, and other values.',
    ],
    ['text or null', { a: z.string().nullable() }, 'The same text would stand for any text, and other values.'],
    [
      'a digit as text, or a number',
      { a: z.union([z.literal('5'), z.int()]) },
      'The same text would stand for the text "5", and a number.',
    ],
    ['a word twice', { a: z.literal([true, 'true']) }, 'The same text would stand for the text "true", and true itself.'],
    ['a list of lists', { a: z.array(z.array(z.string())) }, 'A parameter is a text, which cannot hold an array inside another value.'],
    [
      'an object as a constant',
      { a: described({ const: { b: 1 } }) },
      'A parameter is a text, which cannot hold an object or an array inside another value.',
    ],
    [
      'a list as a name',
      { a: described({ enum: [['b']] }) },
      'A parameter is a text, which cannot hold an object or an array inside another value.',
    ],
    [
      'a list or a text',
      { a: described({ type: ['array', 'string'] }) },
      'A parameter is a text, which cannot hold an array beside other values, or a tuple.',
    ],
    [
      'an object or null as the whole query',
      described({ type: ['object', 'null'], properties: { a: { type: 'string' } } }),
      'A parameter is a text, which cannot hold a union of objects.',
    ],
    ['a tuple', { a: z.tuple([z.string()]) }, 'A parameter is a text, which cannot hold an array beside other values, or a tuple.'],
    [
      'two levels',
      { a: z.object({ b: z.object({ c: z.string() }) }) },
      'A parameter is a text, which cannot hold an object inside another value.',
    ],
    [
      'a record',
      { a: z.record(z.string(), z.string()) },
      'A parameter is a text, which cannot hold an object whose members the schema does not name.',
    ],
    [
      'a union of objects',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      'A parameter is a text, which cannot hold a union of objects.',
    ],
    ['a date', { a: z.date() }, 'GET /x: query.a: This zod schema cannot produce its JSON Schema'],
    ['a date in an object', { a: z.object({ day: z.date() }) }, 'GET /x: query.a: This zod schema cannot produce its JSON Schema'],
    ['a date of one schema', z.object({ a: z.string(), day: z.date() }), 'GET /x: query: This zod schema cannot produce its JSON Schema'],
  ])('%s', (_what, query, message) => {
    expect(declare(query)).toThrow(/^GET \/x: query.* Or describe it by codecs\.$/)
    expect(declare(query)).toThrow(message)
  })

  test('objects outside the query, and captures that the schema lacks or may lack', () => {
    const declareParams = (params: object) => () => endpoint('GET /:x', { params: params as { x: typeof int }, response: ok(json) })
    expect(declareParams(z.object({ x: z.object({ y: z.int() }) }))).toThrow(
      'A parameter is a text, which cannot hold an object inside another value.',
    )
    expect(declareParams(z.object({ y: z.int() }))).toThrow('GET /:x: the schema of its captures has no member "x".')
    expect(declareParams(z.object({ x: z.int().optional() }))).toThrow('a capture is one text that is always there')
    expect(declareParams({ x: z.int().optional() })).toThrow('a capture is one text that is always there')
    expect(declareParams({ x: z.array(z.int()) })).toThrow('a capture is one text that is always there')
    const declareCookies = (cookies: object) => () => endpoint('GET /x', { cookies: cookies as { a: typeof int }, response: ok(json) })
    expect(declareCookies({ a: z.array(z.string()) })).toThrow('a cookie is one text')
  })
})

test.each([
  ['uuid', id],
  ['date', '2024-02-29'],
  ['date-time', '2024-02-29T12:00:00Z'],
  ['time', '12:00:00Z'],
  ['duration', 'P1D'],
  ['email', 'ann@example.org'],
  ['uri', 'https://example.org/'],
  ['ipv4', '127.0.0.1'],
  ['ipv6', '::1'],
])('a text of the format %s can stand beside an integer and null, since it is neither', (format, value) => {
  const a = described({ anyOf: [{ type: 'string', format }, { type: 'integer' }, { type: 'null' }] })
  const one = endpoint('GET /', { query: { a }, response: ok(json) })
  const read = (text: string) => match(one, `/?a=${encodeURIComponent(text)}`)?.query
  expect([read(value), read('7'), read('null')]).toEqual([{ a: value }, { a: 7 }, { a: null }])
})

test('a parameter has the name of its type, and is required unless it can be left out', () => {
  const query = {
    id: z.uuid(),
    word: z.string(),
    count: z.int(),
    flag: z.boolean(),
    sort: z.enum(['age', 'name']),
    size: z.literal([1, 2]),
    mixed: z.union([z.literal('all'), z.int()]),
    numbers: z.union([z.int(), z.number()]),
    part: described({ allOf: [{ type: 'integer' }, { minimum: 1 }] }),
    late: z.string().refine(async () => true),
    either: z.union([z.uuid(), z.int()]),
    sizes: z.array(z.number()),
    some: z.array(z.int()).min(1),
    maybe: z.array(z.int()).optional(),
  }
  const one = endpoint('GET /', { query, response: ok(json) })
  expect(Object.entries(one.query).map(([key, { name, required }]) => [key, name, required])).toEqual([
    ['id', 'uuid', true],
    ['word', 'text', true],
    ['count', 'integer', true],
    ['flag', 'boolean', true],
    ['sort', 'choice', true],
    ['size', 'choice', true],
    ['mixed', 'choice', true],
    ['numbers', 'number', true],
    ['part', 'integer', false],
    ['late', 'text', true],
    ['either', 'choice', true],
    ['sizes', 'list of number', false],
    ['some', 'list of integer', true],
    ['maybe', 'list of integer', false],
  ])
})

test('a parameter takes the definitions along that its schema refers to', () => {
  const $defs = { Level: { type: 'integer', minimum: 1 } }
  const levels = { type: 'array', items: { $ref: '#/$defs/Level' } }
  const one = endpoint('GET /one', { query: { levels: described({ ...levels, $defs }) }, response: ok(json) })
  const properties = { levels, word: { type: 'string' } }
  const whole = endpoint('GET /whole', { query: described({ type: 'object', properties, $defs }), response: ok(json) })
  const schemas = [one, whole].flatMap(({ query }) => Object.values(query).map(({ jsonSchema }) => jsonSchema))
  expect(schemas).toEqual([{ ...levels, $defs }, { ...levels, $defs }, { type: 'string' }])
  expect(match(one, '/one?levels=1&levels=2')?.query).toEqual({ levels: [1, 2] })
})

test('what a schema states is shown: its examples, its default or the first of its names', () => {
  const query = {
    page: z
      .int()
      .default(3)
      .meta({ examples: [1, 2] }),
    size: z.int().default(20),
    sort: z.enum(['age', 'name']),
    tags: z.array(z.string()).meta({ examples: [['a', 'b'], ['c']] }),
    point: z
      .int()
      .transform((x) => ({ x }))
      .default({ x: 1 }),
  }
  const one = endpoint('GET /', { query, response: ok(json) })
  expect(Object.fromEntries(Object.entries(one.query).map(([name, { examples }]) => [name, examples]))).toEqual({
    page: ['1', '2', '3'],
    size: ['20'],
    sort: ['age'],
    tags: ['a', 'b'],
    point: [],
  })
})

const late = async (): Promise<boolean> => true
test.each<[what: string, definition: object, path: string]>([
  ['a query parameter', { query: { a: z.string().refine(late) } }, '/slow/1?a=1'],
  ['a whole query', { query: z.object({ a: z.string() }).refine(late) }, '/slow/1?a=1'],
  ['an object in a query', { query: { a: z.object({ b: z.string() }).refine(late) } }, '/slow/1?a[b]=1'],
  ['a capture', { params: { id: z.string().refine(late) } }, '/slow/1'],
  ['all captures', { params: z.object({ id: z.string() }).refine(late) }, '/slow/1'],
])('an asynchronous schema of %s is reported, and is no answer of 200', async (_what, definition, path) => {
  const reported: unknown[] = []
  const slow = { slow: endpoint('GET /slow/:id', { ...definition, response: ok(json) }) }
  const { fetch } = serve(slow, { slow: () => 'served' }, { onError: (error) => reported.push(error) })
  expect((await fetch(new Request(`http://x${path}`))).status).toBe(500)
  expect(String(reported[0])).toContain('promise')
})

test('a schema that rejects without a value is that of a required parameter, and nothing else happens', async () => {
  const a: Schema<unknown> = {
    '~standard': {
      ...described({ type: 'string' })['~standard'],
      validate: async () => {
        throw new Error('no database')
      },
    },
  }
  const unhandled: unknown[] = []
  const note = (reason: unknown): void => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  const one = endpoint('GET /', { query: { a }, response: ok(json) })
  await new Promise(setImmediate)
  process.off('unhandledRejection', note)
  expect([one.query['a']?.required, unhandled]).toEqual([true, []])
})

test('an object has what its schema makes of it: defaults, and nothing for an optional list that is left out', () => {
  const Filter = z.object({ sizes: z.array(z.int()).max(1).optional(), page: z.int().max(9).default(1) })
  const nested = endpoint('GET /nested', { query: { filter: Filter }, response: ok(json) })
  const whole = endpoint('GET /whole', { query: Filter, response: ok(json) })
  expect(match(nested, '/nested?filter[page]=2')?.query).toEqual({ filter: { page: 2 } })
  expect(match(nested, '/nested?filter[sizes]=3')?.query).toEqual({ filter: { sizes: [3], page: 1 } })
  expect(match(whole, '/whole')?.query).toEqual({ page: 1 })
  // An object that must be there is there, though nothing of it is given.
  const required = endpoint('GET /required', { query: z.object({ filter: Filter }), response: ok(json) })
  expect(match(required, '/required')?.query).toEqual({ filter: { page: 1 } })
})

test('an issue of an object names the parameter, whatever the steps of its path are', async () => {
  const Filter = z.object({ sizes: z.array(z.int()).max(1).optional(), page: z.int().max(9).optional() })
  const steps = described({ properties: { a: { type: 'string' }, b: { type: 'string' } } })
  const validate = () => ({ issues: [{ message: 'expected another word', path: [{ key: 'b' }] }] })
  const refusing = {
    nested: endpoint('GET /nested', { query: { filter: Filter }, response: ok(json) }),
    steps: endpoint('GET /steps', { query: { '~standard': { ...steps['~standard'], validate } } satisfies Schema, response: ok(json) }),
  }
  const { fetch } = serve(refusing, { nested: () => '', steps: () => '' })
  const getErrorNames = async (path: string): Promise<unknown> => {
    const { errors = [] } = (await (await fetch(new Request(`http://x${path}`))).json()) as { readonly errors?: readonly object[] }
    return errors.map((error) => (error as { readonly name?: string }).name)
  }
  expect(await getErrorNames('/nested?filter[page]=10')).toEqual(['filter[page]'])
  expect(await getErrorNames('/nested?filter[page]=10&filter[sizes]=1&filter[sizes]=2')).toEqual(['filter[sizes]', 'filter[page]'])
  expect(await getErrorNames('/steps?a=1&b=2')).toEqual(['b'])
})

test('an object needs no type to be one, and words of a schema that may repeat the value are not sent', async () => {
  const filter = described({ properties: { word: { type: 'string' } } })
  const validate = () => ({ issues: [{ message: 'not "secret"' }] })
  const strict: Schema = { '~standard': { ...described({ type: 'string' })['~standard'], validate } }
  const one = endpoint('GET /', { query: { filter, strict }, response: ok(json) })
  expect(Object.keys(one.query)).toEqual(['filter[word]', 'strict'])
  const { fetch } = serve({ one }, { one: () => '' })
  const response = await fetch(new Request('http://x/?filter[word]=a&strict=secret'))
  expect(await response.json()).toMatchObject({
    errors: [{ in: 'query', name: 'strict', detail: 'expected a string that passes a further check' }],
  })
})

test('a union of a text and names of it is a text; 0 has no sign', () => {
  const query = { word: z.union([z.literal('any'), z.string()]), price: z.number() }
  const one = endpoint('GET /', { query, response: ok(json) })
  expect(match(one, '/?word=any&price=-0')?.query).toStrictEqual({ word: 'any', price: 0 })
})

test('a link leaves out what is absent, and writes no value of another type', () => {
  expect(link(api.mixed, { params: { id }, query: { word: 'w', tags: [] } })).toBe(`/mixed/${id}?word=w`)
  const write = (query: object) => () => link(api.mixed, { params: { id }, query: { word: 'w', tags: [], ...query } })
  expect(write({ tags: 'ab' })).toThrow('ab cannot be written: expected an array.')
  expect(write({ owner: 5 })).toThrow('5 cannot be written: expected a uuid.')
  expect(write({ sort: 'size' })).toThrow('size cannot be written: expected one of age, name.')
})
