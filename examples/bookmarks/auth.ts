/** Passwords, sessions, tokens and signatures. The database has digests only. */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { match } from 'lapidary/links'
import { type Authenticator, authenticate } from 'lapidary/server'
import { api, session, token, type User, webhook } from './api.ts'
import type { Store } from './store.ts'

/** Of no password: an unknown name takes as long as a known one. */
const unknownHash = await hash(randomBytes(32))
export const isPassword = (password: string, known = unknownHash): Promise<boolean> => verify(known, password)

export const digest = (key: string): Buffer => createHash('sha256').update(key).digest()
export const identify = ({ id }: User): number => id

export const sign = (secret: string, id: string, timestamp: number, body: string | Uint8Array): string =>
  `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest('base64')}`

/** At most five minutes old. */
const isSigned = (secret: string, id: string, timestamp: number, body: Uint8Array, signature: string): boolean =>
  Math.abs(Date.now() / 1_000 - timestamp) < 300 && timingSafeEqual(digest(sign(secret, id, timestamp, body)), digest(signature))

export const authenticators = ({ read }: Store): readonly Authenticator[] => [
  authenticate(session, (key, request) => {
    const origin = request.header('origin')
    // A browser sends the cookie with requests of other pages, too.
    return origin === undefined || origin.endsWith(`//${request.header('host')}`) ? read.user(digest(key)) : undefined
  }),
  authenticate(token, (key) => read.user(digest(key)), { scopes: ({ scopes }) => scopes }),
  authenticate(webhook, (signature, request, rawBody = Buffer.of()) => {
    const account = read.account(match(api.receive, request.target)?.params.name ?? '')
    const secret = account && read.webhook(account.id)?.secret
    const [id, timestamp] = [`${request.header('webhook-id')}`, Number(request.header('webhook-timestamp'))]
    return secret !== undefined && isSigned(secret, id, timestamp, rawBody, signature) ? account : undefined
  }),
]
