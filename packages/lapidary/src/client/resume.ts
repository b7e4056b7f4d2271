/** `resume(connect)`: a stream of events that goes on after a connection was cut off. */
import type { ServerSentEvent } from '../contract/media/events.ts'
import { encodeUtf8 } from '../http/encodings.ts'
import { requireFunction } from '../http/functions.ts'
import { isHeaderValue, trimBlanks } from '../http/headerFields.ts'
import { isHttpError } from '../http/httpError.ts'
import { requireLimit, requireTime, toTimerDelay } from '../http/limits.ts'
import type { CallOptions } from './callTypes.ts'
import { createCancellation, wait } from './cancellation.ts'
import { ConnectionError, StreamInterruptedError } from './errors.ts'
import { getRetryAfter } from './retry.ts'

/** Options of `resume`. */
interface ResumeOptions {
  /** Ends the stream, with the reason of the signal. */
  readonly signal?: AbortSignal
  /** The id of the last event that you have; the stream continues after it. @default none */
  readonly lastEventId?: string
  /**
   * How long to wait before the second connection. `retry` of the server replaces this time. If `retry` is less than 500,
   * the client waits for 500 ms: otherwise a server that sends 0 would get hundreds of requests a second. Each further attempt without an
   * event waits twice as long. The client adds up to a quarter at random, so that not all clients connect again at once.
   * A wait is a number of milliseconds from 0 to 2,147,483,647 (24.8 days); `Infinity` is no limit.
   *
   * @default 1,000
   */
  readonly delay?: number
  /**
   * The longest of these waits. It also limits `retry`.
   *
   * @default 30,000
   */
  readonly maxDelay?: number
  /** How many attempts in a row may end without an event. Then the last error is thrown. `Infinity` means any number. @default 10 */
  readonly attempts?: number
}

/**
 * Makes one connection: `(options) => call.changes({}, options)`. It returns undefined if the server says that there are no more events.
 */
export type ConnectStream<Event> = (options: CallOptions) => Promise<AsyncIterable<Event> | undefined>

/** The statuses of a server that restarts, or of the proxy before it. */
const temporaryStatuses: readonly number[] = [429, 502, 503, 504]

/** Whether another attempt may succeed. The first connection is an ordinary call: its errors are thrown. */
function isTemporary(error: unknown, hasConnected: boolean): boolean {
  if (!hasConnected) return false
  if (isHttpError(error)) return temporaryStatuses.includes(error.status)
  return error instanceof StreamInterruptedError || error instanceof ConnectionError || Object(error).name === 'TimeoutError'
}

/** The shortest `retry` that counts, in milliseconds, as in Firefox (WHATWG HTML §9.2.3 lets a client wait longer). */
const minRetry = 500

/**
 * An id as the bytes of a header: `fetch` takes one character for each byte. Blanks around a field are never a part of it.
 */
const toHeaderValue = (id: string): string => trimBlanks(Array.from(encodeUtf8(id), (byte) => String.fromCharCode(byte)).join(''))

/**
 * The events of a stream over several connections. When one is cut off, the next call sends the last id in `Last-Event-ID`, and the server
 * continues after that event. If a stream ends properly, it is complete, and this iteration ends as well.
 *
 * The id is sent as UTF-8, without blanks around it, as an `EventSource` sends it. `fetch` cannot send an id with a control character: if a
 * stream is cut off after such an event, the iteration throws the error of the stream.
 *
 * @param connect makes a call with the given options
 * @throws TypeError for a time that is no wait, for a number of attempts that is no integer, and the errors of the call. After
 * the first connection, a `ConnectionError`, a time limit and the statuses 429, 502, 503 and 504 also lead to another attempt.
 * @example
 * ```ts
 * import { endpoint, events, int, ok, optional, text } from 'lapidary'
 * import { client, resume } from 'lapidary/client'
 * import { z } from 'zod'
 *
 * const api = {
 *   news: endpoint('GET /news', { headers: { 'Last-Event-ID': optional(int) }, response: ok(events(z.string())) }),
 * }
 * const call = client(api, 'http://127.0.0.1:8081')
 * for await (const { data } of resume((options) => call.news({}, options))) console.log(data)
 * ```
 */
export function resume<Event extends ServerSentEvent<unknown>>(
  connect: ConnectStream<Event>,
  { signal: cause, lastEventId: firstId = '', delay = 1_000, maxDelay = 30_000, attempts = 10 }: ResumeOptions = {},
): AsyncIterableIterator<Event, void, undefined> {
  requireFunction('resume(): connect', connect)
  const firstDelay = requireTime('resume(): delay', delay, 'wait')
  const longest = requireTime('resume(): maxDelay', maxDelay, 'wait')
  const maxFailures = requireLimit('resume(): attempts', attempts, 0)
  const closing = new AbortController()
  const cancellation = createCancellation([cause, closing.signal], Number.POSITIVE_INFINITY, () => undefined)
  const { signal } = cancellation
  let lastEventId = firstId
  let retry = firstDelay

  const keepFields = ({ id, retry: wanted }: Pick<ServerSentEvent<unknown>, 'id' | 'retry'>): void => {
    lastEventId = id ?? lastEventId
    retry = wanted === undefined ? retry : Math.max(wanted, minRetry)
  }

  async function* readEventsOfConnections(): AsyncGenerator<Event, void, undefined> {
    const removeListeners = cancellation.listen()
    let hasConnected = false
    let failures = 0
    try {
      for (;;) {
        try {
          const headers = lastEventId === '' ? {} : { 'Last-Event-ID': toHeaderValue(lastEventId) }
          const stream = await connect({ signal, headers, '~onSkipped': keepFields })
          hasConnected = true
          for await (const event of stream ?? []) {
            keepFields(event)
            failures = 0
            yield event
          }
          return
        } catch (error) {
          signal.throwIfAborted()
          failures += 1
          if (failures > maxFailures || !isTemporary(error, hasConnected) || !isHeaderValue(toHeaderValue(lastEventId))) throw error
          const pause = Math.min(longest, Math.max(getRetryAfter(error), retry * 2 ** (failures - 1)))
          await wait(toTimerDelay(pause * (1 + Math.random() / 4)), signal)
        }
      }
    } catch (error) {
      // The caller has left while this waited.
      if (!closing.signal.aborted) throw error
    } finally {
      removeListeners()
    }
  }

  const generator = readEventsOfConnections()
  return {
    next: () => generator.next(),
    return: () => {
      closing.abort()
      return generator.return()
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
