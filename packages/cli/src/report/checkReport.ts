/** The report of `check`: each broken rule of an endpoint is a finding. */
import { type CheckReport, type EndpointReport, formatReport, type Rule, type RuleFailure } from '@lapidary/testing'
import * as messages from '../cliMessages.ts'
import type { Locate } from './locate.ts'
import type { Report, ReportFinding, ReportSubject } from './report.ts'

/** What was checked. */
export interface CheckReportInput {
  readonly report: CheckReport
  readonly rules: readonly Rule[]
  /** Finds the line of an endpoint in the description. */
  readonly locate: Locate
}

/** The endpoints, and the families of endpoints whose sequences were tested. */
const listTested = ({ endpoints, sequences }: CheckReport): readonly EndpointReport[] => [...endpoints, ...sequences]

const countPassed = (report: CheckReport): number => listTested(report).reduce((sum, { passed }) => sum + passed.length, 0)

/** Whether a check has tested no rule: it proves nothing. */
export const isEmptyCheck = (report: CheckReport): boolean => report.failures.length === 0 && countPassed(report) === 0

const summarizeCheck = (report: CheckReport): string => {
  const { failures, isOverBudget } = report
  const passed = countPassed(report)
  if (failures.length > 0) return `${failures.length} of ${passed + failures.length} rules failed.`
  if (isOverBudget) return messages.incompleteCheck
  return isEmptyCheck(report) ? messages.emptyCheck : `All ${passed} rules passed.`
}

/** Creates the report of a check. */
export function createCheckReport({ report, rules, locate }: CheckReportInput): Report {
  const { failures, base, milliseconds } = report
  const tested = listTested(report)
  const toFinding = (failure: RuleFailure): ReportFinding => {
    const { rule, endpoint, route, violation, curl, response, steps, script } = failure
    return {
      rule,
      severity: 'error',
      endpoint,
      route,
      title: rule,
      message: violation,
      details: [curl, steps.join('\n'), script, response].filter(Boolean).join('\n\n'),
      location: locate(endpoint, route),
      isAllowed: false,
    }
  }
  const names = [...new Set(failures.map(({ rule }) => rule))]
  const listSubjects = (select: (endpoint: EndpointReport) => readonly string[]): readonly ReportSubject[] =>
    tested.flatMap((one) => select(one).map((rule) => ({ rule, endpoint: one.endpoint, route: one.route })))
  return {
    command: 'check',
    subject: base,
    summary: summarizeCheck(report),
    remark: '',
    rules: names.map((name) => ({
      name,
      description: rules.find((rule) => rule.name === name)?.description ?? failures.find(({ rule }) => rule === name)?.description ?? '',
    })),
    findings: failures.map(toFinding),
    passed: listSubjects(({ passed }) => passed),
    skipped: listSubjects(({ notTested }) => notTested).map((one) => ({
      ...one,
      reason: tested.find(({ endpoint }) => endpoint === one.endpoint)?.skipReason ?? '',
    })),
    milliseconds,
    formatText: (hasColors) => formatReport(report, hasColors),
    data: report,
  }
}
