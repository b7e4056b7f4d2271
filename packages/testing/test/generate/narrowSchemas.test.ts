/** Schemas with few values or none: a value is generated where there is one, and the search for others ends. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'
import { parseSchema } from '../../../lapidary/src/json-schema/schemaNode.ts'
import { isEmptySchema } from '../../src/diff/subschema/disjoint.ts'
import { isSubschema } from '../../src/diff/subschema/isSubschema.ts'
import { createArbitrary } from '../../src/generate/values.ts'
import { createJudge } from '../support/jsonSchemaSuite.ts'

/** An object literal with a member of this name could be mistaken for a promise. */
const then = 'then'
const integer: JsonSchema = { type: 'integer' }
const number = (more: JsonSchema): JsonSchema => ({ type: 'number', ...more })
const text = (more: JsonSchema): JsonSchema => ({ type: 'string', ...more })
const list = (items: JsonSchema, more: JsonSchema): JsonSchema => ({ type: 'array', items, ...more })
const member = (schema: JsonSchema): JsonSchema => ({ type: 'object', properties: { a: schema }, required: ['a'] })
const deep = (schema: JsonSchema, depth: number): JsonSchema => (depth === 0 ? schema : member(deep(schema, depth - 1)))

const narrow: readonly JsonSchema[] = [
  number({ exclusiveMinimum: 0, exclusiveMaximum: 0.01 }),
  number({ exclusiveMinimum: 0.001, exclusiveMaximum: 0.0010001 }),
  number({ minimum: 0.1, maximum: 0.1 }),
  number({ exclusiveMinimum: 1e-9, maximum: 2e-9 }),
  number({ minimum: -0.02, exclusiveMaximum: -0.01 }),
  number({ exclusiveMinimum: 1, exclusiveMaximum: 1.0000000000000004 }),
  number({ multipleOf: 0.01, exclusiveMinimum: 0.28, maximum: 0.29 }),
  number({ multipleOf: 0.1, minimum: 0.3, maximum: 0.3 }),
  { type: 'integer', multipleOf: 1.5, minimum: 1, maximum: 4 },
  { type: 'integer', exclusiveMinimum: 4, exclusiveMaximum: 6 },
  { type: 'integer', multipleOf: 7, minimum: 8, maximum: 20 },
  { type: 'integer', minimum: Number.MAX_SAFE_INTEGER },
  text({ minLength: 40, maxLength: 40 }),
  text({ pattern: '^[a-z]+$', minLength: 12, maxLength: 12 }),
  text({ pattern: '^a*$', minLength: 30 }),
  text({ pattern: '^2', format: 'date' }),
  text({ format: 'email', maxLength: 20 }),
  list({ enum: ['a', 'b', 'c'] }, { uniqueItems: true, minItems: 3 }),
  list({ type: 'boolean' }, { uniqueItems: true, minItems: 2 }),
  list({ type: 'integer', minimum: 1, maximum: 5 }, { uniqueItems: true, minItems: 5 }),
  { type: 'array', items: integer, contains: { const: 7 }, minContains: 3 },
  { type: 'array', prefixItems: [integer, { not: {} }] },
  { type: 'array', prefixItems: [{ const: 1 }], items: { enum: [1, 2] }, uniqueItems: true, minItems: 2 },
  { type: 'object', minProperties: 3, additionalProperties: integer },
  { type: 'object', minProperties: 2, propertyNames: { enum: ['a', 'b'] } },
  { type: 'object', properties: { a: integer, b: integer }, maxProperties: 1 },
  { type: 'object', properties: { a: integer }, minProperties: 1, additionalProperties: false },
  { type: 'object', patternProperties: { '^x[0-9]$': integer }, additionalProperties: false, minProperties: 2 },
  { type: 'object', properties: { a: { not: {} }, b: integer } },
  { allOf: [{ enum: [1, 2, 3] }, { enum: [3, 4] }] },
  { allOf: [number({ minimum: 1 }), number({ minimum: 3, maximum: 3.5 })] },
  { allOf: [text({ minLength: 3 }), text({ maxLength: 3 })] },
  { type: 'string', not: { minLength: 2 } },
  { enum: [1, 'a', null], type: 'string' },
  { oneOf: [integer, number({ minimum: 2 })] },
  { anyOf: [{ required: ['a'] }, { required: ['b'] }], type: 'object', properties: { a: integer, b: integer } },
  {
    if: { properties: { a: { const: 1 } } },
    [then]: { required: ['b'] },
    type: 'object',
    properties: { a: { enum: [1, 2] }, b: integer },
    required: ['a'],
  },
  { allOf: [member({ type: 'string' }), member({ const: 'b' })] },
  { allOf: [member({ const: 'b' }), member({ type: 'string' })] },
  { allOf: [member({ const: 'b' }), { type: 'object', required: ['a'] }] },
  ...(['oneOf', 'anyOf'] as const).map((union) => ({
    $defs: {
      Cat: { type: 'object', properties: { kind: { type: 'string' }, lives: integer }, required: ['kind', 'lives'] },
      Dog: { type: 'object', properties: { bark: { type: 'boolean' } }, required: ['kind'] },
    },
    [union]: ['Cat', 'Dog'].map((name) => ({
      $ref: `#/$defs/${name}`,
      type: 'object' as const,
      properties: { kind: { const: name } },
      required: ['kind'],
    })),
  })),
  { $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } }, $ref: '#/$defs/node' },
  deep(number({ exclusiveMinimum: 0, exclusiveMaximum: 0.01 }), 20),
]

/** Those that are proven to be empty, and those that no value is found for. */
const empty: readonly (readonly [schema: JsonSchema, isProven: boolean])[] = [
  [{ type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 1 }, true],
  [number({ exclusiveMinimum: 1, maximum: 1 }), true],
  [number({ minimum: 2, maximum: 1 }), true],
  [number({ exclusiveMinimum: 1, exclusiveMaximum: 1.0000000000000002 }), false],
  [{ type: 'integer', multipleOf: 7, minimum: 8, maximum: 13 }, true],
  [number({ multipleOf: 0.5, minimum: 0.6, maximum: 0.9 }), true],
  [number({ multipleOf: 0.1, minimum: 0.31, maximum: 0.39 }), false],
  [text({ minLength: 3, maxLength: 2 }), true],
  [text({ pattern: '^[a-z]{5}$', maxLength: 4 }), false],
  [text({ pattern: '^[A-Z]+$', format: 'date' }), false],
  [list({ type: 'boolean' }, { uniqueItems: true, minItems: 3 }), true],
  [list({ enum: ['a', 'b'] }, { uniqueItems: true, minItems: 3 }), true],
  [list({ type: 'integer', minimum: 1, maximum: 5 }, { uniqueItems: true, minItems: 6 }), true],
  [list(integer, { minItems: 3, maxItems: 2 }), true],
  [list({ not: {} }, { minItems: 1 }), true],
  [{ type: 'array', prefixItems: [integer], items: false, minItems: 2 }, true],
  [{ type: 'array', items: { const: 1 }, contains: { const: 2 } }, false],
  [{ type: 'array', contains: integer, minContains: 3, maxItems: 2 }, false],
  [{ type: 'object', minProperties: 3, propertyNames: { enum: ['a', 'b'] } }, true],
  [{ type: 'object', minProperties: 2, properties: { a: integer }, additionalProperties: false }, true],
  [{ type: 'object', minProperties: 2, maxProperties: 1 }, true],
  [{ type: 'object', properties: { a: { not: {} } }, required: ['a'] }, true],
  [{ type: 'object', required: ['a'], additionalProperties: false }, true],
  [{ type: 'object', required: ['abc'], propertyNames: { maxLength: 2 } }, false],
  [{ allOf: [{ enum: [1, 2] }, { enum: [3] }] }, true],
  [{ allOf: [text({}), integer] }, true],
  [{ enum: ['a', 'b'], minLength: 2 }, true],
  [{ enum: [] }, true],
  [{ const: 'a', type: 'integer' }, true],
  [{ const: 'a', not: { const: 'a' } }, true],
  [{ not: {} }, true],
  [{ anyOf: [{ not: {} }, number({ minimum: 2, maximum: 1 })] }, true],
  [
    { $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] } }, $ref: '#/$defs/node' },
    false,
  ],
  [deep(number({ minimum: 2, maximum: 1 }), 8), true],
  [deep(text({ minLength: 3, maxLength: 2 }), 20), false],
]

const createCaseJudge = createJudge('draft2020-12')

test.each(narrow.map((schema) => [schema] as const))('a value is generated for %j', (schema) => {
  const judge = createCaseJudge(schema, [])
  for (const style of ['plain', 'odd'] as const) {
    const values = createArbitrary(schema, undefined, style)
    expect(values).toBeDefined()
    const found = values === undefined ? [] : fc.sample(values, { numRuns: 20, seed: 1 })
    expect(found.filter((value) => judge?.(value) !== true)).toEqual([])
  }
  expect(isEmptySchema(parseSchema(schema))).toBe(false)
})

test.each(empty)('no value is generated for %j', (schema, isProven) => {
  expect(createArbitrary(schema, undefined, 'plain')).toBeUndefined()
  expect(createArbitrary(schema, undefined, 'odd')).toBeUndefined()
  expect(isEmptySchema(parseSchema(schema))).toBe(isProven)
  // No value is a value of any schema.
  if (isProven) expect(isSubschema(parseSchema(schema), parseSchema({ const: 'anything' }))).toBe(true)
})
