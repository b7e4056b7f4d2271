/** How long reading a request body was paused, because the handler was slower than the client. The client is not blamed for that time. */
import type { Readable } from 'node:stream'

/** The pauses of one request, in milliseconds. */
interface BodyPauses {
  total: number
  /** When the current pause has begun, by `performance.now()`; undefined where there is none. */
  since: number | undefined
  /** What `takePausedTime` has returned so far. */
  taken: number
}

const pausesByRequest = new WeakMap<Readable, BodyPauses>()

/** Pauses or resumes reading a body. */
export function setBodyPaused(body: Readable, isPaused: boolean): void {
  const pauses = pausesByRequest.get(body) ?? { total: 0, since: undefined, taken: 0 }
  pausesByRequest.set(body, pauses)
  pauses.total = getPausedTime(pauses)
  pauses.since = isPaused ? performance.now() : undefined
  if (isPaused) body.pause()
  else body.resume()
}

const getPausedTime = ({ total, since }: BodyPauses): number => total + (since === undefined ? 0 : performance.now() - since)

/** How long a body has been paused in all. In milliseconds. */
export function getBodyPauseTime(body: Readable): number {
  const pauses = pausesByRequest.get(body)
  return pauses === undefined ? 0 : getPausedTime(pauses)
}

/** By how much the time of a request is to be extended, each pause once. In milliseconds. */
export function takePausedTime(body: Readable): number {
  const pauses = pausesByRequest.get(body)
  if (pauses === undefined) return 0
  const time = getPausedTime(pauses) - pauses.taken
  pauses.taken += time
  return time
}
