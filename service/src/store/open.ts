/** Opens the database that a URL names. */

import type { OpenOptions } from './openOptions.ts'
import type { Store } from './store.ts'

/**
 * Opens `sqlite:PATH` (the file and its folder are made when they are missing), `sqlite::memory:` or `postgres://…`, and brings its
 * tables up to date. Throws `CannotOpen`; a database that is not this service's own is left as it is.
 */
export async function open(url: string, options: OpenOptions = {}): Promise<Store> {
  // Only the driver that is used is loaded: each costs a start some time.
  if (url.startsWith('sqlite:')) return (await import('./sqlite.ts')).openSqlite(url.slice('sqlite:'.length), options)
  return (await import('./postgres.ts')).openPostgres(url, options)
}
