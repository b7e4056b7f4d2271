/** One line in the log for each request. */
import type { Logger } from 'pino'
import { harmlessTarget } from './observe/harmlessTarget.ts'
import type { Observer } from './observe/observation.ts'

/**
 * Says of each request what it was and how it was answered, when its answer has ended. Neither headers nor bodies nor what a query holds are logged.
 * `status` is absent where none was sent; `aborted` is there where the client left, `cut` where the answer could not be finished.
 */
export const logged = (log: Logger): Observer => ({
  ended: ({ deployment, route, method, target, status, bytes, outcome: how, milliseconds, id, traceId, remote }) =>
    log.info(
      {
        deployment,
        method,
        target: harmlessTarget(target),
        route,
        status: status === 0 ? undefined : status,
        bytes,
        ms: Math.round(milliseconds * 1000) / 1000,
        remote,
        requestId: id,
        traceId,
        aborted: how === 'aborted' ? true : undefined,
        cut: how === 'failed' ? true : undefined,
      },
      'request',
    ),
})
