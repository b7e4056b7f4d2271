/** A call leaves out a capture. */
import { endpoint, int, ok, text } from 'lapidary'
import { client } from 'lapidary/client'

const api = { user: endpoint('GET /users/:id/:name', { params: { id: int }, response: ok(text) }) }

client(api, 'http://127.0.0.1:8081').user({ params: { id: 1 } })
