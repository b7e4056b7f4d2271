/** The contract: what the server answers, what it sends, and what a client may ask. */
import {
  apiKey,
  array,
  bearer,
  cookie,
  created,
  download,
  either,
  endpoint,
  events,
  file,
  group,
  type Html,
  html,
  int,
  json,
  list,
  mergePatch,
  multipartStream,
  noContent,
  ok,
  oneOf,
  optional,
  prefix,
  problem,
  receiveWebhook,
  reply,
  setCookie,
  text,
  uuid,
  webhook,
} from 'lapidary'
import { cursorPagination, pagePagination } from 'lapidary/pagination'
import * as schemas from './schemas.ts'

export interface User {
  readonly id: number
  readonly name: string
  /** The key of the session, or the token. */
  readonly key: string
}

declare module 'lapidary' {
  interface EndpointMeta {
    /** The role that a member of the organization needs. */
    readonly role?: schemas.Role
  }
}

export const session = apiKey<User>({ in: 'cookie', name: 'session' })
export const token = bearer<User>('helpdesk')
const user = either(session, token)
const sessionCookie = { 'Set-Cookie': setCookie({ session: cookie(text, { maxAge: 2_592_000 }) }) }

export const ticketClosed = problem(409, '/problems/ticket-closed', schemas.ClosedAt, { title: 'The ticket is closed.' })

export const ticketPages = cursorPagination(
  schemas.Ticket,
  { createdAt: { codec: text, get: ({ createdAt }) => createdAt.toISOString() } },
  { key: { codec: int, get: ({ id }) => id }, default: 'createdAt', limit: 20, maxLimit: 100, body: { items: 'items', next: 'next' } },
)
export const memberPages = pagePagination(schemas.Member, { limit: 20, maxLimit: 100, body: { items: 'items', total: 'total' } })

const slug = text({ pattern: /^[a-z][a-z0-9-]*$/, maxLength: 40, examples: ['acme'] })
const admins = { meta: { role: 'admin' } } as const
const ticketParams = { ticket: int({ min: 1 }) }

/** Everything that an organization shows to its members alone. */
const org = {
  members: {
    list: endpoint('GET /members', { ...memberPages.declaration, ...admins }),
    put: endpoint('PUT /members/:name', {
      ...admins,
      params: { name: slug },
      body: schemas.Member.pick({ role: true }),
      response: noContent,
    }),
  },
  tickets: prefix('/tickets', {
    list: endpoint('GET /', {
      ...ticketPages.declaration,
      query: {
        ...ticketPages.declaration.query,
        state: optional(oneOf('open', 'closed')),
        assignee: optional(text),
        since: schemas.Since,
      },
    }),
    add: endpoint('POST /', {
      body: schemas.NewTicket,
      response: created(schemas.Ticket),
      errors: [reply(422)],
      idempotent: 'optional',
    }),
    one: endpoint('GET /:ticket', { params: ticketParams, response: ok(schemas.Ticket), etag: true }),
    change: endpoint('PATCH /:ticket', {
      params: ticketParams,
      body: mergePatch(schemas.TicketContent),
      response: ok(schemas.Ticket),
      errors: [ticketClosed, reply(422)],
      etag: 'required',
    }),
    close: endpoint('POST /:ticket/close', { params: ticketParams, response: ok(schemas.Ticket), errors: [ticketClosed] }),
    replies: endpoint('GET /:ticket/replies', { params: ticketParams, response: ok(list(schemas.Reply)) }),
    reply: endpoint('POST /:ticket/replies', {
      params: ticketParams,
      body: schemas.NewReply,
      response: reply(201, schemas.Reply),
      errors: [ticketClosed],
    }),
  }),
  attachments: prefix('/tickets/:ticket/attachments', ticketParams, {
    list: endpoint('GET /', { response: ok(list(schemas.Attachment)) }),
    add: endpoint('POST /', {
      body: multipartStream({ files: array(file({ maxSize: '5 MB', types: ['image/*', 'text/plain'] }), { minItems: 1, maxItems: 5 }) }),
      response: reply(201, list(schemas.Attachment)),
    }),
    one: endpoint('GET /:attachment', {
      params: { attachment: uuid },
      response: ok(download('image/*', 'text/plain', { disposition: 'inline' }), { headers: { 'Content-Security-Policy': text } }),
    }),
  }),
  subscriptions: prefix('/webhooks', {
    list: endpoint('GET /', { ...admins, response: ok(list(schemas.Subscription)) }),
    add: endpoint('POST /', {
      ...admins,
      body: schemas.NewSubscription,
      response: reply(201, schemas.SubscriptionWithSecret),
      errors: [reply(422)],
    }),
    remove: endpoint('DELETE /:subscription', { ...admins, params: { subscription: int }, response: noContent }),
  }),
  events: endpoint('GET /events', {
    headers: { 'Last-Event-ID': optional(int) },
    response: ok(events({ opened: schemas.Ticket, changed: schemas.Ticket, closed: schemas.Ticket, replied: schemas.Reply })),
  }),
}

/** What the provider of e-mail sends. */
export const emailReceived = webhook('email.received', { body: schemas.Email })

export const api = {
  accounts: {
    signUp: endpoint('POST /accounts', {
      body: schemas.Credentials,
      response: created(schemas.Account, { headers: sessionCookie }),
      errors: [reply(409)],
    }),
    logIn: endpoint('POST /session', { body: schemas.Credentials, response: noContent({ headers: sessionCookie }), errors: [reply(403)] }),
    logOut: endpoint('DELETE /session', { auth: session, response: noContent({ headers: sessionCookie }) }),
    me: endpoint('GET /account', { auth: user, response: ok(schemas.Account) }),
    addToken: endpoint('POST /tokens', { auth: session, response: reply(201, schemas.Token) }),
  },
  orgs: {
    add: endpoint('POST /orgs', { auth: user, body: schemas.NewOrg, response: reply(201, schemas.Org), errors: [reply(409)] }),
    status: endpoint('GET /orgs/:org/status', {
      summary: 'How busy an organization is. Public.',
      auth: optional(session, { invalid: 'ignore' }),
      params: { org: slug },
      response: ok(schemas.Status),
      errors: [reply(404)],
    }),
  },
  org: prefix(
    '/orgs/:org',
    { org: slug },
    group({ auth: user, errors: [reply(403), reply(404), reply(429, undefined, { headers: { 'Retry-After': int } })] }, org),
  ),
  ticketClosed: webhook('ticket.closed', { body: schemas.TicketClosed, summary: 'A ticket is closed.' }),
  email: receiveWebhook('POST /hooks/email', emailReceived),
  documents: {
    openapi: endpoint('GET /openapi.json', { query: { version: oneOf(['3.0', '3.1', '3.2'], { default: '3.1' }) }, response: ok(json) }),
    page: endpoint('GET /docs', { response: ok(html((page: Html) => page)) }),
  },
  ready: endpoint('GET /health/ready', { response: ok(text), errors: [reply(503)] }),
}
