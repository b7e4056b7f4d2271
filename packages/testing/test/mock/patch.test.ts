/** Merge patches, in the tools: a mock applies them, and diff compares them. */
import { diff, manifest, mock } from '@lapidary/testing'
import { collection, endpoint, int, mergePatch, noContent, prefix, reply } from 'lapidary'
import { client } from 'lapidary/client'
import { expect, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string(), color: z.string().optional(), place: z.object({ room: z.string(), shelf: z.int().optional() }) })

test('a mock applies a merge patch to a stored item', async () => {
  const change = endpoint('PATCH /:id', { params: { id: int }, body: mergePatch(Stone), response: noContent, errors: [reply(404)] })
  const api = prefix('/stones', { ...collection(Stone), change })
  const call = client(api, 'http://test.invalid', { fetch: mock(api).fetch })
  await call.create({ body: { name: 'opal', color: 'blue', place: { room: 'x', shelf: 1 } } })
  await call.change({ params: { id: 4 }, body: { color: null, place: { shelf: null } } })
  expect(await call.item({ params: { id: 4 } })).toEqual({ name: 'opal', place: { room: 'x' } })
})

test.each([
  [
    'a new optional member is no break',
    z.object({ name: z.string() }),
    z.object({ name: z.string(), color: z.string().optional() }),
    false,
  ],
  [
    'a new required member is no break: a patch can leave it out',
    z.object({ name: z.string() }),
    z.object({ name: z.string(), color: z.string() }),
    false,
  ],
  ['a member that can no longer be removed is one', z.object({ name: z.string().optional() }), z.object({ name: z.string() }), true],
  ['a member of another type is one', z.object({ name: z.string() }), z.object({ name: z.int() }), true],
])('%s', (_sentence, before, after, isBreaking) => {
  const of = (schema: z.ZodObject) => manifest({ change: endpoint('PATCH /stone', { body: mergePatch(schema), response: noContent }) })
  expect(diff(of(before), of(after)).some(({ clients }) => clients === 'breaking')).toBe(isBreaking)
})
