/** `webhookSignature`: the auth scheme of requests that are signed as Standard Webhooks says (https://www.standardwebhooks.com). */
import * as documentationTexts from '../../messages/documentationTexts.ts'
import { type AuthScheme, authScheme } from './authScheme.ts'

/** The headers of a signed webhook, in lower case. */
export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const

/** What the headers of a webhook say, as texts. */
export interface WebhookCredentials {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: string
  /** One or several signatures, separated by spaces: `v1,K5oZ…`. */
  readonly signature: string
}

/** What a handler knows of a webhook whose signature is right: its `user`. */
export interface ReceivedWebhook {
  /** The id of the webhook. Each attempt to deliver it has the same. */
  readonly id: string
}

/**
 * The signature of a webhook, over the bytes of the body, an id and a time. `receiveWebhook` uses it; an endpoint of your own needs
 * `rawBody: true` beside it. `authenticateWebhooks` of `lapidary/webhooks` verifies it. Of several attempts with one id, the handler runs
 * for one that succeeds, and the others get its response.
 *
 * @example
 * ```ts
 * import { endpoint, noContent, webhookSignature } from 'lapidary'
 * import { z } from 'zod'
 *
 * const Event = z.discriminatedUnion('type', [z.object({ type: z.literal('paid') }), z.object({ type: z.literal('shipped') })])
 * const hook = endpoint('POST /hook', { auth: webhookSignature, body: Event, rawBody: true, response: noContent })
 * ```
 */
export const webhookSignature: AuthScheme<ReceivedWebhook, WebhookCredentials> = /* @__PURE__ */ authScheme<
  ReceivedWebhook,
  WebhookCredentials
>({
  name: 'webhookSignature',
  // RFC 9110 (§15.5.2) wants a challenge in every 401.
  challenge: 'StandardWebhooks',
  credentials: (header) => {
    const [id, timestamp, signature] = [header(webhookHeaders.id), header(webhookHeaders.timestamp), header(webhookHeaders.signature)]
    return id && timestamp && signature ? { id, timestamp, signature } : undefined
  },
  headers: ({ id, timestamp, signature }) => ({
    [webhookHeaders.id]: id,
    [webhookHeaders.timestamp]: timestamp,
    [webhookHeaders.signature]: signature,
  }),
  requestId: (header) => header(webhookHeaders.id),
  description: documentationTexts.webhookSignatureText(),
  example: {
    id: 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W',
    timestamp: '1674087231',
    signature: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
  openapi: { type: 'apiKey', in: 'header', name: webhookHeaders.signature, description: documentationTexts.webhookSignatureText() },
})
