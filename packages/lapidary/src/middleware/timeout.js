import { createProblemResponder, problemJson } from '../http/problemResponse.js'
import { isPromise } from '../http/promises.js'
import { releaseIterator } from '../http/responseStream.js'
import { problemDetail } from '../messages/problemMessages.js'
import { createPathIndex } from './pathInfo.js'

const createTimeoutError = () => new DOMException(problemDetail.tooLate(), 'TimeoutError')
/** Nobody reads what came too late; whoever makes it is told so. What it says to that is nobody's business any more. */
function dropResponse({ body }) {
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
export function timeout(kernel, { time = 8_000, retryAfter = 1, format = problemJson, api = {} } = {}) {
  const refuse = createProblemResponder(format)
  const at = createPathIndex(api)
  return (incoming) => {
    const outgoing = kernel(incoming)
    if (!isPromise(outgoing)) return outgoing
    return new Promise((resolve, reject) => {
      let counted = 0
      let isLate = false
      const expire = () => {
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
        (error) => {
          clearTimeout(timer)
          // A promise that is settled takes no notice.
          reject(error)
        },
      )
    })
  }
}
