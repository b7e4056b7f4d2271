/** Passwords, and the keys of sessions and tokens. The database has their hashes only. */
import { createHash, randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { type Authenticator, authenticate, type HttpRequest } from 'lapidary/server'
import { authenticateWebhooks } from 'lapidary/webhooks'
import { session, token, type User } from './api.ts'
import type { Database } from './database.ts'

/** Of no password: an unknown name takes as long as a known one. */
const unknownHash = await hash(randomBytes(32))
export const isPassword = (password: string, known = unknownHash): Promise<boolean> => verify(known, password)

const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest()
const daysOf = { session: 30, token: 365 } as const

export async function addKey(database: Database, kind: 'session' | 'token', user: number): Promise<string> {
  const key = randomBytes(32).toString('base64url')
  const ends_at = new Date(Date.now() + daysOf[kind] * 86_400_000).toISOString()
  await database
    .insertInto('keys')
    .values({ digest: digestOf(key), kind, user, ends_at })
    .execute()
  return key
}

export const removeKey = (database: Database, key: string) => database.deleteFrom('keys').where('digest', '=', digestOf(key)).execute()

async function findUser(database: Database, kind: 'session' | 'token', key: string): Promise<User | undefined> {
  const user = await database
    .selectFrom('keys')
    .innerJoin('users', 'users.id', 'keys.user')
    .where('digest', '=', digestOf(key))
    .where('kind', '=', kind)
    .where('ends_at', '>', new Date().toISOString())
    .select(['users.id', 'users.name'])
    .executeTakeFirst()
  return user && { ...user, key }
}

/** The same for a session and a token. */
export const identify = ({ id }: User): number => id

/** A browser sends the cookie with requests of other pages, too. */
const isOfOwnPage = (request: HttpRequest): boolean => {
  const origin = request.header('origin')
  return origin === undefined || origin.endsWith(`//${request.header('host')}`)
}

export const createAuthenticators = (database: Database, emailSecret: string): readonly Authenticator[] => [
  authenticate(session, (key, request) => (isOfOwnPage(request) ? findUser(database, 'session', key) : undefined)),
  authenticate(token, (key) => findUser(database, 'token', key)),
  authenticateWebhooks({ secret: emailSecret }),
]
