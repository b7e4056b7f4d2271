/** Opens the database that a URL names. */

import { CannotOpen } from './cannotOpen.ts'
import { openSqlite } from './sqlite.ts'
import type { Store } from './store.ts'

/**
 * Opens `sqlite:PATH` (the file and its folder are made when they are missing) or `sqlite::memory:`, and brings its tables up to date.
 * Throws `CannotOpen`; a file that is not this service's own is left as it is.
 */
export async function open(url: string): Promise<Store> {
  if (url.startsWith('sqlite:')) return openSqlite(url.slice('sqlite:'.length))
  throw new CannotOpen('Cannot open a database that is not SQLite: this build knows sqlite:PATH and sqlite::memory: only.')
}
