/** A call leaves out the body that its endpoint takes. */
import { endpoint, int, noContent } from 'lapidary'
import { client } from 'lapidary/client'
import { z } from 'zod'

const User = z.object({ name: z.string() })
const api = { replace: endpoint('PUT /users/:id', { params: { id: int }, body: User, response: noContent }) }

client(api, 'http://127.0.0.1:8081').replace({ params: { id: 1 } })
