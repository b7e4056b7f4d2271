/** The report of `check`: each broken rule of an endpoint is a finding. */
import { type CheckReport, type EndpointReport, formatReport, type Rule, type RuleFailure } from '@lapidary/testing'
import { formatLeftBehind, summarizeFaults } from '@lapidary/testing/internal'
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
  return isEmptyCheck(report) ? messages.emptyCheck : `All ${passed} rules passed.`
}

/** Creates the report of a check. */
export function createCheckReport({ report, rules, locate, scriptFile }: CheckReportInput): Report {
  const { failures, base, milliseconds } = report
  const tested = listTested(report)
  /** A rule may be broken by several causes at one endpoint: each has a title of its own. */
  const getTitle = (failure: RuleFailure): string => {
    const own = failures.filter(({ rule, endpoint }) => rule === failure.rule && endpoint === failure.endpoint)
    return own.length === 1 ? failure.rule : `${failure.rule} ${own.indexOf(failure) + 1}`
  }
  const toFinding = (failure: RuleFailure): ReportFinding => {
    const { rule, cause, more, endpoint, route, violation, curl, response, steps, script } = failure
    return {
      rule,
      severity: 'error',
      endpoint,
      route,
      title: getTitle(failure),
      cause,
      message: more === 0 ? violation : `${violation} (and ${more} more of this rule here)`,
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
    remark: formatLeftBehind(report).join(' '),
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
    formatText: (hasColors) => formatReport(report, hasColors, scriptFile),
    data: report,
  }
}
