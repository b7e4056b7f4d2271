/** A handler reads a query, but its endpoint declares none. */
import { endpoint, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { greeting: endpoint('GET /greeting', { response: ok(text) }) }

serve(api, { greeting: ({ query }) => query.name })
