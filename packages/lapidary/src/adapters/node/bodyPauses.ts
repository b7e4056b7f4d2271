/** How long reading a request body was paused, because the handler was slower than the client. The client is not blamed for that time. */
import type { IncomingMessage } from 'node:http'

/** The pauses of one request, in milliseconds. */
interface BodyPauses {
  total: number
  /** When the current pause has begun, by `performance.now()`; undefined where there is none. */
  since: number | undefined
  /** What `takePausedTime` has returned so far. */
  taken: number
}

const pausesByRequest = new WeakMap<IncomingMessage, BodyPauses>()

/** Pauses or resumes reading a body. */
export function setBodyPaused(incomingMessage: IncomingMessage, isPaused: boolean): void {
  const pauses = pausesByRequest.get(incomingMessage) ?? { total: 0, since: undefined, taken: 0 }
  pausesByRequest.set(incomingMessage, pauses)
  pauses.total = getPausedTime(pauses)
  pauses.since = isPaused ? performance.now() : undefined
  if (isPaused) incomingMessage.pause()
  else incomingMessage.resume()
}

const getPausedTime = ({ total, since }: BodyPauses): number => total + (since === undefined ? 0 : performance.now() - since)

/** By how much the time of a request is to be extended, each pause once. In milliseconds. */
export function takePausedTime(incomingMessage: IncomingMessage): number {
  const pauses = pausesByRequest.get(incomingMessage)
  if (pauses === undefined) return 0
  const time = getPausedTime(pauses) - pauses.taken
  pauses.taken += time
  return time
}
