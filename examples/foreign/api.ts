/** A description that a server of another framework is to keep to: a shelf of stones. */
import { collection, endpoint, int, ok, oneOf, optional, prefix, text } from 'lapidary'
import { z } from 'zod'

export const Stone = z.object({ name: z.string().min(1).max(40), hardness: z.int().min(1).max(10) })

export const api = {
  stones: prefix('/stones', collection(Stone, { one: 'stone', all: 'stones' })),
  search: endpoint('GET /search', {
    query: { name: optional(text), least: optional(int), order: optional(oneOf('name', 'hardness')) },
    response: ok(z.object({ found: z.array(Stone) })),
  }),
}
