/** Remembers for a short time which credentials were right, without keeping them. */

import { hash as hashed, randomBytes } from 'node:crypto'

interface Entry {
  /** The account's hash that the password was checked against. */
  readonly hash: string
  readonly until: number
}

export interface Memory {
  /** A name for these credentials that says nothing about them: a hash under a key that never leaves this process. */
  readonly digest: (name: string, password: string) => string
  /** Whether the credentials of this digest were right for this hash a short while ago. */
  readonly knows: (digest: string, hash: string) => boolean
  readonly learn: (digest: string, hash: string) => void
}

export interface MemoryOptions {
  /** Milliseconds from the check. */
  readonly lifetime: number
  /** Credentials remembered at most; beyond them the oldest are forgotten. */
  readonly capacity: number
  /** Milliseconds now. */
  readonly now: () => number
}

export function memory({ lifetime, capacity, now }: MemoryOptions): Memory {
  const key = randomBytes(32).toString('base64')
  const entries = new Map<string, Entry>()

  return Object.freeze({
    // The length in front keeps ("a", "bc") and ("ab", "c") apart. No HMAC: nobody outside ever sees a digest that he could append to, and one call
    // takes a quarter of the time.
    digest: (name, password) => hashed('sha256', `${key}${name.length}:${name}${password}`, 'base64'),
    knows: (digest, hash) => {
      const entry = entries.get(digest)
      if (entry === undefined) return false
      if (entry.hash === hash && now() < entry.until) return true
      entries.delete(digest)
      return false
    },
    learn: (digest, hash) => {
      // Taken out first, so that the order of entries is that of their ends.
      entries.delete(digest)
      entries.set(digest, { hash, until: now() + lifetime })
      for (const oldest of entries.keys()) {
        if (entries.size <= capacity) return
        entries.delete(oldest)
      }
    },
  } satisfies Memory)
}
