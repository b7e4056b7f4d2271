/** One schema for all captures, which lacks one. */
import { endpoint, noContent } from 'lapidary'
import { z } from 'zod'

export const user = endpoint('GET /users/:id', { params: z.object({ name: z.int() }), response: noContent })
