/**
 * Endpoints that refuse every request of a check with one 403 or 404, as a guard does for a tenant that does not exist: the rules about
 * what comes after the refusal cannot be tested.
 */
import { type ExistingCaptures, selectCaptures } from '../generate/calls.ts'
import type { RuleFailure, StatusCount } from './report.ts'
import { type EndpointUnderTest, isProbe, type RequestKind, type Rule } from './rule.ts'
import { capturesRule } from './rules/invalidRequests.ts'
import { acceptPatchRule, methodsRule, notFoundRule, optionsRule } from './rules/methods.ts'
import { isDeclaredStatus, overloadStatuses, statusRule } from './rules/status.ts'
import { formatCounts, hasNoSuccess } from './success.ts'

const refusalStatuses: ReadonlySet<number> = new Set([403, 404])

/** Rules about the path and its methods, which a server looks at before a guard runs. */
const rulesBeforeGuards: ReadonlySet<Rule> = new Set([capturesRule, methodsRule, optionsRule, acceptPatchRule, notFoundRule])

/** A failure, and the status of the response that shows it. */
export interface FoundFailure {
  readonly failure: RuleFailure
  readonly status: number | undefined
}

/** The statuses that the requests of an endpoint got. */
export class ObservedStatuses {
  readonly #valid = new Set<number>()
  readonly #validCounts = new Map<number, number>()
  readonly #byProbe = new Map<Rule, Set<number>>()
  readonly #invalid = new Set<number>()

  add(probe: Rule, kind: RequestKind, status: number): void {
    if (kind === 'valid') this.#validCounts.set(status, (this.#validCounts.get(status) ?? 0) + 1)
    if (overloadStatuses.has(status) || rulesBeforeGuards.has(probe)) return
    if (kind === 'valid') this.#valid.add(status)
    if (kind === 'invalid') this.#invalid.add(status)
    this.#byProbe.set(probe, (this.#byProbe.get(probe) ?? new Set()).add(status))
  }

  /** Counts the statuses of valid requests, the most frequent first. */
  countValid(): StatusCount[] {
    return [...this.#validCounts].map(([status, count]) => ({ status, count })).toSorted((one, other) => other.count - one.count)
  }

  /** The status of all valid requests; without credentials there are only requests that have to be refused. */
  getOnly(): number | undefined {
    const statuses = this.#valid.size > 0 ? this.#valid : this.#invalid
    return statuses.size === 1 ? [...statuses][0] : undefined
  }

  /** Whether an invalid request got this status: the server refuses before it reads the request. */
  isOfInvalid(status: number): boolean {
    return this.#invalid.has(status)
  }

  /** Whether a rule has seen no response but those with this status. */
  isOnlyOf(probe: Rule, status: number): boolean {
    return [...(this.#byProbe.get(probe) ?? [])].every((other) => other === status)
  }
}

/** What a refusal changes in the results of an endpoint. */
interface RefusalFindings {
  readonly failures: readonly RuleFailure[]
  readonly notTested: readonly string[]
  readonly reason: string
}

/** Names the captures whose texts were not given. */
const listMissing = ({ endpoint }: EndpointUnderTest, existing: ExistingCaptures): readonly string[] => {
  const selected = selectCaptures(endpoint, existing)
  return Object.keys(endpoint.params).filter((name) => selected[name] === undefined)
}

/** The path up to the first capture that may be refused: the endpoints of a group have it in common. */
const getGroup = ({ endpoint: { segments } }: EndpointUnderTest, missing: readonly string[]): string => {
  const end = segments.findIndex((segment) => 'capture' in segment && (missing.length === 0 || missing.includes(segment.capture)))
  return JSON.stringify(segments.slice(0, end + 1))
}

const formatCaptureCure = (missing: readonly string[]): string =>
  missing.length === 0
    ? 'do the given captures exist?'
    : `give captures that exist: ${missing.map((name) => `--capture ${name}=…`).join(' ')}`

/** Says that no valid request of an endpoint succeeded, and what to do if its captures are the cause; empty if one did. */
export function explainNoSuccess(subject: EndpointUnderTest, statuses: StatusCount[], existing: ExistingCaptures): string {
  if (!hasNoSuccess({ statuses })) return ''
  const missing = listMissing(subject, existing)
  const isMissing = missing.length > 0 && statuses.some(({ status }) => status === 403 || status === 404)
  return `no request succeeded: ${formatCounts(statuses)}${isMissing ? `; ${formatCaptureCure(missing)}` : ''}`
}

/**
 * Finds out whether the server has refused every request of an endpoint for its captures, and what that leaves of the results.
 *
 * @param reported the endpoints whose refusal was reported, by their group; a new one is added
 * @returns `undefined` if the server serves the endpoint, or if the rules were tested nevertheless
 */
export function findRefusal(
  subject: EndpointUnderTest,
  found: readonly FoundFailure[],
  statuses: ObservedStatuses,
  {
    tested,
    existing,
    reported,
    lenient = false,
  }: {
    readonly tested: readonly Rule[]
    readonly existing: ExistingCaptures
    readonly reported: Map<string, string>
    readonly lenient?: boolean
  },
): RefusalFindings | undefined {
  const status = statuses.getOnly()
  const missing = listMissing(subject, existing)
  if (status === undefined || !refusalStatuses.has(status) || Object.keys(subject.endpoint.params).length === 0) return undefined
  const isDeclared = isDeclaredStatus(subject.endpoint, status)
  // The given captures exist, so that a declared error is no answer to a request with another fault.
  if (isDeclared && missing.length === 0) return undefined
  const cured = ({ failure }: FoundFailure): RuleFailure => ({
    ...failure,
    violation: `${failure.violation}, as every request does: ${formatCaptureCure(missing)}`,
  })
  const group = `${status} ${getGroup(subject, missing)}`
  const other = reported.get(group)
  // The handler refuses, and the rules about what comes before it were tested.
  if (!statuses.isOfInvalid(status) && other === undefined) {
    const failures = found.map((one) => (one.failure.rule === statusRule.name && one.status === status ? cured(one) : one.failure))
    // Of a server that others wrote, no further rule says that its response of success was never seen.
    return { failures, notTested: [], reason: lenient && isDeclared ? `every request gets ${status}: ${formatCaptureCure(missing)}` : '' }
  }
  const isRefused = (rule: Rule): boolean => isProbe(rule) && !rulesBeforeGuards.has(rule) && statuses.isOnlyOf(rule, status)
  const refused = new Set(tested.filter(isRefused).map(({ name }) => name))
  const consequences = found.filter(
    (one) => one.status === status && (refused.has(one.failure.rule) || one.failure.rule === statusRule.name),
  )
  const first = consequences.find(({ failure }) => failure.rule === statusRule.name) ?? consequences[0]
  const isReported = !isDeclared && other === undefined && first !== undefined
  if (isReported) reported.set(group, subject.name)
  const failures = found.flatMap((one) => (consequences.includes(one) ? (isReported && one === first ? [cured(one)] : []) : [one.failure]))
  const notTested = new Set([...consequences.map(({ failure }) => failure.rule), ...refused])
  for (const { rule } of failures) notTested.delete(rule)
  return {
    failures,
    notTested: [...notTested],
    reason: `every request gets ${status}${isDeclared || other === undefined ? `: ${formatCaptureCure(missing)}` : `, as those of ${other}`}`,
  }
}
