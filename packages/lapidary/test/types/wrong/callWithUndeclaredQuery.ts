/** A call has a query, but its endpoint declares none. */
import { endpoint, ok, text } from 'lapidary'
import { client } from 'lapidary/client'

const api = { users: endpoint('GET /users', { response: ok(text) }) }

client(api, 'http://127.0.0.1:8081').users({ query: { limit: 5 } })
