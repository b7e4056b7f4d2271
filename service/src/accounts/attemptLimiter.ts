/**
 * Counts failed logins by a key, such as an address, and refuses further ones for the rest of a minute.
 * A general rate limiter is not enough. Pending attempts must count, or parallel attempts would pass the limit. Yet they must not block
 * correct passwords. So attempts beyond the limit wait until the results of earlier ones are known.
 */

/** The result of an attempt. `unknown`: it was not checked, or the check failed. It counts neither way. */
export type Outcome = 'right' | 'wrong' | 'unknown'

/** Thrown after too many failures from one address, or for one name from that address. */
export class TooManyAttempts extends Error {
  override readonly name = 'TooManyAttempts'
  /** Whole seconds until attempts are checked again, at least 1. */
  readonly retryAfter: number

  constructor(retryAfter: number) {
    super('Too many failed attempts.')
    this.retryAfter = retryAfter
  }
}

export interface AttemptLimiter {
  /** Begins an attempt. Call the returned function once, with the outcome. Throws `TooManyAttempts`. */
  readonly begin: (key: string) => Promise<(outcome: Outcome) => void>
}

export interface AttemptLimits {
  /** Failures within the window after which attempts are refused. */
  readonly failures: number
  /** Milliseconds from the first failure to the end of the refusal. */
  readonly window: number
  /** The largest number of keys. Beyond it the oldest is forgotten. */
  readonly keys: number
  /** The current time in milliseconds. */
  readonly now: () => number
}

interface AttemptRecord {
  failures: number
  /** The time of the first failure. */
  since: number
  /** Attempts without an outcome. */
  pending: number
  readonly waiting: (() => void)[]
}

export function createAttemptLimiter({ failures: maxFailures, window, keys, now }: AttemptLimits): AttemptLimiter {
  const records = new Map<string, AttemptRecord>()

  function recordOf(key: string): AttemptRecord {
    const record = records.get(key) ?? { failures: 0, since: 0, pending: 0, waiting: [] }
    if (record.failures > 0 && now() >= record.since + window) record.failures = 0
    records.set(key, record)
    return record
  }

  function forgetOldest(): void {
    for (const [key, record] of records) {
      if (records.size <= keys) return
      if (record.pending === 0) records.delete(key)
    }
  }

  function end(key: string, outcome: Outcome): void {
    const record = recordOf(key)
    record.pending -= 1
    if (outcome === 'right') record.failures = 0
    if (outcome === 'wrong') {
      if (record.failures === 0) record.since = now()
      record.failures += 1
    }
    if (record.failures === 0 && record.pending === 0) records.delete(key)
    for (const resume of record.waiting.splice(0)) resume()
  }

  return {
    begin: async (key) => {
      for (;;) {
        const record = recordOf(key)
        if (record.failures >= maxFailures) throw new TooManyAttempts(Math.max(1, Math.ceil((record.since + window - now()) / 1000)))
        if (record.failures + record.pending < maxFailures) {
          record.pending += 1
          forgetOldest()
          return (outcome) => end(key, outcome)
        }
        await new Promise<void>((resume) => record.waiting.push(resume))
      }
    },
  }
}
