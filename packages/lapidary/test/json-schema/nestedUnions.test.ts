/** Unions within unions: the work grows with the size of the value, not with the ways to choose among their branches. */
import { mergePatch, type Schema } from 'lapidary'
import { describe, expect, it } from 'vitest'
import { compileWriter } from '../../src/json-schema/compileWriter.ts'
import { createEarlyRejecter } from '../../src/json-schema/earlyRejection.ts'
import { findFirstIssue, findSchemaIssue, isValid, toParseError } from '../../src/json-schema/invalidPlaces.ts'
import type { JsonSchema } from '../../src/json-schema/jsonSchema.ts'
import { parseSchema } from '../../src/json-schema/schemaNode.ts'
import { createWriter } from '../../src/json-schema/writer.ts'

const self = { $ref: '#' } as const
const text = { type: 'string' } as const
const branch = (name: string): JsonSchema => ({ type: 'object', properties: { child: self, [name]: text }, required: [name] })
const named = (kind: string): JsonSchema => ({
  type: 'object',
  properties: { child: self, kind: { const: kind } },
  required: ['kind'],
})

/** Schemas of a value with `child`, each of which meets every child in several ways. */
const schemas: Readonly<Record<string, JsonSchema>> = {
  anyOf: { anyOf: [branch('a'), branch('b'), branch('c')] },
  oneOf: { oneOf: [branch('a'), branch('b'), branch('c')] },
  'anyOf with constants': { anyOf: [named('a'), named('b'), named('c')] },
  'anyOf beside members': { properties: { child: self }, anyOf: [branch('a'), branch('c')] },
  allOf: { allOf: [{ properties: { child: self } }, branch('c'), branch('c')] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  'if, then and else': { if: branch('a'), then: branch('b'), else: branch('c') },
  dependentSchemas: { properties: { child: self }, dependentSchemas: { c: branch('c'), child: branch('c') } },
  not: { properties: { child: self, c: text }, not: branch('a') },
  patternProperties: { patternProperties: { '^c': { anyOf: [text, branch('a'), branch('c')] }, child: branch('c') } },
}

/** A value of so many levels, each of which counts how often it is looked at. */
function createNested(levels: number, innermost: object = {}): { readonly value: unknown; readonly count: () => number } {
  let looks = 0
  const watch = (target: object): object =>
    new Proxy(target, {
      get: (of, name) => {
        looks += 1
        return Reflect.get(of, name)
      },
      ownKeys: (of) => {
        looks += 1
        return Reflect.ownKeys(of)
      },
    })
  let value = watch({ kind: 'c', c: 'text', ...innermost })
  for (let level = 1; level < levels; level += 1) value = watch({ child: value, kind: 'c', c: 'text' })
  return { value, count: () => looks }
}

const createSchema = (jsonSchema: JsonSchema): Schema => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: () => ({ issues: [{ message: 'no', path: [] }] }),
    jsonSchema: { input: () => ({ ...jsonSchema }) },
  },
})

/** Everything that walks a value by its JSON Schema. */
const walkers: Readonly<Record<string, (schema: JsonSchema) => (value: unknown) => unknown>> = {
  isValid: (schema) => (value) => isValid(parseSchema(schema), value),
  findFirstIssue: (schema) => (value) => findFirstIssue(parseSchema(schema), value),
  findSchemaIssue: (schema) => (value) => findSchemaIssue(parseSchema(schema), value),
  'the issues of a schema': (schema) => (value) => toParseError([{ message: 'no', path: [] }], createSchema(schema), value),
  'early rejection': (schema) => {
    const reject = createEarlyRejecter(createSchema(schema))
    return (value) => reject(value, 1_000_000)
  },
  'a merge patch': (schema) => (value) => mergePatch(createSchema(schema)).schema?.['~standard'].validate(value),
  'the writer': (schema) => createWriter(schema),
  'the compiled writer': (schema) => compileWriter(schema, schema, 'program'),
  'the writer of copies': (schema) => compileWriter(schema, schema, 'copy'),
}

/** How often a walker looks at the parts of a value. One that a writer refuses was looked at, too. */
function countLooks(walk: (value: unknown) => unknown, levels: number, innermost?: object): number {
  const { value, count } = createNested(levels, innermost)
  try {
    walk(value)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  return count()
}

describe.each(Object.entries(walkers))('%s', (_, createWalker) => {
  it.each(Object.entries(schemas))('takes twice the steps for twice the levels: %s', (_name, schema) => {
    for (const innermost of [{}, { c: 7, kind: 'd' }]) {
      const walk = createWalker(schema)
      const few = countLooks(walk, 6, innermost)
      // Before the large values, so that an exponential walk fails soon.
      expect(countLooks(walk, 12, innermost)).toBeLessThanOrEqual(few * 3)
      expect(countLooks(walk, 48, innermost)).toBeLessThanOrEqual(few * 12)
    }
  })
})
