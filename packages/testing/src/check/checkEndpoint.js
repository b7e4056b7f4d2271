/** A look at one endpoint: each probe asks, each invariant holds its answers against the description. */
import * as fc from 'fast-check'
import { CallNotGeneratedError } from '../generate/calls.js'
import { BudgetExceeded, maxKnownCaptures } from './checkRun.js'
import { isWireResponse } from './exchange.js'
import { formatCurl, formatResponse } from './formatExchange.js'
import { CheckFailed } from './rule.js'
import { isSafeEndpoint } from './rules/status.js'

/** Thrown where an endpoint gives no answer in time: each further request would wait as long. */
class EndpointUnresponsive extends Error {}
/** A probe that has found something is asked again without it, so often at most. */
const maxProbeRounds = 6
/** What has become of the predicates so far. */
class EndpointFindings {
  failures = []
  failedRules = new Set()
  testedRules = new Set()
  /** The exchange that came last. */
  lastExchange
  /** How many plainer requests led to the failure that is thrown. */
  shrinks = 0
}
/** Sends a request and has every invariant look at the exchange, but for those that are known not to hold. */
const createSend =
  (subject, findings, { run, invariants }) =>
  async (asked, kind, about = subject) => {
    const answered = await run.send(asked, about)
    const exchange = { request: asked, response: answered }
    findings.lastExchange = exchange
    if (!isWireResponse(answered)) throw new CheckFailed('complete', answered.reason, exchange)
    let isSound = true
    for (const { name, check: each } of invariants) {
      const isReported = findings.failedRules.has(name)
      if (isReported && !isSound) continue
      if (!isReported) findings.testedRules.add(name)
      const complaint = await each({ subject: about, kind, request: asked, response: answered, limits: run.limits })
      if (complaint !== undefined && !isReported) throw new CheckFailed(name, complaint, exchange)
      isSound &&= complaint === undefined
    }
    // What a server takes by mistake leads nowhere that the description knows of.
    if (isSound && kind === 'valid') run.learnFrom(asked, answered)
    return answered
  }
/** A property of many calls. What shrinks stays the same failure: others that are met on the way are left for later. */
const createForAll =
  (subject, findings, { run, callCount: runs }) =>
  async (property) => {
    let sought
    let isOver = false
    const holds = async ([call, number]) => {
      if (isOver || run.isOverBudget() || run.isEndless(subject)) return
      try {
        await property(run.knownIds.reuseCaptures(subject, call, number))
      } catch (error) {
        if (error instanceof BudgetExceeded) return
        if (error instanceof CheckFailed) sought ??= error.rule
        // Plainer requests would be waited for as long.
        isOver = error instanceof CheckFailed && (run.isUnreachable() || isTimeout(error, run))
        if (!(error instanceof CheckFailed) || error.rule === sought) throw error
      }
    }
    const calls = fc.tuple(run.getCalls(subject), fc.nat(2 * maxKnownCaptures))
    const outcome = await fc.check(fc.asyncProperty(calls, holds), { seed: run.getSeed(subject), numRuns: runs })
    findings.shrinks = outcome.numShrinks
    if (outcome.failed) throw outcome.errorInstance
    if (run.isOverBudget()) throw new BudgetExceeded()
  }
function createProbeContext(probe, subject, findings, options) {
  const { run, write, fallback } = options
  const { index: site, knownIds: known } = run
  return {
    subject,
    siblings: site.getSiblings(subject),
    send: createSend(subject, findings, options),
    write,
    fallback,
    isAuthorized: run.isAuthorized(subject),
    buildRequest: (call, about = subject) => run.buildRequest(about, call),
    resolveUrl: site.resolveUrl,
    isServedElsewhere: site.isServedElsewhere,
    findCreators: site.findCreators,
    listKnownCaptures: known.list,
    sampleCalls: (count, about = subject) => run.sampleCalls(about, count),
    fail: (complaint) => {
      throw new CheckFailed(probe.name, complaint, findings.lastExchange)
    },
    forAll: createForAll(subject, findings, options),
  }
}
function toRuleFailure({ rule: predicate, message, exchange }, subject, { shrinks: shrunk }, { invariants, probes, base, redact: hide }) {
  return {
    rule: predicate,
    description: [...invariants, ...probes].find(({ name }) => name === predicate)?.description ?? '',
    endpoint: subject.name,
    route: subject.endpoint.route,
    violation: hide(message),
    curl: exchange === undefined ? null : hide(formatCurl(exchange.request, base)),
    response: exchange === undefined ? null : hide(formatResponse(exchange) ?? ''),
    shrinks: shrunk,
  }
}
/** Whether waiting for an answer took as long as may be waited. */
const isTimeout = ({ exchange }, run) => {
  if (exchange === undefined) return false
  const { response: answered } = exchange
  return isWireResponse(answered) ? !answered.complete && answered.milliseconds > run.limits.time : answered.cause === 'late'
}
/** Asks by one probe until it finds nothing more. @throws Spent, NoCall, Silent */
async function runProbe(probe, subject, findings, options) {
  const probing = createProbeContext(probe, subject, findings, options)
  if (!probe.appliesTo(probing)) return
  for (let round = 0; round < maxProbeRounds; round += 1) {
    findings.shrinks = 0
    try {
      await probe.probe(probing)
      findings.testedRules.add(probe.name)
      return
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw error
      const { rule: predicate } = error
      if (!findings.failedRules.has(predicate)) findings.failures.push(toRuleFailure(error, subject, findings, options))
      findings.failedRules.add(predicate)
      if (options.run.isUnreachable() || isTimeout(error, options.run)) throw new EndpointUnresponsive()
      // Its own word is its last; and where no answer comes there is nothing more to be seen.
      if (predicate === probe.name || predicate === 'complete') return
    }
  }
}
/** Why not all of an endpoint was seen; empty where it was. */
function getSkipReason(subject, { run, write }) {
  if (!write && !isSafeEndpoint(subject)) return 'it changes things: --write'
  return run.isAuthorized(subject) ? '' : 'there are no credentials for it'
}
/** Looks at one endpoint. */
export async function checkEndpoint(subject, options) {
  const { run, invariants, probes } = options
  const first = run.countRequests()
  const findings = new EndpointFindings()
  let skipped = getSkipReason(subject, options)
  try {
    for (const probe of probes) await runProbe(probe, subject, findings, options)
  } catch (error) {
    if (error instanceof BudgetExceeded) skipped = 'the budget was spent'
    else if (error instanceof EndpointUnresponsive) skipped = 'it gives no answer'
    else if (error instanceof CallNotGeneratedError) skipped = error.message
    else throw error
  }
  const { failures, testedRules: seen, failedRules: reported } = findings
  const held = [...invariants, ...probes].map(({ name }) => name).filter((name) => seen.has(name) && !reported.has(name))
  return {
    endpoint: subject.name,
    route: subject.endpoint.route,
    requests: run.countRequests() - first,
    passed: held,
    failures,
    skipReason: skipped,
  }
}
