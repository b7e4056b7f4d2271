/** The description of the API: what a client may send, and what the server answers. Everything else is derived from it. */
import { created, endpoint, int, noContent, ok, prefix, reply, text } from 'lapidary'
import { cursorPagination } from 'lapidary/pagination'
import { NewStone, Stone } from './schemas.ts'

/** GET /stones?sort=-hardness&limit=20 */
export const stonePages = cursorPagination(
  Stone,
  {
    name: { codec: text, get: (stone) => stone.name },
    hardness: { codec: int, get: (stone) => stone.hardness },
  },
  { key: { codec: int, get: (stone) => stone.id }, default: 'name', limit: 20, maxLimit: 100 },
)

const params = { id: int({ min: 1, max: 2_147_483_647 }) }

export const api = {
  stones: prefix('/stones', {
    all: endpoint('GET /', { summary: 'Lists the stones, page by page.', ...stonePages.declaration }),
    one: endpoint('GET /:id', { summary: 'Returns a stone.', params, response: ok(Stone), errors: [reply(404)], etag: true }),
    add: endpoint('POST /', { summary: 'Puts a stone on the shelf.', body: NewStone, response: created(Stone) }),
    change: endpoint('PUT /:id', {
      summary: 'Changes a stone. With If-Match, only the one that the client knows.',
      params,
      body: NewStone,
      response: ok(Stone),
      errors: [reply(404)],
      etag: 'optional',
    }),
    remove: endpoint('DELETE /:id', {
      summary: 'Takes a stone off the shelf.',
      params,
      response: noContent,
      errors: [reply(404)],
      etag: 'optional',
    }),
  }),
}
