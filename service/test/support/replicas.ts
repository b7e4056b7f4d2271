/** Starts replicas of the built service for tests, on one PostgreSQL database. */

import { program } from '../../../scripts/nginx.mjs'
import { createReplica, type Replica } from '../../../scripts/replica.mjs'
import { type PostgresDatabase, postgresDatabase } from './databases/postgres.ts'

/** Three replicas that run. */
export interface Replicas {
  readonly database: PostgresDatabase
  readonly all: readonly [first: Replica, second: Replica, third: Replica]
  /** Ends them and removes their database. */
  readonly close: () => Promise<void>
}

/** Three processes, a database and their clients share the machine with other tests: none of them is late for that. */
const patient = { DATABASE_TIMEOUT_MS: '5000', MAX_WAIT_MS: '60000' }

/** Starts three at once. The caller closes them. */
export async function replicas(): Promise<Replicas> {
  const database = await postgresDatabase()
  const all = [
    await createReplica(database.url, patient),
    await createReplica(database.url, patient),
    await createReplica(database.url, patient),
  ] as const
  const close = async (): Promise<void> => {
    await Promise.all(all.map((one) => one.remove()))
    await database.remove()
  }
  try {
    await Promise.all(all.map((one) => one.start()))
  } catch (error) {
    await close()
    throw error
  }
  return { database, all, close }
}

/** Says once that there is no nginx, where there is none; tests skip what needs it. */
export function withoutNginx(): boolean {
  if (program === undefined) process.stdout.write('There is no nginx on this machine: what replicas do behind it is not tested.\n')
  return program === undefined
}
