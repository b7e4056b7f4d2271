/** A schema in place of a codec. */
import { endpoint, noContent } from 'lapidary'
import { z } from 'zod'

export const visit = endpoint('GET /visits', { cookies: { visits: z.int() }, response: noContent })
