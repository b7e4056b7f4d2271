/** `timeout(handler)`: answers 503 in place of a handler that takes too long. */
import type { Api } from '../contract/api.ts'
import type { HttpHandler, HttpResponse } from '../http/httpHandler.ts'
import { createProblemResponder, type ProblemFormat, problemJson } from '../http/problemResponse.ts'
import { isPromise } from '../http/promises.ts'
import { releaseIterator } from '../http/responseStream.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { createPathIndex } from './pathInfo.ts'

/** How long a handler may take. */
export interface TimeoutOptions {
  /** In milliseconds, without the time in which the body arrives. @default 8,000 */
  readonly time?: number
  /** After how many seconds the client may try again. @default 1 */
  readonly retryAfter?: number
  /** How the problem is written. @default problemJson, problem details as JSON (RFC 9457) */
  readonly format?: ProblemFormat
  /** The served API: then the response has the headers of all responses at its path (`responseHeaders`). @default none */
  readonly api?: Api
}

const createTimeoutError = (): DOMException => new DOMException(problemDetail.tooLate(), 'TimeoutError')

/** Ends the stream of a response that came too late. */
function dropResponse({ body }: HttpResponse): void {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return
  try {
    releaseIterator(body[Symbol.asyncIterator]())
  } catch {
    // A stream that fails at once has ended.
  }
}

/**
 * Answers 503 with `Retry-After` when a handler has not answered in time. It limits the handler, the check of credentials and the first
 * chunk of a list; the head of any other stream waits for 100 ms at most.
 *
 * The `signal` of the request fires with a `TimeoutError`. A late response or failure is dropped. A synchronous response costs no timer,
 * and a mounted Node listener, which writes its response itself, has no time limit.
 *
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
  const respondWithProblem = createProblemResponder(format)
  const findPathInfo = createPathIndex(api)
  return (request) => {
    const response = handler(request)
    if (!isPromise(response)) return response
    return new Promise((resolve, reject) => {
      let countedWait = 0
      let isLate = false
      const expire = (): void => {
        // The time does not run while the body arrives: slow clients are limited by the adapter.
        const extension = request.bodyWait - countedWait
        if (extension > 0) {
          countedWait += extension
          timer = setTimeout(expire, extension)
          return
        }
        isLate = true
        try {
          const responseHeaders = findPathInfo(request.target)?.responseHeaders ?? []
          const headers = ['Retry-After', `${retryAfter}`, ...responseHeaders]
          resolve(respondWithProblem(503, { detail: problemDetail.tooLate(), headers }))
        } catch (error) {
          // A format of the application can throw, and nothing catches what a timer throws.
          reject(error)
        }
        request.abort(createTimeoutError())
      }
      let timer = setTimeout(expire, time)
      response.then(
        (settled) => {
          clearTimeout(timer)
          if (isLate) dropResponse(settled)
          else resolve(settled)
        },
        (error: unknown) => {
          clearTimeout(timer)
          // Without effect if the promise is settled.
          reject(error)
        },
      )
    })
  }
}
