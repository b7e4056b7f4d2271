/** A call of a record of endpoints, rather than of one of them. */
import { collection, prefix } from 'lapidary'
import { client } from 'lapidary/client'
import { z } from 'zod'

const api = { users: prefix('/users', collection(z.object({ name: z.string() }))) }

client(api, 'http://127.0.0.1:8081').users()
