/** SQLite with the API of node:sqlite: the module of Node if it is complete, else a package with the same API. */

import type { SqlValue } from '../connection.ts'
import { OpenError } from '../errors.ts'

/** The used part of `StatementSync`. */
interface Statement {
  get(...values: readonly SqlValue[]): unknown
  all(...values: readonly SqlValue[]): unknown[]
  run(...values: readonly SqlValue[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  /** From now on rows are arrays of their columns. */
  setReturnArrays(enabled: boolean): void
}

/** The used part of `DatabaseSync`. */
export interface Database {
  readonly isOpen: boolean
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** The used part of the module. The types of Node 20 do not have it. */
interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { readonly timeout?: number; readonly readOnly?: boolean }) => Database
  readonly StatementSync: { readonly prototype: object }
}

const builtinName = 'node:sqlite'

/** An optional dependency, because it has binaries for common systems only. */
const packageName: string = '@photostructure/sqlite'

/** Node's module, if there is one. Node 22 warns about it when it is loaded. That one warning is suppressed. */
function loadBuiltin(): SqliteModule | undefined {
  const { emitWarning } = process
  process.emitWarning = (warning: string | Error, ...rest: never[]): void => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest)
  }
  try {
    return process.getBuiltinModule?.(builtinName) as SqliteModule | undefined // as Node's documentation says
  } finally {
    process.emitWarning = emitWarning
  }
}

/**
 * Loads the package and adds what it lacks. Its statements do not keep their database alive. Its connections end only when the last
 * statement is collected, and until then changes would stay in the write-ahead log.
 */
async function loadPackage(): Promise<Pick<SqliteModule, 'DatabaseSync'>> {
  const { DatabaseSync } = await (import(packageName) as Promise<SqliteModule>).catch((cause) => {
    throw new OpenError(
      `Cannot open SQLite databases: Node.js ${process.versions.node} has no complete ${builtinName}, and ${packageName} is not installed or not made for this system. Use Node.js 22.16 or newer.`,
      { cause },
    )
  })
  class CompleteDatabase extends DatabaseSync {
    override prepare(sql: string): Statement {
      return Object.assign(super.prepare(sql), { database: this })
    }

    override close(): void {
      try {
        super.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // Nothing is lost: the data stays in the log beside the file.
      }
      super.close()
    }
  }
  return { DatabaseSync: CompleteDatabase }
}

const builtin = loadBuiltin()
/** The option `timeout` and the method `setReturnArrays` appeared together in Node 22.16 and 24. */
const isComplete = builtin !== undefined && 'setReturnArrays' in builtin.StatementSync.prototype

export const { DatabaseSync }: Pick<SqliteModule, 'DatabaseSync'> = isComplete ? builtin : await loadPackage()
