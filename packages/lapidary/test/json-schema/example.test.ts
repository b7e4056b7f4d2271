/** The example of a JSON Schema is a value that the schema allows. */
import { runInNewContext } from 'node:vm'
import { diff, manifest, mock } from '@lapidary/testing'
import { type } from 'arktype'
import fc from 'fast-check'
import { content, endpoint, html, json, list, mediaType, mergePatch, ndjson, ok } from 'lapidary'
import { createExample, markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { getJsonSchema } from '../../src/json-schema/standardSchema.ts'
import { samples } from '../support/samples.ts'

interface Tree {
  name: string
  children: Tree[]
  parent?: Tree | undefined
}
const Tree: z.ZodType<Tree, Tree> = z.object({
  name: z.string(),
  get children() {
    return z.array(Tree)
  },
  get parent() {
    return Tree.optional()
  },
})
type Expression = { plus: [Expression, Expression] } | { value: number }
const Expression: z.ZodType<Expression, Expression> = z.lazy(() =>
  z.union([z.object({ plus: z.tuple([Expression, Expression]) }), z.object({ value: z.number() })]),
)

const integers = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 0, max: 90 })).chain(([low, width]) =>
  fc.constantFrom(
    z
      .int()
      .min(low)
      .max(low + width),
    z
      .int()
      .gt(low)
      .lt(low + width + 2),
    z.int().min(low),
    z.int().lt(low),
  ),
)
const numbers = fc.tuple(fc.integer({ min: -500, max: 500 }), fc.integer({ min: 1, max: 90 })).chain(([low, width]) =>
  fc.constantFrom(
    z
      .number()
      .gt(low)
      .lt(low + width),
    z
      .number()
      .gte(low)
      .lt(low + width),
    z.number().gt(low),
    z.number().multipleOf(width).gt(low),
  ),
)
const texts = fc.tuple(fc.nat(40), fc.nat(40)).chain(([least, more]) =>
  fc.constantFrom(
    z
      .string()
      .min(least)
      .max(least + more),
    z.string().min(least),
    z.string().max(least),
  ),
)
const formats = fc.constantFrom(
  z.email(),
  z.url(),
  z.uuid(),
  z.iso.date(),
  z.iso.datetime(),
  z.iso.time(),
  z.iso.duration(),
  z.ipv4(),
  z.ipv6(),
  z.cidrv4(),
  z.cidrv6(),
  z.base64(),
  z.base64url(),
  z.e164(),
  z.guid(),
)
const others = fc.constantFrom(
  z.boolean(),
  z.null(),
  z.unknown(),
  z.json(),
  z.literal('a'),
  z.literal([7, 'b']),
  z.enum(['red', 'blue']),
  z
    .string()
    .regex(/^[A-Z]{2}$/)
    .meta({ examples: ['GB', 'FR'] }),
  z.string().default('given'),
  Tree,
  Expression,
)

const schemas = fc.letrec<{ any: z.ZodType }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    integers,
    numbers,
    texts,
    formats,
    others,
    fc.dictionary(fc.stringMatching(/^[a-z_]{1,6}$/), tie('any'), { maxKeys: 4 }).map((shape) => z.object(shape)),
    fc.dictionary(fc.stringMatching(/^[a-z_]{1,6}$/), tie('any'), { maxKeys: 4 }).map((shape) => z.looseObject(shape).partial()),
    fc.tuple(tie('any'), fc.nat(3), fc.nat(3)).map(([item, least, more]) =>
      z
        .array(item)
        .min(least)
        .max(least + more),
    ),
    fc.tuple(tie('any'), tie('any')).map(([one, other]) => z.tuple([one, other])),
    fc.tuple(tie('any'), tie('any')).map(([one, rest]) => z.tuple([one, one.optional()]).rest(rest)),
    fc.tuple(tie('any'), tie('any')).map((branches) => z.union(branches)),
    tie('any').map((schema) => schema.nullable()),
    tie('any').map((item) => z.record(z.string(), item)),
    tie('any').map((item) => z.record(z.enum(['a', 'b']), item)),
    tie('any').map((item) => z.object({ one: item }).and(z.object({ other: z.int() }))),
    tie('any').map((item) => z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), item }), z.object({ kind: z.literal('b') })])),
  ),
})).any

test('an example of a schema validates against the schema', () => {
  fc.assert(
    fc.property(schemas, (schema) => {
      const example = createExample(getJsonSchema(schema))
      expect(schema.safeParse(example).error, JSON.stringify(example)).toBeUndefined()
    }),
    { numRuns: samples(1_000) },
  )
})

test.each([/^\d{3}-\d{4}$/, /^[\w-.]+@[\w-.]+\.de$/, /^_a{2,}\/:$/])(
  'a pattern that only reads without the flag u has an example: %s',
  async (pattern) => {
    const schema = z.object({ code: z.string().regex(pattern), 'of-record': z.looseRecord(z.string().regex(pattern), z.int()).optional() })
    expect(schema.safeParse(createExample(getJsonSchema(schema)))).toMatchObject({ success: true })
    const api = { put: endpoint('PUT /', { body: schema, response: ok(schema) }) }
    expect(markdown(await outline(api))).toContain('"code":')
    expect((await openapi(api, { title: 'Codes', version: '1' })).paths).toHaveProperty('/')
    // A mock answers with a value of the pattern, and diff and mergePatch keep to it.
    const { fetch } = mock(api)
    const put = (body: unknown): Promise<Response> =>
      fetch(
        new Request('http://codes.test/', { method: 'PUT', body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
      )
    const response = await put(createExample(getJsonSchema(schema)))
    expect(response.status).toBe(200)
    expect(schema.safeParse(await response.json())).toMatchObject({ success: true })
    const patched = await mergePatch(schema).schema?.['~standard'].validate({ code: '?' })
    expect(patched).toMatchObject({ issues: [{ path: ['code'] }] })
    const next = manifest({ put: endpoint('PUT /', { body: z.object({ code: z.string() }), response: ok(schema) }) })
    expect(diff(next, manifest(api)).filter(({ place }) => place === 'body /code')).toMatchObject([{ clients: 'breaking' }])
  },
)

test.each<[pattern: RegExp, minLength: number]>([
  [/^\d{2,4}$/, 4],
  [/^(?:ab){0,2}$/, 4],
])('the example of a pattern repeats a part as often as it can, where a shorter one is too short: %s', (pattern, minLength) => {
  const example = createExample({ type: 'string', pattern: pattern.source, minLength })
  expect([pattern.test(String(example)), String(example).length]).toEqual([true, minLength])
})

test.each([/^([\w.]+\s?)*!$/, /^(\w+[.-]?)+#$/, /^(?:(?:[\w.]+)*;){2}$/])(
  'the example of a pattern with a repetition within a repetition is found at once: %s',
  (pattern) => {
    // On a text that does not match, JavaScript tries such a pattern for ever.
    const make = (): unknown => createExample({ type: 'string', pattern: pattern.source, minLength: 40 })
    expect(runInNewContext('make()', { make }, { timeout: 3_000 })).toMatch(pattern)
  },
)

test('a pattern of a thousand million characters is left at once', () => {
  const make = (): unknown => createExample({ type: 'string', pattern: '^(?:(?:q{999}){999}){999}$' })
  expect(runInNewContext('make()', { make }, { timeout: 3_000 })).toBe('text')
})

test('an example of a list with recursive items validates, too', () => {
  const example = createExample(getJsonSchema(list(Tree)))
  expect(example).toEqual([{ name: 'text', children: [] }])
})

test.each([
  ['its own examples', { type: 'string', examples: ['one', 'two'], default: 'three' }, 'one'],
  ['its default', { type: 'integer', default: 7 }, 7],
  ['a null default', { type: ['null', 'string'], default: null }, null],
  ['its type, if its default has another', { type: 'string', default: 7 }, 'text'],
  ['a constant', { const: 'fixed' }, 'fixed'],
  ['a constant null', { const: null }, null],
  ['the first value of its enumeration', { enum: [false, true] }, false],
  ['examples beside a reference', { $ref: '#/$defs/word', examples: ['near'], $defs: { word: { type: 'string' } } }, 'near'],
  ['the example of the referenced schema', { $ref: '#/$defs/word', $defs: { word: { type: 'string', examples: ['far'] } } }, 'far'],
  [
    'the members of all parts',
    { allOf: [{ properties: { a: { type: 'null' } } }, { properties: { b: { type: 'boolean' } } }] },
    { a: null, b: true },
  ],
  ['the bounds of all parts', { type: 'string', allOf: [{ minLength: 6 }, { maxLength: 6 }] }, 'textte'],
  [
    'its own members, and those of its parts',
    { properties: { a: { type: 'null' } }, allOf: [{ properties: { b: { type: 'boolean' } } }] },
    { a: null, b: true },
  ],
  ['the third alternative of its pattern', { pattern: '^(?:aq|bq|cccq)$', minLength: 4 }, 'cccq'],
  ['a text of a pattern that looks back', { pattern: '^(?<!x)qz$' }, 'qz'],
  ['a text of a pattern that looks for words', { pattern: '^\\bqz\\b$' }, 'qz'],
  ['the plainest text of its pattern', { pattern: '^\\dq[abc]+$' }, '1qa'],
  ['a default beside a reference', { $ref: '#/$defs/word', default: 'near', $defs: { word: { type: 'string', default: 'far' } } }, 'near'],
  ['the patterns of all parts, in reverse', { allOf: [{ pattern: 'cq$' }, { pattern: 'bq' }, { pattern: '^aq' }] }, 'aqbqcq'],
  ['the patterns of all parts, the last one first', { allOf: [{ pattern: 'bq' }, { pattern: 'cq$' }, { pattern: '^aq' }] }, 'aqbqcq'],
  ['a text of its pattern that is short enough', { type: 'string', pattern: '@', maxLength: 5 }, '@'],
  [
    'optional members behind three references at most, and items where they are needed',
    {
      $ref: '#/$defs/a',
      $defs: {
        a: { properties: { b: { $ref: '#/$defs/b' } } },
        b: { properties: { c: { $ref: '#/$defs/c' } } },
        c: { properties: { d: { $ref: '#/$defs/d' } } },
        d: {
          properties: { e: { type: 'null' }, f: { type: 'null' }, list: { type: 'array', items: { type: 'null' } } },
          required: ['e', 'list'],
        },
      },
    },
    { b: { c: { d: { e: null, list: [] } } } },
  ],
  ['the patterns of all parts', { type: 'string', allOf: [{ pattern: '^a.' }, { pattern: '.b$' }] }, 'ab'],
  ['42', { type: 'number' }, 42],
  ['its minimum', { type: 'integer', minimum: 42.5 }, 43],
  ['its maximum', { type: 'integer', maximum: 9 }, 9],
  ['what is above an exclusive minimum', { type: 'integer', exclusiveMinimum: 42 }, 43],
  ['what is below an exclusive maximum', { type: 'integer', exclusiveMaximum: 42 }, 41],
  ['a number above an exclusive minimum', { exclusiveMinimum: 42, type: 'number' }, 43],
  ['a number below an exclusive maximum', { exclusiveMaximum: 42, type: 'number' }, 41],
  ['a number between two exclusive bounds', { exclusiveMinimum: 41.5, exclusiveMaximum: 42, type: 'number' }, 41.75],
  ['a number between two exclusive bounds above', { exclusiveMinimum: 42, exclusiveMaximum: 42.5, type: 'number' }, 42.25],
  ['a multiple', { type: 'number', multipleOf: 5 }, 40],
  ['a multiple above its minimum', { type: 'integer', multipleOf: 5, minimum: 41 }, 45],
  ['a multiple above an exclusive minimum', { type: 'integer', multipleOf: 5, exclusiveMinimum: 45 }, 50],
  ['a multiple below an exclusive maximum', { type: 'integer', multipleOf: 5, exclusiveMaximum: 40 }, 35],
  ['a text that is long enough', { type: 'string', minLength: 6 }, 'textte'],
  ['a text that is short enough', { type: 'string', maxLength: 3 }, 'tex'],
  ['a text in capitals, if its pattern asks for them', { type: 'string', pattern: '^[A-Z]+$' }, 'TEXT'],
  ['a text behind its pattern', { type: 'string', pattern: '^x', minLength: 6 }, 'xtextt'],
  ['a text before its pattern', { type: 'string', pattern: 'x!$', minLength: 6 }, 'textx!'],
  ['no items, if none are allowed', { type: 'array', items: { type: 'null' }, maxItems: 0 }, []],
  ['as many items as it needs', { type: 'array', items: { type: 'null' }, minItems: 2 }, [null, null]],
  ['an item in each place', { type: 'array', prefixItems: [{ type: 'null' }, { type: 'boolean' }] }, [null, true]],
  [
    'a member of a record, whose name is one of its names',
    { type: 'object', additionalProperties: { type: 'null' }, propertyNames: { pattern: '^k' } },
    { k: null },
  ],
  [
    'no further member beside those that it names',
    { type: 'object', properties: { a: { not: {} } }, additionalProperties: { type: 'null' } },
    {},
  ],
  ['a required member that it does not name', { type: 'object', required: ['a'] }, { a: 'text' }],
  ['the first branch that has a value', { anyOf: [{ not: {} }, { type: 'null' }] }, null],
  ['a member named __proto__', JSON.parse('{"properties":{"__proto__":{"type":"integer"}}}'), JSON.parse('{"__proto__":42}')],
])('an example has %s', (_what, schema, example) => {
  expect(createExample(schema)).toStrictEqual(example)
})

test.each([
  ['that allows nothing', { not: {} }],
  ['that requires itself', { type: 'object', properties: { self: { $ref: '#' } }, required: ['self'] }],
  ['that is a part of itself', { type: 'string', allOf: [{ $ref: '#' }] }],
  ['that needs items and allows none', { type: 'array', items: false, minItems: 1 }],
  ['that requires a member that allows nothing', { type: 'object', properties: { a: { not: {} } }, required: ['a'] }],
  ['one part of which allows nothing', { allOf: [{ properties: { a: { type: 'null' } } }, { not: {} }] }],
  ['with a condition on any value', { not: { type: 'string' } }],
])('a schema %s has no example', (_what, schema) => {
  expect(createExample(schema)).toBeUndefined()
})

test('examples of schemas that all refer to one another are small', () => {
  const names = Array.from({ length: 12 }, (_, index) => `r${index}`)
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]))
  const $defs = Object.fromEntries(names.map((name) => [name, { type: 'object', properties }]))
  expect(JSON.stringify(createExample({ $ref: '#/$defs/r0', $defs })).length).toBeLessThan(200_000)
})

test('a schema of another library has examples too', () => {
  const Job = type({ task: 'string > 5', 'urgent?': 'boolean', times: '1 < number < 2', on: "'monday' | 'friday'" })
  expect(Job(createExample(getJsonSchema(Job)))).not.toBeInstanceOf(type.errors)
})

test.each([
  ['a text of a thousand million characters', { type: 'string', minLength: 1e9 }],
  ['an array of a hundred million items', { type: 'array', minItems: 1e8, items: { type: 'integer' } }],
  ['ten thousand arrays of ten thousand items', { type: 'array', minItems: 1e4, items: { type: 'array', minItems: 1e4 } }],
  ['ten thousand texts of ten thousand characters', { type: 'array', minItems: 1e4, items: { type: 'string', minLength: 1e4 } }],
  ['a union beside another one and beside parts', { allOf: [{ multipleOf: 2 }], anyOf: [{ multipleOf: 3 }], oneOf: [{ multipleOf: 5 }] }],
])('%s is no example', (_what, schema) => {
  expect(createExample(schema)).toBeUndefined()
})

test('lines of lists have an example and a mocked value, each line a list', async () => {
  const one = endpoint('GET /', { response: ok(ndjson(z.array(z.int()))) })
  const { sections } = await outline({ one })
  expect(sections[0]?.responses[0]?.encodings[0]?.examples).toMatchObject([{ text: '[42]\n', base64: false }])
  const { paths } = await openapi({ one }, { title: 'Lists', version: '1' })
  expect(Object(paths['/']?.get?.responses['200']).content['application/x-ndjson'].example).toBe('[42]\n')
  const response = await mock({ one }, { seed: 1 }).fetch(new Request('http://test.invalid/'))
  const lines = (await response.text()).trimEnd().split('\n')
  expect([response.status, lines.length > 0, lines.map((line) => Array.isArray(JSON.parse(line)))]).toEqual([
    200,
    true,
    lines.map(() => true),
  ])
})

test('a list in pieces, a page of it and the list itself have the example of the list', async () => {
  async function* writeLines(all: readonly number[]) {
    for (const one of all) yield `${typeof one} ${one}\n`
  }
  const csv = mediaType<readonly number[]>({ types: ['text/csv'], writer: () => writeLines })
  const page = html<readonly number[]>((all) => `<p>${typeof all[0]} ${all.join()}`)
  const one = endpoint('GET /', { response: ok(content(list(z.int()), csv, page, json)) })
  const { sections } = await outline({ one })
  expect(sections[0]?.responses[0]?.encodings.map(({ examples }) => examples.map(({ text }) => text))).toEqual([
    ['number 42\n'],
    ['<p>number 42'],
    ['[42]'],
  ])
})

test('a parameter whose schema refuses what its JSON Schema allows has no example', async () => {
  const query = { any: z.string(), odd: z.string().refine((text) => text === 'x') }
  const { sections } = await outline({ one: endpoint('GET /', { query, response: ok(json) }) })
  expect(sections[0]?.query.map(({ examples }) => examples)).toEqual([['text'], []])
})
