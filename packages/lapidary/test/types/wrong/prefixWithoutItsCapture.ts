/** A call without the capture of the prefix. */
import { endpoint, int, noContent, prefix } from 'lapidary'
import { client } from 'lapidary/client'

const api = prefix('/users/:id', { id: int }, { task: endpoint('GET /tasks/:task', { response: noContent }) })
await client(api, 'http://127.0.0.1:8081').task({ params: { task: 'one' } })
