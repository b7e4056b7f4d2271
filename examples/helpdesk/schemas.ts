/** What is in bodies. A member of the type `dateTime` is a `Date` in handlers and clients, and a text on the wire. */
import { schemaCodec } from 'lapidary'
import { z } from 'zod'

export const dateTime = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
})
const Name = z.string().regex(/^[a-z][a-z0-9-]{0,39}$/)
const Title = z.string().min(1).max(200)
const Text = z.string().min(1).max(10_000)

export const Account = z.object({ id: z.int(), name: Name })
export const Credentials = z.object({ name: Name, password: z.string().min(8).max(200) })
export const Token = z.object({ token: z.string() })

export const Role = z.enum(['agent', 'admin'])
export type Role = z.infer<typeof Role>
export const NewOrg = z.object({ slug: Name, title: Title })
export const Org = NewOrg.extend({ id: z.int() })
export const Status = z.object({ title: z.string(), openTickets: z.int(), viewer: z.string().nullable() })
export const Member = z.object({ name: Name, role: Role })

const Priority = z.enum(['low', 'normal', 'high'])
/** `assignee` is the name of a member. */
const newTicket = z.object({
  title: Title,
  text: Text,
  priority: Priority.optional(),
  assignee: Name.optional(),
  dueAt: dateTime.optional(),
})
/** What a merge patch changes: what it removes is null. */
const ticketContent = z.object({
  title: Title,
  text: Text,
  priority: Priority,
  assignee: Name.nullable().default(null),
  dueAt: dateTime.nullable().default(null),
})
export const ticket = ticketContent.extend({ id: z.int(), author: z.string(), createdAt: dateTime, closedAt: dateTime.nullable() })
export const NewTicket = schemaCodec(newTicket)
export const TicketContent = schemaCodec(ticketContent)
export const Ticket = schemaCodec(ticket)
export type Ticket = z.infer<typeof ticket>
export const TicketClosed = schemaCodec(z.object({ org: Name, ticket }))
export const ClosedAt = schemaCodec(z.object({ closedAt: dateTime }))
export const Since = schemaCodec(dateTime.optional())

export const NewReply = z.object({ text: Text })
export const reply = NewReply.extend({ id: z.int(), ticket: z.int(), author: z.string(), createdAt: dateTime })
export const Reply = schemaCodec(reply)
export type Reply = z.infer<typeof reply>

const attachment = z.object({ id: z.uuid(), name: z.string(), type: z.string(), size: z.int(), createdAt: dateTime })
export const Attachment = schemaCodec(attachment)
export type Attachment = z.infer<typeof attachment>

export const NewSubscription = z.object({ url: z.url({ protocol: /^https?$/ }).max(2_000) })
export const Subscription = NewSubscription.extend({ id: z.int() })
export const SubscriptionWithSecret = Subscription.extend({ secret: z.string() })

export const Email = z.object({ to: Name, from: z.email(), subject: Title, text: Text })
