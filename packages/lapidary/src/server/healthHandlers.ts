/** `healthHandlers(options)`: the handlers of `healthEndpoints`, with what has to work before requests can be answered. */
import type { HealthEndpoints } from '../contract/healthEndpoints.ts'
import { toolkitErrors } from '../http/errors.ts'
import { checkFunctions, checkOptions, requireFunction } from '../http/functions.ts'
import type { HttpError } from '../http/httpError.ts'
import { requireTime, toTimerDelay } from '../http/limits.ts'
import { requireSync, silenceRejection } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { notReadyDetail } from '../messages/problemMessages.ts'
import type { Handlers } from './handlers.ts'

/**
 * Checks something that requests need, such as a database. It fails where it throws, rejects, returns `false` or takes too long.
 *
 * @param signal fires when the time is over
 */
export type HealthCheck = (signal: AbortSignal) => unknown

/** When a process is ready. */
export interface HealthOptions {
  /**
   * The checks by their names: `{ database: () => store.ping() }`. They run together. A client sees the name of one that fails, and nothing
   * of its error.
   *
   * @default none
   */
  readonly ready?: Readonly<Record<string, HealthCheck>>
  /**
   * How long a check may take: a number of milliseconds above 0 and at most 2,147,483,647 (24.8 days); `Infinity` is no limit. Kubernetes
   * waits for a second.
   *
   * @default 900
   */
  readonly timeout?: number
  /**
   * Called when a check fails that has not failed at the last time, with its error and its name.
   *
   * @default console.error
   */
  readonly onFailure?: (error: unknown, name: string) => void
}

/** After how many seconds a client should ask again. */
const retryAfter = '1'

const notReady = (detail: string): HttpError => toolkitErrors.serviceUnavailable({ detail, headers: { 'Retry-After': retryAfter } })

function logFailure(error: unknown, name: string): void {
  // biome-ignore lint/suspicious/noConsole: the default, which a production server replaces
  console.error(`The health check "${name}" has failed.`, error)
}

/**
 * Makes the function that runs a check. It throws what the check throws, and an error where the check returns `false`, takes too long, or has
 * not ended since an earlier run: a check that ignores its signal would otherwise be started at each request.
 */
function createRun(check: HealthCheck, time: number): () => Promise<void> {
  let isRunning = false

  const start = async (signal: AbortSignal): Promise<unknown> => {
    isRunning = true
    try {
      return await check(signal)
    } finally {
      isRunning = false
    }
  }

  return async () => {
    if (isRunning) throw new Error('The check of an earlier request has not ended.')
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const expired = new Promise<never>((_resolve, reject) => {
      if (time === Number.POSITIVE_INFINITY) return
      timer = setTimeout(() => {
        const error = new Error(`The check has not ended within ${time} ms.`)
        controller.abort(error)
        reject(error)
      }, toTimerDelay(time))
    })
    try {
      const result = await Promise.race([silenceRejection(start(controller.signal)), expired])
      if (result === false) throw new Error('The check has returned false.')
    } finally {
      clearTimeout(timer)
    }
  }
}

/**
 * The handlers of `healthEndpoints`.
 *
 * The process is live as long as it answers. It is ready when no check fails, and not any more when the server begins to close: a load
 * balancer sees it while the server still drains. Requests that arrive while the checks run wait for the same run, so that clients cannot
 * load a database by asking for its health.
 *
 * @throws TypeError for a check that is no function, and for a time that is no limit.
 * @example
 * ```ts
 * import { healthEndpoints, prefix } from 'lapidary'
 * import { healthHandlers, serve } from 'lapidary/server'
 *
 * const database = { ping: async () => {} }
 * const api = { health: prefix('/health', healthEndpoints()) }
 * const server = serve(api, { health: healthHandlers({ ready: { database: () => database.ping() } }) })
 * ```
 */
export function healthHandlers(options: HealthOptions = {}): Handlers<HealthEndpoints> {
  checkOptions('healthHandlers()', options, 'ready, timeout, onFailure')
  const { ready = {}, timeout = 900, onFailure = logFailure } = options
  if (typeof ready !== 'object' || ready === null) throw new TypeError(developerErrors.invalidHealthChecks())
  for (const [name, check] of Object.entries(ready)) requireFunction(`healthHandlers(): ready.${name}`, check)
  checkFunctions('healthHandlers()', { onFailure })
  const time = requireTime('healthHandlers(): timeout', timeout, 'limit')
  const runs = Object.entries(ready).map(([name, check]) => [name, createRun(check, time)] as const)
  const failing = new Set<string>()

  /** Runs the checks, and returns the names of those that fail. */
  const runChecks = async (): Promise<readonly string[]> => {
    const ends = runs.map(async ([name, runCheck]) => {
      try {
        await runCheck()
        failing.delete(name)
      } catch (error) {
        if (failing.has(name)) return
        failing.add(name)
        requireSync(onFailure(error, name), 'The function "onFailure" of healthHandlers()')
      }
    })
    await Promise.all(ends)
    return [...failing]
  }
  let run: Promise<readonly string[]> | undefined
  const checkAll = (): Promise<readonly string[]> => {
    run ??= runChecks().finally(() => {
      run = undefined
    })
    return run
  }

  return {
    live: () => ({ status: 'up' }),
    ready: async (_input, { shutdown }) => {
      if (shutdown.aborted) throw notReady(notReadyDetail.shuttingDown())
      const failed = await checkAll()
      if (failed.length > 0) throw notReady(notReadyDetail.failedChecks(failed))
      return { status: 'ready' }
    },
  }
}
