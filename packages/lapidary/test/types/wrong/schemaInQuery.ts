/** A schema where a codec is expected. */
import { endpoint, noContent } from 'lapidary'
import { z } from 'zod'

export const users = endpoint('GET /users', { query: { age: z.int() }, response: noContent })
