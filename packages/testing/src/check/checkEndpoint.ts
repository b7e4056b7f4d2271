/** The check of one endpoint: each probe sends requests, and each invariant is tested on every exchange. */
import * as fc from 'fast-check'
import { type Call, CallNotGeneratedError } from '../generate/calls.ts'
import { BudgetExceeded, type CheckRun } from './checkRun.ts'
import { type Exchange, isWireResponse } from './exchange.ts'
import { formatCurl, formatResponse } from './formatExchange.ts'
import { maxKnownCaptures } from './knownIds.ts'
import { type FoundFailure, findRefusal, ObservedStatuses } from './refusal.ts'
import type { EndpointReport, RuleFailure } from './report.ts'
import {
  CheckFailed,
  type EndpointUnderTest,
  type Invariant,
  isSafeEndpoint,
  type Probe,
  type ProbeContext,
  type ScopedCredentials,
} from './rule.ts'
import { signRequest } from './signedRequest.ts'

/** How an endpoint is checked. */
interface CheckEndpointOptions {
  readonly run: CheckRun
  readonly base: URL
  readonly invariants: readonly Invariant[]
  readonly probes: readonly Probe[]
  readonly write: boolean
  /** The number of valid calls for each property. */
  readonly callCount: number
  readonly fallback: boolean
  readonly lenient: boolean
  /** Further valid credentials, by the name of their auth scheme. */
  readonly scopedCredentials: Readonly<Record<string, readonly ScopedCredentials[]>>
  /** Replaces the secrets in a text. */
  readonly redact: (text: string) => string
}

/** Thrown when an endpoint does not respond in time: every further request would wait as long. */
class EndpointUnresponsive extends Error {}

/** How often a probe is repeated after it has found a violation of another rule. */
const maxProbeRounds = 6

/** The results of the rules so far. */
class EndpointFindings {
  readonly failures: FoundFailure[] = []
  readonly failedRules = new Set<string>()
  readonly testedRules = new Set<string>()
  readonly statuses = new ObservedStatuses()
  lastExchange: Exchange | undefined
  /** The number of simpler requests that were tried for the last failure. */
  shrinks = 0
}

/** Sends a request and tests the invariants on the exchange, except those that are known to be broken. */
const createSend =
  (
    probe: Probe,
    endpoint: EndpointUnderTest,
    findings: EndpointFindings,
    { run, invariants }: CheckEndpointOptions,
  ): ProbeContext['send'] =>
  async (unsigned, kind, subject = endpoint) => {
    const request = signRequest(unsigned)
    const response = await run.send(request, subject)
    const exchange: Exchange = { request, response }
    findings.lastExchange = exchange
    if (!isWireResponse(response)) throw new CheckFailed('complete', response.reason, exchange)
    if (subject === endpoint && request.method === endpoint.endpoint.method) findings.statuses.add(probe, kind, response.status)
    let isCorrect = true
    for (const { name, check } of invariants) {
      const isKnown = findings.failedRules.has(name)
      if (isKnown && !isCorrect) continue
      if (!isKnown) findings.testedRules.add(name)
      const violation = await check({ subject, kind, request, response, limits: run.limits })
      if (violation !== undefined && !isKnown) throw new CheckFailed(name, violation, exchange)
      isCorrect &&= violation === undefined
    }
    // A request that the server accepts by mistake must not lead to further resources.
    if (isCorrect && kind === 'valid') run.learnFrom(request, response)
    return response
  }

/** Tests a property for many calls. While a failure is reduced, failures of other rules are left for the next round. */
const createForAll =
  (subject: EndpointUnderTest, findings: EndpointFindings, { run, callCount }: CheckEndpointOptions): ProbeContext['forAll'] =>
  async (property) => {
    let reducedRule: string | undefined
    let isOver = false
    const testCall = async ([call, number]: readonly [Call, number]): Promise<void> => {
      if (isOver || run.isOverBudget() || run.isEndless(subject)) return
      try {
        await property(run.knownIds.reuseCaptures(subject, call, number))
      } catch (error) {
        if (error instanceof BudgetExceeded) return
        if (error instanceof CheckFailed) reducedRule ??= error.rule
        // Simpler requests would time out as well.
        isOver = error instanceof CheckFailed && (run.isUnreachable() || isTimeout(error, run))
        if (!(error instanceof CheckFailed) || error.rule === reducedRule) throw error
      }
    }
    const calls = fc.tuple(run.getCalls(subject), fc.nat(2 * maxKnownCaptures))
    const outcome = await fc.check(fc.asyncProperty(calls, testCall), { seed: run.getSeed(subject), numRuns: callCount })
    findings.shrinks = outcome.numShrinks
    if (outcome.failed) throw outcome.errorInstance
    if (run.isOverBudget()) throw new BudgetExceeded()
  }

function createProbeContext(
  probe: Probe,
  subject: EndpointUnderTest,
  findings: EndpointFindings,
  options: CheckEndpointOptions,
): ProbeContext {
  const { run, write, fallback, lenient, scopedCredentials } = options
  const { getSiblings, resolveUrl, isServedElsewhere, findCreators } = run.index
  return {
    subject,
    siblings: getSiblings(subject),
    write,
    fallback,
    lenient,
    isAuthorized: run.isAuthorized(subject),
    resolveUrl,
    isServedElsewhere,
    isReachedBy: (target) => run.index.isReachedBy(subject, target),
    findCreators,
    listKnownCaptures: run.knownIds.list,
    send: createSend(probe, subject, findings, options),
    hasCredentials: run.hasCredentials,
    listScopedCredentials: ({ name }) => (Object.hasOwn(scopedCredentials, name) ? (scopedCredentials[name] ?? []) : []),
    buildRequest: (call, other = subject, schemes, others) => run.buildRequest(other, call, schemes, others),
    sampleCalls: (count, other = subject) => run.sampleCalls(other, count),
    forAll: createForAll(subject, findings, options),
    fail: (violation) => {
      throw new CheckFailed(probe.name, violation, findings.lastExchange)
    },
  }
}

function toRuleFailure(
  { rule, message, exchange }: CheckFailed,
  subject: EndpointUnderTest,
  { shrinks }: EndpointFindings,
  { invariants, probes, base, redact }: CheckEndpointOptions,
): RuleFailure {
  return {
    rule,
    description: [...invariants, ...probes].find(({ name }) => name === rule)?.description ?? '',
    endpoint: subject.name,
    route: subject.endpoint.route,
    violation: redact(message),
    curl: exchange === undefined ? null : redact(formatCurl(exchange.request, base)),
    response: exchange === undefined ? null : redact(formatResponse(exchange)),
    shrinks,
    steps: [],
    script: null,
  }
}

/** Whether a rule was broken because the response did not arrive in time. */
const isTimeout = ({ exchange }: CheckFailed, { limits }: CheckRun): boolean => {
  if (exchange === undefined) return false
  const { response } = exchange
  return isWireResponse(response) ? !response.complete && response.milliseconds > limits.time : response.cause === 'timeout'
}

/** Runs a probe until it finds nothing new. @throws BudgetExceeded, CallNotGeneratedError, EndpointUnresponsive */
async function runProbe(
  probe: Probe,
  subject: EndpointUnderTest,
  findings: EndpointFindings,
  options: CheckEndpointOptions,
): Promise<void> {
  const context = createProbeContext(probe, subject, findings, options)
  if (!probe.appliesTo(context)) return
  for (let round = 0; round < maxProbeRounds; round += 1) {
    findings.shrinks = 0
    try {
      await probe.probe(context)
      findings.testedRules.add(probe.name)
      return
    } catch (error) {
      if (!(error instanceof CheckFailed)) throw error
      const { rule } = error
      const response = error.exchange?.response
      const status = response !== undefined && isWireResponse(response) ? response.status : undefined
      if (!findings.failedRules.has(rule)) findings.failures.push({ failure: toRuleFailure(error, subject, findings, options), status })
      findings.failedRules.add(rule)
      if (options.run.isUnreachable() || isTimeout(error, options.run)) throw new EndpointUnresponsive()
      // A probe ends with its own violation. Without a response there is nothing more to test.
      if (rule === probe.name || rule === 'complete') return
    }
  }
}

/** Returns why parts of an endpoint are not tested; empty if all of it is. */
function getSkipReason(subject: EndpointUnderTest, { run, write }: CheckEndpointOptions): string {
  if (!write && !isSafeEndpoint(subject)) return 'it changes data: --write'
  return run.isAuthorized(subject) ? '' : 'no credentials were given for it'
}

/** Why a check ends before an endpoint. */
export const skipReasons = { budget: 'the budget was used up', unreachable: 'the server is not reachable' } as const

/** Reports an endpoint that the check has not reached. */
export const reportUnreached = ({ name, endpoint: { route } }: EndpointUnderTest, skipReason: string): EndpointReport => ({
  ...{ endpoint: name, route, requests: 0, passed: [], notTested: [], failures: [], skipReason },
})

/** Checks one endpoint. */
export async function checkEndpoint(subject: EndpointUnderTest, options: CheckEndpointOptions): Promise<EndpointReport> {
  const { run, invariants, probes } = options
  const requestsBefore = run.countRequests()
  const findings = new EndpointFindings()
  let skipReason = getSkipReason(subject, options)
  try {
    for (const probe of probes) await runProbe(probe, subject, findings, options)
  } catch (error) {
    if (error instanceof BudgetExceeded) skipReason = skipReasons.budget
    else if (error instanceof EndpointUnresponsive) skipReason = 'it does not respond'
    else if (error instanceof CallNotGeneratedError) skipReason = error.message
    else throw error
  }
  const { testedRules, failedRules, statuses } = findings
  const tested = [...invariants, ...probes].filter(({ name }) => testedRules.has(name) || failedRules.has(name))
  const refusal = findRefusal(subject, findings.failures, statuses, {
    tested,
    existing: run.captures,
    reported: run.reportedRefusals,
    lenient: options.lenient,
  })
  const { failures, notTested, reason } = refusal ?? {
    failures: findings.failures.map(({ failure }) => failure),
    notTested: [],
    reason: '',
  }
  return {
    endpoint: subject.name,
    route: subject.endpoint.route,
    requests: run.countRequests() - requestsBefore,
    passed: tested.map(({ name }) => name).filter((name) => !failedRules.has(name) && !notTested.includes(name)),
    notTested: [...notTested],
    failures: [...failures],
    skipReason: [skipReason, reason].filter(Boolean).join('; '),
  }
}
