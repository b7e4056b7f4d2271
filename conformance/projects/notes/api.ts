/** The API of somebody who has the package from npm. */
import { basic, created, endpoint, int, lines, list, mount, ok, reply, text, under } from 'lapidary'
import { ranges } from 'lapidary/pagination'
import { z } from 'zod'

export const Note = z.object({ id: z.int(), title: z.string() })
export type Note = z.infer<typeof Note>

export const writers = basic<{ readonly name: string }>('writers')

export const noteRanges = ranges(
  Note,
  { title: { codec: text, of: (note) => note.title } },
  { key: { codec: int, of: (note) => note.id }, default: 'title' },
)

export const api = {
  notes: under('/notes', {
    page: endpoint('GET /', { ...noteRanges.declaration }),
    one: endpoint('GET /:id', { params: { id: int }, response: ok(Note), errors: [reply(404)] }),
    add: endpoint('POST /', { auth: writers, body: Note, response: created({ headers: { Location: text } }) }),
  }),
  found: endpoint('GET /found', { query: { word: text }, response: ok(list(Note)) }),
  feed: endpoint('GET /feed', { response: ok(lines(Note)) }),
  attachments: mount('/attachments'),
}
