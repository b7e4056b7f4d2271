/** A query parameter of a call is of another type. */
import { endpoint, int, ok, optional, text } from 'lapidary'
import { client } from 'lapidary/client'

const api = { users: endpoint('GET /users', { query: { limit: optional(int) }, response: ok(text) }) }

client(api, 'http://127.0.0.1:8081').users({ query: { limit: '5' } })
