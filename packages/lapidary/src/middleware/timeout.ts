/** `timeout(time)`: answers 503 in place of a handler that takes too long. */
import { checkFunctions } from '../http/functions.ts'
import { requireInteger, requireTime } from '../http/limits.ts'
import { createProblemResponder, type ProblemFormat, problemJson } from '../http/problemResponse.ts'
import { isPromise } from '../http/promises.ts'
import { hasOwnTimeLimit, limitTime } from '../http/timeLimit.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { Middleware } from './compose.ts'
import { checkMiddlewareOptions, refuseHandler } from './options.ts'
import { withTraits } from './order.ts'
import { createPathIndex } from './pathInfo.ts'

/** The response that replaces a late one. */
export interface TimeoutOptions {
  /** After how many seconds the client may try again. @default 1 */
  readonly retryAfter?: number
  /** How the problem is written. @default problemJson, problem details as JSON (RFC 9457) */
  readonly format?: ProblemFormat
}

/**
 * Answers 503 with `Retry-After` when a handler has not answered in time. It limits the handler, the check of credentials and the first
 * chunk of a list; the head of any other stream waits for 100 ms at most. The response has the headers of all responses at its path
 * (`responseHeaders`).
 *
 * The `signal` of the request fires with a `TimeoutError`. A late response or failure is dropped. A synchronous response costs no timer,
 * and a mounted Node listener, which writes its response itself, has no time limit. If an endpoint has its own `timeout`, only that limit
 * applies, and with `Infinity` none.
 *
 * @param time without the time in which the body arrives. A time limit is a number of milliseconds above 0 and at most 2,147,483,647 (24.8 days);
 * `Infinity` is no limit. Default: 8,000
 * @throws TypeError for any other time.
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { timeout } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' }, { middleware: [timeout(5_000)] })
 * ```
 */
export function timeout(time = 8_000, options: TimeoutOptions = {}): Middleware {
  refuseHandler('timeout()', time)
  checkMiddlewareOptions('timeout()', options, ['retryAfter', 'format'])
  const { retryAfter = 1, format = problemJson } = options
  checkFunctions('timeout()', { format })
  requireInteger('timeout(): retryAfter', retryAfter, 0)
  if (requireTime('timeout(): time', time, 'limit') === Number.POSITIVE_INFINITY) return (next) => next
  const respondWithProblem = createProblemResponder(format)
  const middleware: Middleware = (next, { api }) => {
    const findPathInfo = createPathIndex(api)
    return (request) => {
      const response = next(request)
      if (!isPromise(response)) return response
      return limitTime(Promise.resolve(response), request, {
        time,
        expire: () => {
          if (hasOwnTimeLimit(request)) return undefined
          const responseHeaders = findPathInfo(request.target)?.responseHeaders ?? []
          const headers = ['Retry-After', `${retryAfter}`, ...responseHeaders]
          return respondWithProblem(503, { detail: problemDetail.tooLate(), headers })
        },
      })
    }
  }
  return withTraits('timeout', middleware)
}
