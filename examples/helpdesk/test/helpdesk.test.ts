/** The whole product, in a process of its own. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkServer } from '@lapidary/testing'
import { DatabaseSync } from '@photostructure/sqlite'
import { errors, isHttpError, receiveWebhook } from 'lapidary'
import { client, credentials, isDeclaredError } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { paginate } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { authenticateWebhooks, createWebhookSecret, createWebhookSender } from 'lapidary/webhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, emailReceived, session, token } from '../api.ts'
import { startServer } from './startServer.ts'

const folder = mkdtempSync(join(tmpdir(), 'lapidary-helpdesk-'))
const database = join(folder, 'helpdesk.db')
const files = join(folder, 'files')
const emailSecret = createWebhookSecret()
const ticketsPerMinute = 12
const password = 'a stone is a stone'
let server: ChildProcess
let url: string

const start = (environment: Readonly<Record<string, string>>) =>
  startServer({ EMAIL_SECRET: emailSecret, ALLOW_PRIVATE_URLS: 'yes', ...environment })

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}

beforeAll(async () => {
  const started = await start({ DATABASE: database, FILES: files, TICKETS_PER_MINUTE: `${ticketsPerMinute}` })
  server = started.child
  url = started.url
}, 60_000)

afterAll(() => {
  server?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

let accounts = 0

/** Signs up. The cookie is the credentials of its calls. */
async function signUp(base = url) {
  accounts += 1
  const name = `user${accounts}`
  const { headers } = await client(api, base).accounts.signUp({ body: { name, password } })
  const cookie = headers['Set-Cookie'].session ?? ''
  return { name, cookie, call: client(api, base, { auth: [credentials(session, cookie)] }) }
}

/** An organization with an admin and an agent. */
async function createOrg(base = url) {
  const admin = await signUp(base)
  const agent = await signUp(base)
  const org = `org${accounts}`
  await admin.call.orgs.add({ body: { slug: org, title: 'Quarry' } })
  await admin.call.org.members.put({ params: { org, name: agent.name }, body: { role: 'agent' } })
  return { org, admin, agent }
}

const getStatus = async (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error: unknown) => (isHttpError(error) ? error.status : 0),
  )

const catchError = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

test('members have roles, and to all others an organization does not exist', async () => {
  const { org, admin, agent } = await createOrg()
  const stranger = await signUp()
  const params = { org }
  expect(await getStatus(client(api, url).org.tickets.list({ params }))).toBe(401)
  expect(await getStatus(stranger.call.org.tickets.list({ params }))).toBe(404)
  expect(await getStatus(agent.call.org.tickets.list({ params }))).toBe(200)
  expect(await getStatus(stranger.call.orgs.add({ body: { slug: org, title: 'Mine' } }))).toBe(409)

  // The role is checked before the body is read.
  const send = async (cookie: string, path: string) =>
    (
      await fetch(`${url}/orgs/${org}${path}`, {
        method: 'POST',
        headers: { Cookie: `session=${cookie}`, 'Content-Type': 'application/json' },
        body: 'nonsense',
      })
    ).status
  expect([await send(stranger.cookie, '/webhooks'), await send(agent.cookie, '/webhooks'), await send(admin.cookie, '/webhooks')]).toEqual([
    404, 403, 400,
  ])

  // A token has the roles of its user.
  const { token: key } = await agent.call.accounts.addToken()
  const robot = client(api, url, { auth: [credentials(token, key)] })
  expect(await robot.accounts.me()).toMatchObject({ name: agent.name })
  expect([await getStatus(robot.org.tickets.list({ params })), await getStatus(robot.org.members.list({ params }))]).toEqual([200, 403])
  expect(await getStatus(robot.accounts.addToken())).toBe(401)
})

test('the members are pages with a total', async () => {
  const { org, admin, agent } = await createOrg()
  const third = await signUp()
  await admin.call.org.members.put({ params: { org, name: third.name }, body: { role: 'agent' } })
  const { body } = await admin.call.org.members.list({ params: { org }, query: { limit: 2, page: 2 } })
  expect(body).toEqual({ items: [{ name: third.name, role: 'agent' }], total: 3 })
  const names: string[] = []
  for await (const { name } of paginate(admin.call.org.members.list, { input: { params: { org }, query: { limit: 2 } } })) names.push(name)
  expect(names).toEqual([admin.name, agent.name, third.name].toSorted())
  expect(await getStatus(admin.call.org.members.put({ params: { org, name: 'nobody' }, body: { role: 'agent' } }))).toBe(404)
})

test('tickets have dates, pages and filters', async () => {
  const { org, agent } = await createOrg()
  const { list, add } = agent.call.org.tickets
  const params = { org }
  const dueAt = new Date('2027-01-02T03:04:05.678Z')
  const begin = new Date()
  const { body: first, headers } = await add({ params, body: { title: 'Ticket 1', text: 'It is broken.', dueAt } })
  expect(first).toMatchObject({ title: 'Ticket 1', priority: 'normal', assignee: null, dueAt, author: agent.name, closedAt: null })
  expect(first.createdAt.getTime()).toBeGreaterThanOrEqual(begin.getTime())
  expect(headers.Location).toBe(`/orgs/${org}/tickets/${first.id}`)
  const wire = (await (await fetch(`${url}${headers.Location}`, { headers: { Cookie: `session=${agent.cookie}` } })).json()) as unknown
  expect(wire).toMatchObject({ dueAt: dueAt.toISOString(), createdAt: first.createdAt.toISOString() })
  expect(await getStatus(add({ params, body: { title: 'Lost', text: '?', assignee: 'nobody' } }))).toBe(422)

  for (const title of ['Ticket 2', 'Ticket 3', 'Ticket 4'])
    await add({ params, body: { title, text: 'It is broken.', assignee: title === 'Ticket 3' ? agent.name : undefined } })

  // A walk gets what was there exactly once, while tickets are added.
  const titles: string[] = []
  for await (const { title } of paginate(list, { input: { params, query: { sort: '-createdAt', limit: 1 } } })) {
    titles.push(title)
    if (titles.length < 4) await add({ params, body: { title: `Later ${titles.length}`, text: 'It is broken, too.' } })
  }
  expect(titles).toEqual(['Ticket 4', 'Ticket 3', 'Ticket 2', 'Ticket 1'])

  const walk = async (query: NonNullable<NonNullable<Parameters<typeof list>[0]>['query']>) => {
    const found: string[] = []
    for await (const { title } of paginate(list, { input: { params, query: { limit: 2, ...query } } })) found.push(title)
    return found
  }
  const [third] = (await list({ params, query: { assignee: agent.name } })).body.items
  expect(third?.title).toBe('Ticket 3')
  expect((await walk({ since: third?.createdAt ?? begin }))[0]).toBe('Ticket 3')
  expect(await walk({ since: new Date(Date.now() + 60_000) })).toEqual([])
  await agent.call.org.tickets.close({ params: { org, ticket: first.id } })
  expect([await walk({ state: 'closed' }), (await walk({ state: 'open' })).length]).toEqual([['Ticket 1'], 6])
})

test('an organization opens so many tickets in a minute', async () => {
  const { org, agent } = await createOrg()
  const other = await createOrg()
  const { add } = agent.call.org.tickets
  const call = { params: { org }, body: { title: 'One more', text: 'It is broken.' } }
  const first = await add(call, { idempotencyKey: `${org} 1` })
  for (let count = 1; count < ticketsPerMinute; count += 1) await add(call)
  const error = await catchError(add(call))
  if (!isDeclaredError(api.org.tickets.add, error) || error.status !== 429) throw error
  const seconds: number = error.headers['Retry-After']
  expect(seconds).toBeGreaterThanOrEqual(1)
  expect(seconds).toBeLessThanOrEqual(60)
  expect(error.headers['retry-after']).toBe(`${seconds}`)
  // A repeat does not count, and is not refused.
  expect(await add(call, { idempotencyKey: `${org} 1` })).toEqual(first)
  expect(await getStatus(other.agent.call.org.tickets.add({ ...call, params: { org: other.org } }))).toBe(200)
})

test('a change needs the current entity tag, null clears a member, and a closed ticket has a problem of its own', async () => {
  const { org, agent } = await createOrg()
  const { add, one, change, close, reply, replies } = agent.call.org.tickets
  const created = { params: { org }, body: { title: 'Broken', text: 'It is broken.', assignee: agent.name, dueAt: new Date() } }
  const first = await add(created, { idempotencyKey: `${org} 1` })
  expect(await add(created, { idempotencyKey: `${org} 1` })).toEqual(first)
  const params = { org, ticket: first.body.id }

  const { headers } = await one({ params })
  const condition = { 'If-Match': headers.ETag }
  const dueAt = '2027-01-02T03:04:05.678Z'
  expect(await change({ params, headers: condition, body: { assignee: null, dueAt } })).toMatchObject({
    title: 'Broken',
    assignee: null,
    dueAt: new Date(dueAt),
  })
  expect(await getStatus(change({ params, headers: condition, body: { title: 'Repaired' } }))).toBe(412)
  const latest = { 'If-Match': (await one({ params })).headers.ETag }
  expect(await getStatus(change({ params, headers: latest, body: { assignee: 'nobody' } }))).toBe(422)

  const comment = await reply({ params, body: { text: 'It works here.' } })
  expect(await replies({ params })).toEqual([comment])
  const { closedAt } = await close({ params })
  const error = await catchError(reply({ params, body: { text: 'Still.' } }))
  if (!isDeclaredError(api.org.tickets.reply, error) || error.status !== 409) throw error
  expect(error.body).toEqual({ type: '/problems/ticket-closed', title: 'The ticket is closed.', status: 409, closedAt })
  expect(closedAt).toBeInstanceOf(Date)
})

test('attachments arrive part by part, and are shown with their type', async () => {
  const { org, agent } = await createOrg()
  const stranger = await createOrg()
  const { body: ticket } = await agent.call.org.tickets.add({ params: { org }, body: { title: 'Broken', text: 'See the picture.' } })
  const params = { org, ticket: ticket.id }
  const { add, list, one } = agent.call.org.attachments
  const svg = new File(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'], 'a "b" ü.svg', {
    type: 'image/svg+xml',
  })
  const large = new File([new Uint8Array(4_000_000).fill(97)], 'log.txt', { type: 'text/plain' })
  const added = await add({ params, body: { files: [svg, large] } })
  expect(added).toMatchObject([
    { name: 'a "b" ü.svg', type: 'image/svg+xml', size: svg.size },
    { name: 'log.txt', size: large.size },
  ])
  expect(await list({ params })).toEqual(added)

  const path = `/orgs/${org}/tickets/${ticket.id}/attachments/${added[0]?.id}`
  const response = await fetch(`${url}${path}`, { headers: { Cookie: `session=${agent.cookie}` } })
  expect(await response.text()).toBe(await svg.text())
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/svg+xml',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringMatching(/^sandbox;/),
    'content-disposition': expect.stringMatching(/^inline; filename/),
  })
  const { body: text } = await one({ params: { ...params, attachment: added[1]?.id ?? '' } })
  expect([text.type, text.size]).toEqual(['text/plain', large.size])
  const elsewhere = { org: stranger.org, ticket: ticket.id, attachment: added[0]?.id ?? '' }
  expect(await getStatus(stranger.agent.call.org.attachments.one({ params: elsewhere }))).toBe(404)

  // Nothing is left of a form that is refused.
  const stored = readdirSync(files).length
  const page = new File(['<p>'], 'page.html', { type: 'text/html' })
  const huge = new File([new Uint8Array(5_000_001)], 'huge.png', { type: 'image/png' })
  expect([
    await getStatus(add({ params, body: { files: [svg, page] } })),
    await getStatus(add({ params, body: { files: [svg, huge] } })),
  ]).toEqual([415, 413])
  const many = new FormData()
  for (let count = 0; count < 6; count += 1) many.append('files', svg)
  const init = { method: 'POST', headers: { Cookie: `session=${agent.cookie}` }, body: many }
  expect((await fetch(`${url}/orgs/${org}/tickets/${ticket.id}/attachments`, init)).status).toBe(400)
  expect(readdirSync(files).length).toBe(stored)
})

test('events of an organization are live, and continue after the last one', async () => {
  const { org, agent } = await createOrg()
  const other = await createOrg()
  const params = { org }
  const live = (await agent.call.org.events({ params, headers: { 'Last-Event-ID': 0 } }))[Symbol.asyncIterator]()
  const { body: ticket } = await agent.call.org.tickets.add({ params, body: { title: 'Broken', text: 'It is broken.' } })
  const opened = (await live.next()).value
  expect(opened).toMatchObject({ event: 'opened', data: ticket })
  await other.agent.call.org.tickets.add({ params: { org: other.org }, body: { title: 'Elsewhere', text: 'It is broken.' } })
  const comment = await agent.call.org.tickets.reply({ params: { org, ticket: ticket.id }, body: { text: 'Yes.' } })
  expect((await live.next()).value).toMatchObject({ event: 'replied', data: comment })
  await live.return?.()
  const closed = await agent.call.org.tickets.close({ params: { org, ticket: ticket.id } })
  for await (const { event, data } of await agent.call.org.events({ params, headers: { 'Last-Event-ID': Number(opened?.id) } })) {
    if (event === 'replied') continue
    expect([event, data]).toEqual(['closed', closed])
    break
  }
})

test('a webhook is signed with the secret of its subscription, and sent again after a 500', { timeout: 120_000 }, async () => {
  const { org, admin } = await createOrg()
  const other = await createOrg()
  const receiverApi = { closed: receiveWebhook('POST /hook', api.ticketClosed) }
  let secret = ''
  const ids: string[] = []
  const received: unknown[] = []
  const receiver = await listen(
    serve(
      receiverApi,
      {
        closed: ({ body, user }) => {
          ids.push(user.id)
          if (ids.length === 1) throw errors.internalServerError()
          received.push(body)
        },
      },
      { auth: [authenticateWebhooks({ secret: () => secret })], onError: () => {} },
    ),
    { port: 0 },
  )
  try {
    const hook = `${receiver.url}/hook`
    const added = await admin.call.org.subscriptions.add({ params: { org }, body: { url: hook } })
    secret = added.secret
    // The same URL, with a secret that the receiver does not know.
    const { id: unknown } = await other.admin.call.org.subscriptions.add({ params: { org: other.org }, body: { url: hook } })
    for (const { call, org: own } of [
      { call: other.admin.call, org: other.org },
      { call: admin.call, org },
    ]) {
      const { body: ticket } = await call.org.tickets.add({ params: { org: own }, body: { title: 'Broken', text: 'It is broken.' } })
      await call.org.tickets.close({ params: { org: own, ticket: ticket.id } })
    }
    await expect.poll(() => received.length, { timeout: 10_000 }).toBe(1)
    expect(received).toMatchObject([{ org, ticket: { title: 'Broken', closedAt: expect.any(Date) } }])
    expect(ids.length).toBe(2)
    expect(new Set(ids).size).toBe(1)
    expect(await admin.call.org.subscriptions.list({ params: { org } })).toEqual([{ id: added.id, url: hook }])
    await admin.call.org.subscriptions.remove({ params: { org, subscription: added.id } })
    expect(await getStatus(admin.call.org.subscriptions.remove({ params: { org, subscription: added.id } }))).toBe(404)

    // What a removed subscription still has to get is given up.
    await other.admin.call.org.subscriptions.remove({ params: { org: other.org, subscription: unknown } })
    const connection = new DatabaseSync(database)
    const query = connection.prepare('select url, subscription, error from webhook_deliveries where due_at is null')
    await expect
      .poll(() => query.all(), { timeout: 30_000 })
      .toEqual([{ url: hook, subscription: `${unknown}`, error: 'There is no secret for it: the subscription is gone.' }])
    connection.close()
  } finally {
    await receiver.close({ drain: 0 })
  }
})

test('a mail is a new ticket', async () => {
  const { org, agent } = await createOrg()
  const open = (secret: string) =>
    createWebhookSender({ emailReceived }, { secret, allow: () => true, retries: 0, pollInterval: 20, onError: () => {} })
  const senders = [open(emailSecret), open(createWebhookSecret())]
  const mail = { to: org, from: 'ann@example.org', subject: 'Help', text: 'It is broken.' }
  for (const { send } of senders) await send.emailReceived(`${url}/hooks/email`, mail)
  const list = async () => (await agent.call.org.tickets.list({ params: { org } })).body.items
  await expect.poll(async () => (await list()).length, { timeout: 10_000 }).toBe(1)
  for (const { close } of senders) await close()
  expect(await list()).toMatchObject([{ title: 'Help', author: 'ann@example.org' }])
})

test('the public page ignores a session that has ended', async () => {
  const { org, agent } = await createOrg()
  const params = { org }
  const page = (viewer: string | null) => ({ title: 'Quarry', openTickets: 0, viewer })
  expect(await client(api, url).orgs.status({ params })).toEqual(page(null))
  expect(await agent.call.orgs.status({ params })).toEqual(page(agent.name))
  const { headers } = await client(api, url).accounts.logIn({ body: { name: agent.name, password } })
  const second = client(api, url, { auth: [credentials(session, headers['Set-Cookie'].session ?? '')] })

  await agent.call.accounts.logOut()
  expect(await getStatus(agent.call.accounts.me())).toBe(401)
  expect(await agent.call.orgs.status({ params })).toEqual(page(null))

  expect(await second.orgs.status({ params })).toEqual(page(agent.name))
  const connection = new DatabaseSync(database)
  connection
    .prepare('update keys set ends_at = ? where user = (select id from users where name = ?)')
    .run(new Date().toISOString(), agent.name)
  connection.close()
  expect(await getStatus(second.accounts.me())).toBe(401)
  expect(await second.orgs.status({ params })).toEqual(page(null))
  expect(await getStatus(client(api, url).accounts.logIn({ body: { name: agent.name, password: 'a wrong password' } }))).toBe(403)
})

test('it has documents in three versions, and a page', async () => {
  for (const version of ['3.0', '3.1', '3.2'] as const)
    expect(await client(api, url).documents.openapi({ query: { version } })).toMatchObject({
      openapi: expect.stringMatching(new RegExp(`^${version}\\.`)),
      paths: { '/orgs/{org}/tickets': {} },
    })
  const page = await fetch(`${url}/docs`)
  expect([page.headers.get('Content-Type'), await page.text()]).toEqual([
    'text/html; charset=utf-8',
    expect.stringContaining('GET /orgs/:org/tickets/:ticket'),
  ])
})

test('the check finds no failure, and the server ends when it is asked to', { timeout: 240_000 }, async () => {
  const checked = await start({ DATABASE: join(folder, 'checked.db'), FILES: join(folder, 'checked'), TICKETS_PER_MINUTE: '100000' })
  try {
    expect(await client(api, checked.url).ready()).toBe('ready')
    const { org, admin, agent } = await createOrg(checked.url)
    const { body: ticket } = await admin.call.org.tickets.add({ params: { org }, body: { title: 'Broken', text: 'It is broken.' } })
    const file = new File(['a line'], 'log.txt', { type: 'text/plain' })
    const [attachment] = await admin.call.org.attachments.add({ params: { org, ticket: ticket.id }, body: { files: [file] } })
    const { token: key } = await admin.call.accounts.addToken()
    const { failures } = await checkServer(api, checked.url, {
      write: true,
      seed: 1,
      steps: 200,
      clients: 4,
      requests: process.env['SAMPLES'] === 'whole' ? 5_000 : 800,
      // No clock ends a check on a busy machine.
      seconds: 200,
      time: 60_000,
      // It would end the session of the check.
      except: ['accounts.logOut'],
      credentials: { session: admin.cookie, helpdesk: key, webhookSignature: emailSecret },
      captures: { org, ticket: `${ticket.id}`, attachment: attachment?.id ?? '', name: agent.name },
    })
    expect(failures.map(({ endpoint, rule, violation, curl, steps }) => ({ endpoint, rule, violation, curl, steps }))).toEqual([])
  } finally {
    await stop(checked.child)
  }
})
