/** Deliveries of webhooks in one table, across restarts and for several processes: `kyselyWebhookStore(database)`. */
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { WebhookDelivery, WebhookStore } from '../webhooks/webhookStore.ts'

/** The table. */
export interface KyselyWebhookStoreOptions {
  /** The name of the table. @default `webhook_deliveries` */
  readonly table?: string
}

/** A row of the table. */
interface DeliveryRow {
  readonly id: string
  readonly webhook: string
  readonly url: string
  readonly subscription: string | null
  readonly content_type: string
  readonly payload: string
  readonly attempts: number
}

/**
 * Returns a store in a table of SQLite or PostgreSQL. A delivery that has arrived is deleted. One that is given up stays, with `due_at` null
 * and the reason in `error`: an operator can read it, delete it, or send it again by an update that sets `due_at` and `attempts` to 0. The
 * clocks of the processes may differ only by seconds.
 *
 * ```sql
 * create table webhook_deliveries (
 *   id text primary key,
 *   webhook text not null,
 *   url text not null,
 *   subscription text,
 *   content_type text not null,
 *   payload text not null,
 *   attempts integer not null,
 *   owner text,
 *   due_at bigint,
 *   error text
 * );
 * create index webhook_deliveries_due_at on webhook_deliveries (due_at);
 * ```
 *
 * @param database A transaction for one call of `send`: the delivery is added with what the transaction changes, or not at all.
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 * import { webhook } from 'lapidary'
 * import { kyselyWebhookStore } from 'lapidary/kysely'
 * import { createWebhookSecret, createWebhookSender } from 'lapidary/webhooks'
 * import { z } from 'zod'
 *
 * declare const database: Kysely<unknown>
 * const api = { paid: webhook('order.paid', { body: z.object({ id: z.int() }) }) }
 * const { send } = createWebhookSender(api, { secret: createWebhookSecret(), store: kyselyWebhookStore(database) })
 * await database.transaction().execute(async (transaction) => {
 *   await send.paid('https://shop.example/hooks', { id: 7 }, { store: kyselyWebhookStore(transaction) })
 * })
 * ```
 */
export function kyselyWebhookStore<DB>(
  database: Kysely<DB> | Transaction<DB>,
  { table: name = 'webhook_deliveries' }: KyselyWebhookStoreOptions = {},
): WebhookStore {
  const table = sql.table(name)
  const run = async <Row>(query: RawBuilder<Row>): Promise<readonly Row[]> => (await query.execute(database)).rows

  return {
    add: async ({ id, webhook, url, subscription = null, contentType, payload, attempts }) => {
      await run(sql`
        insert into ${table} (id, webhook, url, subscription, content_type, payload, attempts, due_at)
        values (${id}, ${webhook}, ${url}, ${subscription}, ${contentType}, ${payload}, ${attempts}, ${Date.now()})`)
    },
    claim: async ({ owner, lease, limit }) => {
      const now = Date.now()
      // The outer condition is checked again when another process has claimed a row in the meantime.
      const rows = await run(sql<DeliveryRow>`
        update ${table}
        set owner = ${owner}, due_at = ${now + lease}, attempts = attempts + 1
        where due_at <= ${now} and id in (select id from ${table} where due_at <= ${now} order by due_at limit ${limit})
        returning id, webhook, url, subscription, content_type, payload, attempts`)
      return rows.map(
        ({ content_type: contentType, ...row }): WebhookDelivery => ({
          ...row,
          subscription: row.subscription ?? undefined,
          contentType,
          attempts: Number(row.attempts),
        }),
      )
    },
    complete: async (id) => {
      await run(sql`delete from ${table} where id = ${id}`)
    },
    postpone: async ({ id, owner, reason }, delay) => {
      await run(sql`
        update ${table} set owner = null, due_at = ${Math.ceil(Date.now() + delay)}, error = ${reason} where id = ${id} and owner = ${owner}`)
    },
    giveUp: async ({ id, owner, reason }) => {
      await run(sql`update ${table} set owner = null, due_at = null, error = ${reason} where id = ${id} and owner = ${owner}`)
    },
  }
}
