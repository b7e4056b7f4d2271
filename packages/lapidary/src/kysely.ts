/** `lapidary/kysely`: pages from Kysely queries, and a store of idempotency keys. */
export { type Column, type Keyset, keyset, kyselySource } from './pagination/kysely.ts'
export { type KyselyIdempotencyStoreOptions, kyselyIdempotencyStore } from './server/kyselyIdempotencyStore.ts'
