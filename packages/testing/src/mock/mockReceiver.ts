/** `mockReceiver(api, { secret })`: receives the webhooks of an API, for tests of the program that sends them. */
import { type AnyEndpoint, type Api, errors, type ReceivedWebhook, receiveWebhook } from 'lapidary'
import { listWebhooks } from 'lapidary/internal'
import { type ApiServer, serve } from 'lapidary/server'
import { authenticateWebhooks, type WebhookAuthenticatorOptions } from 'lapidary/webhooks'

/** A webhook that has arrived. */
export interface ReceivedDelivery {
  /** The name of the webhook: `order.paid`. */
  readonly webhook: string
  readonly id: string
  /** The body, as the schema reads it. */
  readonly body: unknown
}

/** Options of `mockReceiver`. */
export interface MockReceiverOptions extends WebhookAuthenticatorOptions {
  /** How many attempts fail with 503 before one succeeds. @default 0 */
  readonly failures?: number
}

/** A receiver: a server as `serve` creates it, and what it has received. */
export type MockReceiver = ApiServer & {
  /** What has arrived, each id once, in the order of arrival. */
  readonly deliveries: readonly ReceivedDelivery[]
}

/**
 * Serves a receiver of all webhooks of an API: `order.paid` at `/order.paid`. It verifies signatures and bodies, as the receivers of others
 * do, and keeps what it gets.
 *
 * @param api the description of the program that sends
 * @throws TypeError as `authenticateWebhooks` does
 * @example
 * ```ts
 * import { mockReceiver } from '@lapidary/testing'
 * import { webhook } from 'lapidary'
 * import { listen } from 'lapidary/node'
 * import { createWebhookSecret, createWebhookSender } from 'lapidary/webhooks'
 * import { z } from 'zod'
 *
 * const api = { orderPaid: webhook('order.paid', { body: z.object({ id: z.int() }) }) }
 * const secret = createWebhookSecret()
 * const receiver = mockReceiver(api, { secret })
 * const { url, close } = await listen(receiver)
 * const { send } = createWebhookSender(api, { secret, allow: () => true })
 * await send.orderPaid(`${url}/order.paid`, { id: 7 })
 * ```
 */
export function mockReceiver(api: Api, { failures = 0, ...options }: MockReceiverOptions): MockReceiver {
  const deliveries: ReceivedDelivery[] = []
  let left = failures
  const webhooks = listWebhooks(api).map(({ webhook }) => webhook)
  const endpoints = webhooks.map((one): readonly [string, AnyEndpoint] => [one.name, receiveWebhook(`POST /${one.name}`, one)])
  const handlers = webhooks.map(({ name }) => {
    const receive = ({ body, user }: { readonly body: unknown; readonly user: ReceivedWebhook }): void => {
      left -= 1
      if (left >= 0) throw errors.serviceUnavailable()
      deliveries.push({ webhook: name, id: user.id, body })
    }
    return [name, receive] as const
  })
  const server = serve(Object.fromEntries(endpoints) as Api, Object.fromEntries(handlers) as never, {
    auth: [authenticateWebhooks(options)],
  })
  return Object.assign(server, { deliveries })
}
