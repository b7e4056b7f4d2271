/** `csrf`: which requests of pages are refused. One row a rule. */
import { apiKey, basic, bearer, cookie, either, endpoint, mount, noContent, optional, prefix, setCookie, text, withHeaders } from 'lapidary'
import { cors, csrf } from 'lapidary/middleware'
import { authenticate, serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

const session = apiKey<string>({ in: 'cookie', name: 'session' })
const key = apiKey<string>({ in: 'header', name: 'X-Key' })
const token = bearer<string>('token')
const people = basic<string>('people')
const response = noContent
const api = prefix('/api', {
  session: endpoint('POST /session', { auth: session, response }),
  change: endpoint('PUT /session', { auth: session, response }),
  remove: endpoint('DELETE /session', { auth: session, response }),
  read: endpoint('GET /session', { auth: session, response }),
  search: endpoint('QUERY /session', { auth: session, body: text, response }),
  people: endpoint('POST /people', { auth: people, response }),
  both: endpoint('POST /both', { auth: either(session, token), response }),
  maybe: endpoint('POST /maybe', { auth: optional(session), response }),
  token: endpoint('POST /token', { auth: token, response }),
  key: endpoint('POST /key', { auth: key, response }),
  maybeToken: endpoint('POST /maybe-token', { auth: optional(token), response }),
  open: endpoint('POST /open', { response }),
  cookies: endpoint('POST /cookies', { cookies: { basket: optional(text) }, response }),
  cookieGroup: endpoint('POST /cookie-group', { cookies: z.object({ basket: z.string().optional() }), response }),
  login: endpoint('POST /login', { response: noContent({ headers: { 'Set-Cookie': setCookie({ session: cookie(text) }) } }) }),
  files: mount('/files'),
})
const nothing = () => {}
const handlers = {
  ...{ session: nothing, change: nothing, remove: nothing, read: nothing, search: nothing, people: nothing, both: nothing, maybe: nothing },
  ...{ token: nothing, key: nothing, maybeToken: nothing, open: nothing, cookies: nothing, cookieGroup: nothing },
  login: () => withHeaders({ 'Set-Cookie': { session: 'a' } }),
  files: () => ({ status: 204, headers: [], body: null }),
}
const auth = [
  authenticate(session, (text) => text),
  authenticate(token, (text) => text),
  authenticate(key, (text) => text),
  authenticate(people, ({ username }) => username),
]
const origins = ['https://app.example.org']
const server = serve(api, handlers, { auth, middleware: [cors({ origins, credentials: true }), csrf({ origins })] })

const credentials = { Cookie: 'session=ann', 'X-Key': 'ann' }
async function getStatus(method: string, target: string, headers: Record<string, string>): Promise<number> {
  const all: Record<string, string> = { Host: 'shop.example', 'Content-Type': 'text/plain', ...credentials, ...headers }
  if (target === '/people') all['Authorization'] = `Basic ${btoa('ann:secret')}`
  if (target.endsWith('token')) all['Authorization'] = 'Bearer ann'
  const body = method === 'QUERY' ? 'a' : undefined
  const request = new Request(`http://shop.example/api${target}`, { method, headers: all, ...(body !== undefined && { body }) })
  return (await server.fetch(request)).status
}
const crossSite = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }

test.each<[string, Record<string, string>, number]>([
  ['the page of this origin', { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://shop.example' }, 204],
  ['the address bar', { 'Sec-Fetch-Site': 'none' }, 204],
  ['a page of another site', crossSite, 403],
  ['a page of another subdomain', { 'Sec-Fetch-Site': 'same-site', Origin: 'https://blog.shop.example' }, 403],
  ['a page of another site without an origin', { 'Sec-Fetch-Site': 'cross-site', Origin: 'null' }, 403],
  ['an allowed page of another site', { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://app.example.org' }, 204],
  ['an old browser, at this origin', { Origin: 'https://shop.example' }, 204],
  ['an old browser, at another origin', { Origin: 'https://evil.example' }, 403],
  ['an old browser, at another port', { Origin: 'https://shop.example:8443' }, 403],
  ['an old browser, without an origin', { Origin: 'null' }, 403],
  ['an old browser, at an allowed origin', { Origin: 'https://app.example.org' }, 204],
  ['an invalid Origin', { Origin: 'shop.example' }, 403],
  ['an unknown Sec-Fetch-Site', { 'Sec-Fetch-Site': 'other' }, 403],
  ['a program, which sends neither', {}, 204],
])('a POST of %s', async (_what, headers, status) => {
  expect(await getStatus('POST', '/session', headers)).toBe(status)
})

test.each<[string, string, number]>([
  ['PUT', '/session', 403],
  ['DELETE', '/session', 403],
  ['GET', '/session', 204],
  ['HEAD', '/session', 204],
  ['QUERY', '/session', 204],
  ['OPTIONS', '/session', 204],
  ['POST', '/people', 403],
  ['POST', '/both', 403],
  ['POST', '/maybe', 403],
  ['POST', '/cookies', 403],
  ['POST', '/cookie-group', 403],
  ['POST', '/login', 403],
  ['POST', '/files/a', 403],
  ['POST', '/nowhere', 403],
  ['POST', '/token', 204],
  ['POST', '/key', 204],
  ['POST', '/maybe-token', 204],
  ['POST', '/open', 204],
])('a page of another site sends %s %s', async (method, target, status) => {
  expect(await getStatus(method, target, crossSite)).toBe(status)
})

test('an allowed page can read the 403 of another one of its requests', async () => {
  const headers = { ...credentials, Host: 'shop.example', 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
  const refused = await server.fetch(new Request('http://shop.example/api/session', { method: 'POST', headers }))
  expect([refused.status, refused.headers.get('vary'), await refused.json()]).toEqual([
    403,
    'Origin',
    {
      ...{ type: 'about:blank', title: 'Forbidden', status: 403 },
      detail: 'A page of another site made this request. The server does not allow its origin.',
    },
  ])
})

test.each(['https://app.example.org/', 'app.example.org', 'HTTPS://APP.EXAMPLE.ORG'])('the origin %s is refused', (origin) => {
  expect(() => csrf({ origins: [origin] })).toThrow(`csrf() has the origin "${origin}", which no browser sends. Write a list such as`)
})

test('all origins cannot be allowed', () => {
  expect(() => csrf({ origins: '*' as never })).toThrow('csrf() has the origin "*"')
})
