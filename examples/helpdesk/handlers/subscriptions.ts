import type { Handlers } from 'lapidary/server'
import { createWebhookSecret } from 'lapidary/webhooks'
import type { api } from '../api.ts'
import type { WithMember } from '../guards.ts'
import type { Store } from '../store.ts'
import type { Webhooks } from '../webhooks.ts'

export const createSubscriptionHandlers = (
  { database }: Store,
  { allow }: Webhooks,
): Handlers<typeof api.org.subscriptions, WithMember> => ({
  list: ({ member }) => database.selectFrom('subscriptions').select(['id', 'url']).where('org', '=', member.org).orderBy('id').execute(),
  add: async ({ body: { url }, member, fail }) => {
    if (!allow(new URL(url))) return fail(422, { detail: 'The URL has to be public.' })
    const values = { org: member.org, url, secret: createWebhookSecret() }
    return database.insertInto('subscriptions').values(values).returning(['id', 'url', 'secret']).executeTakeFirstOrThrow()
  },
  remove: async ({ params, member, fail }) => {
    const remove = database.deleteFrom('subscriptions').where('org', '=', member.org).where('id', '=', params.subscription)
    if ((await remove.returning('id').executeTakeFirst()) === undefined) return fail(404)
  },
})
