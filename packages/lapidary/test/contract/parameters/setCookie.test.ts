/** Cookies of responses: what a handler sets, what a client reads, and what documents say of them. */
import { mock } from '@lapidary/testing'
import fc from 'fast-check'
import {
  array,
  bool,
  type CookieAttributes,
  type CookieRecord,
  codec,
  cookie,
  created,
  endpoint,
  errors,
  flag,
  int,
  noContent,
  ok,
  optional,
  parseError,
  reply,
  setCookie,
  text,
  withHeaders,
} from 'lapidary'
import { client } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { parseSetCookie } from '../../../src/http/cookies.ts'
import { describeEachAdapter } from '../../support/matrix/eachAdapter.ts'

const safe = 'Path=/; Secure; HttpOnly; SameSite=Lax'

test.each<[string, CookieAttributes, string]>([
  ['none', {}, safe],
  ['an age', { maxAge: 3600 }, `Max-Age=3600; ${safe}`],
  ['a path', { path: '/a b' }, 'Path=/a b; Secure; HttpOnly; SameSite=Lax'],
  ['a domain', { domain: 'example.org' }, `Domain=example.org; ${safe}`],
  ['for scripts', { httpOnly: false }, 'Path=/; Secure; SameSite=Lax'],
  ['without HTTPS', { secure: false }, 'Path=/; HttpOnly; SameSite=Lax'],
  ['for all sites', { sameSite: 'None', partitioned: true }, 'Path=/; Secure; HttpOnly; SameSite=None; Partitioned'],
  [
    'all',
    { maxAge: 1, path: '/a', domain: 'a.b', secure: true, httpOnly: true, sameSite: 'Strict', partitioned: false },
    'Max-Age=1; Domain=a.b; Path=/a; Secure; HttpOnly; SameSite=Strict',
  ],
])('attributes: %s', (_what, attributes, sent) => {
  const header = setCookie({ a: cookie(text, attributes) })
  expect(header.attributes).toEqual({ a: sent })
  expect(header.write({ a: 'x' })).toEqual([`a=x; ${sent}`])
  const deleted = `a=; Max-Age=0; ${sent.replace(/^Max-Age=\d+; /, '')}`
  expect(header.write({ a: null })).toEqual([deleted])
  expect(parseSetCookie(deleted)).toMatchObject({ name: 'a', isDeleted: true })
})

describe('a wrong declaration is refused', () => {
  const attributes = (flaw: string) => `cookie() has ${flaw}. Correct it, or leave it out.`
  const notAge = attributes('a "maxAge" that is no positive number of seconds')
  const notPath = attributes('a "path" that does not begin with / or has characters other than ASCII')
  const notDomain = attributes('a "domain" that is no host name')

  test.each<[string, object, string]>([
    ['no age', { maxAge: 0 }, notAge],
    ['a negative age', { maxAge: -1 }, notAge],
    ['a part of a second', { maxAge: 1.5 }, notAge],
    ['an age without end', { maxAge: Number.POSITIVE_INFINITY }, notAge],
    ['a relative path', { path: 'a' }, notPath],
    ['a path with a further attribute', { path: '/; Domain=b.test' }, notPath],
    ['a path with a line break', { path: '/\r\nX: 1' }, notPath],
    ['a long path', { path: `/${'a'.repeat(1024)}` }, notPath],
    ['an empty domain', { domain: '' }, notDomain],
    ['a URL as the domain', { domain: 'https://a.test' }, notDomain],
    ['a domain with an empty label', { domain: 'a..test' }, notDomain],
    ['a domain with a dot at its end', { domain: 'a.test.' }, notDomain],
    ['a long domain', { domain: `${'a.'.repeat(126)}ab` }, notDomain],
    ['an age that is a text', { maxAge: '60' }, notAge],
    ['a path with letters beyond ASCII', { path: '/é' }, notPath],
    ['a domain with a further attribute', { domain: 'a.test; Path=/b' }, notDomain],
    ['another case of SameSite', { sameSite: 'lax' }, attributes('a "sameSite" that is none of Strict, Lax and None')],
    ['SameSite=None without Secure', { sameSite: 'None', secure: false }, attributes('the "sameSite" None, which needs "secure"')],
    ['Partitioned without Secure', { partitioned: true, secure: false }, attributes('"partitioned", which needs "secure"')],
    [
      'an unknown attribute',
      { expires: new Date() },
      'cookie() has the unknown option "expires". Use one of maxAge, path, domain, secure, httpOnly, sameSite, partitioned.',
    ],
  ])('%s', (_what, wrong, message) => {
    expect(() => cookie(text, wrong)).toThrow(new TypeError(message))
  })

  const prefix = (name: string, needed: string) =>
    `setCookie(): browsers reject the cookie "${name}" without ${needed}. Correct its attributes, or choose a name without this prefix.`
  const notSingle = 'setCookie(): a cookie is one text. Give a a codec such as int, optional(text) or bool: no array or flag.'

  test.each<[string, CookieRecord, string]>([
    ['__Host- with a path', { '__Host-a': cookie(text, { path: '/a' }) }, prefix('__Host-a', 'the "path" / and no "domain"')],
    ['__Host- with a domain', { '__Host-a': cookie(text, { domain: 'a.test' }) }, prefix('__Host-a', 'the "path" / and no "domain"')],
    ['__Host- without Secure', { '__host-a': cookie(text, { secure: false }) }, prefix('__host-a', '"secure"')],
    ['__HOST- with a path', { '__HOST-a': cookie(text, { path: '/a' }) }, prefix('__HOST-a', 'the "path" / and no "domain"')],
    ['__secure- without Secure', { '__secure-a': cookie(text, { secure: false }) }, prefix('__secure-a', '"secure"')],
    ['__Secure- without Secure', { '__Secure-a': cookie(text, { secure: false }) }, prefix('__Secure-a', '"secure"')],
    [
      'a name that is none',
      { 'a b': text },
      'setCookie(): "a b" is not a cookie name. Use letters, digits, hyphens and underscores, such as session.',
    ],
    ['a list', { a: array(text) }, notSingle],
    ['a flag', { a: cookie(flag) }, notSingle],
  ])('%s', (_what, wrong, message) => {
    expect(() => setCookie(wrong)).toThrow(new TypeError(message))
  })

  test('the right ones are not', () => {
    expect(setCookie({ a: cookie(bool({ default: true })) }).write({ a: false })).toEqual([`a=false; ${safe}`])
    const header = setCookie({ '__Host-a': text, '__Secure-b': cookie(text, { domain: 'a.test', path: '/b' }) })
    expect(Object.keys(header.attributes)).toEqual(['__Host-a', '__Secure-b'])
  })

  test('the longest path and domain are not', () => {
    const [path, domain] = [`/${'a'.repeat(1023)}`, `${'A.'.repeat(126)}a`]
    expect(setCookie({ a: cookie(text, { path, domain }) }).attributes.a).toContain(`Domain=${domain}; Path=${path};`)
  })

  test('another header than Set-Cookie', () => {
    const headers = { 'X-Cookie': setCookie({ a: text }) }
    expect(() => endpoint('GET /a', { response: noContent({ headers }) })).toThrow(
      new TypeError('GET /a: setCookie() is the header X-Cookie of a reply. Write it as the header "Set-Cookie".'),
    )
  })
})

const loud = codec<string>({
  name: 'loud',
  parse: (given) => (given === given.toUpperCase() ? given : parseError('capitals')),
  print: (given) => given,
  schema: { type: 'string' },
  example: 'A',
})
const session = cookie(text, { maxAge: 3600, sameSite: 'Strict' })
const cookies = setCookie({ session, visits: cookie(int), theme: cookie(optional(text), { httpOnly: false }), dark: bool, loud })

const api = {
  login: endpoint('POST /login', { body: text, response: noContent({ headers: { 'Set-Cookie': cookies } }) }),
  both: endpoint('GET /both', { response: ok(text, { headers: { 'set-cookie': cookies, 'X-Count': int } }) }),
  made: endpoint('POST /made', { response: created({ headers: { 'Set-Cookie': cookies } }) }),
  me: endpoint('GET /me', {
    cookies: { session },
    response: ok(text),
    errors: [reply(401, undefined, { headers: { 'Set-Cookie': cookies } })],
  }),
  wrong: endpoint('POST /wrong', { body: text, response: noContent({ headers: { 'Set-Cookie': cookies } }) }),
}
const wrong: Readonly<Record<string, unknown>> = {
  'not declared': { sesion: 'a' },
  'too large': { session: 'a'.repeat(4_096) },
  'too large once encoded': { session: 'é'.repeat(700) },
  'of another type': { visits: 'many' },
  inherited: { constructor: 'a' },
}
const reports: unknown[] = []
const server = serve(
  api,
  {
    login: ({ body }) =>
      withHeaders({ 'Set-Cookie': body === '' ? { session: null, theme: null } : { session: body, visits: 1, theme: undefined } }),
    both: () => withHeaders('x', { 'set-cookie': {}, 'X-Count': 1 }),
    made: () => withHeaders({ 'Set-Cookie': { dark: false }, Location: '/a' }),
    me: ({ cookies: { session }, fail }) => {
      if (session === 'thrown') throw errors.unauthorized({ headers: { 'Set-Cookie': cookies.write({ session: null, dark: true }) } })
      return session === 'gone' ? fail(401, { headers: { 'Set-Cookie': { session: null, dark: true } } }) : session
    },
    wrong: ({ body }) => withHeaders({ 'Set-Cookie': wrong[body] as object }),
  },
  { onError: (error) => void reports.push(error) },
)
const strict = 'Path=/; Secure; HttpOnly; SameSite=Strict'

describeEachAdapter(server, ({ fetch }) => {
  const post = (path: string, body: string) =>
    fetch(path, { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: new TextEncoder().encode(body) })

  test('each cookie has a field of its own, and one that is undefined has none', async () => {
    const response = await post('/login', 'a;b')
    expect([response.status, response.headers.getSetCookie()]).toEqual([
      204,
      [`session=a%3Bb; Max-Age=3600; ${strict}`, `visits=1; ${safe}`],
    ])
  })

  test('null deletes a cookie, with the attributes of the one that was set', async () => {
    const response = await post('/login', '')
    expect(response.headers.getSetCookie()).toEqual([`session=; Max-Age=0; ${strict}`, 'theme=; Max-Age=0; Path=/; Secure; SameSite=Lax'])
  })

  test('beside other headers, and none at all', async () => {
    const [both, made] = [await fetch('/both'), await fetch('/made', { method: 'POST' })]
    expect([both.headers.getSetCookie(), both.headers.get('x-count'), await both.text()]).toEqual([[], '1', 'x'])
    expect([made.headers.getSetCookie(), made.headers.get('location')]).toEqual([[`dark=false; ${safe}`], '/a'])
  })

  test.each(['gone', 'thrown'])('an error sets them, too (%s)', async (session) => {
    const response = await fetch('/me', { headers: { Cookie: `session=${session}` } })
    expect([response.status, response.headers.getSetCookie()]).toEqual([401, [`session=; Max-Age=0; ${strict}`, `dark=true; ${safe}`]])
  })

  test.each(Object.keys(wrong))('a cookie that is %s is reported, and none is set', async (what) => {
    reports.length = 0
    const response = await post('/wrong', what)
    expect([response.status, response.headers.getSetCookie()]).toEqual([500, []])
    expect(String(reports)).toMatch(/^TypeError: POST \/wrong returned the header Set-Cookie, which its reply does not allow\. /)
  })
})

test('the largest cookie has 4,096 bytes with its name', () => {
  expect(cookies.write({ session: 'a'.repeat(4_089) })[0]).toHaveLength(4_097 + `; Max-Age=3600; ${strict}`.length)
  expect(() => cookies.write({ session: 'a'.repeat(4_090) })).toThrow(
    'The cookie "session" has more than 4096 bytes together with its name, and browsers reject it. Store the value on the server, and send a key for it.',
  )
})

test('a client reads what a server has set', () => {
  const value = fc.string({ unit: 'binary', maxLength: 300 }).filter((given) => given.isWellFormed())
  const values = fc.record(
    { session: fc.option(value), visits: fc.option(fc.maxSafeInteger()), theme: fc.option(value) },
    { requiredKeys: [], noNullPrototype: true },
  )
  fc.assert(
    fc.property(values, (given) => {
      const fields = cookies.write(given)
      expect(cookies.read({ values: fields, isPresent: true })).toEqual(given)
      for (const field of fields) expect(field).toMatch(/^[ -~]+$/)
    }),
  )
})

test.each<[string, string, object]>([
  ['a cookie of a proxy', 'lb=1; Path=/', {}],
  ['one without attributes', 'visits=7', { visits: 7 }],
  ['attributes of another server', 'visits="7"; expires=Wed, 21 Oct 2099 07:28:00 GMT; path=/x; Priority=High', { visits: 7 }],
  ['a date that has passed', 'visits=7; Expires=Thu, 01 Jan 1970 00:00:00 GMT', { visits: null }],
  ['a date without its zone is in GMT', 'visits=7; expires=Thu, 01-Jan-1970 00:00:00', { visits: null }],
  ['31 February is no date', 'visits=7; Expires=Sat, 31 Feb 1970 00:00:00 GMT', { visits: 7 }],
  ['an age wins over a date', 'visits=7; Expires=Thu, 01 Jan 1970 00:00:00 GMT; max-age=9', { visits: 7 }],
  ['a negative age', 'visits=; Max-Age=-1', { visits: null }],
  ['no name', '=7', {}],
  ['no pair', 'visits', {}],
  ['nothing', '', {}],
  ['separators', ';;;=;', {}],
  ['a name of every object', '__proto__=1', {}],
])('read: %s', (_what, field, expected) => {
  expect(cookies.read({ values: [field], isPresent: true })).toEqual(expected)
})

test('a declared cookie is read behind those of a proxy', () => {
  expect(cookies.read({ values: ['lb=1; Path=/', 'visits=7', 'other=2', 'dark=true'], isPresent: true })).toEqual({ visits: 7, dark: true })
})

test('a cookie that is not declared is refused with the names of those that are', () => {
  expect(() => cookies.write({ sesion: 'a' } as never)).toThrow(
    new TypeError('The cookie "sesion" is not declared. Use one of session, visits, theme, dark, loud, or add it to setCookie().'),
  )
  expect(cookies.write(undefined)).toEqual([])
})

test('cookie() keeps the description of its codec, and setCookie() shows one example of each', () => {
  expect(cookie(text({ description: 'A key.' }), { maxAge: 1 })).toMatchObject({ description: 'A key.', attributes: { maxAge: 1 } })
  expect(setCookie({ size: int({ examples: [7, 8] }), a: cookie(text, { maxAge: 1 }) }).examples).toEqual([
    `size=7; ${safe}`,
    `a=text; Max-Age=1; ${safe}`,
  ])
})

test('client() resolves to the values, and to none where a browser hides the header', async () => {
  const call = client(api, 'http://a.test', { fetch: server.fetch })
  const { headers } = await call.login({ body: 'key' })
  expect(headers['Set-Cookie']).toEqual({ session: 'key', visits: 1 })
  expect(await call.me({ cookies: { session: headers['Set-Cookie'].session ?? '' } })).toBe('key')
  const hiding = client(api, 'http://a.test', { fetch: async () => new Response(null, { status: 204 }) })
  expect(await hiding.login({ body: 'key' })).toEqual({ headers: { 'Set-Cookie': {} } })
  const invalid = client(api, 'http://a.test', {
    fetch: async () => new Response(null, { status: 204, headers: { 'Set-Cookie': 'visits=many' } }),
  })
  await expect(invalid.login({ body: 'key' })).rejects.toThrow('Set-Cookie')
})

test('documentation and OpenAPI show each with its attributes; a mock sends them', async () => {
  const login = {
    login: endpoint('POST /login', { response: noContent({ headers: { 'Set-Cookie': setCookie({ session, count: int }) } }) }),
  }
  expect(markdown(await outline(login))).toContain(
    `- \`Set-Cookie\` (cookies, may be repeated), **values**: \`session=text; Max-Age=3600; ${strict}\`, \`count=42; ${safe}\``,
  )
  const { paths } = await openapi(login, { title: 'Login', version: '1' })
  // It has a field for each cookie: a list would stand in one field, with commas.
  const examples = { session: { value: `session=text; Max-Age=3600; ${strict}` }, count: { value: `count=42; ${safe}` } }
  expect(paths['/login']?.post?.responses['204']).toMatchObject({ headers: { 'Set-Cookie': { schema: { type: 'string' }, examples } } })
  const response = await mock(login, { seed: 1 }).fetch(new Request('http://a.test/login', { method: 'POST' }))
  expect(response.headers.getSetCookie()).toEqual([`session=text; Max-Age=3600; ${strict}`, `count=42; ${safe}`])
})
