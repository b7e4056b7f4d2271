/** What is known of a request when its answer has ended, and who wants to know it. */
import type { RequestEnd } from 'lapidary/server'
import type { Deployment } from '../settings/deployment.ts'

/** One request, from its beginning to the end of its answer. */
export interface Observation extends RequestEnd {
  readonly deployment: Deployment
  /** The route line of the endpoint that answered, or the prefix of the mount; undefined where there was neither. */
  readonly route: string | undefined
  readonly method: string
  /** As it came: for logs, see `harmlessTarget`. */
  readonly target: string
  /** From when the request was there to when its answer had ended. */
  readonly milliseconds: number
  readonly id: string
  /** The trace that it belongs to, if any. */
  readonly traceId: string | undefined
  readonly remote: string
}

/** Somebody who watches requests. */
export interface Observer {
  /** Told of every request as it comes. */
  readonly begun?: (deployment: Deployment) => void
  /** Told of it once more, when its answer has ended. It must not throw. */
  readonly ended: (observation: Observation) => void
}
