/** The users, as a collection and one by one. */
import { errors, type Precondition, withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { main } from '../api.ts'
import type { Store, User } from '../store/store.ts'
import { each } from './each.ts'

type Main = Handlers<typeof main>

const missing = (id: number): Error => errors.notFound({ detail: `There is no user ${id}.` })

const found = (user: User | undefined, id: number): User => {
  if (user === undefined) throw missing(id)
  return user
}

export function users({ users: store }: Store): Pick<Main, 'users' | 'user' | 'listAll'> {
  const item = async (id: number): Promise<User> => found(await store.find(id), id)
  const remove = async (id: number, precondition?: Precondition): Promise<void> => {
    if (!(await store.remove(id, precondition))) throw missing(id)
  }
  const listAll = (): AsyncIterable<User> => each(store.all())
  return {
    users: {
      list: async ({ query }) => withHeaders(each(store.all(query.sortby)), { 'User-Count': await store.count() }),
      create: async ({ body }) => {
        const userid = await store.add(body)
        return withHeaders(undefined, { Location: link(main.users.item, { params: { userid } }) })
      },
      item: ({ params }) => item(params.userid),
      replace: async ({ params, body, precondition }) => {
        if (!(await store.replace(params.userid, body, precondition))) throw missing(params.userid)
      },
      remove: ({ params, precondition }) => remove(params.userid, precondition),
      listAll,
    },
    user: {
      item: ({ params }) => item(params.userid),
      remove: ({ params, precondition }) => remove(params.userid, precondition),
    },
    listAll,
  }
}
