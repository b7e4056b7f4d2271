/** What a call gives has headers beside its body. */
import { endpoint, int, list, ok } from 'lapidary'
import { client } from 'lapidary/client'
import { z } from 'zod'

const User = z.object({ name: z.string() })
const api = { users: endpoint('GET /users', { response: ok(list(User), { headers: { 'User-Count': int } }) }) }

const users = await client(api, 'http://127.0.0.1:8081').users()
export const first = users[0]
