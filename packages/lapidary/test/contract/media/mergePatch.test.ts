/** PATCH by merge patches (RFC 7396): what is read, how it is applied, and what is refused. */
import fc from 'fast-check'
import { applyMergePatch, content, endpoint, type JsonSchema, json, mergePatch, noContent, ok, reply } from 'lapidary'
import { client } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mergeJson } from '../../../src/contract/media/mergePatch.ts'
import { createPatchSchema } from '../../../src/json-schema/patchSchema.ts'
import { describeEachAdapter, testRows } from '../../support/matrix/eachAdapter.ts'
import { buildRequest, json as jsonOf, refuses, respondsWith } from '../../support/matrix/row.ts'

// RFC 7396, appendix A.
test.each<[unknown, unknown, unknown]>([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j with %j is %j', (value, patch, expected) => {
  const before = JSON.stringify(value)
  expect(mergeJson(value, patch)).toEqual(expected)
  expect(JSON.stringify(value)).toBe(before)
})

test('a member that is undefined changes nothing, as one that is absent', () => {
  expect(mergeJson({ a: 'b', c: { d: 1 } }, { a: undefined, c: { d: undefined } })).toStrictEqual({ a: 'b', c: { d: 1 } })
})

/** The algorithm of RFC 7396 §2, as it is written there. */
function model(target: unknown, patch: unknown): unknown {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result = new Map(typeof target === 'object' && target !== null && !Array.isArray(target) ? Object.entries(target) : [])
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) result.delete(name)
    else result.set(name, model(result.get(name), change))
  }
  return Object.fromEntries(result)
}

test('it is the algorithm of the RFC, for names of prototypes too', () => {
  const names = fc.constantFrom('a', 'b', '__proto__', 'constructor', 'toString')
  const values = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 4 }, fc.constantFrom(null, 1, 'x', [1, { a: null }]), tie('object')),
    object: fc.array(fc.tuple(names, tie('value'))).map(Object.fromEntries),
  })).value
  fc.assert(
    fc.property(values, values, (value, patch) => {
      expect(JSON.stringify(mergeJson(value, patch))).toBe(JSON.stringify(model(value, patch)))
    }),
  )
})

test('a member __proto__ changes no prototype', () => {
  const patch = JSON.parse('{"__proto__":{"isAdmin":true},"a":{"__proto__":{"isAdmin":true}}}') as unknown
  const result = mergeJson({ a: {} }, patch) as { readonly a: { readonly isAdmin?: true }; readonly isAdmin?: true }
  expect([result.isAdmin, result.a.isAdmin, ({} as { readonly isAdmin?: true }).isAdmin]).toEqual([undefined, undefined, undefined])
  expect(JSON.stringify(result)).toBe('{"a":{"__proto__":{"isAdmin":true}},"__proto__":{"isAdmin":true}}')
})

test('a patch of 100,000 levels needs no stack', () => {
  let patch: unknown = null
  for (let depth = 0; depth < 100_000; depth += 1) patch = { a: patch }
  expect(mergeJson({ a: { b: 1 } }, patch)).toMatchObject({ a: { b: 1 } })
})

const Stone = z
  .object({
    name: z.string().min(1).max(9),
    carat: z.int().max(10),
    color: z.enum(['red', 'blue']).optional(),
    note: z.string().nullable(),
    count: z.int().default(1),
    tags: z.array(z.string()),
    place: z.object({ room: z.string(), shelf: z.int().optional() }).optional(),
    prices: z.record(z.string(), z.int()),
    any: z.unknown(),
  })
  .refine(({ name, carat }) => carat > 0 || name === 'dust', { message: 'only dust weighs nothing' })
const opal: z.input<typeof Stone> = {
  name: 'opal',
  carat: 3,
  color: 'blue',
  note: null,
  tags: ['a'],
  prices: { eur: 1 },
  place: { room: 'x', shelf: 1 },
  any: 1,
}

const api = {
  read: endpoint('GET /stone', { response: ok(Stone), etag: true }),
  change: endpoint('PATCH /stone', { body: mergePatch(Stone), response: ok(Stone), errors: [reply(422)] }),
  both: endpoint('PATCH /both', { body: content(Stone, json), response: noContent }),
}
const server = serve(api, {
  read: () => Stone.parse(opal),
  change: ({ body }) => applyMergePatch(Stone, opal, body),
  both: () => {},
})

const patchAs = (type: string, body: unknown) =>
  buildRequest('PATCH', '/stone', { 'Content-Type': type }, typeof body === 'string' ? body : JSON.stringify(body))
const patch = (body: unknown) => patchAs('application/merge-patch+json', body)
const changed = (members: object) => jsonOf(expect.objectContaining(members))
const badMember = (pointer: string, detail: unknown) => refuses(400, expect.objectContaining({ in: 'body', pointer, detail }))
const badResult = (...pointers: string[]) => refuses(422, ...pointers.map((pointer) => expect.objectContaining({ in: 'body', pointer })))

describeEachAdapter(server, (running) => {
  testRows(running, [
    ['a member changes, the others stay', patch({ carat: 5 }), changed({ name: 'opal', carat: 5, count: 1 })],
    ['an empty patch changes nothing', patch({}), changed({ name: 'opal', carat: 3 })],
    [
      'null removes an optional member',
      patch({ color: null, place: null }),
      jsonOf(expect.not.objectContaining({ color: expect.anything(), place: expect.anything() })),
    ],
    ['null removes a member with a default', patch({ count: null }), changed({ count: 1 })],
    ['null removes an entry of a record', patch({ prices: { eur: null, usd: 2 } }), changed({ prices: { usd: 2 } })],
    ['a nested object is merged', patch({ place: { shelf: 2 } }), changed({ place: { room: 'x', shelf: 2 } })],
    ['an array is replaced', patch({ tags: ['b', 'c'] }), changed({ tags: ['b', 'c'] })],
    ['undeclared members are dropped', patch({ secret: 1 }), jsonOf(expect.not.objectContaining({ secret: 1 }))],
    ['null cannot remove a required member', patch({ name: null }), badMember('/name', expect.stringContaining('expected a string'))],
    ['null cannot remove a required member that may be null', patch({ note: null }), badMember('/note', 'expected a string, got null')],
    [
      'null cannot remove a required member below',
      patch({ place: { room: null } }),
      badMember('/place/room', 'expected a string, got null'),
    ],
    ['a member of another type is refused', patch({ carat: 'many' }), badMember('/carat', 'expected an integer, got a string')],
    ['a member out of its bounds is refused', patch({ carat: 11 }), badMember('/carat', expect.stringMatching(/ to 10$/))],
    ['a value that is no object is refused', patch('[]'), badMember('', 'expected an object, got an array')],
    ['null as the whole patch is refused', patch('null'), badMember('', 'expected an object, got null')],
    ['a result that its schema does not allow is refused', patch({ carat: 0 }), badResult('')],
    [
      '__proto__ is a member like any other',
      patch('{"__proto__":{"name":"x"},"any":{"__proto__":null}}'),
      changed({ name: 'opal', any: {} }),
    ],
    [
      'JSON of another type is refused',
      patchAs('application/json', {}),
      respondsWith(415, { headers: { Accept: 'application/merge-patch+json' } }),
    ],
    ['the type may have a charset', patchAs('application/merge-patch+json; charset=utf-8', {}), respondsWith(200)],
    ['a charset has no case', patchAs('application/merge-patch+json; charset="UTF-8"', {}), respondsWith(200)],
    ['another charset is refused', patchAs('application/merge-patch+json; charset=latin1', {}), respondsWith(415)],
    ['half a patch is refused', patch('{"name":'), respondsWith(400)],
    ['a deep patch is refused', patch(`{"any":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`), respondsWith(400)],
    [
      'OPTIONS names the types of a patch',
      buildRequest('OPTIONS', '/stone'),
      respondsWith(204, { headers: { 'Accept-Patch': 'application/merge-patch+json', Allow: 'GET, HEAD, PATCH, OPTIONS' } }),
    ],
    [
      'a wrong method names them, too',
      buildRequest('DELETE', '/both'),
      respondsWith(405, { headers: { 'Accept-Patch': 'application/json' } }),
    ],
    [
      'a change of any JSON names its type',
      buildRequest('OPTIONS', '/both'),
      respondsWith(204, { headers: { 'Accept-Patch': 'application/json' } }),
    ],
  ])
})

test('a client sends a patch, and null removes', async () => {
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })
  expect(await call.change({ body: { color: null, place: { shelf: null } } })).toMatchObject({ name: 'opal', place: { room: 'x' } })
})

describe('the JSON Schema of a patch', () => {
  test.each<[string, JsonSchema, JsonSchema]>([
    [
      'a required member can be absent',
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    [
      'an optional member can be null',
      { properties: { a: { type: 'string', maxLength: 3 } } },
      { properties: { a: { type: ['string', 'null'], maxLength: 3 } } },
    ],
    [
      'an enumeration can be null',
      { properties: { a: { type: 'string', enum: ['x'] } } },
      { properties: { a: { type: ['string', 'null'], enum: ['x', null] } } },
    ],
    [
      'a constant can be null',
      { properties: { a: { type: 'string', const: 'x' } } },
      { properties: { a: { type: ['string', 'null'], enum: ['x', null] } } },
    ],
    [
      'a required enumeration loses null',
      { properties: { a: { enum: ['x', null] } }, required: ['a'] },
      { properties: { a: { enum: ['x'] } } },
    ],
    [
      'a required member loses null from its types, and from the branches of a union',
      {
        properties: {
          a: { type: ['string', 'null'] },
          b: { anyOf: [{ anyOf: [{ type: 'null' }, { type: 'string' }] }, { const: null }] },
          c: { oneOf: [{ type: 'null' }, { enum: ['x', null] }] },
        },
        required: ['a', 'b', 'c'],
      },
      { properties: { a: { type: ['string'] }, b: { anyOf: [{ anyOf: [{ type: 'string' }] }] }, c: { anyOf: [{ enum: ['x'] }] } } },
    ],
    [
      'a member of any type, of several parts or of a union can be null beside it',
      {
        properties: {
          a: { minimum: 1 },
          b: { type: 'object', allOf: [{ required: ['x'] }] },
          c: { type: 'object', oneOf: [{ required: ['x'] }] },
        },
      },
      {
        properties: {
          a: { anyOf: [{ minimum: 1 }, { type: 'null' }] },
          b: { anyOf: [{ type: 'object', allOf: [{}] }, { type: 'null' }] },
          c: { anyOf: [{ type: 'object', anyOf: [{}] }, { type: 'null' }] },
        },
      },
    ],
    [
      'members of a pattern, and further members, can be null',
      {
        patternProperties: { '^a': { type: 'string' }, '^b': true },
        additionalProperties: { properties: { c: { type: 'integer' } }, required: ['c'], type: 'object' },
      },
      {
        patternProperties: { '^a': { type: ['string', 'null'] }, '^b': true },
        additionalProperties: { properties: { c: { type: 'integer' } }, type: ['object', 'null'] },
      },
    ],
    [
      'a patch has no address',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        $id: 'https://example.org/a',
        $anchor: 'a',
        $dynamicAnchor: 'b',
        type: 'object',
      },
      { type: 'object' },
    ],
    [
      'two references to one definition stay references to one',
      {
        properties: { a: { $ref: '#/$defs/A' }, b: { $ref: '#/$defs/A' } },
        required: ['a', 'b'],
        $defs: { A: { type: 'object', required: ['x'] } },
      },
      {
        properties: { a: { $ref: '#/$defs/patch1' }, b: { $ref: '#/$defs/patch1' } },
        $defs: { A: { type: 'object', required: ['x'] }, patch1: { type: 'object' } },
      },
    ],
    ['a default is left out', { properties: { a: { type: 'integer', default: 1 } } }, { properties: { a: { type: ['integer', 'null'] } } }],
    ['a patch can have fewer members than a value', { minProperties: 2, maxProperties: 3 }, { maxProperties: 3 }],
    ['anything stays anything', { properties: { a: {} } }, { properties: { a: {} } }],
    ['an item stays as it is', { items: { required: ['a'] } }, { items: { required: ['a'] } }],
    ['alternatives can be alike', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { anyOf: [{}, {}] }],
    ['no other member stays no other', { additionalProperties: false }, { additionalProperties: false }],
    [
      'a schema can contain itself',
      { $defs: { Node: { properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] } }, $ref: '#/$defs/Node' },
      {
        $ref: '#/$defs/patch1',
        $defs: {
          Node: { properties: { next: { $ref: '#/$defs/Node' } }, required: ['next'] },
          patch1: { properties: { next: { $ref: '#/$defs/patch1' } } },
        },
      },
    ],
  ])('%s', (_sentence, schema, expected) => {
    expect(JSON.parse(JSON.stringify(createPatchSchema(schema)))).toEqual(expected)
  })
})

test('a patch is applied at once, so that its schema cannot be asynchronous', () => {
  const late = z.object({ name: z.string() }).refine(async () => true)
  expect(() => applyMergePatch(late, { name: 'opal' }, { name: 'ruby' })).toThrow(/applyMergePatch\(\)/)
})
