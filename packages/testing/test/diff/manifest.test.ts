/** The manifest of an API: equal for APIs that are the same on the wire, and complete. */

import { manifest } from '@lapidary/testing'
import { type Api, basic, endpoint, int, mount, ndjson, noContent, ok, optional, prefix, text } from 'lapidary'
import { expect, test } from 'vitest'
import { z } from 'zod'
import * as everything from '../../../lapidary/test/support/everything.ts'
import { rows } from '../support/diff/rows/index.ts'

const people = basic<{ readonly name: string }>('people')
const Item = z.object({ name: z.string().meta({ description: 'What it is called.' }), description: z.string().optional() })
const api = {
  items: prefix('/items', {
    all: endpoint('GET /', {
      query: { limit: optional(int), after: text },
      response: ok(ndjson(Item)),
      responseHeaders: { 'X-Edition': '1' },
    }),
    put: endpoint('PUT /:id', { params: { id: int }, auth: people, body: Item, response: noContent, summary: 'Changes an item.' }),
  }),
  files: mount('/files'),
}

const id = {
  codec: 'integer',
  required: true,
  repeats: false,
  schema: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
}
const form = { properties: { description: { type: 'string' }, name: { type: 'string' } }, required: ['name'], type: 'object' }

test('it has everything on the wire, and no documentation', () => {
  const { endpoints, mounts } = manifest(api)
  expect(mounts).toEqual({ files: '/files' })
  expect(endpoints['items.put']).toEqual({
    method: 'PUT',
    path: '/items/:id',
    captures: { id },
    query: {},
    headers: {},
    cookies: {},
    auth: [[{ name: 'people', kind: { scheme: 'basic', type: 'http' }, challenge: 'Basic realm="people", charset="UTF-8"', scopes: [] }]],
    body: {
      media: [{ types: ['application/json;charset=utf-8', 'application/json'], read: 'whole' }],
      schema: form,
      streams: false,
    },
    maxBodySize: null,
    timeout: null,
    responses: [{ status: 204, body: null, headers: {} }],
    errors: [],
    etag: null,
    idempotent: null,
    deprecated: null,
    always: {},
    ranges: null,
  })
  expect(endpoints['items.all']).toMatchObject({
    query: { after: { required: true }, limit: { required: false } },
    responses: [{ body: { streams: true, schema: form } }],
    always: { 'X-Edition': '1' },
  })
})

test('its members are in the documented order', () => {
  const { endpoints } = manifest(api)
  expect(Object.keys(manifest(api))).toEqual(['manifest', 'endpoints', 'mounts'])
  expect(Object.keys(endpoints)).toEqual(['items.all', 'items.put'])
  expect(Object.keys(endpoints['items.all']?.query ?? {})).toEqual(['after', 'limit'])
})

test('a timeout of Infinity is no limit that a client could know', () => {
  const withTimeout = (timeout: number) =>
    manifest({ one: endpoint('GET /one', { response: noContent, timeout }) }).endpoints['one']?.timeout
  expect([1_000, Number.POSITIVE_INFINITY].map(withTimeout)).toEqual([1_000, null])
})

test('it is the same byte for byte with another order of responses', () => {
  const [one, other] = [
    [noContent, ok(Item)],
    [ok(Item), noContent],
  ].map((response) => manifest({ one: endpoint('GET /one', { response: response as never }) }))
  expect(one?.endpoints['one']?.responses.map(({ status }) => status)).toEqual([200, 204])
  expect(JSON.stringify(other)).toBe(JSON.stringify(one))
})

test('it is the same byte for byte with another order of declaration and other documentation', () => {
  const { items, files } = api
  const query = { after: text({ description: 'Where to begin.', examples: ['x'] }), limit: optional(int) }
  const all = endpoint('GET /items', { query, response: ok(ndjson(Item)), responseHeaders: { 'X-Edition': '1' } })
  const other: Api = { files, items: { put: items.put, all } }
  expect(JSON.stringify(manifest(other))).toBe(JSON.stringify(manifest(api)))
})

test.each([['everything', everything.api] as const, ...rows.slice(0, 20).map(({ sentence, now }) => [sentence, now] as const)])(
  'that of "%s" is unchanged after JSON',
  (_, one) => {
    const made = manifest(one)
    expect(JSON.parse(JSON.stringify(made))).toStrictEqual(made)
  },
)
