/** An API with a schema that has no form in JSON. */
import { endpoint, noContent } from 'lapidary'
import { z } from 'zod'

export const api = { add: endpoint('POST /things', { body: z.object({ at: z.date() }), response: noContent }) }
