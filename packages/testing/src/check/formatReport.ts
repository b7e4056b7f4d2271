/** Reports as text for a terminal. */
import { escapeControls, escapeControlsInLine, noTerminalColor, type TerminalColor, terminalColors } from '../terminal.ts'
import type { CheckReport, EndpointReport, RuleFailure } from './report.ts'

type ReportColors = Readonly<Record<'good' | 'bad' | 'quiet' | 'strong', TerminalColor>>

const getReportColors = (hasColors: boolean): ReportColors =>
  hasColors
    ? { good: terminalColors.green, bad: terminalColors.red, quiet: terminalColors.faint, strong: terminalColors.bold }
    : { good: noTerminalColor, bad: noTerminalColor, quiet: noTerminalColor, strong: noTerminalColor }

const countRequests = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'request' : 'requests'}`

interface ColumnWidths {
  readonly endpoint: number
  readonly route: number
}

function formatEndpointLine(
  { endpoint, route, requests, passed, notTested, failures, skipReason }: EndpointReport,
  widths: ColumnWidths,
  { good, bad, quiet }: ReportColors,
): string {
  const sign = failures.length > 0 ? bad('✗') : passed.length === 0 || notTested.length > 0 ? quiet('–') : good('✓')
  const names = `${escapeControlsInLine(route).padEnd(widths.route)}  ${escapeControlsInLine(endpoint).padEnd(widths.endpoint)}`
  const failed = failures.length > 0 ? bad(`${failures.length} failed, `) : ''
  const skipped = notTested.length > 0 ? `${notTested.length} not tested, ` : ''
  const reason = skipReason === '' ? '' : `  (${escapeControlsInLine(skipReason)})`
  return `${sign} ${names}  ${failed}${quiet(`${passed.length} passed, ${skipped}${countRequests(requests)}${reason}`)}`
}

const indentLines = (text: string): string => text.replace(/^(?=.)/gm, '    ')

/** The number of lines after which a response is truncated. */
const maxResponseLines = 14

function truncateLines(text: string): string {
  const lines = text.split('\n')
  return lines.length <= maxResponseLines ? text : [...lines.slice(0, maxResponseLines), '…'].join('\n')
}

function formatFailure(
  { rule, description, endpoint, route, violation, curl, response, shrinks, steps, script }: RuleFailure,
  { bad, quiet, strong }: ReportColors,
): string {
  return [
    `${bad('✗')} ${strong(escapeControlsInLine(route))}  ${quiet(escapeControlsInLine(`${endpoint}, ${rule}`))}`,
    indentLines(quiet(escapeControls(description))),
    indentLines(bad(escapeControls(violation))),
    ...(curl === null ? [] : [indentLines(escapeControls(curl))]),
    ...steps.map((step, index) => indentLines(`${String(index + 1).padStart(String(steps.length).length)}  ${escapeControlsInLine(step)}`)),
    ...(response === null || steps.length > 0 ? [] : [indentLines(quiet(truncateLines(escapeControls(response))))]),
    ...(shrinks === 0 || steps.length > 0 ? [] : [indentLines(quiet(`the simplest of ${shrinks + 1} requests that fail`))]),
    ...(script === null ? [] : [indentLines(quiet('--repro repro.sh writes a script that repeats these requests'))]),
  ].join('\n')
}

/**
 * Formats a report as text.
 *
 * @param hasColors whether the text contains color codes for a terminal
 * @returns the text, with a line feed at its end
 * @example
 * ```ts
 * import { checkServer, formatReport } from '@lapidary/testing'
 * import { endpoint, noContent } from 'lapidary'
 *
 * const api = { ping: endpoint('GET /ping', { response: noContent }) }
 * console.log(formatReport(await checkServer(api, 'http://127.0.0.1:8081')))
 * ```
 */
export function formatReport(report: CheckReport, hasColors = false): string {
  const { base, seed, requests, milliseconds, endpoints, sequences, failures, isOverBudget } = report
  const colors = getReportColors(hasColors)
  const all = [...endpoints, ...sequences]
  const getWidth = (column: keyof ColumnWidths): number => Math.max(0, ...all.map((endpoint) => endpoint[column].length))
  const widths = { endpoint: getWidth('endpoint'), route: getWidth('route') }
  const passed = all.reduce((sum, endpoint) => sum + endpoint.passed.length, 0)
  const notTested = all.reduce((sum, endpoint) => sum + endpoint.notTested.length, 0)
  const result =
    failures.length > 0
      ? colors.bad(`${failures.length} of ${passed + failures.length} rules failed.`)
      : passed === 0
        ? colors.bad('Nothing was tested.')
        : colors.good(notTested > 0 ? `${passed} rules passed.` : `All ${passed} rules passed.`)
  const seconds = (milliseconds / 1000).toFixed(1)
  return [
    `${colors.strong(base)}  ${colors.quiet(`seed ${seed}`)}`,
    '',
    ...endpoints.map((endpoint) => formatEndpointLine(endpoint, widths, colors)),
    ...(sequences.length === 0 ? [] : ['', colors.quiet('Sequences and clients, by the endpoint that reads an item:')]),
    ...sequences.map((family) => formatEndpointLine(family, widths, colors)),
    '',
    ...failures.flatMap((failure) => [formatFailure(failure, colors), '']),
    `${result}${notTested > 0 ? ` ${notTested} were not tested.` : ''} ${colors.quiet(`${countRequests(requests)} in ${seconds} s; --seed ${seed} repeats them.`)}`,
    ...(isOverBudget ? [colors.bad('The budget was used up before the end. Raise --requests or --seconds.')] : []),
    '',
  ].join('\n')
}
