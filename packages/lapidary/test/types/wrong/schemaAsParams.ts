/** One schema for all captures. */
import { endpoint, noContent } from 'lapidary'
import { z } from 'zod'

export const user = endpoint('GET /users/:id', { params: z.object({ id: z.int() }), response: noContent })
