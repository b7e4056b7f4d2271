/** Workflow commands, which GitHub shows as annotations beside the lines of a pull request. */
import { escapeControls } from '@lapidary/testing/internal'
import { type Report, type ReportFinding, selectFindings } from '../report.ts'

/** A workflow command is one line. Its text is shown in the log as well. */
const escapeCommandData = (text: string): string =>
  escapeControls(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const escapeCommandProperty = (text: string): string => escapeCommandData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')

function formatAnnotation({ severity, location, route, title, message, details }: ReportFinding): string {
  const properties = { file: location.file, line: String(location.line), title: `${route}: ${title}` }
  const pairs = Object.entries(properties).map(([name, value]) => `${name}=${escapeCommandProperty(value)}`)
  const text = details === '' ? message : `${message}\n\n${details}`
  return `::${severity} ${pairs.join(',')}::${escapeCommandData(text)}\n`
}

/** Formats errors and warnings. GitHub shows ten of each in a step, so notes are left out. */
export const formatGitHub = (report: Report): string => selectFindings(report, 'error', 'warning').map(formatAnnotation).join('')
