/** Hashes passwords and checks them, with argon2id. */

import { hash as argon2, verify } from '@node-rs/argon2'
import { normal } from './normal.ts'

/** Argon2id's smallest recommended costs (19 MiB, 2 passes, 1 lane): OWASP Password Storage Cheat Sheet. About 10 ms a check. */
const costs = { algorithm: 2, memoryCost: 19456, timeCost: 2, parallelism: 1, outputLen: 32 } as const

/** A hash that no password is known for, with the same costs: checking against it takes as long as against an account's own. */
const nobody = `$argon2id$v=19$m=${costs.memoryCost},t=${costs.timeCost},p=${costs.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** The form in which passwords are hashed. */
export const normalPassword: (text: string) => string = normal

/** The threads of libuv, which files, name lookups and argon2 share (https://docs.libuv.org/en/v1.x/threadpool.html). */
const threads = Math.min(1024, Number.parseInt(process.env['UV_THREADPOOL_SIZE'] ?? '', 10) || 4)

/** Passwords that are hashed at once, at most: half of the threads are left to files. */
export const maxHashing = Math.max(1, Math.floor(threads / 2))

/** Passwords that wait for that, at most: some seconds of work. */
export const maxWaiting = 256

/** Thrown instead of an answer when so many wait. */
export class TooManyLogins extends Error {
  override readonly name = 'TooManyLogins'
  /** After how many seconds to try again: a whole number. */
  readonly retryAfter = 2

  constructor() {
    super(`${maxWaiting} passwords are waiting to be checked.`)
  }
}

let hashing = 0
const waiting: (() => void)[] = []

/** Runs the work as soon as fewer than `maxHashing` others are running. Throws `TooManyLogins` when `maxWaiting` are waiting already. */
async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (hashing < maxHashing) hashing += 1
  else if (waiting.length < maxWaiting) await new Promise<void>((go) => waiting.push(go))
  else throw new TooManyLogins()
  try {
    return await work()
  } finally {
    // The next one takes over this place, so that none who comes in between can have it.
    const next = waiting.shift()
    if (next === undefined) hashing -= 1
    else next()
  }
}

/** The hash to keep for a password, in PHC form: a fresh salt and the costs are part of it. */
export const hash = (password: string): Promise<string> => argon2(normalPassword(password), costs)

/**
 * Whether the password is the one that was hashed. Without a hash (there is no such account) never, and in the same time.
 * Throws `TooManyLogins` when too many others wait.
 */
export async function matches(password: string, kept: string | undefined): Promise<boolean> {
  const right = await inTurn(() => verify(kept ?? nobody, normalPassword(password)))
  return kept !== undefined && right
}

/** What is wrong with a new password, as a sentence; nothing when it will do. Control characters cannot be sent (RFC 7617 section 2). */
export function passwordComplaint(password: string): string | undefined {
  if (password === '') return 'The password is empty.'
  if (password.length > 1000) return 'The password is longer than 1000 characters.'
  if (/\p{Cc}/u.test(password)) return 'The password holds a control character, which HTTP cannot send.'
  return undefined
}
