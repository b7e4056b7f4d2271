/** Remembers for a short time which credentials were correct, without storing them. */

import { hash, randomBytes } from 'node:crypto'

interface CachedCredential {
  /** The hash of the account that the password was checked against. */
  readonly hash: string
  readonly until: number
}

export interface CredentialCache {
  /** Identifies credentials without revealing them: a hash with a key that stays in this process. */
  readonly digest: (name: string, password: string) => string
  /** Whether the credentials of this digest were recently correct for this hash. */
  readonly has: (digest: string, hash: string) => boolean
  readonly add: (digest: string, hash: string) => void
}

export interface CredentialCacheOptions {
  /** Milliseconds from the check. */
  readonly lifetime: number
  /** The largest number of entries. Beyond it the oldest are forgotten. */
  readonly capacity: number
  /** The current time in milliseconds. */
  readonly now: () => number
}

export function createCredentialCache({ lifetime, capacity, now }: CredentialCacheOptions): CredentialCache {
  const key = randomBytes(32).toString('base64')
  const entries = new Map<string, CachedCredential>()

  return {
    // The length separates ("a", "bc") from ("ab", "c"). Digests never leave the process, so that length extension is no threat, and one plain hash
    // takes a quarter of the time of an HMAC.
    digest: (name, password) => hash('sha256', `${key}${name.length}:${name}${password}`, 'base64'),
    has: (digest, accountHash) => {
      const entry = entries.get(digest)
      if (entry === undefined) return false
      if (entry.hash === accountHash && now() < entry.until) return true
      entries.delete(digest)
      return false
    },
    add: (digest, accountHash) => {
      // Deleted first, so that the entries are in the order of their expiry.
      entries.delete(digest)
      entries.set(digest, { hash: accountHash, until: now() + lifetime })
      for (const oldest of entries.keys()) {
        if (entries.size <= capacity) return
        entries.delete(oldest)
      }
    },
  }
}
