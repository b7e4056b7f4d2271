/** JUnit XML for build servers: a test suite for each endpoint, a test case for each rule. */
import { escapeControls } from '@lapidary/testing/internal'
import type { Report, ReportFinding, ReportSubject } from '../report.ts'

const xmlEscapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
/** Characters that XML 1.0 does not allow (§2.2), besides control characters. */
const invalidXmlPattern = /[\ufffe\uffff]/g
const escapeXml = (text: string): string =>
  escapeControls(text)
    .toWellFormed()
    .replace(invalidXmlPattern, '')
    .replace(/[&<>"]/g, (character) => xmlEscapes[character] ?? character)

interface TestCase extends ReportSubject {
  readonly name: string
  /** The elements within. */
  readonly content: string
}

const toFindingCase = (finding: ReportFinding): TestCase => {
  const { severity, message, details } = finding
  const text = escapeXml(details)
  const content =
    severity === 'error'
      ? `<failure message="${escapeXml(message)}">${text}</failure>`
      : `<system-out>${escapeXml(`${severity}: ${message}`)}</system-out>`
  return { ...finding, name: finding.title, content }
}

const formatCase = ({ endpoint, name, content }: TestCase): string => {
  const attributes = `classname="${escapeXml(endpoint)}" name="${escapeXml(name)}"`
  return content === '' ? `    <testcase ${attributes}/>` : `    <testcase ${attributes}>\n      ${content}\n    </testcase>`
}

const countCases = (cases: readonly TestCase[]): string => {
  const count = (element: string): number => cases.filter(({ content }) => content.startsWith(`<${element}`)).length
  return `tests="${cases.length}" failures="${count('failure')}" skipped="${count('skipped')}"`
}

/** Formats a report. Errors are failures; warnings and notes are test cases with an output. */
export function formatJUnit({ subject, findings, passed, skipped, milliseconds }: Report): string {
  const cases: readonly TestCase[] = [
    ...passed.map((one) => ({ ...one, name: one.rule, content: '' })),
    ...findings.map(toFindingCase),
    ...skipped.map((one) => ({ ...one, name: one.rule, content: `<skipped message="${escapeXml(one.reason)}"/>` })),
  ]
  const byEndpoint = new Map<string, TestCase[]>()
  for (const one of cases) {
    const own = byEndpoint.get(one.endpoint)
    if (own === undefined) byEndpoint.set(one.endpoint, [one])
    else own.push(one)
  }
  const suites = [...byEndpoint.values()].map((own) => {
    const name = escapeXml(own[0]?.route ?? '')
    return `  <testsuite name="${name}" ${countCases(own)}>\n${own.map(formatCase).join('\n')}\n  </testsuite>\n`
  })
  const head = `<testsuites name="${escapeXml(subject)}" ${countCases(cases)} time="${milliseconds / 1_000}">`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${head}\n${suites.join('')}</testsuites>\n`
}
