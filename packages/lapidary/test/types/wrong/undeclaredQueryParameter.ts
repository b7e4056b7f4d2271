/** A handler reads a query parameter that its endpoint does not declare. */
import { endpoint, ok, text } from 'lapidary'
import { serve } from 'lapidary/server'

const api = { greeting: endpoint('GET /greeting', { query: { name: text }, response: ok(text) }) }

serve(api, { greeting: ({ query }) => query.title })
