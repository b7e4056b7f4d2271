/** The description of the stones, whose servers have the planted faults of state. */
import { created, endpoint, events, int, noContent, ok, optional, prefix, reply, text } from 'lapidary'
import { cursorPagination } from 'lapidary/pagination'
import { z } from 'zod'

const members = { name: z.string().min(1).max(20), hardness: z.int().min(1).max(10), note: z.string().max(20).optional() }
const NewStone = z.object(members)
const StoneChange = z.object(members).partial()
const Stone = z.object({ id: z.int(), ...members, revision: z.int() })
export type NewStone = z.infer<typeof NewStone>
export type StoneChange = z.infer<typeof StoneChange>
export type Stone = z.infer<typeof Stone>

const one = { params: { id: int }, errors: [reply(404)] }
const pages = cursorPagination(Stone, { id: { codec: int, get: ({ id }) => id } }, { key: ({ id }) => `${id}`, default: 'id', limit: 20 })

export const stonesApi = {
  stones: prefix('/stones', {
    list: endpoint('GET /', { ...pages.declaration }),
    create: endpoint('POST /', { body: NewStone, response: created(Stone, { headers: { Location: text } }), idempotent: 'optional' }),
    item: endpoint('GET /:id', { ...one, response: ok(Stone), etag: true }),
    replace: endpoint('PUT /:id', { ...one, body: NewStone, response: ok(Stone), etag: 'optional' }),
    change: endpoint('PATCH /:id', { ...one, body: StoneChange, response: ok(Stone), etag: 'optional' }),
    remove: endpoint('DELETE /:id', { ...one, response: noContent, etag: 'optional' }),
  }),
  changes: endpoint('GET /changes', {
    headers: { 'Last-Event-ID': optional(int) },
    response: ok(events({ created: z.object({ id: z.int() }) })),
  }),
}
