/** A call has a query parameter that its endpoint does not declare. */
import { endpoint, int, ok, optional, text } from 'lapidary'
import { client } from 'lapidary/client'

const api = { users: endpoint('GET /users', { query: { limit: optional(int) }, response: ok(text) }) }

client(api, 'http://127.0.0.1:8081').users({ query: { limt: 5 } })
