/** The books in SQLite, by Kysely. `@photostructure/sqlite` brings the API of `node:sqlite` to Node.js 20. */
import { DatabaseSync } from '@photostructure/sqlite'
import { type Generated, Kysely, SqliteDialect } from 'kysely'

interface Tables {
  books: { id: Generated<number>; title: string; year: number | null }
}
export type Database = Kysely<Tables>

/** Opens the database at a path, or one in memory for `:memory:`. A new one has three books. */
export function openDatabase(path: string): Database {
  const sqlite = new DatabaseSync(path)
  sqlite.exec(`
    create table if not exists books (id integer primary key autoincrement, title text not null, year integer);
    create index if not exists books_by_title on books (title, id);
    insert or ignore into books values (1, 'Principia', 1687), (2, 'Opticks', 1704), (3, 'Poems', null);
  `)
  function prepare(sql: string) {
    const statement = sqlite.prepare(sql)
    return {
      reader: statement.columns().length > 0,
      all: (values: readonly unknown[]) => statement.all(...values),
      run: (values: readonly unknown[]) => statement.run(...values),
      iterate: (values: readonly unknown[]) => statement.iterate(...values),
    }
  }
  return new Kysely({ dialect: new SqliteDialect({ database: { prepare, close: () => sqlite.close() } }) })
}
