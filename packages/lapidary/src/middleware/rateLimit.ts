/** `rateLimit(options)`: refuses the requests of a client that has used up a quota, as the description says (429). */
import { isMount, operations } from '../contract/api.ts'
import { createApiIndex } from '../contract/apiIndex.ts'
import { listAuthSchemes } from '../contract/auth/alternatives.ts'
import type { AnyAuthScheme } from '../contract/auth/authScheme.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { isHealthCheck } from '../contract/healthEndpoints.ts'
import { addPolicies, formatPolicies, listPolicies, policyHeader, type RateLimit, type RateLimitPolicy } from '../contract/rateLimit.ts'
import { listInputHeaders } from '../contract/vary.ts'
import { digest } from '../http/digest.ts'
import { toBase64 } from '../http/encodings.ts'
import { createErrorListener, type ErrorListener, toErrorContext } from '../http/errorReport.ts'
import { checkFunctions, describeKind, requireFunction } from '../http/functions.ts'
import { type HttpRequest, type HttpResponse, isAlreadySent } from '../http/httpHandler.ts'
import { parseIpAddress } from '../http/ipAddress.ts'
import { requireTime, toTimerDelay } from '../http/limits.ts'
import { type Awaitable, andThen, isPromise, requireSync } from '../http/promises.ts'
import { createQuotaExceededError } from '../http/quotaExceededError.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { addAuthenticationListener, exposeHeaders, type Middleware, type MiddlewareContext } from './compose.ts'
import { checkMiddlewareOptions } from './options.ts'
import { withTraits } from './order.ts'
import { memoryRateLimitStore, type RateLimitState, type RateLimitStore } from './rateLimitStore.ts'

/** Where requests are counted, and what happens if that fails. */
export interface RateLimitOptions {
  /**
   * Policies of all requests but health checks, besides those of the description: of a handler without one, and of a server whose operator
   * sets the quota. No document shows them.
   *
   * @default none
   */
  readonly policies?: RateLimit
  /** Where the requests are counted. @default memoryRateLimitStore(), which is for one process */
  readonly store?: RateLimitStore
  /**
   * How long a request waits for the store, in milliseconds. A time limit is above 0 and at most 2,147,483,647 (24.8 days); `Infinity` is no
   * limit.
   *
   * @default 250
   */
  readonly storeTimeout?: number
  /**
   * Receives an error of the store, and the `TimeoutError` after `storeTimeout`. The request then passes without being counted. After an error, the
   * store is left alone for one second; each request of that second is reported with the same error. To refuse requests instead, throw an
   * `HttpError`, such as `errors.serviceUnavailable()`.
   *
   * @default writes each error to `console.error` once
   */
  readonly onError?: (error: unknown, request: HttpRequest) => void
  /**
   * Returns what identifies a user, for policies `by` an auth scheme.
   *
   * @default the user, if it is a text or a number, else its `id`
   */
  // A method, so that its parameter can have the type of the users.
  identify?(user: unknown): string | number
  /**
   * Whether `RateLimit` says by `pk` to which quota an item belongs: the beginning of a SHA-256 digest of the address, the user or the key. A client
   * with several users then knows which quota is which.
   *
   * @default false
   */
  readonly partitionKey?: boolean
}

const rateLimitOptionNames = ['policies', 'store', 'storeTimeout', 'onError', 'identify', 'partitionKey']

/** For how long a store that has failed is left alone, in milliseconds. */
const storePause = 1_000

/** What a request has taken of one policy. */
interface TakenQuota {
  readonly policy: RateLimitPolicy
  readonly partition: string
  readonly state: RateLimitState
}

/** The policies of the requests that reach one operation, or none. */
interface Plan {
  /** Of addresses and functions, the shortest window first: a request that a longer one refuses takes nothing that lasts. */
  readonly early: readonly RateLimitPolicy[]
  readonly byUser: readonly RateLimitPolicy[]
  /** What `RateLimit-Policy` says besides the headers of the endpoint; empty for nothing. */
  readonly policies: string
  /** The headers of a refusal that are always the same: those of all responses of the endpoint. */
  readonly refusalHeaders: Readonly<Record<string, string>>
  /** Undefined for an unknown path, and for a mount. */
  readonly endpoint: AnyEndpoint | undefined
}

const isScheme = (by: RateLimitPolicy['by']): by is AnyAuthScheme => typeof by === 'object'

/** The network of an address: an IPv4 address, or 64 bits of an IPv6 address, which one subscriber has at least. */
function getNetwork(address: string): string {
  if (!address.includes(':')) return address
  const parsed = parseIpAddress(address)
  if (parsed === undefined) return address
  return parsed.family === 'ipv4' ? `${parsed.value}` : `${(parsed.value >> 64n).toString(16)}::/64`
}

/** @throws TypeError for what a store returns in place of a state: no client would be limited, and no error would say so. */
function checkState(state: RateLimitState): RateLimitState {
  if (typeof (state as Partial<RateLimitState> | undefined)?.isAllowed === 'boolean') return state
  throw new TypeError(middlewareErrors.invalidRateLimitState(describeKind(state)))
}

/** @throws TypeError for what is no integer from 0 */
function readCost({ name, cost }: RateLimitPolicy, request: HttpRequest, endpoint: AnyEndpoint | undefined): number {
  const value = cost === undefined ? 1 : requireSync(cost(request, endpoint?.meta), `The function "cost" of the rate limit "${name}"`)
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(middlewareErrors.invalidCost(name, value))
  return value
}

/** A byte sequence (RFC 9651 §3.3.5) of 9 bytes: enough to tell the quotas of one client apart. */
const formatPartitionKey = ({ policy: { name }, partition }: TakenQuota): string => {
  const hex = digest(`${name}\n`, partition)
  return `:${toBase64(Uint8Array.from({ length: 9 }, (_, index) => Number.parseInt(hex.slice(2 * index, 2 * index + 2), 16)))}:`
}

/** A text of a client can be long. */
const shortenPartition = (text: string): string => (text.length > 128 ? `sha256:${digest('', text)}` : text)

const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1_000)

/** The default of `identify`. An object may change from one request to the next, and the quota with it. */
function getUserId(user: unknown): unknown {
  return typeof user === 'object' && user !== null ? (user as { readonly id?: unknown }).id : user
}

/** @throws TypeError for two policies with one name, and for one by users that an endpoint does not have. */
function createPlans({ api }: MiddlewareContext, added: readonly RateLimitPolicy[]) {
  const place = 'rateLimit()'
  const all = operations(api)
  const createPlan = (described: readonly RateLimitPolicy[], endpoint: AnyEndpoint | undefined): Plan => {
    // An orchestrator would restart a process whose health checks are refused.
    const further = endpoint !== undefined && isHealthCheck(endpoint) ? [] : added
    const sorted = addPolicies(place, described, further).toSorted((one, other) => one.window - other.window)
    const policies = formatPolicies(endpoint === undefined ? sorted : further)
    const own = endpoint?.responseHeaders ?? {}
    const vary = endpoint === undefined ? [] : listInputHeaders(endpoint)
    return Object.freeze({
      early: sorted.filter(({ by }) => !isScheme(by)),
      byUser: sorted.filter(({ by }) => isScheme(by)),
      policies,
      refusalHeaders: {
        ...own,
        ...(vary.length > 0 && { Vary: vary.join(', ') }),
        [policyHeader]: [own[policyHeader], policies].filter(Boolean).join(', '),
      },
      endpoint,
    })
  }
  const known = all.flatMap(({ operation }) => operation.rateLimit)
  addPolicies(place, added, known)
  for (const { operation } of all) {
    if (isMount(operation)) continue
    const schemes = listAuthSchemes(operation.auth)
    const stranger = operation.rateLimit.find(({ by }) => isScheme(by) && !schemes.includes(by))
    if (stranger !== undefined) throw new TypeError(middlewareErrors.limitedStranger(operation.route, stranger.name))
  }
  const { paths, mounts } = createApiIndex(all, (endpoint, { name }) => ({
    name,
    endpoint,
    plan: createPlan(endpoint.rateLimit, endpoint),
  }))
  const mountPlans = new Map(all.map((named) => [named, createPlan(named.operation.rateLimit, undefined)]))
  // What all operations have, unknown paths have as well.
  const shared = (all[0]?.operation.rateLimit ?? []).filter((policy) => all.every(({ operation }) => operation.rateLimit.includes(policy)))
  const unknownPlan = createPlan(shared, undefined)
  return ({ method, target }: HttpRequest): Plan => {
    const queryStart = target.indexOf('?')
    const path = queryStart < 0 ? target : target.slice(0, queryStart)
    const match = paths.find(path)
    if (match !== undefined) return match.leaf.entries.get(method === 'HEAD' ? 'GET' : method)?.plan ?? unknownPlan
    const mount = mounts.findPrefix(path)
    return (mount === undefined ? undefined : mountPlans.get(mount.leaf)) ?? unknownPlan
  }
}

/**
 * Refuses the requests of a client that has used up a quota: 429 with `Retry-After`, as problem details of the type `quota-exceeded`. The
 * description says the quotas, by `rateLimit` of an endpoint or a `group`; so clients and documents know them. A policy of all operations
 * holds for unknown paths as well.
 *
 * In each `window`, however it begins, at most `quota` requests of a client pass. What they have taken comes back in steps of a sixth of the
 * window, after at most 7/6 of it. A refused request takes nothing. Responses say in `RateLimit` what is left
 * (draft-ietf-httpapi-ratelimit-headers-11).
 *
 * Addresses and keys are counted before anything else of a request is read, wrong credentials too. Users are counted when their credentials
 * are verified, before guards and the body.
 *
 * Put it after `trustProxy`, else all clients behind a proxy are one, and after `cors`, so that a page can read the 429.
 *
 * @throws TypeError for policies that count together, for a policy by users that its endpoint does not have, and where `trustProxy` or `cors`
 * stands after it.
 * @example
 * ```ts
 * import { endpoint, group, ok, text } from 'lapidary'
 * import { rateLimit } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * const limit = { name: 'default', quota: 100, window: 60 }
 * const api = group({ rateLimit: limit }, { hello: endpoint('GET /hello', { response: ok(text) }) })
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [rateLimit()] })
 * ```
 */
export function rateLimit(options: RateLimitOptions = {}): Middleware {
  const place = 'rateLimit()'
  checkMiddlewareOptions(place, options, rateLimitOptionNames)
  const { store = memoryRateLimitStore(), storeTimeout = 250, partitionKey = false, onError, identify } = options
  checkFunctions(place, { onError, identify })
  requireFunction('rateLimit(): store.take', store.take)
  requireTime('rateLimit(): storeTimeout', storeTimeout, 'limit')
  const added = listPolicies(place, options.policies)
  const printError: ErrorListener = createErrorListener(undefined)

  let pauseEnd = 0
  let lastError: unknown

  /** @throws HttpError if the application refuses requests that cannot be counted */
  function report(error: unknown, request: HttpRequest): undefined {
    const isNew = error !== lastError
    lastError = error
    if (onError !== undefined) requireSync(onError(error, request), 'The function "onError" of rateLimit()')
    else if (isNew) printError(error, toErrorContext(request))
  }

  const fail = (error: unknown, request: HttpRequest): undefined => {
    pauseEnd = performance.now() + storePause
    return report(error, request)
  }

  /** Queries the store, within the time; undefined where it fails. */
  function queryStore(query: () => Awaitable<RateLimitState>, request: HttpRequest): Awaitable<RateLimitState | undefined> {
    if (pauseEnd > 0 && performance.now() < pauseEnd) return report(lastError, request)
    try {
      const state = query()
      if (!isPromise(state)) return checkState(state)
      return new Promise<RateLimitState>((resolve, reject) => {
        const expire = (): void => reject(new DOMException(middlewareErrors.slowStore(storeTimeout), 'TimeoutError'))
        const timer = storeTimeout === Number.POSITIVE_INFINITY ? undefined : setTimeout(expire, toTimerDelay(storeTimeout))
        Promise.resolve(state)
          .then(checkState)
          .then(resolve, reject)
          .finally(() => clearTimeout(timer))
      }).catch((error: unknown) => fail(error, request))
    } catch (error) {
      return fail(error, request)
    }
  }

  const formatLimits = (taken: readonly TakenQuota[]): string =>
    taken
      .map((one) => {
        const { policy, state } = one
        const limit = `"${policy.name}";r=${state.remaining};t=${toSeconds(state.reset)}`
        return partitionKey ? `${limit};pk=${formatPartitionKey(one)}` : limit
      })
      .join(', ')

  function createRejection({ policy, state }: TakenQuota, headers: Readonly<Record<string, string>>): Error {
    const seconds = Math.max(1, toSeconds(state.retryAfter))
    return createQuotaExceededError([policy.name], {
      detail: problemDetail.quotaExceeded(policy.quota, policy.window, seconds),
      headers: { ...headers, 'Retry-After': `${seconds}` },
    })
  }

  /**
   * Takes of the policies in their order, and adds to `taken`.
   *
   * @param getPartition undefined: the request does not count
   * @returns what has refused the request; undefined if it passes
   */
  function take(
    policies: readonly RateLimitPolicy[],
    from: number,
    request: HttpRequest,
    endpoint: AnyEndpoint | undefined,
    getPartition: (policy: RateLimitPolicy) => string | undefined,
    taken: TakenQuota[],
  ): Awaitable<TakenQuota | undefined> {
    for (let index = from; index < policies.length; index += 1) {
      const policy = policies[index] as RateLimitPolicy
      const { name, quota, window } = policy
      const cost = readCost(policy, request, endpoint)
      if (cost === 0) continue
      const partition = getPartition(policy)
      if (partition === undefined) continue
      const add = (state: RateLimitState | undefined): TakenQuota | undefined => {
        if (state === undefined) return undefined
        const one = { policy, partition, state }
        taken.push(one)
        return state.isAllowed ? undefined : one
      }
      const state = queryStore(() => store.take({ key: `${name}\n${partition}`, cost: Math.min(cost, quota), quota, window }), request)
      if (isPromise(state))
        return (state as Promise<RateLimitState | undefined>).then(
          (settled) => add(settled) ?? take(policies, index + 1, request, endpoint, getPartition, taken),
        )
      const rejecting = add(state)
      if (rejecting !== undefined) return rejecting
    }
    return undefined
  }

  const middleware: Middleware = (next, context) => {
    exposeHeaders(context, 'RateLimit', policyHeader)
    const findPlan = createPlans(context, added)
    /** The plans of requests whose users are limited, and what these have taken. The original request has the target of the server around a mount. */
    const limitedRequests = new WeakMap<HttpRequest, { readonly plan: Plan; readonly taken: TakenQuota[] }>()

    const getEarlyPartition = ({ by, name }: RateLimitPolicy, request: HttpRequest, endpoint: AnyEndpoint | undefined) => {
      if (typeof by !== 'function') return getNetwork(request.remoteAddress)
      const partition: unknown = requireSync(by(request, endpoint?.meta), `The function "by" of the rate limit "${name}"`)
      if (partition !== undefined && typeof partition !== 'string')
        throw new TypeError(middlewareErrors.invalidPartition(name, describeKind(partition)))
      return partition === undefined ? undefined : shortenPartition(partition)
    }

    const addHeaders = (response: HttpResponse, taken: readonly TakenQuota[], { policies }: Plan): HttpResponse => {
      if (isAlreadySent(response) || (taken.length === 0 && policies === '')) return response
      const headers = [...response.headers]
      if (taken.length > 0) headers.push('RateLimit', formatLimits(taken))
      if (policies !== '') headers.push(policyHeader, policies)
      return { ...response, headers }
    }

    addAuthenticationListener(context, (scheme, user, request) => {
      const limited = limitedRequests.get(request.original ?? request)
      const policies = limited?.plan.byUser.filter(({ by }) => by === scheme) ?? []
      if (limited === undefined || policies.length === 0) return undefined
      const { plan, taken } = limited
      const id: unknown =
        identify === undefined ? getUserId(user) : requireSync(options.identify?.(user), 'The function "identify" of rateLimit()')
      if ((typeof id !== 'string' && typeof id !== 'number') || id === '')
        throw new TypeError(middlewareErrors.unidentifiedLimit(scheme.name))
      const partition = shortenPartition(`${scheme.name}\n${id}`)
      return andThen(
        take(policies, 0, request, plan.endpoint, () => partition, taken),
        (rejecting) => {
          if (rejecting !== undefined) throw createRejection(rejecting, {})
        },
      )
    })

    return (request) => {
      const plan = findPlan(request)
      const { early, byUser, endpoint } = plan
      if (early.length === 0 && byUser.length === 0) return next(request)
      const taken: TakenQuota[] = []
      if (byUser.length > 0) limitedRequests.set(request.original ?? request, { plan, taken })
      const rejecting = take(early, 0, request, endpoint, (policy) => getEarlyPartition(policy, request, endpoint), taken)
      return andThen(rejecting, (refused) => {
        if (refused === undefined) return andThen(next(request), (response) => addHeaders(response, taken, plan))
        throw createRejection(refused, { ...plan.refusalHeaders, RateLimit: formatLimits(taken) })
      })
    }
  }
  return withTraits('rateLimit', middleware)
}
