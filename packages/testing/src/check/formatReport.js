/** A report for people, in colour where a terminal reads it. */
import { escapeControls, escapeControlsInLine, noTerminalColor, terminalColors } from '../terminal.js'

const getReportColors = (isColoured) =>
  isColoured
    ? { good: terminalColors.green, bad: terminalColors.red, quiet: terminalColors.faint, strong: terminalColors.bold }
    : { good: noTerminalColor, bad: noTerminalColor, quiet: noTerminalColor, strong: noTerminalColor }
const formatCount = (count, one, many = `${one}s`) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`
function formatEndpointLine(
  { endpoint, route, requests, passed: held, failures, skipReason: skipped },
  width,
  routes,
  { good, bad, quiet },
) {
  const sign = failures.length > 0 ? bad('✗') : held.length === 0 ? quiet('–') : good('✓')
  const found = failures.length > 0 ? bad(`${failures.length} broken, `) : ''
  const why = skipped === '' ? '' : `  (${escapeControlsInLine(skipped)})`
  return `${sign} ${escapeControlsInLine(route).padEnd(routes)}  ${escapeControlsInLine(endpoint).padEnd(width)}  ${found}${quiet(`${held.length} hold, ${formatCount(requests, 'request')}${why}`)}`
}
const indentLines = (text) => text.replace(/^(?=.)/gm, '    ')
/** The head of an answer, and the first lines of its body. */
const maxResponseLines = 14
function truncateLines(text) {
  const lines = text.split('\n')
  return lines.length <= maxResponseLines ? text : [...lines.slice(0, maxResponseLines), '…'].join('\n')
}
function formatFailure(
  { rule: predicate, description: sentence, endpoint, route, violation: complaint, curl, response: answer, shrinks: shrunk },
  { bad, quiet, strong },
) {
  return [
    `${bad('✗')} ${strong(escapeControlsInLine(route))}  ${quiet(escapeControlsInLine(`${endpoint}, ${predicate}`))}`,
    indentLines(quiet(escapeControls(sentence))),
    indentLines(bad(escapeControls(complaint))),
    ...(curl === null ? [] : [indentLines(escapeControls(curl))]),
    ...(answer === null ? [] : [indentLines(quiet(truncateLines(escapeControls(answer))))]),
    ...(shrunk === 0 ? [] : [indentLines(quiet(`the plainest of ${shrunk + 1} requests that show it`))]),
  ].join('\n')
}
/** The report as lines. `isColoured`: with the codes that a terminal takes for colours. */
export function formatReport(report, isColoured = false) {
  const { base, seed, requests, milliseconds, endpoints, failures, isOverBudget: unfinished } = report
  const colour = getReportColors(isColoured)
  const [names, routes] = ['endpoint', 'route'].map((key) => Math.max(0, ...endpoints.map((one) => one[key].length)))
  const held = endpoints.reduce((sum, one) => sum + one.passed.length, 0)
  const seconds = (milliseconds / 1000).toFixed(1)
  const verdict =
    failures.length === 0
      ? colour.good(`All ${held} predicates hold.`)
      : colour.bad(`${failures.length} of ${held + failures.length} predicates do not hold.`)
  return [
    `${colour.strong(base)}  ${colour.quiet(`seed ${seed}`)}`,
    '',
    ...endpoints.map((one) => formatEndpointLine(one, names ?? 0, routes ?? 0, colour)),
    '',
    ...failures.flatMap((failure) => [formatFailure(failure, colour), '']),
    `${verdict} ${colour.quiet(`${formatCount(requests, 'request')} in ${seconds} s; --seed ${seed} repeats them.`)}`,
    ...(unfinished ? [colour.bad('The budget was spent before the end: give more with --requests or --seconds.')] : []),
    '',
  ].join('\n')
}
const xmlEscapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 cannot hold (§2.2) are left out. */
const invalidXmlPattern = /[\ufffe\uffff]/g
const escapeXml = (text) =>
  escapeControls(text)
    .toWellFormed()
    .replace(invalidXmlPattern, '')
    .replace(/[&<>"]/g, (sign) => xmlEscapes[sign] ?? sign)
/** The report as JUnit XML, as build servers read it: a suite for each endpoint, a case for each predicate. */
export function formatJUnitReport({ base, endpoints, failures, milliseconds }) {
  const suites = endpoints.map(({ endpoint, route, passed: held, failures: own }) => {
    const cases = [
      ...held.map((name) => `    <testcase classname="${escapeXml(endpoint)}" name="${escapeXml(name)}"/>`),
      ...own.map(
        ({ rule: predicate, violation: complaint, curl, response: answer }) =>
          `    <testcase classname="${escapeXml(endpoint)}" name="${escapeXml(predicate)}">\n      <failure message="${escapeXml(complaint)}">${escapeXml([curl, answer].filter(Boolean).join('\n\n'))}</failure>\n    </testcase>`,
      ),
    ]
    return `  <testsuite name="${escapeXml(route)}" tests="${cases.length}" failures="${own.length}">\n${cases.join('\n')}\n  </testsuite>`
  })
  const tests = endpoints.reduce((sum, one) => sum + one.passed.length + one.failures.length, 0)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeXml(base)}" tests="${tests}" failures="${failures.length}" time="${milliseconds / 1000}">\n${suites.join('\n')}\n</testsuites>\n`
}
