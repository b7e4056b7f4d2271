/** Manifests that the toolkit did not create: any of them is compared soon, or rejected with one sentence. */

import { runInNewContext } from 'node:vm'
import { type ApiManifest, diff, formatDiff, manifest } from '@lapidary/testing'
import { endpoint, ok } from 'lapidary'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'
import { diffWithin } from '../../src/diff/diff.ts'
import type { EndpointManifest } from '../../src/diff/manifest.ts'

const plain = manifest({ one: endpoint('POST /one', { body: z.object({ a: z.string() }), response: ok(z.object({ a: z.string() })) }) })
const one = plain.endpoints['one']
if (one?.body === null || one?.body === undefined) throw new Error('There is no body.')
const { body } = one

const withSchema = (schema: unknown): ApiManifest => ({
  ...plain,
  endpoints: { one: { ...one, body: { ...body, schema: schema as JsonSchema } } },
})

/** From JSON, since only there a member of this name is one. */
const parsed = (text: string): never => JSON.parse(text) as never

/** Each definition leads to the next by so many ways. */
const chain = (length: number, ways: (next: JsonSchema) => JsonSchema, last: JsonSchema): JsonSchema => ({
  $ref: '#/$defs/d0',
  $defs: Object.fromEntries(
    Array.from({ length: length + 1 }, (_, at) => [`d${at}`, at === length ? last : ways({ $ref: `#/$defs/d${at + 1}` })]),
  ),
})
const arrays = (depth: number, inner: JsonSchema): JsonSchema => (depth === 0 ? inner : { type: 'array', items: arrays(depth - 1, inner) })
const nested = (depth: number): unknown => parsed(`${'{"items":'.repeat(depth)}{}${'}'.repeat(depth)}`)

const members = (next: JsonSchema): JsonSchema => ({ type: 'object', properties: { l: next, m: next, r: next }, required: ['l', 'm', 'r'] })
const optional = (next: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`m${at}`, next])),
})
const items = (next: JsonSchema): JsonSchema => ({ type: 'array', items: next, minItems: 50 })
const unions = (next: JsonSchema): JsonSchema => ({
  anyOf: [
    { type: 'object', properties: { l: next } },
    { type: 'array', items: next },
    { type: 'object', properties: { r: next } },
  ],
})
const union = (count: number, more: Record<string, JsonSchema>): JsonSchema => ({
  oneOf: Array.from({ length: count }, (_, at) => ({
    type: 'object',
    properties: { [`p${at}`]: { type: 'integer', maximum: at }, ...more },
  })),
})
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `name ${at}`)

/** Two that have much to be compared. */
const large: Readonly<Record<string, () => readonly [JsonSchema, JsonSchema]>> = {
  'members that lead to the same': () => [chain(40, members, { type: 'integer' }), chain(40, members, { type: 'number' })],
  'many optional members': () => [chain(40, optional, { type: 'integer' }), chain(40, optional, { type: 'string' })],
  'lists within lists': () => [chain(40, items, { type: 'integer' }), chain(40, items, { type: 'string' })],
  'unions within unions': () => [chain(12, unions, { type: 'integer' }), chain(12, unions, { type: 'string' })],
  'many parts that differ': () => [union(300, {}), union(300, { x: { type: 'string' } })],
  'many names': () => [{ enum: names(50_000) }, { enum: names(50_001) }],
  // As arguments of one call they would end the stack.
  'more names than a call can have arguments': () => [{ enum: names(200_000) }, { enum: names(200_001).slice(1) }],
  'as many examples': () => [
    { type: 'string', examples: names(200_000) },
    { type: 'string', examples: names(200_000), maxLength: 8 },
  ],
  'texts that are long': () => [
    { type: 'string', minLength: 1e9 },
    { type: 'string', minLength: 2e9 },
  ],
  'lists that are long': () => [
    { type: 'array', items: { type: 'string' }, minItems: 1e9 },
    { type: 'array', items: { type: 'string' }, minItems: 2e9 },
  ],
  'arrays within arrays': () => [arrays(90, { type: 'string' }), arrays(90, { type: 'integer' })],
  'a schema that contains itself in many places': () => [
    parsed(
      '{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n"}},"required":["a","b"]},{"type":"array","items":{"$ref":"#/$defs/n"}},{"type":"integer"}]}}}',
    ),
    parsed(
      '{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"$ref":"#/$defs/n"}},"required":["a","b"]},{"type":"array","items":{"$ref":"#/$defs/n"}},{"type":"integer","maximum":9}]}}}',
    ),
  ],
}

/** A comparison may take five seconds of the processor: here it is a quarter of one. `SAMPLES=whole` waits for all of them. */
function hurryClock(): void {
  if (process.env['SAMPLES'] === 'whole') return
  const readTime = process.cpuUsage.bind(process)
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => {
    const { user, system } = readTime()
    return { user: 20 * user, system: 20 * system }
  })
  onTestFinished(() => void vi.restoreAllMocks())
}

describe('a comparison ends soon:', () => {
  test.each(Object.entries(large))(
    '%s',
    (_, make) => {
      const [old, now] = make()
      hurryClock()
      const before = process.memoryUsage().rss
      const changes = diff(withSchema(old), withSchema(now))
      expect(changes.length).toBeGreaterThan(0)
      // What cannot be found out in so many steps is not called safe.
      expect(changes.every(({ clients, servers }) => clients !== 'safe' || servers !== 'safe')).toBe(true)
      expect(process.memoryUsage().rss - before).toBeLessThan(600e6)
    },
    60_000,
  )

  test('many endpoints', () => {
    const many = (path: (at: number) => string): ApiManifest => ({
      ...plain,
      endpoints: Object.fromEntries(names(2_000).map((name, at) => [name, { ...one, path: path(at) }])),
    })
    expect(
      diff(
        many((at) => `/a/${at}`),
        many((at) => `/b/${at}`),
      ),
    ).toHaveLength(2_000)
  }, 60_000)
})

const refused: readonly (readonly [sentence: string, schema: () => unknown, message: RegExp])[] = [
  ['very deep nesting', () => nested(100_000), /at most 200 levels/],
  ['a reference to itself', () => ({ $ref: '#' }), /references that end after at most 200 steps/],
  [
    'a schema that is a part of itself',
    () => ({ anyOf: [{ $ref: '#' }, { type: 'string' }] }),
    /references that end after at most 200 steps/,
  ],
  ['a chain of references', () => chain(20_000, (next) => next, {}), /references that end after at most 200 steps/],
  ['parts that double', () => chain(40, (next) => ({ allOf: [next, next] }), {}), /at most 5000 parts about one value/],
  [
    'a bound that is not a number',
    () => ({ minimum: '1' }),
    /at "one body schema minimum" is not valid: expected a value of the type that JSON Schema names/,
  ],
  [
    'members that are not schemas',
    () => ({ properties: { a: 5 } }),
    /at "one body schema properties a" is not valid: expected a JSON Schema/,
  ],
  [
    'required that is not a list',
    () => ({ required: { a: true } }),
    /required" is not valid: expected a value of the type that JSON Schema names/,
  ],
]

test.each(refused)('%s is rejected with one sentence', (_, schema, message) => {
  expect(() => diff(withSchema(schema()), plain)).toThrow(message)
  expect(() => diff(plain, withSchema(schema()))).toThrow(TypeError)
})

test.each([
  ['no list of errors', { ...one, errors: {} }],
  ['no query', { ...one, query: null }],
  ['a parameter without a schema', { ...one, query: { a: { codec: 'text', required: true, repeats: false } } }],
  ['a path that is not a text', { ...one, path: 5 }],
  ['media types without names', { ...one, body: { ...body, media: [{}] } }],
])('an endpoint with %s is rejected with one sentence', (_, broken) => {
  expect(() => diff({ ...plain, endpoints: { one: broken as never } }, plain)).toThrow(/^The manifest at "one.* is not valid/)
})

test('a regular expression that backtracks for ever ends a comparison, and the next one has all its steps', () => {
  const word = withSchema({ type: 'string', enum: [`${'a'.repeat(50)}!`] })
  const slow = withSchema({ type: 'string', pattern: '^(a+)+$' })
  const [before, after] = [chain(6, members, { type: 'integer' }), chain(6, members, { type: 'number' })].map(withSchema) as [
    ApiManifest,
    ApiManifest,
  ]
  const expected = diff(before, after)
  // The guard around it ends a test that would never end.
  const work = (): unknown => diffWithin(200, word, slow)
  expect(() => runInNewContext('work()', { work }, { timeout: 5_000 })).toThrow(
    'The comparison took longer than 0.2 s and was stopped: a schema of one version is too complex to compare.',
  )
  expect(diff(before, after)).toEqual(expected)
})

test('a change without a witness is left where the search for one does not end', () => {
  const slow = withSchema({ type: 'string', pattern: '^(a+)+$', examples: [`${'a'.repeat(50)}!`] })
  const query = { a: { codec: 'text', required: true, repeats: false, schema: { type: 'string' } } }
  const { one: endpoint } = slow.endpoints as Readonly<Record<'one', EndpointManifest>>
  const work = (): unknown => diffWithin(200, slow, { ...slow, endpoints: { one: { ...endpoint, query } } })
  const [change, ...more] = runInNewContext('work()', { work }, { timeout: 5_000 })
  expect(more).toEqual([])
  expect(change).toMatchObject({ place: 'query a', clients: 'breaking' })
  expect(change).not.toHaveProperty('witness')
})

test('a member with the name of an inherited one is an ordinary member', () => {
  const parameter = (name: string): ApiManifest => ({
    ...plain,
    endpoints: {
      one: { ...one, query: parsed(`{"${name}":{"codec":"text","required":true,"repeats":false,"schema":{"type":"string"}}}`) },
    },
  })
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    expect(diff(plain, parameter(name))).toMatchObject([
      { place: `query ${name}`, change: 'added', clients: 'breaking', servers: 'unknown' },
    ])
    const [before, after] = [
      { type: 'object', properties: {} },
      parsed(`{"type":"object","properties":{"${name}":{"type":"string"}},"required":["${name}"]}`),
    ]
    expect(diff(withSchema(before), withSchema(after))).toMatchObject([{ place: `body /${name}`, change: 'added', clients: 'breaking' }])
    expect(diff(withSchema({ $ref: `#/${name}` }), withSchema({ type: 'integer' }))).toMatchObject([{ clients: 'unknown' }])
  }
  expect(Object.hasOwn(Object.prototype, 'codec')).toBe(false)
})

test('the text of a manifest cannot control a terminal', () => {
  const evil = '\u001b[2J\u009b31m\u202eevil\u200f\r\n\u0007'
  const old: ApiManifest = {
    ...plain,
    endpoints: { [`one${evil}`]: { ...one, query: { [evil]: { codec: 'text', required: true, repeats: false, schema: {} } } } },
  }
  const text = formatDiff(diff(plain, old), { colors: true })
  expect(text).toContain('\\u001b[2J\\u009b31m\\u202eevil\\u200f\\u000d\\u000a\\u0007')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  expect(text.replace(/\u001b\[\d*m/g, '')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u200e\u200f]/)
})
