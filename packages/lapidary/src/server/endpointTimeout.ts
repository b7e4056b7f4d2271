/** The `timeout` of an endpoint. */
import { retryAfterTimeout } from '../contract/timeout.ts'
import { errors } from '../http/errors.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { type Awaitable, isPromise } from '../http/promises.ts'
import { limitTime, setOwnTimeLimit } from '../http/timeLimit.ts'
import { problemDetail } from '../messages/problemMessages.ts'

/**
 * Limits how long a function may take for a response: then it is 503. A synchronous response costs no timer.
 *
 * @param time in milliseconds; undefined: the function itself is returned
 */
export function addEndpointTimeout<Rest extends readonly unknown[]>(
  run: (request: HttpRequest, ...rest: Rest) => Awaitable<HttpResponse>,
  time: number | undefined,
): (request: HttpRequest, ...rest: Rest) => Awaitable<HttpResponse> {
  if (time === undefined) return run
  const expire = (): never => {
    throw errors.serviceUnavailable({ detail: problemDetail.tooLate(), headers: { 'Retry-After': retryAfterTimeout } })
  }
  const limit = { time, expire }
  return (request, ...rest) => {
    const response = run(request, ...rest)
    if (!isPromise(response)) return response
    setOwnTimeLimit(request)
    return limitTime(response, request, limit)
  }
}
