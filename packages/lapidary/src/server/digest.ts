/** SHA-256 digests, without a promise: of the platform if it has a synchronous one, else computed here. */
import { concatBytes } from '../http/chunks.ts'
import { encodeUtf8 } from '../http/encodings.ts'

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

/** Two digits for each byte: an engine takes longer to print 32-bit numbers than to compute a digest. */
const hexDigits: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const toHex = (word: number): string =>
  `${hexDigits[word >>> 24]}${hexDigits[(word >>> 16) & 255]}${hexDigits[(word >>> 8) & 255]}${hexDigits[word & 255]}`

/** Computes a digest in plain JavaScript, for platforms whose own digest is a promise. */
export function portableDigest(prefix: string, data: string | Uint8Array): string {
  const bytes = typeof data === 'string' ? encodeUtf8(prefix + data) : concatBytes([encodeUtf8(prefix), data])
  return Array.from(sha256(bytes), toHex).join('')
}

/** Computes the digest of a text and the data behind it, with texts in UTF-8. Returns 64 hexadecimal digits. */
export const digest: (prefix: string, data: string | Uint8Array) => string =
  nodeCrypto === undefined ? portableDigest : (prefix, data) => nodeCrypto.createHash('sha256').update(prefix).update(data).digest('hex')

/** Returns the fractional part of a number as a word of 32 bits. */
const toFractionBits = (number: number): number => ((number - Math.floor(number)) * 2 ** 32) | 0

const primes: readonly number[] = Array.from({ length: 310 }, (_, index) => index + 2).filter((number, _, all) =>
  all.every((other) => other >= number || number % other !== 0),
)

/** FIPS 180-4 §4.2.2: of the cube roots of the first 64 primes. */
const roundConstants = Int32Array.from(primes, (prime) => toFractionBits(Math.cbrt(prime)))
/** §5.3.3: of the square roots of the first 8. */
const initialState = Int32Array.from(primes.slice(0, 8), (prime) => toFractionBits(Math.sqrt(prime)))

const messageSchedule = new Int32Array(64)

/**
 * Adds one block of 64 bytes to the state (§6.2.2). The rounds are written out, and words are added in pairs: function calls, or sums that
 * leave 32 bits on the way, take an engine twice as long.
 */
function compressBlock(state: Int32Array, bytes: Uint8Array, offset: number): void {
  const byte = (index: number): number => bytes[offset + index] as number // the callers give whole blocks only
  for (let index = 0; index < 16; index += 1) {
    const at = index * 4
    messageSchedule[index] = (byte(at) << 24) | (byte(at + 1) << 16) | (byte(at + 2) << 8) | byte(at + 3)
  }
  for (let index = 16; index < 64; index += 1) {
    const two = messageSchedule[index - 2] as number
    const fifteen = messageSchedule[index - 15] as number
    const one = ((two >>> 17) | (two << 15)) ^ ((two >>> 19) | (two << 13)) ^ (two >>> 10)
    const zero = ((fifteen >>> 7) | (fifteen << 25)) ^ ((fifteen >>> 18) | (fifteen << 14)) ^ (fifteen >>> 3)
    messageSchedule[index] = ((one + (messageSchedule[index - 7] as number)) | 0) + ((zero + (messageSchedule[index - 16] as number)) | 0)
  }
  const at = (index: number): number => state[index] as number // there are eight
  let a = at(0)
  let b = at(1)
  let c = at(2)
  let d = at(3)
  let e = at(4)
  let f = at(5)
  let g = at(6)
  let h = at(7)
  for (let index = 0; index < 64; index += 1) {
    const sumOfE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7))
    const choice = (e & f) ^ (~e & g)
    const input = ((roundConstants[index] as number) + (messageSchedule[index] as number)) | 0
    const first = (((h + sumOfE) | 0) + ((choice + input) | 0)) | 0
    const sumOfA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10))
    const majority = (a & b) ^ (a & c) ^ (b & c)
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + ((sumOfA + majority) | 0)) | 0
  }
  state.set([at(0) + a, at(1) + b, at(2) + c, at(3) + d, at(4) + e, at(5) + f, at(6) + g, at(7) + h])
}

/**
 * The last blocks of a message: its remaining bytes, one bit, zeros, and the length in bits (§5.1.1). They are shared by all messages,
 * because to allocate them takes as long as to compress a block.
 */
const lastBlocks = new Uint8Array(128)
const lastBlocksView = new DataView(lastBlocks.buffer)

/** Computes SHA-256 (FIPS 180-4). Returns eight words of 32 bits. */
function sha256(bytes: Uint8Array): Int32Array {
  const { length } = bytes
  const state = initialState.slice()
  const wholeLength = length - (length % 64)
  for (let offset = 0; offset < wholeLength; offset += 64) compressBlock(state, bytes, offset)
  const size = length - wholeLength < 56 ? 64 : 128
  lastBlocks.fill(0)
  lastBlocks.set(wholeLength === 0 ? bytes : bytes.subarray(wholeLength))
  lastBlocks[length - wholeLength] = 0x80
  lastBlocksView.setUint32(size - 8, Math.floor(length / 2 ** 29))
  lastBlocksView.setUint32(size - 4, (length * 8) % 2 ** 32)
  for (let offset = 0; offset < size; offset += 64) compressBlock(state, lastBlocks, offset)
  return state
}
