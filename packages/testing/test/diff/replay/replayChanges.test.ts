/** `replayChanges`: what a running server does with the witnesses. */

import { diff, manifest, type ReplayOptions, replayChanges } from '@lapidary/testing'
import { type Api, endpoint, int, noContent, ok, oneOf, optional, prefix, reply, text } from 'lapidary'
import { listen } from 'lapidary/node'
import { type Handlers, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string(), size: z.number() })

const createApi = (sort: readonly [string, ...string[]], schema: z.ZodType, more: Api = {}) => ({
  stones: prefix('/stones', {
    list: endpoint('GET /', { query: { sort: optional(oneOf(...sort)) }, response: ok(text) }),
    item: endpoint('GET /:id', { params: { id: int }, response: ok(schema), errors: [reply(404)] }),
    add: endpoint('POST /', { body: schema, response: noContent }),
  }),
  ...more,
})
const old = createApi(['name', 'size'], Stone, { gone: endpoint('GET /gone', { response: ok(text) }) })
const now = createApi(['name'], Stone.extend({ size: z.number().optional(), color: z.string().min(1).optional() }))

const handlers = (stone: object): Handlers<typeof now> =>
  ({
    stones: {
      list: () => 'opal',
      item: ({ params: { id } }: { params: { id: number } }) => (id === 7 ? stone : reply404()),
      add: () => {},
    },
  }) as never
const reply404 = (): never => {
  throw Object.assign(new Error(), { status: 404 })
}

async function startServer(api: Api, own: object): Promise<string> {
  const { url, close } = await listen(serve(api, own as never, { onError: () => {} }), { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return url
}

const replayAll = async (url: string, options?: ReplayOptions): Promise<Readonly<Record<string, string>>> => {
  const replayed = await replayChanges(diff(manifest(old), manifest(now)), manifest(old), url, options)
  return Object.fromEntries(
    replayed.map(({ change, outcome, reason }) => [`${change.endpoint} ${change.place}`.trim(), `${outcome}: ${reason}`]),
  )
}

test('a server of the new description confirms what it refuses and what it sends', async () => {
  const url = await startServer(now, handlers({ name: 'opal' }))
  expect(await replayAll(url, { captures: { id: '7' } })).toEqual({
    gone: 'confirmed: The server refuses the request: 404.',
    'stones.item response 200 body /size': 'confirmed: Old clients expect a number at /size, and the server sends something else.',
    'stones.list query sort': 'confirmed: The server refuses the request: 400.',
  })
})

test('a server that still does what old clients expect refutes it', async () => {
  const url = await startServer(old, { ...handlers({ name: 'opal', size: 1 }), gone: () => 'here' })
  expect(await replayAll(url, { captures: { id: '7' } })).toEqual({
    gone: 'refuted: The server accepts the request: 200.',
    'stones.item response 200 body /size':
      'refuted: This response (200) is one that old clients expect. Another one of the server may not be.',
    'stones.list query sort': 'refuted: The server accepts the request: 200.',
  })
})
