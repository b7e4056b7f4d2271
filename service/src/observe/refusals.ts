/** Tells of requests that were refused since too much was asked: a line each would cost more than the refusal. */
import type { Logger } from 'pino'
import type { Deployment } from '../settings/deployment.ts'
import type { Watch } from './watch.ts'

/** How often a line is written at most, in milliseconds. */
const interval = 1_000

/** To be called for each refusal. The log has their number once a second, while there are any. */
export function refusals(log: Logger, deployment: Deployment, watch: Watch | undefined): () => void {
  let refused = 0
  const tell = (): void => {
    log.warn({ deployment, refused }, 'more is asked than can be answered in time')
    refused = 0
  }
  return () => {
    watch?.refused(deployment)
    refused += 1
    // Nobody who wants to end the process waits for a line.
    if (refused === 1) setTimeout(tell, interval).unref()
  }
}
