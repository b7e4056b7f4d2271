/** `loadShedding(kernel)`: answers 503 at once to what could only be answered late, so that all the others are answered in time. */
import type { Api } from '../describe/api.ts'
import { requireSync } from '../describe/atOnce.ts'
import { problemDetail } from '../describe/message.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../server/kernel.ts'
import { createProblemResponder, type ProblemFormat, problemJson } from '../server/refuse.ts'
import { createPathIndex } from './offered.ts'
import { enqueue, estimateWait, getQueueLength, tryStart } from './turns.ts'

/** When to refuse. */
export interface LoadSheddingOptions {
  /** A request that would wait for longer than this to be begun is refused. In milliseconds. Default: 500. */
  readonly maxWait?: number
  /** Which requests are never refused and never wait, such as those that ask whether the process lives. Default: none. */
  readonly except?: (incoming: HttpRequest) => boolean
  /** Told of each refusal. Counting them costs little; a line in a log for each may cost more than the refusal. Default: nobody. */
  readonly onReject?: (incoming: HttpRequest) => void
  /** After how many seconds the client may try again. Default: 1. */
  readonly retryAfter?: number
  /** How the problem is written. Default: problem details as JSON (RFC 9457). */
  readonly format?: ProblemFormat
  /** The API that is served: then a refusal carries the headers that every answer at its path does (`always`). Default: none. */
  readonly api?: Api
}

/** So few may always wait: one request that took long tells little of those behind it. */
const minQueueLength = 16
/** Who has waited for so many times the longest wait is refused as well: those before it took longer than was to be expected. */
const maxWaitFactor = 2

const neverExcept = (): boolean => false
const ignoreRejection = (): void => {}

/**
 * The same kernel, which refuses with 503 and `Retry-After` what it could not begin within `longestWait`. While there is little to do a request is
 * run at once, and costs a look at the clock. When the event loop is busy for over 10 ms, those that come further wait for its next turn, first
 * come, first served; how long that will take is known from how it went lately. A client that leaves meanwhile is forgotten. The process has one
 * loop and so one queue: servers in it that are wrapped share it. What keeps a handler waiting elsewhere, such as a pool of connections, has
 * limits of its own.
 *
 * To be worth it a refusal has to cost little, so this kernel goes around all others: those that observe, and that write logs.
 */
export function loadShedding(
  kernel: HttpHandler,
  {
    maxWait: longestWait = 500,
    except = neverExcept,
    onReject: refused = ignoreRejection,
    retryAfter = 1,
    format = problemJson,
    api = {},
  }: LoadSheddingOptions = {},
): HttpHandler {
  const refusal: HttpResponse = Object.freeze(
    createProblemResponder(format)(503, { detail: problemDetail.overloaded(), headers: ['Retry-After', `${retryAfter}`] }),
  )

  const at = createPathIndex(api)

  const refuse = (incoming: HttpRequest): HttpResponse => {
    requireSync(refused(incoming), 'The function "refused" of shedding()')
    const always = at(incoming.target)?.constantHeaders ?? []
    return always.length === 0 ? refusal : { ...refusal, headers: [...refusal.headers, ...always] }
  }

  const later = (incoming: HttpRequest): Promise<HttpResponse> => {
    const came = performance.now()
    let isGone = false
    incoming.onEnd(() => {
      isGone = true
    })
    return new Promise((resolve, reject) => {
      enqueue(() => {
        // To one who has left it does not matter what is said.
        if (isGone) return resolve(refusal)
        try {
          if (performance.now() - came > maxWaitFactor * longestWait) return resolve(refuse(incoming))
          resolve(kernel(incoming))
        } catch (error) {
          reject(error)
        }
      })
    })
  }

  return (incoming) => {
    if (requireSync(except(incoming), 'The function "except" of shedding()') || tryStart()) return kernel(incoming)
    return getQueueLength() >= minQueueLength && estimateWait() > longestWait ? refuse(incoming) : later(incoming)
  }
}
