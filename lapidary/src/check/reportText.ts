/** A report for people, in colour where a terminal reads it. */
import { type Paint, paints, unpainted } from '../describe/paint.ts'
import { printable, printableLine } from '../describe/printable.ts'
import type { Checked, Failure, Report } from './report.ts'

/** How parts of a text stand out. */
type Colours = Readonly<Record<'good' | 'bad' | 'quiet' | 'strong', Paint>>

const colours = (isColoured: boolean): Colours =>
  isColoured
    ? { good: paints.green, bad: paints.red, quiet: paints.faint, strong: paints.bold }
    : { good: unpainted, bad: unpainted, quiet: unpainted, strong: unpainted }

const counted = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

function line(
  { endpoint, route, requests, held, failures, skipped }: Checked,
  width: number,
  routes: number,
  { good, bad, quiet }: Colours,
): string {
  const sign = failures.length > 0 ? bad('✗') : held.length === 0 ? quiet('–') : good('✓')
  const found = failures.length > 0 ? bad(`${failures.length} broken, `) : ''
  const why = skipped === '' ? '' : `  (${printableLine(skipped)})`
  return `${sign} ${printableLine(route).padEnd(routes)}  ${printableLine(endpoint).padEnd(width)}  ${found}${quiet(`${held.length} hold, ${counted(requests, 'request')}${why}`)}`
}

const indented = (text: string): string => text.replace(/^(?=.)/gm, '    ')

/** The head of an answer, and the first lines of its body. */
const mostLines = 14
function shortened(text: string): string {
  const lines = text.split('\n')
  return lines.length <= mostLines ? text : [...lines.slice(0, mostLines), '…'].join('\n')
}

function failureText(
  { predicate, sentence, endpoint, route, complaint, curl, answer, shrunk }: Failure,
  { bad, quiet, strong }: Colours,
): string {
  return [
    `${bad('✗')} ${strong(printableLine(route))}  ${quiet(printableLine(`${endpoint}, ${predicate}`))}`,
    indented(quiet(printable(sentence))),
    indented(bad(printable(complaint))),
    ...(curl === null ? [] : [indented(printable(curl))]),
    ...(answer === null ? [] : [indented(quiet(shortened(printable(answer))))]),
    ...(shrunk === 0 ? [] : [indented(quiet(`the plainest of ${shrunk + 1} requests that show it`))]),
  ].join('\n')
}

/** The report as lines. `isColoured`: with the codes that a terminal takes for colours. */
export function reportText(report: Report, isColoured = false): string {
  const { base, seed, requests, milliseconds, endpoints, failures, unfinished } = report
  const colour = colours(isColoured)
  const [names, routes] = (['endpoint', 'route'] as const).map((key) => Math.max(0, ...endpoints.map((one) => one[key].length)))
  const held = endpoints.reduce((sum, one) => sum + one.held.length, 0)
  const seconds = (milliseconds / 1000).toFixed(1)
  const verdict =
    failures.length === 0
      ? colour.good(`All ${held} predicates hold.`)
      : colour.bad(`${failures.length} of ${held + failures.length} predicates do not hold.`)
  return [
    `${colour.strong(base)}  ${colour.quiet(`seed ${seed}`)}`,
    '',
    ...endpoints.map((one) => line(one, names ?? 0, routes ?? 0, colour)),
    '',
    ...failures.flatMap((failure) => [failureText(failure, colour), '']),
    `${verdict} ${colour.quiet(`${counted(requests, 'request')} in ${seconds} s; --seed ${seed} repeats them.`)}`,
    ...(unfinished ? [colour.bad('The budget was spent before the end: give more with --requests or --seconds.')] : []),
    '',
  ].join('\n')
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 cannot hold (§2.2) are left out. */
const unheld = /[\ufffe\uffff]/g
const xml = (text: string): string =>
  printable(text)
    .toWellFormed()
    .replace(unheld, '')
    .replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign)

/** The report as JUnit XML, as build servers read it: a suite for each endpoint, a case for each predicate. */
export function reportJunit({ base, endpoints, failures, milliseconds }: Report): string {
  const suites = endpoints.map(({ endpoint, route, held, failures: own }) => {
    const cases = [
      ...held.map((name) => `    <testcase classname="${xml(endpoint)}" name="${xml(name)}"/>`),
      ...own.map(
        ({ predicate, complaint, curl, answer }) =>
          `    <testcase classname="${xml(endpoint)}" name="${xml(predicate)}">\n      <failure message="${xml(complaint)}">${xml([curl, answer].filter(Boolean).join('\n\n'))}</failure>\n    </testcase>`,
      ),
    ]
    return `  <testsuite name="${xml(route)}" tests="${cases.length}" failures="${own.length}">\n${cases.join('\n')}\n  </testsuite>`
  })
  const tests = endpoints.reduce((sum, one) => sum + one.held.length + one.failures.length, 0)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${xml(base)}" tests="${tests}" failures="${failures.length}" time="${milliseconds / 1000}">\n${suites.join('\n')}\n</testsuites>\n`
}
