/** Documents of an attacker, and broken ones: each is read with limits, or refused with a sentence. */
import { fromOpenApi } from '@lapidary/openapi'
import { manifest, mock } from '@lapidary/testing'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseText } from '../src/parseText.ts'
import { writeModule } from '../src/writing/writeModule.ts'

type Json = Readonly<Record<string, unknown>>

const createDocument = (members: Json = {}): Json => ({
  openapi: '3.1.0',
  info: { title: 'Stones', version: '1' },
  paths: { '/stones': { get: { responses: { 204: { description: 'Done.' } } } } },
  ...members,
})

const listLimits = (document: Json): readonly string[] => fromOpenApi(document).limits.map(({ kind, pointer }) => `${kind} ${pointer}`)

describe('texts and lists of other types are limits', () => {
  test.each<[members: Json, pointer: string]>([
    [{ info: [] }, '/info'],
    [{ info: { title: 5, version: '1' } }, '/info/title'],
    [{ info: { title: 'a', version: {} } }, '/info/version'],
    [{ info: { title: 'a', version: '1', description: false } }, '/info/description'],
    [{ servers: {} }, '/servers'],
    [{ servers: ['/v1'] }, '/servers/0'],
    [{ servers: [{ url: 5 }] }, '/servers/0/url'],
    ...(['summary', 'description', 'operationId', 'tags'] as const).map((name): [Json, string] => [
      { paths: { '/a': { get: { [name]: 5, responses: { 204: { description: 'Done.' } } } } } },
      `/paths/~1a/get/${name}`,
    ]),
    [{ paths: { '/a': { get: { tags: ['a', null], responses: { 204: { description: 'Done.' } } } } } }, '/paths/~1a/get/tags/1'],
  ])('%j', (members, pointer) => {
    expect(listLimits(createDocument(members))).toEqual([`malformed-part ${pointer}`])
  })
})

test('a chain of references may be long', () => {
  const chain = (kind: string, last: unknown): Json =>
    Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`A${index}`, index === 99 ? last : { $ref: `#/components/${kind}/A${index + 1}` }]),
    )
  const { api, limits } = fromOpenApi(
    createDocument({
      paths: {
        '/stones': {
          get: {
            parameters: [{ $ref: '#/components/parameters/A0' }],
            responses: {
              200: {
                description: 'Done.',
                content: { 'application/json': { schema: { type: 'object', properties: { a: { $ref: '#/components/schemas/A0' } } } } },
              },
            },
          },
        },
      },
      components: {
        schemas: chain('schemas', { type: 'string', writeOnly: true }),
        parameters: chain('parameters', { name: 'q', in: 'query', schema: { $ref: '#/components/schemas/A0' } }),
      },
    }),
  )
  expect(limits).toEqual([])
  const { query, responses } = manifest(api).endpoints['getStones'] ?? {}
  expect(Object.keys(query ?? {})).toEqual(['q'])
  // The last one says that no response has the member.
  expect(responses?.[0]?.body?.schema).not.toHaveProperty('properties.a')
})

test('a circle of references is a limit', () => {
  const parameters = { A: { $ref: '#/components/parameters/B' }, B: { $ref: '#/components/parameters/A' } }
  const paths = { '/a': { get: { parameters: [parameters.A], responses: { 204: { description: 'Done.' } } } } }
  expect(listLimits(createDocument({ paths, components: { parameters } }))).toEqual(['reference /paths/~1a/get/parameters/0'])
})

test('a value that contains itself is refused', () => {
  const document: Record<string, unknown> = { ...createDocument() }
  document['x-self'] = document
  expect(() => fromOpenApi(document)).toThrow(
    /^expected an OpenAPI document of at most 500 values within one another, got more at \/x-self/,
  )
})

test.each([
  ['JSON', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['a flow of YAML', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['blocks of YAML', Array.from({ length: 3_000 }, (_, index) => `${' '.repeat(index)}a:`).join('\n')],
])('%s that is too deep is refused', (_, text) => {
  expect(() => parseText(text, 'a.yaml')).toThrow(/^a\.yaml.*expected at most 500 values within one another/)
})

test.each([
  ['{"a": 1,\n "a": 2}', 'a.json:2:2: the member "a" stands in its object twice'],
  ['{"b": {"a": [1], "\\u0061": 2}}', 'a.json:1:18: the member "a" stands in its object twice'],
])('%s has a name twice', (text, message) => {
  expect(() => parseText(text, 'a.json')).toThrow(message)
})

test('a name may stand in several objects', () => {
  const text = '{"a":["a","a",{"a":",","b":"{"},{"a":"}"}],"b":{"a":{"a":1}},"c":[]}'
  expect(JSON.stringify(parseText(text, 'a.json'))).toBe(text)
})

/** What stands where it should not. */
const oddValues: readonly unknown[] = [
  ...[null, true, -1, 1e308, '', '__proto__', '#', '#/paths', '^(a+)+$', '\ud800', '2XX', [], {}, [null], { $ref: '#' }, { $ref: 5 }],
  ...[{ type: [] }, { allOf: [{ $ref: '#/components/schemas/A' }] }, { oneOf: [] }, { not: {} }, { type: 'array', minItems: 1e9 }],
  JSON.parse('{"__proto__":{"type":"string"}}'),
]
const names =
  '$ref type properties items allOf oneOf not __proto__ constructor schema content parameters responses default example enum const required additionalProperties patternProperties discriminator security servers headers in name style tags summary nullable pattern requestBody operationId get post application/json multipart/form-data 200 default'.split(
    ' ',
  )

const healthy = JSON.stringify(
  createDocument({
    security: [{ key: [] }],
    paths: {
      '/stones/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: { $ref: '#/components/schemas/Id' } }],
        put: {
          parameters: [{ name: 'q', in: 'query', style: 'deepObject', schema: { type: 'object', properties: { a: { type: 'string' } } } }],
          requestBody: { content: { 'multipart/form-data': { schema: { $ref: '#/components/schemas/A' } } } },
          responses: {
            200: { description: 'Done.', content: { 'application/json': { schema: { $ref: '#/components/schemas/A' } } } },
            default: { $ref: '#/components/responses/Wrong' },
          },
        },
      },
    },
    components: {
      schemas: {
        Id: { type: 'string', pattern: '^[a-z]+$' },
        A: {
          type: 'object',
          required: ['a'],
          properties: {
            a: { type: 'integer' },
            next: { $ref: '#/components/schemas/A' },
            b: { oneOf: [{ type: 'string' }, { type: 'null' }] },
          },
        },
      },
      responses: { Wrong: { description: 'Wrong.', content: { 'application/problem+json': { schema: { type: 'object' } } } } },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    },
  }),
)

const listObjects = (value: unknown): readonly Record<string, unknown>[] =>
  typeof value === 'object' && value !== null ? [value as Record<string, unknown>, ...Object.values(value).flatMap(listObjects)] : []

const defineMember = (object: object, name: string, value: unknown): unknown =>
  Object.defineProperty(object, name, { value, configurable: true, enumerable: true, writable: true })

/** One change of a document: where, what, and which value. */
const changes = fc.record({
  at: fc.nat(),
  member: fc.nat(),
  kind: fc.constantFrom('replace', 'remove', 'add', 'copy'),
  name: fc.constantFrom(...names),
  value: fc.constantFrom(...oddValues),
})

test('a document with any faults is read, or refused with a sentence', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 5 }), async (list) => {
      const document = JSON.parse(healthy) as Record<string, unknown>
      for (const { at, member, kind, name, value } of list) {
        const objects = listObjects(document)
        const object = objects[at % objects.length] as Record<string, unknown>
        const own = Object.keys(object)
        const key = own[member % Math.max(own.length, 1)]
        if (kind === 'add' && !Array.isArray(object)) defineMember(object, name, structuredClone(value))
        else if (key === undefined) continue
        else if (kind === 'remove' && !Array.isArray(object)) delete object[key]
        else if (kind === 'replace') defineMember(object, key, structuredClone(value))
        else if (kind === 'copy') defineMember(object, key, JSON.parse(JSON.stringify(objects[member % objects.length])))
      }
      try {
        const { api } = fromOpenApi(document)
        manifest(api)
        mock(api)
        writeModule(document)
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError)
        expect((error as Error).message).toMatch(/^expected (?:an OpenAPI|OpenAPI|a valid) /)
      }
    }),
    { numRuns: 150 },
  )
})
