/** A named example that the body could not be. */
import { endpoint, noContent } from 'lapidary'
import { z } from 'zod'

export const point = endpoint('PUT /point', {
  body: z.object({ x: z.int() }),
  response: noContent,
  examples: { origin: { body: { x: 0 } }, far: { body: { x: 'far' } } },
})
