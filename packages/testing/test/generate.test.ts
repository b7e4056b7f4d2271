/** What is generated from a description is what the description allows; what is spoiled is not. */
import fc from 'fast-check'
import { array, bool, date, int, list, oneOf, optional, text } from 'lapidary'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../../lapidary/src/contract/api.ts'
import { type JsonSchema, parseSchema } from '../../lapidary/src/json-schema/jsonSchema.ts'
import { ParseError } from '../../lapidary/src/json-schema/parseError.ts'
import { getJsonSchema, type Schema } from '../../lapidary/src/json-schema/standardSchema.ts'
import { isValid } from '../../lapidary/src/json-schema/validate.ts'
import { match } from '../../lapidary/src/links/match.ts'
import { api } from '../../lapidary/test/everything.ts'
import { Tree } from '../../lapidary/test/recursiveType.ts'
import { buildTarget, generateCalls } from '../src/generate/calls.ts'
import { listInvalidValues } from '../src/generate/invalidValues.ts'
import { generateParameterTexts, listInvalidTexts } from '../src/generate/parameterTexts.ts'
import { createArbitrary } from '../src/generate/values.ts'

const schemas: readonly (readonly [name: string, schema: Schema<unknown, unknown>])[] = [
  ['a text', z.string()],
  ['a text of bounded length', z.string().min(2).max(5)],
  ['a text of a pattern', z.string().regex(/^[A-Z]{2}-\d{3}$/)],
  ['an address', z.email()],
  ['a date', z.iso.date()],
  ['a moment', z.iso.datetime()],
  ['a UUID', z.uuid()],
  ['an address of the web', z.url()],
  ['an integer', z.int()],
  ['an integer between bounds', z.int().min(3).max(5)],
  ['an even number above 10', z.int().multipleOf(2).gt(10)],
  ['a number below 1', z.number().lt(1)],
  ['a truth value', z.boolean()],
  ['one of several names', z.enum(['a', 'b'])],
  ['a constant', z.literal(7)],
  ['a text or null', z.string().nullable()],
  ['one of several forms', z.union([z.int(), z.object({ a: z.string() })])],
  ['a list', z.array(z.int()).min(1).max(3)],
  ['a list of our own', list(z.object({ x: z.int() }))],
  ['a tuple', z.tuple([z.int(), z.string()])],
  ['a record', z.record(z.string(), z.int())],
  ['a record of named members', z.record(z.enum(['a', 'b']), z.int())],
  ['an object', z.object({ a: z.string(), b: z.int().optional(), c: z.object({ d: z.boolean() }) })],
  ['parts that hold together', z.intersection(z.object({ a: z.int() }), z.object({ b: z.string() }))],
  ['what contains itself', Tree],
]

test.each(schemas)('each value that is made is one: %s', async (_name, schema) => {
  const values = createArbitrary(getJsonSchema(schema))
  if (values === undefined) throw new Error('No values were found.')
  await fc.assert(
    fc.asyncProperty(values, async (value) => {
      expect((await schema['~standard'].validate(value)).issues).toBeUndefined()
      expect(JSON.parse(JSON.stringify(value))).toEqual(value)
    }),
    { numRuns: 100 },
  )
})

test.each(schemas)('each value that is spoiled is none: %s', (_name, schema) => {
  const form = getJsonSchema(schema)
  fc.assert(
    fc.property(createArbitrary(form) ?? fc.constant(undefined), (value) => {
      const all = listInvalidValues(form, value)
      expect(all.length).toBeGreaterThan(0)
      for (const { value: wrong, pointer, fault } of all)
        expect({ pointer, fault, fits: isValid(parseSchema(form), wrong) }).toEqual({ pointer, fault, fits: false })
    }),
    { numRuns: 30 },
  )
})

test.each<readonly [name: string, schema: JsonSchema, value: unknown, wrong: unknown]>([
  ['minimum', { type: 'integer', minimum: 3 }, 7, 2],
  ['maximum', { type: 'integer', maximum: 9 }, 7, 10],
  ['exclusiveMinimum', { type: 'integer', exclusiveMinimum: 3 }, 7, 3],
  ['exclusiveMaximum', { type: 'integer', exclusiveMaximum: 9 }, 7, 9],
  ['minLength', { type: 'string', minLength: 2 }, 'opal', 'o'],
  ['maxLength', { type: 'string', maxLength: 4 }, 'opal', 'opalx'],
  ['minItems', { type: 'array', minItems: 2 }, [1, 2, 3], [1]],
  ['maxItems', { type: 'array', maxItems: 3 }, [1, 2, 3], [1, 2, 3, 1]],
])('among what is spoiled is the nearest value beyond the bound: %s', (_name, schema, value, wrong) => {
  expect(listInvalidValues(schema, value).map((one) => one.value)).toContainEqual(wrong)
})

test.each<readonly [name: string, schema: JsonSchema]>([
  ['nothing', { not: {} }],
  ['bounds that leave nothing', { type: 'integer', minimum: 3, maximum: 2 }],
  ['what needs itself', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
  ['a list of nothing that has to have an item', { type: 'array', items: { not: {} }, minItems: 1 }],
])('where there is no value, none is made: %s', (_name, schema) => {
  expect(createArbitrary(schema)).toBeUndefined()
})

const codecs = [
  ['text', text],
  ['integer', int],
  ['truth', bool],
  ['date', date],
  ['names', oneOf('a', 'b')],
  ['a list', array(int)],
  ['an optional integer', optional(int)],
] as const

describe.each(['capture', 'query', 'header'] as const)('in a %s', (place) => {
  test.each(codecs)('texts that are made are read, and those that are refused are not: %s', (_name, codec) => {
    const texts = generateParameterTexts(codec, place)
    if (texts === undefined) throw new Error('No texts were found.')
    fc.assert(
      fc.property(texts, (made) => {
        expect(codec.read({ values: made, isPresent: made.length > 0 })).not.toBeInstanceOf(ParseError)
      }),
      { numRuns: 100 },
    )
    const refused = listInvalidTexts(codec, place)
    // A capture is always there, and any text is one.
    expect(refused.length > 0).toBe(codec !== text || place !== 'capture')
    for (const wrong of refused) expect(codec.read({ values: wrong, isPresent: wrong.length > 0 })).toBeInstanceOf(ParseError)
  })
})

test.each(operations(api).flatMap(({ name, operation }) => (operation['~kind'] === 'endpoint' ? [[name, operation] as const] : [])))(
  'a call of it leads to it: %s',
  (name, endpoint) => {
    fc.assert(
      fc.property(generateCalls(endpoint), (call) => {
        const found = match(api, buildTarget(endpoint, call), { method: endpoint.method })
        expect(found?.name).toBe(name)
      }),
      { numRuns: 50 },
    )
  },
)
