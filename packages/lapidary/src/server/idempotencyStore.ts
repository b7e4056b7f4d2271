/** Where the first responses of idempotent endpoints are kept: the interface, and the store in memory. */
import { toolkitErrors } from '../http/errors.ts'
import type { Awaitable } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'

/** One request that has a key. */
export interface IdempotencyClaim {
  /** A digest of the user and the key: 64 hexadecimal digits. */
  readonly key: string
  /** A digest of the request: 64 hexadecimal digits. */
  readonly fingerprint: string
  /** A UUID. It distinguishes this attempt from another one that has taken over the key after the lease. */
  readonly owner: string
  /** For how long no other request can take the key over, in milliseconds. */
  readonly lease: number
}

/** The record of a key. */
export interface IdempotencyRecord {
  readonly fingerprint: string
  /** The response, as `complete` received it; undefined if the request is still being processed. */
  readonly response: string | undefined
}

/**
 * Keeps the first response of each key: `memoryIdempotencyStore()` in one process, `kyselyIdempotencyStore(database)` for several. If
 * `begin` throws an error, the server responds as to an error of a handler, and no handler runs. Errors of the other two functions are
 * reported.
 */
export interface IdempotencyStore {
  /**
   * Claims a key, in one atomic step: of several simultaneous requests, one gets undefined, and its handler runs. The others get the
   * record. A record does not count if it has expired, or if its lease has expired.
   */
  begin(claim: IdempotencyClaim): Awaitable<IdempotencyRecord | undefined>
  /** Keeps the response of a claim. Nothing is kept where another owner has taken the key over. */
  complete(claim: IdempotencyClaim, response: string): Awaitable<void>
  /** Forgets a claim, so that the same request can run again. Another owner keeps the key. */
  release(claim: IdempotencyClaim): Awaitable<void>
}

/** How much a store in memory keeps, and for how long. */
interface MemoryIdempotencyStoreOptions {
  /** How many responses are kept; the oldest one makes room. As many requests can be processed at once. @default 10,000 */
  readonly maxEntries?: number
  /** How many characters all responses have together; the oldest ones make room. @default 67,108,864 (64 Mi) */
  readonly maxLength?: number
  /** How long a response is kept, in milliseconds. @default 86,400,000 (24 hours) */
  readonly ttl?: number
}

/** A claim in memory, and a response. */
interface RunningEntry extends IdempotencyClaim {
  readonly expires: number
}
interface CompletedEntry {
  readonly fingerprint: string
  readonly response: string
  readonly expires: number
}

/** @throws TypeError for a number that no store can use. A time of a database has an end. */
export function requireFinite(place: string, value: number): number {
  if (value === Number.POSITIVE_INFINITY) throw new TypeError(developerErrors.notPositive(place, value))
  return requirePositive(place, value)
}

/** @throws TypeError for anything but a number above 0. */
function requirePositive(place: string, value: number): number {
  if (!(typeof value === 'number' && value > 0)) throw new TypeError(developerErrors.notPositive(place, value))
  return value
}

/**
 * Returns a store in the memory of one process. The store forgets old responses to make room for new ones. The same request then runs
 * again.
 *
 * @throws TypeError for an option that is not above 0.
 * @example
 * ```ts
 * import { endpoint, noContent } from 'lapidary'
 * import { memoryIdempotencyStore, serve } from 'lapidary/server'
 *
 * const api = { ring: endpoint('POST /ring', { response: noContent, idempotent: 'required' }) }
 * const store = memoryIdempotencyStore({ maxEntries: 1_000, ttl: 3_600_000 })
 * const server = serve(api, { ring: () => console.log('ring') }, { idempotency: { store } })
 * ```
 */
export function memoryIdempotencyStore(options: MemoryIdempotencyStoreOptions = {}): IdempotencyStore {
  const maxEntries = requirePositive('memoryIdempotencyStore(): maxEntries', options.maxEntries ?? 10_000)
  const maxLength = requirePositive('memoryIdempotencyStore(): maxLength', options.maxLength ?? 2 ** 26)
  const ttl = requirePositive('memoryIdempotencyStore(): ttl', options.ttl ?? 86_400_000)
  const running = new Map<string, RunningEntry>()
  /** In the order of their completion, and so of their expiry. */
  const completed = new Map<string, CompletedEntry>()
  let length = 0

  const forget = (key: string): void => {
    length -= completed.get(key)?.response.length ?? 0
    completed.delete(key)
  }
  /** The newest response stays, however long it is: its request may be sent again at any moment. */
  const makeRoom = (now: number): void => {
    for (const [key, { expires }] of completed) {
      const isFull = completed.size > maxEntries || (length > maxLength && completed.size > 1)
      if (expires > now && !isFull) return
      forget(key)
    }
  }
  const dropExpiredClaims = (now: number): void => {
    for (const [key, { expires }] of running) if (expires <= now) running.delete(key)
  }

  return {
    begin: (claim) => {
      const now = Date.now()
      makeRoom(now)
      const known = completed.get(claim.key)
      if (known !== undefined && known.expires > now) return known
      forget(claim.key)
      const other = running.get(claim.key)
      if (other !== undefined && other.expires > now) return { fingerprint: other.fingerprint, response: undefined }
      if (running.size >= maxEntries) dropExpiredClaims(now)
      if (running.size >= maxEntries)
        throw toolkitErrors.serviceUnavailable({ detail: problemDetail.tooManyKeys(), headers: { 'Retry-After': '1' } })
      running.set(claim.key, { ...claim, expires: now + claim.lease })
      return undefined
    },
    complete: ({ key, fingerprint, owner }, response) => {
      // The claim is gone where the handler took longer than the lease, and no other request has come.
      if (completed.has(key) || (running.get(key)?.owner ?? owner) !== owner) return
      const now = Date.now()
      running.delete(key)
      completed.set(key, { fingerprint, response, expires: now + ttl })
      length += response.length
      makeRoom(now)
    },
    release: ({ key, owner }) => {
      if (running.get(key)?.owner === owner) running.delete(key)
    },
  }
}
