/** The SHA-256 of texts and bytes: the platform's where it makes one at once, and ours everywhere else. */
import { concatBytes } from '../describe/stream.ts'
import { encodeUtf8 } from '../describe/utf8.ts'
import { sha256 } from './sha256.ts'

/** As much of `node:crypto` as is used here. */
interface NodeCrypto {
  createHash(name: 'sha256'): NodeHash
}
interface NodeHash {
  update(data: string | Uint8Array): NodeHash
  digest(form: 'hex'): string
}

/** Node, Bun and Deno have it, and give it without an import that a browser's bundler would stumble over. */
const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } }
const nodeCrypto = process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined

/** Each byte in two digits; numbers of 32 bits take an engine longer to print than a digest to make. */
const hexDigits: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const toHex = (word: number): string =>
  `${hexDigits[word >>> 24]}${hexDigits[(word >>> 16) & 255]}${hexDigits[(word >>> 8) & 255]}${hexDigits[word & 255]}`

/** In plain JavaScript, for platforms where a digest is a promise. */
export function portableDigest(prefix: string, data: string | Uint8Array): string {
  const bytes = typeof data === 'string' ? encodeUtf8(prefix + data) : concatBytes([encodeUtf8(prefix), data])
  return Array.from(sha256(bytes), toHex).join('')
}

/** The digest of a text and what follows it, texts in UTF-8: 64 hexadecimal digits. */
export const digest: (prefix: string, data: string | Uint8Array) => string =
  nodeCrypto === undefined ? portableDigest : (prefix, data) => nodeCrypto.createHash('sha256').update(prefix).update(data).digest('hex')
