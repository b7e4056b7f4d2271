/** Generated calls are valid, and values that are generated as invalid are not. */
import fc from 'fast-check'
import { array, bool, date, dateTime, decimal, int, list, oneOf, optional, text, uuid } from 'lapidary'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../../../lapidary/src/contract/api.ts'
import { isValid } from '../../../lapidary/src/json-schema/invalidPlaces.ts'
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'
import { ParseError } from '../../../lapidary/src/json-schema/parseError.ts'
import { parseSchema } from '../../../lapidary/src/json-schema/schemaNode.ts'
import { getJsonSchema, type Schema } from '../../../lapidary/src/json-schema/standardSchema.ts'
import { match } from '../../../lapidary/src/links/match.ts'
import { api } from '../../../lapidary/test/support/everything.ts'
import { Tree } from '../../../lapidary/test/support/recursiveType.ts'
import { buildTarget, generateCalls } from '../../src/generate/calls.ts'
import { listInvalidValues } from '../../src/generate/invalidValues.ts'
import { generateParameterTexts, listInvalidTexts } from '../../src/generate/parameterTexts.ts'
import { keepFitting } from '../../src/generate/sample.ts'
import { createArbitrary } from '../../src/generate/values.ts'

const schemas: readonly (readonly [name: string, schema: Schema<unknown, unknown>])[] = [
  ['a text', z.string()],
  ['a text of bounded length', z.string().min(2).max(5)],
  ['a text of a pattern', z.string().regex(/^[A-Z]{2}-\d{3}$/)],
  ['an email address', z.email()],
  ['a date', z.iso.date()],
  ['a date and time', z.iso.datetime()],
  ['a UUID', z.uuid()],
  ['a URL', z.url()],
  ['an integer', z.int()],
  ['an integer between bounds', z.int().min(3).max(5)],
  ['an even number above 10', z.int().multipleOf(2).gt(10)],
  ['a number below 1', z.number().lt(1)],
  ['a boolean', z.boolean()],
  ['an enumeration', z.enum(['a', 'b'])],
  ['a constant', z.literal(7)],
  ['a text or null', z.string().nullable()],
  ['a union', z.union([z.int(), z.object({ a: z.string() })])],
  ['a list', z.array(z.int()).min(1).max(3)],
  ['a list of the toolkit', list(z.object({ x: z.int() }))],
  ['a tuple', z.tuple([z.int(), z.string()])],
  ['a record', z.record(z.string(), z.int())],
  ['a record of named members', z.record(z.enum(['a', 'b']), z.int())],
  ['an object', z.object({ a: z.string(), b: z.int().optional(), c: z.object({ d: z.boolean() }) })],
  ['an intersection', z.intersection(z.object({ a: z.int() }), z.object({ b: z.string() }))],
  ['a recursive schema', Tree],
]

test('an optional body is left out now and then', () => {
  const calls = fc.sample(generateCalls(api.remind), { seed: 1, numRuns: 100 })
  expect(new Set(calls.map(({ body }) => body?.type.split(';')[0]))).toEqual(
    new Set([undefined, 'application/json', 'application/x-www-form-urlencoded']),
  )
})

test('the rest of a path has one segment or several', () => {
  const calls = fc.sample(generateCalls(api.file), { numRuns: 200, seed: 1 })
  const counts = new Set(calls.map(({ captures }) => captures['path']?.split('/').length))
  expect([1, 2, 3].every((count) => counts.has(count))).toBe(true)
  for (const call of calls) expect(match(api, buildTarget(api.file, call))?.name).toBe('file')
})

test.each(schemas)('each generated value is valid: %s', async (_name, schema) => {
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

test.each(schemas)('each invalid value is invalid: %s', (_name, schema) => {
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
])('the invalid values contain the nearest one beyond a bound: %s', (_name, schema, value, wrong) => {
  expect(listInvalidValues(schema, value).map((one) => one.value)).toContainEqual(wrong)
})

test('a string in place of a string is another one, and elsewhere it is a string', () => {
  const schema = { type: 'object', properties: { kind: { enum: ['Native', null] }, count: { type: 'integer' } } }
  const faults = listInvalidValues(schema, { kind: 'Native', count: 1 }).map(({ pointer, fault }) => `${pointer} ${fault}`)
  expect(faults).toContain('/kind another string instead')
  expect(faults).not.toContain('/kind a string instead')
  expect(faults).toContain('/count a string instead')
})

test.each<readonly [name: string, schema: JsonSchema]>([
  ['nothing', { not: {} }],
  ['bounds that allow nothing', { type: 'integer', minimum: 3, maximum: 2 }],
  ['a schema that requires itself', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
  ['a list that needs an item and allows none', { type: 'array', items: { not: {} }, minItems: 1 }],
])('a schema without values generates none: %s', (_name, schema) => {
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
  ['an integer with bounds', int({ min: 5, max: 7 })],
  ['a text with bounds', text({ minLength: 2, maxLength: 4, pattern: /^[a-z]+$/ })],
  ['a UUID', uuid],
  ['an instant', dateTime],
  ['a decimal number', decimal],
  ['a short list', array(int, { minItems: 1, maxItems: 2 })],
] as const

describe.each(['capture', 'query', 'header', 'cookie'] as const)('in a %s', (place) => {
  test.each(codecs)('generated texts are read, and invalid ones are not: %s', (_name, codec) => {
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
  'a generated call reaches its endpoint: %s',
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

test('invalid texts are just outside each bound', () => {
  expect(listInvalidTexts(int({ min: 5, max: 7 }), 'query')).toEqual(expect.arrayContaining([['4'], ['8']]))
  expect(listInvalidTexts(text({ minLength: 2, maxLength: 4 }), 'query')).toEqual(expect.arrayContaining([['t'], ['textx']]))
  expect(listInvalidTexts(array(int, { maxItems: 2 }), 'query')).toContainEqual(['42', '42', '42'])
  // Without a bound in the JSON Schema, a server in another language may read any integer.
  const large = ['99999999999999999999']
  expect(listInvalidTexts(int({ max: 7 }), 'query')).toContainEqual(large)
  expect(listInvalidTexts({ ...int, jsonSchema: { type: 'integer' } }, 'query')).not.toContainEqual(large)
})

test('of values that fit, few are tested before they are taken, and of others as many as before', () => {
  const testing = (fits: (value: number) => boolean) => {
    let tests = 0
    const kept = keepFitting(fc.nat(99), (value) => {
      tests += 1
      return fits(value)
    })
    return { tests, kept: kept && fc.sample(kept, { seed: 2, numRuns: 20 }).every(fits) }
  }
  expect(testing(() => true)).toMatchObject({ kept: true })
  // The values of a large schema cost seconds: ten of them, and the twenty that are drawn here.
  expect(testing(() => true).tests).toBeLessThanOrEqual(30)
  expect(testing((value) => value > 1)).toMatchObject({ kept: true })
  expect(testing((value) => value < 3)).toMatchObject({ kept: true })
  expect(testing(() => false)).toEqual({ tests: 100, kept: undefined })
})
