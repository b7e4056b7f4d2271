/** The whole product, in a process of its own, from sign-up to shutdown. */
import type { ChildProcess } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { isHttpError } from 'lapidary'
import { client, credentials, isDeclaredError } from 'lapidary/client'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api, session, token } from '../api.ts'
import { startServer } from './startServer.ts'

/** `npx playwright-core install chromium` brings one, where the machine has none. */
const browser = [process.env['CHROMIUM'], '/usr/bin/chromium', chromium.executablePath()].find((path = '') => existsSync(path))
const folder = mkdtempSync(join(tmpdir(), 'lapidary-bookmarks-'))
let server: ChildProcess
let url: string

/** What the webhook of the example has sent, and the links that its check requests. */
const received: { readonly headers: Record<string, unknown>; readonly body: string }[] = []
const partner = createServer(async (request, response) => {
  const body = await text(request)
  if (request.method === 'POST') received.push({ headers: request.headers, body })
  // The first delivery fails, and is repeated.
  response.writeHead(request.url === '/gone' ? 410 : received.length === 1 && request.method === 'POST' ? 503 : 204).end()
})

async function start(): Promise<void> {
  const started = await startServer({ DATABASE: join(folder, 'bookmarks.db') })
  server = started.child
  url = started.url
}

async function stop(): Promise<void> {
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
}

beforeAll(async () => {
  partner.listen(0, '127.0.0.1')
  await once(partner, 'listening')
  await start()
}, 60_000)

afterAll(async () => {
  server?.kill('SIGKILL')
  partner.closeAllConnections()
  partner.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const createPartnerUrl = (path: string): string => {
  const address = partner.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}${path}`
}

/** Signs up. The cookie is the credentials of its calls. */
async function signUp(name: string) {
  const { body, headers } = await client(api, url).account.signUp({ body: { name, password: 'a stone is a stone' } })
  const cookie = headers['Set-Cookie'].session ?? ''
  return { account: body, cookie, call: client(api, url, { auth: [credentials(session, cookie)] }) }
}

const getStatus = async (call: Promise<unknown>): Promise<number> =>
  call.then(
    () => 200,
    (error) => (isHttpError(error) ? error.status : 0),
  )

test('the story of two accounts', { timeout: 60_000 }, async () => {
  const ann = await signUp('ann')
  const ben = await signUp('ben')
  expect([ann.account.role, ben.account.role]).toEqual(['admin', 'user'])
  expect(await getStatus(signUp('ann'))).toBe(409)
  expect(await getStatus(client(api, url).account.logIn({ body: { name: 'ann', password: 'a wrong password' } }))).toBe(403)
  expect(await getStatus(client(api, url).account.me())).toBe(401)

  // Tokens have scopes, and admins are known by their role.
  const { token: readToken } = await ben.call.account.addToken({ body: { scopes: ['read'] } })
  const robot = client(api, url, { auth: [credentials(token, readToken)] })
  expect(await robot.account.me()).toEqual(ben.account)
  expect(await getStatus(robot.bookmarks.add({ body: { url: 'https://one.example', title: 'One' } }))).toBe(403)
  expect(await getStatus(ben.call.admin.accounts())).toBe(403)
  expect(await ann.call.admin.accounts()).toEqual([ann.account, ben.account])

  // Live events, from the beginning of the log.
  const live = await robot.changes({ headers: { 'Last-Event-ID': 0 } })
  const events = live[Symbol.asyncIterator]()
  const next = async () => (await events.next()).value

  // A webhook that fails once.
  const secret = 'an opal of the webhook'
  await ben.call.account.setWebhook({ body: { url: createPartnerUrl('/hook'), secret } })

  const opal = { url: 'https://opal.example/', title: 'Opal', tags: ['stone', 'fire'] }
  const first = await ben.call.bookmarks.add({ body: opal }, { idempotencyKey: 'opal 1' })
  expect(await ben.call.bookmarks.add({ body: opal }, { idempotencyKey: 'opal 1' })).toEqual(first)
  const { id } = first.body
  expect(await next()).toMatchObject({ event: 'added', data: { id, ...opal } })
  const twice = await ben.call.bookmarks.add({ body: opal }).catch((error: unknown) => error)
  expect(isDeclaredError(api.bookmarks.add, twice) && twice.status).toBe(409)
  expect(await getStatus(ann.call.bookmarks.one({ params: { id } }))).toBe(404)

  // Changes on condition.
  const { headers } = await ben.call.bookmarks.one({ params: { id } })
  const condition = { 'If-Match': headers.ETag }
  const changed = await ben.call.bookmarks.change({ params: { id }, headers: condition, body: { title: 'Black opal', tags: null } })
  expect(changed).toMatchObject({ title: 'Black opal', tags: [] })
  expect(await next()).toMatchObject({ event: 'changed', data: { id, title: 'Black opal' } })
  expect(await getStatus(ben.call.bookmarks.change({ params: { id }, headers: condition, body: { title: 'Blue opal' } }))).toBe(412)

  // CSV: all lines or none.
  const sheet = (csv: string) => ({ body: { sheet: new File([csv], 'bookmarks.csv', { type: 'text/csv' }) } })
  const good = `url,title,tags,note\n${createPartnerUrl('/here')},"Here, ""now""",a b,\n${createPartnerUrl('/gone')},Gone,b,a note\n${opal.url},Opal,,\n`
  expect(await getStatus(ben.call.bookmarks.import(sheet(`${good}nowhere,Nowhere,,\n`)))).toBe(422)
  expect(await ben.call.bookmarks.import(sheet(good))).toEqual({ added: 2, known: 1 })
  expect([await next(), await next()]).toMatchObject([{ data: { tags: ['a', 'b'] } }, { data: { title: 'Gone' } }])
  expect(await ben.call.bookmarks.export({}, { accept: 'text/csv' })).toBe(
    `url,title,tags,note\r\n${opal.url},Black opal,,\r\n${createPartnerUrl('/here')},"Here, ""now""",a b,\r\n${createPartnerUrl('/gone')},Gone,b,a note\r\n`,
  )

  // Search.
  const found = await ben.call.bookmarks.search({ query: { sort: 'title', limit: 1, filter: { tag: 'b' } } })
  expect(found.map(({ title }) => title)).toEqual(['Gone'])
  expect((await fetch(`${url}/bookmarks?filter[isDead]=perhaps`, { headers: { Cookie: `session=${ben.cookie}` } })).status).toBe(400)

  // A check of links, in the background.
  const begun = await ben.call.checks.start()
  expect(begun).toMatchObject({ status: 202, body: { total: 3, done: 0 } })
  const [, check] = /^\/checks\/(\d+)$/.exec(begun.headers.Location) ?? []
  const progress: unknown[] = []
  for (let done = 0; done < 3; ) {
    const event = await next()
    if (event?.event !== 'check') continue
    done = event.data.done
    progress.push(done)
  }
  expect(progress).toEqual([1, 2, 3])
  const ended = await ben.call.checks.one({ params: { id: Number(check) } })
  expect(ended.status === 303 && ended.headers.Location).toBe('/bookmarks?filter%5BisDead%5D=true')
  const dead = await ben.call.bookmarks.search({ query: { word: 'gone', filter: { isDead: true } } })
  expect(dead.map(({ title }) => title)).toEqual(['Gone'])

  // Thumbnails.
  const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
  const picture = (bytes: Uint8Array<ArrayBuffer>) => ({
    params: { id },
    body: { picture: new File([bytes], 'opal.png', { type: 'image/png' }) },
  })
  expect(await getStatus(ben.call.bookmarks.setThumbnail(picture(Buffer.from('GIF89a, in truth'))))).toBe(422)
  await ben.call.bookmarks.setThumbnail(picture(png))
  const { thumbnail } = (await ben.call.bookmarks.one({ params: { id } })).body
  const served = await fetch(`${url}${thumbnail}`, { headers: { Authorization: `Bearer ${readToken}` } })
  expect([served.headers.get('Content-Type'), Buffer.from(await served.arrayBuffer())]).toEqual(['image/png', png])
  const etag = served.headers.get('ETag') ?? ''
  const again = await fetch(`${url}${thumbnail}`, { headers: { Authorization: `Bearer ${readToken}`, 'If-None-Match': etag } })
  expect(again.status).toBe(304)

  // What the webhook has sent: the first one twice, with a signature of its bytes.
  await expect.poll(() => received.length, { timeout: 10_000 }).toBe(4)
  expect(received.map(({ body }) => JSON.parse(body).data.title)).toEqual(['Opal', 'Opal', 'Here, "now"', 'Gone'])
  const sign = (webhookId: string, timestamp: string, body: string): string =>
    `v1,${createHmac('sha256', secret).update(`${webhookId}.${timestamp}.${body}`).digest('base64')}`
  for (const { headers: sent, body } of received)
    expect(sent['webhook-signature']).toBe(sign(`${sent['webhook-id']}`, `${sent['webhook-timestamp']}`, body))

  // The same, received.
  const deliver = async (body: string, signed = body): Promise<number> => {
    const timestamp = `${Math.floor(Date.now() / 1_000)}`
    const signature = { 'Webhook-Id': '1', 'Webhook-Timestamp': timestamp, 'Webhook-Signature': sign('1', timestamp, signed) }
    return (await fetch(`${url}/hooks/ben`, { method: 'POST', headers: { ...signature, 'Content-Type': 'application/json' }, body })).status
  }
  const delivery = '{ "event": "added", "data": { "url": "https://jade.example", "title": "Jade" } }'
  // The signature is that of the bytes, and comes before the schema.
  expect([await deliver(delivery), await deliver(delivery, delivery.replaceAll(' ', ''))]).toEqual([204, 401])
  expect([await deliver('{'), await deliver('{}'), await deliver('{', '{}')]).toEqual([400, 400, 401])

  // Removed on condition, and everything survives a restart.
  expect(await getStatus(ben.call.bookmarks.remove({ params: { id }, headers: condition }))).toBe(412)
  await ben.call.bookmarks.remove({ params: { id } })
  await events.return?.()
  await stop()
  await start()
  const later = client(api, url, { auth: [credentials(token, readToken)] })
  expect((await later.bookmarks.search({ query: { sort: 'title' } })).map(({ title }) => title)).toEqual(['Gone', 'Here, "now"', 'Jade'])
  for await (const { event } of await later.changes({ headers: { 'Last-Event-ID': 0 } })) if (event === 'removed') break
})

test.skipIf(browser === undefined)('the page', { timeout: 60_000 }, async () => {
  const running = await chromium.launch({ ...(browser && { executablePath: browser }), args: ['--no-sandbox', '--disable-gpu'] })
  try {
    const page = await (await running.newContext()).newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => faults.push(error.message))
    page.setDefaultTimeout(15_000)
    await page.goto(url.replace('127.0.0.1', 'localhost'))
    await page.fill('[name=name]', 'cid')
    await page.fill('[name=password]', 'a stone is a stone')
    await page.click('text=Sign up')
    await page.fill('[name=url]', 'https://opal.example')
    await page.fill('[name=title]', 'Opal')
    await page.click('text=Add')
    await page.waitForSelector('li:has-text("Opal")')
    // A bookmark from elsewhere appears by itself.
    const { headers } = await client(api, url).account.logIn({ body: { name: 'cid', password: 'a stone is a stone' } })
    const call = client(api, url, { auth: [credentials(session, headers['Set-Cookie'].session ?? '')] })
    await call.bookmarks.add({ body: { url: 'https://jade.example', title: 'Jade <b>' } })
    await page.waitForSelector('li:has-text("Jade <b>")')
    await page.reload()
    await page.waitForSelector('li:has-text("Opal")')
    expect(await page.locator('li a').allTextContents()).toEqual(['Jade <b>', 'Opal'])
    expect(faults).toEqual([])
  } finally {
    await running.close()
  }
})

test('it ends when it is asked to', async () => {
  await stop()
})
