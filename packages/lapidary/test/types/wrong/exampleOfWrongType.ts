/** An example that the response could not be. */
import { endpoint, ok } from 'lapidary'
import { z } from 'zod'

export const point = endpoint('GET /point', { response: ok(z.object({ x: z.int() })), examples: { response: { x: 'one' } } })
