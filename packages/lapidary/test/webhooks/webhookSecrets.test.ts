/** The signatures of Standard Webhooks: the fixed vectors of its reference libraries, and both implementations of HMAC. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { createWebhookSecret } from 'lapidary/webhooks'
import { describe, expect, test } from 'vitest'
import { computeHmac, computePortableHmac, isSignedBy, parseSecrets, sign } from '../../src/webhooks/webhookSecrets.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

/** libraries/javascript/src/webhook.test.ts and libraries/go/webhook_symmetric_test.go of standard-webhooks. */
const reference = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: '1614265330',
  payload: bytes('{"test": 2432232314}'),
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

describe('the vectors of the reference libraries', () => {
  const keys = parseSecrets('test', reference.secret)

  test('a signature', () => {
    expect(sign(keys, reference)).toBe(reference.signature)
    expect(isSignedBy(keys, reference, reference.signature)).toBe(true)
  })

  test('a secret without its prefix is the same', () => {
    expect(sign(parseSecrets('test', reference.secret.slice(6)), reference)).toBe(reference.signature)
  })

  test.each([
    ['invalid', 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=', false],
    ['cut', reference.signature.slice(0, 8), false],
    ['without a value', 'v1,', false],
    ['empty', '', false],
    ['of no version', reference.signature.slice(3), false],
    ['of another version', reference.signature.replace('v1', 'v2'), false],
    ['longer', `${reference.signature}=`, false],
    [
      'among others',
      `v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= ${reference.signature} v1,Ceo5`,
      true,
    ],
  ])('a signature that is %s', (_kind, signature, isRight) => {
    expect(isSignedBy(keys, reference, signature)).toBe(isRight)
  })
})

test('while a secret replaces another, a sender signs with both, and a receiver that knows one of them accepts it', () => {
  const [old, now] = [createWebhookSecret(), createWebhookSecret()]
  const signature = sign(parseSecrets('test', [now, old]), reference)
  expect(signature.split(' ')).toHaveLength(2)
  for (const known of [old, now, [old, now]]) expect(isSignedBy(parseSecrets('test', known), reference, signature)).toBe(true)
  expect(isSignedBy(parseSecrets('test', createWebhookSecret()), reference, signature)).toBe(false)
})

test('without node:crypto, the signatures are the same', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.string({ unit: 'grapheme' }), fc.uint8Array(), (key, prefix, data) => {
      const expected = createHmac('sha256', key).update(prefix).update(data).digest('hex')
      expect(Buffer.from(computeHmac(key, prefix, data)).toString('hex')).toBe(expected)
      expect(Buffer.from(computePortableHmac(key, prefix, data)).toString('hex')).toBe(expected)
    }),
  )
})

test('a signature is of all parts: one that differs in any is wrong', () => {
  const keys = parseSecrets('test', createWebhookSecret())
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,9}$/), fc.nat().map(String), fc.uint8Array(), fc.nat(255), (id, timestamp, payload, place) => {
      const parts = { id, timestamp, payload }
      const signature = sign(keys, parts)
      expect(isSignedBy(keys, parts, signature)).toBe(true)
      expect(isSignedBy(keys, { ...parts, id: `${id}x` }, signature)).toBe(false)
      expect(isSignedBy(keys, { ...parts, timestamp: `${timestamp}0` }, signature)).toBe(false)
      expect(isSignedBy(keys, { ...parts, payload: Uint8Array.of(...payload, 0) }, signature)).toBe(false)
      const changed = `${signature.slice(0, 3 + (place % 43))}!${signature.slice(4 + (place % 43))}`
      expect(isSignedBy(keys, parts, changed)).toBe(false)
    }),
  )
})

test('a new secret has 32 random bytes', () => {
  const [one, other] = [createWebhookSecret(), createWebhookSecret()]
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(one).not.toBe(other)
  expect(parseSecrets('test', one)[0]).toHaveLength(32)
})

test.each([
  ['empty', ''],
  ['the prefix alone', 'whsec_'],
  ['no base64', 'whsec_not base64!'],
  ['too short', 'whsec_c2hvcnQ='],
  ['of 23 bytes', `whsec_${Buffer.alloc(23).toString('base64')}`],
  ['no text', 7 as never],
  ['none', []],
  ['wrong beside a right one', [reference.secret, 'secret']],
])('a secret that is %s is refused, and not quoted', (_kind, secret) => {
  const parse = (): unknown => parseSecrets('createWebhookSender(): secret', secret)
  expect(parse).toThrow(
    new TypeError(
      'createWebhookSender(): secret has a secret that is not "whsec_" and at least 24 bytes in base64. createWebhookSecret() makes one.',
    ),
  )
})
