/** Pagination by the Range header: every item once, for any equal values, page sizes and directions. */
import fc from 'fast-check'
import { endpoint, int, text } from 'lapidary'
import { rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { parseRange, printRange, printWord } from '../../src/pagination/range.ts'
import { linkedRange } from '../support/paginationModel.ts'

const Track = z.object({ id: z.int(), title: z.string(), length: z.int() })
type Track = z.infer<typeof Track>

const trackRanges = rangePagination(
  Track,
  { title: { codec: text, get: (track) => track.title }, length: { codec: int, get: (track) => track.length } },
  { key: { codec: int, get: (track) => track.id }, default: 'title', options: { length: { limit: 5 } } },
)
const api = { tracks: endpoint('GET /tracks', { ...trackRanges.declaration }) }

const serveTracks = (tracks: readonly Track[]): ((range?: string, query?: string) => Promise<Response>) => {
  const server = serve(api, { tracks: (input) => trackRanges.page(input, tracks, { maxLimit: 50 }) })
  return (range, query = '') =>
    server.fetch(new Request(`http://test/tracks${query}`, range === undefined ? {} : { headers: { Range: range } }))
}

/** Few distinct values, so that most of them are shared; titles with everything that a header cannot hold as it is. */
const tracks = fc
  .array(
    fc.record({
      title: fc.constantFrom('', 'a', 'a;b', 'a..b', 'é', '\u{1f600}', '\uffff', 'x y', 'c\r\nd', '"', '%41'),
      length: fc.integer({ min: 0, max: 3 }),
    }),
    {
      maxLength: 40,
    },
  )
  .map((rows) => rows.map((row, id) => ({ id, ...row })))

/** The ids of all pages, from the first range on. */
async function walked(send: ReturnType<typeof serveTracks>, first: string): Promise<readonly number[]> {
  const ids: number[] = []
  for (let range: string | null = first; range !== null; ) {
    const response: Response = await send(range)
    expect(response.status).toBe(206)
    const page = (await response.json()) as Track[]
    ids.push(...page.map(({ id }) => id))
    range = response.headers.get('Next-Range')
    if (range !== null) expect(page.length).toBeGreaterThan(0)
    if (ids.length > 1_000) throw new Error(`The walk from "${first}" does not end.`)
  }
  return ids
}

const byCodePoint = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))

test('following Next-Range visits each item once, in the requested order', async () => {
  const field = fc.constantFrom('title' as const, 'length' as const)
  const order = fc.constantFrom('asc' as const, 'desc' as const)
  await fc.assert(
    fc.asyncProperty(
      tracks,
      field,
      order,
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 0, max: 5 }),
      async (all, by, direction, limit, offset) => {
        const sign = direction === 'asc' ? 1 : -1
        const sorted = [...all].sort(
          (one, other) => sign * ((by === 'title' ? byCodePoint(one.title, other.title) : one.length - other.length) || one.id - other.id),
        )
        const ids = await walked(serveTracks(all), `${by}; order ${direction}; limit ${limit}; offset ${offset}`)
        expect(ids).toEqual(sorted.slice(offset).map(({ id }) => id))
      },
    ),
    { numRuns: 300 },
  )
})

test('a range of any value is read as it was printed', () => {
  const options = { offset: fc.nat(), limit: fc.nat(), order: fc.constantFrom('asc' as const, 'desc' as const) }
  const fields = { title: { codec: text, options: { offset: 0, limit: 100, order: 'desc' as const } } }
  fc.assert(
    fc.property(
      fc.record({
        field: fc.constant('title'),
        value: fc.option(fc.string({ unit: 'binary', minLength: 1 }), { nil: undefined }),
        ...options,
      }),
      (range) => {
        fc.pre(range.value === undefined || (range.value.isWellFormed() && !range.value.includes('\0')))
        expect(parseRange(printRange(range, fields), fields)).toEqual(range)
      },
    ),
  )
})

test('the two values of a Content-Range are distinct', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (first, last) => {
      fc.pre(!first.endsWith('.') && !last.startsWith('.'))
      expect(`${printWord(first)}..${printWord(last)}`.split('..')).toHaveLength(2)
    }),
  )
})

const three: readonly Track[] = [
  { id: 1, title: 'a', length: 10 },
  { id: 2, title: 'b', length: 10 },
  { id: 3, title: 'c', length: 20 },
]

test('without a range the pages are those of the default field, in descending order', async () => {
  const response = await serveTracks(three)()
  expect(response.status).toBe(206)
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'total-count': '3',
    'accept-ranges': 'title,length',
    'content-range': 'title c..a',
  })
  expect(response.headers.has('next-range')).toBe(false)
})

describe('a range that cannot be read is a 400 with the reason', () => {
  test.each([
    ['', 'the name of a field'],
    ['title a b', 'at most one value'],
    ['title;', 'each option as a name and a value'],
    ['title; limit', 'each option as a name and a value'],
    ['title; limit 1 2', 'each option as a name and a value'],
    ['title; limit 1; limit 2', 'the option limit once'],
    ['title; limit -1', 'limit as a whole number'],
    ['title; offset 1.5', 'offset as a whole number'],
    ['title; order up', 'the order asc or desc'],
    ['title; size 3', 'the options after, offset, limit and order'],
    ['title; after', 'each option as a name and a value'],
    ['title; after a.b', 'after with a token: letters, digits, - and _'],
    ['title; after ab; after ab', 'the option after once'],
    ['title a; after ab', 'a value or the option after, not both'],
    ['title; after ab', 'after with a token that a Link of these items had, on the field title'],
    ['title %zz', 'percent-encoded'],
    ['title a%00', 'without NUL'],
    ['title \u00e9', 'percent-encoded'],
    ['length ten', 'an integer'],
  ])('"%s": expected %s', async (range, expectation) => {
    for (const response of [
      await serveTracks(three)(undefined, `?range=${encodeURIComponent(range)}`),
      ...(range === '' ? [] : [await serveTracks(three)(range)]),
    ]) {
      expect(response.status).toBe(400)
      expect(response.headers.get('Accept-Ranges')).toBe('title,length')
      expect(((await response.json()) as { errors: { detail: string }[] }).errors[0]?.detail).toContain(expectation)
    }
  })
})

test('a field without ranges is a 416 that lists the fields with ranges', async () => {
  const response = await serveTracks(three)('id')
  expect([response.status, response.headers.get('Accept-Ranges')]).toEqual([416, 'title,length'])
  expect(await response.json()).toMatchObject({ detail: 'There are no ranges on this field. Fields with ranges: title, length.' })
})

test('a range in another unit is ignored in the header, and an error in the query', async () => {
  expect((await serveTracks(three)('bytes=0-1')).status).toBe(206)
  const query = await serveTracks(three)(undefined, '?range=bytes%3D0-1')
  expect(query.status).toBe(400)
  expect(await query.json()).toMatchObject({ errors: [{ detail: 'expected a field, not a unit such as bytes=' }] })
})

test('an equals sign behind the field is a part of the value, not of a unit', async () => {
  const all = ['a', 'a=b', 'c'].map((title, id) => ({ id, title, length: 1 }))
  const response = await serveTracks(all)('title a=b; order asc')
  expect(await response.json()).toEqual([all[2]])
})

test('the two dots within a value are encoded, since two dots separate the values of a Content-Range', async () => {
  const all = ['a..b', 'c...d'].map((title, id) => ({ id, title, length: 1 }))
  const { headers } = await serveTracks(all)('title; order asc')
  expect(headers.get('Content-Range')).toBe('title a%2E%2Eb..c%2E%2E.d')
})

test('texts are in the order of their code points, on both sides of the surrogates', async () => {
  const titles = [
    '',
    'a',
    'a\ud7ff',
    'a\ue000',
    'a\uffff',
    'a\u{10000}',
    'a\u{10ffff}',
    'aa',
    '\ud000',
    '\ud7ff',
    '\ue000',
    '\uffff',
    '\u{10000}',
  ]
  const sorted = [...titles].sort(byCodePoint)
  const all = titles.map((title, id) => ({ id, title, length: 1 }))
  const titlesOf = async (range: string): Promise<unknown> =>
    ((await (await serveTracks(all)(range)).json()) as Track[]).map(({ title }) => title)
  expect(await titlesOf('title; order asc')).toEqual(sorted)
  expect(await titlesOf('title; order desc')).toEqual(sorted.reverse())
})

test('a value begins the page behind all items that have it, whatever their keys, in both orders', async () => {
  const all = ['a', 'b', 'b', 'c'].map((title, id) => ({ id, title, length: 1 }))
  expect(await (await serveTracks(all)('title b; order asc')).json()).toEqual([all[3]])
  expect(await (await serveTracks(all)('title b; order desc')).json()).toEqual([all[0]])
})

const Guest = z.object({ id: z.string(), name: z.nullable(z.string()) })
const guests = [null, 'b', '', null, 'a'].map((name, at) => ({ id: `${at}`, name }))
const guestInput = (range: string) => ({ headers: { Range: range }, query: { range: undefined } })

test.each([
  [undefined, 'asc', '03241'],
  [undefined, 'desc', '14230'],
  ['lowest', 'asc', '03241'],
  ['lowest', 'desc', '14230'],
  ['highest', 'asc', '24103'],
  ['highest', 'desc', '30142'],
] as const)(
  'where nulls is %j, items without a value come once, in their place in the order %s, by Next-Range and by Link',
  async (nulls, order, expected) => {
    const { page } = rangePagination(
      Guest,
      { name: { codec: text, get: ({ name }) => name, ...(nulls === undefined ? {} : { nulls }) } },
      { key: ({ id }) => id, default: 'name' },
    )
    for (const limit of [1, 2, 3, 5]) {
      const found = { 'Next-Range': '', Link: '' }
      for (const header of ['Next-Range', 'Link'] as const) {
        for (let range: string | undefined = `name; order ${order}; limit ${limit}`; range !== undefined; ) {
          const { body, headers } = await page(guestInput(range), guests)
          found[header] += body.map(({ id }) => id).join('')
          range = header === 'Link' ? (headers.Link === undefined ? undefined : linkedRange(headers)) : headers['Next-Range']
          if (found[header].length > 2 * guests.length) throw new Error(`The walk by ${header} does not end: ${found[header]}`)
        }
      }
      expect([limit, found]).toEqual([limit, { 'Next-Range': expected, Link: expected }])
    }
  },
)

test('the Content-Range of items without a value has an empty one', async () => {
  const { page } = rangePagination(Guest, { name: { codec: text, get: ({ name }) => name } }, { key: ({ id }) => id, default: 'name' })
  const { headers } = await page(guestInput('name; order asc; limit 4'), guests)
  expect(headers['Content-Range']).toBe('name ..a')
})

test('the query parameter is equal to the header, and both together are an error', async () => {
  const [header, query] = [
    await serveTracks(three)('length; order asc'),
    await serveTracks(three)(undefined, '?range=length%3B%20order%20asc'),
  ]
  expect(await query.text()).toBe(await header.text())
  expect((await serveTracks(three)('title', '?range=title')).status).toBe(400)
})

test('a limit of 0 returns the total alone, and a limit above the maximum is reduced', async () => {
  const empty = await serveTracks(three)('title; limit 0')
  expect([
    await empty.json(),
    empty.headers.get('Total-Count'),
    empty.headers.has('Content-Range'),
    empty.headers.has('Next-Range'),
  ]).toEqual([[], '3', false, false])
  const many = Array.from({ length: 60 }, (_, id) => ({ id, title: `${id}`, length: id }))
  expect(await (await serveTracks(many)('length; limit 1000')).json()).toHaveLength(50)
})

test('a page has at most 1,000 items by default', async () => {
  const many = Array.from({ length: 1_001 }, (_, id) => ({ id, title: '', length: 1 }))
  const server = serve(api, { tracks: (input) => trackRanges.page(input, many) })
  const response = await server.fetch(new Request('http://test/tracks', { headers: { Range: 'title; limit 1001' } }))
  expect(await response.json()).toHaveLength(1_000)
  expect(response.headers.get('next-range')).toContain('limit 1000')
})

describe('options with which items would be lost', () => {
  const field = { title: { codec: text, get: (track: Track) => track.title } }
  const key = { codec: int, get: (track: Track) => track.id }
  const declare = (options: object, fields: object = field) =>
    rangePagination(Track, fields as typeof field, { key, default: 'title', ...options })

  test.each<[options: object, message: string]>([
    [{ default: 'name' }, 'rangePagination(): default is "name", expected a field with ranges. Write one of title.'],
    [{ options: { name: {} } }, 'rangePagination(): a field of options is "name", expected a field with ranges. Write one of title.'],
    ...[Number.NaN, 0, -1, 1.5, Number.POSITIVE_INFINITY].map((limit): [object, string] => [
      { options: { title: { limit } } },
      `rangePagination(): options.title.limit is ${limit}, expected an integer from 1. Write one, or remove the option.`,
    ]),
    [
      { options: { title: { limit: '5' } } },
      'rangePagination(): options.title.limit is "5", expected an integer from 1. Write one, or remove the option.',
    ],
    ...[Number.NaN, -1].map((offset): [object, string] => [
      { options: { title: { offset } } },
      `rangePagination(): options.title.offset is ${offset}, expected an integer from 0. Write one, or remove the option.`,
    ]),
    [
      { options: { title: { order: 'up' } } },
      "rangePagination(): options.title.order is \"up\", expected an order. Write 'asc' or 'desc', or remove the option.",
    ],
  ])('%j are refused where they are declared', (options, message) => {
    expect(() => declare(options)).toThrow(new TypeError(message))
  })

  test('a field that no range can name is refused', () => {
    expect(() => declare({ default: 'the title' }, { 'the title': field.title })).toThrow(
      'rangePagination() has the field "the title", which no range can name. Begin it with a letter, and use letters, digits, - and _.',
    )
  })

  test.each([Number.NaN, 0, -1, 1.5, '5' as never])('a page of at most %j items or bytes is refused', async (limit) => {
    const input = { headers: { Range: undefined }, query: { range: undefined } }
    const all = [{ id: 1, title: 'a', length: 1 }]
    for (const option of ['maxLimit', 'maxBytes'])
      await expect(declare({}).page(input, all, { [option]: limit })).rejects.toThrow(
        `page(): ${option} is ${JSON.stringify(limit) === 'null' ? limit : JSON.stringify(limit)}, expected an integer from 1. Write one, or remove the option.`,
      )
    const { body } = await declare({}).page(input, all, { maxLimit: Number.POSITIVE_INFINITY })
    expect(body).toHaveLength(1)
  })
})

test.each([
  [5, 8, 2],
  [5, 7, 1],
  [5, 3, 1],
  [2, 8, 2],
  [2, 7, 1],
  [1, 3, 1],
  [5, 1_000, 5],
])('of %d items of 4 bytes each, a page of at most %d bytes has %d, and at least one', async (limit, maxBytes, expected) => {
  const all = Array.from({ length: 9 }, (_, id) => ({ id, title: `${id}`, length: id }))
  const input = { headers: { Range: `length; order asc; limit ${limit}` }, query: { range: undefined } }
  const source = {
    count: () => all.length,
    page: (query: { readonly limit: number }) => all.slice(0, query.limit),
    sizes: (query: { readonly limit: number }) => all.slice(0, query.limit).map(() => 4),
  }
  const { body, headers } = await trackRanges.page(input, source, { maxBytes })
  expect([body.length, headers['Content-Range']]).toEqual([expected, `length 0..${expected - 1}`])
})

test('an invalid range is that of the header or of the query, wherever it stands', async () => {
  const send = serveTracks([])
  const errorsOf = async (response: Promise<Response>): Promise<unknown> => Object(await (await response).json()).errors
  expect(await errorsOf(send('title; limit x'))).toMatchObject([{ in: 'header', name: 'Range' }])
  expect(await errorsOf(send(undefined, '?range=title;+limit+x'))).toMatchObject([{ in: 'query', name: 'range' }])
  expect(await errorsOf(send('title', '?range=title'))).toMatchObject([{ in: 'query', name: 'range' }])
})
