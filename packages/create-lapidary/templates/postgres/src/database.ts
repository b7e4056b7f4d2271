/** The stones in PostgreSQL, by Kysely. */
import { type Generated, Kysely, PostgresDialect } from 'kysely'
import { kyselySource } from 'lapidary/kysely'
import pg from 'pg'
import type { Store } from './store.ts'

interface Tables {
  stones: { id: Generated<number>; name: string; hardness: number }
}

/** Pages are read from these indexes, the last one as fast as the first. */
async function createTables({ schema }: Kysely<Tables>): Promise<void> {
  await schema
    .createTable('stones')
    .ifNotExists()
    .addColumn('id', 'integer', (column) => column.primaryKey().generatedAlwaysAsIdentity())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('hardness', 'integer', (column) => column.notNull())
    .execute()
  for (const field of ['name', 'hardness'])
    await schema.createIndex(`stones_by_${field}`).ifNotExists().on('stones').columns([field, 'id']).execute()
}

export interface DatabaseStore extends Store {
  readonly close: () => Promise<void>
}

export async function openDatabase(connectionString: string): Promise<DatabaseStore> {
  const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString }) }) })
  await createTables(database)

  const fields = { name: 'stones.name', hardness: 'stones.hardness' } as const
  /** The row stays as it is until the transaction ends. */
  const lock = (transaction: Kysely<Tables>, id: number) =>
    transaction.selectFrom('stones').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

  return {
    stones: () => kyselySource(database.selectFrom('stones').selectAll(), { fields, key: 'stones.id' }),
    find: (id) => database.selectFrom('stones').selectAll().where('id', '=', id).executeTakeFirst(),
    add: (stone) => database.insertInto('stones').values(stone).returningAll().executeTakeFirstOrThrow(),
    change: (id, stone, check) =>
      database.transaction().execute(async (transaction) => {
        const present = await lock(transaction, id)
        if (present === undefined) return undefined
        check(present)
        return transaction.updateTable('stones').set(stone).where('id', '=', id).returningAll().executeTakeFirst()
      }),
    remove: (id, check) =>
      database.transaction().execute(async (transaction) => {
        const present = await lock(transaction, id)
        if (present === undefined) return false
        check(present)
        await transaction.deleteFrom('stones').where('id', '=', id).execute()
        return true
      }),
    close: () => database.destroy(),
  }
}
