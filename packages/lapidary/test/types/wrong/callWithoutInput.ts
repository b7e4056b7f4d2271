/** A call leaves out all that it needs. */
import { endpoint, int, ok, text } from 'lapidary'
import { client } from 'lapidary/client'

const api = { user: endpoint('GET /users/:id', { params: { id: int }, response: ok(text) }) }

client(api, 'http://127.0.0.1:8081').user()
