/** Deprecated endpoints: the headers of their responses, and what the documentation of an API says about them. Tags of an endpoint. */
import { mock } from '@lapidary/testing'
import { created, type Deprecation, endpoint, int, noContent, ok, operations, optional, prefix, reply, text } from 'lapidary'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { rangePagination } from 'lapidary/pagination'
import { type ApiServer, type Handlers, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { buildRequest, get, type Row, respondsWith } from '../support/matrix/row.ts'

const since = new Date('2026-01-01T00:00:00.750Z')
const sunset = new Date('2027-01-01')
const link = 'https://example.org/news?of=stones'

const api = {
  stone: endpoint('GET /stones/:id', {
    params: { id: int },
    response: ok(text),
    errors: [reply(404)],
    etag: true,
    responseHeaders: { 'X-Shelf': 'A' },
    deprecated: { since, sunset, link },
  }),
  remove: endpoint('DELETE /stones/:id', { params: { id: int }, response: noContent, responseHeaders: { 'X-Shelf': 'A' } }),
  old: prefix('/old', {
    plain: endpoint('GET /plain', { response: ok(text), deprecated: true }),
    ending: endpoint('GET /ending', { response: ok(text), deprecated: { sunset } }),
  }),
}

const handlers: Handlers<typeof api> = {
  stone: ({ params, fail }) => {
    if (params.id === 0) return fail(404)
    if (params.id < 0) throw new Error('lost')
    return 'opal'
  },
  remove: () => {},
  old: { plain: () => 'plain', ending: () => 'ending' },
}

const server: ApiServer = serve(api, handlers, { onError: () => {} })

const all = {
  'X-Shelf': 'A',
  Deprecation: '@1767225600',
  Sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
  Link: '<https://example.org/news?of=stones>; rel="deprecation"',
}
const none = { Deprecation: null, Sunset: null, Link: null }

const rows: readonly Row[] = [
  ['a response of success has the dates and the link', get('/stones/1'), respondsWith(200, { text: 'opal', headers: all })],
  ['that to HEAD, too', buildRequest('HEAD', '/stones/1'), respondsWith(200, { text: '', headers: all })],
  ['a 304, too', get('/stones/1', { 'If-None-Match': '*' }), respondsWith(304, { headers: all })],
  ['a declared error, too', get('/stones/0'), respondsWith(404, { headers: all })],
  ['a 406, too', get('/stones/1', { Accept: 'image/png' }), respondsWith(406, { headers: all })],
  ['a 400, too', get('/stones/x'), respondsWith(400, { headers: all })],
  ['an unexpected error, too', get('/stones/-1'), respondsWith(500, { headers: all })],
  [
    'another method of the path is not deprecated',
    buildRequest('DELETE', '/stones/1'),
    respondsWith(204, { headers: { ...all, ...none } }),
  ],
  ['nor is the path', buildRequest('PUT', '/stones/1'), respondsWith(405, { headers: { ...all, ...none } })],
  [
    'a path is where all of its endpoints are',
    buildRequest('PUT', '/old/ending'),
    respondsWith(405, { headers: { ...none, Sunset: all.Sunset } }),
  ],
  ['without a date there is no Deprecation', get('/old/plain'), respondsWith(200, { headers: none })],
  ['nor without that of its beginning', get('/old/ending'), respondsWith(200, { headers: { ...none, Sunset: all.Sunset } })],
]

describeEachAdapter(server, (running) => testRows(running, rows))

test('an operation of a deprecated endpoint is one object, which can be part of an API again', () => {
  const [one, other] = [operations(api), operations(api)].map(([first]) => first?.operation)
  expect(one).toBe(other)
  expect(operations({ one: one as typeof api.stone })[0]?.operation).toBe(one)
  expect(operations(api)[1]?.operation).toBe(api.remove)
  const copy = { ...(one as typeof api.stone), summary: 'A stone.' }
  expect(operations({ copy })).toMatchObject([{ operation: { summary: 'A stone.', responseHeaders: all } }])
})

test('the Markdown documentation says since when, until when, and where to read more', async () => {
  const text = markdown(await outline(api))
  expect(text).toContain(`## GET /stones/:id

**Deprecated** since 2026-01-01. It responds until 2027-01-01. [What to use instead](<${link}>).
`)
  expect(text).toContain('## GET /old/plain\n\n**Deprecated**.\n')
  expect(text).toContain('## GET /old/ending\n\n**Deprecated**. It responds until 2027-01-01.\n')
  expect(text.match(/Deprecated/g)).toHaveLength(3)
})

test('a date with a time is documented with its time', async () => {
  const at = new Date('2026-03-04T05:06:07Z')
  const { sections } = await outline({ one: endpoint('GET /one', { response: ok(text), deprecated: { since: at } }) })
  expect(sections[0]?.deprecated).toEqual({ since: '2026-03-04T05:06:07Z', sunset: null, link: null })
})

test('a mock sends the headers, also where it changes the response to pages or the body', async () => {
  const Stone = z.object({ name: z.string() })
  const fields = { name: { codec: text, get: ({ name }: z.infer<typeof Stone>) => name } }
  const pages = rangePagination(Stone, fields, { key: ({ name }) => name, default: 'name' })
  const stones = {
    list: endpoint('GET /stones', { ...pages.declaration, deprecated: { sunset } }),
    add: endpoint('POST /stones', { body: Stone, response: created(Stone), deprecated: { sunset } }),
  }
  const { fetch } = mock(stones, { seed: 1 })
  const headers = { 'Content-Type': 'application/json' }
  const responses = await Promise.all([
    fetch(new Request('http://test.invalid/stones')),
    fetch(new Request('http://test.invalid/stones', { method: 'POST', headers, body: '{"name":"opal"}' })),
  ])
  expect(responses.map(({ status, headers }) => [status, headers.get('sunset')])).toEqual([
    [206, all.Sunset],
    [201, all.Sunset],
  ])
})

test('OpenAPI marks the operation, and has the headers of every response', async () => {
  const { paths } = await openapi(api, { title: 'Stones', version: '1' })
  const { get: stone, delete: remove } = paths['/stones/{id}'] ?? {}
  expect([stone?.deprecated, remove?.deprecated, paths['/old/plain']?.get?.deprecated]).toEqual([true, undefined, true])
  for (const status of ['200', '304', '404', '500'])
    expect(Object.keys((stone?.responses[status] as { headers?: object } | undefined)?.headers ?? {})).toEqual(
      expect.arrayContaining(['Deprecation', 'Sunset', 'Link']),
    )
})

test('the tags of an endpoint win over those that its place has', async () => {
  const stones = {
    list: endpoint('GET /stones', { response: ok(text), tags: ['public', 'stones'] }),
    count: endpoint('GET /count', { response: ok(text) }),
    secret: endpoint('GET /secret', { response: ok(text), tags: [] }),
  }
  const tagsOf = async (tags?: () => readonly { name: string; description: string }[]): Promise<readonly unknown[]> => {
    const { paths, tags: named } = await openapi({ stones }, { title: 'Stones', version: '1', ...(tags && { tags }) })
    return [...['/stones', '/count', '/secret'].map((path) => paths[path]?.get?.tags), named]
  }
  expect(await tagsOf()).toEqual([['public', 'stones'], ['stones'], undefined, [{ name: 'public' }, { name: 'stones' }]])
  const described = { name: 'public', description: 'For everyone.' }
  expect(await tagsOf(() => [described])).toEqual([['public', 'stones'], ['public'], undefined, [described, { name: 'stones' }]])
})

describe('a wrong declaration is refused', () => {
  const wrong = 'GET /one has a wrong "deprecated". Write true, or { since, sunset, link } with valid dates and a URL.'
  const twice = (name: string): string => `GET /one declares the header "${name}", which its "deprecated" sets. Remove one of the two.`
  const tagged = 'GET /one has wrong "tags". Write a list of texts that are not empty, such as ["users"].'
  const pages = rangePagination(
    z.object({ name: z.string() }),
    { name: { codec: text, get: ({ name }) => name } },
    {
      key: ({ name }) => name,
      default: 'name',
    },
  )

  test.each<[string, object, string]>([
    ['false', { deprecated: false }, wrong],
    ['null', { deprecated: null }, wrong],
    ['a date alone', { deprecated: '2027-01-01' }, wrong],
    ['an unknown member', { deprecated: { instead: '/two' } }, wrong],
    ['an invalid date', { deprecated: { since: new Date('soon') } }, wrong],
    ['a date that is a text', { deprecated: { sunset: '2027-01-01' } }, wrong],
    ['a year of five digits', { deprecated: { sunset: new Date('+010000-01-01') } }, wrong],
    ['an empty link', { deprecated: { link: '' } }, wrong],
    ['a link that leaves its brackets', { deprecated: { link: '/>; rel=next' } }, wrong],
    ...['/a"b', '/a\\b', '/<a', '/a>', '/a b', '/é', '/a{b}', '/a^b', '/a|b', '/a`b'].map((link): [string, object, string] => [
      `the link ${link}`,
      { deprecated: { link } },
      wrong,
    ]),
    ['a link with a line break', { deprecated: { link: '/a\nb' } }, wrong],
    [
      'an end before the beginning',
      { deprecated: { since: sunset, sunset: since } satisfies Deprecation },
      'GET /one has a "sunset" before its "since" (RFC 9745 §4). Write a later "sunset", or an earlier "since".',
    ],
    ['the header of a date', { deprecated: { sunset }, responseHeaders: { sunset: 'tomorrow' } }, twice('sunset')],
    ['the header in a response', { deprecated: { since }, response: ok(text, { headers: { Deprecation: text } }) }, twice('Deprecation')],
    ['the header in an error', { deprecated: { link }, errors: [reply(409, text, { headers: { Link: optional(text) } })] }, twice('Link')],
    ['the link of pages', { ...pages.declaration, deprecated: { link } }, twice('Link')],
    ['one tag', { tags: 'stones' }, tagged],
    ['an empty tag', { tags: ['stones', ' '] }, tagged],
    ['a tag that is no text', { tags: [1] }, tagged],
  ])('%s', (_what, definition, message) => {
    expect(() => endpoint('GET /one', { response: ok(text), ...definition })).toThrow(new TypeError(message))
  })

  test('equal dates, and a header that the deprecation does not have, are accepted', () => {
    const declared = endpoint('GET /one', {
      response: ok(text),
      deprecated: { since, sunset: since },
      responseHeaders: { Link: '</two>; rel="alternate"' },
    })
    expect(operations({ declared })).toMatchObject([
      { operation: { responseHeaders: { Link: '</two>; rel="alternate"', Deprecation: '@1767225600', Sunset: expect.any(String) } } },
    ])
  })
})
