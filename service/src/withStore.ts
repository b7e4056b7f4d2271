/** The store of a command line that does one thing and ends. */

import { settings } from './settings.ts'
import { open } from './store/open.ts'
import type { OpenOptions } from './store/openOptions.ts'
import type { Store } from './store/store.ts'

/** Opens the database that the flag or else the environment names, does the work and closes it. Throws `BadSetting` and `CannotOpen`. */
export async function withStore(flag: string | undefined, options: OpenOptions, work: (store: Store) => Promise<void>): Promise<void> {
  const { DATABASE_URL } = process.env
  // No other setting matters here, and none may be in the way.
  const store = await open(settings({ DATABASE_URL: flag ?? DATABASE_URL }).databaseUrl, options)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}
