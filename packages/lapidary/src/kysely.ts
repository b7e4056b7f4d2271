/** `lapidary/kysely`: pages from Kysely queries, and stores of idempotency keys, of rate limits and of webhooks. */
export { type KyselyIdempotencyStoreOptions, kyselyIdempotencyStore } from './kysely/kyselyIdempotencyStore.ts'
export { type KyselyRateLimitStoreOptions, kyselyRateLimitStore } from './kysely/kyselyRateLimitStore.ts'
export { type Column, type Keyset, keyset, kyselySource } from './kysely/kyselySource.ts'
export { type KyselyWebhookStoreOptions, kyselyWebhookStore } from './kysely/kyselyWebhookStore.ts'
