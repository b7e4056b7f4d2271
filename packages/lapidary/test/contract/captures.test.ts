/** `*path`, the rest of a path: what it matches, how it is read, and what a link to it is. */
import { codec, endpoint, int, mount, noContent, ok, parseError, prefix, text } from 'lapidary'
import { client } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { link, match } from 'lapidary/links'
import { type Handlers, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { buildRequest, get, type Row, refuses, respondsWith } from '../support/matrix/row.ts'

const image = codec<string>({
  name: 'path of an image',
  parse: (path) => (path.endsWith('.png') ? path.slice(0, -4) : parseError('a path that ends in .png')),
  print: (path) => `${path}.png`,
  schema: { type: 'string', pattern: '\\.png$' },
  example: 'a/b',
})

const api = {
  ...prefix('/files', {
    read: endpoint('GET /*path', { response: ok(text) }),
    write: endpoint('PUT /*path', { body: text, response: noContent }),
    newest: endpoint('GET /newest', { response: ok(text) }),
    info: endpoint('GET /:id/info', { params: { id: int }, response: ok(text) }),
  }),
  image: endpoint('GET /users/:user/images/*image', { params: { user: int, image }, response: ok(text) }),
  under: mount('/files'),
  beside: mount('/raw'),
}

const handlers: Handlers<typeof api> = {
  read: ({ params }) => params.path,
  write: () => {},
  newest: () => 'the newest',
  info: ({ params }) => `info of ${params.id}`,
  image: ({ params }) => `${params.user} ${params.image}`,
  under: ({ target }) => ({ status: 200, headers: [], body: `mounted ${target}` }),
  beside: ({ target }) => ({ status: 200, headers: [], body: `mounted ${target}` }),
}

const server = serve(api, handlers)
const refusedPath = refuses(400, {
  in: 'path',
  name: 'path',
  detail: 'expected segments without an encoded slash, none of them "." or ".."',
})

const rows: readonly Row[] = [
  ['a rest is one segment', get('/files/a'), respondsWith(200, { text: 'a' })],
  ['or more', get('/files/a/b/c.png'), respondsWith(200, { text: 'a/b/c.png' })],
  ['each is percent-decoded', get('/files/a%20b/%C3%A4%3F'), respondsWith(200, { text: 'a b/ä?' })],
  ['a plus sign stays', get('/files/a+b'), respondsWith(200, { text: 'a+b' })],
  ['a slash at the end does not count', get('/files/a/b/'), respondsWith(200, { text: 'a/b' })],
  ['the query is no part of it', get('/files/a/b?c=/d'), respondsWith(200, { text: 'a/b' })],
  ['an encoded slash is refused', get('/files/a%2Fb'), refusedPath],
  ['in lower case too', get('/files/a/b%2fc'), refusedPath],
  ['and for a method that the path does not have', buildRequest('DELETE', '/files/a%2Fb'), refusedPath],
  ['a literal takes precedence', get('/files/newest'), respondsWith(200, { text: 'the newest' })],
  ['but not where it leads nowhere', get('/files/newest/a'), respondsWith(200, { text: 'newest/a' })],
  ['so does a capture of one segment', get('/files/7/info'), respondsWith(200, { text: 'info of 7' })],
  ['whose codec does not choose', get('/files/a/info'), refuses(400)],
  ['which leaves the rest of other paths', get('/files/7/other'), respondsWith(200, { text: '7/other' })],
  ['HEAD', buildRequest('HEAD', '/files/a/b'), respondsWith(200, { text: '', headers: { 'Content-Length': '3' } })],
  ['OPTIONS', buildRequest('OPTIONS', '/files/a/b'), respondsWith(204, { headers: { Allow: 'GET, HEAD, PUT, OPTIONS' } })],
  ['405', buildRequest('DELETE', '/files/a/b'), respondsWith(405, { headers: { Allow: 'GET, HEAD, PUT, OPTIONS' } })],
  ['a codec reads the whole text', get('/users/7/images/a/b.png'), respondsWith(200, { text: '7 a/b' })],
  ['and refuses it', get('/users/7/images/a/b'), refuses(400, { in: 'path', name: 'image', detail: 'expected a path that ends in .png' })],
  ['a mount with the same prefix has what the rest does not match', get('/files'), respondsWith(200, { text: 'mounted /' })],
  ['such as an empty rest', get('/files/'), respondsWith(200, { text: 'mounted /' })],
  ['and an empty segment', get('/files/a//b'), respondsWith(200, { text: 'mounted /a//b' })],
  ['a mount elsewhere has its paths', get('/raw/a/b'), respondsWith(200, { text: 'mounted /a/b' })],
]

describeEachAdapter(server, (running) => testRows(running, rows))

test.each(['/files/a/../b', '/files/..', '/files/./a', '/files/%2e%2E/b', '/files/a/%2E', '/files/../../etc/passwd'])(
  'a dot segment that an adapter leaves is refused: %s',
  async (target) => {
    const request = { method: 'GET', target, rawHeaders: [], header: () => undefined }
    expect((await server(request as never)).status).toBe(400)
  },
)

describe('a link', () => {
  test('encodes each segment and keeps the slashes', () => {
    expect(link(api.read, { params: { path: 'a/b c.png' } })).toBe('/files/a/b%20c.png')
    expect(link(api.read, { params: { path: 'a%2Fb/ä?#+' } })).toBe('/files/a%252Fb/%C3%A4%3F%23%2B')
    expect(link(api.image, { params: { user: 7, image: 'a/b' } })).toBe('/users/7/images/a/b.png')
  })

  test.each(['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/..', './a', 'a/../b'])('refuses %j', (path) => {
    expect(() => link(api.read, { params: { path } })).toThrow(
      'GET /files/*path: the capture :path is missing, empty, "." or "..", or has such a segment. Give it another value.',
    )
  })

  test.each(['...', '.a', 'a..', '\\', '%2e', 'a/.b/..c'])('has %j, which match reads back', (path) => {
    expect(match(api, link(api.read, { params: { path } }))).toMatchObject({ name: 'read', params: { path } })
  })
})

test('a call sends it, and refuses what no path can have', async () => {
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })
  expect(await call.read({ params: { path: 'a/b c/ä' } })).toBe('a/b c/ä')
  await expect(call.read({ params: { path: 'a/../b' } })).rejects.toThrow(TypeError)
})

test('match has no match where the server refuses', () => {
  for (const url of ['/files/a%2Fb', '/files/a//b', '/files/', '/files']) expect(match(api, url)).toBe(undefined)
  expect(match(api.read, '/files/newest')).toEqual({ params: { path: 'newest' }, query: {} })
})

test('two rests of one path are one route', () => {
  const one = endpoint('GET /a/*one', { response: noContent })
  const other = endpoint('GET /a/*other', { response: noContent })
  expect(() => serve({ one, other }, { one: () => {}, other: () => {} })).toThrow('"one" and "other" both answer GET /a/*other.')
})

test('a name that a capture has already', () => {
  expect(() => endpoint('GET /:a/*a', { response: noContent })).toThrow(TypeError)
})

test('the documentation tells of it', async () => {
  const page = markdown(await outline({ read: api.read }))
  expect(page).toContain('GET /files/*path')
  expect(page).toContain('One or more segments of the path, separated by slashes; only these slashes are not percent-encoded.')
})
