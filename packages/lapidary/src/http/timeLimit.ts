/** Limits how long a response may take: the engine of the middleware `timeout` and of the `timeout` of an endpoint. */
import { problemDetail } from '../messages/problemMessages.ts'
import type { HttpRequest, HttpResponse } from './httpHandler.ts'
import { releaseBody } from './responseStream.ts'

/** The requests that an endpoint limits itself. */
const ownLimits = new WeakSet<HttpRequest>()

/** Marks a request that an endpoint limits itself: the middleware then leaves it alone. */
export const setOwnTimeLimit = (request: HttpRequest): void => void ownLimits.add(request.original ?? request)

/** Whether an endpoint limits this request itself. */
export const hasOwnTimeLimit = (request: HttpRequest): boolean => ownLimits.has(request.original ?? request)

/** A limit of time. */
interface TimeLimit {
  /** In milliseconds, without the time in which the body arrives; not `Infinity`. */
  readonly time: number
  /** Makes the response, or throws an error, when the time is over. `undefined`: the response is waited for, however long it takes. */
  readonly expire: () => HttpResponse | undefined
}

/**
 * Settles as the response does, or in its place when the time is over. Then the `signal` of the request fires with a `TimeoutError`, and
 * the late response or failure is dropped.
 */
export const limitTime = (response: Promise<HttpResponse>, request: HttpRequest, { time, expire }: TimeLimit): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    let countedWait = 0
    let isLate = false
    const end = (): void => {
      // The time does not run while the body arrives: slow clients are limited by the adapter.
      const extension = request.bodyWait - countedWait
      if (extension > 0) {
        countedWait += extension
        timer = setTimeout(end, extension)
        return
      }
      try {
        const late = expire()
        if (late === undefined) return
        resolve(late)
      } catch (error) {
        // A format of the application can throw, and nothing catches what a timer throws.
        reject(error)
      }
      isLate = true
      request.abort(new DOMException(problemDetail.tooLate(), 'TimeoutError'))
    }
    let timer = setTimeout(end, time)
    response.then(
      (settled) => {
        clearTimeout(timer)
        if (isLate) releaseBody(settled.body)
        else resolve(settled)
      },
      (error: unknown) => {
        clearTimeout(timer)
        // Without effect if the promise is settled.
        reject(error)
      },
    )
  })
