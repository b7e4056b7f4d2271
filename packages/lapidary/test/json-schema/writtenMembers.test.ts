/** What a schema allows is written, and nothing else: members by pattern, by index, and of open objects, in the JSON Schema of each library. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { type AnyReply, endpoint, events, type JsonSchema, mergePatch, ndjson, noContent, ok, reply, type Schema } from 'lapidary'
import { serve } from 'lapidary/server'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compileWriter } from '../../src/json-schema/compileWriter.ts'
import { getJsonSchema } from '../../src/json-schema/standardSchema.ts'
import { createWriter } from '../../src/json-schema/writer.ts'

/** A schema of a library that is not installed here, by the JSON Schema that it gives. */
const foreign = (vendor: string, jsonSchema: JsonSchema): Schema => ({
  '~standard': { version: 1, vendor, validate: (value) => ({ value }), jsonSchema: { input: () => ({ ...jsonSchema }) } },
})

const string = { type: 'string' } as const
const number = { type: 'number' } as const
const declaresA = { type: 'object', properties: { a: string }, required: ['a'] } as const
const row = { a: 'x', 'x-b': 1, secret: 2 }
const [all, some, one] = ['{"a":"x","x-b":1,"secret":2}', '{"a":"x","x-b":1}', '{"a":"x"}']

/** An object with a list of such objects. */
const node = (id: string): Schema => {
  const itself: z.ZodType = z
    .object({
      a: z.string(),
      get below() {
        return z.array(itself)
      },
    })
    .meta({ id })
  return itself
}
const nodeOf = (itself: JsonSchema): JsonSchema => ({ type: 'object', properties: { a: string, below: { type: 'array', items: itself } } })
const tree = { a: 'x', secret: 1, below: [{ a: 'y', secret: 2, below: [] }] }
const writtenTree = '{"a":"x","below":[{"a":"y","below":[]}]}'

type Row = readonly [name: string, schema: Schema, value: unknown, text: string]

const rows: readonly Row[] = [
  ['z.object', z.object({ a: z.string() }), row, one],
  ['z.looseObject', z.looseObject({ a: z.string() }), row, all],
  ['z.strictObject', z.strictObject({ a: z.string() }), row, one],
  ['catchall', z.object({ a: z.string() }).catchall(z.number()), row, all],
  ['z.record', z.record(z.string(), z.number()), { b: 1 }, '{"b":1}'],
  ['z.record of an enum', z.partialRecord(z.enum(['a', 'b']), z.number()), { b: 1, c: 2 }, '{"b":1}'],
  ['z.looseRecord', z.looseRecord(z.string().regex(/^x-/), z.number()), row, '{"x-b":1}'],
  [
    'an object and a loose record',
    z.intersection(z.object({ a: z.string() }), z.looseRecord(z.string().regex(/^x-/), z.number())),
    row,
    some,
  ],
  ['z.tuple with a rest', z.tuple([z.string()], z.number()), ['x', 1, 2], '["x",1,2]'],
  ['z.json', z.json(), { a: [{ b: null }] }, '{"a":[{"b":null}]}'],
  [
    'a union with a loose branch',
    z.discriminatedUnion('a', [z.object({ a: z.literal('y') }), z.looseObject({ a: z.literal('x') })]),
    row,
    all,
  ],
  ['an object of ArkType', type({ a: 'string' }), row, one],
  ['object of ArkType', type('object'), row, all],
  ['a member object of ArkType', type({ m: 'object' }), { m: row, n: 1 }, `{"m":${all}}`],
  ['an index signature of ArkType', type({ '[string]': 'number' }), { b: 1 }, '{"b":1}'],
  ['a pattern beside members, of ArkType', type({ a: 'string', '[/^x-/]': 'number' }), row, some],
  ['Valibot: object', foreign('valibot', declaresA), row, one],
  ['Valibot: objectWithRest', foreign('valibot', { ...declaresA, additionalProperties: number }), row, all],
  ['looseObject of Valibot', toStandardJsonSchema(v.looseObject({ a: v.string() })), row, all],
  ['object of Valibot', toStandardJsonSchema(v.object({ a: v.string() })), row, one],
  ['strictObject of Valibot', toStandardJsonSchema(v.strictObject({ a: v.string() })), row, one],
  [
    'a looseObject of Valibot with a title, in a list',
    toStandardJsonSchema(v.array(v.pipe(v.looseObject({ a: v.string() }), v.title('Row')))),
    [row],
    `[${all}]`,
  ],
  [
    'a looseObject of Valibot in a variant',
    toStandardJsonSchema(v.variant('a', [v.object({ a: v.literal('y') }), v.looseObject({ a: v.literal('x') })])),
    row,
    all,
  ],
  [
    'Effect: true as the value of a member',
    foreign('effect', {
      anyOf: [
        { type: 'object', properties: { a: { const: true }, b: number } },
        { type: 'object', properties: { a: { const: false }, c: number } },
      ],
    }),
    { a: false, b: 1, c: 2 },
    '{"a":false,"c":2}',
  ],
  [
    'a union, one branch of which requires a member that is undefined',
    foreign('json-schema', {
      anyOf: [
        { type: 'object', properties: { a: number }, required: ['a'] },
        { type: 'object', properties: { b: number } },
      ],
    }),
    { a: undefined, b: 1 },
    '{"b":1}',
  ],
  ['Joi: object', foreign('joi', { ...declaresA, additionalProperties: false }), row, one],
  ['Joi: unknown', foreign('joi', declaresA), row, all],
  ['Joi: unknown in an array', foreign('joi', { type: 'array', items: declaresA }), [row], `[${all}]`],
  [
    'Joi: pattern, closed and unknown',
    foreign('joi', {
      type: 'object',
      properties: {
        closed: { type: 'object', patternProperties: { '^x-': number }, additionalProperties: false },
        open: { type: 'object', patternProperties: { '^x-': number } },
      },
      additionalProperties: false,
    }),
    { closed: row, open: row },
    `{"closed":{"x-b":1},"open":${all}}`,
  ],
  [
    'Valibot: intersect with a record',
    foreign('valibot', { allOf: [declaresA, { type: 'object', propertyNames: string, additionalProperties: {} }] }),
    row,
    all,
  ],
  ['z.object in itself, whose name has a percent sign', node('100%'), tree, writtenTree],
  ['z.object in itself, whose name looks percent-encoded', node('a%20b'), tree, writtenTree],
  ['z.object in itself, whose name has a slash and a tilde', node('a/~b'), tree, writtenTree],
  [
    'TypeBox: Cyclic, whose reference is an $id',
    foreign('typebox', { $defs: { Node: { ...nodeOf({ $ref: 'Node' }), $id: 'Node' } }, $ref: 'Node' }),
    tree,
    writtenTree,
  ],
  [
    'TypeBox: a member that is Cyclic',
    foreign('typebox', {
      type: 'object',
      properties: { n: { $defs: { Node: { ...nodeOf({ $ref: 'Node' }), $id: 'Node' } }, $ref: 'Node' } },
    }),
    { n: tree },
    `{"n":${writtenTree}}`,
  ],
  [
    'TypeBox: two members that are the same Cyclic',
    foreign('typebox', {
      type: 'object',
      properties: Object.fromEntries(
        ['n', 'm'].map((name) => [name, { $defs: { Node: { ...nodeOf({ $ref: 'Node' }), $id: 'Node' } }, $ref: 'Node' }]),
      ),
    }),
    { n: tree, m: tree },
    `{"n":${writtenTree},"m":${writtenTree}}`,
  ],
  [
    'a reference to an $anchor',
    foreign('plain', { $defs: { Node: { ...nodeOf({ $ref: '#node' }), $anchor: 'node' } }, $ref: '#node' }),
    tree,
    writtenTree,
  ],
  ['TypeBox: Record', foreign('typebox', { type: 'object', patternProperties: { '^.*$': number } }), { b: 1 }, '{"b":1}'],
  ['TypeBox: Record of a pattern', foreign('typebox', { type: 'object', patternProperties: { '^x': number } }), row, '{"x-b":1}'],
  [
    'TypeBox: Intersect, closed',
    foreign('typebox', { allOf: [declaresA, { type: 'object', properties: { 'x-b': number } }], unevaluatedProperties: false }),
    row,
    some,
  ],
  [
    'TypeBox: Intersect, open',
    foreign('typebox', { allOf: [declaresA, { type: 'object', properties: { 'x-b': number } }], unevaluatedProperties: number }),
    row,
    all,
  ],
  [
    'TypeBox: Tuple',
    foreign('typebox', { type: 'array', items: [string], additionalItems: false, minItems: 1 } as unknown as JsonSchema),
    ['x'],
    '["x"]',
  ],
  ['Effect: Struct', foreign('effect', { ...declaresA, additionalProperties: true }), row, one],
  ['Effect: Record', foreign('effect', { type: 'object', additionalProperties: number }), { b: 1 }, '{"b":1}'],
  ['Effect: Record of anything', foreign('effect', { type: 'object' }), row, all],
  [
    'Effect: StructWithRest',
    foreign('effect', { ...declaresA, allOf: [{ type: 'object', additionalProperties: { anyOf: [number, string] } }] }),
    row,
    all,
  ],
  [
    'Effect: Record of a template',
    foreign('effect', { type: 'object', patternProperties: { '^x-': number }, additionalProperties: true }),
    row,
    '{"x-b":1}',
  ],
  ['Effect: Struct without members', foreign('effect', { not: { type: 'null' } }), row, all],
  ['Joi: object', foreign('joi', { type: 'object', properties: { a: string }, additionalProperties: false }), row, one],
  ['Joi: pattern', foreign('joi', { type: 'object', patternProperties: { '^x': number }, additionalProperties: false }), row, '{"x-b":1}'],
  ['Joi: object without keys', foreign('joi', { type: 'object' }), row, all],
  ['names that are restricted', foreign('json-schema', { type: 'object', propertyNames: { maxLength: 6 } }), row, all],
  ['members that are required, not declared', foreign('json-schema', { type: 'object', required: ['a'] }), row, all],
  ['keywords beside a union', foreign('json-schema', { ...declaresA, anyOf: [{ required: ['a'] }, { required: ['b'] }] }), row, one],
  [
    'keywords beside a reference',
    foreign('json-schema', { $ref: '#/$defs/a', properties: { 'x-b': number }, $defs: { a: declaresA } }),
    row,
    '{"x-b":1,"a":"x"}',
  ],
  [
    'a condition',
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    foreign('json-schema', { if: declaresA, then: { properties: { 'x-b': number } }, else: { properties: { secret: number } } }),
    row,
    some,
  ],
  [
    'a schema that depends on a member',
    foreign('json-schema', { ...declaresA, dependentSchemas: { a: { properties: { 'x-b': number } } } }),
    row,
    some,
  ],
  [
    'a branch that asks for an item with a format',
    foreign('json-schema', {
      anyOf: [
        { type: 'array', contains: { properties: { a: { type: 'string', format: 'email' } } }, items: declaresA },
        { type: 'array', items: { type: 'object', properties: { b: number } } },
      ],
    }),
    [row],
    `[${one}]`,
  ],
  ['constants that are objects', foreign('json-schema', { const: { a: 'x', b: 1 } }), { b: 1, a: 'x' }, '{"b":1,"a":"x"}'],
]

test.each(rows)('%s', async (_name, schema, value, text) => {
  const server = serve({ get: endpoint('GET /', { response: ok(schema) }) }, { get: () => value })
  const response = await server.fetch(new Request('http://members.test/'))
  expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text })
  const jsonSchema = getJsonSchema(schema)
  for (const strategy of ['program', 'copy'] as const) expect(compileWriter(jsonSchema, jsonSchema, strategy)(value)).toBe(text)
})

/** Each way that an array is sent as a stream of items, of two items. */
test.each<readonly [string, (item: Schema, items: Schema) => AnyReply, (text: string) => string]>([
  ['an array', (_item, items) => ok(items), (text) => `[${text},${text}]`],
  ['lines', (item) => ok(ndjson(item)), (text) => `${text}\n${text}\n`],
  ['events', (item) => ok(events(item)), (text) => `data: ${text}\n\ndata: ${text}\n\n`],
])('the items of a stream are written by their schema, which may refer to its document: %s', async (name, response, expected) => {
  const $defs = { node: { ...nodeOf({ $ref: '#/$defs/node' }), required: ['a', 'below'] } }
  const item = foreign('json-schema', { $ref: '#/$defs/node', $defs })
  const items = foreign('json-schema', { type: 'array', items: { $ref: '#/$defs/node' }, $defs })
  async function* produce(): AsyncGenerator<unknown> {
    for (let count = 0; count < 2; count += 1) yield name === 'events' ? { data: tree } : tree
  }
  const server = serve({ get: endpoint('GET /', { response: response(item, items) }) }, { get: () => produce() })
  const sent = await server.fetch(new Request('http://members.test/'))
  expect(await sent.text()).toBe(expected(writtenTree))
})

test.each(['program', 'copy'] as const)('the compiled writer of a part finds what the part refers to: %s', (strategy) => {
  const root: JsonSchema = { $defs: { point: { type: 'object', properties: { x: number, y: string }, required: ['x', 'y'] } } }
  const part: JsonSchema = { type: 'array', items: { $ref: '#/$defs/point' } }
  const write = compileWriter(part, root, strategy, () => 'general')
  expect(write([{ x: 1, y: 'a' }])).toBe('[{"x":1,"y":"a"}]')
})

test.each<readonly [string, JsonSchema, unknown]>([
  ['a member of a pattern with the wrong type', { type: 'object', patternProperties: { '^x': number } }, { x: 'text' }],
  ['a value of a schema that allows none', { not: {} }, 1],
  ['a Date as an object', { type: 'object' }, new Date(0)],
  ['another constant', { const: { a: 1 } }, { a: 2 }],
  ['a required member that is missing from a part', { allOf: [declaresA, { type: 'object', required: ['b'] }] }, { a: 'x' }],
  [
    'a hole in a list of two parts',
    { allOf: [{ type: 'array', items: number }, { minItems: 1 }] },
    Object.assign([1, 2, 3], { length: 4 }),
  ],
  ['a hole in a list of a part without items', { allOf: [{ type: 'array' }] }, new Array(2)],
  [
    'a hole behind the tuple of a part',
    { allOf: [{ type: 'array', prefixItems: [number], items: false }] },
    Object.assign([1], { length: 2 }),
  ],
  ['an item behind the tuple of a part', { allOf: [{ type: 'array', prefixItems: [number], items: false }] }, [1, 2]],
  ['an item behind the tuple of one of two parts', { allOf: [{ prefixItems: [number], items: false }, { items: number }] }, [1, 2]],
])('%s is not written', (_name, jsonSchema, value) => {
  const write = createWriter(jsonSchema)
  expect(() => write(value)).toThrow(TypeError)
  for (const strategy of ['program', 'copy'] as const)
    expect(() => compileWriter(jsonSchema, jsonSchema, strategy)(value)).toThrow(TypeError)
})

test.each<readonly [string, JsonSchema]>([
  ['a part that is not there', { type: 'object', properties: { a: { $ref: '#/$defs/lost' } } }],
  ['another document', { type: 'array', items: { $ref: 'https://example.org/user.json' } }],
  ['two different parts', { $ref: 'a', $defs: { a: { $id: 'a', type: 'string' }, b: { $id: 'a', type: 'object' } } }],
  ['itself', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' }],
  ['a part that is not there, behind a reference', { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#lost' }] } } }],
  ['a part that the program finds', { $dynamicRef: '#node', $defs: { node: { $dynamicAnchor: 'node' } } }],
])('a response whose schema refers to %s is refused, since nothing says what is written', (_name, jsonSchema) => {
  const schema = foreign('json-schema', jsonSchema)
  const refused =
    /^GET \/: (response 200|error 409): The JSON Schema of this json-schema schema refers to ".*", but it contains no such schema/
  expect(() => serve({ get: endpoint('GET /', { response: ok(schema) }) }, { get: () => ({}) })).toThrow(refused)
  const api = { get: endpoint('GET /', { response: noContent, errors: [reply(409, schema)] }) }
  expect(() => serve(api, { get: () => {} })).toThrow(refused)
  expect(() => serve({ change: endpoint('PATCH /', { body: mergePatch(schema), response: noContent }) }, { change: () => {} })).toThrow(
    /^PATCH \/: body: .*refers to/,
  )
})

describe('a handler of a merge patch', () => {
  const patch = async (schema: Schema<object>, body: unknown): Promise<unknown> => {
    let got: unknown
    const server = serve(
      { change: endpoint('PATCH /', { body: mergePatch(schema), response: noContent }) },
      {
        change: ({ body: change }) => {
          got = change
        },
      },
    )
    const headers = { 'Content-Type': 'application/merge-patch+json' }
    const response = await server.fetch(new Request('http://members.test/', { method: 'PATCH', headers, body: JSON.stringify(body) }))
    return response.status === 204 ? got : response.status
  }

  test('gets declared members alone, at every level', async () => {
    const User = z.object({ name: z.string(), at: z.object({ city: z.string() }).optional() })
    expect(await patch(User, { name: 'Ann', isAdmin: true, at: { city: 'Ulm', secret: 1 } })).toEqual({ name: 'Ann', at: { city: 'Ulm' } })
    expect(await patch(User, JSON.parse('{"at":null,"__proto__":{"isAdmin":true}}'))).toEqual({ at: null })
  })

  test('gets members by pattern beside a closed rest', async () => {
    const closed = { type: 'object', patternProperties: { '^x': number }, additionalProperties: false } as const
    expect(await patch(foreign('joi', closed) as Schema<object>, { x: 1 })).toEqual({ x: 1 })
    expect(await patch(foreign('joi', closed) as Schema<object>, { y: 1 })).toBe(400)
  })

  test('gets what an open schema allows', async () => {
    expect(await patch(z.looseObject({ name: z.string() }), { other: { a: 1 } })).toEqual({ other: { a: 1 } })
    expect(await patch(z.record(z.string(), z.number()), { a: 1, b: null })).toEqual({ a: 1, b: null })
    expect(await patch(z.looseRecord(z.string().regex(/^x/), z.number()), { x: 1, xy: null, other: 2 })).toEqual({ x: 1, xy: null })
    expect(await patch(z.looseRecord(z.string().regex(/^x/), z.number()), { x: 'text' })).toBe(400)
  })
})
