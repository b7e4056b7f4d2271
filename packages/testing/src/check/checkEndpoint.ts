/** The check of one endpoint: each probe sends requests, and each invariant is tested on every exchange. */
import { CallNotGeneratedError } from '../generate/calls.ts'
import { CallComparison } from './cause.ts'
import { BudgetExceeded } from './checkRun.ts'
import { CheckFailed, EndpointFindings } from './findings.ts'
import { createProbeContext } from './probeContext.ts'
import { type CheckEndpointOptions, EndpointUnresponsive, isTimeout, ProbeEnded, ProbeRun } from './probeRun.ts'
import { explainNoSuccess, findRefusal } from './refusal.ts'
import type { EndpointReport } from './report.ts'
import { type EndpointUnderTest, isSafeEndpoint } from './rule.ts'

/** Runs a probe. @throws BudgetExceeded, CallNotGeneratedError, EndpointUnresponsive */
async function runProbe(probeRun: ProbeRun, options: CheckEndpointOptions): Promise<void> {
  const { probe, findings } = probeRun
  const context = createProbeContext(probeRun, options)
  if (!probe.appliesTo(context)) return
  try {
    await probe.probe(context)
    findings.testedRules.add(probe.name)
  } catch (error) {
    if (error instanceof ProbeEnded) return
    if (!(error instanceof CheckFailed)) throw error
    const { run } = options
    for (const found of error.violations) findings.add(found)
    if (run.isUnreachable() || isTimeout(error.violations[0].exchange, run)) throw new EndpointUnresponsive()
  } finally {
    probeRun.flush()
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
  ...{ endpoint: name, route, requests: 0, passed: [], notTested: [], failures: [], statuses: [], skipReason },
})

/** Checks one endpoint. */
export async function checkEndpoint(subject: EndpointUnderTest, options: CheckEndpointOptions): Promise<EndpointReport> {
  const { run, invariants, probes } = options
  const requestsBefore = run.countRequests()
  const comparison = new CallComparison(subject.endpoint, () => run.getCalls(subject))
  const findings = new EndpointFindings({
    ...{ subject, rules: [...invariants, ...probes], base: options.base, redact: options.redact },
    findDifferences: comparison.findDifferences,
  })
  let skipReason = getSkipReason(subject, options)
  try {
    for (const probe of probes) await runProbe(new ProbeRun(probe, subject, findings, comparison, options), options)
  } catch (error) {
    if (error instanceof BudgetExceeded) skipReason = skipReasons.budget
    else if (error instanceof EndpointUnresponsive) skipReason = 'it does not respond'
    else if (error instanceof CallNotGeneratedError) skipReason = error.message
    else throw error
  }
  const { testedRules, failedRules, mootRules, statuses } = findings
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
  const valid = statuses.countValid()
  return {
    endpoint: subject.name,
    route: subject.endpoint.route,
    requests: run.countRequests() - requestsBefore,
    passed: tested.map(({ name }) => name).filter((name) => !failedRules.has(name) && !mootRules.has(name) && !notTested.includes(name)),
    notTested: [...notTested],
    failures: [...failures],
    statuses: valid,
    skipReason: [skipReason, reason || explainNoSuccess(subject, valid, run.captures)].filter(Boolean).join('; '),
  }
}
