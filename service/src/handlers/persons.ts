/** The persons. */
import type { Handlers } from 'lapidary/server'
import type { main } from '../api.ts'
import type { Store } from '../store/store.ts'

export const persons =
  ({ persons: store }: Store): Handlers<typeof main>['persons'] =>
  () =>
    store.all()
