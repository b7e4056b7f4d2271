/** `authenticateWebhooks({ secret })`: verifies the signatures of webhooks that a server receives. */
import { type ReceivedWebhook, type WebhookCredentials, webhookSignature } from '../contract/auth/webhookSignature.ts'
import { checkOptions } from '../http/functions.ts'
import type { HttpRequest } from '../http/httpHandler.ts'
import { requireTime } from '../http/limits.ts'
import { type Awaitable, andThen } from '../http/promises.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { type Authenticator, authenticate } from '../server/authenticate.ts'
import { isSignedBy, parseSecrets, type WebhookSecret } from './webhookSecrets.ts'

/** Options of `authenticateWebhooks`. */
export interface WebhookAuthenticatorOptions {
  /**
   * The secret that the sender has given, `whsec_` and base64; several while one replaces another. A function returns those of a request,
   * such as by a capture of its path; undefined: there is none, and the response is 401.
   */
  readonly secret: WebhookSecret | ((request: HttpRequest) => Awaitable<WebhookSecret | undefined>)
  /**
   * How far the time of an attempt can be from the clock of this server, in milliseconds, in the past or in the future.
   *
   * @default 300,000 (5 minutes)
   */
  readonly tolerance?: number
}

/** Seconds since 1970, up to the year 33658. */
const timestampPattern = /^\d{1,12}$/

/** A full stop in an id would let parts of what is signed change their places. */
const idPattern = /^[!-\-/-~]{1,255}$/

/**
 * Connects `webhookSignature` with the secrets that verify it: `serve(api, handlers, { auth: [authenticateWebhooks({ secret })] })`. The
 * signature is verified over the bytes that arrived, in constant time. A wrong or old one is 401.
 *
 * Within the tolerance, a copy of a request is recognized by its id: its handler does not run again, if `serve` has a store of idempotency
 * keys that all processes share.
 *
 * @throws TypeError for a secret that is no base64 or too short, without quoting it, and for a wrong tolerance.
 * @example
 * ```ts
 * import { receiveWebhook, webhook } from 'lapidary'
 * import { serve } from 'lapidary/server'
 * import { authenticateWebhooks, createWebhookSecret } from 'lapidary/webhooks'
 * import { z } from 'zod'
 *
 * const api = { paid: receiveWebhook('POST /paid', webhook('order.paid', { body: z.object({ id: z.int() }) })) }
 * const auth = [authenticateWebhooks({ secret: createWebhookSecret() })]
 * const server = serve(api, { paid: ({ body, user }) => console.log(user.id, body.id) }, { auth })
 * ```
 */
export function authenticateWebhooks(options: WebhookAuthenticatorOptions): Authenticator {
  const place = 'authenticateWebhooks()'
  checkOptions(place, options, 'secret, tolerance')
  const { secret, tolerance: given = 300_000 } = options
  const tolerance = requireTime(`${place}: tolerance`, given, 'limit')
  const parse = (known: WebhookSecret): readonly Uint8Array[] => parseSecrets(`${place}: secret`, known)
  const fixedKeys = typeof secret === 'function' ? undefined : parse(secret)
  const getKeys = (request: HttpRequest): Awaitable<readonly Uint8Array[]> => {
    if (typeof secret !== 'function') return fixedKeys ?? []
    return andThen(secret(request), (known) => (known === undefined ? [] : parse(known)))
  }

  const verify = (
    { id, timestamp, signature }: WebhookCredentials,
    request: HttpRequest,
    payload: Uint8Array | undefined,
  ): ReceivedWebhook | undefined | Promise<ReceivedWebhook | undefined> => {
    // Without the bytes, no signature can be verified. `endpoint` refuses such a declaration.
    if (payload === undefined) throw new TypeError(developerErrors.signedBodyNotKept(request.target))
    if (!timestampPattern.test(timestamp) || !idPattern.test(id)) return undefined
    if (Math.abs(Date.now() - Number(timestamp) * 1_000) > tolerance) return undefined
    return andThen(getKeys(request), (keys) => (isSignedBy(keys, { id, timestamp, payload }, signature) ? { id } : undefined))
  }
  return authenticate(webhookSignature, verify)
}
