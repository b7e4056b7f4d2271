/** `rateLimit` of an endpoint: the quotas of its clients, as the middleware `rateLimit` enforces them and documents show them. */
import type { HttpRequest } from '../http/httpHandler.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import type { AnyAuthScheme } from './auth/authScheme.ts'
import { type EndpointMeta, type EndpointParts, findHeaderName } from './endpointParts.ts'

/**
 * How many requests a client may make in a time.
 *
 * @example
 * ```ts
 * import { bearer, endpoint, group, ok, type RateLimitPolicy, text } from 'lapidary'
 *
 * const people = bearer<{ readonly id: string }>('people')
 * const burst: RateLimitPolicy = { name: 'burst', quota: 10, window: 1 }
 * const hourly: RateLimitPolicy = { name: 'hourly', quota: 1_000, window: 3_600, by: people }
 * const api = group({ auth: people, rateLimit: [burst, hourly] }, { hello: endpoint('GET /hello', { response: ok(text) }) })
 * ```
 */
export interface RateLimitPolicy {
  /**
   * Identifies the policy, in headers and in the counters of a store: letters, digits, `.`, `_`, `:` and `-`. Endpoints with the same policy share
   * its quota.
   */
  readonly name: string
  /** How many requests of one client pass in each `window`, however it begins; at most 999,999,999,999,999. */
  readonly quota: number
  /** In seconds: an integer from 1. */
  readonly window: number
  /**
   * What has a quota of its own: an address (of IPv6, the network of 64 bits), a user of an auth scheme, or what a function returns, such as an
   * API key. Where the function returns undefined, the request does not count, as does one without a user of the scheme. A function knows
   * what the client has sent, which may be invented: limit the addresses as well.
   *
   * @default 'address'
   */
  readonly by?: 'address' | AnyAuthScheme | ((request: HttpRequest, meta: EndpointMeta | undefined) => string | undefined)
  /**
   * How much of the quota a request takes: an integer, at most the quota. A request that costs 0 is not limited. `meta` is that of the endpoint.
   *
   * @default 1
   */
  readonly cost?: (request: HttpRequest, meta: EndpointMeta | undefined) => number
}

/** One policy, or several. */
export type RateLimit = RateLimitPolicy | readonly RateLimitPolicy[]

/** The integers of structured fields (RFC 9651 §3.3.1), without 0 and those below it. */
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 999_999_999_999_999

/** Whether a value is a policy: plain JavaScript can write anything. */
function isPolicy(policy: RateLimitPolicy): boolean {
  const { name, quota, window, by = 'address', cost, ...others } = Object(policy) as RateLimitPolicy
  return (
    Object.keys(others).length === 0 &&
    typeof name === 'string' &&
    /^[\w.:-]{1,64}$/.test(name) &&
    isCount(quota) &&
    isCount(window) &&
    (by === 'address' || typeof by === 'function' || typeof (by as Partial<AnyAuthScheme> | null)?.credentials === 'function') &&
    (cost === undefined || typeof cost === 'function')
  )
}

/**
 * Returns the policies of an option, checked.
 *
 * @throws TypeError for anything else, and for two policies with one name.
 */
export function listPolicies(place: string, rateLimit: RateLimit = []): readonly RateLimitPolicy[] {
  const policies = Array.isArray(rateLimit) ? (rateLimit as readonly RateLimitPolicy[]) : [rateLimit as RateLimitPolicy]
  if (!policies.every(isPolicy)) throw new TypeError(developerErrors.invalidRateLimit(place))
  return addPolicies(place, [], policies)
}

/** Adds policies to others. @throws TypeError for another policy of the same name: they would count together. */
export function addPolicies(place: string, own: readonly RateLimitPolicy[], added: readonly RateLimitPolicy[]): readonly RateLimitPolicy[] {
  const policies = [...own]
  for (const policy of added) {
    const known = policies.find(({ name }) => name === policy.name)
    if (known === undefined) policies.push(policy)
    else if (known !== policy) throw new TypeError(developerErrors.duplicatePolicy(place, policy.name))
  }
  return Object.freeze(policies)
}

/** The header `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11): a list of structured fields. */
export const formatPolicies = (policies: readonly RateLimitPolicy[]): string =>
  policies.map(({ name, quota, window }) => `"${name}";q=${quota};w=${window}`).join(', ')

export const policyHeader = 'RateLimit-Policy'

/**
 * Returns the parts of an endpoint with the policies in a constant header.
 *
 * @throws TypeError where a response declares a header of the rate limit itself.
 */
export function addRateLimit(parts: EndpointParts, policies: readonly RateLimitPolicy[]): EndpointParts {
  if (policies.length === 0) return parts
  const { route, responses, errors, responseHeaders } = parts
  const names = new Set(['ratelimit', policyHeader.toLowerCase()])
  const name = findHeaderName([responseHeaders, ...[...responses, ...errors].map(({ headers }) => headers)], names)
  if (name !== undefined) throw new TypeError(developerErrors.headerOfRateLimit(route, name))
  return { ...parts, responseHeaders: { ...responseHeaders, [policyHeader]: formatPolicies(policies) } }
}
