/** `loadShedding(handler)`: answers 503 at once to a request that would have to wait too long, so that the others are answered in time. */
import type { Api } from '../contract/api.ts'
import { requireInteger } from '../http/counts.ts'
import { checkFunctions, requireFunction } from '../http/functions.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { createProblemResponder, type ProblemFormat, problemJson } from '../http/problemResponse.ts'
import { requireSync } from '../http/promises.ts'
import { requireTime } from '../http/time.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { createPathIndex } from './pathInfo.ts'

/** When to reject a request. */
export interface LoadSheddingOptions {
  /** The longest time that a request may wait before its handler runs, in milliseconds. @default 500 */
  readonly maxWait?: number
  /** Selects requests that are never rejected and never wait, such as health checks. @default none */
  readonly except?: (request: HttpRequest) => boolean
  /** Called for each rejected request. Count them here: a log line can cost more than the rejection. */
  readonly onReject?: (request: HttpRequest) => void
  /** After how many seconds the client may try again. @default 1 */
  readonly retryAfter?: number
  /** How the problem is written. @default problemJson, problem details as JSON (RFC 9457) */
  readonly format?: ProblemFormat
  /** The served API: then the response has the headers of all responses at its path (`responseHeaders`). @default none */
  readonly api?: Api
}

/** How many requests may wait at any time: one slow request says little about those behind it. */
const minQueueLength = 16
/** A queued request is also rejected after this many times `maxWait`: those before it took longer than expected. */
const maxWaitFactor = 2

const neverExcept = (): boolean => false
const ignoreRejection = (): void => {}

/**
 * Rejects with 503 and `Retry-After` a request whose handler could not start within `maxWait`.
 *
 * While there is little to do, a request runs at once, and only the clock is read. When the event loop is busy for more than 10 ms, further
 * requests wait for its next turns, first come, first served; the expected wait follows from the turns before. A queued request whose
 * client leaves is dropped. A process has one event loop, and so one queue: all servers in it share the queue. Other waits, such as for a
 * connection of a database, need limits of their own.
 *
 * A rejection must be cheap, so put this around all other middleware, such as logs and metrics.
 *
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { loadShedding } from 'lapidary/middleware'
 * import { listen } from 'lapidary/node'
 * import { serve } from 'lapidary/server'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' })
 * await listen(loadShedding(server, { maxWait: 300, except: ({ target }) => target === '/health' }), { port: 8081 })
 * ```
 */
export function loadShedding(
  handler: HttpHandler,
  {
    maxWait = 500,
    except = neverExcept,
    onReject = ignoreRejection,
    retryAfter = 1,
    format = problemJson,
    api = {},
  }: LoadSheddingOptions = {},
): HttpHandler {
  requireFunction('loadShedding(): handler', handler)
  checkFunctions('loadShedding()', { except, onReject, format })
  requireTime('loadShedding(): maxWait', maxWait, 0)
  requireInteger('loadShedding(): retryAfter', retryAfter, 0)
  const rejection: HttpResponse = Object.freeze(
    createProblemResponder(format)(503, { detail: problemDetail.overloaded(), headers: ['Retry-After', `${retryAfter}`] }),
  )

  const findPathInfo = createPathIndex(api)

  const reject = (request: HttpRequest): HttpResponse => {
    requireSync(onReject(request), 'The function "onReject" of loadShedding()')
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
      enqueue(() => {
        // The client does not receive it.
        if (hasLeft) return resolve(rejection)
        try {
          if (performance.now() - start > maxWaitFactor * maxWait) return resolve(reject(request))
          resolve(handler(request))
        } catch (error) {
          fail(error)
        }
      })
    })
  }

  return (request) => {
    if (requireSync(except(request), 'The function "except" of loadShedding()') || tryStart()) return handler(request)
    return getQueueLength() >= minQueueLength && estimateWait() > maxWait ? reject(request) : runLater(request)
  }
}

/** How long requests run in one turn of the event loop while none waits, in milliseconds. */
const maxTurnTime = 10
/** How long they run while others wait. It is shorter, because the event loop accepts one new connection in a turn. */
const maxBusyTurnTime = 2
/** The weight of the past after each turn: several turns say more than one that was unusually long. */
const averageDecay = 7 / 8

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

const emptyTask = (): void => {}

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
  setImmediate(() => {
    turnEnd = performance.now() + maxBusyTurnTime
  })
  // One more than will probably fit, and at least one.
  const planned = Math.min(getQueueLength(), 1 + Math.ceil((maxBusyTurnTime * totalTurnCount) / totalTurnTime))
  for (let task = 0; task < planned; task += 1) setImmediate(runNextTask)
  setImmediate(endTurn)
}

/** Whether a request may run at once. If so, it counts as run. */
function tryStart(): boolean {
  if (queueStart < requestQueue.length) return false
  const now = performance.now()
  if (turnStart === 0) {
    turnStart = now
    setImmediate(endTurn)
  } else if (now - turnStart >= maxTurnTime) return false
  turnCount += 1
  return true
}

const getQueueLength = (): number => requestQueue.length - queueStart

/** Estimates from past turns how long a new request would wait, in milliseconds. */
const estimateWait = (): number => (totalTurnCount === 0 ? 0 : (getQueueLength() * totalTurnTime) / totalTurnCount)

/** Runs a task in one of the next turns. It must not throw. */
const enqueue = (run: () => void): void => void requestQueue.push(run)
