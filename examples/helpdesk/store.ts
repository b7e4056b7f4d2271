/** The queries that several handlers share, and the log of changes. */
import { EventEmitter } from 'node:events'
import { type Database, openDatabase } from './database.ts'
import { type Reply, reply, type Ticket, ticket } from './schemas.ts'

export type Store = ReturnType<typeof openStore>

export function openStore(path: string) {
  const database = openDatabase(path)
  const bell = new EventEmitter().setMaxListeners(0)
  return {
    database,
    /** Its event `change` follows each transaction. */
    bell,
    /** An error of `work` rolls back. */
    async write<Result>(work: (transaction: Database) => Promise<Result>): Promise<Result> {
      const result = await database.transaction().execute(work)
      bell.emit('change')
      return result
    },
  }
}

export const findOrg = (database: Database, slug: string) =>
  database.selectFrom('orgs').selectAll().where('slug', '=', slug).executeTakeFirst()

export const selectMembers = (database: Database, org: number) =>
  database.selectFrom('members').innerJoin('users', 'users.id', 'members.user').where('org', '=', org).select(['users.id', 'name', 'role'])

export const countOpenTickets = async (database: Database, org: number): Promise<number> => {
  const { count } = await database
    .selectFrom('tickets')
    .where('org', '=', org)
    .where('closed_at', 'is', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const selectTickets = (database: Database, org: number) => database.selectFrom('tickets').selectAll().where('org', '=', org)

type TicketRow = Awaited<ReturnType<ReturnType<typeof selectTickets>['execute']>>[number]

const toDate = (text: string | null): Date | null => (text === null ? null : new Date(text))

export const toTicket = ({ org: _, due_at, created_at, closed_at, ...row }: TicketRow): Ticket => ({
  ...row,
  dueAt: toDate(due_at),
  createdAt: new Date(created_at),
  closedAt: toDate(closed_at),
})

const toRow = ({ title, text, priority, assignee, dueAt, author, createdAt, closedAt }: Omit<Ticket, 'id'>) => ({
  ...{ title, text, priority, assignee, author },
  due_at: dueAt?.toISOString() ?? null,
  created_at: createdAt.toISOString(),
  closed_at: closedAt?.toISOString() ?? null,
})

export async function findTicket(database: Database, org: number, id: number): Promise<Ticket | undefined> {
  const row = await selectTickets(database, org).where('id', '=', id).executeTakeFirst()
  return row && toTicket(row)
}

export async function addTicket(database: Database, org: number, given: Omit<Ticket, 'id' | 'createdAt' | 'closedAt'>): Promise<Ticket> {
  const values = { org, ...toRow({ ...given, createdAt: new Date(), closedAt: null }) }
  const added = toTicket(await database.insertInto('tickets').values(values).returningAll().executeTakeFirstOrThrow())
  await logChange(database, org, { event: 'opened', data: added })
  return added
}

export async function updateTicket(database: Database, org: number, event: 'changed' | 'closed', changed: Ticket): Promise<Ticket> {
  await database.updateTable('tickets').set(toRow(changed)).where('id', '=', changed.id).execute()
  await logChange(database, org, { event, data: changed })
  return changed
}

export type Change = { event: 'opened' | 'changed' | 'closed'; data: Ticket } | { event: 'replied'; data: Reply }

export const logChange = (database: Database, org: number, { event, data }: Change) =>
  database
    .insertInto('changes')
    .values({ org, event, data: JSON.stringify(data) })
    .execute()

export async function readChanges(database: Database, org: number, last: number): Promise<(Change & { id: number })[]> {
  const query = database.selectFrom('changes').selectAll().where('org', '=', org).where('id', '>', last).orderBy('id').limit(500)
  return (await query.execute()).map(({ id, event, data }) =>
    event === 'replied' ? { id, event, data: reply.parse(JSON.parse(data)) } : { id, event, data: ticket.parse(JSON.parse(data)) },
  )
}

export async function findLastChange(database: Database, org: number): Promise<number> {
  const row = await database.selectFrom('changes').select('id').where('org', '=', org).orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}
