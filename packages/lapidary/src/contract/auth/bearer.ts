/** Bearer tokens (RFC 6750), and the two schemes of OpenAPI that say how a client gets one: OAuth 2.0 and OpenID Connect. */
import { escapeQuoted } from '../../http/headerFields.ts'
import { isJsonObject } from '../../json-schema/jsonSchema.ts'
import * as authErrors from '../../messages/authErrors.ts'
import * as documentationTexts from '../../messages/documentationTexts.ts'
import { type AuthScheme, type AuthSchemeDefinition, authScheme } from './authScheme.ts'

const bearerPattern = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i

/** The scheme of a token in the Authorization header. */
const defineBearer = (realm: string, openapi: AuthSchemeDefinition<string>['openapi']): AuthSchemeDefinition<string> => ({
  name: realm,
  challenge: `Bearer realm="${escapeQuoted(realm)}"`,
  credentials: (header) => bearerPattern.exec(header('authorization') ?? '')?.[1],
  headers: (token) => {
    if (!bearerPattern.test(`Bearer ${token}`)) throw new TypeError(authErrors.invalidBearerToken())
    return { Authorization: `Bearer ${token}` }
  },
  description: documentationTexts.bearerAuthText(),
  example: 'token',
  openapi,
})

/**
 * Bearer tokens (RFC 6750) in the Authorization header; the credentials are the token.
 *
 * @param realm The realm of the challenge, and the name of the scheme.
 * @example
 * ```ts
 * import { bearer, endpoint, noContent } from 'lapidary'
 *
 * const robots = bearer<{ readonly id: number }, 'stones:read' | 'stones:write'>('market')
 * const remove = endpoint('DELETE /stone', { auth: robots.scopes('stones:write'), response: noContent })
 * ```
 */
export const bearer = <User, Scope extends string = never>(realm: string): AuthScheme<User, string, Scope> =>
  authScheme(defineBearer(realm, { type: 'http', scheme: 'bearer' }))

/** The scopes of a flow, each with one sentence about it. */
type FlowScopes<Scope extends string> = { readonly [Name in Scope]?: string }

/** A flow of OAuth 2.0 that gets its token without a page for the user. */
interface TokenFlow<Scope extends string> {
  readonly tokenUrl: string
  readonly refreshUrl?: string
  readonly scopes: FlowScopes<Scope>
}

/** The flow with a page for the user, which ends with a code. */
interface AuthorizationCodeFlow<Scope extends string> extends TokenFlow<Scope> {
  readonly authorizationUrl: string
}

/** The flow with a page for the user, which ends with the token. */
interface ImplicitFlow<Scope extends string> extends Omit<AuthorizationCodeFlow<Scope>, 'tokenUrl'> {}

/** The flows of OAuth 2.0 that OpenAPI 3.1 has. Security best practice (RFC 9700) advises against `implicit` and `password`. */
interface OAuth2Flows<Scope extends string> {
  readonly authorizationCode?: AuthorizationCodeFlow<Scope>
  readonly clientCredentials?: TokenFlow<Scope>
  readonly implicit?: ImplicitFlow<Scope>
  readonly password?: TokenFlow<Scope>
}

/** The URLs that each flow needs. */
const flowUrls: ReadonlyMap<string, readonly string[]> = /* @__PURE__ */ new Map([
  ['authorizationCode', ['authorizationUrl', 'tokenUrl']],
  ['clientCredentials', ['tokenUrl']],
  ['implicit', ['authorizationUrl']],
  ['password', ['tokenUrl']],
])

/** @throws TypeError for a flow that OpenAPI 3.1 does not have, and for one without its URLs or its scopes. */
function checkFlows(realm: string, flows: Readonly<Record<string, unknown>>): void {
  const entries = Object.entries(flows)
  const isValid = entries.every(([name, flow]) => {
    const { scopes, ...members } = Object(flow) as Record<string, unknown>
    return isJsonObject(scopes) && flowUrls.get(name)?.every((url) => typeof members[url] === 'string') === true
  })
  if (entries.length === 0 || !isValid) throw new TypeError(authErrors.invalidFlows(realm, [...flowUrls.keys()].join(', ')))
}

/**
 * OAuth 2.0 (RFC 6749): a bearer token, and the flows by which a client gets the token, for OpenAPI.
 *
 * @param realm The realm of the challenge, and the name of the scheme.
 * @throws TypeError for a flow that OpenAPI 3.1 does not have, and for one without its URLs.
 * @example
 * ```ts
 * import { endpoint, noContent, oauth2 } from 'lapidary'
 *
 * const robots = oauth2<{ readonly id: number }, 'stones:write'>('market', {
 *   flows: { clientCredentials: { tokenUrl: 'https://login.example/token', scopes: { 'stones:write': 'Changes stones.' } } },
 * })
 * const remove = endpoint('DELETE /stone', { auth: robots.scopes('stones:write'), response: noContent })
 * ```
 */
export function oauth2<User, Scope extends string = never>(
  realm: string,
  { flows }: { readonly flows: OAuth2Flows<Scope> },
): AuthScheme<User, string, Scope> {
  checkFlows(realm, { ...flows })
  return authScheme(defineBearer(realm, { type: 'oauth2', flows }))
}

/**
 * OpenID Connect: a bearer token, and the URL of the provider's metadata, for OpenAPI.
 *
 * @param realm The realm of the challenge, and the name of the scheme.
 * @example
 * ```ts
 * import { endpoint, ok, openIdConnect, text } from 'lapidary'
 *
 * const people = openIdConnect<{ readonly sub: string }>('people', { url: 'https://login.example/.well-known/openid-configuration' })
 * const me = endpoint('GET /me', { auth: people, response: ok(text) })
 * ```
 */
export const openIdConnect = <User, Scope extends string = never>(
  realm: string,
  { url }: { readonly url: string },
): AuthScheme<User, string, Scope> => authScheme(defineBearer(realm, { type: 'openIdConnect', openIdConnectUrl: url }))
