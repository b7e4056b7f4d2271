/** The documentation of an endpoint with ranges; its pattern allows exactly the valid ones. */
import fc from 'fast-check'
import { endpoint, int, text } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import { rangePagination } from 'lapidary/pagination'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseRange } from '../../src/pagination/range.ts'

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
    { numRuns: 20_000 },
  )
  expect(read).toBeGreaterThan(100)
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
