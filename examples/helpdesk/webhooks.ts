/** Sends webhooks to the subscriptions of an organization. */
import { kyselyWebhookStore } from 'lapidary/kysely'
import { fetchPublic } from 'lapidary/node'
import { createWebhookSender, isPublicUrl } from 'lapidary/webhooks'
import { api } from './api.ts'
import type { Database } from './database.ts'
import type { Ticket } from './schemas.ts'

export type Webhooks = ReturnType<typeof startWebhooks>

/** `allowsPrivate` is for tests, whose receivers are on this machine. */
export function startWebhooks(database: Database, { allowsPrivate }: { readonly allowsPrivate: boolean }) {
  const allow = (url: URL): boolean => allowsPrivate || isPublicUrl(url)

  const { send, close } = createWebhookSender(api, {
    // Two organizations can have one URL. What a removed subscription still has to get is given up.
    secret: async ({ subscription }) => {
      const row = await database.selectFrom('subscriptions').select('secret').where('id', '=', Number(subscription)).executeTakeFirst()
      return row?.secret
    },
    store: kyselyWebhookStore(database),
    allow,
    fetch: allowsPrivate ? fetch : fetchPublic,
    minDelay: 1_000,
  })

  return {
    allow,
    close,
    /** What it sends is sent if the transaction is committed. */
    async sendTicketClosed(transaction: Database, org: { readonly id: number; readonly slug: string }, ticket: Ticket): Promise<void> {
      const subscriptions = await transaction.selectFrom('subscriptions').selectAll().where('org', '=', org.id).execute()
      const store = kyselyWebhookStore(transaction)
      for (const { id, url } of subscriptions) await send.ticketClosed(url, { org: org.slug, ticket }, { store, subscription: `${id}` })
    },
  }
}
