/** `loadShedding(options)`: answers 503 at once to a request that would have to wait too long, so that the others are answered in time. */
import { isMount, operations } from '../contract/api.ts'
import { isHealthCheck } from '../contract/healthEndpoints.ts'
import { checkFunctions } from '../http/functions.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { requireInteger, requireTime } from '../http/limits.ts'
import { runInNextTurn } from '../http/nextTurn.ts'
import { createProblemResponder, type ProblemFormat, problemJson } from '../http/problemResponse.ts'
import { requireSync } from '../http/promises.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { Middleware, MiddlewareContext } from './compose.ts'
import { checkMiddlewareOptions } from './options.ts'
import { withTraits } from './order.ts'
import { createPathIndex } from './pathInfo.ts'

/** When to reject a request. */
export interface LoadSheddingOptions {
  /**
   * The longest time that a request may wait before its handler runs. A time limit is a number of milliseconds above 0 and at most 2,147,483,647 (24.8
   * days); `Infinity` is no limit.
   *
   * @default 500
   */
  readonly maxWait?: number
  /** Selects requests that are never rejected and never wait, besides those of `healthEndpoints`. @default none */
  readonly except?: (request: HttpRequest) => boolean
  /**
   * Called for each rejected request. Count them here: a log line can cost more than the rejection. The context has the API of the server,
   * because several servers may share the instance.
   */
  readonly onReject?: (request: HttpRequest, context: MiddlewareContext) => void
  /** After how many seconds the client may try again. @default 1 */
  readonly retryAfter?: number
  /** How the problem is written. @default problemJson, problem details as JSON (RFC 9457) */
  readonly format?: ProblemFormat
}

/** How many requests may wait at any time: one slow request says little about those behind it. */
const minQueueLength = 16
/** A queued request is also rejected after this many times `maxWait`: those before it took longer than expected. */
const maxWaitFactor = 2

const neverExcept = (): boolean => false
const ignoreRejection = (): void => {}

/** How long requests run in one turn of the event loop while none waits, in milliseconds. */
const maxTurnTime = 10
/** How long they run while others wait. It is shorter, because the event loop accepts one new connection in a turn. */
const maxBusyTurnTime = 2
/** The weight of the past after each turn: several turns say more than one that was unusually long. */
const averageDecay = 7 / 8

const emptyTask = (): void => {}

/** The requests that wait for a turn of the event loop, and what past turns have taken. */
interface RequestQueue {
  /** Whether a request may run at once. If so, it counts as run. */
  readonly tryStart: () => boolean
  /** Runs a task in one of the next turns. It must not throw. */
  readonly enqueue: (run: () => void) => void
  readonly getLength: () => number
  /** Estimates from past turns how long a new request would wait, in milliseconds. */
  readonly estimateWait: () => number
}

function createRequestQueue(): RequestQueue {
  /** The requests that wait, in their order; those before `queueStart` have run. */
  let requestQueue: (() => void)[] = []
  let queueStart = 0
  /** When the current turn began to run requests, or the last one ended if others still wait. 0: the loop is idle. */
  let turnStart = 0
  /** When the current turn has run long enough. */
  let turnEnd = 0
  /** How many requests ran in the current turn. */
  let turnCount = 0
  /** The weighted sums over past turns: their durations in milliseconds, with everything that the loop did in them, and their requests. */
  let totalTurnTime = 0
  let totalTurnCount = 0

  const getLength = (): number => requestQueue.length - queueStart

  /** Runs the next request of the queue, unless the turn is over. Its microtasks run before the next request. */
  function runNextTask(): void {
    if (queueStart === requestQueue.length || performance.now() >= turnEnd) return
    const run = requestQueue[queueStart] as () => void // the condition says that there is one
    // The queue must not keep the request and its response alive.
    requestQueue[queueStart] = emptyTask
    queueStart += 1
    turnCount += 1
    run()
  }

  /** Ends a turn that ran requests, and plans the next one. */
  function endTurn(): void {
    const now = performance.now()
    totalTurnTime = totalTurnTime * averageDecay + (now - turnStart)
    totalTurnCount = totalTurnCount * averageDecay + turnCount
    turnCount = 0
    if (queueStart === requestQueue.length) {
      requestQueue = []
      queueStart = 0
      turnStart = 0
      return
    }
    // Under constant load the queue never is empty. What has run is cut off when it is most of the queue.
    if (queueStart > requestQueue.length / 2) {
      requestQueue = requestQueue.slice(queueStart)
      queueStart = 0
    }
    turnStart = now
    runInNextTurn(() => {
      turnEnd = performance.now() + maxBusyTurnTime
    })
    // One more than will probably fit, and at least one.
    const planned = Math.min(getLength(), 1 + Math.ceil((maxBusyTurnTime * totalTurnCount) / totalTurnTime))
    for (let task = 0; task < planned; task += 1) runInNextTurn(runNextTask)
    runInNextTurn(endTurn)
  }

  function tryStart(): boolean {
    if (queueStart < requestQueue.length) return false
    const now = performance.now()
    if (turnStart === 0) {
      turnStart = now
      runInNextTurn(endTurn)
    } else if (now - turnStart >= maxTurnTime) return false
    turnCount += 1
    return true
  }

  return {
    tryStart,
    enqueue: (run) => void requestQueue.push(run),
    getLength,
    estimateWait: () => (totalTurnCount === 0 ? 0 : (getLength() * totalTurnTime) / totalTurnCount),
  }
}

/**
 * Rejects a request with 503 and `Retry-After` if its handler could not start within `maxWait`. The response has the headers of all
 * responses at its path (`responseHeaders`).
 *
 * While there is little to do, a request runs at once, and only the clock is read. When the event loop is busy for more than 10 ms, further
 * requests wait for its next turns, first come, first served; the expected wait follows from the turns before. A queued request whose
 * client leaves is dropped. Other waits, such as the wait for a connection of a database, need their own limits.
 *
 * Each instance has its own queue. The servers of a process share its event loop: give all of them one instance, so that they share the
 * queue. A rejection must be cheap, so put it first in the list, before logs and metrics.
 *
 * @throws TypeError for a `maxWait` that is no time limit.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { loadShedding } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * const shedding = loadShedding({ maxWait: 300 })
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [shedding] })
 * ```
 */
export function loadShedding(options: LoadSheddingOptions = {}): Middleware {
  checkMiddlewareOptions('loadShedding()', options, ['maxWait', 'except', 'onReject', 'retryAfter', 'format'])
  const { maxWait = 500, except = neverExcept, onReject = ignoreRejection, retryAfter = 1, format = problemJson } = options
  checkFunctions('loadShedding()', { except, onReject, format })
  requireTime('loadShedding(): maxWait', maxWait, 'limit')
  requireInteger('loadShedding(): retryAfter', retryAfter, 0)
  const rejection: HttpResponse = Object.freeze(
    createProblemResponder(format)(503, { detail: problemDetail.overloaded(), headers: ['Retry-After', `${retryAfter}`] }),
  )
  const queue = createRequestQueue()

  const middleware: Middleware = (next, context) => {
    const findPathInfo = createPathIndex(context.api)
    const hasHealthChecks = operations(context.api).some(({ operation }) => !isMount(operation) && isHealthCheck(operation))
    // Otherwise an orchestrator would restart a busy process.
    const isExempt = (request: HttpRequest): boolean => {
      const endpoint = hasHealthChecks ? context.findEndpoint(request) : undefined
      return endpoint !== undefined && isHealthCheck(endpoint)
    }

    const reject = (request: HttpRequest): HttpResponse => {
      requireSync(onReject(request, context), 'The function "onReject" of loadShedding()')
      const responseHeaders = findPathInfo(request.target)?.responseHeaders ?? []
      return responseHeaders.length === 0 ? rejection : { ...rejection, headers: [...rejection.headers, ...responseHeaders] }
    }

    const runLater = (request: HttpRequest): Promise<HttpResponse> => {
      const start = performance.now()
      let hasLeft = false
      request.onEnd(() => {
        hasLeft = true
      })
      return new Promise((resolve, fail) => {
        queue.enqueue(() => {
          // The client does not receive it.
          if (hasLeft) return resolve(rejection)
          try {
            if (performance.now() - start > maxWaitFactor * maxWait) return resolve(reject(request))
            resolve(next(request))
          } catch (error) {
            fail(error)
          }
        })
      })
    }

    return (request) => {
      if (requireSync(except(request), 'The function "except" of loadShedding()') || queue.tryStart() || isExempt(request))
        return next(request)
      return queue.getLength() >= minQueueLength && queue.estimateWait() > maxWait ? reject(request) : runLater(request)
    }
  }
  return withTraits('loadShedding', middleware)
}
