/** A call has a body, but its endpoint takes none. */
import { endpoint, int, noContent } from 'lapidary'
import { client } from 'lapidary/client'

const api = { remove: endpoint('DELETE /users/:id', { params: { id: int }, response: noContent }) }

client(api, 'http://127.0.0.1:8081').remove({ params: { id: 1 }, body: 'Ann' })
