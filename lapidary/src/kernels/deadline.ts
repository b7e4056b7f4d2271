/** `deadline(kernel)`: answers 503 in place of a kernel that takes too long, so that nobody waits for ever. */
import { answer } from '../describe/message.ts'
import type { Incoming, Kernel, Outgoing } from '../server/kernel.ts'
import { isPromise } from '../server/promise.ts'
import { type ProblemFormat, problemJson, refuser } from '../server/refuse.ts'

/** How long a kernel may take. */
export interface DeadlineOptions {
  /** In milliseconds, from when the kernel got the request, or the whole of its body. Default: 8,000. */
  readonly time?: number
  /** After how many seconds the client may try again. Default: 1. */
  readonly retryAfter?: number
  /** How the problem is written. Default: problem details as JSON (RFC 9457). */
  readonly format?: ProblemFormat
}

/** A request whose signal fires when its time is over as well. */
interface Timed {
  readonly request: Incoming
  /** Starts the clock, which stands still while the body arrives: a client that is slow is the carrier's business. */
  readonly start: (expired: () => void) => void
  readonly stop: () => void
}

const tooLate = (): DOMException => new DOMException(answer.tooLate(), 'TimeoutError')

function timed(incoming: Incoming, time: number): Timed {
  let controller: AbortController | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let expire: (() => void) | undefined
  let arriving = false
  let isOver = false

  const run = (): void => {
    if (expire !== undefined && !arriving) timer = setTimeout(expire, time)
  }
  const signal = (): AbortSignal => {
    if (controller === undefined) {
      const own = new AbortController()
      const { signal: left } = incoming
      controller = own
      if (isOver) own.abort(tooLate())
      else if (left.aborted) own.abort(left.reason)
      else left.addEventListener('abort', () => own.abort(left.reason), { once: true })
    }
    return controller.signal
  }
  const body = (limit: number): Promise<Uint8Array> => {
    const arrived = (): void => {
      arriving = false
      run()
    }
    clearTimeout(timer)
    arriving = true
    const bytes = incoming.body(limit)
    bytes.then(arrived, arrived)
    return bytes
  }
  return {
    // All the rest is the request's own.
    request: Object.create(incoming, { signal: { get: signal }, body: { value: body } }),
    start: (expired) => {
      expire = () => {
        isOver = true
        expire = undefined
        controller?.abort(tooLate())
        expired()
      }
      run()
    },
    stop: () => {
      clearTimeout(timer)
      expire = undefined
    },
  }
}

/** Nobody reads what came too late; whoever makes it is told so. What it says to that is nobody's business any more. */
function dropped({ body }: Outgoing): void {
  if (body === null || typeof body === 'string' || body instanceof Uint8Array) return
  body[Symbol.asyncIterator]()
    .return?.()
    .catch(() => {})
}

/**
 * The same kernel, which answers 503 with `Retry-After` when it has not answered in time: a handler, a check of credentials or the first piece
 * of a stream. The request's `signal` fires with a `TimeoutError`; what comes later is dropped, failures too. An answer that is given at once
 * costs no timer, and a mounted Node listener, which answers by itself, has no deadline.
 */
export function deadline(kernel: Kernel, { time = 8_000, retryAfter = 1, format = problemJson }: DeadlineOptions = {}): Kernel {
  const refuse = refuser(format)
  return (incoming) => {
    const { request, start, stop } = timed(incoming, time)
    const outgoing = kernel(request)
    if (!isPromise(outgoing)) return outgoing
    return new Promise((resolve, reject) => {
      let isLate = false
      start(() => {
        isLate = true
        resolve(refuse(503, { detail: answer.tooLate(), headers: ['Retry-After', `${retryAfter}`] }))
      })
      outgoing.then(
        (made) => {
          stop()
          if (isLate) dropped(made)
          else resolve(made)
        },
        (error: unknown) => {
          stop()
          // A promise that is settled takes no notice.
          reject(error)
        },
      )
    })
  }
}
