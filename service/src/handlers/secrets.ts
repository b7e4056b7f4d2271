/** The secret data, behind the token. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { type Authenticator, authenticate, type Handlers } from 'lapidary/server'
import { type main, secret } from '../api.ts'
import type { Store } from '../store/store.ts'
import { each } from './each.ts'

export const secrets = ({ secrets: store }: Store): Handlers<typeof main>['secrets'] => ({
  list: () => each(store.all()),
  add: ({ body }) => store.add(body),
})

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The check of the token, in the same time whatever was sent. Without a token nobody passes. */
export function tokenCheck(token: string | undefined): Authenticator {
  const known = token === undefined ? undefined : digest(token)
  return authenticate(secret, (given) => (known !== undefined && timingSafeEqual(known, digest(given)) ? true : undefined))
}
