import { hash } from '@node-rs/argon2'
import { withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { api } from '../api.ts'
import { addKey, isPassword, removeKey } from '../auth.ts'
import type { Store } from '../store.ts'

export function createAccountHandlers({ database }: Store): Handlers<typeof api.accounts> {
  const logIn = async (user: number) => ({ 'Set-Cookie': { session: await addKey(database, 'session', user) } })
  return {
    signUp: async ({ body, fail }) => {
      const password = await hash(body.password)
      const insert = database.insertInto('users').values({ name: body.name, password })
      const account = await insert
        .onConflict((conflict) => conflict.doNothing())
        .returning(['id', 'name'])
        .executeTakeFirst()
      if (account === undefined) return fail(409, { detail: `The name ${body.name} is taken.` })
      return withHeaders(account, { Location: link(api.accounts.me), ...(await logIn(account.id)) })
    },
    logIn: async ({ body: { name, password }, fail }) => {
      const account = await database.selectFrom('users').selectAll().where('name', '=', name).executeTakeFirst()
      const isRight = await isPassword(password, account?.password)
      if (account === undefined || !isRight) return fail(403, { detail: 'The name or the password is wrong.' })
      return withHeaders(await logIn(account.id))
    },
    logOut: async ({ user }) => {
      await removeKey(database, user.key)
      return withHeaders({ 'Set-Cookie': { session: null } })
    },
    me: ({ user }) => user,
    addToken: async ({ user }) => ({ token: await addKey(database, 'token', user.id) }),
  }
}
