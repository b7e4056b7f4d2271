/** One schema for the whole query. */
import { endpoint, noContent } from 'lapidary'
import { z } from 'zod'

export const users = endpoint('GET /users', { query: z.object({ page: z.int() }), response: noContent })
