/** A contract of ts-rest: served, called by its own client, and described. */
import { deepEqual, equal } from 'node:assert/strict'
import { fromTsRest, implement } from '@lapidary/ts-rest'
import { initClient, initContract } from '@ts-rest/core'
import { listen } from 'lapidary/node'
import { openapi } from 'lapidary/openapi'
import { z } from 'zod'

const c = initContract()
const contract = c.router({
  stone: {
    method: 'GET',
    path: '/stones/:id',
    pathParams: z.object({ id: z.coerce.number().int() }),
    responses: { 200: z.object({ name: z.string() }), 404: z.object({ message: z.string() }) },
  },
})
const server = implement(contract, {
  stone: async ({ params: { id } }) =>
    id === 1 ? { status: 200, body: { name: 'opal' } } : { status: 404, body: { message: `There is no stone ${id}.` } },
})
const { url, close } = await listen(server, { port: 0 })
const client = initClient(contract, { baseUrl: url })

const found = await client.stone({ params: { id: 1 } })
deepEqual([found.status, found.body], [200, { name: 'opal' }])
const missing = await client.stone({ params: { id: 2 } })
if (missing.status === 404) equal(missing.body.message, 'There is no stone 2.')
else throw new Error(`unexpected status ${missing.status}`)
const { paths } = await openapi(fromTsRest(contract), { title: 'Stones', version: '1' })
deepEqual(Object.keys(paths ?? {}), ['/stones/{id}'])
await close()
process.stdout.write('The old client goes on.\n')
