/** The defaults of members: a server writes them, a client does not, and the schema of responses requires them. */
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import type { JsonSchema, Schema } from 'lapidary'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compileWriter } from '../../src/json-schema/compileWriter.ts'
import { getCompleteSchema, getIncompleteSchema } from '../../src/json-schema/defaults.ts'
import { isValid } from '../../src/json-schema/invalidPlaces.ts'
import { parseSchema } from '../../src/json-schema/schemaNode.ts'
import { getJsonSchema } from '../../src/json-schema/standardSchema.ts'
import { createResponseWriter, createWriter } from '../../src/json-schema/writer.ts'

const raw = (jsonSchema: JsonSchema): Schema => ({
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }), jsonSchema: { input: () => jsonSchema } },
})

const Labels = z.object({ id: z.int(), labels: z.array(z.string()).default([]) })
const Circle = z.object({
  get below() {
    return Circle.optional().prefault({})
  },
}) as z.ZodType
const Tree: z.ZodType = z.object({
  name: z.string().default('leaf'),
  get below() {
    return z.array(Tree)
  },
})

test.each<[string, Schema, unknown, string]>([
  ['a list of zod', Labels, { id: 1 }, '{"id":1,"labels":[]}'],
  ['a member that is there', Labels, { id: 1, labels: ['a'] }, '{"id":1,"labels":["a"]}'],
  ['a member that is undefined', Labels, { id: 1, labels: undefined }, '{"id":1,"labels":[]}'],
  ['a default alone', z.object({ a: z.string().default('x') }), {}, '{"a":"x"}'],
  ['one before a required member', z.object({ a: z.int().default(1), b: z.int() }), { b: 2 }, '{"a":1,"b":2}'],
  ['beside an optional member', z.object({ a: z.int().optional(), b: z.int().default(2) }), {}, '{"b":2}'],
  ['null', z.object({ a: z.string().nullable().default(null) }), {}, '{"a":null}'],
  ['a text that JSON escapes', z.object({ a: z.string().default('"\n') }), {}, '{"a":"\\"\\n"}'],
  ['a name that is inherited', z.object({ constructor: z.string().default('x') }), {}, '{"constructor":"x"}'],
  [
    'Valibot',
    toStandardJsonSchema(v.object({ id: v.number(), label: v.optional(v.string(), 'none') })),
    { id: 1 },
    '{"id":1,"label":"none"}',
  ],
  ['items of a list', z.array(Labels), [{ id: 1 }, { id: 2, labels: [] }], '[{"id":1,"labels":[]},{"id":2,"labels":[]}]'],
  ['members of a record', z.record(z.string(), Labels), { a: { id: 1 } }, '{"a":{"id":1,"labels":[]}}'],
  ['defaults within a default', z.object({ page: z.object({ size: z.int().default(20) }).prefault({}) }), {}, '{"page":{"size":20}}'],
  ['a schema that contains itself', Tree, { below: [{ below: [] }] }, '{"name":"leaf","below":[{"name":"leaf","below":[]}]}'],
  [
    'the branch of a union that the value has',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), size: z.int().default(1) }),
      z.object({ kind: z.literal('b'), word: z.string().default('x') }),
    ]),
    { kind: 'b' },
    '{"kind":"b","word":"x"}',
  ],
  ['parts of an intersection', z.intersection(z.object({ a: z.int() }), z.object({ b: z.int().default(2) })), { a: 1 }, '{"a":1,"b":2}'],
  ['beside further members', z.looseObject({ a: z.int().default(1) }), { b: 2 }, '{"a":1,"b":2}'],
  [
    'a default behind a reference',
    raw({ type: 'object', properties: { a: { $ref: '#/$defs/word' } }, $defs: { word: { type: 'string', default: 'x' } } }),
    {},
    '{"a":"x"}',
  ],
  [
    'a default beside a reference',
    raw({ type: 'object', properties: { a: { $ref: '#/$defs/word', default: 'y' } }, $defs: { word: { type: 'string', default: 'x' } } }),
    {},
    '{"a":"y"}',
  ],
])('%s', (_what, schema, value, text) => {
  const jsonSchema = getJsonSchema(schema)
  const writers = [
    createResponseWriter(jsonSchema),
    compileWriter(jsonSchema, jsonSchema, 'program'),
    compileWriter(jsonSchema, jsonSchema, 'copy'),
  ]
  expect(writers.map((write) => write(value))).toEqual([text, text, text])
  // The schema of responses asks for what is written, and for all of it.
  const complete = getCompleteSchema(jsonSchema)
  expect(isValid(parseSchema(complete), JSON.parse(text))).toBe(true)
  const given = createWriter(jsonSchema)(value)
  expect(given === text || !isValid(parseSchema(complete), JSON.parse(given))).toBe(true)
  expect(getCompleteSchema(jsonSchema)).toBe(complete)
})

test.each<[string, Schema]>([
  ['what the schema does not take', z.object({ a: z.string().min(1).default('') })],
  ['a value of the output', z.object({ a: z.string().transform(Number).default(5) })],
  ['a default that contains itself', Circle],
  [
    'members of what a value is not',
    raw({ type: 'object', not: { properties: { a: { type: 'string', default: 'x' } }, required: ['b'] } }),
  ],
  ['names that a record may have', z.partialRecord(z.enum(['a', 'b']), z.int().default(1))],
  ['a default of ArkType, which its JSON Schema does not have', type({ labels: 'string = "none"' })],
  ['no default', z.object({ a: z.string().optional() })],
])('absent members stay absent: %s', (_what, schema) => {
  const jsonSchema = getJsonSchema(schema)
  expect(getCompleteSchema(jsonSchema)).toBe(jsonSchema)
  const compiled = (['program', 'copy'] as const).map((strategy) => compileWriter(jsonSchema, jsonSchema, strategy))
  expect([createResponseWriter(jsonSchema), ...compiled].map((write) => write({}))).toEqual(['{}', '{}', '{}'])
})

test('a client writes what it is given', () => {
  expect(createWriter(getJsonSchema(Labels))({ id: 1 })).toBe('{"id":1}')
})

test('references of a complete schema lead to complete schemas, and each tells what it is made of', () => {
  const source: JsonSchema = {
    type: 'array',
    items: { $ref: '#/$defs/user' },
    $defs: { user: { type: 'object', properties: { a: { type: 'integer', default: 1 } }, required: [] } },
  }
  const complete = getCompleteSchema(source)
  expect(complete).toEqual({ ...source, $defs: { user: { ...source.$defs?.['user'], required: ['a'] } } })
  expect(getIncompleteSchema(complete.$defs?.['user'] ?? {})).toBe(source.$defs?.['user'])
  expect(getIncompleteSchema(source)).toBe(undefined)
})
