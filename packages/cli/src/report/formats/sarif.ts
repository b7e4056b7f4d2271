/** SARIF 2.1.0, which code scanning reads: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html */
import { createHash } from 'node:crypto'
import { escapeControls } from '@lapidary/testing/internal'
import { cliVersion } from '../../cliVersion.ts'
import type { Report, ReportFinding } from '../report.ts'

const schemaUrl = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/** Escapes what a viewer would follow or not show: `[text](target)` is a link in a message (§3.11.6). */
const escapeText = (text: string): string => escapeControls(text).replace(/\[(?=[^[\]]*\]\()/g, '\\[')

/**
 * Returns a fingerprint for each finding: the same in every run, wherever its line is, so that code scanning reports it once. Findings of one
 * cause at one endpoint, as at two of its parameters, are counted.
 */
function listFingerprints(findings: readonly ReportFinding[]): readonly string[] {
  const counts = new Map<string, number>()
  return findings.map(({ rule, route, title, cause }) => {
    const key = JSON.stringify([rule, route, cause ?? title])
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return createHash('sha256')
      .update(count === 1 ? key : `${key} ${count}`)
      .digest('hex')
  })
}

const toResult = (finding: ReportFinding, fingerprint: string | undefined, ruleNames: readonly string[]): object => {
  const { rule, severity, message, details, location, endpoint, route, isAllowed } = finding
  const text = [`${route}: ${finding.title}`, message, ...(details === '' ? [] : [details])].join('\n\n')
  return {
    ruleId: rule,
    ruleIndex: ruleNames.indexOf(rule),
    level: severity,
    message: { text: escapeText(text) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: encodeURI(location.file), uriBaseId: '%SRCROOT%' },
          region: { startLine: location.line },
        },
        logicalLocations: [{ name: escapeText(endpoint), fullyQualifiedName: escapeText(route) }],
      },
    ],
    partialFingerprints: { 'lapidaryFinding/v1': fingerprint },
    ...(isAllowed && { suppressions: [{ kind: 'external', justification: '--allow' }] }),
  }
}

/** Formats a report as one run. Errors, warnings and notes have the level of their name. */
export function formatSarif({ command, findings, rules }: Report): string {
  const ruleNames = rules.map(({ name }) => name)
  const fingerprints = listFingerprints(findings)
  const log = {
    $schema: schemaUrl,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: `lapidary ${command}`,
            version: cliVersion,
            rules: rules.map(({ name, description }) => ({ id: name, shortDescription: { text: escapeText(description) } })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding, index) => toResult(finding, fingerprints[index], ruleNames)),
      },
    ],
  }
  return `${JSON.stringify(log, null, 2)}\n`
}
