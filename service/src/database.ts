/** Opens the database that the settings name. */
import type { Logger } from 'pino'
import type { Settings } from './settings.ts'
import type { StoreObserver } from './store/connection.ts'
import { openStore, type Store } from './store/store.ts'

/** Opens the database of the service. Throws `OpenError`. */
export const openDatabase = (settings: Settings, log: Logger, observer?: StoreObserver): Promise<Store> =>
  openStore(settings.databaseUrl, {
    connections: settings.databaseConnections,
    timeout: settings.databaseTimeout,
    onIdleError: (err) => log.warn({ err }, 'a connection to the database failed while it was idle'),
    observer,
  })
