/** Failures by their causes: one repair mends all failures of a fault. */
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

const count = (number: number, noun: string): string => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`

/** Says how much was found: `12 faults at 40 places`. */
export function summarizeFaults({ failures }: Pick<CheckReport, 'failures'>): string {
  const more = failures.reduce((sum, failure) => sum + failure.more, 0)
  const found = `${count(groupFailures(failures).length, 'fault')} at ${count(failures.length, 'place')}`
  return more === 0 ? found : `${found}, and ${more.toLocaleString('en')} more that ${more === 1 ? 'is' : 'are'} not shown`
}
