/** All handlers, and the guards around those of an organization. */
import { guard, type Handlers } from 'lapidary/server'
import { api } from './api.ts'
import { requireMember, requireRole, type WithMember } from './guards.ts'
import { createAccountHandlers } from './handlers/accounts.ts'
import { createAttachmentHandlers } from './handlers/attachments.ts'
import { createDocumentHandlers } from './handlers/documents.ts'
import { createEmailHandler } from './handlers/email.ts'
import { createEventHandler } from './handlers/events.ts'
import { createMemberHandlers, createOrgHandlers } from './handlers/orgs.ts'
import { createSubscriptionHandlers } from './handlers/subscriptions.ts'
import { createTicketHandlers } from './handlers/tickets.ts'
import type { Limiter } from './limiter.ts'
import type { Store } from './store.ts'
import type { Webhooks } from './webhooks.ts'

export interface Services {
  readonly store: Store
  readonly webhooks: Webhooks
  readonly limiter: Limiter
  /** Where attachments are stored. */
  readonly folder: string
}

export async function createHandlers({ store, webhooks, limiter, folder }: Services): Promise<Handlers<typeof api>> {
  const org: Handlers<typeof api.org, WithMember> = {
    members: createMemberHandlers(store),
    tickets: createTicketHandlers(store, webhooks, limiter),
    attachments: createAttachmentHandlers(store, folder),
    subscriptions: createSubscriptionHandlers(store, webhooks),
    events: createEventHandler(store),
  }
  return {
    accounts: createAccountHandlers(store),
    orgs: createOrgHandlers(store),
    org: guard(api.org, requireMember(store.database), guard(api.org, requireRole, org)),
    email: createEmailHandler(store),
    documents: await createDocumentHandlers(),
    ready: ({ fail }, { shutdown }) => (shutdown.aborted ? fail(503) : 'ready'),
  }
}
