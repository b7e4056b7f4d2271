/** The contract: what the server answers, and what a client may ask. It knows no database and no page. */
import {
  apiKey,
  bearer,
  content,
  cookie,
  created,
  download,
  either,
  endpoint,
  events,
  file,
  int,
  list,
  mergePatch,
  mount,
  multipart,
  noContent,
  ok,
  optional,
  prefix,
  reply,
  seeOther,
  setCookie,
  text,
} from 'lapidary'
import { z } from 'zod'
import { csv } from './csv.ts'

const Scope = z.enum(['read', 'write', 'admin'])
export const Account = z.object({ id: z.int(), name: z.string(), role: z.enum(['admin', 'user']) })
export type Account = z.infer<typeof Account>
export type User = Account & { readonly scopes: readonly string[] }
const Login = z.object({ name: z.string().regex(/^\w{1,40}$/), password: z.string().min(8).max(200) })
const TokenRequest = z.object({ scopes: z.array(Scope).min(1) })
const Token = z.object({ token: z.string() })
const Url = z.url({ protocol: /^https?$/ }).max(2_000)
export const NewBookmark = z.object({
  url: Url,
  title: z.string().min(1).max(200),
  tags: z.array(z.string().regex(/^[\w-]{1,40}$/)).default([]),
  note: z.string().max(10_000).optional(),
})
export type NewBookmark = z.infer<typeof NewBookmark>
const found = { id: z.int(), added: z.iso.datetime(), isDead: z.boolean().optional(), thumbnail: z.string().optional() }
const Bookmark = NewBookmark.extend(found)
export type Bookmark = z.infer<typeof Bookmark>
const Imported = z.object({ added: z.int(), known: z.int() })
const Search = z.object({
  word: z.string().max(100).optional(),
  sort: z.enum(['newest', 'title']).default('newest'),
  page: z.int().min(1).default(1),
  limit: z.int().min(1).max(100).default(20),
  filter: z.object({ tag: z.string().optional(), isDead: z.boolean().optional(), since: z.iso.date().optional() }).default({}),
})
export type Search = z.infer<typeof Search>
/** A search for dead links. */
const Check = z.object({ id: z.int(), total: z.int(), done: z.int() })
export type Check = z.infer<typeof Check>
/** Where new bookmarks are sent to. The secret signs what is sent, and what is received. */
const Webhook = z.object({ url: Url, secret: z.string().min(16) })
const Delivery = z.object({ event: z.literal('added'), data: NewBookmark })
/** Signed as https://www.standardwebhooks.com says. */
export const webhook = apiKey<{ readonly id: number }>({ in: 'header', name: 'Webhook-Signature' })
const delivery = { 'Webhook-Id': text, 'Webhook-Timestamp': int }

const params = { id: int }
const pictureForm = multipart({ picture: file({ maxSize: '1 MB', types: ['image/png'] }) })
const sheetForm = multipart({ sheet: file({ maxSize: '2 MB', types: ['text/csv'] }) })

export const session = apiKey<User>({ in: 'cookie', name: 'session' })
export const token = bearer<User, z.infer<typeof Scope>>('bookmarks')
const sessionCookie = { 'Set-Cookie': setCookie({ session: cookie(text, { maxAge: 2_592_000 }) }) }
const reader = either(session, token.scopes('read'))
const writer = either(session, token.scopes('write'))
const admin = either(session, token.scopes('admin'))

export const api = {
  account: {
    signUp: endpoint('POST /accounts', { body: Login, response: created(Account, { headers: sessionCookie }), errors: [reply(409)] }),
    logIn: endpoint('POST /session', { body: Login, response: noContent({ headers: sessionCookie }), errors: [reply(403)] }),
    me: endpoint('GET /account', { auth: reader, response: ok(Account) }),
    addToken: endpoint('POST /tokens', { auth: session, body: TokenRequest, response: reply(201, Token) }),
    setWebhook: endpoint('PUT /webhook', { auth: writer, body: Webhook, response: noContent }),
  },
  admin: { accounts: endpoint('GET /accounts', { auth: admin, response: ok(list(Account)), errors: [reply(403)] }) },
  bookmarks: prefix('/bookmarks', {
    search: endpoint('GET /', { auth: reader, query: Search, response: ok(list(Bookmark)) }),
    one: endpoint('GET /:id', { auth: reader, params, response: ok(Bookmark), errors: [reply(404)], etag: true }),
    add: endpoint('POST /', { auth: writer, body: NewBookmark, response: created(Bookmark), errors: [reply(409)], idempotent: 'optional' }),
    change: endpoint('PATCH /:id', {
      auth: writer,
      params,
      body: mergePatch(NewBookmark),
      response: ok(Bookmark),
      errors: [reply(404), reply(409), reply(422)],
      etag: 'required',
    }),
    remove: endpoint('DELETE /:id', { auth: writer, params, response: noContent, errors: [reply(404)], etag: 'optional' }),
    thumbnail: endpoint('GET /:id/thumbnail', { auth: reader, params, response: ok(download('image/png')), errors: [reply(404)] }),
    setThumbnail: endpoint('PUT /:id/thumbnail', {
      auth: writer,
      params,
      body: pictureForm,
      response: noContent,
      errors: [reply(404), reply(422)],
    }),
    export: endpoint('GET /export', { auth: reader, response: ok(content(list(NewBookmark), csv)) }),
    import: endpoint('POST /import', { auth: writer, body: sheetForm, response: ok(Imported), errors: [reply(422)] }),
  }),
  checks: prefix('/checks', {
    start: endpoint('POST /', { auth: writer, response: [reply(202, Check, { headers: { Location: text } }), seeOther] }),
    one: endpoint('GET /:id', { auth: reader, params, response: [ok(Check), seeOther], errors: [reply(404)] }),
  }),
  changes: endpoint('GET /changes', {
    auth: reader,
    headers: { 'Last-Event-ID': optional(int) },
    response: ok(events({ added: Bookmark, changed: Bookmark, removed: z.object({ id: z.int() }), check: Check })),
  }),
  receive: endpoint('POST /hooks/:name', { auth: webhook, headers: delivery, body: Delivery, rawBody: true, response: noContent }),
  pages: mount('/'),
}
