/** Kysely on the API of node:sqlite: here from the package that brings it to Node 20, later from Node itself. */
import { DatabaseSync } from '@photostructure/sqlite'
import { type SqliteDatabase, SqliteDialect } from 'kysely'

/** A database as Kysely's dialect expects it. */
function database(path: string): SqliteDatabase {
  const opened = new DatabaseSync(path)
  return {
    close: () => opened.close(),
    prepare: (sql) => {
      const statement = opened.prepare(sql)
      return {
        reader: statement.columns().length > 0,
        all: (values) => statement.all(...values),
        run: (values) => statement.run(...values),
        iterate: (values) => statement.iterate(...values),
      }
    },
  }
}

/** The database at `path`, or one in memory for `:memory:`. It is opened with the first query. */
export const sqliteDialect = (path: string): SqliteDialect => new SqliteDialect({ database: async () => database(path) })
