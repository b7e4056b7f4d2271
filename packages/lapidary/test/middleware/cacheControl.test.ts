/** `cacheControl`: what responses say about being kept, by what their endpoints declare. */
import {
  apiKey,
  basic,
  bearer,
  cookie,
  endpoint,
  events,
  healthEndpoints,
  mount,
  noContent,
  ok,
  optional,
  reply,
  setCookie,
  text,
  withHeaders,
} from 'lapidary'
import { type CacheControlOptions, cacheControl } from 'lapidary/middleware'
import { authenticate, healthHandlers, serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

const token = bearer<string>('token')
const session = apiKey<string>({ in: 'cookie', name: 'session' })
const key = apiKey<string>({ in: 'header', name: 'X-Key' })
const param = apiKey<string>({ in: 'query', name: 'key' })
const people = basic<string>('people')
const response = ok(text)
const api = {
  open: endpoint('GET /open', { response, etag: true }),
  change: endpoint('PUT /open', { body: text, response }),
  own: endpoint('GET /own', { response, responseHeaders: { 'cache-control': 'public, max-age=5' } }),
  meta: endpoint('GET /meta', { response, meta: { cacheControl: 'max-age=5' } }),
  none: endpoint('GET /none', { response, meta: { cacheControl: false } }),
  token: endpoint('GET /token', { auth: token, response }),
  session: endpoint('GET /session', { auth: session, response }),
  maybeToken: endpoint('GET /maybe-token', { auth: optional(token), response }),
  maybeSession: endpoint('GET /maybe-session', { auth: optional(session), response }),
  maybeKey: endpoint('GET /maybe-key', { auth: optional(key), response }),
  maybeParam: endpoint('GET /maybe-param', { auth: optional(param), response }),
  cookies: endpoint('GET /cookies', { cookies: { theme: optional(text) }, response }),
  missing: endpoint('GET /missing', { response, errors: [reply(404)] }),
  events: endpoint('GET /events', { response: ok(events(z.string())) }),
  moved: endpoint('GET /moved', { response: reply(303, undefined, { headers: { Location: text } }) }),
  people: endpoint('GET /people', { auth: people, response: noContent({ headers: { 'Set-Cookie': setCookie({ a: cookie(text) }) } }) }),
  files: mount('/files'),
}
/** What the endpoints above have as `meta`. */
interface Declared {
  readonly cacheControl?: string | false
}
const hello = (): string => 'Hello'
const handlers = {
  ...{ open: hello, change: hello, own: hello, meta: hello, none: hello, token: hello, session: hello },
  ...{ maybeToken: hello, maybeSession: hello, maybeKey: hello, maybeParam: hello, cookies: hello },
}

async function getHeaders(
  target: string,
  value?: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<readonly [string | null, string | null]> {
  const server = serve(
    api,
    {
      ...handlers,
      missing: ({ fail }) => fail(404),
      events: async function* () {
        yield { data: 'one' }
      },
      moved: () => withHeaders({ Location: '/open' }),
      people: () => withHeaders({ 'Set-Cookie': { a: 'b' } }),
      files: () => ({ status: 200, headers: [], body: 'file' }),
    },
    {
      auth: [
        authenticate(token, (name) => name),
        authenticate(session, (name) => name),
        authenticate(key, (name) => name),
        authenticate(param, (name) => name),
        authenticate(people, ({ username }) => username),
      ],
      middleware: [cacheControl(value, { select: ({ meta }) => (meta as Declared | undefined)?.cacheControl })],
    },
  )
  const result = await server.fetch(new Request(`http://test.invalid${target}`, { method, headers }))
  await result.body?.cancel()
  return [result.headers.get('cache-control'), result.headers.get('vary')]
}

const bearerHeaders = { Authorization: 'Bearer ann' }
test.each<[string, Record<string, string>, string | null, string | null]>([
  ['/open', {}, 'max-age=60', null],
  ['/open', { Cookie: 'session=ann' }, 'max-age=60', null],
  ['/own', {}, 'public, max-age=5', null],
  ['/meta', {}, 'max-age=5', null],
  ['/none', {}, null, null],
  ['/token', bearerHeaders, 'private, max-age=60', null],
  ['/session', { Cookie: 'session=ann' }, 'private, max-age=60', 'Cookie'],
  ['/people', { Authorization: `Basic ${btoa('ann:secret')}` }, 'private, max-age=60', null],
  ['/maybe-token', {}, 'max-age=60', 'Authorization'],
  ['/maybe-token', bearerHeaders, 'private, max-age=60', 'Authorization'],
  ['/maybe-session', {}, 'max-age=60', 'Cookie'],
  ['/maybe-session', { Cookie: 'session=ann' }, 'private, max-age=60', 'Cookie'],
  ['/maybe-key', {}, 'max-age=60', 'x-key'],
  ['/maybe-key', { 'X-Key': 'ann' }, 'private, max-age=60', 'x-key'],
  ['/maybe-param', {}, 'private, max-age=60', null],
  ['/cookies', {}, 'max-age=60', 'Cookie'],
  ['/cookies', { Cookie: 'theme=dark' }, 'private, max-age=60', 'Cookie'],
  ['/events', {}, 'no-cache', null],
  ['/moved', {}, null, null],
  ['/files/a', {}, null, null],
  ['/missing', {}, 'no-store', null],
  ['/token', {}, 'no-store', null],
  ['/nowhere', {}, 'no-store', null],
])('GET %s with %j: %s, Vary: %s', async (target, headers, expected, vary) => {
  expect(await getHeaders(target, 'max-age=60', headers)).toEqual([expected, vary])
})

test.each([
  ['max-age=60', 'private, max-age=60'],
  ['Public, max-age=60, S-MaxAge=90', 'private, max-age=60'],
  ['no-store', 'no-store'],
])('a response that sets a cookie belongs to one client: %s', async (value, expected) => {
  const start = endpoint('GET /start', { response: noContent({ headers: { 'Set-Cookie': setCookie({ session: cookie(text) }) } }) })
  const server = serve({ start }, { start: () => withHeaders({ 'Set-Cookie': { session: 'ann' } }) }, { middleware: [cacheControl(value)] })
  const { headers } = await server.fetch(new Request('http://test.invalid/start'))
  expect([headers.has('set-cookie'), headers.get('cache-control')]).toEqual([true, expected])
})

test('an endpoint with credentials and a Cache-Control of its own needs no other one', async () => {
  const mine = endpoint('GET /mine', { auth: token, response, responseHeaders: { 'cache-control': 'private, max-age=5' } })
  const server = serve(
    { mine },
    { mine: hello },
    { auth: [authenticate(token, (name) => name)], middleware: [cacheControl('public, max-age=60')] },
  )
  const { headers } = await server.fetch(new Request('http://test.invalid/mine', { headers: bearerHeaders }))
  expect(headers.get('cache-control')).toBe('private, max-age=5')
})

test('nobody keeps the answer to a health check', async () => {
  const server = serve(healthEndpoints(), healthHandlers(), { middleware: [cacheControl('max-age=60')] })
  expect((await server.fetch(new Request('http://test.invalid/ready'))).headers.get('cache-control')).toBe('no-store')
})

test('a change gets none, and HEAD that of GET', async () => {
  expect(await getHeaders('/open', 'max-age=60', {}, 'HEAD')).toEqual(['max-age=60', null])
  expect(await getHeaders('/open', 'max-age=60', {}, 'OPTIONS')).toEqual([null, null])
  expect(await getHeaders('/open', 'max-age=60', {}, 'PUT')).toEqual([null, null])
})

test('a 304 has the header of the 200', async () => {
  expect(await getHeaders('/open', 'max-age=60', { 'If-None-Match': '*' })).toEqual(['max-age=60', null])
})

test('without a value, copies are kept and revalidated', async () => {
  expect((await getHeaders('/open'))[0]).toBe('no-cache')
  expect((await getHeaders('/token', undefined, bearerHeaders))[0]).toBe('private, no-cache')
})

test.each(['no-store', 'private, max-age=5'])('private is not said twice: %s', async (value) => {
  expect((await getHeaders('/token', value, bearerHeaders))[0]).toBe(value)
})

test.each<[unknown, string]>([
  ['', 'cacheControl() has the value "", expected directives such as no-cache, no-store or max-age=60.'],
  [60, 'cacheControl() has the value 60, expected directives'],
  ['max_age=60', 'cacheControl() has "max_age=60", which is no directive of Cache-Control. Write max-age=60 or no-cache.'],
  ['constructor', 'cacheControl() has "constructor", which is no directive of Cache-Control.'],
  ['max-age', 'cacheControl() has "max-age", expected the directive with a number of seconds: max-age=60.'],
  ['max-age=1h', 'cacheControl() has "max-age=1h", which is no directive'],
  ['public=1', 'cacheControl() has "public=1", expected the directive alone, without a value.'],
  ['public, private', 'cacheControl() has public and private, which say opposite things. Remove one of them.'],
  ['No-Store, Public', 'cacheControl() has public and no-store'],
  [() => {}, 'cacheControl() takes its options, but got a function.'],
])('the value %j is refused', (value, message) => {
  expect(() => cacheControl(value as string)).toThrow(message)
})

test.each<[string, string]>([
  ['public, max-age=5', 'cacheControl() has public for GET /token, whose responses depend on credentials or cookies'],
  ['s-maxage=5', 'cacheControl() has s-maxage for GET /token'],
  ['max-age=x', 'cacheControl(), at GET /token has "max-age=x"'],
])('a value that is wrong for an endpoint is refused at the start: %s', (value, message) => {
  const options: CacheControlOptions = { select: () => value }
  const start = (): unknown =>
    serve(
      { token: api.token },
      { token: hello },
      { auth: [authenticate(token, (name) => name)], middleware: [cacheControl('no-cache', options)] },
    )
  expect(start).toThrow(message)
})
