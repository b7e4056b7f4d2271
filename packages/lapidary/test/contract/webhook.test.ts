/** `webhook` and `receiveWebhook`: what can be described, and what the rest of the toolkit makes of it. */
import {
  type Api,
  bearer,
  bytes,
  content,
  download,
  endpoint,
  events,
  file,
  form,
  group,
  int,
  json,
  multipart,
  ndjson,
  noContent,
  ok,
  operations,
  optional,
  prefix,
  receiveWebhook,
  text,
  webhook,
  webhookSignature,
} from 'lapidary'
import { client } from 'lapidary/client'
import { link, match } from 'lapidary/links'
import { guard, serve } from 'lapidary/server'
import { authenticateWebhooks, createWebhookSecret } from 'lapidary/webhooks'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listWebhooks } from '../../src/contract/api.ts'
import { toWireApi } from '../../src/contract/wireEndpoint.ts'

const Order = z.object({ id: z.int() })
const paid = webhook('order.paid', { body: Order, summary: 'An order is paid.', tags: ['orders'] })
const api = {
  hello: endpoint('GET /hello', { response: ok(text) }),
  orders: prefix('/shops/:shop', { shop: int }, { paid, list: endpoint('GET /orders', { response: ok(text) }) }),
}

describe('a webhook in an API', () => {
  test('is no operation: the server, the client and links leave it out', async () => {
    expect(operations(api).map(({ name }) => name)).toEqual(['hello', 'orders.list'])
    const server = serve(api, { hello: () => 'hi', orders: { list: ({ params }) => `${params.shop}` } })
    const call = client(api, 'http://a.test', { fetch: server.fetch })
    expect([await call.hello(), await call.orders.list({ params: { shop: 7 } })]).toEqual(['hi', '7'])
    expect(Object.keys(call.orders)).toEqual(['list'])
    expect(match(api, '/shops/7/orders')?.name).toBe('orders.list')
    expect(link(api.orders.list, { params: { shop: 7 } })).toBe('/shops/7/orders')
  })

  test('has nothing of its group, which is of endpoints', () => {
    const auth = bearer<string>('staff')
    const list = endpoint('GET /orders', { response: ok(text) })
    const grouped = group({ auth, tags: ['Staff'] }, { list, paid, hooks: { paid } })
    expect([grouped.paid, grouped.hooks.paid]).toEqual([paid, paid])
    expect(grouped.list.auth).toHaveLength(1)
  })

  test('has its place and its name; a prefix does not change it', () => {
    expect(listWebhooks(api)).toEqual([{ path: ['orders', 'paid'], key: 'orders.paid', webhook: paid }])
    expect(Object.isFrozen(paid)).toBe(true)
    expect(listWebhooks(toWireApi(api))).toHaveLength(1)
  })

  test('two cannot have one name', () => {
    expect(() => listWebhooks({ one: paid, others: { two: paid } })).toThrow(
      new TypeError('"one" and "others.two" are both the webhook order.paid. Change the name of one of them.'),
    )
  })

  test('a handler for it is one too many', () => {
    expect(() => serve(api, { hello: () => 'hi', orders: { list: () => '', paid: () => {} } } as never)).toThrow(/orders\.paid/)
    const hooks: Api = { paid }
    expect(() =>
      serve(
        hooks,
        guard(hooks, () => {}, { paid: () => '' } as never),
      ),
    ).toThrow(/paid/)
  })

  test('its schema must have a JSON Schema', () => {
    expect(() => listWebhooks({ paid: webhook('paid', { body: z.object({ at: z.date() }) }) })).toThrow(/^webhook\("paid"\): body: .*date/i)
  })
})

describe('what can be described', () => {
  test.each([['order.paid'], ['order'], ['order-paid.v2'], ['a_b.c']])('%s is a name', (name) => {
    expect(webhook(name, { body: Order }).name).toBe(name)
  })

  test.each([[''], ['.'], ['order..paid'], ['order.'], ['order paid'], ['order/paid'], [7], [undefined]])('%j is no name', (name) => {
    expect(() => webhook(name as string, { body: Order })).toThrow(/^webhook\(\): .* is not the name of a webhook\. Write words/)
  })

  test.each([
    ['a form', content(z.object({ name: z.string() }), form), 'application/x-www-form-urlencoded'],
    ['text', text, 'text/plain;charset=utf-8'],
    ['any JSON', json, 'application/json;charset=utf-8'],
  ])('%s is a body', (_kind, body, type) => {
    expect(webhook('a', { body }).body.media[0]?.types[0]).toBe(type)
  })

  test.each([
    ['a stream', ndjson(Order)],
    ['events', events(Order)],
    ['a form with files', multipart({ file: file({ maxSize: 9 }) })],
    ['a download', download('text/plain')],
    ['an optional body', optional(Order)],
  ])('%s is none', (_kind, body) => {
    expect(() => webhook('a', { body: body as never })).toThrow(/^webhook\("a"\): the body of a webhook is sent and read whole/)
  })

  test.each([
    ['no definition', undefined, 'webhook("a") has undefined as its body.'],
    ['no body', {}, 'webhook("a") has nothing as its body.'],
    ['an unknown part', { body: Order, method: 'PUT' }, 'webhook("a") has the unknown option "method".'],
    ['wrong examples', { body: Order, examples: 7 }, 'webhook("a")'],
  ])('%s', (_kind, definition, message) => {
    expect(() => webhook('a', definition as never)).toThrow(message)
  })

  test('bytes have no text, and are still a body of a receiver', () => {
    expect(receiveWebhook('POST /a', webhook('a', { body: bytes })).rawBody).toBe(true)
  })
})

describe('receiveWebhook', () => {
  const endpointOfPaid = receiveWebhook('POST /hooks/:shop', paid)

  test('is an endpoint with a signature over its bytes', () => {
    const { route, rawBody, body, response, auth, summary } = endpointOfPaid
    expect({ route, rawBody, status: response.status, summary }).toEqual({
      route: 'POST /hooks/:shop',
      rawBody: true,
      status: 204,
      summary: 'An order is paid.',
    })
    expect(body).toBe(paid.body)
    expect(auth).toEqual([[{ scheme: webhookSignature, scopes: [] }]])
    expect(receiveWebhook('POST /a', webhook('a', { body: Order })).summary).toBe('Receives the webhook a.')
  })

  test('serve needs the authenticator', () => {
    const auth = [authenticateWebhooks({ secret: createWebhookSecret() })]
    expect(() => serve({ endpointOfPaid }, { endpointOfPaid: () => {} })).toThrow(/webhookSignature/)
    expect(() => serve({ endpointOfPaid }, { endpointOfPaid: () => {} }, { auth })).not.toThrow()
  })
})

describe('an endpoint of your own with webhookSignature', () => {
  test.each([
    ['keeps the bytes', { body: Order, response: noContent }, 'Add rawBody: true.'],
    ['has no Idempotency-Key', { body: Order, rawBody: true, idempotent: 'required', response: noContent }, 'Remove "idempotent".'],
    ['responds with no stream', { body: Order, rawBody: true, response: ok(ndjson(Order)) }, 'one of them is a stream'],
  ])('%s', (_rule, definition, message) => {
    expect(() => endpoint('POST /a', { auth: webhookSignature, ...definition } as never)).toThrow(message)
  })
})
