/** `createWebhookSender(api, { secret })`: sends the webhooks of an API, signed, and again until they arrive. */
import type { FetchLike } from '../client/redirects.ts'
import { parseRetryAfter } from '../client/retry.ts'
import { type Api, isOperation, listWebhooks } from '../contract/api.ts'
import { webhookHeaders } from '../contract/auth/webhookSignature.ts'
import { type AnyWebhook, isWebhook } from '../contract/webhook.ts'
import { encodeUtf8 } from '../http/encodings.ts'
import { checkFunctions, checkOptions, describeKind, requireFunction } from '../http/functions.ts'
import { isTime, requireInteger } from '../http/limits.ts'
import type { Awaitable } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { isPublicUrl } from './publicUrl.ts'
import { createPayloadWriter, parseWebhookUrl } from './webhookMessage.ts'
import { parseSecrets, sign, type WebhookSecret } from './webhookSecrets.ts'
import { memoryWebhookStore, type WebhookDelivery, type WebhookStore } from './webhookStore.ts'

/** What became of an attempt. */
export interface WebhookAttempt {
  readonly delivery: WebhookDelivery
  /** `failed`: no further attempt follows. */
  readonly outcome: 'delivered' | 'postponed' | 'failed'
  /** The status of the response; undefined if there is none. */
  readonly status: number | undefined
  /** Why it was not delivered, in one sentence; undefined if it was. */
  readonly reason: string | undefined
  /** When the next attempt is due; undefined if there is none. */
  readonly nextAttempt: Date | undefined
}

/** Options of `createWebhookSender`. */
export interface WebhookSenderOptions {
  /**
   * The secret that signs, `whsec_` and base64; several while one replaces another. A function returns those of the subscription of a
   * delivery: each subscription should have a secret of its own. It is called for each attempt. If it returns undefined, because the
   * subscription is gone, the delivery is given up. If it throws, the error goes to `onError`, and a further attempt follows.
   */
  readonly secret: WebhookSecret | ((delivery: WebhookDelivery) => Awaitable<WebhookSecret | undefined>)
  /** Where deliveries are kept until they are done. @default memoryWebhookStore(), which is lost when the process ends */
  readonly store?: WebhookStore
  /**
   * Whether a delivery may be sent to its URL. It is called for each attempt; a delivery to another URL is given up. If it throws, the error
   * goes to `onError`, and a further attempt follows.
   *
   * @default isPublicUrl, which knows private addresses, and does not resolve names
   */
  readonly allow?: (url: URL, delivery: WebhookDelivery) => Awaitable<boolean>
  /** Sends a request. It gets one that follows no redirects. @default the global `fetch` */
  readonly fetch?: FetchLike
  /** How long an attempt may take, in milliseconds. @default 15,000 */
  readonly timeout?: number
  /**
   * How often a delivery is sent again. With the default delays, the last of nine attempts follows after two days.
   *
   * @default 9
   */
  readonly retries?: number
  /** The delay before the first retry, in milliseconds; each further one is four times as long. Up to half of it is random. @default 5,000 */
  readonly minDelay?: number
  /** The longest delay, in milliseconds; also of a `Retry-After`. @default 86,400,000 (24 hours) */
  readonly maxDelay?: number
  /**
   * How many attempts run at once in this process. 0: it only adds deliveries to the store, for another process.
   *
   * @default 10
   */
  readonly concurrency?: number
  /** How often the store is asked for deliveries that are due, in milliseconds. @default 1,000 */
  readonly pollInterval?: number
  /** Receives what became of each attempt, for logs and metrics. An error that it throws goes to `onError`. */
  readonly onAttempt?: (attempt: WebhookAttempt) => void
  /** Receives errors of the store, and of `secret`, `allow` and `onAttempt`. @default console.error */
  readonly onError?: (error: unknown) => void
}

const optionNames = 'secret, store, allow, fetch, timeout, retries, minDelay, maxDelay, concurrency, pollInterval, onAttempt, onError'

/** Options of one call of `send`. */
export interface SendWebhookOptions {
  /**
   * The store of a transaction, `kyselyWebhookStore(transaction)`: the delivery is added if, and only if, the transaction is committed.
   *
   * @default the store of the sender
   */
  readonly store?: Pick<WebhookStore, 'add'>
  /**
   * The id of the subscription that the delivery is for. It stands in the `delivery` of `secret`, `allow` and `onAttempt`: of two
   * subscriptions with one URL, each gets what is signed with its own secret. No receiver sees it.
   *
   * @default undefined: `secret` has only the URL to go by
   */
  readonly subscription?: string
}

const sendOptionNames = 'store, subscription'

/**
 * Adds a delivery to the store, and resolves to its id. The attempts follow.
 *
 * @throws TypeError for a body that the schema does not allow, for a URL that is none of `http:` or `https:`, and for a wrong option.
 */
export type SendWebhook<Input> = (url: string | URL, body: Input, options?: SendWebhookOptions) => Promise<{ readonly id: string }>

/** An API as functions that send its webhooks: the same record, without endpoints and mounts. */
export type SendWebhooks<A> = A extends unknown
  ? {
      readonly [Name in keyof A as '~sends' extends keyof A[Name] ? Name : '~kind' extends keyof A[Name] ? never : Name]: A[Name] extends {
        readonly '~sends'?: infer Sends
      }
        ? SendWebhook<NonNullable<Sends>['input' & keyof NonNullable<Sends>]>
        : SendWebhooks<A[Name]>
    }
  : never

/** Sends webhooks, until it is closed. */
export interface WebhookSender<A> {
  /** A function for each webhook: `await send.orderPaid(url, order)`. */
  readonly send: SendWebhooks<A>
  /** Starts no further attempt, and resolves when those that run have ended. */
  readonly close: () => Promise<void>
}

/** How much longer than an attempt no other worker gets its delivery, in milliseconds. */
const leaseMargin = 30_000

/** How an attempt ended. */
interface AttemptResult {
  readonly status?: number
  /** Undefined: it has arrived. */
  readonly reason?: string
  /** Whether a further attempt would change nothing. */
  readonly isFinal?: boolean
  /** What the receiver asks for, in milliseconds. */
  readonly retryAfter?: number
}

const describeFailure = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Rejects with the reason of a signal, even where a function of the application ignores it. */
const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

/** Compiles the function that makes an attempt. */
function createAttempt(
  { secret, allow = isPublicUrl, fetch = (request) => globalThis.fetch(request) }: WebhookSenderOptions,
  timeout: number,
  report: (error: unknown) => void,
) {
  const place = 'createWebhookSender(): secret'
  const fixedKeys = typeof secret === 'function' ? undefined : parseSecrets(place, secret)

  /** An error of a function of the application is reported: the reason of an attempt has only its message. */
  const reportErrorOf = async <Result>(call: () => Awaitable<Result>): Promise<Result> => {
    try {
      return await call()
    } catch (error) {
      report(error)
      throw error
    }
  }

  const findKeys = async (delivery: WebhookDelivery): Promise<readonly Uint8Array[] | undefined> => {
    const found = typeof secret === 'function' ? await secret(delivery) : secret
    return found === undefined ? undefined : parseSecrets(place, found)
  }

  const post = async (delivery: WebhookDelivery, signal: AbortSignal): Promise<AttemptResult> => {
    const { id, url, contentType, payload: text } = delivery
    const isAllowed = await reportErrorOf(() => allow(new URL(url), delivery))
    if (isAllowed !== true) return { reason: 'The URL is not allowed.', isFinal: true }
    const keys = fixedKeys ?? (await reportErrorOf(() => findKeys(delivery)))
    if (keys === undefined) return { reason: 'There is no secret for it: the subscription is gone.', isFinal: true }
    const payload = encodeUtf8(text)
    const timestamp = `${Math.floor(Date.now() / 1_000)}`
    const headers = {
      'Content-Type': contentType,
      [webhookHeaders.id]: id,
      [webhookHeaders.timestamp]: timestamp,
      [webhookHeaders.signature]: sign(keys, { id, timestamp, payload }),
    }
    signal.throwIfAborted()
    const body = payload as Uint8Array<ArrayBuffer>
    const response = await fetch(new Request(url, { method: 'POST', headers, body, redirect: 'manual', signal }))
    const { status } = response
    // Nothing of it is read.
    response.body?.cancel().catch(() => {})
    if (status >= 200 && status < 300) return { status }
    const reason = status === 410 ? 'The receiver is gone (410).' : `The receiver responded with ${status}.`
    return { status, reason, isFinal: status === 410, retryAfter: parseRetryAfter(response.headers.get('Retry-After')) }
  }

  return async (delivery: WebhookDelivery): Promise<AttemptResult> => {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(new Error(`The receiver did not respond within ${timeout} ms.`)), timeout)
    const { signal } = controller
    try {
      return await Promise.race([post(delivery, signal), rejectOnAbort(signal)])
    } catch (error) {
      return { reason: describeFailure(signal.aborted ? signal.reason : error) }
    } finally {
      clearTimeout(timer)
    }
  }
}

/** The functions of a worker. */
interface Worker {
  /** Looks for deliveries now. */
  readonly wake: () => void
  readonly close: () => Promise<void>
}

/** @throws TypeError for a time that no timer can wait for, for none, and for `Infinity`: an attempt without an end would keep its delivery */
function requireDelay(name: string, time: number): number {
  if (isTime(time, 'limit') && Number.isFinite(time)) return time
  throw new TypeError(developerErrors.invalidDelay(`createWebhookSender(): ${name}`, time))
}

/** Starts the worker that delivers what is in a store. */
function startWorker(options: WebhookSenderOptions, store: WebhookStore): Worker {
  const place = 'createWebhookSender()'
  const timeout = requireDelay('timeout', options.timeout ?? 15_000)
  const minDelay = requireDelay('minDelay', options.minDelay ?? 5_000)
  const maxDelay = requireDelay('maxDelay', options.maxDelay ?? 86_400_000)
  const pollInterval = requireDelay('pollInterval', options.pollInterval ?? 1_000)
  const retries = requireInteger(`${place}: retries`, options.retries ?? 9, 0)
  const concurrency = requireInteger(`${place}: concurrency`, options.concurrency ?? 10, 0)
  // biome-ignore lint/suspicious/noConsole: the place for errors that no caller waits for
  const { onAttempt, onError = console.error } = options
  const running = new Set<Promise<void>>()
  let isClosed = false
  let polling: Promise<void> | undefined
  let isPollWanted = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let timerEnd = Number.POSITIVE_INFINITY

  const report = (error: unknown): void => {
    try {
      onError(error)
    } catch {}
  }

  const attempt = createAttempt(options, timeout, report)

  const getDelay = (attempts: number, retryAfter = 0): number => {
    // Up to half of it is random, so that deliveries that failed together do not come back together.
    const backoff = Math.min(maxDelay, minDelay * 4 ** (attempts - 1)) * (1 - Math.random() / 2)
    return Math.min(maxDelay, Math.max(backoff, retryAfter))
  }

  /** Makes an attempt, and tells the store of its end. */
  const deliver = async (delivery: WebhookDelivery, owner: string): Promise<void> => {
    const { status, reason, isFinal = false, retryAfter } = await attempt(delivery)
    const tell = (outcome: WebhookAttempt['outcome'], delay?: number): void => {
      const nextAttempt = delay === undefined ? undefined : new Date(Date.now() + delay)
      onAttempt?.({ delivery, outcome, status, reason, nextAttempt })
    }
    const { id, attempts } = delivery
    if (reason === undefined) {
      await store.complete(id)
      tell('delivered')
    } else if (isFinal || attempts > retries) {
      await store.giveUp({ id, owner, reason })
      tell('failed')
    } else {
      const delay = getDelay(attempts, retryAfter)
      await store.postpone({ id, owner, reason }, delay)
      schedule(delay)
      tell('postponed', delay)
    }
  }

  const start = (delivery: WebhookDelivery, owner: string): void => {
    const run = deliver(delivery, owner)
      .catch(report)
      .finally(() => {
        running.delete(run)
        wake()
      })
    running.add(run)
  }

  /** Claims as many deliveries as can run. */
  const poll = async (): Promise<void> => {
    while (isPollWanted && !isClosed) {
      isPollWanted = false
      const limit = concurrency - running.size
      if (limit <= 0) return
      const owner = globalThis.crypto.randomUUID()
      try {
        for (const delivery of await store.claim({ owner, lease: timeout + leaseMargin, limit })) start(delivery, owner)
      } catch (error) {
        report(error)
      }
    }
  }

  /** Looks for deliveries after so many milliseconds, or earlier. */
  const schedule = (delay: number): void => {
    const end = Date.now() + Math.min(delay, pollInterval)
    if (isClosed || end >= timerEnd) return
    clearTimeout(timer)
    timerEnd = end
    timer = setTimeout(wake, end - Date.now())
    // A process that has nothing else to do can end.
    ;(timer as { unref?: () => void }).unref?.()
  }

  function wake(): void {
    isPollWanted = true
    if (isClosed || concurrency === 0) return
    clearTimeout(timer)
    timerEnd = Number.POSITIVE_INFINITY
    polling ??= poll().finally(() => {
      polling = undefined
      if (isPollWanted && running.size < concurrency) wake()
      else schedule(pollInterval)
    })
  }

  wake()
  return {
    wake,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await polling
      await Promise.all(running)
    },
  }
}

/**
 * Sends the webhooks of an API as Standard Webhooks says: signed, with an id, and again until a response of success. A delivery is kept in
 * the store before the first attempt, and arrives at least once: a receiver knows a further attempt by its id.
 *
 * Delivered is a status from 200 to 299. 410 ends a delivery. After any other status, redirects included, and without a response, it is sent
 * again: after `minDelay`, then after four times as long, up to `maxDelay`, or after `Retry-After` if that is longer.
 *
 * @throws TypeError for two webhooks with one name, for a wrong option, and for a secret that is too short, without quoting it.
 * @example
 * ```ts
 * import { webhook } from 'lapidary'
 * import { createWebhookSecret, createWebhookSender } from 'lapidary/webhooks'
 * import { z } from 'zod'
 *
 * const api = { orderPaid: webhook('order.paid', { body: z.object({ id: z.int() }) }) }
 * const { send, close } = createWebhookSender(api, { secret: createWebhookSecret() })
 * const { id } = await send.orderPaid('https://shop.example/hooks', { id: 7 })
 * await close()
 * ```
 */
export function createWebhookSender<const A extends Api>(api: A, options: WebhookSenderOptions): WebhookSender<A> {
  const place = 'createWebhookSender()'
  checkOptions(place, options, optionNames)
  const { store = memoryWebhookStore(), allow, fetch, onAttempt, onError } = options
  checkFunctions(place, { allow, fetch, onAttempt, onError })
  for (const method of ['add', 'claim', 'complete', 'postpone', 'giveUp'] as const)
    requireFunction(`${place}: store.${method}`, store[method])
  listWebhooks(api)
  const { wake, close } = startWorker(options, store)
  let isClosed = false

  const createSend = (webhook: AnyWebhook): SendWebhook<unknown> => {
    const call = `webhook("${webhook.name}")`
    const writePayload = createPayloadWriter(webhook)
    return async (given, body, options = {}) => {
      checkOptions(call, options, sendOptionNames)
      const { store: ownStore = store, subscription } = options
      if (subscription !== undefined && (typeof subscription !== 'string' || subscription === ''))
        throw new TypeError(developerErrors.invalidSubscription(call, subscription === '' ? 'empty' : describeKind(subscription)))
      if (isClosed) throw new Error(`${call}: the sender of webhooks is closed. Create it where the process starts.`)
      const url = parseWebhookUrl(call, given)
      const id = `msg_${globalThis.crypto.randomUUID()}`
      await ownStore.add({ id, webhook: webhook.name, url: url.href, subscription, ...(await writePayload(body)), attempts: 0 })
      wake()
      return { id }
    }
  }

  const createSends = (part: Api): Readonly<Record<string, unknown>> =>
    Object.freeze(
      Object.fromEntries(
        Object.entries(part).flatMap(([key, value]): readonly (readonly [string, unknown])[] => {
          if (isWebhook(value)) return [[key, createSend(value)]]
          return isOperation(value) ? [] : [[key, createSends(value)]]
        }),
      ),
    )
  return Object.freeze({
    send: createSends(api) as SendWebhooks<A>,
    close: () => {
      isClosed = true
      return close()
    },
  })
}
