/** An API with each kind of credentials, and an OAuth 2.0 server beside it. */
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { documentationPage } from '@lapidary/docs-page'
import { apiKey, authScheme, basic, bearer, both, endpoint, mount, oauth2, ok, openIdConnect, text } from 'lapidary'
import { type ApiServer, authenticate, serve } from 'lapidary/server'

/** The address of a server that listens. */
const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** An OAuth 2.0 server with OpenID Connect: it logs each user in at once, and gives one token for each code. */
export async function startLoginServer(): Promise<{ readonly url: string; readonly close: () => void }> {
  /** The challenges of PKCE (RFC 7636), by their codes. */
  const challenges = new Map<string, string>()

  /** The `Location` of the page that has begun the login. */
  function logIn(query: URLSearchParams): string {
    const code = `code-${challenges.size}`
    challenges.set(code, query.get('code_challenge') ?? '')
    return `${query.get('redirect_uri')}?${new URLSearchParams({ code, state: query.get('state') ?? '' })}`
  }

  function redeem(form: URLSearchParams): object {
    const digest = createHash('sha256').update(form.get('code_verifier') ?? '')
    const isProven = challenges.get(form.get('code') ?? '') === digest.digest('base64url')
    return isProven ? { access_token: 'of-the-login', token_type: 'bearer' } : { error: 'invalid_grant' }
  }

  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', addressOf(server))
    response.setHeaders(
      new Map([
        ['Access-Control-Allow-Origin', '*'],
        ['Access-Control-Allow-Headers', '*'],
        // As login pages often have: it takes the opener of the window away.
        ['Cross-Origin-Opener-Policy', 'same-origin'],
        ['Content-Type', 'application/json'],
      ]),
    )
    if (url.pathname === '/login') response.writeHead(302, { Location: logIn(url.searchParams) }).end()
    else if (url.pathname === '/token') {
      let form = ''
      for await (const chunk of request) form += chunk
      response.end(JSON.stringify(redeem(new URLSearchParams(form))))
    } else {
      const metadata = {
        authorization_endpoint: `${addressOf(server)}/login`,
        token_endpoint: `${addressOf(server)}/token`,
        grant_types_supported: ['authorization_code'],
      }
      response.end(JSON.stringify(metadata))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: addressOf(server), close: () => void server.close() }
}

/** The API: the text of each endpoint is the credentials that its request had. */
export function serveGuarded(loginUrl: string): ApiServer {
  const schemes = {
    token: bearer<string>('token'),
    password: basic<string>('password'),
    header: apiKey<string>({ in: 'header', name: 'X-Key' }),
    query: apiKey<string>({ in: 'query', name: 'key' }),
    cookie: apiKey<string>({ in: 'cookie', name: 'session' }),
    own: authScheme<string, string>({
      name: 'own',
      challenge: 'Own',
      credentials: (header) => header('x-own'),
      openapi: { type: 'apiKey', in: 'header', name: 'X-Own' },
    }),
    login: oauth2<string>('login', {
      flows: { authorizationCode: { authorizationUrl: `${loginUrl}/login`, tokenUrl: `${loginUrl}/token`, scopes: {} } },
    }),
    openid: openIdConnect<string>('openid', { url: `${loginUrl}/.well-known/openid-configuration` }),
  }
  const api = {
    token: endpoint('GET /token', { auth: schemes.token, response: ok(text) }),
    password: endpoint('GET /password', { auth: schemes.password, response: ok(text) }),
    header: endpoint('GET /header', { auth: schemes.header, response: ok(text) }),
    query: endpoint('GET /query', { auth: schemes.query, response: ok(text) }),
    cookie: endpoint('GET /cookie', { auth: schemes.cookie, response: ok(text) }),
    own: endpoint('GET /own', { auth: schemes.own, response: ok(text) }),
    both: endpoint('GET /both', { auth: both(schemes.cookie, schemes.token), response: ok(text) }),
    login: endpoint('GET /login', { auth: schemes.login, response: ok(text) }),
    openid: endpoint('GET /openid', { auth: schemes.openid, response: ok(text) }),
    basket: endpoint('GET /basket', { cookies: { basket: text }, response: ok(text) }),
    docs: mount('/docs'),
  }
  const tell = ({ user }: { readonly user: string }): string => user
  return serve(
    api,
    {
      token: tell,
      password: tell,
      header: tell,
      query: tell,
      cookie: tell,
      own: tell,
      both: ({ user }) => user.join(' and '),
      login: tell,
      openid: tell,
      basket: ({ cookies }) => cookies.basket,
      docs: documentationPage(api, { title: 'Guarded', oauth2: { clientId: 'page' } }),
    },
    {
      auth: [
        ...[schemes.token, schemes.header, schemes.query, schemes.cookie, schemes.own, schemes.login, schemes.openid].map((scheme) =>
          authenticate(scheme, (credentials: string) => credentials),
        ),
        authenticate(schemes.password, ({ username, password }) => `${username}:${password}`),
      ],
    },
  )
}
