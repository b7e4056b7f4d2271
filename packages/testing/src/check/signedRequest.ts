/** Requests that are signed as Standard Webhooks says, when they are sent: the signature is of the bytes that a rule has changed. */
import { type AnyAuthScheme, webhookSignature } from 'lapidary'
import { parseSecrets, signWebhook, webhookHeaders } from 'lapidary/internal'
import type { WebhookSecret } from 'lapidary/webhooks'
import { type HeaderLine, type WireRequest, withHeaderLines } from './exchange.ts'
import { type WrittenCredentials, writeCredentials } from './secrets.ts'

/** Whether the requests of an auth scheme are signed: its credentials are a secret. */
export const isSigning = ({ name }: AnyAuthScheme): boolean => name === webhookSignature.name

/** Writes given credentials: those of a scheme that signs are its secret. @throws TypeError for credentials that are none of the scheme */
export function toWrittenCredentials(scheme: AnyAuthScheme, given: unknown): WrittenCredentials {
  if (!isSigning(scheme)) return writeCredentials(scheme, given)
  const secret = given as WebhookSecret
  parseSecrets(`checkServer(): credentials.${scheme.name}`, secret)
  return { headers: {}, query: {}, secret }
}

/** Signs the parts that a request has. */
export function createSignature({ headers, body = new Uint8Array() }: WireRequest, secret: WebhookSecret): string {
  const find = (name: string): string => headers.find(([other]) => other === name)?.[1] ?? ''
  const [id, timestamp] = [find(webhookHeaders.id), find(webhookHeaders.timestamp)]
  return signWebhook(parseSecrets('the secret of a request', secret), { id, timestamp, payload: body })
}

/** Returns a request of a new webhook: the same, with an id and the time of now. */
export const createAttempt = (request: WireRequest): WireRequest => {
  const lines: readonly HeaderLine[] = [
    [webhookHeaders.id, `msg_${globalThis.crypto.randomUUID()}`],
    [webhookHeaders.timestamp, `${Math.floor(Date.now() / 1_000)}`],
  ]
  return lines.reduce((signed, [name, value]) => withHeaderLines(signed, name, value), request)
}

/** Returns the request as it is sent. One with a secret gets those of the headers of a webhook that it does not have. */
export function signRequest(request: WireRequest): WireRequest {
  if (request.secret === undefined) return request
  const has = (name: string): boolean => request.headers.some(([other]) => other === name)
  const attempt = has(webhookHeaders.id) ? request : createAttempt(request)
  return has(webhookHeaders.signature)
    ? attempt
    : withHeaderLines(attempt, webhookHeaders.signature, createSignature(attempt, request.secret))
}
