/** The table of `kyselyWebhookStore`, as its documentation says. */
import { type Kysely, sql } from 'kysely'

export async function createDeliveriesTable(database: Kysely<unknown>): Promise<void> {
  await sql`create table webhook_deliveries (
    id text primary key, webhook text not null, url text not null, subscription text, content_type text not null, payload text not null,
    attempts integer not null, owner text, due_at bigint, error text)`.execute(database)
  await sql`create index webhook_deliveries_due_at on webhook_deliveries (due_at)`.execute(database)
}
