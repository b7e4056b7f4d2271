/** `checkServer(api, base)`: whether the server at `base` is what the description says, found by asking it. */
import * as fc from 'fast-check'
import { baseOf } from '../client/base.ts'
import type { Api } from '../describe/api.ts'
import { type Call, callsOf, NoCall, targetOf } from '../generate/calls.ts'
import { written } from '../generate/written.ts'
import { curlOf } from './curl.ts'
import { type Asked, type Exchange, isAnswered, type Line, sender } from './exchange.ts'
import { knownIn, mostKnown } from './known.ts'
import { Broken, type Invariant, isProbe, type Predicate, type Probe, type Probing, type Subject } from './predicate.ts'
import { predicates as all } from './predicates/index.ts'
import type { Checked, Failure, Progress, Report } from './report.ts'
import { answerText } from './shown.ts'
import { siteOf } from './site.ts'

/** How a server is checked. */
export interface CheckOptions {
  /** Whether requests may change what it holds: POST, PUT, PATCH, DELETE. Default: no, only what reads is asked. */
  readonly write?: boolean
  /** Repeats a check. Default: another one each time, which the report tells. */
  readonly seed?: number
  /** How many requests to send at most. Default: 5,000. */
  readonly requests?: number
  /** How many seconds to take at most. Default: 60. */
  readonly seconds?: number
  /** The endpoints to look at, by their names or the beginnings of them: `users`, `users.item`. Default: all. */
  readonly only?: readonly string[]
  /** Credentials, by the names of the auth schemes. Endpoints without them are only seen to refuse. */
  readonly credentials?: Readonly<Record<string, unknown>>
  /** Further header lines of each request, such as a cookie. */
  readonly headers?: Readonly<Record<string, string>>
  /** What has to hold. Default: `predicates`. */
  readonly predicates?: readonly Predicate[]
  /** The size that no body may be over, in bytes. Default: 16 MB. */
  readonly size?: number
  /** The time that no answer may take longer than, in milliseconds. Default: 10,000. */
  readonly time?: number
  /** Told how far it has come. */
  readonly watch?: (progress: Progress) => void
}

/** Thrown when the budget is spent. */
class Spent extends Error {}

/** An endpoint whose predicate was found not to hold is looked at again without it, so often at most. */
const rounds = 6

/** The part of the budget that goes into calls as the description allows them; the rest is for probes. */
const forCalls = 0.5

/** The same number for the same text, so that each endpoint has calls of its own. */
const numberOf = (text: string): number => [...text].reduce((sum, sign) => (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) | 0, 7)

/**
 * Asks the server at `base` for everything that its description promises, and tells what is not so.
 *
 * @throws TypeError when `base` is no address of a server
 */
export async function checkServer(api: Api, base: string | URL, options: CheckOptions = {}): Promise<Report> {
  const { write = false, requests: budget = 5_000, seconds = 60, only = [], credentials = {}, headers = {}, predicates = all } = options
  const { size = 16_000_000, time = 10_000, seed = Math.trunc(Math.random() * 2 ** 31), watch } = options
  const address = new URL(baseOf(base))
  const site = siteOf(api, address)
  const { send, close } = sender(address, { timeout: time * 2, largest: size })
  const [invariants, probes] = [predicates.filter((one): one is Invariant => !isProbe(one)), predicates.filter(isProbe)]
  const begun = performance.now()
  const subjects = site.subjects.filter(({ name }) => only.length === 0 || only.some((one) => name === one || name.startsWith(`${one}.`)))
  const runs = Math.max(10, Math.floor((budget * forCalls) / Math.max(1, subjects.length)))
  const given = Object.entries(headers)
  const known = knownIn(site)
  let asked = 0
  let isSpent = false

  const isAdmitted = ({ endpoint: { auth } }: Subject): boolean =>
    auth === undefined || Object.hasOwn(credentials, auth.name) || given.some(([name]) => /^(authorization|cookie)$/i.test(name))

  const callsFor = new Map<Subject, fc.Arbitrary<Call>>()
  const callsAt = (subject: Subject): fc.Arbitrary<Call> => {
    const found = callsFor.get(subject) ?? callsOf(subject.endpoint)
    callsFor.set(subject, found)
    return found
  }
  async function requestOf(subject: Subject, call: Call): Promise<Asked> {
    const { endpoint } = subject
    const { auth, method } = endpoint
    const shown =
      auth !== undefined && Object.hasOwn(credentials, auth.name) ? Object.entries(auth.headers?.(credentials[auth.name]) ?? {}) : []
    const declared = Object.entries(call.headers).flatMap(([name, texts]) => texts.map((text): Line => [name, text]))
    const { type, bytes } = call.body === undefined ? { type: [], bytes: undefined } : await written(endpoint, call.body)
    return { method, target: targetOf(endpoint, call), headers: [...given, ...shown, ...declared, ...type], body: bytes }
  }

  /** Looks at one endpoint. */
  async function checked(subject: Subject): Promise<Checked> {
    const siblings = site.siblings(subject)
    const first = asked
    const failures: Failure[] = []
    const reported = new Set<string>()
    const seen = new Set<string>()
    let last: Exchange | undefined
    let shrunk = 0

    const ask: Probing['ask'] = async (request, kind, about = subject) => {
      if (isSpent || asked >= budget || performance.now() - begun > seconds * 1_000) {
        isSpent = true
        throw new Spent()
      }
      asked += 1
      const answered = await send(request)
      last = { asked: request, answered }
      if (!isAnswered(answered)) throw new Broken('complete', answered.reason, last)
      const { method, target } = request
      if (method === 'GET' && answered.status < 300) known.learn(target)
      const location = answered.header('location')
      if (location !== undefined) known.learn(location)
      for (const invariant of invariants) {
        if (reported.has(invariant.name)) continue
        seen.add(invariant.name)
        const complaint = await invariant.each({ subject: about, kind, asked: request, answered, limits: { size, time } })
        if (complaint !== undefined) throw new Broken(invariant.name, complaint, last)
      }
      return answered
    }

    const probingOf = (probe: Probe): Probing => ({
      subject,
      siblings,
      ask,
      write,
      isAdmitted: isAdmitted(subject),
      request: (call, about = subject) => requestOf(about, call),
      leads: site.leads,
      isElsewhere: site.isElsewhere,
      creators: site.creators,
      known: known.of,
      calls: (count, about = subject) =>
        fc
          .sample(callsAt(about), { numRuns: count, seed: seed ^ numberOf(about.name) })
          .map((call, index) => known.there(about, call, index + 1)),
      complain: (complaint) => {
        throw new Broken(probe.name, complaint, last)
      },
      forAll: async (property) => {
        let sought: string | undefined
        const arbitrary = fc.tuple(callsAt(subject), fc.nat(2 * mostKnown))
        const outcome = await fc.check(
          fc.asyncProperty(arbitrary, async ([call, pick]) => {
            if (isSpent) return
            try {
              await property(known.there(subject, call, pick))
            } catch (error) {
              if (error instanceof Spent) return
              // What shrinks stays the same failure.
              if (error instanceof Broken) sought ??= error.predicate
              if (error instanceof Broken && error.predicate !== sought) return
              throw error
            }
          }),
          { seed: seed ^ numberOf(subject.name), numRuns: runs },
        )
        if (outcome.failed) {
          shrunk = outcome.numShrinks
          throw outcome.errorInstance
        }
        if (isSpent) throw new Spent()
      },
    })

    const failed = ({ predicate, message, exchange }: Broken): Failure => ({
      predicate,
      sentence: predicates.find(({ name }) => name === predicate)?.sentence ?? '',
      endpoint: subject.name,
      route: subject.endpoint.route,
      complaint: message,
      curl: exchange === undefined ? null : curlOf(exchange.asked, address),
      answer: exchange === undefined ? null : answerText(exchange),
      shrunk,
    })

    const result = (skipped: string): Checked => ({
      endpoint: subject.name,
      route: subject.endpoint.route,
      requests: asked - first,
      held: predicates.map(({ name }) => name).filter((name) => seen.has(name) && !reported.has(name)),
      failures,
      skipped,
    })

    for (const probe of probes) {
      const probing = probingOf(probe)
      if (!probe.isAbout(probing)) continue
      seen.add(probe.name)
      for (let round = 0; round < rounds; round += 1) {
        shrunk = 0
        try {
          await probe.probe(probing)
          break
        } catch (error) {
          if (error instanceof Spent) return result('the budget was spent')
          if (error instanceof NoCall) return result(error.message)
          if (!(error instanceof Broken)) throw error
          if (!reported.has(error.predicate)) failures.push(failed(error))
          reported.add(error.predicate)
          if (error.predicate === probe.name || error.predicate === 'complete') break
        }
      }
    }
    const isUnseen = !write && subject.endpoint.method !== 'GET'
    return result(isUnseen ? 'it changes things: --write' : isAdmitted(subject) ? '' : 'there are no credentials for it')
  }

  try {
    const endpoints: Checked[] = []
    for (const subject of subjects) {
      if (isSpent) break
      endpoints.push(await checked(subject))
      const failures = endpoints.flatMap((one) => one.failures).length
      watch?.({ endpoint: subject.name, done: endpoints.length, of: subjects.length, requests: asked, failures })
    }
    return {
      base: address.href,
      seed,
      requests: asked,
      milliseconds: Math.round(performance.now() - begun),
      endpoints,
      failures: endpoints.flatMap(({ failures }) => failures),
      unfinished: isSpent,
    }
  } finally {
    close()
  }
}
