/** Handlers of the endpoints that return users. */
import { errors, type Precondition, withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import type { User } from '../api/schemas.ts'
import { albertEinstein, founders, isaacNewton } from '../api/users.ts'
import { main } from '../api.ts'
import type { Store } from '../store/store.ts'

type UserHandlers = Pick<Handlers<typeof main>, 'users' | 'user' | 'isaac' | 'albert' | 'listAll' | 'stream' | 'headers'>

/** The value of every `X-An-Int`. */
const anInt = 1797

function userOr404(user: User | undefined, id: number): User {
  if (user === undefined) throw errors.notFound({ detail: `There is no user ${id}.` })
  return user
}

export function userHandlers({ users: store }: Store): UserHandlers {
  const item = async (id: number): Promise<User> => userOr404(await store.find(id), id)
  const remove = async (id: number, precondition?: Precondition): Promise<void> => {
    if (!(await store.remove(id, precondition))) userOr404(undefined, id)
  }
  const listAll = (): AsyncIterable<User> => store.all()
  return {
    users: {
      list: async ({ query }) => withHeaders(store.all(query.sortby), { 'User-Count': await store.count() }),
      create: async ({ body }) => {
        const userid = await store.add(body)
        return withHeaders(undefined, { Location: link(main.users.item, { params: { userid } }) })
      },
      item: ({ params }) => item(params.userid),
      replace: async ({ params, body, precondition }) => {
        if (!(await store.replace(params.userid, body, precondition))) userOr404(undefined, params.userid)
      },
      remove: ({ params, precondition }) => remove(params.userid, precondition),
      listAll,
    },
    user: {
      item: ({ params }) => item(params.userid),
      remove: ({ params, precondition }) => remove(params.userid, precondition),
    },
    listAll,
    // The specification fixes these three independently of the database.
    isaac: () => isaacNewton,
    albert: () => albertEinstein,
    stream: async function* () {
      yield* founders
    },
    headers: {
      int: () => withHeaders(albertEinstein, { 'X-An-Int': anInt }),
      both: () => withHeaders(albertEinstein, { 'X-A-Bool': true, 'X-An-Int': anInt }),
      maybe: ({ params }) => withHeaders(albertEinstein, { 'X-An-Int': params.withHeader ? anInt : undefined }),
    },
  }
}
