/** Cookies of requests: what a client writes, what a server reads, what documents say of them, and hostile ones. */

import fc from 'fast-check'
import {
  content,
  endpoint,
  html,
  int,
  isHttpError,
  json,
  list,
  noContent,
  ok,
  oneOf,
  optional,
  reply,
  seeOther,
  text,
  withHeaders,
} from 'lapidary'
import { client } from 'lapidary/client'
import { documentedRequests, markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { type ApiServer, serve } from 'lapidary/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { formatCookiePair, getCookie, parseSetCookie } from '../../src/http/cookies.ts'
import { cpuTime } from '../support/cpuTime.ts'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { buildRequest, get, type Row, respondsWith } from '../support/matrix/row.ts'

const Seen = ok(text)
const api = {
  visit: endpoint('GET /visit', {
    cookies: { session: text, currency: oneOf(['EUR', 'USD'], { default: 'EUR' }), visits: optional(int) },
    response: Seen,
    errors: [reply(404)],
    etag: true,
  }),
  add: endpoint('POST /visit', { cookies: { session: text }, response: noContent }),
  host: endpoint('GET /host', { cookies: { '__Host-id': optional(text), 'a.b~': optional(text) }, response: Seen }),
  leave: endpoint('GET /leave', { cookies: { session: text }, response: [noContent, seeOther] }),
  away: endpoint('GET /away', { cookies: { session: text }, response: noContent }),
  plain: endpoint('GET /plain', { response: Seen }),
}
const server: ApiServer = serve(api, {
  visit: ({ cookies, fail }) => (cookies.session === 'gone' ? fail(404) : JSON.stringify(cookies)),
  add: () => {},
  host: ({ cookies }) => JSON.stringify(cookies),
  leave: () => {},
  away: () => {},
  plain: () => 'plain',
})

const lots = Array.from({ length: 400 }, (_, index) => `c${index}=${index}`).join('; ')
const seen = (given: object) => respondsWith(200, { text: JSON.stringify(given), headers: { Vary: 'Cookie' } })
const visit = (Cookie: string) => get('/visit', { Cookie })

/** Each is read or refused, and none is an error of the server. */
const hostile: readonly Row[] = [
  ['hundreds of cookies, and one that counts behind them', visit(`${lots}; session=s`), seen({ session: 's', currency: 'EUR' })],
  ['hundreds of the same cookie', visit('session=s; '.repeat(400)), seen({ session: 's', currency: 'EUR' })],
  ['nothing but separators', visit(`${';'.repeat(3000)}session=s`), seen({ session: 's', currency: 'EUR' })],
  ['nothing but equals signs', visit('='.repeat(3000)), respondsWith(400)],
  ['nothing but quotes', visit('"'.repeat(3000)), respondsWith(400)],
  ['nothing but percent signs', visit(`session=${'%'.repeat(3000)}`), seen({ session: '%'.repeat(3000), currency: 'EUR' })],
  ['a quote that never ends', visit('a="1; session=s; b="'), seen({ session: 's', currency: 'EUR' })],
  ['a separator within quotes', visit('session="a;b"'), seen({ session: '"a', currency: 'EUR' })],
  ['a very long name', visit(`${'n'.repeat(4000)}=1; session=s`), seen({ session: 's', currency: 'EUR' })],
  ['names of every object', visit('__proto__=1; constructor=2; toString=3; session=s'), seen({ session: 's', currency: 'EUR' })],
  ['names of every object alone', visit('__proto__=1; hasOwnProperty=2'), respondsWith(400)],
  ['a number beyond all bounds', visit(`session=s; visits=${'9'.repeat(3000)}`), respondsWith(400)],
  ['half of a percent-encoded character', visit('session=%C3'), seen({ session: '%C3', currency: 'EUR' })],
  ['an encoded surrogate', visit('session=%ED%A0%80'), seen({ session: '%ED%A0%80', currency: 'EUR' })],
  ['a prefix that only a server may set', get('/host', { Cookie: '__Host-id=1; __host-id=2' }), seen({ '__Host-id': '1' })],
  ['odd characters in a declared name', get('/host', { Cookie: 'a.b~=1; a=2' }), seen({ 'a.b~': '1' })],
  ['a tab', visit('\tsession=s\t;\tvisits=1'), seen({ session: 's', currency: 'EUR', visits: 1 })],
  ['bytes beyond ASCII', visit('session=\xe9'), respondsWith(200)],
]

const rows: readonly Row[] = [
  ['a GET with cookies depends on them', visit('session=s'), respondsWith(200, { headers: { Vary: 'Cookie', ETag: expect.any(String) } })],
  ['a 304 says so, too', get('/visit', { Cookie: 'session=s', 'If-None-Match': '*' }), respondsWith(304, { headers: { Vary: 'Cookie' } })],
  ['HEAD, too', buildRequest('HEAD', '/visit', { Cookie: 'session=s' }), respondsWith(200, { headers: { Vary: 'Cookie' } })],
  ['POST is not cached', buildRequest('POST', '/visit', { Cookie: 'session=s' }), respondsWith(204, { headers: { Vary: null } })],
  ['an endpoint without cookies does not depend on them', get('/plain', { Cookie: 'a=1' }), respondsWith(200, { headers: { Vary: null } })],
  ['a declared error', visit('session=gone'), respondsWith(404)],
]

describeEachAdapter(server, (running) => {
  testRows(running, rows)
  testRows(running, hostile)
})

test('a server reads what a client writes', () => {
  const value = fc.string({ unit: 'binary' }).filter((text) => text.isWellFormed())
  fc.assert(
    fc.property(value, value, (one, other) => {
      const header = `${formatCookiePair('a', one)}; ${formatCookiePair('b', other)}`
      expect(header).toMatch(/^a=[!#$%&-+\--:<-[\]-~]*; b=[!#$%&-+\--:<-[\]-~]*$/)
      expect([getCookie(header, 'a'), getCookie(header, 'b')]).toEqual([one, other])
    }),
  )
})

test('reading never throws, whatever the header', () => {
  const header = fc.string({ unit: fc.constantFrom(...'ab=;"% \t,\\%C3\0é') })
  fc.assert(fc.property(header, (text) => void expect(['string', 'undefined']).toContain(typeof getCookie(text, 'a'))))
})

test('a value of printable ASCII stays readable, but for what a cookie cannot hold', () => {
  expect(formatCookiePair('a', "AZaz09!#$&'()*+-./:<=>?@[]^_`{|}~")).toBe("a=AZaz09!#$&'()*+-./:<=>?@[]^_`{|}~")
  expect(formatCookiePair('a', '%",;\\ \0\ud800')).toBe('a=%25%22%2C%3B%5C%20%00%EF%BF%BD')
})

test('reading takes linear time', () => {
  const time = (length: number): number => {
    const header = `${'a=1;'.repeat(length)}${'b'.repeat(length)}="${'%'.repeat(length)}`
    return cpuTime(() => void getCookie(header, 'none'))
  }
  // A quadratic one would take 256 times as long.
  expect(time(160_000)).toBeLessThan(100 * Math.max(1, time(10_000)))
})

test.each(['\xa0', '\ufeff', '\u2003', '\v', '\f', '\x85', '\u2028'])('%j is part of a name and of a value', (space) => {
  expect(getCookie(`${space}__Host-id=evil`, '__Host-id')).toBeUndefined()
  expect(getCookie(`__Host-id${space}=evil; \t__Host-id \t= own \t`, '__Host-id')).toBe('own')
  expect(getCookie(`a=${space}b${space}`, 'a')).toBe(`${space}b${space}`)
  expect(parseSetCookie(`${space}__Host-id=${space}b; ${space}Secure; Max-Age${space}=0`)).toEqual({
    name: `${space}__Host-id`,
    value: `${space}b`,
    attributes: [`${space}Secure`, `Max-Age${space}=0`],
    isDeleted: false,
  })
})

describe('client()', () => {
  const sent: Request[] = []
  const recording = async (request: Request): Promise<Response> => {
    sent.push(request)
    return server.fetch(request)
  }
  const call = client(api, 'http://a.test', { fetch: recording })
  const lastCookie = (): string | null | undefined => sent.at(-1)?.headers.get('cookie')
  afterEach(() => vi.unstubAllGlobals())

  test('writes one header, percent-encoded, without what is left out', async () => {
    expect(await call.visit({ cookies: { session: 'é;', visits: 7 } })).toMatchObject({
      body: '{"session":"é;","currency":"EUR","visits":7}',
    })
    expect(lastCookie()).toBe('session=%C3%A9%3B; visits=7')
    await call.host({ cookies: {} })
    expect(lastCookie()).toBeNull()
  })

  test('may be called without cookies, which a browser adds itself', async () => {
    await expect(call.visit()).rejects.toSatisfy((error) => isHttpError(error, 400))
    expect(lastCookie()).toBeNull()
  })

  test('adds them to cookies of its own options; those of the call come first', async () => {
    const known = client(api, 'http://a.test', { fetch: recording, headers: { cookie: 'session=old; visits=9' } })
    expect(await known.visit({ cookies: { session: 'new' } })).toMatchObject({ body: '{"session":"new","currency":"EUR","visits":9}' })
    expect(lastCookie()).toBe('session=new; session=old; visits=9')
  })

  test('rejects a value that its codec does not write', async () => {
    await expect(call.visit({ cookies: { session: 's', visits: 1.5 } })).rejects.toThrow(TypeError)
    // @ts-expect-error A cookie of plain JavaScript.
    await expect(call.visit({ cookies: { session: 's', currency: 'CHF' } })).rejects.toThrow('expected one of EUR, USD')
  })

  test('says in a browser that the part is to be left out', async () => {
    // As in browsers: a script cannot set the header.
    const BrowserRequest = class extends Request {
      constructor(...[url, init]: ConstructorParameters<typeof Request>) {
        const headers = new Headers(init?.headers)
        headers.delete('cookie')
        super(url, { ...init, headers })
      }
    }
    vi.stubGlobal('Request', BrowserRequest)
    await expect(call.visit({ cookies: { session: 's' } })).rejects.toThrow(
      new TypeError('GET /visit: a browser sends its own cookies, and lets no script write them. Leave "cookies" out of the call.'),
    )
    await expect(call.host({ cookies: {} })).resolves.toBe('{}')
  })

  test.each([
    ['/plain', 'http://a.test/plain', 2],
    ['https://a.test/plain', undefined, 1],
    ['http://b.test/plain', undefined, 1],
    ['http://a.test:81/plain', undefined, 1],
  ])('redirected to %s, it sends cookies to their origin alone', async (location, url, requests) => {
    const urls: [string, string | null][] = []
    const redirecting = client(api, 'http://a.test', {
      fetch: async (request) => {
        urls.push([request.url, request.headers.get('cookie')])
        expect(request.redirect).toBe('manual')
        return urls.length === 1
          ? new Response(null, { status: 307, headers: { Location: location } })
          : new Response(null, { status: 204 })
      },
    })
    await redirecting.away({ cookies: { session: 's' } }).catch(() => {})
    expect(urls).toHaveLength(requests)
    expect(urls.at(1)).toEqual(url === undefined ? undefined : [url, 'session=s'])
  })
})

test('documentation lists them, and shows a request with those that are required, then with each other', async () => {
  const { sections } = await outline({ visit: api.visit })
  const [section] = sections
  if (section === undefined) throw new Error('There is no section.')
  expect([...new Set(documentedRequests(section).map(({ headers }) => headers['Cookie']))]).toEqual([
    'session=text',
    'session=text; currency=EUR',
    'session=text; currency=USD',
    'session=text; visits=42',
  ])
  expect(markdown(await outline({ visit: api.visit }))).toContain(`### Cookies

- \`session\` (text, required), **values**: \`text\`
- \`currency\` (choice, default EUR), **values**: \`EUR\`, \`USD\`
- \`visits\` (integer, optional), **values**: \`42\``)
})

test('OpenAPI has them as parameters, and Vary in the response', async () => {
  const { paths } = await openapi(api, { title: 'Visits', version: '1' })
  const operation = paths['/visit']?.get
  expect(operation?.parameters?.filter((parameter) => 'in' in parameter && parameter.in === 'cookie')).toMatchObject([
    { name: 'session', required: true },
    { name: 'currency', schema: { default: 'EUR' } },
    { name: 'visits' },
  ])
  expect(operation?.responses['200']).toMatchObject({ headers: { Vary: { required: true, example: 'Cookie' } } })
})

test('of several content types, a response names Accept and Cookie', async () => {
  const names = endpoint('GET /names', {
    cookies: { session: text },
    response: ok(
      content(
        list(z.string()),
        json,
        html((all) => all.join()),
      ),
      { headers: { 'X-Count': int } },
    ),
  })
  const response = await serve({ names }, { names: () => withHeaders(['a'], { 'X-Count': 1 }) }).fetch(
    new Request('http://a.test/names', { headers: { Cookie: 'session=s' } }),
  )
  expect(response.headers.get('vary')).toBe('Accept, Cookie')
})
