/** Captures of a prefix, in the tools: the same as captures in the route of each endpoint. */
import { checkServer, diff, manifest, mock } from '@lapidary/testing'
import { collection, endpoint, int, ok, prefix, text } from 'lapidary'
import { client } from 'lapidary/client'
import { listen, type RunningServer } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string() })
const stone = { params: { shop: int, stone: int }, response: ok(Stone) }
const written = { stone: endpoint('GET /shops/:shop/stones/:stone', stone) }
const prefixed = prefix(
  '/shops/:shop',
  { shop: int },
  { stone: endpoint('GET /stones/:stone', { params: { stone: int }, response: ok(Stone) }) },
)

test('the manifest is that of the written routes', () => {
  expect(manifest(prefixed)).toEqual(manifest(written))
  expect(diff(manifest(written), manifest(prefixed))).toEqual([])
})

test('diff compares the codecs of the prefix', () => {
  const texts = prefix('/shops/:shop', { stone: endpoint('GET /stones/:stone', { params: { stone: int }, response: ok(Stone) }) })
  expect(diff(manifest(texts), manifest(prefixed))).not.toEqual([])
})

test('a mock keeps the items of each shop apart', async () => {
  const api = prefix('/shops/:shop', { shop: int }, { stones: prefix('/stones', collection(Stone)) })
  const { stones } = client(api, 'http://test.invalid', { fetch: mock(api).fetch })
  const { headers } = await stones.create({ params: { shop: 1 }, body: { name: 'opal' } })
  expect(headers.Location).toBe('/shops/1/stones/4')
  expect(await stones.item({ params: { shop: 1, id: 4 } })).toEqual({ name: 'opal' })
  expect(await stones.list({ params: { shop: 2 } })).toHaveLength(3)
})

test('check generates the captures of the prefix', async () => {
  const api = prefix('/shops/:shop', { shop: int({ min: 1 }) }, { name: endpoint('GET /name', { response: ok(text) }) })
  const first = endpoint('GET /shops/1/name', { response: ok(text) })
  const right = await listen(serve(api, { name: ({ params }) => `Shop ${params.shop}` }))
  const wrong = await listen(serve({ first }, { first: () => 'Shop 1' }))
  const failures = async ({ url }: RunningServer) => (await checkServer(api, url, { requests: 200, seed: 1 })).failures
  expect(await failures(right)).toEqual([])
  expect(await failures(wrong)).not.toEqual([])
  await Promise.all([right.close(), wrong.close()])
})
