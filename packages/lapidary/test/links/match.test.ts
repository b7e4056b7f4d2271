/** `match`: the endpoint of a URL, with its captures and its query. */
import { array, codec, endpoint, flag, int, mount, noContent, ok, optional, prefix, text } from 'lapidary'
import { link, type MatchOptions, match } from 'lapidary/links'
import { describe, expect, test } from 'vitest'

const item = { params: { id: int }, response: noContent }
const api = {
  home: endpoint('GET /', { response: noContent }),
  users: prefix('/users', {
    list: endpoint('GET /', { query: { limit: optional(int), tag: array(text), loud: flag }, response: noContent }),
    newest: endpoint('GET /newest', { response: noContent }),
    item: endpoint('GET /:id', item),
    remove: endpoint('DELETE /:id', item),
    named: endpoint('POST /:name', { response: noContent }),
  }),
  search: endpoint('GET /search', { query: { word: text }, response: ok(text) }),
  raw: mount('/raw'),
  empty: {},
}

/** The name, the captures and the query that are found; undefined where nothing is. */
function found(url: string | URL, options?: MatchOptions): unknown {
  const way = match(api, url, options)
  return way === undefined ? undefined : [way.name, way.params, way.query]
}

const all = { limit: undefined, tag: [], loud: false }

test.each<[what: string, url: string | URL, expected: unknown, options?: MatchOptions]>([
  ['a path', '/users/7', ['users.item', { id: 7 }, {}]],
  ['an absolute URL, wherever it is', 'https://example.org/users/7', ['users.item', { id: 7 }, {}]],
  ['a URL', new URL('https://example.org:8443/users/7#top'), ['users.item', { id: 7 }, {}]],
  ['the root', '/', ['home', {}, {}]],
  ['an origin', 'http://example.org', ['home', {}, {}]],
  ['a slash at the end', '/users/7/', ['users.item', { id: 7 }, {}]],
  ['a fragment', '/users/7#top?limit=x', ['users.item', { id: 7 }, {}]],
  ['a literal, which wins over a capture', '/users/newest', ['users.newest', {}, {}]],
  ['percent-encoding that need not be', '/%75sers/%37', ['users.item', { id: 7 }, {}]],
  ['another method', '/users/7', ['users.remove', { id: 7 }, {}], { method: 'DELETE' }],
  ['HEAD, which asks for what GET does', '/users/7', ['users.item', { id: 7 }, {}], { method: 'HEAD' }],
  ['an encoded slash', '/users/a%2Fb', ['users.named', { name: 'a/b' }, {}], { method: 'POST' }],
  ['what fetch would encode', '/users/ä b', ['users.named', { name: 'ä b' }, {}], { method: 'POST' }],
  ['a plus sign in a path', '/users/a+b', ['users.named', { name: 'a+b' }, {}], { method: 'POST' }],
  ['steps up, which fetch takes before it asks', '/nowhere/../users/./7', ['users.item', { id: 7 }, {}]],
  ['no query', '/users', ['users.list', {}, all]],
  ['an empty query', '/users/?', ['users.list', {}, all]],
  ['a query', '/users?limit=5&tag=a&tag=b+c&loud', ['users.list', {}, { limit: 5, tag: ['a', 'b c'], loud: true }]],
  ['unknown names', '/users?nobody=1&nobody=2&__proto__=3', ['users.list', {}, all]],
  ['a name without a value, beside one with', '/search?word&word=%C3%A4', ['search', {}, { word: 'ä' }]],
])('%s is read', (_what, url, expected, options) => {
  expect(found(url, options)).toEqual(expected)
})

test.each<[what: string, url: string | URL, options?: MatchOptions]>([
  ['an unknown path', '/nobody'],
  ['another case', '/Users/7'],
  ['a method that is not offered', '/users/7', { method: 'PUT' }],
  ['a method of the capture, where a literal wins', '/users/newest', { method: 'DELETE' }],
  ['OPTIONS, which no endpoint answers', '/users/7', { method: 'OPTIONS' }],
  ['a method in small letters, which is another', '/users/7', { method: 'delete' }],
  ['a capture that cannot be read', '/users/seven'],
  ['an empty segment', '/users//7'],
  ['two slashes at the end', '/users/7//'],
  ['two slashes at the beginning', '//users/7'],
  ['another host in the shape of a path', '//example.org/users/7'],
  ['another host, in backslashes', '/\\example.org/users/7'],
  ['bad percent-encoding in the path', '/users/%zz', { method: 'POST' }],
  ['a path that is not UTF-8', '/users/%FF', { method: 'POST' }],
  ['a query that cannot be read', '/users?limit=many'],
  ['one value, given twice', '/users?limit=1&limit=2'],
  ['a missing query parameter', '/search'],
  ['a valued parameter without a value', '/search?word'],
  ['bad percent-encoding in a query', '/search?word=%zz'],
  ['bad percent-encoding in an undeclared query', '/users/7?%'],
  ['a mount', '/raw'],
  ['what is below a mount', '/raw/users/7'],
  ['a relative path', 'users/7'],
  ['a query alone', '?word=a'],
  ['nothing', ''],
  ['no address', 'https://'],
  ['another protocol', 'ftp://example.org/users/7'],
  ['a protocol without a host', 'data:/users/7'],
])('%s has no match', (_what, url, options) => {
  expect(found(url, options)).toBe(undefined)
})

describe('below a base', () => {
  const seven = ['users.item', { id: 7 }, {}]

  test.each<[url: string, base: string | URL, expected: unknown]>([
    ['https://example.org/api/users/7', 'https://example.org/api', seven],
    ['https://example.org/api/users/7', 'https://example.org/api/', seven],
    ['https://example.org/api/users/7', 'https://example.org/api//', seven],
    ['https://example.org/api/users/7', new URL('https://example.org/api'), seven],
    ['https://EXAMPLE.org:443/api/users/7', 'https://example.org/api', seven],
    ['https://example.org/api/users/7', '/api', seven],
    ['/api/users/7', 'https://example.org/api', seven],
    ['/api/users/7', '/api', seven],
    ['https://example.org/users/7', 'https://example.org', seven],
    ['/api/', '/api', ['home', {}, {}]],
    ['/api', '/api', undefined],
    ['/users/7', '/api', undefined],
    ['/apis/users/7', '/api', undefined],
    ['/abc/users/7', '/api', undefined],
    ['/api//users/7', '/api', undefined],
    ['/api/../users/7', '/api', undefined],
    ['https://example.org/users/7', 'https://example.org/api', undefined],
    ['http://example.org/api/users/7', 'https://example.org/api', undefined],
    ['https://example.org:8443/api/users/7', 'https://example.org/api', undefined],
    ['https://example.org.example.com/api/users/7', 'https://example.org/api', undefined],
    ['https://example.org@example.com/api/users/7', 'https://example.org/api', undefined],
  ])('%s, below %s', (url, base, expected) => {
    expect(found(url, { base })).toEqual(expected)
  })

  test.each(['', 'api', 'example.org/api', 'mailto:ann@example.org', '/api?', 'https://example.org/api#top'])(
    '"%s" is not a base',
    (base) => {
      const sentence = `"${base}" is not a base of an API. Give match() a URL or a path without a query or a fragment, such as "https://example.org/api".`
      expect(() => match(api, '/users/7', { base })).toThrow(new TypeError(sentence))
    },
  )
})

describe('one endpoint on its own', () => {
  test('returns its captures and its query, for any method', () => {
    expect(match(api.users.item, 'https://example.org/users/7')).toStrictEqual({ params: { id: 7 }, query: {} })
    expect(match(api.users.remove, '/users/7')).toStrictEqual({ params: { id: 7 }, query: {} })
    expect(match(api.search, '/api/search?word=a', { base: '/api' })).toStrictEqual({ params: {}, query: { word: 'a' } })
  })

  test('does not match the URLs of others', () => {
    expect(match(api.users.item, '/users')).toBe(undefined)
    expect(match(api.search, '/search?word=a', { base: '/api' })).toBe(undefined)
  })

  test('does not match a path that is not percent-encoded UTF-8, even where its codec reads the empty text', () => {
    const anything = codec<string>({ ...text, parse: (given) => given, schema: { type: 'string' }, example: 'a' })
    const named = endpoint('GET /:name', { params: { name: anything }, response: noContent })
    expect(match(named, '/%C3%A9')?.params).toEqual({ name: 'é' })
    expect(match(named, '/%zz')).toBe(undefined)
    expect(match(named, '/%FF')).toBe(undefined)
  })

  test('ignores a literal of another endpoint that would win over its capture', () => {
    expect(match(api.users.named, '/users/newest')?.params).toEqual({ name: 'newest' })
  })
})

test('the names of a part of an API begin at that part', () => {
  expect(match(api.users, '/users/7')?.name).toBe('item')
  expect(match(api.empty, '/users/7')).toBe(undefined)
})

test('the link of a match is the URL again', () => {
  const way = match(api, 'https://example.org/%75sers/?nobody=1&tag=a+b&limit=05')
  expect(way?.endpoint).toBe(api.users.list)
  expect(way && link(way.endpoint, way)).toBe('/users?limit=5&tag=a%20b')
})

test('two endpoints with one route are an error', () => {
  const twice = { one: api.users.item, other: prefix('/users', { two: endpoint('GET /:name/', { response: noContent }) }) }
  const sentence = '"one" and "other.two" both answer GET /users/:name/. Change the path or method of one of them.'
  expect(() => match(twice, '/')).toThrow(new TypeError(sentence))
})
