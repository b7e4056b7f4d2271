/** The API of a project that installs the packages from npm. */
import { basic, created, endpoint, int, list, mount, ndjson, ok, prefix, reply, text } from 'lapidary'
import { rangePagination } from 'lapidary/pagination'
import { z } from 'zod'

export const Note = z.object({ id: z.int(), title: z.string() })
export type Note = z.infer<typeof Note>

export const writers = basic<{ readonly name: string }>('writers')

export const noteRanges = rangePagination(
  Note,
  { title: { codec: text, get: (note) => note.title } },
  { key: { codec: int, get: (note) => note.id }, default: 'title' },
)

export const api = {
  notes: prefix('/notes', {
    page: endpoint('GET /', { ...noteRanges.declaration }),
    one: endpoint('GET /:id', { params: { id: int }, response: ok(Note), errors: [reply(404)] }),
    add: endpoint('POST /', { auth: writers, body: Note, response: created }),
  }),
  found: endpoint('GET /found', { query: { word: text }, response: ok(list(Note)) }),
  feed: endpoint('GET /feed', { response: ok(ndjson(Note)) }),
  attachments: mount('/attachments'),
}
