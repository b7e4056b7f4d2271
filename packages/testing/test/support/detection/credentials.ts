/** Faults of credentials: which are required, which are accepted, and what the response says about the others. */
import {
  type AnyAuth,
  type Api,
  apiKey,
  authScheme,
  basic,
  bearer,
  both,
  either,
  endpoint,
  oauth2,
  ok,
  openIdConnect,
  optional,
  text,
} from 'lapidary'
import { type Authenticator, authenticate, type HttpHandler, serve } from 'lapidary/server'
import { bare, changing, type Fault, type Planted, plain, replacing, withLine, without } from './planted.ts'

const session = apiKey<string>({ in: 'cookie', name: 'session' })
const token = bearer<string>('market')
const staff = apiKey<string>({ in: 'query', name: 'staff' })
const isRight = (shown: unknown): unknown => (shown === 'right' ? shown : undefined)
const auth: readonly Authenticator[] = [session, token, staff].map((scheme) => ({ scheme, verify: isRight }))
const options = { credentials: { session: 'right', market: 'right', staff: 'right' } }
const hasToken = (header: string | undefined): boolean => header === 'Bearer right'

/** An API of one endpoint, and its server. */
function guarded(who: AnyAuth, authenticators: readonly Authenticator[] = auth) {
  const api = { it: endpoint('GET /it', { auth: who as typeof session, response: ok(text) }) }
  return { api, server: serve(api, { it: () => 'a' }, { auth: authenticators }) }
}

const eitherOf = guarded(either(session, token))
const eitherFaults: Planted = {
  words: ['either'],
  ...eitherOf,
  at: 'it',
  right: [eitherOf.server],
  options,
  faults: [
    [
      'the second alternative is not accepted',
      (request) => eitherOf.server(request.header('authorization') === undefined ? request : { ...request, header: () => undefined }),
      'credentials',
      'the credentials are those of market: expected the request to be served, got 401',
    ],
    [
      'the first alternative is not accepted',
      guarded(token).server,
      'credentials',
      'the credentials are those of session: expected the request to be served, got 401',
    ],
    [
      'a challenge is missing',
      replacing(eitherOf.server, 401, (response) =>
        withLine('WWW-Authenticate', 'ApiKey in="cookie", name="session", note="x, Bearer"', response),
      ),
      'challenge',
      'expected WWW-Authenticate to name Bearer realm="market", got ApiKey in="cookie", name="session", note="x, Bearer"',
    ],
    ['no credentials are needed', () => plain('a'), 'credentials', 'there are no credentials: expected 401, got 200'],
  ],
}

const bothOf = guarded(both(session, staff))
const bothFaults: Planted = {
  words: ['both'],
  ...bothOf,
  at: 'it',
  right: [bothOf.server],
  options,
  faults: [
    [
      'a part is enough',
      (request) => (request.target === '/it?staff=right' && request.header('cookie') === undefined ? plain('a') : bothOf.server(request)),
      'credentials',
      'the credentials are those of staff, without session: expected 401, got 200',
    ],
    [
      'the other part is enough',
      guarded(session).server,
      'credentials',
      'the credentials are those of session, without staff: expected 401, got 200',
    ],
    [
      'one part is not verified',
      guarded(both(session, staff), [
        { scheme: session, verify: isRight },
        { scheme: staff, verify: () => 'anybody' },
      ]).server,
      'wrong-credentials',
      'the credentials of staff are wrong: expected 401, got 200',
    ],
  ],
}

const maybe = guarded(optional(token))
const optionalFaults: Planted = {
  words: ['optional credentials'],
  ...maybe,
  at: 'it',
  right: [maybe.server],
  options,
  faults: [
    ['they are required', guarded(token).server, 'credentials', 'there are no credentials, and they are optional: expected'],
    [
      'wrong ones are ignored',
      (request) => (hasToken(request.header('authorization')) ? maybe.server(request) : plain('a')),
      'credentials',
      'Authorization has another scheme: expected 401, got 200',
    ],
    [
      'a wrong token is ignored',
      (request) => (/^Bearer wrong/.test(request.header('authorization') ?? '') ? plain('a') : maybe.server(request)),
      'wrong-credentials',
      'the credentials of market are wrong: expected 401, got 200',
    ],
    [
      'right ones are refused',
      (request) =>
        request.header('authorization') === undefined ? maybe.server(request) : { ...bare(401), headers: ['WWW-Authenticate', 'Bearer'] },
      'status',
      'got 401',
    ],
  ],
}

const lenient = guarded(optional(either(session, token), { invalid: 'ignore' }))
const lenientFaults: Planted = {
  words: ['optional credentials', 'invalid credentials'],
  ...lenient,
  at: 'it',
  right: [lenient.server],
  options,
  faults: [
    [
      'another scheme is refused',
      (request) => (/^X-No/.test(request.header('authorization') ?? '') ? { ...bare(401), headers: [] } : lenient.server(request)),
      'credentials',
      'Authorization has another scheme: expected 200, as without credentials, got 401',
    ],
    [
      'a wrong token is refused',
      (request) => (/^Bearer wrong/.test(request.header('authorization') ?? '') ? plain('', 403) : lenient.server(request)),
      'wrong-credentials',
      'the credentials of market are wrong: expected 200, as without credentials, got 403',
    ],
    [
      'a wrong cookie is refused',
      guarded(optional(session)).server,
      'wrong-credentials',
      'the credentials of session are wrong: expected 200, as without credentials, got 401',
    ],
    [
      'a wrong cookie is an unexpected error',
      (request) => (/session=wrong/.test(request.header('cookie') ?? '') ? plain('', 500) : lenient.server(request)),
      'no-server-error',
      'the credentials of session are wrong: expected success, or an error that names the fault of the request, got 500',
    ],
    [
      'the response does not vary by the cookie',
      changing(lenient.server, (response) => without('vary', response)),
      'vary',
      'expected Vary to name Cookie, got none',
    ],
    [
      'they are required',
      guarded(either(session, token)).server,
      'credentials',
      'there are no credentials, and they are optional: expected',
    ],
  ],
}

/** A key is read at each of its places, and its challenge names the place. */
function keyFaults(place: Parameters<typeof apiKey>[0]['in']): Planted {
  const key = apiKey<string>({ in: place, name: 'X-Key' })
  const { api, server } = guarded(key, [{ scheme: key, verify: isRight }])
  const other = apiKey<string>({ in: place, name: 'X-Other' })
  return {
    words: ['apiKey'],
    api,
    at: 'it',
    right: [server],
    options: { credentials: { 'X-Key': 'right' } },
    faults: [
      [
        `a wrong key in a ${place}`,
        guarded(key, [{ scheme: key, verify: (shown) => shown }]).server,
        'wrong-credentials',
        'the credentials of X-Key are wrong: expected 401, got 200',
      ],
      [`no key in a ${place}`, () => plain('a'), 'credentials', 'there are no credentials: expected 401, got 200'],
      [
        `the challenge of another ${place}`,
        replacing(server, 401, (response) => withLine('WWW-Authenticate', `ApiKey in="${place}", name="X-Other"`, response)),
        'challenge',
        `expected WWW-Authenticate to name ApiKey in="${place}", name="X-Key", got`,
      ],
      [`a key that is read from another ${place}`, guarded(other, [{ scheme: other, verify: isRight }]).server, 'status', 'got 401'],
    ],
  }
}

/** The faults of every scheme that takes one text. */
function textFaults(words: readonly string[], scheme: typeof token): Planted {
  const serving = (verify: (shown: unknown) => unknown): HttpHandler => guarded(scheme, [{ scheme, verify }]).server
  const server = serving(isRight)
  return {
    words,
    api: guarded(scheme, [{ scheme, verify: isRight }]).api,
    at: 'it',
    right: [server],
    options: { credentials: { [scheme.name]: 'right' } },
    faults: [
      [
        'a wrong one is accepted',
        serving((shown) => shown),
        'wrong-credentials',
        `the credentials of ${scheme.name} are wrong: expected 401, got 200`,
      ],
      ['none is needed', () => plain('a'), 'credentials', 'there are no credentials: expected 401, got 200'],
      ['the right one is refused', serving(() => undefined), 'status', 'got 401'],
      ['a 401 has no challenge', replacing(server, 401, (response) => without('www-authenticate', response)), 'challenge', 'got none'],
      [
        'a 401 has the challenge of another scheme',
        replacing(server, 401, (response) => withLine('WWW-Authenticate', 'Digest realm="x"', response)),
        'challenge',
        'got Digest realm="x"',
      ],
    ],
  }
}

const people = basic<string>('people')
const basicServer = (isKnown: (password: string) => boolean): HttpHandler =>
  guarded(people, [authenticate(people, ({ username, password }) => (isKnown(password) ? username : undefined))]).server
const knowing = basicServer((password) => password === 'right')
const basicFaults: Planted = {
  words: ['basic'],
  ...guarded(people, [authenticate(people, () => undefined)]),
  at: 'it',
  right: [knowing],
  options: { credentials: { people: { username: 'ann', password: 'right' } } },
  faults: [
    ['none are needed', () => plain('a'), 'credentials', 'there are no credentials: expected 401, got 200'],
    [
      'another scheme is accepted',
      (request) => (request.header('authorization') === undefined ? knowing(request) : plain('a')),
      'credentials',
      'Authorization has another scheme: expected 401, got 200',
    ],
    ['right ones are refused', basicServer(() => false), 'status', 'got 401'],
    [
      'the challenge is that of tokens',
      replacing(knowing, 401, (response) => withLine('WWW-Authenticate', 'Bearer realm="people"', response)),
      'challenge',
      'got Bearer realm="people"',
    ],
    [
      'the query is read before the credentials',
      (request) => (/%zz/.test(request.target) ? knowing({ ...request, header: () => `Basic ${btoa('ann:right')}` }) : knowing(request)),
      'credentials',
      'there are no credentials, and the query is not valid: expected 401, got 400',
    ],
  ],
}

const lathes = authScheme<string, string>({
  name: 'lathes',
  challenge: 'Lathe',
  credentials: (header) => header('x-lathe'),
  headers: (value) => ({ 'X-Lathe': value }),
  example: 'one',
  openapi: { type: 'apiKey', in: 'header', name: 'X-Lathe' },
})

const robots = bearer<readonly string[], 'read' | 'write'>('robots')
const tokens: Readonly<Record<string, readonly string[]>> = { t0: [], t1: ['read'], t2: ['read', 'write'], t3: ['read', 'write', 'more'] }
const scopesOf = (shown: string): readonly string[] | undefined => tokens[shown]
const serveScopes = (api: Api, verify = scopesOf, scopes = (user: readonly string[]) => user): HttpHandler =>
  serve(api, { it: () => 'a' } as never, { auth: [authenticate(robots, verify, { scopes })] })
const needing: Api = { it: endpoint('GET /it', { auth: robots.scopes('read', 'write'), response: ok(text) }) }
const scoped = serveScopes(needing)
const scopeFaults: Planted = {
  words: ['scopes'],
  api: needing,
  at: 'it',
  right: [scoped],
  options: {
    credentials: { robots: 't2' },
    scopedCredentials: {
      robots: [
        { credentials: 't0', scopes: [] },
        { credentials: 't1', scopes: ['read'] },
        { credentials: 't3', scopes: ['read', 'write', 'more'] },
      ],
    },
  },
  faults: [
    ['they are not looked at', serveScopes(needing, scopesOf, () => ['read', 'write']), 'scopes', 'have no scope: expected 403, got 200'],
    [
      'one of two is enough',
      serveScopes(needing, scopesOf, ([some]) => (some === undefined ? [] : ['read', 'write'])),
      'scopes',
      'have the scopes read: expected 403, got 200',
    ],
    [
      'too few are answered 401',
      serveScopes(needing, (shown) => (shown === 't2' ? scopesOf(shown) : undefined)),
      'scopes',
      'have no scope: expected 403, got 401',
    ],
    [
      'the challenge names no error',
      replacing(scoped, 403, (response) => withLine('WWW-Authenticate', 'Bearer realm="robots"', response)),
      'scopes',
      'expected WWW-Authenticate to have error="insufficient_scope", scope="read write", got Bearer realm="robots"',
    ],
    [
      'the challenge names other scopes',
      replacing(scoped, 403, (response) =>
        withLine('WWW-Authenticate', 'Bearer realm="robots", error="insufficient_scope", scope="read"', response),
      ),
      'scopes',
      'scope="read write", got Bearer realm="robots", error="insufficient_scope", scope="read"',
    ],
    ['a 403 has no challenge', replacing(scoped, 403, (response) => without('www-authenticate', response)), 'scopes', 'got none'],
    [
      'the query is read before the scopes',
      (request) => (/%zz/.test(request.target) ? { ...plain('', 400) } : scoped(request)),
      'scopes',
      'and the query is not valid: expected 403, got 400',
    ],
    [
      'more scopes are needed than declared',
      serveScopes(needing, scopesOf, (user) => (user.length > 2 ? [] : user)),
      'scopes',
      'have the scopes read, write, more: expected the request to be served, got 403',
    ],
  ],
}

const tokenUrl = 'https://login.example/token'
const unguarded: Fault = ['no credentials are needed', () => plain('a'), 'credentials', 'there are no credentials: expected 401, got 200']

export const credentials: readonly Planted[] = [
  eitherFaults,
  { ...bothFaults, faults: [...bothFaults.faults, unguarded] },
  optionalFaults,
  lenientFaults,
  keyFaults('header'),
  keyFaults('cookie'),
  keyFaults('query'),
  basicFaults,
  textFaults(['bearer', 'auth'], token),
  textFaults(['authScheme'], lathes),
  textFaults(['oauth2'], oauth2('machines', { flows: { clientCredentials: { tokenUrl, scopes: {} } } })),
  textFaults(['openIdConnect'], openIdConnect('people', { url: 'https://login.example/.well-known/openid-configuration' })),
  scopeFaults,
]
