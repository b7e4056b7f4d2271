/** The report of `check`: each broken rule of an endpoint is a finding. */
import { type CheckReport, type EndpointReport, formatReport, type Rule, type RuleFailure } from '@lapidary/testing'
import { explainUnserved, formatLeftBehind, listWarnings, summarizeFaults } from '@lapidary/testing/internal'
import * as messages from '../cliMessages.ts'
import type { Locate } from './locate.ts'
import type { Report, ReportFinding, ReportSubject } from './report.ts'

/** What was checked. */
export interface CheckReportInput {
  readonly report: CheckReport
  readonly rules: readonly Rule[]
  /** Finds the line of an endpoint in the description. */
  readonly locate: Locate
  /** The file that has the script of the first sequence that failed. */
  readonly scriptFile: string | undefined
}

/** The endpoints, and the families of endpoints whose sequences were tested. */
const listTested = ({ endpoints, sequences }: CheckReport): readonly EndpointReport[] => [...endpoints, ...sequences]

const countPassed = (report: CheckReport): number => listTested(report).reduce((sum, { passed }) => sum + passed.length, 0)

/** Whether a check has tested no rule: it proves nothing. */
export const isEmptyCheck = (report: CheckReport): boolean => report.failures.length === 0 && countPassed(report) === 0

const summarizeCheck = (report: CheckReport): string => {
  const { failures, isOverBudget, outage } = report
  const passed = countPassed(report)
  if (outage !== '') return messages.serverWentAway(outage)
  if (failures.length > 0) return `${summarizeFaults(report)}. ${passed} rules passed.`
  if (isOverBudget) return messages.incompleteCheck
  if (isEmptyCheck(report)) return messages.emptyCheck
  return explainUnserved(report) ?? `All ${passed} rules passed.`
}

/** Lists the titles of failures. A rule may be broken by several causes at one endpoint: each has a title of its own. */
function listTitles(failures: readonly RuleFailure[]): readonly string[] {
  const keys = failures.map(({ rule, endpoint }) => JSON.stringify([rule, endpoint]))
  const totals = new Map<string, number>()
  const positions = keys.map((key) => {
    const position = (totals.get(key) ?? 0) + 1
    totals.set(key, position)
    return position
  })
  return failures.map(({ rule }, index) => (totals.get(keys[index] ?? '') === 1 ? rule : `${rule} ${positions[index]}`))
}

/** Creates the report of a check. */
export function createCheckReport({ report, rules, locate, scriptFile }: CheckReportInput): Report {
  const { failures, base, milliseconds } = report
  const tested = listTested(report)
  const titles = listTitles(failures)
  const toFinding = (failure: RuleFailure, index: number): ReportFinding => {
    const { rule, cause, more, endpoint, route, violation, curl, response, steps, script } = failure
    return {
      rule,
      severity: 'error',
      endpoint,
      route,
      title: titles[index] ?? rule,
      cause,
      message: more === 0 ? violation : `${violation} (and ${more} more of this rule here)`,
      details: [curl, steps.join('\n'), script, response].filter(Boolean).join('\n\n'),
      location: locate(endpoint, route),
      isAllowed: false,
    }
  }
  const names = [...new Set(failures.map(({ rule }) => rule))]
  const toSubject = ({ endpoint, route }: EndpointReport, rule: string): ReportSubject => ({ rule, endpoint, route })
  return {
    command: 'check',
    subject: base,
    summary: summarizeCheck(report),
    remark: [...listWarnings(report), ...formatLeftBehind(report)].join(' '),
    rules: names.map((name) => ({
      name,
      description: rules.find((rule) => rule.name === name)?.description ?? failures.find(({ rule }) => rule === name)?.description ?? '',
    })),
    findings: failures.map(toFinding),
    passed: tested.flatMap((one) => one.passed.map((rule) => toSubject(one, rule))),
    skipped: tested.flatMap((one) => one.notTested.map((rule) => ({ ...toSubject(one, rule), reason: one.skipReason }))),
    milliseconds,
    formatText: (hasColors) => formatReport(report, hasColors, scriptFile),
    data: report,
  }
}
