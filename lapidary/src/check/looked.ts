/** A look at one endpoint: each probe asks, each invariant holds its answers against the description. */
import * as fc from 'fast-check'
import { NoCall } from '../generate/calls.ts'
import { curlOf } from './curl.ts'
import { type Exchange, isAnswered } from './exchange.ts'
import { mostKnown } from './known.ts'
import { Broken, type Invariant, type Probe, type Probing, type Subject } from './predicate.ts'
import { isSafe } from './predicates/valid.ts'
import type { Checked, Failure } from './report.ts'
import { type Run, Spent } from './run.ts'
import { answerText } from './shown.ts'

/** What a look goes by. */
export interface LookOptions {
  readonly run: Run
  readonly base: URL
  readonly invariants: readonly Invariant[]
  readonly probes: readonly Probe[]
  readonly write: boolean
  /** How many calls as the description allows them. */
  readonly runs: number
  /** Whether something answers where the description has nothing. */
  readonly fallback: boolean
  /** Takes secrets out of a text. */
  readonly hide: (text: string) => string
}

/** Thrown where an endpoint gives no answer in time: each further request would wait as long. */
class Silent extends Error {}

/** A probe that has found something is asked again without it, so often at most. */
const rounds = 6

/** What has become of the predicates so far. */
class Findings {
  readonly failures: Failure[] = []
  readonly reported = new Set<string>()
  readonly seen = new Set<string>()
  /** The exchange that came last. */
  last: Exchange | undefined
  /** How many plainer requests led to the failure that is thrown. */
  shrunk = 0
}

/** Sends a request and has every invariant look at the exchange, but for those that are known not to hold. */
const asking =
  (subject: Subject, findings: Findings, { run, invariants }: LookOptions): Probing['ask'] =>
  async (asked, kind, about = subject) => {
    const answered = await run.exchanged(asked, about)
    const exchange: Exchange = { asked, answered }
    findings.last = exchange
    if (!isAnswered(answered)) throw new Broken('complete', answered.reason, exchange)
    let isSound = true
    for (const { name, each } of invariants) {
      const isReported = findings.reported.has(name)
      if (isReported && !isSound) continue
      if (!isReported) findings.seen.add(name)
      const complaint = await each({ subject: about, kind, asked, answered, limits: run.limits })
      if (complaint !== undefined && !isReported) throw new Broken(name, complaint, exchange)
      isSound &&= complaint === undefined
    }
    // What a server takes by mistake leads nowhere that the description knows of.
    if (isSound && kind === 'valid') run.learn(asked, answered)
    return answered
  }

/** A property of many calls. What shrinks stays the same failure: others that are met on the way are left for later. */
const everyCall =
  (subject: Subject, findings: Findings, { run, runs }: LookOptions): Probing['forAll'] =>
  async (property) => {
    let sought: string | undefined
    let isOver = false
    const holds = async ([call, number]: readonly [Parameters<typeof property>[0], number]): Promise<void> => {
      if (isOver || run.isSpent() || run.isEndless(subject)) return
      try {
        await property(run.known.there(subject, call, number))
      } catch (error) {
        if (error instanceof Spent) return
        if (error instanceof Broken) sought ??= error.predicate
        // Plainer requests would be waited for as long.
        isOver = error instanceof Broken && (run.isGone() || isSilent(error, run))
        if (!(error instanceof Broken) || error.predicate === sought) throw error
      }
    }
    const calls = fc.tuple(run.callsAt(subject), fc.nat(2 * mostKnown))
    const outcome = await fc.check(fc.asyncProperty(calls, holds), { seed: run.seedOf(subject), numRuns: runs })
    findings.shrunk = outcome.numShrinks
    if (outcome.failed) throw outcome.errorInstance
    if (run.isSpent()) throw new Spent()
  }

function probingOf(probe: Probe, subject: Subject, findings: Findings, options: LookOptions): Probing {
  const { run, write, fallback } = options
  const { site, known } = run
  return {
    subject,
    siblings: site.siblings(subject),
    ask: asking(subject, findings, options),
    write,
    fallback,
    isAdmitted: run.isAdmitted(subject),
    request: (call, about = subject) => run.request(about, call),
    leads: site.leads,
    isElsewhere: site.isElsewhere,
    creators: site.creators,
    known: known.of,
    calls: (count, about = subject) => run.some(about, count),
    complain: (complaint) => {
      throw new Broken(probe.name, complaint, findings.last)
    },
    forAll: everyCall(subject, findings, options),
  }
}

function failureOf(
  { predicate, message, exchange }: Broken,
  subject: Subject,
  { shrunk }: Findings,
  { invariants, probes, base, hide }: LookOptions,
): Failure {
  return {
    predicate,
    sentence: [...invariants, ...probes].find(({ name }) => name === predicate)?.sentence ?? '',
    endpoint: subject.name,
    route: subject.endpoint.route,
    complaint: hide(message),
    curl: exchange === undefined ? null : hide(curlOf(exchange.asked, base)),
    answer: exchange === undefined ? null : hide(answerText(exchange) ?? ''),
    shrunk,
  }
}

/** Whether waiting for an answer took as long as may be waited. */
const isSilent = ({ exchange }: Broken, run: Run): boolean => {
  if (exchange === undefined) return false
  const { answered } = exchange
  return isAnswered(answered) ? !answered.complete && answered.milliseconds > run.limits.time : answered.how === 'late'
}

/** Asks by one probe until it finds nothing more. @throws Spent, NoCall, Silent */
async function probed(probe: Probe, subject: Subject, findings: Findings, options: LookOptions): Promise<void> {
  const probing = probingOf(probe, subject, findings, options)
  if (!probe.isAbout(probing)) return
  for (let round = 0; round < rounds; round += 1) {
    findings.shrunk = 0
    try {
      await probe.probe(probing)
      findings.seen.add(probe.name)
      return
    } catch (error) {
      if (!(error instanceof Broken)) throw error
      const { predicate } = error
      if (!findings.reported.has(predicate)) findings.failures.push(failureOf(error, subject, findings, options))
      findings.reported.add(predicate)
      if (options.run.isGone() || isSilent(error, options.run)) throw new Silent()
      // Its own word is its last; and where no answer comes there is nothing more to be seen.
      if (predicate === probe.name || predicate === 'complete') return
    }
  }
}

/** Why not all of an endpoint was seen; empty where it was. */
function unseen(subject: Subject, { run, write }: LookOptions): string {
  if (!write && !isSafe(subject)) return 'it changes things: --write'
  return run.isAdmitted(subject) ? '' : 'there are no credentials for it'
}

/** Looks at one endpoint. */
export async function looked(subject: Subject, options: LookOptions): Promise<Checked> {
  const { run, invariants, probes } = options
  const first = run.asked()
  const findings = new Findings()
  let skipped = unseen(subject, options)
  try {
    for (const probe of probes) await probed(probe, subject, findings, options)
  } catch (error) {
    if (error instanceof Spent) skipped = 'the budget was spent'
    else if (error instanceof Silent) skipped = 'it gives no answer'
    else if (error instanceof NoCall) skipped = error.message
    else throw error
  }
  const { failures, seen, reported } = findings
  const held = [...invariants, ...probes].map(({ name }) => name).filter((name) => seen.has(name) && !reported.has(name))
  return { endpoint: subject.name, route: subject.endpoint.route, requests: run.asked() - first, held, failures, skipped }
}
