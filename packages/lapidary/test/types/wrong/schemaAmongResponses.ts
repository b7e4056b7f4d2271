import { endpoint, ok, text } from 'lapidary'
import { z } from 'zod'

const Job = z.object({ progress: z.number() })
export const one = endpoint('GET /one', { response: [ok(text), Job] })
