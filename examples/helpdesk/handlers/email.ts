import type { Handlers } from 'lapidary/server'
import type { api } from '../api.ts'
import { addTicket, findOrg, type Store } from '../store.ts'

/** A mail is a new ticket. One to an unknown organization is dropped, since its sender would only send it again. */
export const createEmailHandler =
  ({ write }: Store): Handlers<typeof api>['email'] =>
  ({ body: { to, from, subject, text } }) =>
    write(async (tx) => {
      const org = await findOrg(tx, to)
      if (org) await addTicket(tx, org.id, { title: subject, text, author: from, priority: 'normal', assignee: null, dueAt: null })
    })
