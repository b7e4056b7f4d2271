/** SHA-256 digests, without a promise: of the platform if it has a synchronous one, else of `@noble/hashes`. */
import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'
import { encodeUtf8 } from './encodings.ts'

/** The part of `node:crypto` that is used here. */
interface NodeCrypto {
  createHash(name: 'sha256'): NodeHash
}
interface NodeHash {
  update(data: string | Uint8Array): NodeHash
  digest(form: 'hex'): string
}

/** Node, Bun and Deno give it without an import, which bundlers for browsers could not resolve. */
const { process } = globalThis as { readonly process?: { readonly getBuiltinModule?: (name: string) => unknown } }
const nodeCrypto = process?.getBuiltinModule?.('node:crypto') as NodeCrypto | undefined

/** Computes a digest in plain JavaScript, for platforms whose own digest is a promise. */
export const portableDigest = (prefix: string, data: string | Uint8Array): string =>
  bytesToHex(
    sha256
      .create()
      .update(encodeUtf8(prefix))
      .update(typeof data === 'string' ? encodeUtf8(data) : data)
      .digest(),
  )

/** Computes the digest of a text and the data after it, with texts in UTF-8. Returns 64 hexadecimal digits. */
export const digest: (prefix: string, data: string | Uint8Array) => string =
  nodeCrypto === undefined ? portableDigest : (prefix, data) => nodeCrypto.createHash('sha256').update(prefix).update(data).digest('hex')
