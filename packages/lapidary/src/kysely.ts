/** `lapidary/kysely`: pages from Kysely queries, and a store of idempotency keys. */
export { type KyselyIdempotencyStoreOptions, kyselyIdempotencyStore } from './kysely/kyselyIdempotencyStore.ts'
export { type Column, type Keyset, keyset, kyselySource } from './kysely/kyselySource.ts'
