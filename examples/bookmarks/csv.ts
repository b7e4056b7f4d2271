/** CSV (RFC 4180): the media type of what is exported, and the reader of what is imported. */
import { type Items, mediaType } from 'lapidary'

const quote = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(' ') : String(value ?? '')
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
const formatLine = (values: readonly unknown[]): string => `${values.map(quote).join(',')}\r\n`

/** `text/csv` for a list of flat records, line by line. Its columns are the members of the schema; a list is its items with spaces. */
export const csv = mediaType<Items<Readonly<Record<string, unknown>>>>({
  types: ['text/csv;charset=utf-8'],
  writer: (schema) => {
    const names = Object.keys((typeof schema?.items === 'object' && schema.items.properties) || {})
    return async function* (rows) {
      yield formatLine(names)
      for await (const row of rows) yield formatLine(names.map((name) => row[name]))
    }
  },
})

/** Reads records by the names in the first line. A field that is empty is left out. Undefined where the text is no CSV. */
export function parseCsv(text: string): readonly Readonly<Record<string, string>>[] | undefined {
  const field = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r?\n|$)/y
  const lines: string[][] = []
  for (let line: string[] = []; field.lastIndex < text.length || line.length > 0; ) {
    const [, value = '', end] = field.exec(text) ?? []
    if (end === undefined) return undefined
    line.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    if (end !== ',') lines.push(line.splice(0))
  }
  const [names = [], ...rest] = lines
  return rest.map((line) => Object.fromEntries(names.map((name, index) => [name, line[index] ?? '']).filter(([, value]) => value !== '')))
}
