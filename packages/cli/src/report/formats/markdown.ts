/** Markdown for a comment of a pull request, or for the summary of a workflow. */
import { escapeControls } from '@lapidary/testing/internal'
import { type Report, type ReportFinding, type Severity, selectFindings } from '../report.ts'

/**
 * Escapes text that comes from elsewhere: it is no Markdown, no HTML, no link, and no mention of a user or an issue. GitHub finds URLs and
 * mentions without any markup, so a comment divides them. Underscores within words mean nothing in GitHub's Markdown.
 */
const escapeMarkdown = (text: string): string =>
  escapeControls(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*[\]~|$]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, (characters) => characters.replace(/./g, '\\$&'))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[@#](?=\w)|:(?=\/\/)|www(?=\.)|GH-(?=\d)/gi, '$&<!-- -->')

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))

/** A code span, which may be in a cell of a table. */
function formatCode(text: string): string {
  const line = escapeControls(text).replace(/\s+/g, ' ')
  // Renderers differ in which of these bars ends a cell.
  if (/\\\|/.test(line)) return `<code>${escapeMarkdown(line)}</code>`
  const fence = '`'.repeat(longestRun(line) + 1)
  const code = line.replaceAll('|', '\\|')
  return /^`|`$|^$/.test(code) ? `${fence} ${code} ${fence}` : `${fence}${code}${fence}`
}

/** A block of code. */
function formatBlock(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}text\n${escapeControls(text)}\n${fence}`
}

const marks: Readonly<Record<Severity, string>> = { error: '❌', warning: '⚠️', note: '✅' }

/** Findings with one cause: the first one, and the others. */
type FindingGroup = readonly [ReportFinding, ...ReportFinding[]]

/** Groups findings by their causes. One without a cause is alone. */
function groupFindings(findings: readonly ReportFinding[]): readonly FindingGroup[] {
  const groups = new Map<string | ReportFinding, [ReportFinding, ...ReportFinding[]]>()
  for (const finding of findings) {
    const group = groups.get(finding.cause ?? finding)
    if (group === undefined) groups.set(finding.cause ?? finding, [finding])
    else group.push(finding)
  }
  return [...groups.values()]
}

/** The most routes of a row, and the most characters of its texts. */
const maxRoutes = 10
const maxNameCharacters = 200
const maxMessageCharacters = 1_000

const cut = (text: string, length = maxNameCharacters): string => (text.length > length ? `${text.slice(0, length)}…` : text)

const formatRow = (group: FindingGroup): string => {
  const [{ severity, rule, title, message, isAllowed }] = group
  const routes = [...new Set(group.map(({ route }) => route))]
  const shown = routes.slice(0, maxRoutes).map((route) => formatCode(cut(route)))
  const rest = routes.length > maxRoutes ? [`and ${routes.length - maxRoutes} more`] : []
  const name = routes.length > 1 ? rule : title
  const what = `${formatCode(cut(name))}${isAllowed ? ' (allowed)' : ''}`
  return `| ${marks[severity]} | ${[...shown, ...rest].join('<br>')} | ${what} | ${escapeMarkdown(cut(message, maxMessageCharacters))} |`
}

/** A part that a reader opens. The empty lines let GitHub read its content as Markdown. */
const formatFoldedPart = (title: string, content: string): string => `<details>\n<summary>${title}</summary>\n\n${content}\n\n</details>`

/** GitHub accepts a comment of 65,536 characters: blocks and rows beyond are left out. */
const maxBlockCharacters = 36_000
const maxTableCharacters = 12_000

/** Takes texts from the begin of a list, as long as they have no more characters than this in all. */
function takeTexts(texts: readonly string[], maxCharacters: number): readonly string[] {
  const taken: string[] = []
  let left = maxCharacters
  for (const text of texts) {
    left -= text.length
    if (left < 0) break
    taken.push(text)
  }
  return taken
}

/** The most rows of a table. */
const maxRows = 100

/** What shows each finding, as far as a comment has room. */
function formatEvidence(findings: readonly ReportFinding[]): readonly string[] {
  const shown = findings.filter(({ details }) => details !== '' && details.length <= maxBlockCharacters)
  const blocks = shown
    .slice(0, maxRows)
    .map(({ details, route, title }) => `${formatCode(cut(route))} ${formatCode(cut(title))}\n\n${formatBlock(details)}`)
  const texts = takeTexts(blocks, maxBlockCharacters)
  return texts.length === 0 ? [] : [formatFoldedPart('Requests and responses that show it', texts.join('\n\n'))]
}

/** The table of findings, as far as a comment has room. */
function formatFindings(findings: readonly ReportFinding[]): readonly string[] {
  const groups = groupFindings(findings)
  if (groups.length === 0) return []
  const rows = takeTexts(groups.slice(0, maxRows).map(formatRow), maxTableCharacters)
  const rest = groups.length - rows.length
  const table = ['| | endpoint | what | why |', '| --- | --- | --- | --- |', ...rows].join('\n')
  return [table, ...(rest > 0 ? [`and ${rest} more.`] : [])]
}

/**
 * Formats a report: what breaks first, what is safe folded away. The first line is a comment that is not shown, by which a workflow finds
 * the comment of the last run to replace it.
 */
export function formatMarkdown(report: Report): string {
  const { command, subject, summary, remark } = report
  const serious = [...selectFindings(report, 'error'), ...selectFindings(report, 'warning')]
  const notes = selectFindings(report, 'note')
  const mark = marks[serious.some(({ severity }) => severity === 'error') ? 'error' : serious.length > 0 ? 'warning' : 'note']
  const safe =
    notes.length === 0
      ? []
      : [
          formatFoldedPart(
            notes.length === 1 ? '1 change is safe or allowed' : `${notes.length} changes are safe or allowed`,
            formatFindings(notes).join('\n\n'),
          ),
        ]
  return `${[
    `<!-- lapidary ${command} -->`,
    `### ${mark} ${escapeMarkdown(summary)}`,
    `${formatCode(subject)} ${escapeMarkdown(remark)}`.trim(),
    ...formatFindings(serious),
    ...formatEvidence(serious),
    ...safe,
  ].join('\n\n')}\n`
}
