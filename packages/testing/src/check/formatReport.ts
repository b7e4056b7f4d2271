/** Reports as text for a terminal. */
import { escapeControls, escapeControlsInLine, noTerminalColor, type TerminalColor, terminalColors } from '../terminal.ts'
import { formatCount } from '../testingMessages.ts'
import { type FailureGroup, groupFailures, summarizeFaults } from './faults.ts'
import type { CheckReport, EndpointReport } from './report.ts'
import { explainUnserved, hasNoSuccess, listWarnings } from './success.ts'

type ReportColors = Readonly<Record<'good' | 'bad' | 'quiet' | 'strong', TerminalColor>>

const getReportColors = (hasColors: boolean): ReportColors =>
  hasColors
    ? { good: terminalColors.green, bad: terminalColors.red, quiet: terminalColors.faint, strong: terminalColors.bold }
    : { good: noTerminalColor, bad: noTerminalColor, quiet: noTerminalColor, strong: noTerminalColor }

interface ColumnWidths {
  readonly endpoint: number
  readonly route: number
}

function formatEndpointLine(
  { endpoint, route, requests, passed, notTested, failures, statuses, skipReason }: EndpointReport,
  widths: ColumnWidths,
  { good, bad, quiet }: ReportColors,
): string {
  const isUntested = passed.length === 0 || notTested.length > 0 || hasNoSuccess({ statuses })
  const sign = failures.length > 0 ? bad('✗') : isUntested ? quiet('–') : good('✓')
  const names = `${escapeControlsInLine(route).padEnd(widths.route)}  ${escapeControlsInLine(endpoint).padEnd(widths.endpoint)}`
  const failed = failures.length > 0 ? bad(`${failures.length} failed, `) : ''
  const skipped = notTested.length > 0 ? `${notTested.length} not tested, ` : ''
  const reason = skipReason === '' ? '' : `  (${escapeControlsInLine(skipReason)})`
  return `${sign} ${names}  ${failed}${quiet(`${passed.length} passed, ${skipped}${formatCount(requests, 'request')}${reason}`)}`
}

const indentLines = (text: string): string => text.replace(/^(?=.)/gm, '    ')

/** The number of lines after which a response is truncated. */
const maxResponseLines = 14

function truncateLines(text: string): string {
  const lines = text.trimEnd().split('\n')
  return lines.length <= maxResponseLines ? lines.join('\n') : [...lines.slice(0, maxResponseLines), '…'].join('\n')
}

/** The number of further places of a fault that are shown with their requests. */
const maxShownPlaces = 10

/** Formats the further places of a fault: each with its request, and what is wrong where the sentence is another one. */
function formatPlaces([first, ...others]: FailureGroup, { quiet, strong }: ReportColors): readonly string[] {
  const shown = others
    .slice(0, maxShownPlaces)
    .flatMap(({ route, endpoint, violation, curl }) => [
      indentLines(`the same at ${strong(escapeControlsInLine(route))}  ${quiet(escapeControlsInLine(endpoint))}`),
      ...(violation === first.violation ? [] : [indentLines(indentLines(escapeControls(violation)))]),
      ...(curl === null ? [] : [indentLines(indentLines(quiet(escapeControls(curl))))]),
    ])
  const rest = others.slice(maxShownPlaces).map(({ route }) => escapeControlsInLine(route))
  return rest.length === 0 ? shown : [...shown, indentLines(`and at ${rest.join(', ')}`)]
}

/** @param note what to say of the script that repeats the fault */
function formatFault(fault: FailureGroup, note: string, colors: ReportColors): string {
  const { bad, quiet, strong } = colors
  const [{ rule, description, endpoint, route, violation, curl, response, shrinks, steps }] = fault
  const routes = new Set(fault.map((failure) => failure.endpoint))
  const title =
    routes.size === 1
      ? `${strong(escapeControlsInLine(route))}  ${quiet(escapeControlsInLine(`${endpoint}, ${rule}`))}`
      : `${strong(`${routes.size} endpoints`)}  ${quiet(escapeControlsInLine(rule))}`
  const more = fault.filter((failure) => failure.more > 0)
  return [
    `${bad('✗')} ${title}`,
    indentLines(quiet(escapeControls(description))),
    ...(routes.size === 1
      ? []
      : [indentLines(`first at ${strong(escapeControlsInLine(route))}  ${quiet(escapeControlsInLine(endpoint))}`)]),
    indentLines(bad(escapeControls(violation))),
    ...(curl === null ? [] : [indentLines(escapeControls(curl))]),
    ...steps.map((step, index) => indentLines(`${String(index + 1).padStart(String(steps.length).length)}  ${escapeControlsInLine(step)}`)),
    ...(response === null || steps.length > 0 ? [] : [indentLines(quiet(truncateLines(escapeControls(response))))]),
    ...(shrinks === 0 || steps.length > 0 ? [] : [indentLines(quiet(`the simplest of ${shrinks + 1} requests that fail`))]),
    ...(note === '' ? [] : [indentLines(quiet(escapeControlsInLine(note)))]),
    ...formatPlaces(fault, colors),
    ...more.map((failure) =>
      indentLines(
        bad(escapeControlsInLine(`and ${failure.more} more ${failure.more === 1 ? 'cause' : 'causes'} of ${rule} at ${failure.route}`)),
      ),
    ),
  ].join('\n')
}

/** The number of items of a collection that are named. */
const maxNamedItems = 5

/** Formats what a check has left behind: `Left behind: 3 items of /users: /users/7, …` */
export const formatLeftBehind = ({ leftBehind }: Pick<CheckReport, 'leftBehind'>): readonly string[] =>
  leftBehind.map(({ collection, items, reason }) => {
    if (items.length === 0) return escapeControlsInLine(`Left behind, perhaps: what ${collection} has created (${reason})`)
    const named = items.slice(0, maxNamedItems).join(', ')
    const rest = items.length > maxNamedItems ? ', …' : ''
    const number = formatCount(items.length, 'item')
    return escapeControlsInLine(`Left behind: ${number} of ${collection}: ${named}${rest} (${reason})`)
  })

/** Says that the server went away. */
const formatOutage = (responses: number, outage: string): string =>
  responses === 0
    ? `No request got a response: ${outage}`
    : `The server went away after ${formatCount(responses, 'response')}: ${outage}. The endpoints after that were not tested.`

/**
 * Formats a report as text.
 *
 * @param hasColors whether the text contains color codes for a terminal
 * @param scriptFile the file that has the script of the first sequence that failed; left out: the text says how to write it
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
export function formatReport(report: CheckReport, hasColors = false, scriptFile?: string): string {
  const { base, seed, requests, milliseconds, endpoints, sequences, failures, isOverBudget, responses, outage } = report
  const colors = getReportColors(hasColors)
  const all = [...endpoints, ...sequences]
  const getWidth = (column: keyof ColumnWidths): number => all.reduce((width, endpoint) => Math.max(width, endpoint[column].length), 0)
  const widths = { endpoint: getWidth('endpoint'), route: getWidth('route') }
  const passed = all.reduce((sum, endpoint) => sum + endpoint.passed.length, 0)
  const notTested = all.reduce((sum, endpoint) => sum + endpoint.notTested.length, 0)
  const unserved = explainUnserved(report)
  const result =
    failures.length > 0
      ? `${colors.bad(`${summarizeFaults(report)}.`)} ${passed} rules passed.`
      : passed === 0
        ? colors.bad('Nothing was tested.')
        : unserved !== undefined
          ? `${passed} rules passed.`
          : colors.good(notTested > 0 ? `${passed} rules passed.` : `All ${passed} rules passed.`)
  const seconds = (milliseconds / 1000).toFixed(1)
  // A script has one sequence: the others are repeated when this one is repaired.
  const scripted = failures.find(({ script }) => script !== null)
  const note =
    scriptFile === undefined ? '--repro repro.sh writes a script that repeats these requests' : `${scriptFile} repeats these requests`
  return [
    `${colors.strong(base)}  ${colors.quiet(`seed ${seed}`)}`,
    '',
    ...endpoints.map((endpoint) => formatEndpointLine(endpoint, widths, colors)),
    ...(sequences.length === 0 ? [] : ['', colors.quiet('Sequences and clients, by the endpoint that reads an item:')]),
    ...sequences.map((family) => formatEndpointLine(family, widths, colors)),
    '',
    ...groupFailures(failures).flatMap((fault) => [formatFault(fault, fault[0] === scripted ? note : '', colors), '']),
    `${result}${notTested > 0 ? ` ${notTested} were not tested.` : ''} ${colors.quiet(`${formatCount(requests, 'request')} in ${seconds} s; --seed ${seed} repeats them.`)}`,
    ...(unserved === undefined ? [] : [colors.bad(escapeControlsInLine(unserved))]),
    ...listWarnings(report).map((warning) => colors.strong(escapeControlsInLine(warning))),
    ...formatLeftBehind(report),
    ...(outage === '' ? [] : [colors.bad(escapeControlsInLine(formatOutage(responses, outage)))]),
    ...(isOverBudget ? [colors.bad('The budget was used up before the end. Raise --requests or --seconds.')] : []),
    '',
  ].join('\n')
}
