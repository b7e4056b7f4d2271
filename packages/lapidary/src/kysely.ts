/** `lapidary/kysely`: pages from Kysely queries. */
export { type Column, type Keyset, keyset, kyselySource } from './pagination/kysely.ts'
