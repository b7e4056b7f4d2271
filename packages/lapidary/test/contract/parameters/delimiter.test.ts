/** `withDelimiter`: a list in one text of the query. */
import { array, endpoint, int, noContent, ok, text, withDelimiter } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import { link } from 'lapidary/links'
import { serve } from 'lapidary/server'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const get = endpoint('GET /a', {
  query: {
    tag: withDelimiter(array(text)),
    size: withDelimiter(z.array(z.int()).min(1), '|'),
    day: withDelimiter(z.array(z.string()).optional(), ' '),
  },
  response: ok(text),
})
const server = serve({ get }, { get: ({ query }) => JSON.stringify(query) })
const read = async (search: string): Promise<string> => (await server.fetch(new Request(`http://test/a?${search}`))).text()

test('a server reads the values of one text, and of several', async () => {
  expect(await read('tag=a,b%2Cc&tag=d&size=1|2&day=x+y%20z')).toBe('{"tag":["a","b","c","d"],"size":[1,2],"day":["x","y","z"]}')
  expect(await read('size=1')).toBe('{"tag":[],"size":[1]}')
  expect(await read('size=')).toContain('"status":400')
  expect(await read('size=1,2')).toContain('expected an integer')
})

test.each(['tag=,', 'tag=a,', 'tag=,a', 'tag=a,,b', 'size=1||2', 'day=x++y'])('no value is empty: %s', async (search) => {
  const body = await read(`size=1&${search}`)
  expect(body).toContain('"status":400')
  expect(body).toMatch(/expected values separated by .+, none of them empty/)
})

test('a link is read back', async () => {
  const query = { tag: ['a', 'b c'], size: [1, 2] }
  expect(link(get, { query })).toBe('/a?tag=a%2Cb%20c&size=1%7C2')
  expect(await read(link(get, { query }).slice(3))).toBe(JSON.stringify(query))
})

test('its types are those of the list', () => {
  expectTypeOf(withDelimiter(array(int))).toEqualTypeOf(array(int))
})

test('documentation says what stands between the values', async () => {
  const page = markdown(await outline({ get }))
  expect(page).toContain('`tag` (list of text, in one text, separated by')
  expect(page).toContain('separated by a space')
})

test.each<[what: string, define: () => unknown, message: string]>([
  ['one value', () => withDelimiter(int as never), 'withDelimiter() got ",", or a parameter of one value.'],
  ['another delimiter', () => withDelimiter(array(int), ';' as never), 'withDelimiter() got ";", or a parameter of one value.'],
  [
    'a header',
    () => endpoint('GET /a', { headers: { 'X-A': withDelimiter(array(text)) }, response: noContent }),
    'GET /a: headers.X-A has a delimiter, and only a list in the query has one.',
  ],
  [
    'a header of a response',
    () => endpoint('GET /a', { response: noContent({ headers: { 'X-A': withDelimiter(array(text)) } }) }),
    'GET /a: header X-A has a delimiter, and only a list in the query has one.',
  ],
  [
    'a value with the delimiter',
    () => link(get, { query: { tag: ['a,b'], size: [1] } }),
    'GET /a: a value of the list tag is empty, or contains ","',
  ],
])('%s is refused', (_what, define, message) => {
  expect(define).toThrow(message)
})
