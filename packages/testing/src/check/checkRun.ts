/** One check on its way: what is asked is counted, and remembered where it shows what is there. */

import * as fc from 'fast-check'
import { buildTarget, type Call, encodeBody, generateCalls } from '../generate/calls.ts'
import type { EndpointIndex } from './endpointIndex.ts'
import {
  getStreamReadOptions,
  type HeaderLine,
  isWireResponse,
  type NoResponse,
  type SendRequest,
  type WireRequest,
  type WireResponse,
} from './exchange.ts'
import type { EndpointUnderTest, ResponseLimits } from './rule.ts'
import { listAuthHeaderNames } from './secrets.ts'

// What is known to be there, since an answer has shown it or linked to it.

type KnownCaptures = Call['captures']

/** So many of each endpoint are remembered, the latest of them. */
export const maxKnownCaptures = 20

/** The captures of what is there, by endpoint. */
export interface KnownIds {
  /** A URL has been answered, or is where something was created. */
  readonly add: (url: string) => void
  /** The latest first. */
  readonly list: (subject: EndpointUnderTest) => readonly KnownCaptures[]
  /** A call with the captures of something that is there, for every other number. */
  readonly reuseCaptures: (subject: EndpointUnderTest, call: Call, number: number) => Call
}

/** Nothing yet. */
export function createKnownIds(site: EndpointIndex): KnownIds {
  const known = new Map<string, KnownCaptures[]>()
  const of: KnownIds['list'] = ({ name }) => known.get(name) ?? []
  return {
    list: of,
    add: (url) => {
      const led = site.resolveUrl(url)
      if (led === undefined || Object.keys(led.captures).length === 0) return
      const others = of(led.subject).filter((one) => JSON.stringify(one) !== JSON.stringify(led.captures))
      known.set(led.subject.name, [led.captures, ...others].slice(0, maxKnownCaptures))
    },
    reuseCaptures: (subject, call, number) => {
      const get = site.getSiblings(subject).get('GET')
      const list = get === undefined ? [] : of(get)
      const captures = number % 2 === 0 ? undefined : list[number % Math.max(1, list.length)]
      return captures === undefined ? call : { ...call, captures: { ...call.captures, ...captures } }
    },
  }
}

/** Thrown when the budget is spent. */
export class BudgetExceeded extends Error {}

/** For how long a stream is read, in milliseconds; and once it is known to have no end. */
const streamReadMilliseconds = { first: 1_000, next: 100 }
/** Streams without an end are read so often. */
const maxStreamReads = 12

/** What a run may cost, and who it is that asks. */
export interface CheckRunOptions {
  readonly index: EndpointIndex
  readonly send: SendRequest
  readonly seed: number
  readonly requests: number
  readonly seconds: number
  readonly limits: ResponseLimits
  /** The headers that show the credentials which were given, by the names of the schemes. */
  readonly credentialHeaders: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly headers: Readonly<Record<string, string>>
}

/** What all endpoints of a check have in common. */
export interface CheckRun {
  readonly index: EndpointIndex
  readonly limits: ResponseLimits
  readonly knownIds: KnownIds
  /** Sends a request that counts. @throws Spent */
  readonly send: (asked: WireRequest, subject: EndpointUnderTest) => Promise<WireResponse | NoResponse>
  /** An exchange was as the description says: what it shows is there. */
  readonly learnFrom: (asked: WireRequest, answered: WireResponse) => void
  /** Whether the endpoint streams without an end, and enough of it was read. */
  readonly isEndless: (subject: EndpointUnderTest) => boolean
  /** Whether there is no server. */
  readonly isUnreachable: () => boolean
  readonly countRequests: () => number
  readonly isOverBudget: () => boolean
  readonly getElapsed: () => number
  /** Whether requests to the endpoint are let in. */
  readonly isAuthorized: (subject: EndpointUnderTest) => boolean
  /** The request of a call, with credentials where they are asked for and were given. */
  readonly buildRequest: (subject: EndpointUnderTest, call: Call) => Promise<WireRequest>
  /** @throws NoCall */
  readonly getCalls: (subject: EndpointUnderTest) => fc.Arbitrary<Call>
  /** Some of them, always the same ones. */
  readonly sampleCalls: (subject: EndpointUnderTest, count: number) => readonly Call[]
  /** Each endpoint has numbers of its own. */
  readonly getSeed: (subject: EndpointUnderTest) => number
}

/** The same number for the same text. */
const hashText = (text: string): number => [...text].reduce((sum, sign) => (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) | 0, 7)

/** Who has one of these is somebody, whatever the scheme. */
const isCredentialHeader = (name: string): boolean => /^(authorization|cookie)$/i.test(name)

/** Begins. */
export function createCheckRun({
  index: site,
  send,
  seed,
  requests,
  seconds,
  limits,
  credentialHeaders: shown,
  headers,
}: CheckRunOptions): CheckRun {
  const begun = performance.now()
  const known = createKnownIds(site)
  const given = Object.entries(headers)
  const calls = new Map<EndpointUnderTest, fc.Arbitrary<Call>>()
  const left = new Map<EndpointUnderTest, number>()
  let asked = 0
  let isSpent = false
  let isGone = false

  const isOf = ({ endpoint: { auth } }: EndpointUnderTest, name: string): boolean =>
    auth !== undefined && listAuthHeaderNames(auth).includes(name.toLowerCase())
  const milliseconds = (): number => Math.round(performance.now() - begun)
  const has = ({ endpoint: { auth } }: EndpointUnderTest): boolean => auth !== undefined && Object.hasOwn(shown, auth.name)
  const seedOf = ({ name }: EndpointUnderTest): number => seed ^ hashText(name)
  const callsAt: CheckRun['getCalls'] = (subject) => {
    const found = calls.get(subject) ?? generateCalls(subject.endpoint)
    calls.set(subject, found)
    return found
  }

  const exchanged: CheckRun['send'] = async (request, subject) => {
    isSpent ||= asked >= requests || milliseconds() > seconds * 1_000
    if (isSpent) throw new BudgetExceeded()
    asked += 1
    const times = left.get(subject) ?? 0
    const answered = await send(
      request,
      getStreamReadOptions(subject.endpoint, times === 0 ? streamReadMilliseconds.first : streamReadMilliseconds.next),
    )
    if (!isWireResponse(answered)) isGone ||= answered.cause === 'gone'
    else if (answered.isAbandoned) left.set(subject, times + 1)
    return answered
  }

  const learn: CheckRun['learnFrom'] = (request, answered) => {
    const location = answered.header('location')
    if (request.method === 'GET' && answered.status < 300) known.add(request.target)
    if (location !== undefined) known.add(location)
  }

  const request: CheckRun['buildRequest'] = async (subject, call) => {
    const { endpoint } = subject
    const { auth, method } = endpoint
    const own = auth === undefined ? [] : Object.entries(shown[auth.name] ?? {})
    const declared = Object.entries(call.headers).flatMap(([name, texts]) => texts.map((text): HeaderLine => [name, text]))
    const { type, bytes } = call.body === undefined ? { type: [], bytes: undefined } : await encodeBody(endpoint, call.body)
    return { method, target: buildTarget(endpoint, call), headers: [...given, ...own, ...declared, ...type], body: bytes }
  }

  return {
    index: site,
    limits,
    knownIds: known,
    send: exchanged,
    learnFrom: learn,
    isEndless: (subject) => (left.get(subject) ?? 0) >= maxStreamReads,
    isUnreachable: () => isGone,
    countRequests: () => asked,
    isOverBudget: () => isSpent,
    getElapsed: milliseconds,
    isAuthorized: (subject) =>
      subject.endpoint.auth === undefined || has(subject) || given.some(([name]) => isCredentialHeader(name) || isOf(subject, name)),
    buildRequest: request,
    getCalls: callsAt,
    sampleCalls: (subject, count) =>
      fc
        .sample(callsAt(subject), { numRuns: count, seed: seedOf(subject) })
        .map((call, index) => known.reuseCaptures(subject, call, index + 1)),
    getSeed: seedOf,
  }
}
