import { applyMergePatch, errors, withHeaders } from 'lapidary'
import { keyset } from 'lapidary/kysely'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { api, ticketPages } from '../api.ts'
import type { Database } from '../database.ts'
import type { WithMember } from '../guards.ts'
import type { Limiter } from '../limiter.ts'
import { type Ticket, TicketContent } from '../schemas.ts'
import { addTicket, findTicket, logChange, type Store, selectMembers, selectTickets, toTicket, updateTicket } from '../store.ts'
import type { Webhooks } from '../webhooks.ts'

const by = { fields: { createdAt: 'tickets.created_at' }, key: 'tickets.id' } as const

const createClosedProblem = (closedAt: Date) => ({ body: { type: '/problems/ticket-closed', closedAt } }) as const

async function requireAssignee(database: Database, org: number, assignee: string | null): Promise<void> {
  if (assignee === null) return
  const member = await selectMembers(database, org).where('name', '=', assignee).executeTakeFirst()
  if (member === undefined) throw errors.unprocessableContent({ detail: `${assignee} is no member.` })
}

export function createTicketHandlers(
  { database, write }: Store,
  webhooks: Webhooks,
  limiter: Limiter,
): Handlers<typeof api.org.tickets, WithMember> {
  return {
    list: (input) => {
      const { state, assignee, since } = input.query
      const query = selectTickets(database, input.member.org)
        .$if(state !== undefined, (tickets) => tickets.where('closed_at', state === 'open' ? 'is' : 'is not', null))
        .$if(assignee !== undefined, (tickets) => tickets.where('assignee', '=', assignee ?? null))
        .$if(since !== undefined, (tickets) => tickets.where('created_at', '>=', since?.toISOString() ?? ''))
      return ticketPages.page(
        input,
        { page: async (page) => (await keyset(query, page, by).execute()).map(toTicket) },
        { link: (page) => link(api.org.tickets.list, { params: input.params, query: { ...input.query, ...page } }) },
      )
    },
    add: ({ params, body: { title, text, priority = 'normal', assignee = null, dueAt = null }, member }) => {
      // Not in a guard: there, a repeat with the same idempotency key would count.
      const seconds = limiter.take(member.org)
      if (seconds > 0) throw errors.tooManyRequests({ headers: { 'Retry-After': `${seconds}` }, detail: 'Too many new tickets.' })
      return write(async (tx) => {
        await requireAssignee(tx, member.org, assignee)
        const ticket = await addTicket(tx, member.org, { title, text, priority, assignee, dueAt, author: member.name })
        return withHeaders(ticket, { Location: link(api.org.tickets.one, { params: { ...params, ticket: ticket.id } }) })
      })
    },
    one: async ({ params, member, fail }) => (await findTicket(database, member.org, params.ticket)) ?? fail(404),
    change: ({ params, body, member, precondition, fail }) =>
      write(async (tx) => {
        const ticket = (await findTicket(tx, member.org, params.ticket)) ?? fail(404)
        precondition(ticket)
        if (ticket.closedAt !== null) return fail(409, createClosedProblem(ticket.closedAt))
        const changed: Ticket = { ...ticket, ...applyMergePatch(TicketContent, ticket, body) }
        await requireAssignee(tx, member.org, changed.assignee)
        return updateTicket(tx, member.org, 'changed', changed)
      }),
    close: ({ params, member, fail }) =>
      write(async (tx) => {
        const ticket = (await findTicket(tx, member.org, params.ticket)) ?? fail(404)
        if (ticket.closedAt !== null) return fail(409, createClosedProblem(ticket.closedAt))
        const closed = await updateTicket(tx, member.org, 'closed', { ...ticket, closedAt: new Date() })
        await webhooks.sendTicketClosed(tx, { id: member.org, slug: params.org }, closed)
        return closed
      }),
    replies: async ({ params, member, fail }) => {
      const ticket = (await findTicket(database, member.org, params.ticket)) ?? fail(404)
      const rows = await database.selectFrom('replies').selectAll().where('ticket', '=', ticket.id).orderBy('id').execute()
      return rows.map(({ created_at, ...row }) => ({ ...row, createdAt: new Date(created_at) }))
    },
    reply: ({ params, body, member, fail }) =>
      write(async (tx) => {
        const ticket = (await findTicket(tx, member.org, params.ticket)) ?? fail(404)
        if (ticket.closedAt !== null) return fail(409, createClosedProblem(ticket.closedAt))
        const createdAt = new Date()
        const values = { ticket: ticket.id, author: member.name, text: body.text }
        const insert = tx.insertInto('replies').values({ ...values, created_at: createdAt.toISOString() })
        const { id } = await insert.returning('id').executeTakeFirstOrThrow()
        const data = { id, ...values, createdAt }
        await logChange(tx, member.org, { event: 'replied', data })
        return data
      }),
  }
}
