/** Writes rows as SQL literals, for the data that a migration brings along. */

type Value = string | number | null

function literal(value: Value): string {
  if (value === null) return 'NULL'
  return typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`
}

/** `(1, 'one'), (2, 'two')`, to stand behind VALUES. For data of our own; what a client sent is always bound. */
export function literals(rows: readonly (readonly Value[])[]): string {
  return rows.map((row) => `(${row.map(literal).join(', ')})`).join(',\n  ')
}
