/** The state of one check: its budget, its credentials, and the resources that it has seen. */

import * as fc from 'fast-check'
import { type AnyAuthScheme, type AnyEndpoint, isParseError } from 'lapidary'
import { formatCookiePair, idempotencyKeyHeader, isAuthOptional, listCredentialAlternatives } from 'lapidary/internal'
import { buildTarget, type Call, type ExistingCaptures, encodeBody, generateCalls } from '../generate/calls.ts'
import { getAcceptHeader } from './acceptHeader.ts'
import type { EndpointIndex } from './endpointIndex.ts'
import {
  createIdempotencyKey,
  getStreamReadOptions,
  type HeaderLine,
  isWireResponse,
  joinCookies,
  type NoResponse,
  type SendRequest,
  type WireRequest,
  type WireResponse,
} from './exchange.ts'
import { createKnownIds, type KnownIds } from './knownIds.ts'
import type { EndpointUnderTest, ResponseLimits } from './rule.ts'
import { listAuthHeaderNames, type WrittenCredentials, writeCredentials } from './secrets.ts'

/** Thrown when the budget of requests or seconds is used up. */
export class BudgetExceeded extends Error {}

/** How long a stream is read, in milliseconds: the first one of an endpoint, and later ones. */
const streamReadMilliseconds = { first: 1_000, next: 100 }
/** The number of endless streams that are read for each endpoint. */
const maxStreamReads = 12

/** The budget, the limits and the credentials of a check. */
interface CheckRunOptions {
  readonly index: EndpointIndex
  readonly send: SendRequest
  readonly seed: number
  readonly requests: number
  readonly seconds: number
  readonly limits: ResponseLimits
  /** The given credentials, by the name of their auth scheme. */
  readonly credentials: Readonly<Record<string, WrittenCredentials>>
  readonly headers: Readonly<Record<string, string>>
  /** The given texts of captures. */
  readonly captures: ExistingCaptures
}

/** What the endpoints of a check share. */
export interface CheckRun {
  readonly index: EndpointIndex
  readonly limits: ResponseLimits
  readonly knownIds: KnownIds
  /** The given texts of captures. */
  readonly captures: ExistingCaptures
  /** The endpoints whose refusal was reported, by their group. */
  readonly reportedRefusals: Map<string, string>
  /** Sends a request and counts it. @throws BudgetExceeded */
  readonly send: (request: WireRequest, subject: EndpointUnderTest) => Promise<WireResponse | NoResponse>
  /** Remembers the resources that a correct exchange has shown. */
  readonly learnFrom: (request: WireRequest, response: WireResponse) => void
  /** Whether the endpoint sends endless streams, and enough of them were read. */
  readonly isEndless: (subject: EndpointUnderTest) => boolean
  readonly isUnreachable: () => boolean
  /** Why the server could not be reached, or not any more; `undefined` if it could. */
  readonly getOutage: () => string | undefined
  /** Returns the number of requests that got a response, and the statuses of those. */
  readonly getResponses: () => { readonly count: number; readonly statuses: ReadonlySet<number> }
  readonly countRequests: () => number
  readonly isOverBudget: () => boolean
  /** Returns the milliseconds since the start. */
  readonly getElapsed: () => number
  /** Whether the endpoint is public, or credentials for it were given. */
  readonly isAuthorized: (subject: EndpointUnderTest) => boolean
  /** Whether credentials of a scheme were given. */
  readonly hasCredentials: (scheme: AnyAuthScheme) => boolean
  /**
   * Builds the request of a call.
   *
   * @param schemes the schemes whose credentials it has; the default is the first alternative whose credentials were given
   * @param others credentials in place of the given ones, by the name of their scheme
   */
  readonly buildRequest: (
    subject: EndpointUnderTest,
    call: Call,
    schemes?: readonly AnyAuthScheme[],
    others?: Readonly<Record<string, unknown>>,
  ) => Promise<WireRequest>
  /** Returns the valid calls of an endpoint. @throws CallNotGeneratedError */
  readonly getCalls: (subject: EndpointUnderTest) => fc.Arbitrary<Call>
  /** Returns some valid calls, always the same ones. */
  readonly sampleCalls: (subject: EndpointUnderTest, count: number) => readonly Call[]
  /** Returns the seed of an endpoint. */
  readonly getSeed: (subject: EndpointUnderTest) => number
}

/** Hashes the name of an endpoint. A check with the same seed draws the same values in every version, so this function stays as it is. */
const hashName = (name: string): number =>
  [...name].reduce((sum, character) => (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0, 7)

/** Returns the headers of a call with a key that no other request has, in place of a generated one. A key that is no key stays. */
function withFreshKey({ headers, idempotent }: AnyEndpoint, texts: Call['headers']): Call['headers'] {
  const { [idempotencyKeyHeader]: given = [] } = texts
  const parameter = headers[idempotencyKeyHeader]
  if (idempotent === undefined || given.length !== 1 || isParseError(parameter?.read({ values: given, isPresent: true }))) return texts
  return { ...texts, [idempotencyKeyHeader]: [createIdempotencyKey()] }
}

/** Whether a header identifies the caller under any auth scheme. */
const isCredentialHeader = (name: string): boolean => /^(authorization|cookie)$/i.test(name)

/** Starts a check. */
export function createCheckRun(options: CheckRunOptions): CheckRun {
  const { index, send, seed, requests, seconds, limits, credentials, headers, captures } = options
  const startTime = performance.now()
  const knownIds = createKnownIds(index, captures)
  const extraHeaders = Object.entries(headers)
  const calls = new Map<EndpointUnderTest, fc.Arbitrary<Call>>()
  const abandonedStreams = new Map<EndpointUnderTest, number>()
  let requestCount = 0
  let isOverBudget = false
  let outage: string | undefined
  let responseCount = 0
  let firstReason: string | undefined
  const statuses = new Set<number>()

  const getElapsed = (): number => Math.round(performance.now() - startTime)
  const getSeed = ({ name }: EndpointUnderTest): number => seed ^ hashName(name)
  const getCalls: CheckRun['getCalls'] = (subject) => {
    const found = calls.get(subject)
    if (found !== undefined) return found
    const all = generateCalls(subject.endpoint, captures)
    const isReaching = (call: Call): boolean => index.isReachedBy(subject, buildTarget(subject.endpoint, call))
    const isHidden = !fc.sample(all, { numRuns: 50, seed: 1 }).some(isReaching)
    const reaching = Object.keys(subject.endpoint.params).length === 0 || isHidden ? all : all.filter(isReaching)
    calls.set(subject, reaching)
    return reaching
  }
  const hasCredentials = ({ name }: AnyAuthScheme): boolean => Object.hasOwn(credentials, name)
  /** Whether a request of the check may have credentials of a scheme: given ones, or a further header. */
  const mayShow = (scheme: AnyAuthScheme): boolean => {
    const own = listAuthHeaderNames(scheme)
    return hasCredentials(scheme) || extraHeaders.some(([name]) => isCredentialHeader(name) || own.includes(name.toLowerCase()))
  }
  /** The schemes of the first alternative whose credentials were given. */
  const findSchemes = ({ endpoint: { auth = [] } }: EndpointUnderTest): readonly AnyAuthScheme[] | undefined =>
    listCredentialAlternatives(auth)
      .find((requirements) => requirements.every(({ scheme }) => mayShow(scheme)))
      ?.map(({ scheme }) => scheme)
  const isAuthorized: CheckRun['isAuthorized'] = (subject) => {
    const { auth } = subject.endpoint
    return auth === undefined || isAuthOptional(auth) || findSchemes(subject) !== undefined
  }

  return {
    index,
    limits,
    knownIds,
    captures,
    reportedRefusals: new Map(),
    send: async (request, subject) => {
      isOverBudget ||= requestCount >= requests || getElapsed() > seconds * 1_000
      if (isOverBudget) throw new BudgetExceeded()
      requestCount += 1
      const abandoned = abandonedStreams.get(subject) ?? 0
      const milliseconds = abandoned === 0 ? streamReadMilliseconds.first : streamReadMilliseconds.next
      const response = await send(request, getStreamReadOptions(subject.endpoint, milliseconds))
      if (!isWireResponse(response)) {
        firstReason ??= response.reason
        if (response.cause === 'unreachable') outage ??= response.reason
        return response
      }
      responseCount += 1
      if (request.method === subject.endpoint.method) statuses.add(response.status)
      if (response.isAbandoned) abandonedStreams.set(subject, abandoned + 1)
      return response
    },
    learnFrom: (request, response) => {
      const location = response.header('location')
      if (request.method === 'GET' && response.status < 300) knownIds.add(request.target)
      if (location !== undefined) knownIds.add(index.resolveLocation(location, request.target))
    },
    isEndless: (subject) => (abandonedStreams.get(subject) ?? 0) >= maxStreamReads,
    isUnreachable: () => outage !== undefined,
    getOutage: () => outage ?? (responseCount === 0 ? firstReason : undefined),
    getResponses: () => ({ count: responseCount, statuses }),
    countRequests: () => requestCount,
    isOverBudget: () => isOverBudget,
    getElapsed,
    isAuthorized,
    hasCredentials,
    buildRequest: async (subject, call, schemes = findSchemes(subject) ?? [], others = {}) => {
      const { endpoint } = subject
      const given = schemes.flatMap((scheme) =>
        Object.hasOwn(others, scheme.name) ? writeCredentials(scheme, others[scheme.name]) : (credentials[scheme.name] ?? []),
      )
      const authHeaders = given.flatMap((written) => Object.entries(written.headers))
      const query = given.flatMap((written) => Object.entries(written.query).map(([name, value]) => [name, [value]] as const))
      const declared = Object.entries(withFreshKey(endpoint, call.headers)).flatMap(([name, texts]) =>
        texts.map((text): HeaderLine => [name, text]),
      )
      const cookies = Object.entries(call.cookies).flatMap(([name, texts]) => texts.map((text) => formatCookiePair(name, text)))
      const body = call.body && (await encodeBody(endpoint, call.body))
      const type: readonly HeaderLine[] = body === undefined ? [] : [['Content-Type', body.type]]
      const accept = extraHeaders.some(([name]) => name.toLowerCase() === 'accept') ? undefined : getAcceptHeader(endpoint)
      // A cookie of the caller may be a session that no sample replaces: of two with one name, the first counts.
      const lines = joinCookies([
        ...(accept === undefined ? [] : [['Accept', accept] as const]),
        ...extraHeaders,
        ...authHeaders,
        ...declared,
        ...cookies.map((pair): HeaderLine => ['Cookie', pair]),
        ...type,
      ])
      const target = buildTarget(endpoint, { ...call, query: { ...call.query, ...Object.fromEntries(query) } })
      const secret = given.find((written) => written.secret !== undefined)?.secret
      return { method: endpoint.method, target, headers: lines, body: body?.bytes, secret, call }
    },
    getCalls,
    sampleCalls: (subject, count) =>
      fc
        .sample(getCalls(subject), { numRuns: count, seed: getSeed(subject) })
        .map((call, position) => knownIds.reuseCaptures(subject, call, position + 1)),
    getSeed,
  }
}
