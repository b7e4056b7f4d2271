/** SQLite by the API of node:sqlite: from Node itself where it has all that is used here, else from a package that brings the same. */

import { CannotOpen } from '../cannotOpen.ts'
import type { Value } from '../connection.ts'

/** What is used of `StatementSync`. */
export interface Statement {
  get(...values: readonly Value[]): unknown
  all(...values: readonly Value[]): unknown[]
  run(...values: readonly Value[]): { readonly changes: number | bigint; readonly lastInsertRowid: number | bigint }
  /** Rows as arrays of their columns, from now on. */
  setReturnArrays(enabled: boolean): void
}

/** What is used of `DatabaseSync`. */
export interface Database {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  exec(sql: string): void
  prepare(sql: string): Statement
  close(): void
}

/** What is used of the module. Spelled out, because the types of Node 20 do not have it. */
export interface SqliteModule {
  readonly DatabaseSync: new (path: string, options?: { readonly timeout?: number; readonly readOnly?: boolean }) => Database
  readonly StatementSync: { readonly prototype: object }
}

const name = 'node:sqlite'

/** Has the same in binaries that fit every version of Node, for common systems alone: so it is an optional dependency. */
const packageName: string = '@photostructure/sqlite'

/**
 * Node's own module; undefined where there is none. Node 22 warns of it on standard error as soon as it is loaded, and what it warns of is
 * looked at below: that one warning is left out, at that one moment.
 */
function builtin(): SqliteModule | undefined {
  const { emitWarning } = process
  const others = (warning: string | Error, ...rest: never[]): void => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest)
  }
  process.emitWarning = others
  try {
    return process.getBuiltinModule?.(name) as SqliteModule | undefined // as Node's documentation says
  } finally {
    process.emitWarning = emitWarning
  }
}

/** `timeout`, `isTransaction` and `setReturnArrays` came together, with Node 22.16 and 24. */
const isWhole = ({ StatementSync }: SqliteModule): boolean => 'setReturnArrays' in StatementSync.prototype

/**
 * What Node's class does and the package's leaves out. There, a statement does not keep its database from being collected; and the connection ends
 * with the last statement only, which is when they are collected: until then what was changed would be in the write-ahead log alone.
 */
function completed({ DatabaseSync, ...rest }: SqliteModule): SqliteModule {
  const databases = new WeakMap<Statement, Database>()
  class Completed extends DatabaseSync {
    override prepare(sql: string): Statement {
      const statement = super.prepare(sql)
      databases.set(statement, this)
      return statement
    }

    override close(): void {
      try {
        super.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // Nothing is lost: what the file could not take stays in the log beside it.
      }
      super.close()
    }
  }
  return { ...rest, DatabaseSync: Completed }
}

async function installed(): Promise<SqliteModule> {
  try {
    return completed((await import(packageName)) as SqliteModule) // the same API
  } catch (cause) {
    throw new CannotOpen(
      `Cannot open SQLite databases: Node.js ${process.versions.node} has no complete ${name}, and ${packageName} is not installed or not made for this system. Use Node.js 22.16 or newer.`,
      { cause },
    )
  }
}

const own = builtin()

export const { DatabaseSync }: SqliteModule = own !== undefined && isWhole(own) ? own : await installed()
