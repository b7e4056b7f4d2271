/** A handler reads a body, but its endpoint declares none. */
import { endpoint, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { greeting: endpoint('POST /greeting', { response: ok(text) }) }

serve(api, { greeting: ({ body }) => body.name })
