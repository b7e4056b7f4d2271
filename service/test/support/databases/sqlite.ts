/** A SQLite database for one test. */

import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '../../../src/store/sqlite/module.ts'

import type { Database, Session } from './database.ts'

/** In the folder `data` of this folder, which goes away with it. */
export function sqliteDatabase(folder: string): Database {
  const path = join(folder, 'data', 'service.db')
  const session = async (): Promise<Session> => {
    const direct = new DatabaseSync(path, { timeout: 5000 })
    return {
      run: async (sql, rows) => {
        if (rows === undefined) return void direct.exec(sql)
        const statement = direct.prepare(sql)
        direct.exec('BEGIN')
        for (const row of rows) statement.run(...row)
        direct.exec('COMMIT')
      },
      close: async () => void direct.close(),
    }
  }
  return {
    url: `sqlite:${path}`,
    urls: [`sqlite:${path}`],
    session,
    run: async (sql, rows) => {
      const direct = await session()
      await direct.run(sql, rows).finally(direct.close)
    },
    lock: async () => {
      const other = new DatabaseSync(path)
      other.exec('BEGIN IMMEDIATE')
      return async () => {
        other.exec('ROLLBACK')
        other.close()
      }
    },
    takeAway: async () => {
      renameSync(path, `${path}.away`)
      return async () => renameSync(`${path}.away`, path)
    },
    remove: async () => {},
  }
}
