/** The SHA-256 of texts and bytes: the platform's where it makes one at once, and ours everywhere else. */
import { joined } from '../describe/stream.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import { sha256 } from './sha256.ts'

/** As much of `node:crypto` as is used here. */
interface Crypto {
  createHash(name: 'sha256'): Hash
}
interface Hash {
  update(data: string | Uint8Array): Hash
  digest(form: 'hex'): string
}

/** Node, Bun and Deno have it, and give it without an import that a browser's bundler would stumble over. */
const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } }
const crypto = process?.getBuiltinModule?.('node:crypto') as Crypto | undefined

/** Each byte in two digits; numbers of 32 bits take an engine longer to print than a digest to make. */
const digits: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hexadecimal = (word: number): string =>
  `${digits[word >>> 24]}${digits[(word >>> 16) & 255]}${digits[(word >>> 8) & 255]}${digits[word & 255]}`

/** In plain JavaScript, for platforms where a digest is a promise. */
export function portableDigest(prefix: string, data: string | Uint8Array): string {
  const bytes = typeof data === 'string' ? utf8Encoded(prefix + data) : joined([utf8Encoded(prefix), data])
  return Array.from(sha256(bytes), hexadecimal).join('')
}

/** The digest of a text and what follows it, texts in UTF-8: 64 hexadecimal digits. */
export const digest: (prefix: string, data: string | Uint8Array) => string =
  crypto === undefined ? portableDigest : (prefix, data) => crypto.createHash('sha256').update(prefix).update(data).digest('hex')
