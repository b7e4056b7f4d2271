// Runs one PostgreSQL for all the tests that want one; each of them gets a database, or a schema, of its own on it.
import { postgres } from './postgres.mjs'

/** Vitest's global setup. */
export default async function run({ provide }) {
  const server = await postgres()
  provide('postgres', server.url())
  return () => server.remove()
}
