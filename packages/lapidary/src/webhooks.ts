/** `lapidary/webhooks`: sends the webhooks of an API, and verifies those that a server receives. */
export { authenticateWebhooks, type WebhookAuthenticatorOptions } from './webhooks/authenticateWebhooks.ts'
export { createWebhookSecret, type WebhookSecret } from './webhooks/webhookSecrets.ts'
