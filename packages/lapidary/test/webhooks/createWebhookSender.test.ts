/** Webhooks that are sent, over sockets: what arrives, what is sent again, what is given up, and what survives the process. */
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { bytes, content, endpoint, form, mount, noContent, ok, receiveWebhook, schemaCodec, text, webhook } from 'lapidary'
import { kyselyWebhookStore } from 'lapidary/kysely'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import {
  authenticateWebhooks,
  createWebhookSecret,
  createWebhookSender,
  memoryWebhookStore,
  type WebhookAttempt,
  type WebhookSenderOptions,
  type WebhookStore,
} from 'lapidary/webhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { isSignedBy, parseSecrets } from '../../src/webhooks/webhookSecrets.ts'
import { sqliteDialect } from '../support/sqliteDialect.ts'
import { createDeliveriesTable } from '../support/webhookDeliveries.ts'

const dateTime = z.codec(z.iso.datetime(), z.date(), { decode: (given) => new Date(given), encode: (date) => date.toISOString() })
const Order = z.object({ id: z.int(), note: z.string().optional() })
const api = {
  hello: endpoint('GET /hello', { response: ok(text) }),
  files: mount('/files'),
  orderPaid: webhook('order.paid', { body: Order }),
  stones: {
    cut: webhook('stone.cut', { body: schemaCodec(z.object({ at: dateTime })) }),
    named: webhook('stone.named', { body: content(z.object({ name: z.string() }), form) }),
    photo: webhook('stone.photo', { body: bytes }),
    list: endpoint('GET /stones', { response: noContent }),
  },
}
const secret = createWebhookSecret()

interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly at: number
}

/** A receiver of plain Node, which responds to its attempts one after the other; to further ones with 204. */
async function receiver(...responses: readonly (number | ((response: ServerResponse) => void))[]) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      const respond = responses[received.length] ?? 204
      received.push({ headers: request.headers, body: Buffer.concat(chunks).toString(), at: Date.now() })
      if (typeof respond === 'function') respond(response)
      else response.writeHead(respond).end('text that nobody reads')
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { received, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` }
}

const quick = { allow: () => true, minDelay: 20, maxDelay: 100, pollInterval: 10, timeout: 2_000 }

/** A sender, and its attempts. */
function sender(options: Partial<WebhookSenderOptions> = {}) {
  const attempts: WebhookAttempt[] = []
  const errors: unknown[] = []
  const made = createWebhookSender(api, {
    secret,
    ...quick,
    onAttempt: (attempt) => void attempts.push(attempt),
    onError: (error) => void errors.push(error),
    ...options,
  })
  onTestFinished(() => made.close())
  const outcomes = (): readonly string[] => attempts.map(({ outcome, status }) => `${outcome} ${status}`)
  return { ...made, attempts, errors, outcomes }
}

/** Waits until it is so. Bun's own runner has no `vi.waitFor`. */
async function until(condition: () => unknown): Promise<void> {
  const end = Date.now() + 10_000
  while (!condition()) {
    expect(Date.now(), 'it is never so').toBeLessThan(end)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('what arrives', () => {
  test('is signed over its bytes, an id and the time', async () => {
    const { received, url } = await receiver()
    const { send, attempts } = sender()
    const { id } = await send.orderPaid(url, { id: 7, note: 'für Ann' })
    await until(() => attempts.length > 0)
    const [{ headers, body }] = received as [Received]
    expect(body).toBe('{"id":7,"note":"für Ann"}')
    expect(headers).toMatchObject({ 'content-type': 'application/json;charset=utf-8', 'webhook-id': id })
    expect(id).toMatch(/^msg_[\da-f-]{36}$/)
    const timestamp = `${headers['webhook-timestamp']}`
    expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(5)
    const parts = { id, timestamp, payload: new TextEncoder().encode(body) }
    expect(isSignedBy(parseSecrets('test', secret), parts, `${headers['webhook-signature']}`)).toBe(true)
    expect(attempts).toMatchObject([
      {
        outcome: 'delivered',
        status: 204,
        reason: undefined,
        nextAttempt: undefined,
        delivery: { id, webhook: 'order.paid', url, attempts: 1 },
      },
    ])
  })

  test('is written by the encoders of the description, and has no undeclared members', async () => {
    const { received, url } = await receiver()
    const { send } = sender()
    await send.stones.cut(url, { at: new Date(0) })
    await until(() => received.length === 1)
    await send.stones.named(url, { name: 'blue topaz' })
    await until(() => received.length === 2)
    await send.orderPaid(url, { id: 1, secret: 'password' } as { id: number })
    await until(() => received.length === 3)
    expect(received.map(({ body }) => body)).toEqual(['{"at":"1970-01-01T00:00:00.000Z"}', 'name=blue+topaz', '{"id":1}'])
    expect(received[1]?.headers['content-type']).toBe('application/x-www-form-urlencoded')
  })

  test('reaches an endpoint of receiveWebhook once, whatever its first response is', async () => {
    const orders: unknown[] = []
    const handlers = {
      paid: ({ body, user }: { body: { id: number }; user: { id: string } }) => {
        orders.push([user.id, body.id])
        if (orders.length === 1) throw new Error('the database is away')
      },
    }
    const server = serve({ paid: receiveWebhook('POST /paid', api.orderPaid) }, handlers, {
      auth: [authenticateWebhooks({ secret })],
      onError: () => {},
    })
    const { url, close } = await listen(server)
    onTestFinished(() => close({ drain: 0, grace: 0 }))
    const { send, outcomes } = sender()
    const { id } = await send.orderPaid(`${url}/paid`, { id: 7 })
    await until(() => outcomes().length === 2)
    expect(outcomes()).toEqual(['postponed 500', 'delivered 204'])
    expect(orders).toEqual([
      [id, 7],
      [id, 7],
    ])
  })

  test('is signed with all secrets, or with those of its receiver', async () => {
    const { received, url } = await receiver()
    const secrets = [createWebhookSecret(), createWebhookSecret()]
    const { send, attempts } = sender({ secret: async ({ webhook: name }) => (name === 'order.paid' ? secrets : secret) })
    await send.orderPaid(url, { id: 7 })
    await send.stones.named(url, { name: 'opal' })
    await until(() => attempts.length === 2)
    const counts = received.map(({ headers }) => `${headers['webhook-signature']}`.split(' ').length)
    expect(counts.toSorted()).toEqual([1, 2])
  })
})

describe('a subscription', () => {
  test('is in the delivery of secret, allow and onAttempt, in each attempt, and not in the request', async () => {
    const { received, url } = await receiver(500)
    const secrets = new Map([
      ['of ann', createWebhookSecret()],
      ['of ben', createWebhookSecret()],
    ])
    const allowed: unknown[] = []
    const { send, attempts, outcomes } = sender({
      secret: ({ subscription }) => secrets.get(subscription ?? ''),
      allow: (_url, { subscription }) => allowed.push(subscription) > 0,
    })
    await send.orderPaid(url, { id: 7 }, { subscription: 'of ann' })
    await until(() => outcomes().includes('delivered 204'))
    await send.orderPaid(url, { id: 7 }, { subscription: 'of ben' })
    await until(() => attempts.length === 3)
    expect(attempts.map(({ delivery }) => delivery.subscription)).toEqual(['of ann', 'of ann', 'of ben'])
    expect(allowed).toEqual(['of ann', 'of ann', 'of ben'])
    // The URL and the body are the same, and each is signed with the secret of its own subscription alone.
    const signers = received.map(({ headers, body }) => {
      const parts = {
        id: `${headers['webhook-id']}`,
        timestamp: `${headers['webhook-timestamp']}`,
        payload: new TextEncoder().encode(body),
      }
      const isSigned = (one: string) => isSignedBy(parseSecrets('test', one), parts, `${headers['webhook-signature']}`)
      return [...secrets].flatMap(([name, one]) => (isSigned(one) ? [name] : []))
    })
    expect(signers).toEqual([['of ann'], ['of ann'], ['of ben']])
    expect(JSON.stringify(received)).not.toContain('of ann')
  })

  test('that is gone has no secret: the delivery is given up, and nothing is sent', async () => {
    const { received, url } = await receiver()
    const { send, attempts, errors } = sender({ secret: async () => undefined })
    await send.orderPaid(url, { id: 7 }, { subscription: 'of ann' })
    await until(() => attempts.length > 0)
    await new Promise((done) => setTimeout(done, 150))
    const reason = 'There is no secret for it: the subscription is gone.'
    expect(attempts).toMatchObject([{ outcome: 'failed', status: undefined, reason, nextAttempt: undefined }])
    expect([received, errors]).toEqual([[], []])
  })

  test('whose secret cannot be looked up is asked for again, and the error is reported', async () => {
    const { received, url } = await receiver()
    const away = new Error('the database is away')
    let count = 0
    const { send, attempts, errors, outcomes } = sender({
      allow: () => {
        count += 1
        if (count === 1) throw away
        return true
      },
      secret: async () => {
        if (count < 3) throw away
        return secret
      },
    })
    await send.orderPaid(url, { id: 7 }, { subscription: 'of ann' })
    await until(() => outcomes().includes('delivered 204'))
    expect(outcomes()).toEqual(['postponed undefined', 'postponed undefined', 'delivered 204'])
    expect(attempts.map(({ reason }) => reason)).toEqual([away.message, away.message, undefined])
    expect(errors).toEqual([away, away])
    expect(received).toHaveLength(1)
  })
})

describe('what is sent again', () => {
  test('each attempt has the same id and body, and a time of its own', async () => {
    const { received, url } = await receiver(500, 404, 302, 400, 429)
    const { send, outcomes, attempts } = sender()
    await send.orderPaid(url, { id: 7 })
    await until(() => outcomes().includes('delivered 204'))
    expect(outcomes()).toEqual(['postponed 500', 'postponed 404', 'postponed 302', 'postponed 400', 'postponed 429', 'delivered 204'])
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(received.map(({ body }) => body))).toEqual(new Set(['{"id":7}']))
    expect(attempts.map(({ delivery }) => delivery.attempts)).toEqual([1, 2, 3, 4, 5, 6])
    expect(attempts[0]?.reason).toBe('The receiver responded with 500.')
    expect(attempts[0]?.nextAttempt).toBeInstanceOf(Date)
  })

  test('a redirect is not followed', async () => {
    const other = await receiver()
    const { url } = await receiver((response) => response.writeHead(307, { Location: other.url }).end())
    const { send, outcomes } = sender({ retries: 0 })
    await send.orderPaid(url, { id: 7 })
    await until(() => outcomes().length > 0)
    expect(outcomes()).toEqual(['failed 307'])
    expect(other.received).toEqual([])
  })

  test('the delay grows by four, up to half of it is random, and it has an end', async () => {
    const { url } = await receiver(...Array<number>(9).fill(500))
    const { send, attempts, outcomes } = sender({ minDelay: 1_000, maxDelay: 30_000, concurrency: 1, store: impatientStore() })
    await send.orderPaid(url, { id: 7 })
    await until(() => outcomes().includes('delivered 204'))
    const delays = attempts.flatMap(({ nextAttempt }, index) => (nextAttempt ? [+nextAttempt - (times[index] ?? 0)] : []))
    const limits = [1_000, 4_000, 16_000, 30_000, 30_000, 30_000, 30_000, 30_000, 30_000]
    expect(delays).toHaveLength(9)
    delays.forEach((delay, index) => {
      expect(delay).toBeGreaterThanOrEqual((limits[index] ?? 0) / 2 - 50)
      expect(delay).toBeLessThanOrEqual((limits[index] ?? 0) + 50)
    })
  })

  test('Retry-After is respected if it is longer, up to the longest delay', async () => {
    const { url } = await receiver(
      (response) => response.writeHead(503, { 'Retry-After': '1' }).end(),
      (response) => response.writeHead(429, { 'Retry-After': new Date(Date.now() + 3_000_000).toUTCString() }).end(),
    )
    const { send, attempts, outcomes } = sender({ minDelay: 20, maxDelay: 60_000, store: impatientStore() })
    await send.orderPaid(url, { id: 7 })
    await until(() => outcomes().includes('delivered 204'))
    const delays = attempts.flatMap(({ nextAttempt }, index) => (nextAttempt ? [+nextAttempt - (times[index] ?? 0)] : []))
    expect(delays[0]).toBeGreaterThan(900)
    expect(delays[0]).toBeLessThan(1_200)
    expect(delays[1]).toBeGreaterThan(59_000)
    expect(delays[1]).toBeLessThan(61_000)
  })

  test('an attempt that takes too long, one that is cut off, and one without a server', async () => {
    const { url } = await receiver(
      () => {},
      (response) => response.destroy(),
    )
    const { send, attempts, outcomes } = sender({ timeout: 100 })
    await send.orderPaid(url, { id: 7 })
    await until(() => outcomes().includes('delivered 204'))
    expect(attempts[0]).toMatchObject({ outcome: 'postponed', status: undefined, reason: 'The receiver did not respond within 100 ms.' })
    expect(attempts[1]).toMatchObject({ outcome: 'postponed', status: undefined })
    const { send: sendNowhere, attempts: lost } = sender({ retries: 0 })
    await sendNowhere.orderPaid('http://127.0.0.1:1/', { id: 7 })
    await until(() => lost.length > 0)
    expect(lost[0]).toMatchObject({ outcome: 'failed', status: undefined, reason: expect.any(String) })
  })
})

describe('what is given up', () => {
  test('410 ends a delivery', async () => {
    const { received, url } = await receiver(410)
    const { send, attempts } = sender()
    await send.orderPaid(url, { id: 7 })
    await until(() => attempts.length > 0)
    await new Promise((done) => setTimeout(done, 150))
    expect(received).toHaveLength(1)
    expect(attempts).toMatchObject([{ outcome: 'failed', status: 410, reason: 'The receiver is gone (410).', nextAttempt: undefined }])
  })

  test('so does the last retry', async () => {
    const { received, url } = await receiver(500, 500, 500, 500)
    const { send, outcomes } = sender({ retries: 2 })
    await send.orderPaid(url, { id: 7 })
    await until(() => outcomes().length === 3)
    await new Promise((done) => setTimeout(done, 150))
    expect(outcomes()).toEqual(['postponed 500', 'postponed 500', 'failed 500'])
    expect(received).toHaveLength(3)
  })

  test('a URL that is not allowed gets nothing', async () => {
    const { received, url } = await receiver()
    const seen: string[] = []
    const { send, attempts } = sender({
      allow: async ({ hostname }) => {
        seen.push(hostname)
        return false
      },
    })
    await send.orderPaid(url, { id: 7 })
    await until(() => attempts.length > 0)
    expect(attempts).toMatchObject([{ outcome: 'failed', status: undefined, reason: 'The URL is not allowed.' }])
    expect([seen, received]).toEqual([['127.0.0.1'], []])
  })

  test('by default, a private address is not allowed', async () => {
    const { received, url } = await receiver()
    const attempts: WebhookAttempt[] = []
    const { send, close } = createWebhookSender(api, { secret, pollInterval: 10, onAttempt: (attempt) => void attempts.push(attempt) })
    onTestFinished(close)
    await send.orderPaid(url, { id: 7 })
    await until(() => attempts.length > 0)
    expect([attempts[0]?.outcome, received]).toEqual(['failed', []])
  })
})

describe('functions of the application', () => {
  test('that fail are failed attempts, and never a delivery without a signature', async () => {
    const { received, url } = await receiver()
    let count = 0
    const { send, attempts, errors } = sender({
      secret: async () => {
        count += 1
        if (count === 1) throw new Error('no connection to the keys')
        return count === 2 ? 'short' : secret
      },
      onAttempt: (attempt) => {
        attempts.push(attempt)
        throw new Error('metrics are away')
      },
    })
    await send.orderPaid(url, { id: 7 })
    await until(() => received.length > 0)
    await until(() => attempts.length === 3)
    expect(attempts.map(({ reason }) => reason)).toEqual([
      'no connection to the keys',
      expect.stringContaining('createWebhookSender(): secret has a secret that is not'),
      undefined,
    ])
    const metrics = 'metrics are away'
    expect(errors.map((error) => (error as Error).message)).toEqual([
      'no connection to the keys',
      metrics,
      expect.stringContaining('createWebhookSender(): secret has a secret that is not'),
      metrics,
      metrics,
    ])
  })

  test('that never return end with the time limit', async () => {
    const { url } = await receiver()
    const { send, attempts } = sender({ timeout: 50, retries: 0, fetch: () => new Promise(() => {}) })
    await send.orderPaid(url, { id: 7 })
    await until(() => attempts.length > 0)
    expect(attempts[0]?.reason).toBe('The receiver did not respond within 50 ms.')
  })

  test('a store that fails is reported, and asked again', async () => {
    const { received, url } = await receiver()
    const store = memoryWebhookStore()
    let failures = 2
    const failing: WebhookStore = {
      ...store,
      claim: async (claim) => {
        failures -= 1
        if (failures >= 0) throw new Error('the database is away')
        return store.claim(claim)
      },
    }
    const { send, errors } = sender({ store: failing })
    await send.orderPaid(url, { id: 7 })
    await until(() => received.length > 0)
    expect(errors).toEqual([new Error('the database is away'), new Error('the database is away')])
    const { send: sendInVain } = sender({ store: { ...store, add: () => Promise.reject(new Error('full')) } })
    await expect(sendInVain.orderPaid(url, { id: 7 })).rejects.toThrow('full')
  })
})

describe('mistakes of the caller', () => {
  test('a body that the schema does not allow, and one without text, are not sent', async () => {
    const { received, url } = await receiver()
    const { send } = sender()
    await expect(send.orderPaid(url, { id: 'seven' as never })).rejects.toThrow(/^webhook\("order\.paid"\)/)
    await expect(send.stones.photo(url, Uint8Array.of(0xff))).rejects.toThrow(/the body is no text in UTF-8/)
    await new Promise((done) => setTimeout(done, 50))
    expect(received).toEqual([])
  })

  test.each([
    ['no URL', 'shop.example/hooks', 'the text'],
    ['another protocol', 'ftp://shop.example/', 'a URL of ftp://shop.example'],
    ['a password', 'https://ann:secret@shop.example/?token=1', 'a URL of https://shop.example'],
  ])('%s', async (_kind, url, shown) => {
    const { send } = sender()
    await expect(send.orderPaid(url, { id: 7 })).rejects.toThrow(
      new TypeError(
        `webhook("order.paid"): ${shown} is not a URL that a webhook can be sent to. Write an absolute URL of http: or https:, without a user name or a password.`,
      ),
    )
  })

  test.each([
    ['a number', { subscription: 7 }, 'webhook("order.paid"): the subscription is a number, expected a text that is not empty.'],
    ['an empty text', { subscription: '' }, 'webhook("order.paid"): the subscription is empty, expected a text that is not empty.'],
    [
      'another name',
      { subscriber: 'of ann' },
      'webhook("order.paid") has the unknown option "subscriber". Use one of store, subscription.',
    ],
  ])('a subscription that is %s', async (_kind, options, message) => {
    const { send } = sender()
    const sent = send.orderPaid('https://shop.example/', { id: 7 }, options as never)
    await expect(sent).rejects.toThrow(TypeError)
    await expect(send.orderPaid('https://shop.example/', { id: 7 }, options as never)).rejects.toThrow(message)
  })

  test.each([
    ['secret', { secret: 'short' }],
    ['timeout', { timeout: 0 }],
    ['timeout', { timeout: Number.POSITIVE_INFINITY }],
    ['minDelay', { minDelay: Number.NaN }],
    ['maxDelay', { maxDelay: 2 ** 31 }],
    ['pollInterval', { pollInterval: 0 }],
    ['retries', { retries: -1 }],
    ['concurrency', { concurrency: 1.5 }],
    ['allow', { allow: 'all' }],
    ['store.claim', { store: { add: () => {} } }],
    ['unknown option "retry"', { retry: 3 }],
  ])('a wrong %s', (name, options) => {
    expect(() => createWebhookSender(api, { secret, ...options } as never)).toThrow(TypeError)
    expect(() => createWebhookSender(api, { secret, ...options } as never)).toThrow(name)
  })

  test('a closed sender sends nothing', async () => {
    const { send, close } = sender()
    await close()
    await expect(send.orderPaid('https://shop.example/', { id: 7 })).rejects.toThrow(/the sender of webhooks is closed/)
  })
})

test('only so many attempts run at once', async () => {
  const held: ServerResponse[] = []
  const { received, url } = await receiver(...Array<(response: ServerResponse) => void>(5).fill((response) => void held.push(response)))
  const { send, outcomes } = sender({ concurrency: 2 })
  for (let id = 0; id < 5; id += 1) await send.orderPaid(url, { id })
  await until(() => held.length === 2)
  await new Promise((done) => setTimeout(done, 50))
  expect(received).toHaveLength(2)
  for (let count = 0; count < 5; count += 1) {
    await until(() => held.length > count)
    held[count]?.writeHead(204).end()
  }
  await until(() => outcomes().length === 5)
})

test('close waits for the attempts that run, and starts no others', async () => {
  let finish = (): void => {}
  const { received, url } = await receiver((response) => {
    finish = () => void response.writeHead(204).end()
  })
  const { send, close, outcomes } = sender({ concurrency: 1 })
  await send.orderPaid(url, { id: 1 })
  await send.orderPaid(url, { id: 2 })
  await until(() => received.length === 1)
  const closed = close()
  setTimeout(finish, 50)
  await closed
  expect([outcomes(), received.length]).toEqual([['delivered 204'], 1])
})

describe('a table of SQLite', () => {
  async function openDatabase() {
    const folder = await mkdtemp(join(tmpdir(), 'lapidary-sender-'))
    const path = join(folder, 'deliveries.db')
    const database = new Kysely<unknown>({ dialect: sqliteDialect(path) })
    await createDeliveriesTable(database)
    onTestFinished(async () => {
      await database.destroy()
      await rm(folder, { recursive: true })
    })
    const countRows = async (): Promise<number> =>
      Number((await sql<{ rows: number }>`select count(*) as rows from webhook_deliveries`.execute(database)).rows[0]?.rows)
    return { path, database, countRows }
  }

  test('deliveries survive a restart', async () => {
    const { received, url } = await receiver(500)
    const { path, database, countRows } = await openDatabase()
    // Long enough for a busy machine to close it before the next attempt.
    const before = sender({ store: kyselyWebhookStore(database), minDelay: 1_500 })
    const { id } = await before.send.orderPaid(url, { id: 7 })
    await until(() => before.outcomes().length === 1)
    await before.close()
    expect([before.outcomes(), await countRows()]).toEqual([['postponed 500'], 1])

    const reopened = new Kysely<unknown>({ dialect: sqliteDialect(path) })
    onTestFinished(() => reopened.destroy())
    const after = sender({ store: kyselyWebhookStore(reopened) })
    await until(() => after.outcomes().length === 1)
    expect(after.attempts).toMatchObject([{ outcome: 'delivered', delivery: { id, attempts: 2 } }])
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([id, id])
    expect(await countRows()).toBe(0)
  })

  test('of a worker that is gone, another delivers what it had claimed', async () => {
    const { received, url } = await receiver()
    const { database } = await openDatabase()
    const store = kyselyWebhookStore(database)
    const { send } = sender({ store, concurrency: 0 })
    const { id } = await send.orderPaid(url, { id: 7 })
    // The process ends within an attempt.
    expect(await store.claim({ owner: 'gone', lease: 300, limit: 1 })).toHaveLength(1)
    const { attempts } = sender({ store })
    await until(() => attempts.length === 1)
    expect(attempts).toMatchObject([{ outcome: 'delivered', delivery: { id, attempts: 2 } }])
    expect(received).toHaveLength(1)
  })

  test('several workers deliver each webhook once', async () => {
    const { received, url } = await receiver()
    const { path, database, countRows } = await openDatabase()
    const { send } = sender({ store: kyselyWebhookStore(database), concurrency: 0 })
    const ids = await Promise.all(Array.from({ length: 40 }, async (_, id) => (await send.orderPaid(url, { id })).id))
    const workers = [0, 1, 2].map(() => {
      const own = new Kysely<unknown>({ dialect: sqliteDialect(path) })
      onTestFinished(() => own.destroy())
      // On a busy machine a response may be late, and its webhook would rightly be sent again.
      return sender({ store: kyselyWebhookStore(own), concurrency: 3, timeout: 15_000 })
    })
    await until(() => workers.flatMap(({ attempts }) => attempts).length >= 40)
    await Promise.all(workers.map(({ close }) => close()))
    expect(received.map(({ headers }) => headers['webhook-id']).toSorted()).toEqual(ids.toSorted())
    expect(await countRows()).toBe(0)
  })

  test('a transaction adds a delivery with what it changes, or not at all', async () => {
    const { received, url } = await receiver()
    const { database, countRows } = await openDatabase()
    const { send } = sender({ store: kyselyWebhookStore(database) })
    const failing = database.transaction().execute(async (transaction) => {
      await send.orderPaid(url, { id: 1 }, { store: kyselyWebhookStore(transaction) })
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await database.transaction().execute((transaction) => send.orderPaid(url, { id: 2 }, { store: kyselyWebhookStore(transaction) }))
    await until(() => received.length > 0)
    await new Promise((done) => setTimeout(done, 50))
    expect(received.map(({ body }) => body)).toEqual(['{"id":2}'])
    expect(await countRows()).toBe(0)
  })
})

/** When each attempt ended. */
const times: number[] = []

/** A store whose deliveries are due at once, however long they are postponed. */
function impatientStore(): WebhookStore {
  const store = memoryWebhookStore()
  times.length = 0
  return {
    ...store,
    postpone: (attempt) => {
      times.push(Date.now())
      return store.postpone(attempt, 0)
    },
  }
}
