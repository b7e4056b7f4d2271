/** Remembers for a short time which credentials were correct, without storing them. */

import { hash, randomBytes } from 'node:crypto'

export interface CacheLimits {
  /** How long correct credentials stay cached, in milliseconds. */
  readonly lifetime: number
  /** The largest number of entries. Beyond it the oldest are forgotten. */
  readonly capacity: number
  /** The current time in milliseconds, from a monotonic clock. */
  readonly now: () => number
}

export function createCredentialCache({ lifetime, capacity, now }: CacheLimits) {
  const key = randomBytes(32).toString('base64')
  /** By digest: the hash of the account that the password was checked against, and the time when it is forgotten. */
  const entries = new Map<string, { readonly hash: string; readonly until: number }>()
  return {
    /**
     * Identifies credentials without revealing them. The length separates ("a", "bc") from ("ab", "c"). Digests never leave the process, so
     * that length extension is no threat, and one plain hash takes a quarter of the time of an HMAC.
     */
    digest: (name: string, password: string): string => hash('sha256', `${key}${name.length}:${name}${password}`, 'base64'),
    /** Whether the credentials of this digest were recently correct for this hash. */
    has: (digest: string, accountHash: string): boolean => {
      const entry = entries.get(digest)
      if (entry?.hash === accountHash && now() < entry.until) return true
      entries.delete(digest)
      return false
    },
    add: (digest: string, accountHash: string): void => {
      // Deleted first, so that the entries are in the order of their expiry.
      entries.delete(digest)
      entries.set(digest, { hash: accountHash, until: now() + lifetime })
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
    },
  }
}
