/** Failures by their causes: one repair mends all failures of a fault. */
import { formatCount } from '../testingMessages.ts'
import type { CheckReport, RuleFailure } from './report.ts'

/** The failures of one cause, in the order of the check. */
export type FailureGroup = readonly [RuleFailure, ...RuleFailure[]]

/** Groups failures by their causes. */
export function groupFailures(failures: readonly RuleFailure[]): readonly FailureGroup[] {
  const faults = new Map<string, [RuleFailure, ...RuleFailure[]]>()
  for (const failure of failures) {
    const fault = faults.get(failure.cause)
    if (fault === undefined) faults.set(failure.cause, [failure])
    else fault.push(failure)
  }
  return [...faults.values()]
}

/** Says how much was found: `12 faults at 40 places`. */
export function summarizeFaults({ failures }: Pick<CheckReport, 'failures'>): string {
  const more = failures.reduce((sum, failure) => sum + failure.more, 0)
  const found = `${formatCount(groupFailures(failures).length, 'fault')} at ${formatCount(failures.length, 'place')}`
  return more === 0 ? found : `${found}, and ${more.toLocaleString('en')} more that ${more === 1 ? 'is' : 'are'} not shown`
}
