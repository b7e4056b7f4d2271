/** Secrets of webhooks, and the signatures that they make (https://www.standardwebhooks.com). */
import { hmac } from '@noble/hashes/hmac'
import { sha256 } from '@noble/hashes/sha2'
import { encodeUtf8, fromBase64, toBase64 } from '../http/encodings.ts'

/** One secret, or several while one replaces another: a sender signs with all of them, a receiver accepts a signature of any. */
export type WebhookSecret = string | readonly string[]

const secretPrefix = 'whsec_'

/** The fewest bytes of a secret, as Standard Webhooks says. */
const minSecretLength = 24

/** The part of `node:crypto` that is used here. */
interface NodeHmacs {
  createHmac(name: 'sha256', key: Uint8Array): NodeHmac
}
interface NodeHmac {
  update(data: string | Uint8Array): NodeHmac
  digest(): Uint8Array
}

/** Node, Bun and Deno give it without an import, which bundlers could not resolve. */
const { process: platform } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } }
const nodeHmacs = platform?.getBuiltinModule?.('node:crypto') as NodeHmacs | undefined

/** Computes a signature in plain JavaScript, for platforms whose own is a promise. */
export const computePortableHmac = (key: Uint8Array, prefix: string, data: Uint8Array): Uint8Array =>
  hmac.create(sha256, key).update(encodeUtf8(prefix)).update(data).digest()

/** Computes the HMAC-SHA256 of a text, in UTF-8, and the bytes after it. */
export const computeHmac: typeof computePortableHmac =
  nodeHmacs === undefined
    ? computePortableHmac
    : (key, prefix, data) => nodeHmacs.createHmac('sha256', key).update(prefix).update(data).digest()

/** The message has nothing of the secret. */
const describeInvalidSecret = (place: string): string =>
  `${place} has a secret that is not "whsec_" and at least 24 bytes in base64. createWebhookSecret() makes one.`

function parseSecret(place: string, secret: unknown): Uint8Array {
  let key: Uint8Array | undefined
  try {
    if (typeof secret === 'string') key = fromBase64(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret)
  } catch {}
  if (key === undefined || key.length < minSecretLength) throw new TypeError(describeInvalidSecret(place))
  return key
}

/**
 * Returns the keys of secrets.
 *
 * @param place what the message begins with: `createWebhookSender(): secret`
 * @throws TypeError for no secret, for one that is no base64, and for one of fewer than 24 bytes
 */
export function parseSecrets(place: string, secret: WebhookSecret): readonly Uint8Array[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret]
  if (secrets.length === 0) throw new TypeError(describeInvalidSecret(place))
  return secrets.map((one) => parseSecret(place, one))
}

/**
 * Returns a new random secret: `whsec_` and 32 bytes in base64. Each receiver needs one of its own.
 *
 * @example
 * ```ts
 * import { createWebhookSecret } from 'lapidary/webhooks'
 *
 * console.log(createWebhookSecret().startsWith('whsec_')) // true
 * ```
 */
export const createWebhookSecret = (): string => secretPrefix + toBase64(globalThis.crypto.getRandomValues(new Uint8Array(32)))

/** What is signed of a delivery. */
export interface SignedParts {
  readonly id: string
  /** Seconds since 1970. */
  readonly timestamp: string
  readonly payload: Uint8Array
}

/** Signs a delivery with each key: `v1,K5oZ… v1,tZ1I…`. */
export const sign = (keys: readonly Uint8Array[], { id, timestamp, payload }: SignedParts): string =>
  keys.map((key) => `v1,${toBase64(computeHmac(key, `${id}.${timestamp}.`, payload))}`).join(' ')

/** Compares two texts in a time that depends on their lengths alone. */
function isEqualInConstantTime(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let index = 0; index < other.length; index += 1) difference |= one.charCodeAt(index % one.length) ^ other.charCodeAt(index)
  return difference === 0
}

/** Whether one of several signatures, separated by spaces, is of one of the keys. Those of other versions are ignored. */
export function isSignedBy(keys: readonly Uint8Array[], parts: SignedParts, signature: string): boolean {
  const shown = signature.split(' ').filter((text) => text.startsWith('v1,'))
  const expected = keys.map((key) => sign([key], parts))
  // All pairs are compared, so that the time tells nothing of which one is right.
  let isFound = false
  for (const text of shown) for (const right of expected) isFound = isEqualInConstantTime(text, right) || isFound
  return isFound
}
