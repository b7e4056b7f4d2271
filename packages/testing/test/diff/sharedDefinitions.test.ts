/** Definitions that several bodies share stand in a manifest once, and change nothing of what is compared. */
import { fromOpenApi } from '@lapidary/openapi'
import { type ApiManifest, diff, manifest } from '@lapidary/testing'
import { endpoint, ok } from 'lapidary'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkManifest } from '../../src/diff/manifestCheck.ts'

/** A document whose schemas all refer to each other. @param change changes one of them */
const createDocument = (count: number, change: (schema: object, index: number) => object = (schema) => schema): unknown => ({
  openapi: '3.1.0',
  info: { title: 'Graph', version: '1' },
  paths: Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `/things/${index}`,
      {
        get: {
          operationId: `get${index}`,
          responses: {
            200: { description: 'It.', content: { 'application/json': { schema: { $ref: `#/components/schemas/Thing${index}` } } } },
          },
        },
      },
    ]),
  ),
  components: {
    schemas: Object.fromEntries(
      Array.from({ length: count }, (_, index) => [
        `Thing${index}`,
        change(
          {
            type: 'object',
            required: ['id'],
            properties: {
              id: { type: 'integer' },
              next: { $ref: `#/components/schemas/Thing${(index + 1) % count}` },
              note: { type: 'string' },
            },
          },
          index,
        ),
      ]),
    ),
  },
})

const createManifest = (document: unknown): ApiManifest => manifest(fromOpenApi(document).api)

/** The same manifest in the format without tables. */
function inline({ definitions = {}, ...whole }: ApiManifest): unknown {
  const text = JSON.stringify({ ...whole, manifest: 1 }, (_, value: unknown) => {
    const { definitions: table, schema, ...body } = Object(value) as { definitions?: string; schema?: object }
    return table === undefined ? value : { ...body, schema: { ...schema, $defs: definitions[table] } }
  })
  return JSON.parse(text)
}

test('a manifest grows with the document, and not with its square', () => {
  const [small, large] = [createManifest(createDocument(50)), createManifest(createDocument(200))]
  expect([small.manifest, large.manifest]).toEqual([2, 2])
  expect(JSON.stringify(large).length).toBeLessThan(JSON.stringify(small).length * 4.5)
})

test('what is written and read again is the same', () => {
  const old = createManifest(createDocument(20))
  expect(diff(JSON.parse(JSON.stringify(old)), createManifest(createDocument(20)))).toEqual([])
  expect(() => checkManifest(JSON.parse(JSON.stringify(old)))).not.toThrow()
})

test('a manifest without tables is compared with one that has some', () => {
  const next = createManifest(createDocument(4, (schema, index) => (index === 2 ? { ...schema, required: [] } : schema)))
  const old = createManifest(createDocument(4))
  const changes = diff(old, next)
  expect(changes.map(({ endpoint, place, clients }) => `${endpoint} ${place} ${clients}`)).toContain('get2 response 200 body /id breaking')
  expect(diff(inline(old) as ApiManifest, next)).toEqual(changes)
  expect(diff(old, inline(next) as ApiManifest)).toEqual(changes)
  expect(diff(inline(old) as ApiManifest, old)).toEqual([])
})

test('a change of one definition is found only where bodies refer to it', () => {
  const createChain = (note: string) =>
    createManifest(
      createDocument(6, (schema, index) =>
        index < 5 ? { ...schema, properties: { id: { type: 'integer' }, [index === 4 ? note : 'note']: { type: 'string' } } } : schema,
      ),
    )
  expect([...new Set(diff(createChain('old'), createChain('new')).map((change) => change.endpoint))]).toEqual(['get4'])
})

test('a witness has the values of shared definitions', () => {
  const createApi = (type: string) =>
    createManifest(createDocument(3, (schema) => ({ ...schema, properties: { ...Reflect.get(schema, 'properties'), id: { type } } })))
  const [change] = diff(createApi('integer'), createApi('string'))
  expect(change).toMatchObject({ clients: 'breaking', witness: { response: { status: 200 } } })
  expect(JSON.parse(String(change?.witness?.response?.body))).toMatchObject({ id: expect.any(String) })
})

test('definitions of one name that differ are not shared', () => {
  const createTree = (name: string): z.ZodType => {
    const tree: z.ZodType = z.lazy(() => z.object({ [name]: z.string(), children: z.array(tree) }))
    return tree
  }
  const [one, other] = [createTree('a'), createTree('b')]
  const api = {
    one: endpoint('GET /one', { response: ok(one) }),
    other: endpoint('GET /other', { response: ok(other) }),
    again: endpoint('GET /again', { response: ok(one) }),
  }
  const reversed = { again: api.again, other: api.other, one: api.one }
  expect(JSON.stringify(manifest(reversed))).toBe(JSON.stringify(manifest(api)))
  expect(diff(manifest(api), manifest(reversed))).toEqual([])
  const changes = diff(manifest(api), manifest({ ...api, other: endpoint('GET /other', { response: ok(one) }) }))
  expect(changes.map(({ endpoint: name }) => name)).toContain('other')
  expect(changes.map(({ endpoint: name }) => name)).not.toContain('one')
})

test.each([
  [
    'a table that is missing',
    (whole: ApiManifest) => ({ ...whole, definitions: {} }),
    /definitions" is not valid: expected the name of a table/,
  ],
  ['tables that are no record', (whole: ApiManifest) => ({ ...whole, definitions: [] }), /definitions" is not valid: expected an object/],
  ['a definition that is no schema', (whole: ApiManifest) => ({ ...whole, definitions: { 1: { Thing0: 7 } } }), /expected a JSON Schema/],
  ['a version that there is not', (whole: ApiManifest) => ({ ...whole, manifest: 3 }), /"manifest": 1 or 2/],
])('%s is refused', (_, change, message) => {
  expect(() => checkManifest(change(createManifest(createDocument(3))))).toThrow(message)
})
