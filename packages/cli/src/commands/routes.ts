/** `lapidary routes ./src/api.ts`: one line for each endpoint and mount. */

import type { Command } from 'commander'
import { operations } from 'lapidary'
import { type ApiOptions, createApiCommand } from '../command.ts'
import { type CliContext, writeResult } from '../context.ts'
import { findApi } from '../findExports.ts'
import { loadModule } from '../loadModule.ts'
import { type ParameterSummary, type ReplySummary, type RouteSummary, summarizeRoute } from '../routeSummary.ts'

// Rows as text: one line each, in columns where there is a width for them.

/** A space that no line is broken at. */
const noBreakSpace = '\u00a0'
const keepTogether = (text: string): string => text.replaceAll(' ', noBreakSpace)

const formatParameter = ({ name, type, required }: ParameterSummary): string => keepTogether(`${name}${required ? '' : '?'} (${type})`)
const formatReply = ({ status, body }: ReplySummary): string => keepTogether(`${status} ${body.join('|')}`.trim())

const formatPart = (title: string, words: readonly string[], separator = ', '): readonly string[] =>
  words.length === 0 ? [] : [`${title}${noBreakSpace}${words.join(separator)}`]

/** What it takes and what it answers, piece by piece. */
const formatDetails = ({ captures, query, headers, body, responses: answers }: RouteSummary): string =>
  [
    ...formatPart('path:', captures.map(formatParameter)),
    ...formatPart('query:', query.map(formatParameter)),
    ...formatPart('headers:', headers.map(formatParameter)),
    ...formatPart('body:', body, '|'),
    ...formatPart('→', answers.map(formatReply)),
  ].join('  ')

const formatAuth = (row: RouteSummary): string => (row.auth === null ? '' : `${row.auth.scheme} (${row.auth.name})`)
const formatMethod = (row: RouteSummary): string => row.method ?? 'ANY'
const formatPath = (row: RouteSummary): string => (row.method === null ? `${row.path.replace(/\/$/, '')}/…` : row.path)

/** `GET /users  users.list  query: sortby? (age|name)  → 200 JSON`: a line that does not change when others do. */
export const formatRouteLine = (row: RouteSummary): string =>
  [
    `${formatMethod(row)} ${formatPath(row)}`,
    row.name,
    ...formatPart('auth:', row.auth === null ? [] : [formatAuth(row)]),
    formatDetails(row),
  ]
    .filter((piece) => piece !== '')
    .join('  ')
    .replaceAll(noBreakSpace, ' ')

/** Words in lines of at most this width; a word that is longer has a line of its own. Of several spaces, the last is the gap. */
function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/ (?! )/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => line.trimEnd())
}

/** Less than this is no column to read in. */
const minColumnWidth = 24

/** A cell at the end of a line, in what is left of the width; where too little is left, on lines of its own. */
function formatHangingCell(head: string, text: string, width: number): string {
  const beside = width - head.length >= minColumnWidth
  const indent = beside ? head.length : 4
  const lines = wrapText(text, Math.max(width - indent, 1)).map((one, index) => (beside && index === 0 ? one : ' '.repeat(indent) + one))
  return (beside ? head + lines.join('\n') : [head.trimEnd(), ...lines].join('\n')).replaceAll(noBreakSpace, ' ')
}

/** Rows as lines. With the width of a terminal, in columns; without one, each line stands for itself. Empty where there are no rows. */
export function formatTable(rows: readonly RouteSummary[], width?: number): string {
  if (width === undefined) return rows.map((row) => `${formatRouteLine(row)}\n`).join('')
  const cells = rows.map((row) => [formatMethod(row), formatPath(row), row.name, formatAuth(row)])
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((cell) => cell[column]?.length ?? 0)))
  const heads = cells.map((cell) =>
    cell.map((text, column) => text.padEnd((widths[column] ?? 0) + (widths[column] === 0 ? 0 : 2))).join(''),
  )
  return rows.map((row, index) => `${formatHangingCell(heads[index] ?? '', formatDetails(row), width).trimEnd()}\n`).join('')
}

/** Adds the command. */
export function addRoutesCommand(program: Command, surroundings: CliContext): void {
  const { output, cwd: folder } = surroundings
  createApiCommand(program, 'routes', 'Lists every endpoint: its method, path, name and auth, what it takes and what it answers.')
    .option('--json', 'as JSON, for programs')
    .action(async (module: string, options: ApiOptions & { readonly json?: true }) => {
      const rows = operations(findApi(await loadModule(module, folder), options.export)).map(summarizeRoute)
      const text = options.json ? `${JSON.stringify(rows, null, 2)}\n` : formatTable(rows, output.isTTY ? output.columns : undefined)
      await writeResult(text, undefined, surroundings)
    })
}
