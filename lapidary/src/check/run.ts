/** One check on its way: what is asked is counted, and remembered where it shows what is there. */
import * as fc from 'fast-check'
import { type Call, callsOf, targetOf } from '../generate/calls.ts'
import { written } from '../generate/written.ts'
import { type Answered, type Asked, isAnswered, type Line, type Send, streamsOf, type Unanswered } from './exchange.ts'
import { type Known, knownIn } from './known.ts'
import type { Limits, Subject } from './predicate.ts'
import { headersOf } from './secrets.ts'
import type { Site } from './site.ts'

/** Thrown when the budget is spent. */
export class Spent extends Error {}

/** For how long a stream is read, in milliseconds; and once it is known to have no end. */
const patience = { first: 1_000, next: 100 }
/** Streams without an end are read so often. */
const mostLeft = 12

/** What a run may cost, and who it is that asks. */
export interface RunOptions {
  readonly site: Site
  readonly send: Send
  readonly seed: number
  readonly requests: number
  readonly seconds: number
  readonly limits: Limits
  /** The headers that show the credentials which were given, by the names of the schemes. */
  readonly shown: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly headers: Readonly<Record<string, string>>
}

/** What all endpoints of a check have in common. */
export interface Run {
  readonly site: Site
  readonly limits: Limits
  readonly known: Known
  /** Sends a request that counts. @throws Spent */
  readonly exchanged: (asked: Asked, subject: Subject) => Promise<Answered | Unanswered>
  /** An exchange was as the description says: what it shows is there. */
  readonly learn: (asked: Asked, answered: Answered) => void
  /** Whether the endpoint streams without an end, and enough of it was read. */
  readonly isEndless: (subject: Subject) => boolean
  /** Whether there is no server. */
  readonly isGone: () => boolean
  readonly asked: () => number
  readonly isSpent: () => boolean
  readonly milliseconds: () => number
  /** Whether requests to the endpoint are let in. */
  readonly isAdmitted: (subject: Subject) => boolean
  /** The request of a call, with credentials where they are asked for and were given. */
  readonly request: (subject: Subject, call: Call) => Promise<Asked>
  /** @throws NoCall */
  readonly callsAt: (subject: Subject) => fc.Arbitrary<Call>
  /** Some of them, always the same ones. */
  readonly some: (subject: Subject, count: number) => readonly Call[]
  /** Each endpoint has numbers of its own. */
  readonly seedOf: (subject: Subject) => number
}

/** The same number for the same text. */
const numberOf = (text: string): number => [...text].reduce((sum, sign) => (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) | 0, 7)

/** Who has one of these is somebody, whatever the scheme. */
const isCredential = (name: string): boolean => /^(authorization|cookie)$/i.test(name)

/** Begins. */
export function runOf({ site, send, seed, requests, seconds, limits, shown, headers }: RunOptions): Run {
  const begun = performance.now()
  const known = knownIn(site)
  const given = Object.entries(headers)
  const calls = new Map<Subject, fc.Arbitrary<Call>>()
  const left = new Map<Subject, number>()
  let asked = 0
  let isSpent = false
  let isGone = false

  const isOf = ({ endpoint: { auth } }: Subject, name: string): boolean =>
    auth !== undefined && headersOf(auth).includes(name.toLowerCase())
  const milliseconds = (): number => Math.round(performance.now() - begun)
  const has = ({ endpoint: { auth } }: Subject): boolean => auth !== undefined && Object.hasOwn(shown, auth.name)
  const seedOf = ({ name }: Subject): number => seed ^ numberOf(name)
  const callsAt: Run['callsAt'] = (subject) => {
    const found = calls.get(subject) ?? callsOf(subject.endpoint)
    calls.set(subject, found)
    return found
  }

  const exchanged: Run['exchanged'] = async (request, subject) => {
    isSpent ||= asked >= requests || milliseconds() > seconds * 1_000
    if (isSpent) throw new Spent()
    asked += 1
    const times = left.get(subject) ?? 0
    const answered = await send(request, streamsOf(subject.endpoint, times === 0 ? patience.first : patience.next))
    if (!isAnswered(answered)) isGone ||= answered.how === 'gone'
    else if (answered.isLeft) left.set(subject, times + 1)
    return answered
  }

  const learn: Run['learn'] = (request, answered) => {
    const location = answered.header('location')
    if (request.method === 'GET' && answered.status < 300) known.learn(request.target)
    if (location !== undefined) known.learn(location)
  }

  const request: Run['request'] = async (subject, call) => {
    const { endpoint } = subject
    const { auth, method } = endpoint
    const own = auth === undefined ? [] : Object.entries(shown[auth.name] ?? {})
    const declared = Object.entries(call.headers).flatMap(([name, texts]) => texts.map((text): Line => [name, text]))
    const { type, bytes } = call.body === undefined ? { type: [], bytes: undefined } : await written(endpoint, call.body)
    return { method, target: targetOf(endpoint, call), headers: [...given, ...own, ...declared, ...type], body: bytes }
  }

  return {
    site,
    limits,
    known,
    exchanged,
    learn,
    isEndless: (subject) => (left.get(subject) ?? 0) >= mostLeft,
    isGone: () => isGone,
    asked: () => asked,
    isSpent: () => isSpent,
    milliseconds,
    isAdmitted: (subject) =>
      subject.endpoint.auth === undefined || has(subject) || given.some(([name]) => isCredential(name) || isOf(subject, name)),
    request,
    callsAt,
    some: (subject, count) =>
      fc.sample(callsAt(subject), { numRuns: count, seed: seedOf(subject) }).map((call, index) => known.there(subject, call, index + 1)),
    seedOf,
  }
}
