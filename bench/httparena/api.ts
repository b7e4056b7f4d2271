/** What the profiles of HttpArena ask of a server, by their paths. */
import { byteStream, content, created, endpoint, int, mount, ok, oneOf, optional, prefix, reply, text } from 'lapidary'
import { z } from 'zod'

export const Item = z.object({
  id: z.int(),
  name: z.string(),
  category: z.string(),
  price: z.int(),
  quantity: z.int(),
  active: z.boolean(),
  tags: z.array(z.string()),
  rating: z.object({ score: z.int(), count: z.int() }),
})
export type Item = z.infer<typeof Item>

const Items = z.object({ items: z.array(Item), count: z.int() })
const Totals = z.object({ items: z.array(Item.extend({ total: z.int() })), count: z.int() })
const Page = z.object({ items: z.array(Item), total: z.int(), page: z.int(), limit: z.int() })
const NewItem = Item.pick({ id: true, name: true, category: true, price: true, quantity: true })
export type NewItem = z.infer<typeof NewItem>
const Change = NewItem.omit({ id: true }).partial({ category: true })
export type Change = z.infer<typeof Change>
/** The third term, as the text of a body. */
const Term = z.string().regex(/^-?[0-9]{1,15}$/)

const terms = { a: int, b: int }
const id = { id: int({ min: 1, max: 2_147_483_647 }) }
const limit = int({ min: 1, max: 50, default: 50 })

export const api = {
  pipeline: endpoint('GET /pipeline', { response: ok(text) }),
  sum: endpoint('GET /baseline11', { query: terms, response: ok(text) }),
  sumWithBody: endpoint('POST /baseline11', { query: terms, body: content(Term, text), response: ok(text) }),
  totals: endpoint('GET /json/:count', { params: { count: int({ min: 0 }) }, query: { m: int({ default: 1 }) }, response: ok(Totals) }),
  upload: endpoint('POST /upload', { body: byteStream(), response: ok(text), maxBodySize: '25 MB' }),
  search: endpoint('GET /async-db', { query: { min: int({ default: 10 }), max: int({ default: 50 }), limit }, response: ok(Items) }),
  crud: prefix('/crud/items', {
    list: endpoint('GET /', {
      query: { category: optional(text), page: int({ min: 1, default: 1 }), limit: int({ min: 1, max: 50, default: 10 }) },
      response: ok(Page),
    }),
    one: endpoint('GET /:id', {
      params: id,
      response: ok(Item, { headers: { 'X-Cache': oneOf('HIT', 'MISS') } }),
      errors: [reply(404)],
    }),
    create: endpoint('POST /', { body: NewItem, response: created(Item) }),
    change: endpoint('PUT /:id', { params: id, body: Change, response: ok(Item), errors: [reply(404)] }),
  }),
  static: mount('/static'),
}
