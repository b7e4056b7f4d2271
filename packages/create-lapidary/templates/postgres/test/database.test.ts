/** The store in PostgreSQL, in the database of DATABASE_URL. Without one, these tests are skipped. */
import { client } from 'lapidary/client'
import { paginate } from 'lapidary/pagination'
import { expect, test } from 'vitest'
import { api } from '../src/api.ts'
import { openDatabase } from '../src/database.ts'
import { createServer } from '../src/server.ts'
import { statusOf } from './statusOf.ts'

const url = process.env['DATABASE_URL'] ?? ''

test.skipIf(url === '')('a stone is stored, listed, changed and removed', async () => {
  const store = await openDatabase(url)
  try {
    const call = client(api, 'http://api.test', { fetch: createServer(store).fetch })
    const { body: jade } = await call.stones.add({ body: { name: 'jade', hardness: 7 } })
    const params = { id: jade.id }

    const ids: number[] = []
    for await (const { id } of paginate(call.stones.all, { input: { query: { sort: '-hardness', limit: 100 } } })) ids.push(id)
    expect(ids).toContain(jade.id)

    const { headers } = await call.stones.one({ params })
    const condition = { 'If-Match': headers.ETag }
    expect(await call.stones.change({ params, body: { name: 'jadeite', hardness: 7 }, headers: condition })).toMatchObject({
      name: 'jadeite',
    })
    expect(await statusOf(call.stones.remove({ params, headers: condition }))).toBe(412)
    await call.stones.remove({ params })
    expect(await statusOf(call.stones.one({ params }))).toBe(404)
  } finally {
    await store.close()
  }
})
