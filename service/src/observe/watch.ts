/** What is counted beside requests: logins that fail, a database that does, and what was refused before it was looked at. */

import type { Deployment } from '../settings/deployment.ts'
import type { StoreWatch } from '../store/openOptions.ts'

/** Told of what goes wrong behind the answers. */
export interface Watch {
  /** `wrong`: the credentials were looked at; `limited`: they were not, after too many that were wrong. */
  readonly loginFailed: (scheme: string, reason: 'wrong' | 'limited') => void
  /** A request was refused at once, since it would have had to wait for too long. */
  readonly refused: (deployment: Deployment) => void
  readonly store: StoreWatch
}
