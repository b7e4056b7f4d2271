/** The databases of the tests: each test file runs on SQLite and on PostgreSQL, in one Vitest project each. */

import { onTestFinished } from 'vitest'
import { type PostgresDatabase, postgresDatabase, postgresSchema } from './postgres.ts'
import { sqliteDatabase } from './sqlite.ts'

export type Kind = 'sqlite' | 'postgres'

/** What the tests of this run are about. */
export const kind: Kind = process.env['DATABASE'] === 'postgres' ? 'postgres' : 'sqlite'

/** Whether a service on SQLite runs beside each one on PostgreSQL and has to answer the same. */
export const hasTwins: boolean = kind === 'postgres' && process.env['TWINS'] === 'yes'

/** Runs a statement, once for each list of values; they stand where `?` does. All of it or nothing is done. */
export type Run = (sql: string, rows?: readonly (readonly (string | number)[])[]) => Promise<void>

/** A connection that stays open. */
export interface Session {
  readonly run: Run
  readonly close: () => Promise<void>
}

/** A database of a test, and what the test can do to it while the service uses it. */
export interface Database {
  /** As `DATABASE_URL`. */
  readonly url: string
  /** That, and that of its twin where it has one. */
  readonly urls: readonly string[]
  /** Works on it over a connection that is opened for this alone. */
  readonly run: Run
  /** For those who have much to do. */
  readonly session: () => Promise<Session>
  /** Keeps others from writing, until the function that it gives is called. */
  readonly lock: () => Promise<() => Promise<void>>
  /** Takes the database away, until the function that it gives is called. */
  readonly takeAway: () => Promise<() => Promise<void>>
  readonly remove: () => Promise<void>
}

/** A new database, not opened yet. The caller removes it. `folder` is where a file may be. */
export const database = (folder: string, of: Kind = kind): Promise<Database> | Database =>
  of === 'postgres' ? postgresSchema() : sqliteDatabase(folder)

/** A database in PostgreSQL for one test, in every project. */
export async function postgresOfTest(): Promise<PostgresDatabase> {
  const made = await postgresDatabase()
  onTestFinished(made.remove)
  return made
}
