/** `Vary`: every response of a GET names the headers and cookies that it depends on, so that no cache gives it to another client. */
import { apiKey, bearer, content, cookie, either, endpoint, form, int, json, ok, optional, reply, text } from 'lapidary'
import { openapi } from 'lapidary/openapi'
import { authenticate, type HttpResponse, serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { buildRequest, get, respondsWith } from '../support/matrix/row.ts'

const session = apiKey<string>({ in: 'cookie', name: 'session' })
const key = apiKey<string>({ in: 'header', name: 'X-Api-Key' })
const token = bearer<string>('token')
const inQuery = apiKey<string>({ in: 'query', name: 'key' })
const Name = z.object({ name: z.string() })

const api = {
  cookie: endpoint('GET /cookie', { auth: session, response: ok(text), etag: true, errors: [reply(404)] }),
  key: endpoint('GET /key', { auth: either(key, session), response: ok(content(Name, json, form)) }),
  both: endpoint('GET /both', {
    auth: key,
    headers: { 'X-Tenant': optional(text) },
    cookies: { theme: optional(text) },
    response: ok(text),
  }),
  token: endpoint('GET /token', { auth: token, response: ok(text) }),
  query: endpoint('GET /query', { auth: inQuery, response: ok(text) }),
  header: endpoint('GET /header', {
    headers: {
      'X-Tenant': optional(text),
      'If-Range': optional(text),
      Range: optional(text),
      'if-match': optional(text),
      'If-None-Match': optional(text),
      'If-Modified-Since': optional(text),
      'If-Unmodified-Since': optional(text),
      'X-Count': optional(int),
    },
    cookies: { theme: cookie(optional(text)) },
    response: ok(text),
    errors: [reply(409, text)],
  }),
  search: endpoint('QUERY /search', { auth: key, body: text, response: ok(text) }),
  change: endpoint('POST /cookie', { auth: session, headers: { 'X-Tenant': optional(text) }, body: text, response: ok(text) }),
}
const auth = [session, key, token, inQuery].map((scheme) =>
  authenticate(scheme, (given: unknown) => (given === 'good' || given === 'lost' ? given : undefined)),
)
const server = serve(
  api,
  {
    cookie: ({ user, fail }) => (user === 'lost' ? fail(404, { headers: { Vary: 'Origin' } }) : user),
    key: ({ user }) => ({ name: user }),
    both: ({ user }) => user,
    token: ({ user }) => user,
    query: ({ user }) => user,
    header: ({ headers, fail }) => {
      if (headers['X-Tenant'] === 'none') return fail(409, { body: 'none' })
      if (headers['X-Tenant'] === 'broken') throw new Error('broken')
      return 'a'
    },
    search: ({ user }) => user,
    change: ({ user }) => user,
  },
  { auth, onError: () => {} },
)

const varies = (status: number, Vary: string | null) => respondsWith(status, { headers: { Vary } })
const good = { Cookie: 'session=good' }

describeEachAdapter(server, (running) =>
  testRows(running, [
    ['a key in a cookie', get('/cookie', good), varies(200, 'Cookie')],
    ['HEAD', buildRequest('HEAD', '/cookie', good), varies(200, 'Cookie')],
    ['a 304', get('/cookie', { ...good, 'If-None-Match': '*' }), varies(304, 'Cookie')],
    ['a 412', get('/cookie', { ...good, 'If-Match': '"x"' }), varies(412, 'Cookie')],
    ['a 401', get('/cookie'), varies(401, 'Cookie')],
    ['a 404 with a Vary of its own', get('/cookie', { Cookie: 'session=lost' }), varies(404, 'Origin, Cookie')],
    ['a key in a header, or a cookie', get('/key', { 'X-Api-Key': 'good' }), varies(200, 'Accept, x-api-key, Cookie')],
    ['a 406', get('/key', { 'X-Api-Key': 'good', Accept: 'image/png' }), varies(406, 'Accept, x-api-key, Cookie')],
    ['declared headers, then the key, then cookies', get('/both', { 'X-Api-Key': 'good' }), varies(200, 'X-Tenant, x-api-key, Cookie')],
    ['no token in Authorization, which shared caches know', get('/token', { Authorization: 'Bearer good' }), varies(200, null)],
    ['no key in the query, which is a part of the URL', get('/query?key=good'), varies(200, null)],
    ['declared headers, but no conditions and ranges', get('/header'), varies(200, 'X-Tenant, X-Count, Cookie')],
    ['a 400', get('/header', { 'X-Count': 'x' }), varies(400, 'X-Tenant, X-Count, Cookie')],
    ['a declared error', get('/header', { 'X-Tenant': 'none' }), varies(409, 'X-Tenant, X-Count, Cookie')],
    ['a 500', get('/header', { 'X-Tenant': 'broken' }), varies(500, 'X-Tenant, X-Count, Cookie')],
    [
      'no response to POST, which no cache keeps',
      buildRequest('POST', '/cookie', { ...good, 'Content-Type': 'text/plain' }, 'a'),
      varies(200, null),
    ],
  ]),
)

test('a 400 for a capture has it, with the headers of the endpoint, unless a fallback answers', async () => {
  const one = endpoint('GET /g/:id', {
    params: { id: int },
    headers: { 'X-A': optional(text) },
    response: ok(text),
    responseHeaders: { 'X-Shelf': 'A' },
  })
  const request = (): Request => new Request('http://test.invalid/g/x')
  const rejected = await serve({ one }, { one: () => 'a' }).fetch(request())
  expect([rejected.status, rejected.headers.get('vary'), rejected.headers.get('x-shelf')]).toEqual([400, 'X-A', 'A'])
  expect(rejected.headers.get('content-type')).toBe('application/problem+json')
  expect(await rejected.text()).toBe(
    '{"type":"about:blank","title":"Bad Request","status":400,"detail":"The path matches GET /g/:id, but a part of it is invalid.","errors":[{"in":"path","name":"id","detail":"expected an integer such as 42, within ±9007199254740991"}]}',
  )
  const fallback = (): HttpResponse => ({ status: 200, headers: [], body: 'the fallback' })
  const response = await serve({ one }, { one: () => 'a' }, { fallback }).fetch(request())
  expect([response.status, response.headers.get('vary'), await response.text()]).toEqual([200, null, 'the fallback'])
})

test('a header Cookie beside declared cookies is named once', async () => {
  const one = endpoint('GET /', { headers: { cookie: optional(text) }, cookies: { theme: optional(text) }, response: ok(text) })
  const { headers } = await serve({ one }, { one: () => 'a' }).fetch(new Request('http://test.invalid/'))
  expect(headers.get('vary')).toBe('cookie')
})

test('QUERY is cached, too', async () => {
  const init = { method: 'QUERY', headers: { 'X-Api-Key': 'good', 'Content-Type': 'text/plain' }, body: 'a' }
  expect((await server.fetch(new Request('http://test.invalid/search', init))).headers.get('vary')).toBe('x-api-key')
})

test('OpenAPI shows it in every response of the endpoint', async () => {
  const document = await openapi(api, { title: 'Vary', version: '1' })
  const shown = (path: string) =>
    Object.entries(document.paths[path]?.get?.responses ?? {}).map(([status, response]) => [
      status,
      Object(response).headers?.Vary?.example,
    ])
  expect(shown('/header')).toEqual(
    ['200', '400', '406', '409', '500'].map((status) => [status, `${status === '406' ? 'Accept, ' : ''}X-Tenant, X-Count, Cookie`]),
  )
  expect(shown('/cookie')).toContainEqual(['401', 'Cookie'])
})
