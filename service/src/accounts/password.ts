/** Hashes passwords and verifies them, with argon2id. */
import { hash, verify } from '@node-rs/argon2'
import { errors } from 'lapidary'
import pLimit from 'p-limit'
import { normalizeText } from './rules.ts'

/** The smallest costs that the OWASP Password Storage Cheat Sheet recommends: 19 MiB, 2 passes, 1 lane. A check takes about 10 ms. */
const argon2Costs = { algorithm: 2, memoryCost: 19456, timeCost: 2, parallelism: 1, outputLen: 32 } as const

/** A hash without a known password. Verifying against it takes as long as against the hash of an account. */
const dummyHash = `$argon2id$v=19$m=${argon2Costs.memoryCost},t=${argon2Costs.timeCost},p=${argon2Costs.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** The threads of libuv, which files, name lookups and argon2 share (https://docs.libuv.org/en/v1.x/threadpool.html). */
const poolSize = Math.min(1024, Number.parseInt(process.env['UV_THREADPOOL_SIZE'] ?? '', 10) || 4)

/** The largest number of parallel hashes. It leaves half of the threads to files. */
export const maxHashing = Math.max(1, Math.floor(poolSize / 2))

/** The largest number of waiting hashes: some seconds of work. */
export const maxWaiting = 256

const limitHashing = pLimit(maxHashing)

/** The hash to store for a password, in PHC format. It contains a new salt and the costs. */
export const hashPassword = (password: string): Promise<string> => hash(normalizeText(password), argon2Costs)

/**
 * Whether the password belongs to the hash. Without a hash, because there is no such account, the answer is no after the same time.
 * Throws an HttpError 503 while too many hashes wait.
 */
export async function verifyPassword(password: string, accountHash: string | undefined): Promise<boolean> {
  if (limitHashing.pendingCount >= maxWaiting) {
    const detail = 'Too many logins are being checked right now. Try again in a moment.'
    throw errors.serviceUnavailable({ detail, headers: { 'Retry-After': '2' } })
  }
  const isRight = await limitHashing(() => verify(accountHash ?? dummyHash, normalizeText(password)))
  return accountHash !== undefined && isRight
}
