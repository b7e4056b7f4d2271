/** The options of the toolkit's own codecs: what a request means without a parameter, what is refused, and what a client may leave out. */
import {
  array,
  bool,
  codec,
  date,
  dateTime,
  decimal,
  endpoint,
  flag,
  int,
  isParseError,
  json,
  ok,
  oneOf,
  optional,
  text,
  uuid,
} from 'lapidary'
import { client } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { link, match } from 'lapidary/links'
import { type ApiServer, serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter, testRows } from '../../support/matrix/eachAdapter.ts'
import { get, json as isJson, type Row, refuses } from '../../support/matrix/row.ts'

const api = {
  list: endpoint('GET /stones/:tenant', {
    params: { tenant: uuid },
    query: {
      limit: int({ min: 1, max: 100, default: 20 }),
      sort: oneOf(['age', 'name'], { default: 'age' }),
      sold: bool({ default: false }),
      since: dateTime({ default: new Date('2024-02-29T12:00:00Z') }),
      name: optional(text({ minLength: 2, maxLength: 3, pattern: /^[a-z💎]+$/u, examples: ['opa'] })),
      price: optional(decimal, { description: 'at most' }),
      size: array(int, { maxItems: 2 }),
    },
    headers: { 'X-Day': date({ default: '2024-02-29' }) },
    response: ok(json),
  }),
  some: endpoint('GET /some', { query: { id: array(int, { minItems: 1 }) }, response: ok(json) }),
}

const server: ApiServer = serve(api, {
  list: ({ params, query, headers }) => ({ ...params, ...query, ...headers }),
  some: ({ query }) => query.id,
})

const tenant = 'F81D4FAE-7dec-11d0-A765-00a0c91e6bf6'
const list = (query: string) => get(`/stones/${tenant}${query}`)
const plain = {
  tenant,
  limit: 20,
  sort: 'age',
  sold: false,
  since: '2024-02-29T12:00:00.000Z',
  size: [],
  'X-Day': '2024-02-29',
}
const wrong = (name: string, expected: string, place = 'query') => refuses(400, { in: place, name, detail: `expected ${expected}` })

const rows: readonly Row[] = [
  ['without its parameters, a request has the defaults', list(''), isJson(plain)],
  ['a name without a value is as good as absent', list('?limit'), isJson(plain)],
  ['what is there takes precedence', list('?limit=100&sort=name&sold=true'), isJson({ ...plain, limit: 100, sort: 'name', sold: true })],
  ['an instant with an offset', list('?since=2024-02-29T13:30:00.5%2b01:30'), isJson({ ...plain, since: '2024-02-29T12:00:00.500Z' })],
  ['a decimal number keeps its digits', list('?price=-0.10'), isJson({ ...plain, price: '-0.10' })],
  ['characters are counted, not UTF-16 units', list('?name=💎💎💎'), isJson({ ...plain, name: '💎💎💎' })],
  ['a header has a default as well', get(`/stones/${tenant}`, { 'X-Day': '2023-01-01' }), isJson({ ...plain, 'X-Day': '2023-01-01' })],
  ['too small', list('?limit=0'), wrong('limit', 'an integer from 1 to 100')],
  ['too large', list('?limit=101'), wrong('limit', 'an integer from 1 to 100')],
  ['twice', list('?limit=1&limit=2'), wrong('limit', 'one value, got 2')],
  ['too short', list('?name=a'), wrong('name', 'a text of 2 to 3 characters that matches ^[a-z💎]+$')],
  ['too long', list('?name=aaaa'), wrong('name', 'a text of 2 to 3 characters that matches ^[a-z💎]+$')],
  ['no match', list('?name=A1'), wrong('name', 'a text of 2 to 3 characters that matches ^[a-z💎]+$')],
  ['too many', list('?size=1&size=2&size=3'), wrong('size', '0 to 2 values, got 3')],
  ['too few', get('/some'), wrong('id', '1 or more values, got 0')],
  ['enough', get('/some?id=1&id=2'), isJson([1, 2])],
  [
    'no UUID',
    get('/stones/1'),
    refuses(400, { in: 'path', name: 'tenant', detail: 'expected a UUID such as f81d4fae-7dec-11d0-a765-00a0c91e6bf6' }),
  ],
  ['a leap second', list('?since=2016-12-31T23:59:60Z'), wrong('since', 'a second from 00 to 59: leap seconds are not supported')],
]

describeEachAdapter(server, (running) => testRows(running, rows))

test('a client may leave out what has a default, and cannot send what is out of bounds', async () => {
  const sent: string[] = []
  const call = client(api, 'http://example.org', {
    fetch: (request) => {
      sent.push(new URL(request.url).search)
      return server.fetch(request)
    },
  })
  expect(await call.list({ params: { tenant } })).toEqual(plain)
  expect(await call.list({ params: { tenant }, query: { limit: 7 } })).toEqual({ ...plain, limit: 7 })
  expect(sent).toEqual(['', '?limit=7'])
  await expect(call.list({ params: { tenant }, query: { limit: 0 } })).rejects.toThrow(
    'GET /stones/:tenant cannot be called with this input: 0 cannot be written: expected an integer from 1 to 100.',
  )
  await expect(call.some({ query: { id: [] } })).rejects.toThrow('expected 1 or more values, got 0')
})

test('links leave it out, and match reads the default', () => {
  expect(link(api.list, { params: { tenant } })).toBe(`/stones/${tenant}`)
  expect(match(api.list, `/stones/${tenant}`)?.query).toMatchObject({ limit: 20, sort: 'age', since: new Date('2024-02-29T12:00:00Z') })
})

test('no handler can change the default of another request', () => {
  const { since } = match(api.list, `/stones/${tenant}`)?.query ?? {}
  since?.setFullYear(1999)
  expect(match(api.list, `/stones/${tenant}`)?.query.since).toEqual(new Date('2024-02-29T12:00:00Z'))
})

test('bounds and defaults are in the JSON Schema', () => {
  const { limit, since, name, size, sort } = api.list.query
  expect([limit?.jsonSchema, limit?.required]).toEqual([{ type: 'integer', minimum: 1, maximum: 100, default: 20 }, false])
  expect(since?.jsonSchema).toEqual({ type: 'string', format: 'date-time', default: '2024-02-29T12:00:00.000Z' })
  expect(name?.jsonSchema).toEqual({ type: 'string', minLength: 2, maxLength: 3, pattern: '^[a-z💎]+$' })
  expect(size?.jsonSchema).toEqual({ type: 'array', items: int.jsonSchema, maxItems: 2 })
  expect(sort?.jsonSchema).toEqual({ type: 'string', enum: ['age', 'name'], default: 'age' })
  expect(text.jsonSchema).toEqual({ type: 'string' })
})

test('bounds and defaults are in the documentation', async () => {
  const text = markdown(await outline(api))
  expect(text).toContain('`limit` (integer from 1 to 100, default 20)')
  expect(text).toContain('`sort` (choice, default age)')
  expect(text).toContain('`name` (text of 2 to 3 characters that matches')
  expect(text).toContain('`id` (list of integer, 1 or more, required)')
  expect(text).toContain('`X-Day` (date, default 2024-02-29)')
})

test('a description and examples stand in the place of the codec’s own', () => {
  expect(int({ description: 'how many', examples: [1, 2] })).toMatchObject({ description: 'how many', examples: ['1', '2'] })
  expect(int({ default: 7 }).examples).toEqual(['7'])
  expect(int({ min: 50 }).examples).toEqual(['50'])
  expect(optional(int({ description: 'one' }), { description: 'two' }).description).toBe('two')
  expect(array(int, { description: 'sizes', examples: [[1, 2]] })).toMatchObject({ description: 'sizes', examples: ['1', '2'] })
  expect(flag({ description: 'loud' })).toMatchObject({ name: 'flag', description: 'loud', examples: [''] })
})

test('an optional codec keeps its default', () => {
  expect(optional(int({ default: 7 })).read({ values: [], isPresent: false })).toBe(7)
  expect(optional(array(int)).read({ values: [], isPresent: false })).toBe(undefined)
  // A default that only the JSON Schema of a codec tells is none that it reads.
  const word = codec({ name: 'word', parse: String, print: String, schema: { type: 'string', default: 'a' }, example: 'b' })
  expect(optional(word).read({ values: [], isPresent: false })).toBe(undefined)
})

test('several example lists are shown as one that is not too long', () => {
  const examples = [
    [1, 2],
    [3, 4],
  ]
  expect(array(int, { maxItems: 3, examples }).examples).toEqual(['1', '2', '3'])
  expect(() => array(int, { maxItems: 1, examples })).toThrow('This list cannot be written: expected 0 to 1 values, got 2.')
})

test.each<[pattern: RegExp, right: string, wrong: string]>([
  [/^\d{3}-\d{4}$/, '123-4567', 'x'],
  [/^[\w-.]+$/, 'a.b-c', 'a b'],
  [/^#_[^-]$/, '#_a', '#_-'],
  [/^{}]$/, '{}]', 'x'],
  [/^[^p{L}]$/, '1', 'p'],
])('a pattern that only reads without the flag u is kept: %s', (pattern, right, wrong) => {
  const codec = text({ pattern, examples: [right] })
  expect(codec.parse(right)).toBe(right)
  expect(isParseError(codec.parse(wrong))).toBe(true)
})

test.each<[what: string, write: () => unknown]>([
  ['int', () => int.write('5' as never)],
  ['bool', () => bool.write('true' as never)],
  ['text', () => text.write(5 as never)],
  ['date', () => date.write(['2024-02-29'] as never)],
  ['dateTime', () => dateTime.write('2024-02-29T12:00:00Z' as never)],
  ['decimal', () => decimal.write(['1'] as never)],
  ['uuid', () => uuid.write([tenant] as never)],
  ['oneOf', () => oneOf('a', 'b').write(['a'] as never)],
])('%s writes a value of its own type only, though another one has the same text', (_what, write) => {
  expect(write).toThrow(TypeError)
  expect(write).toThrow(/ cannot be written: expected /)
})

test('a list that must have some values shows as many, and an example is as long as its bounds say', () => {
  expect(array(int, { minItems: 3 }).examples).toEqual(['42', '42', '42'])
  expect(array(int({ examples: [1, 2] }), { minItems: 3 }).examples).toEqual(['1', '2', '1'])
  expect(text({ minLength: 6 }).examples).toEqual(['text--'])
  expect(text({ maxLength: 2 }).examples).toEqual(['te'])
  expect(int({ max: 7 }).examples).toEqual(['7'])
})

test('what is said of a codec is kept, until something else is said', () => {
  const described = int({ description: 'one', examples: [1] })
  expect(optional(described)).toMatchObject({ description: 'one', examples: ['1'] })
  expect(optional(described, { examples: [2, 3] })).toMatchObject({ description: 'one', examples: ['2', '3'] })
  expect(optional(text, { description: 'two', examples: ['a'] })).toMatchObject({ description: 'two', examples: ['a'], isOptional: true })
  expect('description' in optional(int)).toBe(false)
  expect(oneOf(['a', 'b'], undefined as never).examples).toEqual(['a'])
})

test('an error of options or of a schema has its cause', () => {
  const nested = z.object({ a: z.object({ b: z.string() }) })
  for (const define of [() => int({ min: 10, max: 5 }), () => endpoint('GET /a', { headers: nested as never, response: ok(text) })])
    expect(define).toThrow(expect.objectContaining({ cause: expect.any(TypeError) }))
})

const within = 'Correct the bounds, or give a default and examples within them.'

test.each<[string, () => unknown, string]>([
  [
    'a lower bound above the upper',
    () => int({ min: 10, max: 5 }),
    `The options of integer contradict each other: 10 cannot be written: expected an integer from 10 to 5. ${within}`,
  ],
  ['no number as a bound', () => int({ min: Number.NaN }), within],
  ['a default out of bounds', () => int({ max: 5, default: 6 }), `6 cannot be written: expected an integer up to 5. ${within}`],
  ['an example out of bounds', () => int({ max: 5, examples: [1, 6] }), '6 cannot be written'],
  ['a default that is none of the names', () => oneOf(['a', 'b'], { default: 'c' as 'a' }), 'c cannot be written: expected one of a, b.'],
  ['a least length above the most', () => text({ minLength: 5, maxLength: 2 }), 'expected a text of 5 to 2 characters'],
  ['a pattern without an example', () => text({ pattern: /^[0-9]$/ }), 'text cannot be written: expected a text that matches ^[0-9]$.'],
  ['a pattern with flags', () => text({ pattern: /a/i }), '/a/i cannot be written: expected a pattern without flags.'],
  ['an invalid Date', () => dateTime({ default: new Date('x') }), 'a valid Date of the years 0 to 9999'],
  [
    'an unknown option',
    () => int({ maximum: 5 } as never),
    'integer has the unknown option "maximum". Use one of min, max, default, description, examples.',
  ],
  ['an unknown option of oneOf', () => oneOf(['a'], { max: 1 } as never), 'oneOf() has the unknown option "max".'],
  ['an unknown option of array', () => array(int, { max: 1 } as never), 'array() has the unknown option "max".'],
  ['an unknown option of flag', () => flag({ default: true } as never), 'flag has the unknown option "default".'],
  ['fewer items than none', () => array(int, { minItems: -1 }), 'array() has minItems -1 and maxItems undefined, so no list fits.'],
  ['no number of items', () => array(int, { minItems: Number.NaN }), 'array() has minItems NaN'],
  [
    'more items than there may be',
    () => array(int, { minItems: 3, maxItems: 2 }),
    'array() has minItems 3 and maxItems 2, so no list fits.',
  ],
  [
    'a default in a capture',
    () => endpoint('GET /:id', { params: { id: int({ default: 1 }) as never }, response: ok(json) }),
    'GET /:id: a capture is one text that is always there.',
  ],
])('%s is refused when it is declared', (_what, make, message) => {
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})

test.each([
  ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
  ['2024-02-29t12:00:00z', '2024-02-29T12:00:00.000Z'],
  ['2024-02-29T12:00:00.1200000Z', '2024-02-29T12:00:00.120Z'],
  ['2024-02-29T00:00:00-00:00', '2024-02-29T00:00:00.000Z'],
  ['2024-02-29T00:00:00+23:59', '2024-02-28T00:01:00.000Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
])('%s is the instant %s', (given, instant) => {
  const read = dateTime.parse(given)
  expect(isParseError(read) ? read : dateTime.print(read)).toBe(instant)
})

test.each([
  '2024-02-30T12:00:00Z',
  '2023-02-29T12:00:00Z',
  '2024-02-29T24:00:00Z',
  '2024-02-29T12:60:00Z',
  '2024-02-29T12:00:00',
  '2024-02-29T12:00Z',
  '2024-02-29 12:00:00Z',
  '2024-02-29T12:00:00.Z',
  '2024-02-29T12:00:00+01',
  '2024-02-29T12:00:00+24:00',
  '2024-02-29T12:00:00.0001Z',
  '0000-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '2024-02-29T23:59:60Z',
  '2024-02-29',
  '',
])('%j is no instant', (given) => {
  expect(isParseError(dateTime.parse(given))).toBe(true)
})

test.each(['1', '-1', '0', '-0.00', '0.10', `0.${'1'.repeat(98)}`])('%s is a decimal number', (given) => {
  expect(decimal.parse(given)).toBe(given)
})

test.each(['', '+1', '01', '1.', '.5', '1e3', '1,5', ' 1', 'NaN', `0.${'1'.repeat(99)}`])('%j is no decimal number', (given) => {
  expect(isParseError(decimal.parse(given))).toBe(true)
})

test.each([tenant, '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff'])('%s is a UUID as it is', (given) => {
  expect(uuid.parse(given)).toBe(given)
})

test.each(['', `{${tenant}}`, `urn:uuid:${tenant}`, tenant.replaceAll('-', ''), `${tenant}0`, tenant.replace('F', 'g')])(
  '%j is no UUID',
  (given) => {
    expect(isParseError(uuid.parse(given))).toBe(true)
  },
)

test.each<[string, unknown]>([
  ['a schema', z.int()],
  ['nothing', undefined],
  ['a string', 'int'],
])('a list of %s is refused', (what, item) => {
  expect(() => array(item as typeof int)).toThrow(
    `array(): the item is ${what}, expected a codec. Write int, text, uuid, file() or codec({ … }). A list of a schema is a schema, such as z.array(z.int()).`,
  )
})
