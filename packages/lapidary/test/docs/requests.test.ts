/** The requests of a documentation, derived from its sections. */
import {
  apiKey,
  array,
  bearer,
  both,
  bytes,
  content,
  endpoint,
  flag,
  form,
  int,
  json,
  mount,
  noContent,
  oneOf,
  optional,
  text,
} from 'lapidary'
import { documentedRequests, outline } from 'lapidary/docs'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Book = z.object({ title: z.string(), pages: z.int() })
const response = noContent

/** A request in one line: its target, its headers and its body. */
const listRequests = async (one: Parameters<typeof outline>[0][string]): Promise<readonly string[]> => {
  const { sections } = await outline({ one })
  return sections
    .flatMap(documentedRequests)
    .map(({ method, target, headers, body }) => [method, target, JSON.stringify(headers), ...(body === null ? [] : [body.text])].join(' '))
}

test.each([
  ['with nothing to say', endpoint('GET /', { response }), ['GET / {}']],
  [
    'with captures, percent-encoded, in each of their values',
    endpoint('GET /é/:name/:n', { params: { name: text({ description: 'whom', examples: ['Ann', 'é/?'] }), n: int }, response }),
    ['GET /%C3%A9/Ann/42 {}', 'GET /%C3%A9/%C3%A9%2F%3F/42 {}'],
  ],
  [
    'with its required parts, then with one further part at a time',
    endpoint('GET /', { query: { word: text, sort: optional(oneOf('age', 'name')), loud: flag }, response }),
    ['GET /?word=text {}', 'GET /?word=text&sort=age {}', 'GET /?word=text&sort=name {}', 'GET /?word=text&loud {}'],
  ],
  [
    'with all values of a list at once',
    endpoint('GET /', {
      query: { tag: array(text, { description: 'tags', examples: [['a', 'b&c']] }) },
      headers: { 'X-Tag': array(text, { description: 'tags', examples: [['a', 'b']] }) },
      response,
    }),
    ['GET / {}', 'GET /?tag=a&tag=b%26c {}', 'GET / {"X-Tag":"a,b"}'],
  ],
  [
    'with the required members of an object together, and without those of another one',
    endpoint('GET /', {
      query: {
        area: z.object({ x: z.int(), y: z.int() }).optional(),
        filter: z.object({ word: z.string(), loud: z.literal('very').optional() }).optional(),
        page: optional(int),
      },
      response,
    }),
    [
      'GET / {}',
      'GET /?area%5Bx%5D=42&area%5By%5D=42 {}',
      'GET /?filter%5Bword%5D=text {}',
      'GET /?filter%5Bword%5D=text&filter%5Bloud%5D=very {}',
      'GET /?page=42 {}',
    ],
  ],
  [
    'with headers',
    endpoint('GET /', { headers: { 'X-One': int, 'X-Two': optional(text) }, response }),
    ['GET / {"X-One":"42"}', 'GET / {"X-One":"42","X-Two":"text"}'],
  ],
  ['with credentials', endpoint('DELETE /', { auth: bearer('people'), response }), ['DELETE / {"Authorization":"Bearer token"}']],
  [
    'with a key in the query, percent-encoded, behind the parameters',
    endpoint('GET /', { auth: apiKey({ in: 'query', name: 'a key' }), query: { n: int }, response }),
    ['GET /?n=42&a%20key=key {}'],
  ],
  [
    'with headers before cookies, and credentials in front of these',
    endpoint('GET /', {
      auth: both(apiKey({ in: 'cookie', name: 'one' }), apiKey({ in: 'cookie', name: 'two' })),
      headers: { 'X-Note': optional(text) },
      cookies: { theme: text, size: optional(int) },
      response,
    }),
    [
      'GET / {"Cookie":"one=key; two=key; theme=text"}',
      'GET / {"Cookie":"one=key; two=key; theme=text","X-Note":"text"}',
      'GET / {"Cookie":"one=key; two=key; theme=text; size=42"}',
    ],
  ],
  ['with cookies and without credentials', endpoint('GET /', { cookies: { theme: text }, response }), ['GET / {"Cookie":"theme=text"}']],
  [
    'with one value of each required member of an object',
    endpoint('GET /', { query: { filter: z.object({ kind: z.enum(['a', 'b']), word: z.string().optional() }).optional() }, response }),
    ['GET / {}', 'GET /?filter%5Bkind%5D=a {}', 'GET /?filter%5Bkind%5D=b {}', 'GET /?filter%5Bkind%5D=a&filter%5Bword%5D=text {}'],
  ],
  [
    'once in each type of the body, and with further parts in the first',
    endpoint('PUT /:n', { params: { n: int({ description: 'which', examples: [1, 2] }) }, body: content(Book, json, form), response }),
    [
      'PUT /1 {"Content-Type":"application/json;charset=utf-8"} {"title":"text","pages":42}',
      'PUT /1 {"Content-Type":"application/json"} {"title":"text","pages":42}',
      'PUT /1 {"Content-Type":"application/x-www-form-urlencoded"} title=text&pages=42',
      'PUT /2 {"Content-Type":"application/json;charset=utf-8"} {"title":"text","pages":42}',
    ],
  ],
  [
    'with the empty text, where it is the only example',
    endpoint('GET /', { query: { note: text({ examples: [''] }), word: optional(text({ examples: [''] })), loud: flag }, response }),
    ['GET /?note= {}', 'GET /?note=&word= {}', 'GET /?note=&loud {}'],
  ],
  ['not at all where the body has no example', endpoint('POST /', { query: { n: optional(int) }, body: bytes, response }), []],
  ['not at all for a mount', mount('/files'), []],
])('an endpoint is shown %s', async (_what, one, lines) => {
  expect(await listRequests(one)).toEqual(lines)
})

test('the server takes the empty text of an example', async () => {
  const one = endpoint('GET /', {
    query: { note: text({ examples: [''] }), word: optional(text({ examples: [''] })), loud: flag },
    response,
  })
  const { sections } = await outline({ one })
  const server = serve({ one }, { one: () => {} })
  const targets = sections.flatMap(documentedRequests).map(({ target }) => target)
  const statuses = targets.map(async (target) => (await server.fetch(new Request(`http://test.invalid${target}`))).status)
  expect(await Promise.all(statuses)).toEqual([204, 204, 204])
})
