/** What the service reports about itself, to the log and to the metrics. */
import type { RequestEnd } from 'lapidary/server'
import type { Deployment } from '../settings.ts'
import type { StoreObserver } from '../store/connection.ts'

/** A request whose response has ended. */
export interface RequestRecord extends RequestEnd {
  readonly deployment: Deployment
  /** The route line of the endpoint, or the prefix of the mount. Undefined if neither matched. */
  readonly route: string | undefined
  readonly method: string
  /** The target as received. Redact it before logging. */
  readonly target: string
  /** The time from the request to the end of its response. */
  readonly milliseconds: number
  readonly id: string
  /** The trace of the request, if there is one. */
  readonly traceId: string | undefined
  readonly remote: string
}

export interface RequestObserver {
  /** Called when a request begins. */
  readonly onStart?: (deployment: Deployment) => void
  /** Called when its response has ended. Must not throw. */
  readonly onEnd: (record: RequestRecord) => void
}

/** Receives failures that are not requests. */
export interface ServiceObserver {
  /** `wrong`: the credentials were checked. `limited`: they were not, after too many failures. */
  readonly onLoginFailure: (scheme: string, reason: 'wrong' | 'limited') => void
  /** A request was rejected at once, because it would have waited too long. */
  readonly onOverload: (deployment: Deployment) => void
  readonly store: StoreObserver
}
