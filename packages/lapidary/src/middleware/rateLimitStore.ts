/** Where `rateLimit` counts: the interface of stores, the sliding window that they have in common, and the store in memory. */
import { requireInteger } from '../http/limits.ts'
import type { Awaitable } from '../http/promises.ts'
import { checkMiddlewareOptions } from './options.ts'

/** One request that takes a part of a quota. */
export interface RateLimitUse {
  /** Identifies the policy, and the client within it. At most 200 characters; it can contain what a client has sent, such as an API key. */
  readonly key: string
  /** An integer from 1 to the quota. */
  readonly cost: number
  readonly quota: number
  /** In seconds. */
  readonly window: number
}

/** What is left of a quota. */
export interface RateLimitState {
  /** Whether the request passes. If not, it has taken nothing. */
  readonly isAllowed: boolean
  /** How much is left. */
  readonly remaining: number
  /** In how many milliseconds more is left. */
  readonly reset: number
  /** In how many milliseconds the same request passes if no other one comes; 0 if it passes now. */
  readonly retryAfter: number
}

/**
 * Counts requests: `memoryRateLimitStore()` in one process, `kyselyRateLimitStore(database)` for several.
 *
 * @example
 * ```ts
 * import { rateLimit, type RateLimitStore } from 'lapidary/middleware'
 *
 * // Fixed windows, for one client: a store of another service does this in one atomic step.
 * let [end, count] = [0, 0]
 * const store: RateLimitStore = {
 *   take: async ({ cost, quota, window }) => {
 *     const now = Date.now()
 *     if (now >= end) [end, count] = [now + window * 1_000, 0]
 *     const isAllowed = count + cost <= quota
 *     if (isAllowed) count += cost
 *     return { isAllowed, remaining: quota - count, reset: end - now, retryAfter: isAllowed ? 0 : end - now }
 *   },
 * }
 * const middleware = [rateLimit({ store })]
 * ```
 */
export interface RateLimitStore {
  /** Takes a part of a quota, in one atomic step. */
  take(use: RateLimitUse): Awaitable<RateLimitState>
}

/**
 * Into how many slots a window is divided. A request counts until its slot has left the window: at most a sixth of the window longer than the
 * window itself.
 */
const windowSlots = 6
/** Any time as long as a window touches at most this many slots. What they have together never exceeds the quota, and so neither does it. */
export const countedSlots: number = windowSlots + 1

/** How long a slot is, in milliseconds. It is an integer, so that the rounded times of slots are exact. */
export const getSlotLength = (window: number): number => Math.ceil((window * 1_000) / windowSlots)

/**
 * Says what is left of a quota.
 *
 * @param used what each counted slot has taken, the oldest first
 * @param elapsed how much of the newest slot is over, in milliseconds
 */
export function getRateLimitState(
  isAllowed: boolean,
  used: readonly number[],
  elapsed: number,
  { cost, quota, window }: RateLimitUse,
): RateLimitState {
  const slotLength = getSlotLength(window)
  let remaining = quota
  for (const count of used) remaining -= count
  let reset = 0
  let retryAfter = 0
  let left = remaining
  for (let index = 0; index < used.length; index += 1) {
    const count = used[index] as number
    if (count === 0) continue
    const end = (index + 1) * slotLength - elapsed
    if (reset === 0) reset = end
    if (isAllowed) break
    left += count
    retryAfter = end
    if (left >= cost) break
  }
  return { isAllowed, remaining: Math.max(0, remaining), reset, retryAfter }
}

/** What one client has taken of one policy. */
interface WindowEntry {
  /** The time of the first slot. Each client has its own, so that not all of them come back at the same moment. */
  start: number
  /** The newest slot, counted from the first. */
  slot: number
  readonly slotLength: number
  readonly quota: number
  /** By slot, modulo their number. */
  readonly used: number[]
  total: number
}

/** Moves a window on to a slot. */
function advance(entry: WindowEntry, slot: number): void {
  for (let next = Math.max(entry.slot + 1, slot - countedSlots + 1); next <= slot; next += 1) {
    entry.total -= entry.used[next % countedSlots] as number
    entry.used[next % countedSlots] = 0
  }
  entry.slot = slot
}

/** How many of the oldest entries a new one looks at: each new one can remove two that are over, so that memory shrinks again. */
const sweptEntries = 2
/** How many it looks at for the one to remove where there is no room. */
const comparedEntries = 8

/** How much a store in memory keeps. */
export interface MemoryRateLimitStoreOptions {
  /**
   * How many clients it counts at once, of all policies together; each takes about 300 bytes, with keys of 200 characters 700. Where there is no
   * room, it forgets one of the oldest, that which has taken the least of its quota.
   *
   * @default 100,000
   */
  readonly maxKeys?: number
  /** The time in milliseconds, for tests; it must not go backwards. @default performance.now */
  readonly now?: () => number
}

/**
 * Returns a store in the memory of one process. It has no timer. To make it forget what a client has taken, the client needs as many other
 * addresses as there is room for, each of which has a quota of its own.
 *
 * @throws TypeError for a `maxKeys` that is no integer from 1.
 * @example
 * ```ts
 * import { memoryRateLimitStore, rateLimit } from 'lapidary/middleware'
 *
 * const middleware = [rateLimit({ store: memoryRateLimitStore({ maxKeys: 1_000_000 }) })]
 * ```
 */
export function memoryRateLimitStore(options: MemoryRateLimitStoreOptions = {}): RateLimitStore {
  checkMiddlewareOptions('memoryRateLimitStore()', options, ['maxKeys', 'now'])
  const { maxKeys = 100_000, now: getTime = () => performance.now() } = options
  requireInteger('memoryRateLimitStore(): maxKeys', maxKeys, 1)
  const entries = new Map<string, WindowEntry>()

  const isOver = ({ start, slot, slotLength, total }: WindowEntry, now: number): boolean =>
    total === 0 || now >= start + (slot + countedSlots) * slotLength

  /** Forgets entries that are over, and one more if there is no room. Those that stay become the newest. */
  function makeRoom(now: number): void {
    const isFull = entries.size >= maxKeys
    let count = isFull ? comparedEntries : sweptEntries
    let leastKey: string | undefined
    let leastShare = Number.POSITIVE_INFINITY
    for (const [key, entry] of entries) {
      if (count === 0) break
      count -= 1
      entries.delete(key)
      if (isOver(entry, now)) continue
      entries.set(key, entry)
      const share = entry.total / entry.quota
      if (share >= leastShare) continue
      leastShare = share
      leastKey = key
    }
    if (entries.size >= maxKeys && leastKey !== undefined) entries.delete(leastKey)
  }

  return {
    take: (use) => {
      const { key, cost, quota, window } = use
      const now = Math.floor(getTime())
      let entry = entries.get(key)
      if (entry === undefined) {
        makeRoom(now)
        entry = { start: now, slot: 0, slotLength: getSlotLength(window), quota, used: new Array<number>(countedSlots).fill(0), total: 0 }
        entries.set(key, entry)
      } else if (isOver(entry, now)) {
        entry.start = now
        entry.slot = 0
        entry.used.fill(0)
        entry.total = 0
      }
      const { used, start, slotLength } = entry
      const slot = Math.floor((now - start) / slotLength)
      if (slot > entry.slot) advance(entry, slot)
      const isAllowed = entry.total + cost <= quota
      if (isAllowed) {
        used[entry.slot % countedSlots] = (used[entry.slot % countedSlots] as number) + cost
        entry.total += cost
      }
      const oldest = entry.slot + 1
      const ordered = used.map((_, index) => used[(oldest + index) % countedSlots] as number)
      return getRateLimitState(isAllowed, ordered, now - start - entry.slot * slotLength, use)
    },
  }
}
