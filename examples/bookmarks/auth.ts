/** Passwords, sessions and tokens. The database has digests only. */
import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { type Authenticator, authenticate } from 'lapidary/server'
import { session, token, type User } from './api.ts'
import type { Store } from './store.ts'

/** Of no password: an unknown name takes as long as a known one. */
const unknownHash = await hash(randomBytes(32))
export const isPassword = (password: string, known = unknownHash): Promise<boolean> => verify(known, password)

export const digest = (key: string): Buffer => createHash('sha256').update(key).digest()
export const identify = ({ id }: User): number => id

export const authenticators = ({ read }: Store): readonly Authenticator[] => [
  authenticate(session, (key, request) => {
    const origin = request.header('origin')
    // A browser sends the cookie with requests of other pages, too.
    return origin === undefined || origin.endsWith(`//${request.header('host')}`) ? read.user(digest(key)) : undefined
  }),
  authenticate(token, (key) => read.user(digest(key)), { scopes: ({ scopes }) => scopes }),
]
