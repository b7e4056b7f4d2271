/** Names of a document that mean something else in code: `__proto__`, words of JavaScript, members of each object. */
import { fromOpenApi } from '@lapidary/openapi'
import { openapi } from 'lapidary/openapi'
import { expect, test } from 'vitest'
import { writeModule } from '../../src/writing/writeModule.ts'

/** A document in which everything that has a name has this one. */
const createDocument = (name: string): unknown => {
  const text = { schema: { type: 'string' } }
  const own = (value: unknown): object => Object.fromEntries([[name, value]])
  const schema = {
    type: 'object',
    properties: { ...own({ type: 'string' }), a: { enum: [own(1)] }, b: { type: 'object', default: own(own(1)) } },
    required: [name],
    dependentRequired: own(['a']),
    ...own({ type: 'integer', minimum: 5 }),
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Stones', version: '1' },
    paths: {
      [`/stones/{${name}}`]: {
        post: {
          operationId: name,
          tags: [name],
          security: [own([])],
          parameters: ['path', 'query', 'header'].map((place) => ({ ...text, name, in: place, required: true })),
          requestBody: { required: true, content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } },
          responses: {
            200: { description: 'Done.', headers: own({ ...text, required: true }), content: { 'application/json': { schema } } },
          },
        },
      },
    },
    components: {
      schemas: own({ ...schema, properties: { ...schema.properties, c: { $ref: `#/components/schemas/${name}` } } }),
      securitySchemes: own({ type: 'apiKey', in: 'header', name: 'X-Key' }),
    },
  }
}

test('__proto__ is a name like any other', async () => {
  const document = createDocument('__proto__')
  const { api, limits } = fromOpenApi(document)
  expect(limits.map(({ kind }) => kind)).not.toContain('endpoint')
  const { paths = {}, components = {} } = (await openapi(api, { title: 'Stones', version: '1' })) as unknown as Record<string, object>
  expect(JSON.stringify([paths, components]).match(/"__proto__":/g)?.length).toBeGreaterThan(5)
  // A member of a schema with this name is no keyword, and no prototype.
  expect(JSON.stringify(components)).not.toContain('"minimum"')
  const { code } = writeModule(document)
  expect(code.match(/\['__proto__'\]/g)?.length).toBeGreaterThan(6)
  // In an object literal, only this form is a member.
  expect(code.match(/(?<!\[)'?\b__proto__\b'?(?!'?\]): /g)).toEqual(null)
})

test.each(['default', 'delete', 'await', 'constructor', 'toString'])('%s', (name) => {
  const { code } = writeModule(createDocument(name))
  expect(code).not.toMatch(/^export const (?:default|delete|await)\b/m)
  expect(code).not.toContain('[native code]')
})

test('auth schemes whose names are alike have constants of their own', () => {
  const names = ['key-a', 'key a', 'key.a']
  const { code } = writeModule({
    openapi: '3.1.0',
    info: { title: 'Stones', version: '1' },
    paths: {
      '/stones': { get: { security: names.map((name) => ({ [name]: [] })), responses: { 204: { description: 'Done.' } } } },
    },
    components: {
      securitySchemes: Object.fromEntries(
        names.map((name) => [name, { type: 'apiKey', in: 'header', name: `X-${name.length}-${name.charCodeAt(3)}` }]),
      ),
    },
  })
  expect(code.match(/^export const keyA\w* /gm)).toEqual(['export const keyA ', 'export const keyA2 ', 'export const keyA3 '])
})
