/** Opens the database that the settings name. */
import type { Logger } from 'pino'
import type { ServiceObserver } from './observability/observers.ts'
import type { Settings } from './settings.ts'
import { openStore, type Store } from './store/store.ts'

/** Opens the database of the service. Throws `OpenError`. */
export const openDatabase = (settings: Settings, log: Logger, observer?: ServiceObserver): Promise<Store> =>
  openStore(settings.databaseUrl, {
    connections: settings.databaseConnections,
    timeout: settings.databaseTimeout,
    onIdleError: (err) => log.warn({ err }, 'a connection to the database failed while it was idle'),
    observer: observer?.store,
  })
