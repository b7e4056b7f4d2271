/** `lapidary/webhooks`: sends the webhooks of an API, and verifies those that a server receives. */
export { authenticateWebhooks, type WebhookAuthenticatorOptions } from './webhooks/authenticateWebhooks.ts'
export {
  createWebhookSender,
  type SendWebhook,
  type SendWebhookOptions,
  type SendWebhooks,
  type WebhookAttempt,
  type WebhookSender,
  type WebhookSenderOptions,
} from './webhooks/createWebhookSender.ts'
export { isPublicUrl } from './webhooks/publicUrl.ts'
export { createWebhookSecret, type WebhookSecret } from './webhooks/webhookSecrets.ts'
export {
  type FailedAttempt,
  memoryWebhookStore,
  type WebhookClaim,
  type WebhookDelivery,
  type WebhookStore,
} from './webhooks/webhookStore.ts'
