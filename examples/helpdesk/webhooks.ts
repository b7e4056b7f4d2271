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
    // Two organizations can have one URL, so the fragment, which is not sent, says whose secret it is.
    secret: async ({ url }) => {
      const id = Number(new URL(url).hash.slice(1))
      const { secret } = await database.selectFrom('subscriptions').select('secret').where('id', '=', id).executeTakeFirstOrThrow()
      return secret
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
      const options = { store: kyselyWebhookStore(transaction) }
      for (const { id, url } of subscriptions) {
        const target = new URL(url)
        target.hash = `${id}`
        await send.ticketClosed(target, { org: org.slug, ticket }, options)
      }
    },
  }
}
