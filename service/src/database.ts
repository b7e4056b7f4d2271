/** Opens the database that the settings name. */
import type { Logger } from 'pino'
import type { ServiceObserver } from './observability/observers.ts'
import { readSettings, type Settings } from './settings.ts'
import { openStore, type Store, type StoreOptions } from './store/store.ts'

/** Opens the database of the service. Throws `OpenError`. */
export const openDatabase = (settings: Settings, log: Logger, observer?: ServiceObserver): Promise<Store> =>
  openStore(settings.databaseUrl, {
    connections: settings.databaseConnections,
    timeout: settings.databaseTimeout,
    onIdleError: (err) => log.warn({ err }, 'a connection to the database failed while it was idle'),
    observer: observer?.store,
  })

/** Opens the database for one command, and closes it afterwards. The flag overrides `DATABASE_URL`. Throws `SettingError` and `OpenError`. */
export async function withStore(flag: string | undefined, options: StoreOptions, work: (store: Store) => Promise<void>): Promise<void> {
  const { DATABASE_URL } = process.env
  // Reads no other setting, because an invalid one would stop the command.
  const store = await openStore(readSettings({ DATABASE_URL: flag ?? DATABASE_URL }).databaseUrl, options)
  try {
    await work(store)
  } finally {
    await store.close()
  }
}
