/** The schemas of documents as JSON Schemas: versions, references, directions, discriminators, and keywords that say nothing. */
import { fromOpenApi, type LimitKind } from '@lapidary/openapi'
import { manifest } from '@lapidary/testing'
import * as fc from 'fast-check'
import { type AnyEndpoint, operations } from 'lapidary'
import { getJsonSchema } from 'lapidary/internal'
import { describe, expect, test } from 'vitest'
import { createArbitrary } from '../../testing/src/generate/values.ts'
import { getWholeEndpoints } from './support/compareManifests.ts'

type Json = Readonly<Record<string, unknown>>

function readSchema(
  schema: unknown,
  schemas: Json = {},
  openapi = '3.1.0',
): { readonly request: unknown; readonly response: unknown; readonly limits: readonly LimitKind[] } {
  const content = { 'application/json': { schema } }
  const { api, limits } = fromOpenApi({
    openapi,
    info: { title: 'Test', version: '1' },
    paths: { '/a': { post: { requestBody: { content }, responses: { 200: { description: '', content } } } } },
    components: { schemas },
  })
  const { body, responses } = getWholeEndpoints(manifest(api))['postA'] ?? {}
  return { request: body?.schema, response: responses?.[0]?.body?.schema, limits: limits.map(({ kind }) => kind) }
}

describe('OpenAPI 3.0', () => {
  test.each<[schema: Json, expected: Json]>([
    [{ type: 'string', nullable: true }, { type: ['string', 'null'] }],
    [
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a', null] },
    ],
    [{ type: 'string', nullable: true, enum: [null] }, { type: 'null' }],
    [{ nullable: true, anyOf: [{ type: 'string' }] }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    [{ nullable: true, allOf: [{ type: 'string' }] }, { anyOf: [{ allOf: [{ type: 'string' }] }, { type: 'null' }] }],
    [
      { type: 'integer', minimum: 1, exclusiveMinimum: true },
      { type: 'integer', exclusiveMinimum: 1 },
    ],
    [
      { type: 'integer', maximum: 1, exclusiveMaximum: false },
      { type: 'integer', maximum: 1 },
    ],
    [
      { type: 'string', format: 'byte' },
      { type: 'string', contentEncoding: 'base64' },
    ],
    [{ type: 'array', items: {} }, { type: 'array' }],
  ])('%j is %j', (schema, expected) => {
    expect(readSchema(schema, {}, '3.0.3').request).toEqual(expected)
  })
})

test.each<[schema: Json, expected: Json]>([
  [
    { type: 'integer', format: 'int32' },
    { minimum: -2_147_483_648, maximum: 2_147_483_647 },
  ],
  [
    { type: 'integer', format: 'int32', minimum: 1, maximum: 9_999_999_999 },
    { minimum: 1, maximum: 2_147_483_647 },
  ],
  [
    { type: ['integer', 'null'], format: 'uint8' },
    { minimum: 0, maximum: 255 },
  ],
  [{ type: 'integer', format: 'int64' }, {}],
  [{ type: 'string', format: 'int32' }, {}],
])('%j has the range of its format', (schema, expected) => {
  expect(readSchema(schema).request).toEqual({ ...schema, ...expected })
})

test('check sends base64 where a text is bytes, and integers within their format', async () => {
  const schema = { type: 'object', properties: { data: { type: 'string', format: 'byte' }, size: { type: 'integer', format: 'int32' } } }
  const required = { ...schema, required: ['data', 'size'] }
  const { api } = fromOpenApi({
    openapi: '3.0.3',
    info: { title: 'Test', version: '1' },
    paths: { '/a': { post: { requestBody: { required: true, content: { 'application/json': { schema: required } } }, responses: {} } } },
  })
  const { body } = api['postA'] as AnyEndpoint
  const values = fc.sample(
    createArbitrary(getJsonSchema(body?.schema as never)) as fc.Arbitrary<{ readonly data: string; readonly size: number }>,
    200,
  )
  expect(values.filter(({ data }) => !/^(?:[\w+/]{4})*(?:[\w+/]{2}==|[\w+/]{3}=)?$/.test(data))).toEqual([])
  expect(values.filter(({ size }) => Math.abs(size) > 2 ** 31)).toEqual([])
})

describe('references', () => {
  const Node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node' } } }

  const refer = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

  test.each<[name: string, schemas: Json]>([
    ['oneOf', { A: { oneOf: [refer('A'), { type: 'string' }] } }],
    ['not', { A: { not: refer('A') } }],
    ['two schemas', { A: { anyOf: [refer('B')] }, B: { if: refer('A') } }],
    ['dependentSchemas', { A: { dependentSchemas: { 'a/b': refer('A') } } }],
  ])('a schema that leads to itself without a step allows any value: %s', (_, schemas) => {
    // The manifest has null for a value that no schema restricts.
    expect(readSchema(refer('A'), schemas)).toEqual({ request: null, response: null, limits: ['reference', 'reference'] })
  })

  test('a circle through allOf opens there: a subtype adds to its base, which lists its subtypes', () => {
    const Cat = { allOf: [refer('Pet'), { type: 'object', properties: { name: { type: 'string' } } }] }
    const { request, limits } = readSchema(refer('Pet'), { Pet: { oneOf: [refer('Cat'), { type: 'string' }] }, Cat })
    expect(limits).toEqual(['reference'])
    expect(request).toEqual({
      oneOf: [{ $ref: '#/$defs/Cat' }, { type: 'string' }],
      $defs: { Cat: { allOf: [{}, Cat.allOf[1]] } },
    })
  })

  test('a schema has the definitions that it refers to, and no others', () => {
    const { request } = readSchema({ type: 'array', items: { $ref: '#/components/schemas/Node' } }, { Node, Other: { type: 'string' } })
    expect(request).toEqual({
      $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' } } } },
      items: { $ref: '#/$defs/Node' },
      type: 'array',
    })
  })

  test.each<[reference: string, schemas: Json]>([
    ['#/components/schemas/Missing', {}],
    ['other.yaml#/User', {}],
    ['#/components/schemas/A', { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }],
    ['#/%', {}],
  ])('the reference %s leads nowhere', (reference, schemas) => {
    const { request, limits } = readSchema({ $ref: reference }, schemas)
    expect([request, new Set(limits)]).toEqual([null, new Set(['reference'])])
  })

  test('pointers to any place are followed', () => {
    const { request, limits } = readSchema(
      { $ref: '#/components/schemas/A/properties/b~1c' },
      { A: { properties: { 'b/c': { type: 'string' } } } },
    )
    expect([request, limits]).toEqual([{ type: 'string' }, []])
  })
})

test('members that are only read stand in responses, those that are only written in requests', () => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer', readOnly: true }, name: { type: 'string' }, secret: { type: 'string', writeOnly: true } },
    required: ['id', 'name', 'secret'],
  }
  const { request, response } = readSchema(schema)
  expect(request).toEqual({
    type: 'object',
    properties: { name: { type: 'string' }, secret: { type: 'string' } },
    required: ['name', 'secret'],
  })
  expect(response).toEqual({ type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } }, required: ['id', 'name'] })
})

test('a default of an optional member of a response is not filled in', () => {
  const { limits } = readSchema({ type: 'object', properties: { a: { type: 'integer', default: 1 } } })
  expect(limits).toEqual(['response-default'])
})

describe('discriminators', () => {
  const Cat = { type: 'object', properties: { kind: { type: 'string' } } }
  const reference = { $ref: '#/components/schemas/Cat' }

  test('each alternative has the values that lead to it', () => {
    const schema = { oneOf: [reference], discriminator: { propertyName: 'kind' } }
    expect(readSchema(schema, { Cat }).request).toMatchObject({
      oneOf: [{ $ref: '#/$defs/Cat', properties: { kind: { const: 'Cat' } }, required: ['kind'], type: 'object' }],
    })
    const mapped = { ...schema, discriminator: { propertyName: 'kind', mapping: { tom: '#/components/schemas/Cat', kitten: 'Cat' } } }
    expect(readSchema(mapped, { Cat }).request).toMatchObject({ oneOf: [{ properties: { kind: { enum: ['tom', 'kitten'] } } }] })
  })

  test('an alternative that lists the values itself stays, and a base without alternatives is a limit', () => {
    const listed = { Cat: { type: 'object', properties: { kind: { const: 'tom' } } } }
    expect(readSchema({ oneOf: [reference], discriminator: { propertyName: 'kind' } }, listed).request).toMatchObject({
      oneOf: [{ $ref: '#/$defs/Cat' }],
    })
    expect(readSchema({ ...Cat, discriminator: { propertyName: 'kind' } }).limits).toContain('discriminator')
  })
})

test.each<[schema: unknown, limits: readonly LimitKind[]]>([
  [{ type: 'any' }, ['malformed-schema']],
  [{ minimum: '3' }, ['malformed-schema']],
  [{ required: true }, ['malformed-schema']],
  [{ type: 'array', items: [{ type: 'string' }] }, ['malformed-schema']],
  [{ allOf: [] }, ['malformed-schema']],
  [{ enum: [] }, ['malformed-schema']],
  [{ type: 'integer', enum: ['-1', '1'] }, ['malformed-schema']],
  [{ type: ['array', 'null'], items: {}, enum: ['a'] }, ['malformed-schema']],
  [{ type: 'string', enum: ['a', 8] }, []],
  [{ properties: { a: { pattern: 3 } } }, ['malformed-schema']],
  [{ $dynamicRef: '#a' }, ['schema-keyword']],
  [{ discriminator: {}, oneOf: [{}] }, ['malformed-schema']],
  ['text', ['malformed-schema']],
  [true, []],
])('%j is read as far as it says something', (schema, limits) => {
  expect(new Set(readSchema(schema).limits)).toEqual(new Set(limits))
})

test('a schema validates values by its JSON Schema', async () => {
  const schema = { type: 'object', properties: { x: { type: 'integer', maximum: 9 } }, required: ['x'] }
  const { api } = fromOpenApi({
    openapi: '3.1.0',
    info: { title: 'Test', version: '1' },
    paths: {
      '/a': {
        post: { requestBody: { required: true, content: { 'application/json': { schema } } }, responses: { 204: { description: '' } } },
      },
    },
  })
  const body = (operations(api)[0]?.operation as AnyEndpoint | undefined)?.body?.schema
  expect(await body?.['~standard'].validate({ x: 3, y: 4 })).toEqual({ value: { x: 3, y: 4 } })
  expect(await body?.['~standard'].validate({ x: 30 })).toMatchObject({ issues: [{ path: ['x'] }] })
})
