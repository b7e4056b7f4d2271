/** The request headers that the responses of an endpoint depend on, and that they name in `Vary`. */
import { dedupeNames } from '../http/headerFields.ts'
import { getCredentialPlace, listAuthSchemes } from './auth/alternatives.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { isNegotiated } from './media/content.ts'
import type { AnyReply } from './reply.ts'

/** Methods whose responses a cache may keep. */
const cacheableMethods = new Set(['GET', 'QUERY'])

/** Headers of which caches know by themselves what they mean for a kept response (RFC 9111 §3.5, §4.3): conditions and ranges. */
const knownToCaches = new Set([
  'authorization',
  'range',
  'if-range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
])

/**
 * The request headers that every response of an endpoint depends on, errors too, and which `Vary` names: those that it declares, cookies, and
 * those with the keys of its auth schemes. A shared cache would give the response of one client to another.
 */
export function listInputHeaders({ method, headers, cookies, auth }: AnyEndpoint): readonly string[] {
  if (!cacheableMethods.has(method)) return []
  const places = listAuthSchemes(auth).flatMap(({ openapi }) => getCredentialPlace(openapi) ?? [])
  const keys = places.filter((place) => place.in === 'header').map(({ name }) => name)
  const hasCookies = Object.keys(cookies).length > 0 || places.some((place) => place.in === 'cookie')
  const names = dedupeNames([...Object.keys(headers), ...keys, ...(hasCookies ? ['Cookie'] : [])])
  return names.filter((name) => !knownToCaches.has(name.toLowerCase()))
}

/** The request headers that a response of success depends on, which it names in `Vary`. */
export const listVaryNames = (endpoint: AnyEndpoint, { content }: AnyReply): readonly string[] => [
  ...(content !== undefined && isNegotiated(content) ? ['Accept'] : []),
  ...listInputHeaders(endpoint),
]
