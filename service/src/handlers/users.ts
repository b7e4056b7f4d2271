/** Handlers of the endpoints that return users. */
import { withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { albertEinstein, founders, isaacNewton } from '../api/users.ts'
import { main } from '../api.ts'
import type { Store } from '../store/store.ts'

type UserHandlers = Pick<Handlers<typeof main>, 'users' | 'user' | 'isaac' | 'albert' | 'listAll' | 'stream' | 'headers'>

/** The value of every `X-An-Int`. */
const anInt = 1797

const noUser = (id: number) => ({ detail: `There is no user ${id}.` })

export function userHandlers({ users: store }: Store): UserHandlers {
  const one: Pick<UserHandlers['users'], 'item' | 'remove'> = {
    item: async ({ params: { userid: id }, fail }) => (await store.find(id)) ?? fail(404, noUser(id)),
    remove: async ({ params: { userid: id }, precondition, fail }) => {
      if (!(await store.remove(id, precondition))) fail(404, noUser(id))
    },
  }
  return {
    users: {
      list: async ({ query }) => withHeaders(store.all(query.sortby), { 'User-Count': await store.count() }),
      create: async ({ body }) => {
        const userid = await store.add(body)
        return withHeaders(undefined, { Location: link(main.users.item, { params: { userid } }) })
      },
      ...one,
      replace: async ({ params: { userid: id }, body, precondition, fail }) => {
        if (!(await store.replace(id, body, precondition))) fail(404, noUser(id))
      },
      listAll: () => store.all(),
    },
    user: one,
    listAll: () => store.all(),
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
