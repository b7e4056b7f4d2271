/** Collections of an OpenAPI document: its schemas are shared, its bodies are optional unless it says otherwise, and it has formats. */

import { fromOpenApi } from '@lapidary/openapi'
import { mock } from '@lapidary/testing'
import { expect, test } from 'vitest'

const content = (schema: object) => ({ content: { 'application/json': { schema } } })
const Stone = { $ref: '#/components/schemas/Stone' }

/** Sends requests to a mock of stones, whose identifier has a schema. */
function start(id: object) {
  const created = { description: 'created', headers: { Location: { schema: { type: 'string' } } }, ...content(Stone) }
  const [found, missing] = [{ description: 'found', ...content(Stone) }, { description: 'missing' }]
  const name = { type: 'object', properties: { name: { type: 'string' } } }
  const color = { $ref: '#/components/schemas/Color' }
  const { api } = fromOpenApi({
    openapi: '3.1.0',
    info: { title: 'Stones', version: '1' },
    components: {
      schemas: {
        Color: { enum: ['red', 'blue'] },
        Stone: {
          type: 'object',
          required: ['id', 'name'],
          properties: {
            id: { ...id, readOnly: true },
            name: { type: 'string' },
            color,
            found: { type: 'string', format: 'date', readOnly: true },
          },
        },
      },
    },
    paths: {
      '/stones': {
        get: { operationId: 'list', responses: { 200: { description: 'all', ...content({ type: 'array', items: Stone }) } } },
        post: { operationId: 'create', requestBody: content(Stone), responses: { 201: created } },
      },
      '/stones/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: id }],
        get: { operationId: 'item', responses: { 200: found, 404: missing } },
        put: { operationId: 'replace', requestBody: content(Stone), responses: { 200: found, 404: missing } },
        patch: { operationId: 'change', requestBody: content(name), responses: { 200: found, 404: missing } },
        delete: { operationId: 'remove', responses: { 204: { description: 'removed' }, 404: missing } },
      },
    },
  })
  const { fetch } = mock(api)
  return async (method: string, path: string, body?: object) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const response = await fetch(
      new Request(`http://mock.test${path}`, { method, headers, body: body === undefined ? null : JSON.stringify(body) }),
    )
    const text = await response.text()
    return {
      status: response.status,
      location: response.headers.get('location') ?? '',
      value: response.ok && text !== '' ? JSON.parse(text) : undefined,
    }
  }
}

test('a new identifier has its format', async () => {
  const send = start({ type: 'string', format: 'uuid' })
  const { location, value } = await send('POST', '/stones', { name: 'opal' })
  expect(value).toMatchObject({ id: expect.stringMatching(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/), name: 'opal' })
  expect(location).toBe(`/stones/${value.id}`)
  expect(await send('GET', location)).toMatchObject({ status: 200, value })
})

test('a member that only the server sets is not stored if it is no value of its schema', async () => {
  const send = start({ type: 'string', format: 'uuid' })
  const { value } = await send('POST', '/stones', { id: 7, name: 'opal', found: 'today' })
  expect(value.id).toHaveLength(36)
  expect(await send('GET', '/stones')).toMatchObject({ status: 200, value: expect.arrayContaining([value]) })
})

test('a list of a shared schema has the items of the collection, each once', async () => {
  const send = start({ type: 'integer', minimum: 1, maximum: 5 })
  const { value } = await send('POST', '/stones', { name: 'opal', color: 'red' })
  const items = (await send('GET', '/stones')).value
  expect(items).toContainEqual(value)
  expect(items.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 4])
})

test('an optional body is stored, and one that is left out changes nothing', async () => {
  const send = start({ type: 'integer' })
  const { location } = await send('POST', '/stones', { name: 'opal', color: 'red' })
  const { status, value: changed } = await send('PATCH', location, { name: 'agate' })
  expect({ status, changed }).toMatchObject({ status: 200, changed: { id: 4, name: 'agate', color: 'red' } })
  expect((await send('PATCH', location)).value).toEqual(changed)
  expect((await send('PUT', location)).value).toEqual(changed)
  expect((await send('GET', location)).value).toEqual(changed)
  expect((await send('PUT', location, { name: 'jade' })).value).toMatchObject({ id: 4, name: 'jade' })
  const plain = await send('POST', '/stones')
  expect(plain).toMatchObject({ status: 201, value: { id: 5, name: expect.any(String) } })
  expect((await send('GET', plain.location)).value).toEqual(plain.value)
  await send('DELETE', location)
  for (const method of ['GET', 'PATCH', 'PUT']) expect((await send(method, location)).status).toBe(404)
})
