/** Several auth schemes for one endpoint: `either` of them, or `both`. */
import { getCookie } from '../../http/cookies.ts'
import * as authErrors from '../../messages/authErrors.ts'
import {
  type AnyAuthScheme,
  type Auth,
  type AuthAlternatives,
  type AuthRequirement,
  type CombinedAuth,
  createCombinedAuth,
  type HeaderReader,
  type InvalidCredentials,
  type QueryParameterReader,
} from './authScheme.ts'

/** Who may call, of any type. */
export type AnyAuth = Auth<unknown>

/** The user that a handler gets. */
// Looked up, and not inferred: an optional user is `undefined`, which inference drops from an optional member.
export type UserOf<A> = A extends AnyAuth ? NonNullable<A['~types']>['user'] : never

/** Whether a value is an auth scheme, or several of them. */
export const isAuth = (value: unknown): value is AnyAuthScheme | CombinedAuth<unknown> =>
  typeof value === 'object' && value !== null && (value as Partial<AnyAuth>)['~kind'] === 'auth'

/** The alternatives of what `auth` takes. */
export const listAlternatives = (auth: AnyAuth): AuthAlternatives =>
  'alternatives' in auth ? (auth as CombinedAuth<unknown>).alternatives : [[{ scheme: auth as AnyAuthScheme, scopes: [] }]]

/** What becomes of a request with wrong credentials. */
export const getInvalidCredentials = (auth: AnyAuth | undefined): InvalidCredentials =>
  auth !== undefined && 'invalid' in auth ? (auth as CombinedAuth<unknown>).invalid : 'reject'

/** The alternatives that need credentials. */
export const listCredentialAlternatives = (alternatives: AuthAlternatives): AuthAlternatives =>
  alternatives.filter((requirements) => requirements.length > 0)

/** All schemes, each once. */
export const listAuthSchemes = (alternatives: AuthAlternatives = []): readonly AnyAuthScheme[] => [
  ...new Set(alternatives.flatMap((requirements) => requirements.map(({ scheme }) => scheme))),
]

/** Whether a request without credentials is served. */
export const isAuthOptional = (alternatives: AuthAlternatives): boolean => alternatives.at(-1)?.length === 0

/** Where a request has the credentials of a scheme. A field or a parameter of one name is there once for all schemes that use it. */
interface CredentialPlace {
  readonly in: 'header' | 'cookie' | 'query'
  /** A header name is in lower case. */
  readonly name: string
}

const authorization: CredentialPlace = { in: 'header', name: 'authorization' }

/** The place that an OpenAPI security scheme says; undefined if it says none. */
export function getCredentialPlace({ type, in: place, name }: Readonly<Record<string, unknown>>): CredentialPlace | undefined {
  if (type === 'http' || type === 'oauth2' || type === 'openIdConnect') return authorization
  if (type !== 'apiKey' || typeof name !== 'string') return undefined
  if (place === 'header') return { in: place, name: name.toLowerCase() }
  return place === 'cookie' || place === 'query' ? { in: place, name } : undefined
}

const formatPlace = (place: CredentialPlace | undefined): string | undefined => place && `${place.in} ${place.name}`

/**
 * The form of the credentials of an OpenAPI security scheme: `bearer`, `header x-api-key`. Schemes of one form read the same credentials.
 * Undefined if the scheme does not say it.
 */
export function getCredentialForm(openapi: Readonly<Record<string, unknown>>): string | undefined {
  const place = getCredentialPlace(openapi)
  if (place !== authorization) return formatPlace(place)
  return openapi['type'] === 'http' ? `${openapi['scheme']}`.toLowerCase() : 'bearer'
}

/** Whether a request has something where a scheme has its credentials, valid or not. */
export function hasCredentialText(scheme: AnyAuthScheme, header: HeaderReader, query: QueryParameterReader): boolean {
  const place = getCredentialPlace(scheme.openapi)
  if (place === undefined) return scheme.credentials(header, query) !== undefined
  if (place.in === 'query') return query(place.name).join('') !== ''
  return Boolean(place.in === 'cookie' ? getCookie(header('cookie') ?? '', place.name) : header(place.name))
}

/** Formats alternatives for a message: `session or market and staff`. */
export const formatAlternatives = (alternatives: AuthAlternatives): string =>
  listCredentialAlternatives(alternatives)
    .map((requirements) => requirements.map(({ scheme }) => scheme.name).join(' and '))
    .join(' or ')

/** Lists the alternatives of the arguments of `either` or `both`. @throws TypeError for anything that makes no sense there. */
function listArguments(word: string, all: readonly AnyAuth[]): readonly AuthAlternatives[] {
  if (all.length < 2 || !all.every(isAuth)) throw new TypeError(authErrors.expectedAuthSchemes(word))
  const listed = all.map(listAlternatives)
  if (listed.some(isAuthOptional)) throw new TypeError(authErrors.optionalAuthInside(word))
  return listed
}

/**
 * Credentials of any of these schemes. The server takes the first scheme for which the request has credentials, and verifies them. The
 * handler gets the user of this scheme.
 *
 * @throws TypeError for a scheme that is never reached, because a scheme before it reads the same credentials.
 * @example
 * ```ts
 * import { apiKey, bearer, either, endpoint, ok, text } from 'lapidary'
 *
 * const session = apiKey<{ readonly name: string }>({ in: 'cookie', name: 'session' })
 * const token = bearer<{ readonly id: number }>('market')
 * const me = endpoint('GET /me', { auth: either(session, token), response: ok(text) })
 * ```
 */
export function either<const All extends readonly [AnyAuth, AnyAuth, ...AnyAuth[]]>(...all: All): Auth<UserOf<All[number]>> {
  const alternatives = listArguments('either', all).flat()
  const forms = alternatives.map(
    (requirements) => new Set<unknown>(requirements.map(({ scheme }) => getCredentialForm(scheme.openapi) ?? scheme)),
  )
  for (const [index, form] of forms.entries()) {
    const first = forms.findIndex((other) => [...other].every((one) => form.has(one)))
    if (first < index) {
      const [one, hidden] = [first, index].map((at) => formatAlternatives([alternatives[at] as readonly AuthRequirement[]]))
      throw new TypeError(authErrors.hiddenAlternative(one ?? '', hidden ?? ''))
    }
  }
  return createCombinedAuth(alternatives)
}

/**
 * Credentials of all of these schemes. The handler gets their users as a tuple, in this order.
 *
 * @throws TypeError for two schemes that have their credentials in the same place of a request, such as the header `Authorization`.
 * @example
 * ```ts
 * import { apiKey, bearer, both, endpoint, ok, text } from 'lapidary'
 *
 * const session = apiKey<{ readonly name: string }>({ in: 'cookie', name: 'session' })
 * const token = bearer<{ readonly id: number }>('market')
 * const me = endpoint('GET /me', { auth: both(session, token), response: ok(text) })
 * ```
 */
export function both<const All extends readonly [AnyAuth, AnyAuth, ...AnyAuth[]]>(
  ...all: All
): Auth<{ readonly [Index in keyof All]: UserOf<All[Index]> }> {
  const listed = listArguments('both', all)
  if (listed.flat().some((requirements) => requirements.length > 1)) throw new TypeError(authErrors.nestedBoth())
  const alternatives = listed.reduce<AuthAlternatives>(
    (combined, next) => combined.flatMap((requirements) => next.map((more) => [...requirements, ...more])),
    [[]],
  )
  for (const requirements of alternatives) {
    const places = requirements.map(({ scheme }) => formatPlace(getCredentialPlace(scheme.openapi)) ?? scheme)
    if (new Set(places).size < places.length) throw new TypeError(authErrors.sharedPlace(formatAlternatives([requirements])))
  }
  return createCombinedAuth(alternatives)
}
