/** The API of the page: stones with pages and entity tags, photos, and live prices. */
import { endpoint, events, file, int, multipart, noContent, ok, optional, prefix, reply, text } from 'lapidary'
import { cursorPagination } from 'lapidary/pagination'
import { z } from 'zod'

export const Stone = z.object({ id: z.int(), name: z.string(), carat: z.number(), color: z.string() })
export type Stone = z.infer<typeof Stone>
const Name = z.object({ name: z.string().min(1).max(40) })
const Price = z.object({ id: z.int(), euros: z.int() })

export const stonePages = cursorPagination(
  Stone,
  { name: { codec: text, get: ({ name }) => name } },
  { key: ({ id }) => `${id}`, default: 'name', limit: 6, maxLimit: 50 },
)

export const api = prefix('/api', {
  stones: prefix('/stones', {
    list: endpoint('GET /', { ...stonePages.declaration }),
    one: endpoint('GET /:id', { params: { id: int }, response: ok(Stone), etag: true, errors: [reply(404)] }),
    rename: endpoint('PUT /:id', { params: { id: int }, body: Name, response: noContent, etag: 'required', errors: [reply(404)] }),
  }),
  photo: endpoint('POST /photos', {
    body: multipart({ photo: file() }),
    response: ok(z.object({ name: z.string(), bytes: z.int() })),
    maxBodySize: '50 MB',
  }),
  prices: endpoint('GET /prices', { headers: { 'Last-Event-ID': optional(int) }, response: ok(events(Price)) }),
})
