/** The references of a JSON Schema: by pointer, by anchor, and to parts with an address. One that leads nowhere is refused. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { endpoint, type JsonSchema, list, mergePatch, ok, type Schema } from 'lapidary'
import { openapi } from 'lapidary/openapi'
import { serve, toFetch } from 'lapidary/server'
import { describe, expect, test } from 'vitest'

/** A schema of a library that is not installed here, by the JSON Schema that it gives. */
const foreign = (jsonSchema: JsonSchema): Schema => ({
  '~standard': { version: 1, vendor: 'typebox', validate: (value) => ({ value }), jsonSchema: { input: () => jsonSchema } },
})

const string = { type: 'string' } as const
const treeOf = (reference: string, address: JsonSchema): JsonSchema => ({
  ...address,
  type: 'object',
  properties: { name: string, nodes: { type: 'array', items: { $ref: reference } } },
  required: ['name', 'nodes'],
})
const within = (tree: JsonSchema): JsonSchema => ({ type: 'object', properties: { name: { type: 'integer' }, tree }, required: ['tree'] })

const leaf = { name: 'leaf', nodes: [], secret: 1 }
const root = { name: 'root', nodes: [leaf], secret: 1 }
const written = { name: 'root', nodes: [{ name: 'leaf', nodes: [] }] }

const rows: readonly (readonly [title: string, schema: JsonSchema, value: unknown, expected: unknown])[] = [
  ['a document that contains itself', treeOf('#', {}), root, written],
  ['a definition', { $ref: '#/$defs/Tree', $defs: { Tree: treeOf('#/$defs/Tree', {}) } }, root, written],
  ['a name that is percent-encoded', { $ref: '#/$defs/a%20b', $defs: { 'a b': treeOf('#/$defs/a%20b', {}) } }, root, written],
  ...['100%', 'a%20b', 'a/b', 'a~b', 'a~1b', '%41'].map(
    (name) =>
      [
        `a definition that is named ${name}`,
        { $ref: `#/$defs/${name}`, $defs: { [name]: treeOf(`#/$defs/${name}`, {}) } },
        root,
        written,
      ] as const,
  ),
  ['an anchor of the document', treeOf('#tree', { $anchor: 'tree' }), root, written],
  ['an anchor of a part', within(treeOf('#tree', { $anchor: 'tree' })), { tree: root }, { tree: written }],
  ['a dynamic anchor of a part', within(treeOf('#tree', { $dynamicAnchor: 'tree' })), { tree: root }, { tree: written }],
  ['a document whose $id is no address', treeOf('#', { $id: '#tree' }), root, written],
  ['a part whose $id is no address', within(treeOf('#/properties/tree', { $id: '#tree' })), { tree: root }, { tree: written }],
  [
    'one of two equal parts with one address',
    { ...within(treeOf('T0', { $id: 'T0' })), $defs: { Tree: treeOf('T0', { $id: 'T0' }) } },
    { tree: root },
    { tree: written },
  ],
  ['a document by its address', treeOf('T0', { $id: 'T0' }), root, written],
  ['a part by its address', within(treeOf('T0', { $id: 'T0' })), { tree: root }, { tree: written }],
  ['a part with an address, that contains itself', within(treeOf('#', { $id: 'T0' })), { tree: root }, { tree: written }],
  [
    'an address as seen from another one',
    { $id: 'https://example.org/forest', ...within(treeOf('tree', { $id: '/tree' })) },
    { tree: root },
    { tree: written },
  ],
  [
    'a part of a part with an address',
    within(treeOf('T0#/$defs/Leaf', { $id: 'T0', $defs: { Leaf: treeOf('#', {}) } })),
    { tree: root },
    { tree: written },
  ],
]

describe.each(rows)('%s', (_title, jsonSchema, value, expected) => {
  const one = foreign(jsonSchema)
  const many = list(foreign(jsonSchema))
  const api = { one: endpoint('GET /one', { response: ok(one) }), many: endpoint('GET /many', { response: ok(many) }) }
  const request = toFetch(serve(api, { one: () => value, many: () => [value] }))

  test('is written by the schema that the reference means', async () => {
    const response = await request(new Request('http://localhost/one'))
    expect([response.status, await response.json()]).toEqual([200, expected])
  })

  test('is written in a list', async () => {
    const response = await request(new Request('http://localhost/many'))
    expect([response.status, await response.json()]).toEqual([200, [expected]])
  })

  test('is a merge patch whose items are whole', async () => {
    const patch = {
      set: endpoint('PATCH /', { body: mergePatch(foreign(jsonSchema)), response: ok(foreign({})) }),
    }
    const send = async (body: unknown): Promise<readonly [number, unknown]> => {
      const headers = { 'Content-Type': 'application/merge-patch+json' }
      const url = new Request('http://localhost/', { method: 'PATCH', headers, body: JSON.stringify(body) })
      const response = await toFetch(serve(patch, { set: (input) => input.body }))(url)
      return [response.status, response.status === 200 ? await response.json() : undefined]
    }
    const isNested = Object.hasOwn(Object(value), 'tree')
    const inTree = (part: unknown): unknown => (isNested ? { tree: part } : part)
    expect(await send(value)).toEqual([200, expected])
    expect(await send(inTree({ name: 'other' }))).toEqual([200, inTree({ name: 'other' })])
    expect(await send(inTree({ nodes: [leaf] }))).toEqual([200, inTree({ nodes: [{ name: 'leaf', nodes: [] }] })])
    expect(await send(inTree({ nodes: [{ name: 'leaf' }] }))).toEqual([400, undefined])
    expect(await send(inTree({ nodes: [{ name: 1, nodes: [] }] }))).toEqual([400, undefined])
  })

  test('is a component of the OpenAPI document, which needs no address', async () => {
    const document = JSON.parse(JSON.stringify(await openapi(api, { title: 'Trees', version: '1.0.0' })))
    const { schema } = document.paths['/one'].get.responses['200'].content['application/json']
    const validate = new Ajv2020({ strict: false }).compile({ ...schema, components: document.components })
    expect(validate(expected)).toBe(true)
    expect(validate(JSON.parse(JSON.stringify(expected).replace('"leaf"', '1')))).toBe(false)
    expect(JSON.stringify(document)).not.toMatch(/"\$(id|anchor)"/)
  })
})

test.each([
  ['#/$defs/Missing', { type: 'object', properties: { a: { $ref: '#/$defs/Missing' } } }],
  ['#missing', { type: 'array', items: { $ref: '#missing' } }],
  ['User', { type: 'array', items: { $ref: 'User' } }],
  ['https://example.org/user', { $ref: 'https://example.org/user' }],
  ['#/__proto__', { $ref: '#/__proto__' }],
  ['#/%E0%A4%A', { $ref: '#/%E0%A4%A' }],
  ['#/$defs/a', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
  ['#here', { $recursiveRef: '#here' }],
  ['T0', { $ref: 'T0', $defs: { a: { $id: 'T0', ...string }, b: { $id: 'T0' } } }],
  ['#twice', { $ref: '#twice', $defs: { a: { $anchor: 'twice' }, b: { $anchor: 'twice' } } }],
])('a reference to %s is refused before the first request', (reference, jsonSchema) => {
  const api = { one: endpoint('GET /one', { response: ok(foreign(jsonSchema)) }) }
  expect(() => serve(api, { one: () => null })).toThrow(
    `GET /one: response 200: The JSON Schema of this typebox schema refers to "${reference}", but it contains no such schema.`,
  )
})

test('a reference to a reference is followed', async () => {
  const Item = foreign({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/c' }, c: string } })
  const api = { one: endpoint('GET /one', { response: ok(Item) }) }
  const response = await toFetch(serve(api, { one: () => 'opal' }))(new Request('http://localhost/one'))
  expect(await response.json()).toBe('opal')
})

test('a text in an enum is no address', async () => {
  const Item = foreign({ enum: [{ $id: 'T0' }], $defs: { a: string } })
  const api = { one: endpoint('GET /one', { response: ok(Item) }) }
  const response = await toFetch(serve(api, { one: () => ({ $id: 'T0' }) }))(new Request('http://localhost/one'))
  expect(await response.json()).toEqual({ $id: 'T0' })
})

test.each([
  ['members', { properties: { a: string } }, { a: 'x', secret: 1 }, '{"a":"x"}'],
  ['members, of an array', { properties: { a: string } }, [1], '[1]'],
  ['required members, of a number', { properties: { a: string }, required: ['a'] }, 1, '1'],
  ['items', { items: { type: 'object', properties: { a: string } } }, [{ a: 'x', secret: 1 }], '[{"a":"x"}]'],
  [
    'members of any kind, by a reference to true',
    { properties: { a: { $ref: '#/$defs/any' } }, $defs: { any: true } as never },
    { a: [1], b: 1 },
    '{"a":[1]}',
  ],
  [
    'items of the places of an older draft',
    {
      items: [{ type: 'object', properties: { a: string } }, { $ref: '#/items/0' }] as never,
      additionalItems: { $ref: '#/items/0' } as never,
    },
    [
      { a: 'x', secret: 1 },
      { a: 'y', secret: 1 },
      { a: 'z', secret: 1 },
    ],
    '[{"a":"x"},{"a":"y"},{"a":"z"}]',
  ],
  [
    'a part with an address, in a place of an older draft',
    { items: [{ $id: 'T0', type: 'object', properties: { a: string } }, { $ref: 'T0' }] as never },
    [{ a: 'x' }, { a: 'y', secret: 1 }],
    '[{"a":"x"},{"a":"y"}]',
  ],
  [
    'further members',
    { additionalProperties: { type: 'object', properties: { a: string } } },
    { b: { a: 'x', secret: 1 } },
    '{"b":{"a":"x"}}',
  ],
])('a schema without a type writes its %s', async (_what, jsonSchema, value, text) => {
  const api = { one: endpoint('GET /one', { response: ok(foreign(jsonSchema)) }) }
  const response = await toFetch(serve(api, { one: () => value }))(new Request('http://localhost/one'))
  expect(await response.text()).toBe(text)
})
