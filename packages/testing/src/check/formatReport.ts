/** Reports as text for a terminal, and as JUnit XML for build servers. */
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
  { rule, description, endpoint, route, violation, curl, response, shrinks }: RuleFailure,
  { bad, quiet, strong }: ReportColors,
): string {
  return [
    `${bad('✗')} ${strong(escapeControlsInLine(route))}  ${quiet(escapeControlsInLine(`${endpoint}, ${rule}`))}`,
    indentLines(quiet(escapeControls(description))),
    indentLines(bad(escapeControls(violation))),
    ...(curl === null ? [] : [indentLines(escapeControls(curl))]),
    ...(response === null ? [] : [indentLines(quiet(truncateLines(escapeControls(response))))]),
    ...(shrinks === 0 ? [] : [indentLines(quiet(`the simplest of ${shrinks + 1} requests that fail`))]),
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
  const { base, seed, requests, milliseconds, endpoints, failures, isOverBudget } = report
  const colors = getReportColors(hasColors)
  const getWidth = (column: keyof ColumnWidths): number => Math.max(0, ...endpoints.map((endpoint) => endpoint[column].length))
  const widths = { endpoint: getWidth('endpoint'), route: getWidth('route') }
  const passed = endpoints.reduce((sum, endpoint) => sum + endpoint.passed.length, 0)
  const notTested = endpoints.reduce((sum, endpoint) => sum + endpoint.notTested.length, 0)
  const result =
    failures.length > 0
      ? colors.bad(`${failures.length} of ${passed + failures.length} rules failed.`)
      : colors.good(notTested > 0 ? `${passed} rules passed.` : `All ${passed} rules passed.`)
  const seconds = (milliseconds / 1000).toFixed(1)
  return [
    `${colors.strong(base)}  ${colors.quiet(`seed ${seed}`)}`,
    '',
    ...endpoints.map((endpoint) => formatEndpointLine(endpoint, widths, colors)),
    '',
    ...failures.flatMap((failure) => [formatFailure(failure, colors), '']),
    `${result}${notTested > 0 ? ` ${notTested} were not tested.` : ''} ${colors.quiet(`${countRequests(requests)} in ${seconds} s; --seed ${seed} repeats them.`)}`,
    ...(isOverBudget ? [colors.bad('The budget was used up before the end. Raise --requests or --seconds.')] : []),
    '',
  ].join('\n')
}

const xmlEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 does not allow (§2.2), besides control characters. */
const invalidXmlPattern = /[\ufffe\uffff]/g
const escapeXml = (text: string): string =>
  escapeControls(text)
    .toWellFormed()
    .replace(invalidXmlPattern, '')
    .replace(/[&<>"]/g, (character) => xmlEscapes[character] ?? character)

/**
 * Formats a report as JUnit XML for build servers: a test suite for each endpoint, a test case for each rule.
 *
 * @returns the XML document
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { checkServer, formatJUnitReport } from '@lapidary/testing'
 * import { endpoint, noContent } from 'lapidary'
 *
 * const api = { ping: endpoint('GET /ping', { response: noContent }) }
 * await writeFile('report.xml', formatJUnitReport(await checkServer(api, 'http://127.0.0.1:8081')))
 * ```
 */
export function formatJUnitReport({ base, endpoints, failures, milliseconds }: CheckReport): string {
  const suites = endpoints.map(({ endpoint, route, passed, notTested, failures: own, skipReason }) => {
    const cases = [
      ...passed.map((name) => `    <testcase classname="${escapeXml(endpoint)}" name="${escapeXml(name)}"/>`),
      ...own.map(
        ({ rule, violation, curl, response }) =>
          `    <testcase classname="${escapeXml(endpoint)}" name="${escapeXml(rule)}">\n      <failure message="${escapeXml(violation)}">${escapeXml([curl, response].filter(Boolean).join('\n\n'))}</failure>\n    </testcase>`,
      ),
      ...notTested.map(
        (name) =>
          `    <testcase classname="${escapeXml(endpoint)}" name="${escapeXml(name)}">\n      <skipped message="${escapeXml(skipReason)}"/>\n    </testcase>`,
      ),
    ]
    return `  <testsuite name="${escapeXml(route)}" tests="${cases.length}" failures="${own.length}" skipped="${notTested.length}">\n${cases.join('\n')}\n  </testsuite>`
  })
  const tests = endpoints.reduce((sum, endpoint) => sum + endpoint.passed.length + endpoint.failures.length + endpoint.notTested.length, 0)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeXml(base)}" tests="${tests}" failures="${failures.length}" time="${milliseconds / 1000}">\n${suites.join('\n')}\n</testsuites>\n`
}
