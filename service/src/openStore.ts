/** Opens the database that the settings name, in the way that they say. */
import type { Logger } from 'pino'
import type { Watch } from './observe/watch.ts'
import type { Settings } from './settings.ts'
import { open } from './store/open.ts'
import type { Store } from './store/store.ts'

/** @throws CannotOpen */
export const openStore = ({ databaseUrl, databaseConnections, databaseTimeout }: Settings, log: Logger, watch?: Watch): Promise<Store> =>
  open(databaseUrl, {
    connections: databaseConnections,
    timeout: databaseTimeout,
    report: (err) => log.warn({ err }, 'a connection to the database failed while it was idle'),
    watch: watch?.store,
  })
