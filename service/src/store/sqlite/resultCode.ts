/** SQLite's result codes (https://www.sqlite.org/rescode.html), and the one that an error carries. */

/** Those that mean something to the service, with SQLite's own sentence for each. */
const results = {
  BUSY: [5, 'database is locked'],
  LOCKED: [6, 'database table is locked'],
  NOMEM: [7, 'out of memory'],
  READONLY: [8, 'attempt to write a readonly database'],
  IOERR: [10, 'disk I/O error'],
  FULL: [13, 'database or disk is full'],
  CANTOPEN: [14, 'unable to open database file'],
  PROTOCOL: [15, 'locking protocol'],
  NOTADB: [26, 'file is not a database'],
} as const

export type ResultName = keyof typeof results

const entries = Object.entries(results) as readonly (readonly [ResultName, readonly [code: number, sentence: string]])[]
const byCode = new Map(entries.map(([name, [code]]) => [code, name]))
const bySentence = new Map(entries.map(([name, [, sentence]]) => [sentence, name]))

/** Which of SQLite's failures this is; undefined for one of another kind, and for what SQLite did not throw. */
export function resultOf(error: unknown): ResultName | undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) return undefined
  // The extended code has the primary one in its lowest byte. In the package, `all` throws without a code.
  return 'errcode' in error && typeof error.errcode === 'number' ? byCode.get(error.errcode & 0xff) : bySentence.get(error.message)
}
