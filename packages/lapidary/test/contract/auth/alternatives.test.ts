/** Alternatives, combinations, scopes and places of credentials, on every adapter. */

import fc from 'fast-check'
import { apiKey, authScheme, basic, bearer, both, either, endpoint, json, noContent, ok, optional, text } from 'lapidary'
import { type Credentials, client, credentials, type FetchLike } from 'lapidary/client'
import { type ApiServer, authenticate, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { startCpuTime } from '../../support/cpuTime.ts'
import { describeEachAdapter, testRows } from '../../support/matrix/eachAdapter.ts'
import { buildRequest, get, type Row, respondsWith } from '../../support/matrix/row.ts'
import { samples } from '../../support/samples.ts'

interface Robot {
  readonly robot: string
  readonly scopes: readonly string[]
}

const session = apiKey<string>({ in: 'cookie', name: 'session' })
const header = apiKey<string>({ in: 'header', name: 'X-Key' })
const query = apiKey<string>({ in: 'query', name: 'api key' })
const staff = basic<string>('staff')
const token = bearer<Robot, 'read' | 'write'>('market')

const api = {
  any: endpoint('GET /any', { auth: either(session, token, staff), response: ok(json) }),
  all: endpoint('GET /all', { auth: both(session, token.scopes('write')), response: ok(json) }),
  some: endpoint('GET /some', { auth: both(either(session, header), token), response: ok(json) }),
  maybe: endpoint('GET /maybe', { auth: optional(staff), response: ok(json) }),
  maybeAny: endpoint('GET /maybe-any', { auth: optional(either(session, query)), response: ok(json) }),
  open: endpoint('GET /open', { auth: optional(either(session, token.scopes('write'), staff), { invalid: 'ignore' }), response: ok(json) }),
  openAll: endpoint('GET /open-all', { auth: optional(both(session, header), { invalid: 'ignore' }), response: ok(json) }),
  kept: endpoint('POST /kept', {
    auth: optional(either(session, token), { invalid: 'ignore' }),
    idempotent: 'required',
    response: ok(json),
  }),
  write: endpoint('POST /write', { auth: token.scopes('read', 'write'), body: text, response: noContent }),
  key: endpoint('GET /key', { auth: header, response: ok(json) }),
  query: endpoint('GET /query', { auth: query, response: ok(json) }),
}

const robots: Record<string, Robot> = {
  full: { robot: 'full', scopes: ['read', 'write', 'other'] },
  poor: { robot: 'poor', scopes: ['read'] },
}

const failing = (shown: string): void => {
  if (shown === 'broken') throw new Error('planted')
}

const reported: unknown[] = []
const show = ({ user }: { readonly user?: unknown }): unknown => user ?? null
const server: ApiServer = serve(
  api,
  {
    any: show,
    all: show,
    some: show,
    maybe: show,
    maybeAny: show,
    open: show,
    openAll: show,
    kept: show,
    write: () => {},
    key: show,
    query: show,
  },
  {
    auth: [
      authenticate(session, async (key) => (key.startsWith('ann') ? key : undefined)),
      authenticate(header, (key) => {
        failing(key)
        return key === 'k 1' ? key : undefined
      }),
      authenticate(query, (key) => (key === 'k&1' ? key : undefined)),
      authenticate(staff, ({ username, password }) => (password === 'opal' ? username : undefined)),
      authenticate(token, async (shown) => robots[shown], { scopes: ({ scopes }) => scopes }),
    ],
    idempotency: { identify: (user) => (typeof user === 'string' ? user : (user as Robot).robot) },
    onError: (error) => reported.push(error),
  },
)

const apiKeyChallenge = (place: string, name: string): string => `ApiKey in="${place}", name="${name}"`
const cookieChallenge = apiKeyChallenge('cookie', 'session')
const staffChallenge = 'Basic realm="staff", charset="UTF-8"'
const marketChallenge = 'Bearer realm="market"'
const wrongToken = `${marketChallenge}, error="invalid_token"`
const anyone = `${cookieChallenge}, ${marketChallenge}, ${staffChallenge}`

const refused = (challenge: string, names?: string) =>
  respondsWith(401, {
    headers: { 'WWW-Authenticate': challenge, 'Content-Type': 'application/problem+json' },
    ...(names === undefined
      ? {}
      : {
          json: {
            type: 'about:blank',
            title: 'Unauthorized',
            status: 401,
            detail: `This resource requires valid credentials (${names}).`,
          },
        }),
  })
const forbidden = (scope: string) =>
  respondsWith(403, {
    headers: { 'WWW-Authenticate': `${marketChallenge}, error="insufficient_scope", scope="${scope}"` },
    json: {
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: `The credentials need the scopes ${scope.replaceAll(' ', ', ')}.`,
    },
  })
const served = (user: unknown) => respondsWith(200, { json: user })

const cookie = (text: string) => ({ Cookie: text })
const authorization = (text: string) => ({ Authorization: text })
const asStaff = (password: string) => authorization(`Basic ${btoa(`ben:${password}`)}`)
const asRobot = (name: string) => authorization(`Bearer ${name}`)

const alternatives: readonly Row[] = [
  ['the first alternative is accepted', get('/any', cookie('session=ann')), served('ann')],
  ['so is the second', get('/any', asRobot('poor')), served(robots['poor'])],
  ['so is the last', get('/any', asStaff('opal')), served('ben')],
  ['of two, the first that is declared counts', get('/any', { ...asStaff('opal'), ...cookie('session=ann') }), served('ann')],
  ['a wrong first one is not saved by a right second one', get('/any', { ...asStaff('opal'), ...cookie('session=eve') }), refused(anyone)],
  ['without credentials every challenge is sent', get('/any'), refused(anyone, 'session or market or staff')],
  ['a wrong token is told apart', get('/any', asRobot('none')), refused(`${cookieChallenge}, ${wrongToken}, ${staffChallenge}`)],
  ['a malformed token is none', get('/any', authorization('Bearer a b')), refused(anyone)],
]

const combinations: readonly Row[] = [
  ['all of them are accepted', get('/all', { ...cookie('session=ann'), ...asRobot('full') }), served(['ann', robots['full']])],
  ['one is too few', get('/all', cookie('session=ann')), refused(`${cookieChallenge}, ${marketChallenge}`, 'session and market')],
  ['so is the other', get('/all', asRobot('full')), refused(`${cookieChallenge}, ${marketChallenge}`)],
  [
    'a wrong one of both is 401',
    get('/all', { ...cookie('session=ann'), ...asRobot('none') }),
    refused(`${cookieChallenge}, ${wrongToken}`),
  ],
  [
    '401 comes before 403',
    get('/all', { ...cookie('session=eve'), ...asRobot('poor') }),
    refused(`${cookieChallenge}, ${marketChallenge}`),
  ],
  ['then come the scopes', get('/all', { ...cookie('session=ann'), ...asRobot('poor') }), forbidden('write')],
  ['either of two, with a third', get('/some', { 'X-Key': 'k 1', ...asRobot('poor') }), served(['k 1', robots['poor']])],
  ['the other of two, with the third', get('/some', { ...cookie('session=ann'), ...asRobot('poor') }), served(['ann', robots['poor']])],
]

const optionals: readonly Row[] = [
  ['none are served', get('/maybe'), served(null)],
  ['right ones are served', get('/maybe', asStaff('opal')), served('ben')],
  ['wrong ones are not', get('/maybe', asStaff('guess')), refused(staffChallenge, 'staff')],
  ['ones that cannot be valid are wrong', get('/maybe', authorization('Basic ****')), refused(staffChallenge)],
  ['ones of another scheme are wrong', get('/maybe', asRobot('full')), refused(staffChallenge)],
  ['none of several are served', get('/maybe-any?other=1', cookie('other=1')), served(null)],
  ['one of several is served', get('/maybe-any?api+key=k%261'), served('k&1')],
  ['two of one name are wrong', get('/maybe-any?api+key=a&api+key=b'), respondsWith(401)],
  ['an empty one is none', get('/maybe-any?api+key=', cookie('session=')), served(null)],
]

const ignored: readonly Row[] = [
  ['none are served', get('/open'), served(null)],
  ['right ones are served', get('/open', cookie('session=ann')), served('ann')],
  ['wrong ones count as none', get('/open', cookie('session=eve')), served(null)],
  ['the response still depends on the cookie', get('/open', cookie('session=eve')), respondsWith(200, { headers: { Vary: 'Cookie' } })],
  ['a wrong first one leads to the second', get('/open', { ...asStaff('opal'), ...cookie('session=eve') }), served('ben')],
  ['a wrong second one counts as none, too', get('/open', { ...asStaff('guess'), ...cookie('session=eve') }), served(null)],
  ['ones that cannot be valid count as none', get('/open', authorization('Basic ****')), served(null)],
  ['ones of another scheme count as none', get('/open', authorization('Digest a')), served(null)],
  ['valid ones without the scopes are 403', get('/open', asRobot('poor')), forbidden('write')],
  ['valid ones with the scopes are served', get('/open', { ...asRobot('full'), ...cookie('session=eve') }), served(robots['full'])],
  ['a wrong token needs no scopes', get('/open', asRobot('none')), served(null)],
  ['both of two', get('/open-all', { 'X-Key': 'k 1', ...cookie('session=ann') }), served(['ann', 'k 1'])],
  ['one of two counts as none', get('/open-all', cookie('session=ann')), served(null)],
  ['a wrong one of two counts as none', get('/open-all', { 'X-Key': 'k', ...cookie('session=ann') }), served(null)],
  ['a verifier that throws is still 500', get('/open-all', { 'X-Key': 'broken', ...cookie('session=ann') }), respondsWith(500)],
]

const scopes: readonly Row[] = [
  ['enough', buildRequest('POST', '/write', { ...asRobot('full'), 'Content-Type': 'text/plain' }, 'a'), respondsWith(204)],
  ['too few', buildRequest('POST', '/write', { ...asRobot('poor'), 'Content-Type': 'text/plain' }, 'a'), forbidden('read write')],
  [
    'too few come before any other error',
    buildRequest('POST', '/write?%', { ...asRobot('poor'), 'Content-Type': 'image/png' }, 'a'),
    forbidden('read write'),
  ],
  ['a wrong token is 401', buildRequest('POST', '/write', asRobot('none'), 'a'), refused(wrongToken)],
]

const long = 'a'.repeat(7_000)
const hostile: readonly Row[] = [
  ['a header key', get('/key', { 'X-Key': 'k 1' }), served('k 1')],
  ['a wrong header key', get('/key', { 'X-Key': 'k' }), refused(apiKeyChallenge('header', 'X-Key'))],
  ['a header key that is empty', get('/key', { 'X-Key': '' }), refused(apiKeyChallenge('header', 'X-Key'))],
  ['a verifier that throws', get('/key', { 'X-Key': 'broken' }), respondsWith(500)],
  ['a query key', get('/query?a=1&api%20key=k%261'), served('k&1')],
  ['a query key twice', get('/query?api+key=k%261&api+key=k%261'), refused(apiKeyChallenge('query', 'api%20key'))],
  ['a query key without a value', get('/query?api+key'), refused(apiKeyChallenge('query', 'api%20key'))],
  ['a query key behind a malformed pair', get('/query?%zz&api+key=k%261'), refused(apiKeyChallenge('query', 'api%20key'))],
  ['a query key before a malformed pair', get('/query?api+key=k%261&%zz'), respondsWith(400)],
  ['10,001 pairs before the key', get(`/query?${'&'.repeat(3_000)}api+key=k`), refused(apiKeyChallenge('query', 'api%20key'))],
  ['a cookie in quotes', get('/any', cookie('a=b; session="ann b"; c')), served('ann b')],
  ['a cookie that is percent-encoded', get('/any', cookie('session=ann%20%C3%A9')), served('ann é')],
  ['a cookie with one quote', get('/any', cookie('session="ann')), refused(anyone)],
  ['two cookies of one name: the first', get('/any', cookie('session=ann; session=eve')), served('ann')],
  ['a long token', get('/any', asRobot(long)), refused(`${cookieChallenge}, ${wrongToken}, ${staffChallenge}`)],
  ['a long cookie', get('/any', cookie(`session=${long}`)), refused(anyone)],
  [
    'a name of every object as the token',
    get('/any', asRobot('none.__proto__')),
    refused(`${cookieChallenge}, ${wrongToken}, ${staffChallenge}`),
  ],
]

describeEachAdapter(server, (running) => {
  describe('either', () => testRows(running, alternatives))
  describe('both', () => testRows(running, combinations))
  describe('optional', () => testRows(running, optionals))
  describe('optional, where wrong ones count as none', () => testRows(running, ignored))
  describe('scopes', () => testRows(running, scopes))
  describe('keys and hostile credentials', () => testRows(running, hostile))

  test.each([
    ['Basic', [`Basic ${btoa('ben:opal')}`, `Basic ${btoa('ben:opal')}`]],
    ['two schemes', ['Bearer full', `Basic ${btoa('ben:opal')}`]],
    ['a scheme and nothing', ['Bearer full', '']],
  ])('several Authorization fields are refused: %s', async (_what, fields) => {
    const headers = new Headers()
    for (const field of fields) headers.append('Authorization', field)
    const { status } = await running.fetch('/any', { headers })
    expect([400, 401]).toContain(status)
  })
})

test('a key of an idempotent request belongs to the scheme that was accepted, not to a wrong one that was shown', async () => {
  const send = async (headers: object) => {
    const init = { method: 'POST', headers: { 'Idempotency-Key': '"a"', ...headers } }
    return (await server.fetch(new Request('http://a.test/kept', init))).text()
  }
  robots['ann'] = { robot: 'ann', scopes: [] }
  expect(await send(cookie('session=ann'))).toBe('"ann"')
  expect(await send({ ...asRobot('ann'), ...cookie('session=eve') })).toBe('{"robot":"ann","scopes":[]}')
  expect(await send(asRobot('ann'))).toBe('{"robot":"ann","scopes":[]}')
})

test.each([{ invalid: 'none' }, { invalid: null }, { wrong: 'ignore' }])('%o is no option of optional credentials', (given) => {
  expect(() => optional(session, given as { invalid: 'ignore' })).toThrow(/optional\(\).*(?:"reject"|invalid)/)
})

test('what a verifier throws is reported', () => {
  expect(reported.length).toBeGreaterThan(0)
  expect(reported.map(String)).toEqual(reported.map(() => 'Error: planted'))
})

test('any credentials get 200, 400 or 401, and never the user of another', async () => {
  const hostileText = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'Bbasic earful:=;,"\\%k&1 opl'.split('')), maxLength: 30 }),
    fc.constantFrom('Basic', 'Basic ', 'bearer', 'Bearer =', 'Basic YW5u', `Basic ${btoa('\xff:opal')}`, 'session=', 'Negotiate x'),
  )
  const safe = hostileText.map((value) => value.trim())
  await fc.assert(
    fc.asyncProperty(safe, safe, fc.constantFrom('/any', '/all', '/some', '/query'), async (one, other, path) => {
      const response = await server.fetch(
        new Request(`http://test.invalid${path}?api+key=${encodeURIComponent(one)}`, { headers: { Authorization: one, Cookie: other } }),
      )
      expect([200, 401]).toContain(response.status)
      if (response.status === 200) expect(await response.text()).toMatch(/"(ann.*|ben|k&1)"/)
    }),
    { numRuns: samples(500) },
  )
})

/** A scheme of one's own. Without an OpenAPI scheme, the place of its credentials is unknown. */
const silent = (name: string, openapi: object = {}) =>
  authScheme<string, string>({
    name,
    challenge: `Own realm="${name}"`,
    credentials: (header) => header(`x-${name}`),
    openapi: { ...openapi },
  })

test('schemes that do not say where their credentials are can be alternatives, and be combined', async () => {
  const [one, other] = [silent('one'), silent('other')]
  const own = {
    either: endpoint('GET /either', { auth: either(one, other), response: ok(json) }),
    both: endpoint('GET /both', { auth: both(one, other), response: ok(json) }),
    maybe: endpoint('GET /maybe', { auth: optional(one), response: ok(json) }),
    maybeBoth: endpoint('GET /maybe-both', { auth: optional(both(one, other)), response: ok(json) }),
  }
  const { fetch } = serve(
    own,
    { either: show, both: show, maybe: show, maybeBoth: show },
    { auth: [one, other].map((scheme) => authenticate(scheme, (given) => (given === 'bad' ? undefined : given))) },
  )
  const send = async (path: string, headers: Record<string, string>): Promise<unknown> => {
    const response = await fetch(new Request(`http://test.invalid${path}`, { headers }))
    return response.status === 200 ? response.json() : response.status
  }
  expect(await send('/either', { 'X-Other': 'b' })).toBe('b')
  expect(await send('/both', { 'X-One': 'a', 'X-Other': 'b' })).toEqual(['a', 'b'])
  expect(await send('/both', { 'X-One': 'a' })).toBe(401)
  expect(await send('/maybe', {})).toBe(null)
  expect(await send('/maybe', { 'X-One': 'a' })).toBe('a')
  expect(await send('/maybe', { 'X-One': 'bad' })).toBe(401)
  expect(await send('/maybe-both', {})).toBe(null)
  expect(await send('/maybe-both', { 'X-One': 'a' })).toBe(401)
})

test('schemes with one challenge send it once', async () => {
  const [one, other] = [silent('own'), authScheme<string, string>({ ...silent('own'), credentials: (header) => header('x-other') })]
  const { fetch } = serve(
    { one: endpoint('GET /', { auth: either(one, other), response: ok(json) }) },
    { one: show },
    { auth: [one, other].map((scheme) => authenticate(scheme, (given) => given)) },
  )
  const { headers } = await fetch(new Request('http://test.invalid/'))
  expect(headers.get('www-authenticate')).toBe('Own realm="own"')
})

describe('what makes no sense is refused where it is declared:', () => {
  const untyped = (value: unknown) => value as never
  test.each<[string, () => unknown, RegExp]>([
    ['one scheme', () => (either as (one: unknown) => unknown)(staff), /^either\(\) takes two auth schemes or more\. Write either\(/],
    ['no scheme', () => both(untyped('staff'), staff), /^both\(\) takes two auth schemes or more\. Write both\(/],
    [
      'optional credentials in either',
      () => either(optional(staff), session),
      /^either\(\) contains credentials that are optional\. Write optional\(\) once/,
    ],
    ['optional credentials in both', () => both(optional(staff), session), /^both\(\) contains credentials that are optional\./],
    ['optional twice', () => optional(optional(staff)), /^optional\(\) contains credentials that are optional\./],
    [
      'two bearer tokens',
      () => either(token, bearer('other')),
      /^either\(\) never reaches "other": "market", which comes first, reads the same credentials\./,
    ],
    ['the same scheme with other scopes', () => either(token.scopes('read'), token.scopes('write')), /^either\(\) never reaches "market"/],
    [
      'a combination behind its part',
      () => either(session, both(session, token)),
      /^either\(\) never reaches "session and market": "session", which comes first, reads the same/,
    ],
    ['both in one header', () => both(staff, token), /^both\(\) needs "staff and market", two of which are sent in the same place/],
    [
      'a bearer token whose OpenAPI scheme has another case',
      () => either(token, silent('own', { type: 'http', scheme: 'Bearer' })),
      /^either\(\) never reaches "own": "market", which comes first, reads the same credentials\./,
    ],
    ['both in both', () => both(both(session, token), header), /^both\(\) contains another both\(\)\. Write one/],
    ['a scope with a space', () => token.scopes(untyped('a b')), /^The auth scheme "market" has the scope "a b"\. Write/],
    ['no scope', () => (token.scopes as () => unknown)(), /^The auth scheme "market" has the scope undefined\./],
    ['a key in the body', () => apiKey({ in: untyped('body'), name: 'a' }), /^apiKey\(\) has in: "body" and name: "a"\. Write in: /],
    [
      'a key in a place of every object',
      () => apiKey({ in: untyped('toString'), name: 'a' }),
      /^apiKey\(\) has in: "toString" and name: "a"\./,
    ],
    ['a header of no name', () => apiKey({ in: 'header', name: 'X Key' }), /^apiKey\(\) has in: "header" and name: "X Key"\./],
    ['a parameter without a name', () => apiKey({ in: 'query', name: '' }), /^apiKey\(\) has in: "query" and name: ""\./],
    ['a parameter whose name is no text', () => apiKey({ in: 'query', name: untyped(5) }), /^apiKey\(\) has in: "query" and name: 5\./],
    ['a cookie of no name', () => apiKey({ in: 'cookie', name: 'a=b' }), /^apiKey\(\) has in: "cookie" and name: "a=b"\./],
    [
      'another value as auth',
      () => endpoint('GET /a', { auth: untyped([staff]), response: noContent }),
      /^GET \/a: auth is an object, expected an auth scheme\./,
    ],
    [
      'no authenticator of a second scheme',
      () => serve({ any: api.any }, { any: show }, { auth: [authenticate(session, () => 'ann')] }),
      /^GET \/any requires the auth scheme "market"/,
    ],
    [
      'an authenticator that knows no scopes',
      () => serve({ write: api.write }, { write: () => {} }, { auth: [{ scheme: token, verify: () => true }] }),
      /^POST \/write requires scopes of the auth scheme "market", but its authenticator does not say/,
    ],
    [
      'a header that has the key',
      () => serve({ a: endpoint('GET /a', { auth: header, headers: { 'X-KEY': text }, response: noContent }) }, { a: () => {} }),
      /^GET \/a declares the header "x-key", which its "auth" uses for credentials\./,
    ],
    [
      'a cookie that has the key',
      () => serve({ a: endpoint('GET /a', { auth: session, cookies: { session: text }, response: noContent }) }, { a: () => {} }),
      /^GET \/a declares the cookie "session"/,
    ],
    [
      'a parameter that has the key',
      () => serve({ a: endpoint('GET /a', { auth: query, query: { 'api key': text }, response: noContent }) }, { a: () => {} }),
      /^GET \/a declares the query parameter "api key"/,
    ],
  ])('%s', (_what, declare, message) => {
    expect(declare).toThrow(message)
  })

  test('an alternative that needs more comes first', () => {
    expect(() => either(both(session, token), session)).not.toThrow()
  })
})

test('scopes that are no list are a fault of the application', async () => {
  const faults: unknown[] = []
  const auth = [{ scheme: token, verify: () => true, scopes: () => 'read-and-write' as never }]
  const text = serve({ write: api.write }, { write: () => {} }, { auth, onError: (error) => faults.push(error) })
  const { status } = await text.fetch(new Request('http://test.invalid/write', { method: 'POST', headers: asRobot('full'), body: 'a' }))
  expect([status, String(faults)]).toEqual([500, expect.stringContaining('The function "scopes" of the auth scheme "market"')])
})

describe('a client sends', () => {
  /** The calls of a client, and what the first of its requests shows. */
  function recording(auth: readonly Credentials[]) {
    const sent: Request[] = []
    const fetch: FetchLike = async (request) => {
      sent.push(request)
      return Response.json(null)
    }
    const calls = client(api, 'http://test.invalid/base', { fetch, auth })
    const shown = (): readonly unknown[] => {
      const [request] = sent
      const { search } = new URL(request?.url ?? '')
      return [
        request?.headers.get('authorization') ?? null,
        request?.headers.get('cookie') ?? null,
        request?.headers.get('x-key') ?? null,
        search,
      ]
    }
    return { calls, shown }
  }
  const asAnn = credentials(session, 'ann 1')
  const asToken = credentials(token, () => 'full')
  const asKey = credentials(header, 'k 1')
  const asQuery = credentials(query, async () => 'k&1')
  const asBen = credentials(staff, { username: 'ben', password: 'opal' })

  test.each<[string, keyof typeof api, readonly Credentials[], readonly unknown[]]>([
    ['the first alternative that it has', 'any', [asToken, asAnn], [null, 'session=ann%201', null, '']],
    ['the second where it has no other', 'any', [asToken, asBen], ['Bearer full', null, null, '']],
    ['none where it has none', 'any', [asKey], [null, null, null, '']],
    ['all of both', 'all', [asToken, asAnn], ['Bearer full', 'session=ann%201', null, '']],
    ['what it has of both, for the cookie may be that of the browser', 'all', [asToken], ['Bearer full', null, null, '']],
    ['nothing of both if a part is missing', 'all', [asAnn], [null, null, null, '']],
    ['a nested alternative', 'some', [asToken, asKey], ['Bearer full', null, 'k 1', '']],
    ['optional credentials', 'maybe', [asBen], [`Basic ${btoa('ben:opal')}`, null, null, '']],
    ['no optional credentials that it does not have', 'maybe', [asToken], [null, null, null, '']],
    ['a key in the query', 'query', [asQuery], [null, null, null, '?api%20key=k%261']],
  ])('%s', async (_what, name, auth, expected) => {
    const { calls, shown } = recording(auth)
    await (calls[name] as (input?: object) => Promise<unknown>)(name === 'write' ? { body: 'a' } : undefined)
    expect(shown()).toEqual(expected)
  })

  test('what the server reads', async () => {
    const calls = client(api, 'http://test.invalid', { fetch: server.fetch, auth: [credentials(session, 'ann "é%;,\\'), asToken, asQuery] })
    expect(await calls.all()).toEqual(['ann "é%;,\\', robots['full']])
    expect(await calls.query()).toBe('k&1')
  })

  test('two cookies as one header', async () => {
    const other = apiKey<string>({ in: 'cookie', name: 'other' })
    const two = { two: endpoint('GET /two', { auth: both(session, other), response: ok(json) }) }
    const twoServer = serve(
      two,
      { two: ({ user }) => user },
      { auth: [authenticate(session, (key) => key), authenticate(other, (key) => key)] },
    )
    const calls = client(two, 'http://test.invalid', {
      fetch: twoServer.fetch,
      auth: [credentials(other, 'b'), asAnn],
      headers: { Cookie: 'c=d' },
    })
    expect(await calls.two()).toEqual(['ann 1', 'b'])
  })

  test('no key to the target of a redirect, and none in an error', async () => {
    const urls: string[] = []
    const fetch: FetchLike = async (request) => {
      urls.push(request.url)
      if (urls.length > 1) throw new TypeError('fetch failed')
      return new Response(null, { status: 307, headers: { Location: '/elsewhere' } })
    }
    const failed = client(api, 'http://test.invalid', { fetch, auth: [asQuery] }).query()
    const message = await failed.catch(String)
    expect(urls).toEqual(['http://test.invalid/query?api%20key=k%261', 'http://test.invalid/elsewhere'])
    expect(message).not.toMatch(/k%261|k&1/)
  })
})

test.each([16_384, 1_048_576])('a credential of %d characters is refused in no time', async (length) => {
  const getTime = startCpuTime()
  for (const character of ['a', '=', ' ', '"', ';', '%'])
    for (const headers of [
      asRobot(character.repeat(length)),
      authorization(`Basic ${character.repeat(length)}`),
      cookie(`session=${character.repeat(length)}`),
    ])
      expect((await server.fetch(new Request('http://test.invalid/any', { headers }))).status).toBe(401)
  expect(getTime()).toBeLessThan(2_000)
})

test('any cookie value arrives as it was given', async () => {
  const calls = (value: string) =>
    client({ one: endpoint('GET /one', { auth: session, response: ok(json) }) }, 'http://test.invalid', {
      fetch: serve(
        { one: endpoint('GET /one', { auth: session, response: ok(json) }) },
        { one: ({ user }) => user },
        { auth: [authenticate(session, (key) => key)] },
      ).fetch,
      auth: [credentials(session, value)],
    }).one()
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1 }), async (value) => {
      expect(await calls(value)).toBe(value.toWellFormed())
    }),
    { numRuns: samples(200) },
  )
})

test('wrong credentials of one scheme come before missing scopes of another, in any order', async () => {
  const robots = bearer<string, 'write'>('robots')
  const key = apiKey<string>({ in: 'header', name: 'X-Key' })
  const api = {
    first: endpoint('GET /first', { auth: both(robots.scopes('write'), key), response: ok(text) }),
    last: endpoint('GET /last', { auth: both(key, robots.scopes('write')), response: ok(text) }),
  }
  const auth = [
    authenticate(robots, () => 'R2', { scopes: () => [] }),
    authenticate(key, (given) => (given === 'good' ? 'Ann' : undefined)),
  ]
  const { fetch } = serve(api, { first: () => '', last: () => '' }, { auth })
  const statusOf = async (path: string, given: string): Promise<number> =>
    (await fetch(new Request(`http://test.invalid${path}`, { headers: { Authorization: 'Bearer a', 'X-Key': given } }))).status
  for (const path of ['/first', '/last']) expect([await statusOf(path, 'wrong'), await statusOf(path, 'good')]).toEqual([401, 403])
})

test('two schemes with one challenge have it once', async () => {
  const scheme = (name: string, header: string) =>
    authScheme<string, string>({
      name,
      challenge: 'Own realm="one"',
      credentials: (read) => read(header),
      openapi: { type: 'apiKey', in: 'header', name: header },
    })
  const [one, two] = [scheme('one', 'x-one'), scheme('two', 'x-two')]
  const api = { get: endpoint('GET /', { auth: either(one, two), response: ok(text) }) }
  const { fetch } = serve(api, { get: () => '' }, { auth: [authenticate(one, (given) => given), authenticate(two, (given) => given)] })
  expect((await fetch(new Request('http://test.invalid/'))).headers.get('www-authenticate')).toBe('Own realm="one"')
})
