/** What is counted beside requests: logins that fail, and a database that does. */
import type { StoreWatch } from '../store/openOptions.ts'

/** Told of what goes wrong behind the answers. */
export interface Watch {
  /** `wrong`: the credentials were looked at; `limited`: they were not, after too many that were wrong. */
  readonly loginFailed: (scheme: string, reason: 'wrong' | 'limited') => void
  readonly store: StoreWatch
}
