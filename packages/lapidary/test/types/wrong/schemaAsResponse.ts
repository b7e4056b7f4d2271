/** A schema as the response, without its status. */
import { endpoint } from 'lapidary'
import { z } from 'zod'

const User = z.object({ name: z.string() })

export const user = endpoint('GET /user', { response: User })
