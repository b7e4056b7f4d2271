/** Handlers of the gallery, as ts-rest has them: each returns a status and a body. */
import type { RouterHandlers } from '@lapidary/ts-rest'
import type { contract } from './gallery.ts'

const work = { id: 1, title: 'Dawn', kind: 'painting', year: 1901, tags: ['blue'] } as const
const visitor = { id: '7d444840-9dc0-4d1b-b245-5ffdce74fad2', email: 'ann@example.org', name: 'Ann', language: 'en' }

export const handlers: RouterHandlers<typeof contract> = {
  works: {
    list: async ({ query }) => ({ status: 200, body: { works: [{ ...work, tags: query.tag ?? [] }], total: query.page } }),
    get: async ({ params: { id } }) =>
      id === 1 ? { status: 200, body: { ...work, tags: [...work.tags] } } : { status: 404, body: { message: `There is no work ${id}.` } },
    create: async ({ body }) =>
      body.title === 'Dawn' ? { status: 409, body: { message: 'It is there.' } } : { status: 201, body: { id: 2, ...body } },
    replace: async ({ params: { id }, body }) => ({ status: id === 1 ? 200 : 201, body: { id, ...body } }),
    change: async ({ params: { id }, body }) => ({
      status: 200,
      body: { ...work, tags: body.tags ?? [], title: body.title ?? work.title, id },
    }),
    remove: async ({ params: { id } }) => (id === 1 ? { status: 204, body: undefined } : { status: 404, body: { message: 'Gone.' } }),
    photo: async ({ body }) => {
      const { photo, caption, order } = body
      return { status: 200, body: { size: photo.size, caption, ...(order !== undefined && { order }) } }
    },
    label: async ({ params }) => ({ status: 200, body: `<h1>${params.id}</h1>` }),
    csv: async () => ({ status: 200, body: 'id,title\n1,Dawn\n' }),
    thumbnail: async () => ({ status: 200, body: new Uint8Array([137, 80, 78, 71]) }),
  },
  visitors: {
    list: async ({ query }) => ({ status: 200, body: query.search === 'none' ? [] : [visitor] }),
    get: async ({ params: { id } }) => (id === visitor.id ? { status: 200, body: visitor } : { status: 404, body: null }),
    create: async ({ body }) => ({ status: 201, body: { ...body, id: visitor.id } }),
    subscribe: async ({ body }) => ({ status: 200, body }),
    visits: async ({ query }) => ({ status: 200, body: { visits: [{ at: query.from, room: query.until === undefined ? 'A' : 'B' }] } }),
    visit: async ({ body }, { responseHeaders }) => {
      responseHeaders.set('x-room', body.room)
      return { status: 201, body: { at: body.at } }
    },
  },
  notes: {
    list: async () => ({ status: 200, body: [{ type: 'text', text: 'Well.' }] }),
    create: async ({ body }) => ({ status: 201, body }),
    trimmed: async ({ body }) => ({ status: 200, body }),
    search: async ({ query: { ids, filter } }) => ({ status: 200, body: { ids, ...(filter && { owner: filter.owner }) } }),
    counts: async () => ({ status: 200, body: { text: 2 } }),
    position: async () => ({ status: 200, body: [1, 2] }),
    strict: async ({ body }) => ({ status: 200, body: { ...body, more: 1 } }),
    any: async ({ body }) => (body.free === 'no' ? { status: 500, body: { why: 'no' } } : { status: 200, body }),
  },
  admin: {
    session: async ({ headers }) =>
      headers.authorization.startsWith('Bearer ')
        ? { status: 200, body: { token: headers.authorization } }
        : { status: 401, body: { message: 'Who are you?' } },
    audit: async ({ headers }) => ({
      status: 200,
      body: { trace: headers['x-trace'], ...(headers['x-level'] !== undefined && { level: headers['x-level'] }) },
    }),
    reset: async ({ body }) => ({ status: 202, body: { hard: body?.hard ?? false } }),
    health: async () => ({ status: 200, body: 'yes' }),
    pets: async ({ params }) => ({ status: 200, body: params }),
    intersection: async () => ({ status: 200, body: { a: 'a', b: 'b' } }),
  },
}
