/** What a call gives is used as something else. */
import { endpoint, ok } from 'lapidary'
import { client } from 'lapidary/client'
import { z } from 'zod'

const api = { user: endpoint('GET /user', { response: ok(z.object({ name: z.string(), age: z.int() })) }) }

const { age } = await client(api, 'http://127.0.0.1:8081').user()
export const name: string = age
