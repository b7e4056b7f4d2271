/** The SHA-256 of texts and bytes: the platform's where it makes one at once, and ours everywhere else. */
import { concatBytes } from '../http/chunks.js'
import { encodeUtf8 } from '../http/utf8.js'

// SHA-256 (FIPS 180-4), made at once: what the platforms have in common makes a promise of it, and an answer does not wait for that.
/** The fractional part of a number, as a word of 32 bits. */
const toFractionBits = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0
const primes = Array.from({ length: 310 }, (_, index) => index + 2).filter((number, _, all) =>
  all.every((other) => other >= number || number % other !== 0),
)
/** §4.2.2: of the cube roots of the first 64 primes. */
const roundConstants = Int32Array.from(primes, (prime) => toFractionBits(Math.cbrt(prime)))
/** §5.3.3: of the square roots of the first 8. */
const initialState = Int32Array.from(primes.slice(0, 8), (prime) => toFractionBits(Math.sqrt(prime)))
const messageSchedule = new Int32Array(64)
/**
 * One block of 64 bytes into the state (§6.2.2). Its turns are written out, and two words added at a time: functions for them, or a sum that leaves
 * the 32 bits on its way, cost an engine twice as much.
 */
function compressBlock(state, bytes, offset) {
  const byte = (index) => bytes[offset + index] // whole blocks alone are given
  for (let index = 0; index < 16; index += 1) {
    const at = index * 4
    messageSchedule[index] = (byte(at) << 24) | (byte(at + 1) << 16) | (byte(at + 2) << 8) | byte(at + 3)
  }
  for (let index = 16; index < 64; index += 1) {
    const two = messageSchedule[index - 2]
    const fifteen = messageSchedule[index - 15]
    const one = ((two >>> 17) | (two << 15)) ^ ((two >>> 19) | (two << 13)) ^ (two >>> 10)
    const zero = ((fifteen >>> 7) | (fifteen << 25)) ^ ((fifteen >>> 18) | (fifteen << 14)) ^ (fifteen >>> 3)
    messageSchedule[index] = ((one + messageSchedule[index - 7]) | 0) + ((zero + messageSchedule[index - 16]) | 0)
  }
  const at = (index) => state[index] // there are eight
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
    const given = (roundConstants[index] + messageSchedule[index]) | 0
    const first = (((h + sumOfE) | 0) + ((choice + given) | 0)) | 0
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
/** The end of a message: what is left of it, a bit, zeros, and the length in bits (§5.1.1). One for all, since a new one would take as long as a block. */
const lastBlocks = new Uint8Array(128)
const lastBlocksView = new DataView(lastBlocks.buffer)
/** The digest of these bytes: eight words of 32 bits. */
export function sha256(bytes) {
  const { length } = bytes
  const state = initialState.slice()
  const whole = length - (length % 64)
  for (let offset = 0; offset < whole; offset += 64) compressBlock(state, bytes, offset)
  const size = length - whole < 56 ? 64 : 128
  lastBlocks.fill(0)
  lastBlocks.set(whole === 0 ? bytes : bytes.subarray(whole))
  lastBlocks[length - whole] = 0x80
  lastBlocksView.setUint32(size - 8, Math.floor(length / 2 ** 29))
  lastBlocksView.setUint32(size - 4, (length * 8) % 2 ** 32)
  for (let offset = 0; offset < size; offset += 64) compressBlock(state, lastBlocks, offset)
  return state
}
/** Node, Bun and Deno have it, and give it without an import that a browser's bundler would stumble over. */
const { process } = globalThis
const nodeCrypto = process?.getBuiltinModule?.('node:crypto')
/** Each byte in two digits; numbers of 32 bits take an engine longer to print than a digest to make. */
const hexDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const toHex = (word) => `${hexDigits[word >>> 24]}${hexDigits[(word >>> 16) & 255]}${hexDigits[(word >>> 8) & 255]}${hexDigits[word & 255]}`
/** In plain JavaScript, for platforms where a digest is a promise. */
export function portableDigest(prefix, data) {
  const bytes = typeof data === 'string' ? encodeUtf8(prefix + data) : concatBytes([encodeUtf8(prefix), data])
  return Array.from(sha256(bytes), toHex).join('')
}
/** The digest of a text and what follows it, texts in UTF-8: 64 hexadecimal digits. */
export const digest =
  nodeCrypto === undefined ? portableDigest : (prefix, data) => nodeCrypto.createHash('sha256').update(prefix).update(data).digest('hex')
