/** A change of a member is judged alike, however the schema around it says that it is an object. */
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../lapidary/src/json-schema/jsonSchema.ts'
import { compareSchemas } from '../../src/diff/schemaChanges.ts'
import type { Flow } from '../../src/diff/schemaJudgements.ts'

const text: JsonSchema = { type: 'string' }
const other: JsonSchema = { properties: { z: text } }

/** The schemas around a change, and the place of the value that changes. */
const shapes: Readonly<Record<string, readonly [wrap: (schema: JsonSchema) => JsonSchema, place?: string]>> = {
  'no type': [(schema) => schema],
  'objects and null': [(schema) => ({ type: ['object', 'null'], ...schema })],
  'allOf of two': [(schema) => ({ allOf: [other, schema] })],
  'allOf of two objects': [
    (schema) => ({
      allOf: [
        { type: 'object', ...other },
        { type: 'object', ...schema },
      ],
    }),
  ],
  'allOf with a reference to another part': [(schema) => ({ allOf: [{ $ref: '#/$defs/Base' }, schema], $defs: { Base: other } })],
  'allOf with a reference to the part': [(schema) => ({ allOf: [{ $ref: '#/$defs/Base' }, other], $defs: { Base: schema } })],
  'allOf in allOf': [(schema) => ({ allOf: [{ allOf: [other, schema] }] })],
  'allOf beside properties': [(schema) => ({ type: 'object', ...schema, allOf: [other] })],
  'a reference': [(schema) => ({ $ref: '#/$defs/Base', $defs: { Base: schema } })],
  'a branch of anyOf beside null': [(schema) => ({ anyOf: [{ allOf: [{ type: 'object' }, schema] }, { type: 'null' }] })],
  'an array of it': [(schema) => ({ type: 'array', items: schema }), '/*'],
  'an array of allOf': [(schema) => ({ type: 'array', items: { allOf: [other, schema] } }), '/*'],
  'a member of it': [(schema) => ({ properties: { inner: schema } }), '/inner'],
  'a member that is allOf': [(schema) => ({ type: 'object', properties: { inner: { allOf: [other, schema] } } }), '/inner'],
}

/** A branch of a union that its tag tells, which stands in two parts. */
const createTagged = (schema: JsonSchema): JsonSchema => ({
  oneOf: [
    { allOf: [{ type: 'object', properties: { kind: { const: 'a' } }, required: ['kind'] }, schema] },
    { type: 'object', properties: { kind: { const: 'b' } }, required: ['kind'] },
  ],
})

const plain: JsonSchema = { properties: { a: text, c: text } }
const changes: Readonly<Record<string, readonly [old: JsonSchema, now: JsonSchema]>> = {
  removed: [plain, { properties: { c: text } }],
  renamed: [plain, { properties: { b: text, c: text } }],
  'of another type': [plain, { properties: { a: { type: 'integer' }, c: text } }],
  required: [plain, { ...plain, required: ['a'] }],
  'of fewer values': [{ properties: { a: { enum: ['x', 'y'] } } }, { properties: { a: { enum: ['x'] } } }],
  'removed, and was required': [{ ...plain, required: ['a'] }, { properties: { c: text } }],
}

const listVerdicts = (old: JsonSchema, now: JsonSchema, flow: Flow, place = ''): readonly string[] =>
  compareSchemas('body', old, now, flow).map(
    (found) => `${found.change} ${found.place.replace(`body ${place}`, 'body ')} ${found.clients} ${found.servers}`,
  )

describe.each(['request', 'response'] as const)('in a %s', (flow) => {
  describe.each(Object.entries(changes))('a member that is %s', (_, [old, now]) => {
    const verdicts = listVerdicts({ type: 'object', ...old }, { type: 'object', ...now }, flow)

    test.each(Object.entries(shapes))('of %s', (_name, [wrap, place]) => {
      expect(verdicts).not.toEqual([])
      expect(listVerdicts(wrap(old), wrap(now), flow, place)).toEqual(verdicts)
    })

    test('of a branch that its tag tells', () => {
      expect(listVerdicts(createTagged(old), createTagged(now), flow, '(kind "a")')).toEqual(verdicts)
    })
  })
})

/** Schemas that are compared as wholes, and the place of the member. */
const wholes: Readonly<Record<string, readonly [wrap: (schema: JsonSchema) => JsonSchema, place?: string]>> = {
  'a branch of anyOf without a type': [(schema) => ({ anyOf: [schema, text] })],
  'a branch of oneOf beside a text': [(schema) => ({ oneOf: [{ type: 'object', ...schema }, text] })],
  'a branch of oneOf that no tag tells': [
    (schema) => ({
      oneOf: [
        { type: 'object', required: ['p'], properties: { ...schema.properties, p: text, q: { type: 'null' } } },
        { type: 'object', required: ['q'], properties: { q: text, a: text, b: text } },
      ],
    }),
  ],
  'an array without a type': [(schema) => ({ items: schema }), '/*'],
  'an array of places': [(schema) => ({ type: 'array', prefixItems: [schema], items: false }), '/0'],
  'an object with a bound': [(schema) => ({ type: 'object', maxProperties: 9, ...schema })],
  'further members': [(schema) => ({ type: 'object', additionalProperties: schema }), 'further members '],
  'further members of allOf': [(schema) => ({ additionalProperties: { allOf: [other, schema] } }), 'further members '],
}

describe.each(['request', 'response'] as const)('in a %s, a member is renamed', (flow) => {
  const [old, now] = changes['renamed'] as readonly [JsonSchema, JsonSchema]
  const verdicts = flow === 'request' ? ['removed a unknown safe', 'added b safe unknown'] : ['removed a safe safe', 'added b safe safe']

  test.each(Object.entries(wholes))('of %s', (_, [wrap, place = '']) => {
    const found = compareSchemas('body', wrap(old), wrap(now), flow)
    expect(found.map((one) => `${one.change} ${one.place.replace(`body ${place}/`, '')} ${one.clients} ${one.servers}`)).toEqual(verdicts)
  })
})

test('branches of oneOf that no tag tells are compared with those of the same text', () => {
  const createUnion = (name: string): JsonSchema => ({
    oneOf: [
      { type: 'object', required: ['p'], properties: { p: text, [name]: text } },
      { type: 'array', items: { properties: { a: text, b: text } } },
    ],
  })
  const [first, second] = createUnion('b').oneOf as readonly [JsonSchema, JsonSchema]
  expect(listVerdicts(createUnion('a'), { oneOf: [second, first] }, 'request')).toEqual([
    'removed body /a unknown safe',
    'added body /b safe unknown',
  ])
  expect(listVerdicts(createUnion('b'), { oneOf: [second, first] }, 'request')).toEqual([])
})

test.each<[flow: Flow, now: JsonSchema, verdicts: readonly string[]]>([
  ['request', { additionalProperties: { type: 'boolean' } }, ['removed body /a safe breaking']],
  ['response', { additionalProperties: { type: 'boolean' } }, ['removed body /a breaking safe']],
  [
    'request',
    { required: ['a'], additionalProperties: { type: ['boolean', 'null'] } },
    ['changed body /a safe breaking', 'changed body further members safe breaking'],
  ],
])('a required member without a schema of its own is a further member: in a %s, to %j', (flow, now, verdicts) => {
  expect(listVerdicts({ required: ['a'], additionalProperties: { type: 'boolean' } }, now, flow)).toEqual(verdicts)
})

test('two spellings of one schema are no change', () => {
  const merged: JsonSchema = { type: 'object', properties: { a: text, z: text } }
  expect(listVerdicts({ allOf: [{ type: 'object' }, { properties: { a: text } }, other] }, merged, 'request')).toEqual([])
  expect(listVerdicts({ anyOf: [{ properties: { a: text, z: text } }] }, { properties: { a: text, z: text } }, 'response')).toEqual([])
})

test('a schema that contains itself is searched to its end', () => {
  const createTree = (name: string): JsonSchema => ({
    $ref: '#/$defs/Node',
    $defs: { Node: { minProperties: 0, properties: { [name]: text, next: { $ref: '#/$defs/Node' } } } },
  })
  expect(listVerdicts(createTree('a'), createTree('b'), 'response')).toEqual(['removed body /a safe safe', 'added body /b safe safe'])
})
