/** The mock of a document of another program sends the errors that the document declares. */
import { fromOpenApi } from '@lapidary/openapi'
import { mock } from '@lapidary/testing'
import { openapi } from 'lapidary/openapi'
import { expect, test } from 'vitest'

const failure = { type: 'object', required: ['code'], properties: { code: { type: 'integer' }, message: { type: 'string' } } }
const declareError = (description: string) => ({ description, content: { 'application/json': { schema: failure } } })
const document = {
  openapi: '3.1.0',
  info: { title: 'Stones', version: '1' },
  paths: {
    '/stones': {
      get: {
        operationId: 'list',
        parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
        responses: { 200: { description: 'All.' }, 400: declareError('Wrong.') },
      },
      post: {
        operationId: 'add',
        security: [{ key: [] }],
        requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
        responses: { 204: { description: 'Added.' }, 401: declareError('Who?'), 415: { description: 'Not JSON.' } },
      },
    },
  },
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
}

const { api } = fromOpenApi(document)
const send = (path: string, init?: RequestInit) => mock(api).fetch(new Request(`http://mock.test${path}`, init))

test.each([
  ['400', '/stones?limit=many', {}],
  ['401', '/stones', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }],
])('a %s has the declared body', async (status, path, init) => {
  const response = await send(path, init)
  expect(response.status).toBe(Number(status))
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
  expect(await response.json()).toMatchObject({ code: expect.any(Number) })
})

test('an error without a declared body has problem details', async () => {
  const response = await send('/stones', { method: 'POST', body: 'a', headers: { 'Content-Type': 'text/plain', 'X-Key': 'key' } })
  expect([response.status, response.headers.get('Content-Type')]).toEqual([415, 'application/problem+json'])
})

test('the mock of a document of the toolkit sends problem details', async () => {
  const own = fromOpenApi(await openapi(api, { title: 'Stones', version: '1', conventions: true }))
  expect(own.conventions).toBe(true)
  const response = await mock(own.api).fetch(new Request('http://mock.test/stones?limit=many'))
  expect([response.status, response.headers.get('Content-Type')]).toEqual([400, 'application/problem+json'])
})
