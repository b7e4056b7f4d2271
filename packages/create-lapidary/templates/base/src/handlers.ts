/** The handlers: one function for each endpoint, in the shape of the API. */
import { withHeaders } from 'lapidary'
import { link } from 'lapidary/links'
import type { Handlers } from 'lapidary/server'
import { api, stonePages } from './api.ts'
import type { Store } from './store.ts'

const describeMissing = (id: number) => ({ detail: `There is no stone ${id}.` })

export const createHandlers = (store: Store): Handlers<typeof api> => ({
  stones: {
    all: (input) => stonePages.page(input, store.stones()),
    one: async ({ params: { id }, fail }) => (await store.find(id)) ?? fail(404, describeMissing(id)),
    add: async ({ body }) => {
      const stone = await store.add(body)
      return withHeaders(stone, { Location: link(api.stones.one, { params: { id: stone.id } }) })
    },
    change: async ({ params: { id }, body, precondition, fail }) =>
      (await store.change(id, body, (present) => precondition?.(present))) ?? fail(404, describeMissing(id)),
    remove: async ({ params: { id }, precondition, fail }) => {
      if (!(await store.remove(id, (present) => precondition?.(present)))) fail(404, describeMissing(id))
    },
  },
})
