/** What the toolkit says of a value that does not fit its JSON Schema: where, what is expected there, and what came. */
import { type } from 'arktype'
import { endpoint, type JsonSchema, list, mergePatch, noContent, ok, type Schema } from 'lapidary'
import { serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

type Path = readonly PropertyKey[]

/** A schema of an unknown library: it rejects every value, at these places. */
const rejecting = (jsonSchema: JsonSchema, paths: readonly Path[]): Schema => ({
  '~standard': {
    version: 1,
    vendor: 'foreign',
    validate: () => ({ issues: paths.map((path) => ({ message: 'no', path })) }),
    jsonSchema: { input: () => jsonSchema },
  },
})

/** The errors of a request with this body: the pointer and the sentence of each; none where it is served. */
async function errorsOf(method: 'PATCH' | 'POST', body: Schema, value: unknown): Promise<readonly (readonly [unknown, unknown])[]> {
  const patch = method === 'PATCH'
  const api = {
    one: patch ? endpoint('PATCH /', { body: mergePatch(body), response: noContent }) : endpoint('POST /', { body, response: noContent }),
  }
  const server = serve(api, { one: () => {} })
  const headers = { 'Content-Type': patch ? 'application/merge-patch+json' : 'application/json' }
  const response = await server.fetch(new Request('http://test.invalid/', { method, headers, body: JSON.stringify(value) }))
  const { errors = [] } = (response.status === 204 ? {} : await response.json()) as { errors?: readonly Record<string, unknown>[] }
  expect(response.status).toBe(errors.length === 0 ? 204 : 400)
  return errors.map(({ pointer, detail }) => [pointer, detail])
}

const text = { type: 'string' } as const
/** An object with one required member. */
const object = (name: string): JsonSchema => ({ type: 'object', properties: { [name]: text }, required: [name] })
const shape = (kind: string, ...others: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: { kind: { const: kind } },
  required: ['kind', ...others],
})
const shapes: JsonSchema = { anyOf: [shape('circle', 'radius'), shape('square', 'side')] }

test('the whole value is at the empty pointer, by ArkType too, whose empty path is one step longer when it is mapped', async () => {
  expect(await errorsOf('POST', type('string >= 8'), 'short')).toEqual([['', 'expected at least length 8']])
})

describe('of a value that a library rejects', () => {
  test.each<[what: string, schema: JsonSchema, value: unknown, pointer: string, detail: string]>([
    ['a type', text, 1, '', 'expected a string, got an integer'],
    ['a fraction', text, 1.5, '', 'expected a string, got a number'],
    ['a large number', text, 2 ** 53, '', 'expected a string, got a number beyond ±9007199254740991'],
    ['several types', { type: ['string', 'null'] }, true, '', 'expected a string or null, got a boolean'],
    [
      'equal branches once',
      { anyOf: [{ ...text, minLength: 5 }, { ...text, maxLength: 1 }, { type: 'null' }] },
      1,
      '',
      'expected a string or null, got an integer',
    ],
    ['a constant', { const: { a: 1 } }, [], '', 'expected {"a":1}, got an array'],
    ['a constant text', { const: 'a' }, 'b', '', 'expected "a", got a string'],
    ['listed values', { enum: [1, null, { a: 1 }, 'a'] }, 'b', '', 'expected one of 1, null, {"a":1}, a, got a string'],
    ['nothing', { not: {} }, 1, '', 'expected nothing, got an integer'],
    ['a missing item', { type: 'array', prefixItems: [text, text], minItems: 2 }, ['a'], '/1', 'expected a string, got nothing'],
    ['an item too many', { type: 'array', prefixItems: [text], items: false }, ['a', 'b'], '', 'expected at most 1 item, got 2'],
    [
      'a missing member',
      { type: 'object', properties: { constructor: text }, required: ['constructor'] },
      {},
      '/constructor',
      'expected a string, got nothing',
    ],
    ['a missing member of any type', { type: 'object', required: ['a'] }, {}, '/a', 'expected a value, got nothing'],
    ['a member too many', { type: 'object', additionalProperties: false }, { 'a/b': 1 }, '/a~1b', 'expected no such member'],
    [
      'a member of a member',
      { properties: { a: { properties: { b: text } } } },
      { a: { b: 1 } },
      '/a/b',
      'expected a string, got an integer',
    ],
    ['a part', { allOf: [{ properties: { a: text } }] }, { a: 1 }, '/a', 'expected a string, got an integer'],
    ['a format', { ...text, format: 'uuid' }, 'a', '', 'expected a UUID'],
    [
      'bounds of a number',
      { type: 'integer', minimum: 3, maximum: 8, multipleOf: 2 },
      1,
      '',
      'expected an integer from 3 to 8 that is a multiple of 2',
    ],
    [
      'exclusive bounds',
      { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 },
      2,
      '',
      'expected a number greater than 1 and less than 2',
    ],
    [
      'bounds of a text',
      { ...text, minLength: 2, maxLength: 3, pattern: '^a' },
      'ba',
      '',
      'expected a string of 2 to 3 characters that matches ^a',
    ],
    [
      'bounds of a list',
      { type: 'array', minItems: 1, maxItems: 2, uniqueItems: true },
      [],
      '',
      'expected an array of 1 to 2 items without equal items',
    ],
    ['a lower bound', { type: 'integer', minimum: 1 }, 0, '', 'expected an integer of at least 1'],
    ['an upper bound', { type: 'integer', maximum: 1 }, 2, '', 'expected an integer of at most 1'],
    [
      'a closed and an open bound',
      { type: 'number', minimum: 0, exclusiveMaximum: 1 },
      1,
      '',
      'expected a number of at least 0 and less than 1',
    ],
    ['one length', { ...text, minLength: 3, maxLength: 3 }, 'ab', '', 'expected a string of 3 characters'],
    ['a least length', { ...text, minLength: 1 }, '', '', 'expected a string of at least 1 character'],
    ['a least number of items', { type: 'array', minItems: 1 }, [], '', 'expected an array of at least 1 item'],
    [
      'bounds of one of several types',
      { type: ['string', 'integer'], minLength: 2, minimum: 5 },
      4,
      '',
      'expected a string or an integer of at least 5',
    ],
    ['objects that a member tells apart', shapes, { kind: 'cone' }, '', 'expected an object whose "kind" is circle or square'],
    ['objects that a member tells apart, without it', shapes, {}, '', 'expected an object whose "kind" is circle or square'],
    [
      'objects that nothing tells apart',
      { anyOf: [object('a'), object('b')] },
      { c: 1 },
      '',
      'expected an object, got an object that fits none of the 2 alternatives',
    ],
    ['what its JSON Schema does not say', text, 'a', '', 'expected a string that passes a further check'],
  ])('%s', async (_what, schema, value, pointer, detail) => {
    expect(await errorsOf('POST', rejecting(schema, [[]]), value)).toEqual([[pointer, detail]])
  })

  test.each<[what: string, schema: JsonSchema, paths: readonly Path[], value: unknown, errors: readonly (readonly [string, string])[]]>([
    [
      'equal values of several schemas',
      { properties: { a: text, b: { type: 'boolean' } } },
      [['a'], ['b']],
      { a: 1, b: 1 },
      [
        ['/a', 'expected a string, got an integer'],
        ['/b', 'expected true or false, got an integer'],
      ],
    ],
    [
      'several values of one schema',
      { items: text },
      [[0], [1]],
      [1, null],
      [
        ['/0', 'expected a string, got an integer'],
        ['/1', 'expected a string, got null'],
      ],
    ],
    [
      'a value that is not there, under a name that every object inherits',
      { properties: { constructor: text } },
      [['constructor']],
      {},
      [['/constructor', 'expected a string, got nothing']],
    ],
    ['a part of the value at its place', { items: { items: text } }, [[0]], [[1]], [['/0/0', 'expected a string, got an integer']]],
  ])('%s', async (_what, schema, paths, value, errors) => {
    expect(await errorsOf('POST', rejecting(schema, paths), value)).toEqual(errors)
  })
})

test('of an item of a list, the place is that of the part that is wrong', async () => {
  const Stone = z.object({ name: z.string().refine(() => false, 'no such stone') })
  expect(await errorsOf('POST', list(Stone), [{ name: 'opal' }])).toEqual([['/0/name', 'no such stone']])
})

/** An item of a list in a merge patch: the toolkit itself validates it, by its JSON Schema alone. */
const errorsOfItem = (schema: JsonSchema, value: unknown) =>
  errorsOf('PATCH', rejecting({ type: 'object', properties: { list: { type: 'array', items: schema } } }, []), { list: [value] })

const small = { type: 'integer', maximum: 1 } as const

describe('of a value that the toolkit validates', () => {
  test.each<[what: string, schema: JsonSchema, value: unknown, pointer: string, detail: string]>([
    ['a length', { ...text, maxLength: 1 }, '💎💎', '', 'expected a string of at most 1 character'],
    ['a multiple', { type: 'number', multipleOf: 2 }, 3, '', 'expected a number that is a multiple of 2'],
    [
      'equal items',
      { type: 'array', uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      '',
      'expected an array without equal items',
    ],
    ['too few members', { type: 'object', minProperties: 1 }, {}, '', 'expected an object with at least 1 member'],
    ['too many members', { type: 'object', maxProperties: 1 }, { a: 1, b: 2 }, '', 'expected an object with at most 1 member'],
    ['what it must not be', { not: text }, 'a', '', 'expected a value that is not a string'],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['a condition that holds', { if: text, then: { maxLength: 1 } }, 'ab', '', 'expected a value of at most 1 character'],
    ['a condition that does not hold', { if: text, else: small }, 2, '', 'expected an integer of at most 1'],
    ['an item that is missing in a list', { contains: text }, [1], '', 'expected a value with at least 1 item that is a string'],
    [
      'too many of these items',
      { contains: text, maxContains: 1 },
      ['a', 'b'],
      '',
      'expected a value with at most 1 item that is a string',
    ],
    [
      'a member that another one asks for',
      { dependentRequired: { a: ['b'] } },
      { a: 1 },
      '',
      'expected a value with the member "b", which "a" needs',
    ],
    [
      'such a member, of an older draft',
      { dependencies: { a: ['b'] } },
      { a: 1 },
      '',
      'expected a value with the member "b", which "a" needs',
    ],
    ['a schema that a member asks for', { dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, '/b', 'expected a value, got nothing'],
    ['such a schema, of an older draft', { dependencies: { a: { required: ['b'] } } }, { a: 1 }, '/b', 'expected a value, got nothing'],
    ['the name of a member', { propertyNames: { maxLength: 1 } }, { ab: 1 }, '/ab', 'expected a value of at most 1 character'],
    [
      'two branches of which one may fit',
      { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      1,
      '',
      'expected an integer or a number, got an integer that fits several alternatives, where only one may fit',
    ],
    ['no branch', { anyOf: [small, text] }, 2, '', 'expected an integer or a string, got an integer that fits none of the 2 alternatives'],
    ['a missing item', { type: 'array', prefixItems: [text, text], minItems: 2 }, ['a'], '/1', 'expected a string, got nothing'],
    ['a member of a part', { allOf: [{ properties: { a: small } }] }, { a: 2 }, '/a', 'expected an integer of at most 1'],
    ['a member of a pattern', { patternProperties: { '^a': small, b$: text } }, { ab: 1 }, '/ab', 'expected a string, got an integer'],
    [
      'a condition on which nobody can decide, if both of its ways refuse',
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      { if: { ...text, format: 'date' }, then: { maxLength: 2 }, else: { maxLength: 1 } },
      'abc',
      '',
      'expected a value that meets the conditions of its schema',
    ],
    [
      'two branches of which one may fit, beside one that nobody can decide',
      { oneOf: [{ type: 'number' }, { minimum: 0 }, { type: 'number', multipleOf: 0.1 }] },
      0.3,
      '',
      'expected a number or a value, got a number that fits several alternatives, where only one may fit',
    ],
  ])('%s is refused', async (_what, schema, value, pointer, detail) => {
    expect(await errorsOfItem(schema, value)).toEqual([[`/list/0${pointer}`, detail]])
  })

  test.each<[what: string, schema: JsonSchema, value: unknown]>([
    ['a length in characters', { ...text, maxLength: 1 }, '💎'],
    ['a multiple that no binary number is exactly', { type: 'number', multipleOf: 0.1 }, 0.3],
    ['a multiple of a step that is too small to count', { type: 'number', multipleOf: 1e-300 }, 1e300],
    ['a constant in another order', { const: { a: 1, b: 2 } }, { b: 2, a: 1 }],
    ['items that differ in what they hold', { uniqueItems: true }, [{ a: 1 }, { a: 2 }]],
    ['a list that need not contain anything', { contains: text, minContains: 0 }, [1]],
    ['a list with as many of these items as it may have', { contains: text, maxContains: 1 }, ['a', 1]],
    ['items of which it is unknown whether they count', { contains: { ...text, format: 'date' }, maxContains: 1 }, ['a', 'b']],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['a condition on which nobody can decide', { if: { ...text, format: 'date' }, then: { minLength: 2 }, else: { maxLength: 2 } }, 'abc'],
    [
      'what must not contain so few items, where one may count',
      { not: { contains: { anyOf: [{ type: 'integer' }, { ...text, format: 'date' }] }, maxContains: 1 } },
      [1, 'a'],
    ],
    ['what must not have members of a pattern that cannot be read', { not: { patternProperties: { '(': small } } }, { a: 1 }],
    [
      'what must not have other members than those of a part',
      { not: { anyOf: [{ properties: { a: text } }], unevaluatedProperties: false } },
      { b: 1 },
    ],
    ['two branches that both fit', { anyOf: [{ type: 'integer' }, { type: 'number' }] }, 1],
    [
      'what must not be of one branch, where another one may fit',
      {
        not: {
          oneOf: [
            { ...text, format: 'date' },
            { ...text, minLength: 1 },
          ],
        },
      },
      'abc',
    ],
    ['what must not have a format', { not: { ...text, format: 'date' } }, 'a'],
    [
      'one branch of two, as far as is known',
      {
        oneOf: [
          { ...text, format: 'date' },
          { ...text, minLength: 1 },
        ],
      },
      'abc',
    ],
    ['a member beside a pattern that cannot be read', { patternProperties: { '(': small }, additionalProperties: text }, { a: 1 }],
    ['what a pattern that cannot be read does not match', { pattern: '(' }, 'a'],
    ['a missing member that has listed values', { anyOf: [{ properties: { a: { enum: [1] } } }, text] }, {}],
    ['a member that another one asks for', { dependentRequired: { a: ['b'] } }, { a: 1, b: 1 }],
    ['a list that is shorter than its places', { type: 'array', prefixItems: [text, text], minItems: 1 }, ['a']],
    [
      'a list that has fewer items than it needs, without a place for them',
      { anyOf: [{ type: 'array', minItems: 0, prefixItems: [text] }] },
      [],
    ],
  ])('%s is taken', async (_what, schema, value) => {
    expect(await errorsOfItem(schema, value)).toEqual([])
  })
})

describe('of a value that a handler returns', () => {
  const members = { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } } as const
  const inherited = { type: 'object', properties: { constructor: text }, required: ['constructor'] } as const

  test.each<[what: string, schema: JsonSchema, value: unknown, detail: string]>([
    [
      'a required member that is undefined',
      { ...members, required: ['a'] },
      { a: undefined, b: 1 },
      'at "/a" expected an integer, got nothing',
    ],
    ['a member behind one that is undefined', members, { a: undefined, b: 'x' }, 'at "/b" expected an integer, got a string'],
    [
      'a required member that every object inherits',
      { anyOf: [inherited, { type: 'array' }] },
      {},
      'expected an object or an array, got an object that fits none of the 2 alternatives',
    ],
    ['an item that JSON does not have', { type: 'array', items: {} }, [undefined], 'expected a value that JSON can hold'],
  ])('%s is reported', async (_what, schema, value, detail) => {
    const reports: unknown[] = []
    const server = serve(
      { one: endpoint('GET /', { response: ok(rejecting(schema, [])) }) },
      { one: () => value },
      { onError: (error) => void reports.push(error) },
    )
    expect((await server.fetch(new Request('http://test.invalid/'))).status).toBe(500)
    expect(String(reports[0])).toContain(detail)
  })
})
