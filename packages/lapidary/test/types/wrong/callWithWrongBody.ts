/** The body of a call is of another type. */
import { endpoint, noContent } from 'lapidary'
import { client } from 'lapidary/client'
import { z } from 'zod'

const api = { add: endpoint('POST /users', { body: z.object({ name: z.string(), age: z.int() }), response: noContent }) }

client(api, 'http://127.0.0.1:8081').add({ body: { name: 'Ann', age: '36' } })
