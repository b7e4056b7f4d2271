/** The migrations in order: version 1 first, without gaps. */

import { createTables } from './migrations/0001-tables.ts'
import { coveringIndexes } from './migrations/0002-covering.ts'

/** A step from one version of the tables to the next. */
export interface Migration {
  readonly version: number
  /** What it does, in a few words. The database stores it beside the version. */
  readonly title: string
  /** SQL that runs once, all or nothing, on the tables of the previous version. Empty if there is nothing to do. */
  readonly sqlite: string
  readonly postgres: string
}

export const migrations: readonly Migration[] = Object.freeze([createTables, coveringIndexes])

/** The error for tables of a newer build. */
export const newerVersion = (found: number): string =>
  `its tables are of version ${found} and this build knows version ${migrations.length} at most; start a newer build`
