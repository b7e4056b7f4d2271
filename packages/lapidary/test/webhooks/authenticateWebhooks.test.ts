/** Webhooks that a server receives, over a socket: signatures, times, copies, and several secrets. */
import { bearer, either, endpoint, noContent, receiveWebhook, webhook, webhookSignature } from 'lapidary'
import { authenticate, memoryIdempotencyStore, type ServeOptions, serve } from 'lapidary/server'
import { authenticateWebhooks, createWebhookSecret, type WebhookAuthenticatorOptions } from 'lapidary/webhooks'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { parseSecrets, sign } from '../../src/webhooks/webhookSecrets.ts'
import { adapters, listen } from '../support/matrix/adapters.ts'

const Order = z.object({ id: z.int() })
const orderPaid = webhook('order.paid', { body: Order })
const api = { paid: receiveWebhook('POST /hooks/:shop', orderPaid) }
const secret = createWebhookSecret()

interface Attempt {
  readonly shop?: string
  readonly id?: string
  /** In seconds, from now. */
  readonly age?: number
  readonly body?: string
  readonly signed?: string
  readonly secret?: string | readonly string[]
  readonly headers?: Readonly<Record<string, string | undefined>>
}

let attempts = 0

/** A receiver, and a function that sends it attempts. */
async function receiver(options: Partial<WebhookAuthenticatorOptions> = {}, serveOptions: ServeOptions = {}, fail?: () => void) {
  const seen: unknown[] = []
  const handlers = {
    paid: ({
      body,
      user,
      rawBody,
      params,
    }: {
      body: { id: number }
      user: { id: string }
      rawBody: Uint8Array
      params: { shop: string }
    }) => {
      fail?.()
      seen.push({ id: body.id, webhook: user.id, bytes: rawBody.length, shop: params.shop })
    },
  }
  const server = serve(api, handlers, { auth: [authenticateWebhooks({ secret, ...options })], onError: () => {}, ...serveOptions })
  const { url, close } = await listen(server)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const send = async ({ shop = 'a', body = '{"id":7}', age = 0, ...attempt }: Attempt = {}): Promise<Response> => {
    attempts += 1
    const { id = `msg_${attempts}`, signed = body, secret: key = secret } = attempt
    const timestamp = `${Math.floor(Date.now() / 1_000) - age}`
    const headers = {
      'Content-Type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': sign(parseSecrets('test', key), { id, timestamp, payload: new TextEncoder().encode(signed) }),
      ...attempt.headers,
    }
    const given = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return fetch(`${url}/hooks/${shop}`, { method: 'POST', headers: given, body })
  }
  return { send, seen }
}

test('a signed webhook reaches the handler, with its id and its bytes', async () => {
  const { send, seen } = await receiver()
  expect((await send({ id: 'msg_a', body: '{ "id": 7 }' })).status).toBe(204)
  expect(seen).toEqual([{ id: 7, webhook: 'msg_a', bytes: 11, shop: 'a' }])
})

describe('401, with problem details and a challenge', () => {
  const now = Math.floor(Date.now() / 1_000)
  test.each<readonly [string, Attempt]>([
    ['another body of the same meaning', { body: '{"id":7}', signed: '{"id": 7}' }],
    ['a body that was changed', { body: '{"id":8}', signed: '{"id":7}' }],
    ['another secret', { secret: createWebhookSecret() }],
    ['a timestamp of another attempt', { headers: { 'webhook-timestamp': `${now - 10}` } }],
    ['an id of another webhook', { headers: { 'webhook-id': 'msg_other' } }],
    ['an old timestamp', { age: 302 }],
    ['a timestamp in the future', { age: -302 }],
    ['a timestamp that is no number', { headers: { 'webhook-timestamp': 'hello' } }],
    ['a timestamp in hexadecimal', { headers: { 'webhook-timestamp': '0x6553f100' } }],
    ['a timestamp without end', { headers: { 'webhook-timestamp': '9'.repeat(400) } }],
    ['no id', { headers: { 'webhook-id': undefined } }],
    ['no timestamp', { headers: { 'webhook-timestamp': undefined } }],
    ['no signature', { headers: { 'webhook-signature': undefined } }],
    ['an empty signature', { headers: { 'webhook-signature': '' } }],
    ['a signature without a version', { headers: { 'webhook-signature': 'v1,' } }],
    ['an id with a full stop, though it is signed', { id: 'msg.1' }],
    ['an id that is too long', { id: 'a'.repeat(256) }],
    ['a wrong signature before an invalid body', { body: '{', signed: '' }],
  ])('%s', async (_kind, attempt) => {
    const { send, seen } = await receiver()
    const response = await send(attempt)
    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toBe('StandardWebhooks')
    expect(response.headers.get('Content-Type')).toBe('application/problem+json')
    expect(await response.json()).toMatchObject({ status: 401, detail: 'This resource requires valid credentials (webhookSignature).' })
    expect(seen).toEqual([])
  })
})

test.each(adapters)('$name, the signature is over the bytes that arrive', async ({ startAdapter }) => {
  const text = ' {"id":7,"note":"\u00e9", "id" : 8}\n'
  const seen: unknown[] = []
  const server = serve(
    api,
    { paid: ({ body, rawBody }) => void seen.push(body.id, new TextDecoder().decode(rawBody)) },
    { auth: [authenticateWebhooks({ secret })] },
  )
  const { fetch: send, close } = await startAdapter(server)
  onTestFinished(close)
  const timestamp = `${Math.floor(Date.now() / 1_000)}`
  const headers = {
    'Content-Type': 'application/json',
    'webhook-id': 'msg_a',
    'webhook-timestamp': timestamp,
    'webhook-signature': sign(parseSecrets('test', secret), { id: 'msg_a', timestamp, payload: new TextEncoder().encode(text) }),
  }
  const statuses: number[] = []
  for (const body of [text, text.trim(), text]) statuses.push((await send('/hooks/a', { method: 'POST', headers, body })).status)
  expect([statuses, seen]).toEqual([
    [204, 401, 204],
    [8, text],
  ])
})

test('a right signature of an invalid body is 400', async () => {
  const { send } = await receiver()
  expect((await send({ body: '{"id":"seven"}' })).status).toBe(400)
})

test('the tolerance is an option, of the past and of the future', async () => {
  const { send } = await receiver({ tolerance: 10_000 })
  const statuses = [await send({ age: 8 }), await send({ age: -8 }), await send({ age: 12 }), await send({ age: -12 })]
  expect(statuses.map(({ status }) => status)).toEqual([204, 204, 401, 401])
  const { send: sendOld } = await receiver({ tolerance: Number.POSITIVE_INFINITY })
  expect((await sendOld({ age: 1e9 })).status).toBe(204)
})

describe('secrets', () => {
  test('of several, each is right', async () => {
    const [old, now] = [createWebhookSecret(), createWebhookSecret()]
    const { send } = await receiver({ secret: [now, old] })
    const statuses = [
      await send({ secret: old }),
      await send({ secret: now }),
      await send({ secret: [createWebhookSecret(), old] }),
      await send(),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([204, 204, 204, 401])
  })

  test('a function returns those of a request; without any it is 401', async () => {
    const secrets = new Map([
      ['/hooks/a', createWebhookSecret()],
      ['/hooks/b', createWebhookSecret()],
    ])
    const { send } = await receiver({ secret: async ({ target }) => secrets.get(target) })
    const [a = '', b = ''] = [...secrets.values()]
    const statuses = [
      await send({ shop: 'a', secret: a }),
      await send({ shop: 'b', secret: b }),
      await send({ shop: 'a', secret: b }),
      await send({ shop: 'c', secret: a }),
    ]
    expect(statuses.map(({ status }) => status)).toEqual([204, 204, 401, 401])
  })

  test('a wrong one of a function is 500: no request passes', async () => {
    const { send } = await receiver({ secret: () => 'secret' })
    expect((await send()).status).toBe(500)
  })

  test('a wrong one is refused at the start', () => {
    expect(() => authenticateWebhooks({ secret: 'secret' })).toThrow(/^authenticateWebhooks\(\): secret has a secret that is not/)
    expect(() => authenticateWebhooks({ secret, tolerance: -1 })).toThrow(/^authenticateWebhooks\(\): tolerance/)
    expect(() => authenticateWebhooks({ secret, age: 1 } as never)).toThrow(/unknown option "age"/)
  })
})

describe('copies', () => {
  test('the handler runs once: a further attempt gets the first response', async () => {
    const { send, seen } = await receiver()
    // A retry has a time and a signature of its own.
    const statuses = [await send({ id: 'msg_a', age: 20 }), await send({ id: 'msg_a' }), await send({ id: 'msg_b' })]
    expect(statuses.map(({ status }) => status)).toEqual([204, 204, 204])
    expect(seen).toHaveLength(2)
  })

  test('after a failure, the handler runs again, whatever the failure was', async () => {
    const failures = [new Error('database'), Object.assign(new Error('no'), { status: 400 })]
    const { send, seen } = await receiver({}, {}, () => {
      const failure = failures.shift()
      if (failure !== undefined) throw failure
    })
    const statuses = [await send({ id: 'msg_a' }), await send({ id: 'msg_a' }), await send({ id: 'msg_a' }), await send({ id: 'msg_a' })]
    expect(statuses.map(({ status }) => status)).toEqual([500, 500, 204, 204])
    expect(seen).toHaveLength(1)
  })

  test('of two at once, one is 409 with Retry-After', async () => {
    const store = memoryIdempotencyStore()
    let resolve = (): void => {}
    const promise = new Promise<void>((done) => {
      resolve = done
    })
    const slow = { ...store, complete: (...given: Parameters<typeof store.complete>) => promise.then(() => store.complete(...given)) }
    const { send } = await receiver({}, { idempotency: { store: slow } })
    const first = send({ id: 'msg_a' })
    await new Promise((done) => setTimeout(done, 50))
    const second = await send({ id: 'msg_a' })
    expect([second.status, second.headers.get('Retry-After')]).toEqual([409, '1'])
    expect(await second.json()).toMatchObject({ detail: expect.stringContaining('A request with this id is still being processed.') })
    resolve()
    expect((await first).status).toBe(204)
  })

  test('another body with the same id is 422', async () => {
    const { send } = await receiver()
    await send({ id: 'msg_a' })
    const response = await send({ id: 'msg_a', body: '{"id":8}' })
    expect(response.status).toBe(422)
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining('This id belongs to another request') })
  })

  // The signature does not cover the target, so anyone who has recorded a request can change its spelling.
  test.each([
    ['a query', 'a?again'],
    ['percent-encoding', '%61'],
  ])('a copy with %s is not handled again', async (_what, shop) => {
    const { send, seen } = await receiver()
    expect((await send({ id: 'msg_a', shop: 'a' })).status).toBe(204)
    expect((await send({ id: 'msg_a', shop })).status).toBe(422)
    expect(seen).toHaveLength(1)
  })

  test('two endpoints get one webhook each', async () => {
    const { send, seen } = await receiver()
    const statuses = [await send({ id: 'msg_a', shop: 'a' }), await send({ id: 'msg_a', shop: 'b' })]
    expect(statuses.map(({ status }) => status)).toEqual([204, 204])
    expect(seen).toHaveLength(2)
  })

  test('two processes know of each other by the store', async () => {
    const store = memoryIdempotencyStore()
    const [one, other] = [await receiver({}, { idempotency: { store } }), await receiver({}, { idempotency: { store } })]
    const headers = { host: undefined }
    expect((await one.send({ id: 'msg_a', headers })).status).toBe(204)
    expect((await other.send({ id: 'msg_a', headers })).status).toBe(204)
    expect([...one.seen, ...other.seen]).toHaveLength(1)
  })

  test('beside other credentials, requests without an id are requests of their own', async () => {
    const token = bearer<{ readonly name: string }>('market')
    let count = 0
    const server = serve(
      { paid: endpoint('POST /paid', { auth: either(webhookSignature, token), body: Order, rawBody: true, response: noContent }) },
      {
        paid: () => {
          count += 1
        },
      },
      { auth: [authenticateWebhooks({ secret }), authenticate(token, () => ({ name: 'ann' }))] },
    )
    const send = (): Promise<Response> =>
      server.fetch(
        new Request('http://a.test/paid', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: 'Bearer a' },
          body: '{"id":7}',
        }),
      )
    expect([(await send()).status, (await send()).status, count]).toEqual([204, 204, 2])
  })
})
