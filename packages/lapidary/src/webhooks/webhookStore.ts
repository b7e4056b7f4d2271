/** Where deliveries of webhooks are kept until they are done: the interface, and the store in memory. */
import { requireInteger } from '../http/limits.ts'
import type { Awaitable } from '../http/promises.ts'

/** One webhook on its way to one URL. */
export interface WebhookDelivery {
  /** The id of the webhook: `msg_` and a UUID. All attempts have the same. */
  readonly id: string
  /** The name of the webhook: `order.paid`. */
  readonly webhook: string
  readonly url: string
  /** The subscription that it is for, as `send` got it. */
  readonly subscription: string | undefined
  /** The media type of the payload. */
  readonly contentType: string
  /** The body, exactly as it is sent. */
  readonly payload: string
  /** How many attempts have begun. */
  readonly attempts: number
}

/** What a worker asks a store for. */
export interface WebhookClaim {
  /** A UUID of this claim. */
  readonly owner: string
  /** For how long no other worker gets these deliveries, in milliseconds. */
  readonly lease: number
  /** The most deliveries. */
  readonly limit: number
}

/** The end of an attempt that failed. */
export interface FailedAttempt {
  readonly id: string
  /** The owner of the claim. */
  readonly owner: string
  /** Why it failed, in one sentence. */
  readonly reason: string
}

/**
 * Keeps deliveries: `memoryWebhookStore()` in one process, `kyselyWebhookStore(database)` of `lapidary/kysely` for several, and across
 * restarts.
 */
export interface WebhookStore {
  /** Adds a delivery, which is due at once. */
  add(delivery: WebhookDelivery): Awaitable<void>
  /**
   * Claims deliveries that are due, in one atomic step, and counts an attempt of each: of several workers, one gets a delivery. If its
   * worker does not report its end within the lease, it is due again, because the worker may have ended.
   */
  claim(claim: WebhookClaim): Awaitable<readonly WebhookDelivery[]>
  /** Removes a delivery that has arrived. */
  complete(id: string): Awaitable<void>
  /** Makes a delivery due again, after so many milliseconds. Nothing changes if another owner has it. */
  postpone(attempt: FailedAttempt, delay: number): Awaitable<void>
  /** Gives a delivery up. Nothing changes if another owner has it. */
  giveUp(attempt: FailedAttempt): Awaitable<void>
}

/** How much a store in memory keeps. */
interface MemoryWebhookStoreOptions {
  /** How many deliveries are kept at once. `send` rejects a further one. @default 10,000 */
  readonly maxEntries?: number
}

/** A delivery in memory. */
interface WaitingDelivery {
  delivery: WebhookDelivery
  dueAt: number
  owner: string
}

/**
 * Returns a store in the memory of one process. What is not delivered when the process ends is lost, and so are deliveries that are given
 * up.
 *
 * @throws TypeError for a wrong option.
 * @example
 * ```ts
 * import { webhook } from 'lapidary'
 * import { createWebhookSecret, createWebhookSender, memoryWebhookStore } from 'lapidary/webhooks'
 * import { z } from 'zod'
 *
 * const api = { paid: webhook('order.paid', { body: z.object({ id: z.int() }) }) }
 * const sender = createWebhookSender(api, { secret: createWebhookSecret(), store: memoryWebhookStore({ maxEntries: 1_000 }) })
 * ```
 */
export function memoryWebhookStore({ maxEntries = 10_000 }: MemoryWebhookStoreOptions = {}): WebhookStore {
  requireInteger('memoryWebhookStore(): maxEntries', maxEntries, 1)
  const waiting = new Map<string, WaitingDelivery>()
  const findOwn = ({ id, owner }: FailedAttempt): WaitingDelivery | undefined => {
    const found = waiting.get(id)
    return found?.owner === owner ? found : undefined
  }
  return {
    add: (delivery) => {
      if (waiting.size >= maxEntries)
        throw new Error(`memoryWebhookStore() has ${maxEntries} deliveries that are not done. Send fewer, or use a store of a database.`)
      waiting.set(delivery.id, { delivery, dueAt: Date.now(), owner: '' })
    },
    claim: ({ owner, lease, limit }) => {
      const now = Date.now()
      const due = [...waiting.values()].filter(({ dueAt }) => dueAt <= now).sort((one, other) => one.dueAt - other.dueAt)
      return due.slice(0, limit).map((entry) => {
        entry.delivery = { ...entry.delivery, attempts: entry.delivery.attempts + 1 }
        entry.dueAt = now + lease
        entry.owner = owner
        return entry.delivery
      })
    },
    complete: (id) => {
      waiting.delete(id)
    },
    postpone: (attempt, delay) => {
      const entry = findOwn(attempt)
      if (entry !== undefined) Object.assign(entry, { dueAt: Date.now() + delay, owner: '' })
    },
    giveUp: (attempt) => {
      if (findOwn(attempt) !== undefined) waiting.delete(attempt.id)
    },
  }
}
