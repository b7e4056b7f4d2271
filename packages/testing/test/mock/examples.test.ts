/** A mock answers the body of a named example with its response. */
import { mock } from '@lapidary/testing'
import { created, endpoint, ok, reply, respond, text, withHeaders } from 'lapidary'
import { client } from 'lapidary/client'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Order = z.object({ item: z.string(), count: z.int().default(1), day: z.string().transform((day) => new Date(day)) })
const day = '2026-11-22'
const api = {
  order: endpoint('POST /order', {
    body: Order,
    response: [created(text), reply(202, text)],
    examples: {
      many: { body: { item: 'opal', count: 99, day }, response: respond(202, 'later') },
      ruby: { body: { item: 'ruby', day }, response: withHeaders('a ruby', { Location: '/1' }) },
      jade: { body: { item: 'jade', day }, response: withHeaders('a jade', { Location: '/2' }) },
    },
  }),
  read: endpoint('GET /read', { response: ok(text), examples: { one: { response: 'one' }, two: { response: 'two' } } }),
}
const call = client(api, 'http://test.invalid', { fetch: mock(api).fetch })

describe('a request with the body of an example gets its response', () => {
  test.each([
    ['another status', { item: 'opal', count: 99, day }, { status: 202, body: 'later' }],
    ['a body without its default', { item: 'jade', day }, { status: 201, body: 'a jade', headers: { Location: '/2' } }],
    ['a body with its default', { item: 'jade', day, count: 1 }, { status: 201, body: 'a jade', headers: { Location: '/2' } }],
    ['any other body: the first of the usual status', { item: 'agate', day }, { status: 201, body: 'a ruby', headers: { Location: '/1' } }],
  ])('%s', async (_what, body, expected) => {
    expect(await call.order({ body })).toEqual(expected)
  })
})

test('without a body, the first example is the response', async () => {
  expect(await call.read()).toBe('one')
})

test('numbers below an exclusive bound are found', async () => {
  for (const schema of [z.number().negative(), z.number().lt(-5), z.number().gt(0).lt(0.001), z.number().min(3).max(3)]) {
    const response = await mock({ one: endpoint('GET /one', { response: ok(schema) }) }, { seed: 1 }).fetch(new Request('http://a/one'))
    expect(schema.safeParse(await response.json()).success).toBe(true)
  }
})
