/** A handler has to do without an optional body. */
import { endpoint, ok, optional, text } from 'lapidary'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const api = { note: endpoint('POST /note', { body: optional(z.object({ note: z.string() })), response: ok(text) }) }
export const server = serve(api, { note: ({ body }) => body.note })
