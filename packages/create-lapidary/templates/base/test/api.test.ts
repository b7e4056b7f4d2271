/** The API as a client sees it. `server.fetch` needs no socket. */
import type { Problem } from 'lapidary'
import { client } from 'lapidary/client'
import { paginate } from 'lapidary/pagination'
import { expect, test } from 'vitest'
import { api } from '../src/api.ts'
import { createServer } from '../src/server.ts'
import { createMemoryStore } from '../src/store.ts'
import { statusOf } from './statusOf.ts'

const opal = { name: 'opal', hardness: 6 }
const topaz = { name: 'topaz', hardness: 8 }

/** A server of its own for each test. */
function start() {
  const { fetch } = createServer(createMemoryStore([opal, topaz]))
  return { fetch, call: client(api, 'http://api.test', { fetch }) }
}

test('a stone is added, and found at its location', async () => {
  const { call, fetch } = start()
  const { body, headers } = await call.stones.add({ body: { name: 'jade', hardness: 7 } })
  expect(body).toEqual({ id: 3, name: 'jade', hardness: 7 })
  const response = await fetch(new Request(`http://api.test${headers.Location}`))
  expect(await response.json()).toEqual(body)
})

test('the stones come page by page, in the order that the client asks for', async () => {
  const { call } = start()
  const names: string[] = []
  for await (const { name } of paginate(call.stones.all, { input: { query: { sort: '-hardness', limit: 1 } } })) names.push(name)
  expect(names).toEqual(['topaz', 'opal'])
})

test('a stone that is not there is a 404', async () => {
  const { call } = start()
  expect(await statusOf(call.stones.one({ params: { id: 7 } }))).toBe(404)
  expect(await statusOf(call.stones.remove({ params: { id: 7 } }))).toBe(404)
})

test('the server names what is wrong with a body', async () => {
  const { fetch } = start()
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(new Request('http://api.test/stones', { method: 'POST', headers, body: '{"name":"","hardness":11}' }))
  expect(response.status).toBe(400)
  const { errors = [] } = (await response.json()) as Problem
  expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/hardness', '/name'])
})

test('no client overwrites the change of another one', async () => {
  const { call } = start()
  const params = { id: 1 }
  const { headers } = await call.stones.one({ params })
  const change = { params, body: { name: 'fire opal', hardness: 6 }, headers: { 'If-Match': headers.ETag } }
  expect(await call.stones.change(change)).toMatchObject({ name: 'fire opal' })
  expect(await statusOf(call.stones.change(change))).toBe(412)
})

test('the documentation has every endpoint', async () => {
  const { fetch } = start()
  const response = await fetch(new Request('http://api.test/docs', { headers: { Accept: 'text/markdown' } }))
  expect(await response.text()).toContain('GET /stones/:id')
})
