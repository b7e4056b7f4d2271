/** Hashes passwords and checks them, with argon2id. */

import { hash as argon2, verify } from '@node-rs/argon2'

/** Argon2id's smallest recommended costs (19 MiB, 2 passes, 1 lane): OWASP Password Storage Cheat Sheet. About 10 ms a check. */
const costs = { algorithm: 2, memoryCost: 19456, timeCost: 2, parallelism: 1, outputLen: 32 } as const

/** A hash that no password is known for, with the same costs: checking against it takes as long as against an account's own. */
const nobody = `$argon2id$v=19$m=${costs.memoryCost},t=${costs.timeCost},p=${costs.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** One text for what looks the same: RFC 7617 section 2.1 asks for normalization form C. */
const normal = (text: string): string => text.normalize('NFC')

/** The hash to keep for a password, in PHC form: a fresh salt and the costs are part of it. */
export const hash = (password: string): Promise<string> => argon2(normal(password), costs)

/** Whether the password is the one that was hashed. Without a hash (there is no such account) never, and in the same time. */
export async function matches(password: string, kept: string | undefined): Promise<boolean> {
  const right = await verify(kept ?? nobody, normal(password))
  return kept !== undefined && right
}

/** What is wrong with a new password, as a sentence; nothing when it will do. Control characters cannot be sent (RFC 7617 section 2). */
export function passwordComplaint(password: string): string | undefined {
  if (password === '') return 'The password is empty.'
  if (password.length > 1000) return 'The password is longer than 1000 characters.'
  if (/\p{Cc}/u.test(password)) return 'The password holds a control character, which HTTP cannot send.'
  return undefined
}
