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
