/** The public door of Kysely: pages of its queries. */
export { type Column, type Keyset, keyset } from '../kysely/keyset.ts'
export { kyselySource } from '../kysely/source.ts'
