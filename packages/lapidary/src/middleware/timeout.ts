/** `timeout(kernel)`: answers 503 in place of a kernel that takes too long, so that nobody waits for ever. */
import type { Api } from '../contract/api.ts'
import type { HttpHandler, HttpResponse } from '../http/httpHandler.ts'
import { createProblemResponder, type ProblemFormat, problemJson } from '../http/problemResponse.ts'
import { isPromise } from '../http/promises.ts'
import { releaseIterator } from '../http/responseStream.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { createPathIndex } from './pathInfo.ts'

/** How long a kernel may take. */
export interface TimeoutOptions {
  /** In milliseconds, without those in which the body arrived. Default: 8,000. */
  readonly time?: number
  /** After how many seconds the client may try again. Default: 1. */
  readonly retryAfter?: number
  /** How the problem is written. Default: problem details as JSON (RFC 9457). */
  readonly format?: ProblemFormat
  /** The API that is served: then a refusal carries the headers that every answer at its path does (`always`). Default: none. */
  readonly api?: Api
}

const createTimeoutError = (): DOMException => new DOMException(problemDetail.tooLate(), 'TimeoutError')

/** Nobody reads what came too late; whoever makes it is told so. What it says to that is nobody's business any more. */
function dropResponse({ body }: HttpResponse): void {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return
  try {
    releaseIterator(body[Symbol.asyncIterator]())
  } catch {
    // It says so at once.
  }
}

/**
 * The same kernel, which answers 503 with `Retry-After` when it has not answered in time: a handler, a check of credentials or the first piece
 * of a list; the head of other streams waits for 100 ms at most. The request's `signal` fires with a `TimeoutError`; what comes later is dropped, failures too. An answer that is given at once
 * costs no timer, and a mounted Node listener, which answers by itself, has no deadline.
 */
export function timeout(
  kernel: HttpHandler,
  { time = 8_000, retryAfter = 1, format = problemJson, api = {} }: TimeoutOptions = {},
): HttpHandler {
  const refuse = createProblemResponder(format)
  const at = createPathIndex(api)
  return (incoming) => {
    const outgoing = kernel(incoming)
    if (!isPromise(outgoing)) return outgoing
    return new Promise((resolve, reject) => {
      let counted = 0
      let isLate = false
      const expire = (): void => {
        // The clock stands still while the body arrives: a client that is slow is the adapter's business.
        const pause = incoming.bodyWait - counted
        if (pause > 0) {
          counted += pause
          timer = setTimeout(expire, pause)
          return
        }
        isLate = true
        try {
          const always = at(incoming.target)?.constantHeaders ?? []
          resolve(refuse(503, { detail: problemDetail.tooLate(), headers: ['Retry-After', `${retryAfter}`, ...always] }))
        } catch (error) {
          // A format of the user's own: nobody but the caller hears what a timer throws.
          reject(error)
        }
        incoming.abort(createTimeoutError())
      }
      let timer = setTimeout(expire, time)
      outgoing.then(
        (made) => {
          clearTimeout(timer)
          if (isLate) dropResponse(made)
          else resolve(made)
        },
        (error: unknown) => {
          clearTimeout(timer)
          // A promise that is settled takes no notice.
          reject(error)
        },
      )
    })
  }
}
