/** A merge patch that removes a required member. */
import { endpoint, mergePatch, noContent } from 'lapidary'
import { client } from 'lapidary/client'
import { z } from 'zod'

const api = { change: endpoint('PATCH /stone', { body: mergePatch(z.object({ name: z.string() })), response: noContent }) }
await client(api, 'http://127.0.0.1:8081').change({ body: { name: null } })
