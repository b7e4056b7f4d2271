/** Rows as text: one line each, in columns where there is a width for them. */
import type { Reply, Row, Value } from './row.ts'

/** A space that no line is broken at. */
const fast = '\u00a0'
const unbroken = (text: string): string => text.replaceAll(' ', fast)

const value = ({ name, type, required }: Value): string => unbroken(`${name}${required ? '' : '?'} (${type})`)
const reply = ({ status, body }: Reply): string => unbroken(`${status} ${body.join('|')}`.trim())

const part = (title: string, words: readonly string[], separator = ', '): readonly string[] =>
  words.length === 0 ? [] : [`${title}${fast}${words.join(separator)}`]

/** What it takes and what it answers, piece by piece. */
const details = ({ captures, query, headers, body, answers }: Row): string =>
  [
    ...part('path:', captures.map(value)),
    ...part('query:', query.map(value)),
    ...part('headers:', headers.map(value)),
    ...part('body:', body, '|'),
    ...part('→', answers.map(reply)),
  ].join('  ')

const auth = (row: Row): string => (row.auth === null ? '' : `${row.auth.scheme} (${row.auth.name})`)
const method = (row: Row): string => row.method ?? 'ANY'
const path = (row: Row): string => (row.method === null ? `${row.path.replace(/\/$/, '')}/…` : row.path)

/** `GET /users  users.list  query: sortby? (age|name)  → 200 JSON`: a line that does not change when others do. */
export const rowLine = (row: Row): string =>
  [`${method(row)} ${path(row)}`, row.name, ...part('auth:', row.auth === null ? [] : [auth(row)]), details(row)]
    .filter((piece) => piece !== '')
    .join('  ')
    .replaceAll(fast, ' ')

/** Words in lines of at most this width; a word that is longer has a line of its own. Of several spaces, the last is the gap. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(/ (?! )/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.map((line) => line.trimEnd())
}

/** Less than this is no column to read in. */
const narrowest = 24

/** A cell at the end of a line, in what is left of the width; where too little is left, on lines of its own. */
function hung(head: string, text: string, width: number): string {
  const beside = width - head.length >= narrowest
  const indent = beside ? head.length : 4
  const lines = wrapped(text, Math.max(width - indent, 1)).map((one, index) => (beside && index === 0 ? one : ' '.repeat(indent) + one))
  return (beside ? head + lines.join('\n') : [head.trimEnd(), ...lines].join('\n')).replaceAll(fast, ' ')
}

/** Rows as lines. With the width of a terminal, in columns; without one, each line stands for itself. Empty where there are no rows. */
export function table(rows: readonly Row[], width?: number): string {
  if (width === undefined) return rows.map((row) => `${rowLine(row)}\n`).join('')
  const cells = rows.map((row) => [method(row), path(row), row.name, auth(row)])
  const widths = [0, 1, 2, 3].map((column) => Math.max(0, ...cells.map((cell) => cell[column]?.length ?? 0)))
  const heads = cells.map((cell) =>
    cell.map((text, column) => text.padEnd((widths[column] ?? 0) + (widths[column] === 0 ? 0 : 2))).join(''),
  )
  return rows.map((row, index) => `${hung(heads[index] ?? '', details(row), width).trimEnd()}\n`).join('')
}
