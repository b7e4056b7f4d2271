/** Migrates the tables of a database. Several processes may do so at once. The SQL is in the folder `migrations` of the service. */
import { readFileSync } from 'node:fs'
import type { Awaitable } from './connection.ts'
import { OpenError } from './errors.ts'

/** A step from one version of the tables to the next. */
interface Migration {
  readonly version: number
  /** What it does, in a few words without quotes. The database stores it beside the version. */
  readonly title: string
  /** SQL that runs once, all or nothing, on the tables of the previous version. Empty if there is nothing to do. */
  readonly sql: (kind: MigrationTarget['kind']) => string
}

/** The path is the same from `src` and from `dist`. */
const readSql = (name: string): string => readFileSync(new URL(`../../migrations/${name}.sql`, import.meta.url), 'utf8')

/** In order: version 1 first, without gaps. */
export const migrations: readonly Migration[] = Object.freeze([
  { version: 1, title: 'tables and first rows', sql: (kind) => readSql(`0001-tables.${kind}`) + readSql('0001-first-rows') },
  { version: 2, title: 'indexes that hold whole colours', sql: (kind) => (kind === 'sqlite' ? readSql('0002-covering.sqlite') : '') },
] satisfies Migration[])

/** A connection to a database that is being opened. */
interface MigrationTarget {
  readonly kind: 'sqlite' | 'postgres'
  /** Runs statements. */
  readonly run: (sql: string) => Awaitable<unknown>
  /** Begins a transaction, and waits until no other process migrates. */
  readonly lock: () => Awaitable<unknown>
  /** The version of the tables, 0 for an empty database. Only reads. Throws `OpenError` for a database of another program. */
  readonly version: () => Awaitable<number>
}

/** Returns the version of the tables. Throws `OpenError` for tables of a newer build. */
async function checkedVersion({ version }: MigrationTarget): Promise<number> {
  const found = await version()
  if (found <= migrations.length) return found
  throw new OpenError(`its tables are of version ${found} and this build knows version ${migrations.length} at most; start a newer build`)
}

/** Runs the pending migrations, all or none. Repeating is safe. */
export async function migrate(target: MigrationTarget): Promise<void> {
  const { kind, run, lock } = target
  // Most starts find the tables up to date and need no lock.
  if ((await checkedVersion(target)) === migrations.length) return
  await lock()
  try {
    // Another process may have migrated before this one got the lock.
    for (const { version, title, sql } of migrations.slice(await checkedVersion(target))) {
      await run(sql(kind))
      await run(`INSERT INTO migrations VALUES (${version}, '${title}', '${new Date().toISOString()}')`)
    }
    await run('COMMIT')
  } catch (error) {
    try {
      await run('ROLLBACK')
    } catch {
      // The database has rolled back by itself: after a full disk, or because the connection failed.
    }
    throw error
  }
}
