/** Schemas that ask for values larger than a machine has memory: nothing is generated for them, at once. */

import * as fc from 'fast-check'
import type { JsonSchema } from 'lapidary'
import { createExample } from 'lapidary/docs'
import { describe, expect, test } from 'vitest'
import { createArbitrary } from '../../src/generate/values.ts'

const large = 1_000_000_000

describe('nothing is generated', () => {
  test.each<[schema: JsonSchema]>([
    [{ type: 'string', pattern: '^a{1000000000}$' }],
    [{ type: 'string', pattern: '^(a{1000}){1000}$' }],
    [{ type: 'string', pattern: '^((a{100}|b){100}){100}$' }],
    [{ type: 'string', minLength: large }],
    [{ type: 'string', minLength: large, format: 'uuid' }],
    [{ type: 'array', minItems: large }],
    [{ type: 'array', minItems: large, uniqueItems: true }],
    [{ type: 'array', contains: { type: 'integer' }, minContains: large }],
    [{ type: 'array', minItems: 2_000, items: { type: 'array', minItems: 2_000 } }],
    [{ type: 'object', minProperties: large }],
    [{ type: 'object', minProperties: 1, propertyNames: { pattern: '^(a{1000}){1000}$' } }],
    [{ type: 'number', multipleOf: 1e-320 }],
  ])('for %j', (schema) => {
    const start = process.memoryUsage.rss()
    expect(createArbitrary(schema)).toBe(undefined)
    expect(createArbitrary(schema, undefined, 'plain')).toBe(undefined)
    createExample(schema)
    expect(process.memoryUsage.rss() - start).toBeLessThan(200_000_000)
  })
})

test.each<[schema: JsonSchema]>([
  [{ type: 'string', pattern: '^((a{0}){1000000}){1000000}$' }],
  [{ type: 'string', pattern: '(((((((((((a*)*)*)*)*)*)*)*)*)*)*)*' }],
  [{ type: 'string', pattern: '^(a{1,1000}b{1,1000}){1,1000}$' }],
  [{ type: 'string', maxLength: large }],
  [{ type: 'array', maxItems: large }],
  [{ type: 'number', minimum: 1e308 }],
  [{ type: 'number', multipleOf: 1e300 }],
])('small values are generated where %j allows them', (schema) => {
  const values = createArbitrary(schema)
  expect(values && fc.sample(values, { numRuns: 20, seed: 1 }).every((value) => JSON.stringify(value).length < 10_000)).toBe(true)
})

const nest = (depth: number, wrap: (inner: JsonSchema) => JsonSchema, inner: JsonSchema): JsonSchema =>
  depth === 0 ? inner : wrap(nest(depth - 1, wrap, inner))
const toArray = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const toRecord = (values: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties: values })
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `m${index}`)
const toMembers = (count: number, member: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(names(count).map((name) => [name, member])),
  required: names(count),
})

const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null ? Object.values(value).reduce((sum: number, part) => sum + countValues(part), 1) : 1
const getDepth = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(getDepth)) : 0

const text: JsonSchema = { type: 'string' }
const layered = (inner: JsonSchema): JsonSchema => toArray(toRecord(toMembers(2, inner)))

describe('a value with many levels has few parts:', () => {
  test.each<[sentence: string, schema: JsonSchema]>([
    ['arrays, 8 deep', nest(8, toArray, text)],
    ['arrays, 60 deep', nest(60, toArray, text)],
    ['arrays without an item twice', nest(8, (items) => ({ type: 'array', items, uniqueItems: true }), text)],
    ['arrays with a first item', nest(7, (items) => ({ type: 'array', prefixItems: [items], items }), text)],
    ['arrays with an item that they contain', nest(7, (items) => ({ type: 'array', items, contains: items }), text)],
    ['records, 9 deep', nest(9, toRecord, text)],
    ['records, 40 deep', nest(40, toRecord, text)],
    ['arrays of records of objects', nest(5, layered, text)],
    ['arrays of large objects', nest(6, toArray, toMembers(200, text))],
    ['arrays of arrays that have many items', nest(6, toArray, { type: 'array', items: text, minItems: 1_000 })],
    ['arrays of such as a part of allOf', nest(6, toArray, { allOf: [{ type: 'array', items: text, minItems: 1_000 }] })],
  ])('%s', (_, schema) => {
    for (const style of ['plain', 'odd'] as const) {
      const values = createArbitrary(schema, undefined, style)
      const samples = values === undefined ? [] : fc.sample(values, { numRuns: 20, seed: 1 })
      expect(samples).toHaveLength(20)
      expect(Math.max(...samples.map(countValues))).toBeLessThan(10_000)
    }
  })

  test('and it has them at each level', () => {
    const values = createArbitrary(nest(20, toArray, text), undefined, 'plain')
    expect(values && Math.max(...fc.sample(values, { numRuns: 20, seed: 1 }).map(getDepth))).toBe(20)
  })

  test('an array of usual depth has as many items as before', () => {
    const values = createArbitrary(nest(3, toArray, text))
    const lengths = values && fc.sample(values, { numRuns: 50, seed: 1 }).map((value) => (value as unknown[]).length)
    expect(Math.max(...(lengths ?? []))).toBe(4)
  })

  test('one of large members is none at all', () => {
    expect(createArbitrary({ type: 'array', minItems: 2_000, items: toMembers(500, text) })).toBe(undefined)
  })
})
