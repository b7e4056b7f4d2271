/** Opens the database that a URL names. */

import type { Store } from './store.ts'

/** How a database across a network is used. A database in this process needs none of it. */
export interface OpenOptions {
  /** How many connections to keep at most. Default: 10. */
  readonly connections?: number
  /** For how long one request to the database may take, the wait for a connection included, in milliseconds. Default: 900. */
  readonly timeout?: number
  /** Told of a connection that failed while nobody was using it. Default: nobody is told. */
  readonly report?: (error: Error) => void
}

/**
 * Opens `sqlite:PATH` (the file and its folder are made when they are missing), `sqlite::memory:` or `postgres://…`, and brings its
 * tables up to date. Throws `CannotOpen`; a database that is not this service's own is left as it is.
 */
export async function open(url: string, options: OpenOptions = {}): Promise<Store> {
  // Only the driver that is used is loaded: each costs a start some time.
  if (url.startsWith('sqlite:')) return (await import('./sqlite.ts')).openSqlite(url.slice('sqlite:'.length))
  return (await import('./postgres.ts')).openPostgres(url, options)
}
