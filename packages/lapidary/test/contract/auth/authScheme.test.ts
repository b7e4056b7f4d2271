/**
 * Which credentials `basic` and `bearer` read from an Authorization header: the name of a scheme has no case (RFC 9110 §11.1). Schemes of
 * OAuth 2.0, scopes, and the challenges of schemes of one's own.
 */
import { authScheme, basic, bearer, both, endpoint, noContent, oauth2, ok, openIdConnect, text } from 'lapidary'
import { outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { authenticate, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'

const reading = (text: string | undefined) => (name: string) => (name === 'authorization' ? text : undefined)

test.each<[text: string | undefined, token: string | undefined]>([
  ['Bearer abc', 'abc'],
  ['bearer abc', 'abc'],
  ['BEARER abc', 'abc'],
  ['Bearer  a-b._~+/c==', 'a-b._~+/c=='],
  ['Bearer', undefined],
  ['Bearer ', undefined],
  ['Bearerabc', undefined],
  ['Bearer a b', undefined],
  ['Bearer a=b', undefined],
  ['Basic abc', undefined],
  [' Bearer abc', undefined],
  [undefined, undefined],
])('the token of %j is %j', (text, token) => {
  expect(bearer('secret').credentials(reading(text), () => [])).toBe(token)
})

const credentials = (username: string, password: string): object => ({ username, password })

test.each<[text: string | undefined, expected: object | undefined]>([
  [`Basic ${btoa('ann:secret')}`, credentials('ann', 'secret')],
  [`basic ${btoa('ann:secret')}`, credentials('ann', 'secret')],
  [`BASIC  ${btoa('ann:secret')}`, credentials('ann', 'secret')],
  [`Basic ${btoa('ann:a:b')}`, credentials('ann', 'a:b')],
  [`Basic ${btoa(':')}`, credentials('', '')],
  [`Basic ${Buffer.from('Åsa:ö').toString('base64')}`, credentials('Åsa', 'ö')],
  [`Basic ${Buffer.from('\ufeffann:a').toString('base64')}`, credentials('\ufeffann', 'a')],
  [`Basic ${btoa('ann')}`, undefined],
  [`Basic ${btoa('\xff:a')}`, undefined],
  [`Basic ${btoa('ann:secret')}=`, undefined],
  ['Basic', undefined],
  ['Basic ****', undefined],
  [`Bearer ${btoa('ann:secret')}`, undefined],
  [undefined, undefined],
])('the user name and the password of %j are %j', (text, expected) => {
  expect(basic('people').credentials(reading(text), () => [])).toEqual(expected)
})

const tokenUrl = 'https://login.example/token'
const authorizationUrl = 'https://login.example/authorize'
const scopes = { read: 'Reads.' }

test.each<[what: string, flows: object]>([
  ['an authorization code', { authorizationCode: { authorizationUrl, tokenUrl, scopes } }],
  ['client credentials', { clientCredentials: { tokenUrl, scopes: {} } }],
  ['an implicit grant', { implicit: { authorizationUrl, scopes } }],
  ['a password', { password: { tokenUrl, refreshUrl: tokenUrl, scopes } }],
  ['two of them', { password: { tokenUrl, scopes }, implicit: { authorizationUrl, scopes } }],
])('OAuth 2.0 with %s is a bearer token, and OpenAPI has its flows', async (_what, flows) => {
  const machines = oauth2<string, 'read'>('machines', { flows })
  expect(machines.credentials(reading('Bearer abc'), () => [])).toBe('abc')
  expect(machines.headers?.('abc')).toEqual({ Authorization: 'Bearer abc' })
  const api = { one: endpoint('GET /', { auth: machines, response: ok(text) }) }
  const { components } = await openapi(api, { title: 'Machines', version: '1' })
  expect(components.securitySchemes).toMatchObject({ machines: { type: 'oauth2', flows } })
})

test('OpenID Connect is a bearer token, and OpenAPI has the URL of its description', async () => {
  const people = openIdConnect<string>('people', { url: '/.well-known/openid-configuration' })
  expect(people.credentials(reading('Bearer abc'), () => [])).toBe('abc')
  const api = { one: endpoint('GET /', { auth: people, response: ok(text) }) }
  const { components } = await openapi(api, { title: 'People', version: '1' })
  expect(components.securitySchemes).toMatchObject({
    people: { type: 'openIdConnect', openIdConnectUrl: '/.well-known/openid-configuration' },
  })
})

/** A scheme of one's own with this challenge, as a server sends it for a request that lacks a scope of it. */
async function getScopeChallenge(challenge: string): Promise<string | null> {
  const own = authScheme<string, string, 'read' | 'write'>({
    name: 'own',
    challenge,
    credentials: (header) => header('x-own'),
    openapi: { type: 'apiKey', in: 'header', name: 'X-Own' },
  })
  const { fetch } = serve(
    { one: endpoint('GET /', { auth: own.scopes('read', 'write', 'read'), response: noContent }) },
    { one: () => {} },
    { auth: [authenticate(own, (key) => key, { scopes: () => [] })] },
  )
  const { status, headers } = await fetch(new Request('http://test.invalid/', { headers: { 'X-Own': 'a' } }))
  expect(status).toBe(403)
  return headers.get('www-authenticate')
}

test.each<[challenge: string, sent: string]>([
  ['Bearer realm="a"', 'Bearer realm="a", error="insufficient_scope", scope="read write"'],
  ['bearer realm="a"', 'bearer realm="a", error="insufficient_scope", scope="read write"'],
  ['Bearer', 'Bearer error="insufficient_scope", scope="read write"'],
  ['BearerLike realm="a"', 'BearerLike realm="a"'],
  ['Own realm="bearer"', 'Own realm="bearer"'],
])('the scopes that a request lacks are in a challenge of Bearer only, each once: %s', async (challenge, sent) => {
  expect(await getScopeChallenge(challenge)).toBe(sent)
})

test('documents show each challenge: the plain ones, each with a rejected token, and each with the scopes that are missing', async () => {
  const [one, other] = ['one', 'other'].map((name) =>
    authScheme<string, string, 'read'>({
      name,
      challenge: `Bearer realm="${name}"`,
      credentials: (header) => header(`x-${name}`),
      openapi: { type: 'apiKey', in: 'header', name: `X-${name}` },
    }),
  )
  if (one === undefined || other === undefined) throw new Error('There are two.')
  const api = { one: endpoint('GET /', { auth: both(one.scopes('read'), other.scopes('read')), response: ok(text) }) }
  const { sections } = await outline(api)
  const challengesOf = (wanted: number) =>
    sections[0]?.builtInErrors.find(({ status }) => status === wanted)?.headers.find(({ name }) => name === 'WWW-Authenticate')?.examples
  const invalid = ', error="invalid_token"'
  const missing = ', error="insufficient_scope", scope="read"'
  expect(challengesOf(401)).toEqual([
    'Bearer realm="one", Bearer realm="other"',
    `Bearer realm="one"${invalid}, Bearer realm="other"`,
    `Bearer realm="one", Bearer realm="other"${invalid}`,
  ])
  expect(challengesOf(403)).toEqual([`Bearer realm="one"${missing}`, `Bearer realm="other"${missing}`])
})

describe('a wrong declaration is refused:', () => {
  const wrongFlows = (flows: unknown) => () => oauth2('machines', { flows: flows as never })
  const message =
    'oauth2("machines") has wrong flows. Write one or more of authorizationCode, clientCredentials, implicit, password, each with its URLs (authorizationUrl, tokenUrl) and its scopes.'
  test.each<[what: string, flows: unknown]>([
    ['no flow', {}],
    ['nothing', undefined],
    ['an unknown flow', { deviceCode: { tokenUrl, scopes } }],
    ['a name of every object', { constructor: { tokenUrl, scopes } }],
    ['a flow that is nothing', { password: undefined }],
    ['an authorization code without its first URL', { authorizationCode: { tokenUrl, scopes } }],
    ['an authorization code without its second URL', { authorizationCode: { authorizationUrl, scopes } }],
    ['client credentials without their URL', { clientCredentials: { authorizationUrl, scopes } }],
    ['an implicit grant without its URL', { implicit: { tokenUrl, scopes } }],
    ['a password without its URL', { password: { authorizationUrl, scopes } }],
    ['a URL that is no text', { password: { tokenUrl: new URL(tokenUrl), scopes } }],
    ['no scopes', { password: { tokenUrl } }],
    ['scopes that are null', { password: { tokenUrl, scopes: null } }],
    ['scopes that are a list', { password: { tokenUrl, scopes: ['read'] } }],
    ['scopes that are a text', { password: { tokenUrl, scopes: 'read' } }],
    ['a wrong flow behind a right one', { password: { tokenUrl, scopes }, implicit: { scopes } }],
  ])('OAuth 2.0 with %s', (_what, flows) => {
    expect(wrongFlows(flows)).toThrow(new TypeError(message))
  })

  test.each(['', 'a b', 'a"b', 'a\\b', 'a\tb', 'é'])('the scope %j', (scope) => {
    expect(() => bearer<string, string>('market').scopes(scope)).toThrow(
      new TypeError(
        `The auth scheme "market" has the scope ${JSON.stringify(scope)}. Write a text of printable ASCII without spaces, quotes and backslashes, such as "users:read".`,
      ),
    )
  })
  test.each(["!#$%&'()*+,-./:;<=>?@[]^_`{|}~", 'aZ09'])('but not the scope %s', (scope) => {
    expect(() => bearer<string, string>('market').scopes(scope)).not.toThrow()
  })
})
