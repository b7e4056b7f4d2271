/** What a probe can use: what the check knows of its endpoint, and how it sends and reports. */
import type { CheckEndpointOptions, ProbeRun } from './probeRun.ts'
import type { ProbeContext } from './rule.ts'

/** Creates what a probe can use. */
export function createProbeContext(probeRun: ProbeRun, options: CheckEndpointOptions): ProbeContext {
  const { run, write, fallback, lenient, scopedCredentials } = options
  const { getSiblings, resolveUrl, isServedElsewhere, findCreators } = run.index
  const { subject, send, forAll, fail, report } = probeRun
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
    hasCredentials: run.hasCredentials,
    listScopedCredentials: ({ name }) => (Object.hasOwn(scopedCredentials, name) ? (scopedCredentials[name] ?? []) : []),
    buildRequest: (call, other = subject, schemes, others) => run.buildRequest(other, call, schemes, others),
    sampleCalls: (count, other = subject) => run.sampleCalls(other, count),
    send,
    forAll,
    fail,
    report,
  }
}
