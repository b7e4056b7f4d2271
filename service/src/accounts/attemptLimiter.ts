/**
 * Counts failed logins by a key, such as an address, and refuses further ones for the rest of a minute.
 * A general rate limiter is not enough. Pending attempts must count, or parallel attempts would pass the limit. Yet they must not block
 * correct passwords. So attempts beyond the limit wait until the results of earlier ones are known.
 */
import { errors } from 'lapidary'

/** Thrown after too many failures from one address, or for one name from that address. `wait` is in milliseconds. */
const createLimitError = (wait: number): Error =>
  errors.tooManyRequests({
    detail: 'Too many failed attempts. Wait, then try again.',
    headers: { 'Retry-After': `${Math.max(1, Math.ceil(wait / 1000))}` },
  })

export interface AttemptLimits {
  /** Failures within the window after which attempts are refused. */
  readonly failures: number
  /** Milliseconds from the first failure to the end of the refusal. */
  readonly window: number
  /** The largest number of keys. Beyond it the oldest is forgotten. */
  readonly capacity: number
  /** The current time in milliseconds, from a monotonic clock. */
  readonly now: () => number
}

interface AttemptRecord {
  failures: number
  /** The time of the first failure. */
  since: number
  /** Attempts without a result. */
  pending: number
  readonly waiting: (() => void)[]
}

/**
 * Returns a function that runs the check of an attempt and counts its result: true clears the failures of the key, false is one more. A
 * check that throws counts neither way. The function throws an HttpError 429.
 */
export function createAttemptLimiter({ failures: maxFailures, window, capacity, now }: AttemptLimits) {
  const records = new Map<string, AttemptRecord>()

  function recordOf(key: string): AttemptRecord {
    const record = records.get(key) ?? { failures: 0, since: 0, pending: 0, waiting: [] }
    if (record.failures > 0 && now() >= record.since + window) record.failures = 0
    records.set(key, record)
    return record
  }

  function forgetOldest(): void {
    for (const [key, { pending }] of records) {
      if (records.size <= capacity) return
      if (pending === 0) records.delete(key)
    }
  }

  function end(key: string, isRight: boolean | undefined): void {
    const record = recordOf(key)
    record.pending -= 1
    if (isRight === true) record.failures = 0
    if (isRight === false) {
      if (record.failures === 0) record.since = now()
      record.failures += 1
    }
    if (record.failures === 0 && record.pending === 0) records.delete(key)
    for (const resume of record.waiting.splice(0)) resume()
  }

  return async (key: string, check: () => Promise<boolean>): Promise<boolean> => {
    let record = recordOf(key)
    while (record.failures < maxFailures && record.failures + record.pending >= maxFailures) {
      const { waiting } = record
      await new Promise<void>((resume) => waiting.push(resume))
      record = recordOf(key)
    }
    if (record.failures >= maxFailures) throw createLimitError(record.since + window - now())
    record.pending += 1
    forgetOldest()
    let isRight: boolean | undefined
    try {
      isRight = await check()
      return isRight
    } finally {
      end(key, isRight)
    }
  }
}
