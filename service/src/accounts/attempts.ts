/**
 * Counts failed attempts by a key (an address, a name) and refuses further ones for the rest of a minute.
 * A general rate limiter would not do: what is under way must count as well, or attempts made at once would slip past, and yet must
 * not be held against right passwords, so attempts beyond the limit wait until those before them are known to have failed or not.
 */

import { TooManyAttempts } from './tooManyAttempts.ts'

/** What became of an attempt. `unknown`: it was never looked at, or the check itself broke; it counts neither way. */
export type Outcome = 'right' | 'wrong' | 'unknown'

export interface Attempts {
  /** Begins an attempt; call the answer once, with its outcome. Throws `TooManyAttempts`. */
  readonly begin: (key: string) => Promise<(outcome: Outcome) => void>
}

export interface Limits {
  /** Failures within the window after which attempts are refused. */
  readonly failures: number
  /** Milliseconds from the first failure to the end of the refusal. */
  readonly window: number
  /** Keys remembered at most; beyond them the oldest is forgotten. */
  readonly keys: number
  /** Milliseconds now. */
  readonly now: () => number
}

interface Entry {
  failures: number
  /** When the first of the failures happened. */
  since: number
  /** Attempts whose outcome is not known yet. */
  pending: number
  readonly waiting: (() => void)[]
}

export function attempts({ failures: most, window, keys, now }: Limits): Attempts {
  const entries = new Map<string, Entry>()

  function entryOf(key: string): Entry {
    const entry = entries.get(key) ?? { failures: 0, since: 0, pending: 0, waiting: [] }
    if (entry.failures > 0 && now() >= entry.since + window) entry.failures = 0
    entries.set(key, entry)
    return entry
  }

  function forget(): void {
    for (const [key, entry] of entries) {
      if (entries.size <= keys) return
      if (entry.pending === 0) entries.delete(key)
    }
  }

  function end(key: string, outcome: Outcome): void {
    const entry = entryOf(key)
    entry.pending -= 1
    if (outcome === 'right') entry.failures = 0
    if (outcome === 'wrong') {
      if (entry.failures === 0) entry.since = now()
      entry.failures += 1
    }
    if (entry.failures === 0 && entry.pending === 0) entries.delete(key)
    for (const go of entry.waiting.splice(0)) go()
  }

  return Object.freeze({
    begin: async (key) => {
      for (;;) {
        const entry = entryOf(key)
        if (entry.failures >= most) throw new TooManyAttempts(Math.max(1, Math.ceil((entry.since + window - now()) / 1000)))
        if (entry.failures + entry.pending < most) {
          entry.pending += 1
          forget()
          return (outcome) => end(key, outcome)
        }
        await new Promise<void>((go) => entry.waiting.push(go))
      }
    },
  } satisfies Attempts)
}
