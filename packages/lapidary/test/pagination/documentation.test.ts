/** The documentation of an endpoint with pages; the pattern of ranges allows exactly the valid ones. */
import fc from 'fast-check'
import { endpoint, int, text } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { cursorPagination, pagePagination, rangePagination } from 'lapidary/pagination'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseRange } from '../../src/pagination/range.ts'
import { samples } from '../support/samples.ts'

const Color = z.object({ name: z.string(), sum: z.int() })
const colorRanges = rangePagination(
  Color,
  { name: { codec: text, get: ({ name }) => name }, sum: { codec: int, get: ({ sum }) => sum } },
  { key: ({ name }) => name, default: 'name', options: { sum: { limit: 5, order: 'asc' } } },
)
const colors = endpoint('GET /colors', { ...colorRanges.declaration })

test('the documentation has the grammar, the fields, their defaults and the headers', async () => {
  await expect(markdown(await outline({ colors }))).toMatchFileSnapshot('../golden/pagination.md')
})

test('the documentation of cursors and of numbered pages has their parameters, headers and bodies', async () => {
  const fields = { name: { codec: text, get: ({ name }: z.infer<typeof Color>) => name } }
  const options = { key: ({ name }: z.infer<typeof Color>) => name, default: 'name' } as const
  const api = {
    cursors: endpoint('GET /cursors', { ...cursorPagination(Color, fields, options).declaration }),
    cursorsInBody: endpoint('GET /cursors-in-body', {
      ...cursorPagination(Color, fields, { ...options, limit: 20, body: { items: 'items', next: 'next' } }).declaration,
    }),
    pages: endpoint('GET /pages', { ...pagePagination(Color).declaration }),
    pagesInBody: endpoint('GET /pages-in-body', { ...pagePagination(Color, { body: { items: 'items', total: 'total' } }).declaration }),
  }
  await expect(markdown(await outline(api))).toMatchFileSnapshot('../golden/pages.md')
  const { paths } = await openapi(api, { title: 'Pages', version: '1' })
  const { parameters, responses } = Object(paths)['/cursors-in-body'].get
  expect(parameters).toMatchObject([
    { name: 'cursor', in: 'query', schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' } },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1_000, default: 20 } },
    { name: 'sort', in: 'query', schema: { type: 'string', enum: ['name', '-name'], default: 'name' } },
  ])
  expect(responses['200'].headers).toMatchObject({ Link: { schema: { type: 'string' } } })
  expect(responses['200'].content['application/json'].schema).toMatchObject({
    type: 'object',
    properties: { items: { type: 'array', items: { type: 'object' } }, next: { type: 'string' } },
    required: ['items'],
  })
})

const pattern = new RegExp(String(colors.headers['Range']?.jsonSchema['pattern']))
const known = Object.fromEntries(
  ['name', 'sum'].map((name) => [name, { codec: text, options: { offset: 0, limit: 1, order: 'asc' as const } }]),
)

test('each valid range matches the pattern of the header', () => {
  const part = fc.constantFrom(
    'name',
    'sum',
    'size',
    ' ',
    ' ',
    ';',
    ';',
    'limit',
    'offset',
    'order',
    'after',
    '1',
    '007',
    'asc',
    'desc',
    'A-_',
    'é',
    '%C3%A9',
    '=',
    '.',
  )
  let read = 0
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const range = parts.join('')
      if ('fault' in parseRange(range, known)) return
      read += 1
      expect(range).toMatch(pattern)
    }),
    { numRuns: samples(20_000) },
  )
  expect(read).toBeGreaterThan(samples(100))
})

test.each([
  'size',
  '',
  'name red green',
  'name; limit',
  'name; limit x',
  'name; after a.b',
  'name;',
  'bytes=0-99',
  'name; size 3',
  'name\nsum',
])('an invalid range does not match: %j', (range) => {
  expect(range).not.toMatch(pattern)
})

test('the example of the header is a valid range, in the header and in the query', () => {
  for (const parameter of [colors.headers['Range'], colors.query['range']]) {
    expect(parameter?.examples).toEqual(['name; limit 10; order asc'])
    expect(parseRange(parameter?.examples[0] ?? '', known)).not.toHaveProperty('fault')
  }
})
