// Runs one PostgreSQL for all tests. Each test gets a database or a schema of its own.
import { startPostgres } from './postgres.mjs'

/** Vitest's global setup. */
export default async function run({ provide }) {
  const server = await startPostgres()
  provide('postgres', server.url())
  return () => server.remove()
}
