/** Two services, one on each database, whose responses must be identical. */

import type { ReceivedResponse, Sent } from '../../specification/send.ts'
import type { Database } from './database.ts'

/** The base of a service that is compared, and that of its twin. */
const twins = new Map<string, string>()

/** From now on, what is asked of one is asked of the other as well. */
export const pair = (base: string, twin: string): void => void twins.set(base, twin)
/** Ports are used again, later by other servers. */
export const part = (base: string): void => void twins.delete(base)
export const twinOf = (base: string): string | undefined => twins.get(base)

/** What two moments, or two processes, tell apart. */
const ofTheMoment = /^(date|connection|keep-alive|x-request-id)$/
const requestId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

const compared = ({ status, reason, headers, bytes }: ReceivedResponse): string => {
  // When another attempt is worth making, each database knows by itself; and how much of a minute is left depends on the moment.
  const isOwn = status === 503 || status === 429
  const lines = Object.entries(headers).filter(([name]) => !ofTheMoment.test(name) && !(isOwn && name === 'retry-after'))
  return JSON.stringify({ status, reason, lines, body: bytes.toString('latin1').replaceAll(requestId, 'ID') })
}

/** Throws when the two answers to one request differ. */
export function same(request: string | Sent, response: ReceivedResponse, twin: ReceivedResponse): void {
  const [here, there] = [compared(response), compared(twin)]
  if (here === there) return
  throw new Error(`Two databases, two answers to ${JSON.stringify(request)}:\npostgres ${here}\nsqlite   ${there}`)
}

/** Two databases to which the same is done. The URL is that of the first. */
export function both(one: Database, other: Database): Database {
  const twice =
    (action: 'lock' | 'takeAway'): Database['lock'] =>
    async () => {
      const undo = [await one[action](), await other[action]()]
      return async () => {
        for (const back of undo) await back()
      }
    }
  return {
    url: one.url,
    urls: [...one.urls, ...other.urls],
    run: async (sql, rows) => {
      await one.run(sql, rows)
      await other.run(sql, rows)
    },
    session: async () => {
      const [here, there] = [await one.session(), await other.session()]
      return {
        run: async (sql, rows) => {
          await here.run(sql, rows)
          await there.run(sql, rows)
        },
        close: async () => {
          await here.close()
          await there.close()
        },
      }
    },
    lock: twice('lock'),
    takeAway: twice('takeAway'),
    remove: async () => {
      await one.remove()
      await other.remove()
    },
  }
}
