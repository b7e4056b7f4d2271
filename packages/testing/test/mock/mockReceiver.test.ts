/** Receivers of webhooks for tests: of the program that sends, and of the program that receives. */
import { mock, mockReceiver } from '@lapidary/testing'
import { endpoint, ok, receiveWebhook, text, webhook } from 'lapidary'
import { listen } from 'lapidary/node'
import { createWebhookSecret, createWebhookSender, type WebhookAttempt } from 'lapidary/webhooks'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'

const api = {
  hello: endpoint('GET /hello', { response: ok(text) }),
  orders: { paid: webhook('order.paid', { body: z.object({ id: z.int() }) }), gone: webhook('order.gone', { body: text }) },
}
const secret = createWebhookSecret()

function sender(options: { readonly secret?: string } = {}) {
  const attempts: WebhookAttempt[] = []
  const made = createWebhookSender(api, {
    secret,
    allow: () => true,
    minDelay: 10,
    pollInterval: 10,
    onAttempt: (attempt) => void attempts.push(attempt),
    ...options,
  })
  onTestFinished(() => made.close())
  return { ...made, attempts }
}

async function listening(server: Parameters<typeof listen>[0]): Promise<string> {
  const { url, close } = await listen(server)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return url
}

test('it receives each webhook of an API, after as many failures as it is told', async () => {
  const receiver = mockReceiver(api, { secret, failures: 2 })
  const url = await listening(receiver)
  const { send, attempts } = sender()
  const { id } = await send.orders.paid(`${url}/order.paid`, { id: 7 })
  await vi.waitFor(() => expect(receiver.deliveries).toEqual([{ webhook: 'order.paid', id, body: { id: 7 } }]), 10_000)
  expect(attempts.map(({ status }) => status).slice(0, 2)).toEqual([503, 503])
  const { id: other } = await send.orders.gone(`${url}/order.gone`, 'order 7')
  await vi.waitFor(() => expect(receiver.deliveries[1]).toEqual({ webhook: 'order.gone', id: other, body: 'order 7' }), 10_000)
})

test('it refuses a wrong signature', async () => {
  const receiver = mockReceiver(api, { secret })
  const url = await listening(receiver)
  const { send, attempts } = sender({ secret: createWebhookSecret() })
  await send.orders.paid(`${url}/order.paid`, { id: 7 })
  await vi.waitFor(() => expect(attempts[0]?.status).toBe(401), 10_000)
  expect(receiver.deliveries).toEqual([])
})

test('the mock of an API leaves out what its server sends', async () => {
  const server = mock(api)
  expect((await server.fetch(new Request('http://a.test/order.paid', { method: 'POST' }))).status).toBe(404)
  expect((await server.fetch(new Request('http://a.test/hello'))).status).toBe(200)
})

test('the mock of a receiver takes webhooks, whoever has signed them', async () => {
  const url = await listening(mock({ paid: receiveWebhook('POST /paid', api.orders.paid) }))
  const { send, attempts } = sender({ secret: createWebhookSecret() })
  await send.orders.paid(`${url}/paid`, { id: 7 })
  await vi.waitFor(() => expect(attempts[0]?.status).toBe(204), 10_000)
  expect((await fetch(`${url}/paid`, { method: 'POST', body: '{"id":7}' })).status).toBe(401)
})
