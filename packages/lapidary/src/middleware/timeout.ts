/** `timeout(handler)`: answers 503 in place of a handler that takes too long. */
import type { Api } from '../contract/api.ts'
import { requireInteger } from '../http/counts.ts'
import { checkFunctions, requireFunction } from '../http/functions.ts'
import type { HttpHandler } from '../http/httpHandler.ts'
import { createProblemResponder, type ProblemFormat, problemJson } from '../http/problemResponse.ts'
import { isPromise } from '../http/promises.ts'
import { requireTime } from '../http/time.ts'
import { hasOwnTimeLimit, limitTime } from '../http/timeLimit.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { createPathIndex } from './pathInfo.ts'

/** How long a handler may take. */
export interface TimeoutOptions {
  /** In milliseconds, without the time in which the body arrives; `Infinity` is no limit. @default 8,000 */
  readonly time?: number
  /** After how many seconds the client may try again. @default 1 */
  readonly retryAfter?: number
  /** How the problem is written. @default problemJson, problem details as JSON (RFC 9457) */
  readonly format?: ProblemFormat
  /** The served API: then the response has the headers of all responses at its path (`responseHeaders`). @default none */
  readonly api?: Api
}

/**
 * Answers 503 with `Retry-After` when a handler has not answered in time. It limits the handler, the check of credentials and the first
 * chunk of a list; the head of any other stream waits for 100 ms at most.
 *
 * The `signal` of the request fires with a `TimeoutError`. A late response or failure is dropped. A synchronous response costs no timer,
 * and a mounted Node listener, which writes its response itself, has no time limit. An endpoint with a `timeout` of its own has that one alone.
 *
 * @throws TypeError for a time below 0 or above 2,147,483,647 (24.8 days).
 * @example
 * ```ts
 * import { endpoint, ok, text } from 'lapidary'
 * import { timeout } from 'lapidary/middleware'
 * import { listen } from 'lapidary/node'
 * import { serve } from 'lapidary/server'
 *
 * const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
 * const server = serve(api, { hello: () => 'Hello' })
 * await listen(timeout(server, { time: 5_000, api }), { port: 8081 })
 * ```
 */
export function timeout(
  handler: HttpHandler,
  { time = 8_000, retryAfter = 1, format = problemJson, api = {} }: TimeoutOptions = {},
): HttpHandler {
  requireFunction('timeout(): handler', handler)
  checkFunctions('timeout()', { format })
  requireInteger('timeout(): retryAfter', retryAfter, 0)
  if (requireTime('timeout(): time', time, 0) === 0 && time > 0) return handler
  const respondWithProblem = createProblemResponder(format)
  const findPathInfo = createPathIndex(api)
  return (request) => {
    const response = handler(request)
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
