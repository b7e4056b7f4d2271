/** The rule about endpoints that receive signed webhooks. */
import { listCredentialAlternatives, webhookHeaders } from 'lapidary/internal'
import { createWebhookSecret } from 'lapidary/webhooks'
import { withHeaderLines } from '../exchange.ts'
import { canReachHandler, type Probe } from '../rule.ts'
import { createAttempt, createSignature, isSigning } from '../signedRequest.ts'
import { findOtherBody } from './idempotency.ts'
import { expectError } from './invalidRequests.ts'

const day = 86_400

export const webhookSignatureRule: Probe = {
  name: 'webhook-signature',
  description:
    'A webhook with the signature of another secret or another body gets 401, and so does one of another day. One with a known id is not handled again: with another body it gets 422.',
  appliesTo: (context) =>
    canReachHandler(context) &&
    listCredentialAlternatives(context.subject.endpoint.auth ?? [])
      .flat()
      .some(({ scheme }) => isSigning(scheme)),
  probe: async (context) => {
    const { subject, sampleCalls, buildRequest, send, fail, hasCredentials } = context
    const alternatives = listCredentialAlternatives(subject.endpoint.auth ?? []).map((all) => all.map(({ scheme }) => scheme))
    const schemes = alternatives.find((all) => all.some(isSigning) && all.every(hasCredentials))
    const [call] = sampleCalls(1)
    if (schemes === undefined || call === undefined) return
    const plain = await buildRequest(call, undefined, schemes)
    const attempt = createAttempt(plain)
    const otherBytes = { ...attempt, body: Uint8Array.of(...(attempt.body ?? []), 0x20) }
    const { secret = '' } = attempt
    for (const [signature, fault] of [
      [createSignature(attempt, createWebhookSecret()), 'the signature is of another secret'],
      [createSignature(otherBytes, secret), 'the signature is of another body'],
    ] as const)
      await expectError(context, withHeaderLines(attempt, webhookHeaders.signature, signature), [401], fault, call)
    for (const [seconds, fault] of [
      [-day, 'the webhook is of yesterday'],
      [day, 'the webhook is of tomorrow'],
    ] as const) {
      const time = `${Math.floor(Date.now() / 1_000) + seconds}`
      await expectError(context, withHeaderLines(attempt, webhookHeaders.timestamp, time), [401], fault, call)
    }
    const first = await send(attempt, 'valid')
    if (first.status >= 300) return
    const second = await send(attempt, 'valid')
    if (second.status !== first.status) fail(`the first attempt gets ${first.status}, the same attempt again gets ${second.status}`)
    const body = await findOtherBody(context, attempt)
    if (body === undefined) return
    const { status } = await send({ ...attempt, body }, 'other')
    if (status !== 422) fail(`the same id with another body: expected 422, got ${status}`)
  },
}
