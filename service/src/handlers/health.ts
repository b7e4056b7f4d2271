/** Whether the service is up, and whether it can answer. */
import { errors } from 'lapidary'
import type { Handlers } from 'lapidary/server'
import type { pagination } from '../api.ts'
import type { Store } from '../store/store.ts'

/** `isClosing` says whether the service is shutting down: then it is up, but no longer ready for more. */
export const health = (store: Store, isClosing: () => boolean): Handlers<typeof pagination>['health'] => ({
  live: () => ({ status: 'up' }),
  ready: async () => {
    if (isClosing()) throw errors.serviceUnavailable({ detail: 'The service is shutting down.', headers: { 'Retry-After': '1' } })
    await store.ping()
    return { status: 'ready' }
  },
})
