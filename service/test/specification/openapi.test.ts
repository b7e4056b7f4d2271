/** `GET /openapi.json` of the deployment `main`. */
import { readFileSync } from 'node:fs'
import { type AnyEndpoint, operations } from 'lapidary'
import type { OpenApiDocument, ResponseObject } from 'lapidary/openapi'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { main } from '../../src/api.ts'
import { openapiHandler } from '../../src/handlers/openapi.ts'

import { type Service, service } from '../support/service.ts'
import { users } from './known.ts'
import { type ReceivedResponse, send } from './send.ts'

let running: Service
let response: ReceivedResponse
let document: OpenApiDocument
beforeAll(async () => {
  running = await service()
  response = await send(running.main, 'GET /openapi.json')
  document = JSON.parse(response.text) as OpenApiDocument
})
afterAll(() => running.close())

test('it is JSON, of OpenAPI 3.1, with the version of the package', () => {
  expect(response).toMatchObject({ status: 200, headers: { 'content-type': 'application/json;charset=utf-8' } })
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string }
  expect(document).toMatchObject({ openapi: '3.1.1', info: { title: 'Example service', version }, servers: [{ url: '/' }] })
})

test('the document is the same for each request, and each time it is created', async () => {
  expect((await send(running.main, 'GET /openapi.json')).text).toBe(response.text)
  // What the endpoint takes and who asks makes no difference.
  expect(JSON.stringify(await openapiHandler()())).toBe(response.text)
})

test('a failure to create it is forgotten, and a success is kept', async () => {
  let attempts = 0
  const get = openapiHandler(async () => {
    attempts += 1
    if (attempts < 3) throw new Error('too many open files')
    return document
  })
  const getDocument = async (): Promise<unknown> => get()
  // Those that ask at the same time share one attempt.
  expect(await Promise.allSettled([getDocument(), getDocument()])).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  await expect(getDocument()).rejects.toThrow('too many open files')
  expect(await getDocument()).toBe(document)
  expect([await getDocument(), attempts]).toEqual([document, 3])
})

test('it contains every endpoint and the mounts', () => {
  const described = Object.entries(document.paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`))
  const all = operations(main).map(({ operation }) => operation)
  const endpoints = all.filter((operation): operation is AnyEndpoint => operation['~kind'] === 'endpoint')
  const lines = endpoints.map(({ method, route }) => `${method.toLowerCase()} ${route.split(' ')[1]?.replace(/:(\w+)/g, '{$1}')}`)
  expect(described.toSorted()).toEqual(lines.toSorted())
  const prefixes = all.flatMap((operation) => (operation['~kind'] === 'mount' ? [operation.prefix] : []))
  expect(document['x-mounts']?.map(({ prefix }) => prefix)).toEqual(prefixes)
})

test('it has named schemas of the records, and refers to them', () => {
  expect(Object.keys(document.components.schemas)).toEqual(
    expect.arrayContaining(['User', 'Position', 'HelloMessage', 'ClientInfo', 'Email', 'Person', 'Product', 'Secret', 'Color', 'Problem']),
  )
  const users = { type: 'array', items: { $ref: '#/components/schemas/User' } }
  expect(document.paths['/users']?.get?.responses['200']).toMatchObject({ content: { 'application/json': { schema: users } } })
  expect(document.components.securitySchemes).toEqual({
    people: { type: 'http', scheme: 'basic' },
    secret: { type: 'http', scheme: 'bearer' },
  })
})

test('a stream of users is a string, with the schema of a user for each line', () => {
  const { content, description } = (document.paths['/userStream']?.get?.responses['200'] ?? {}) as ResponseObject
  expect(Object.keys(content ?? {})).toEqual(['application/x-ndjson', 'application/jsonl'])
  expect(description).toContain('asks for `application/json`')
  for (const { schema, example, 'x-itemSchema': item } of Object.values(content ?? {})) {
    expect([schema['type'], item]).toEqual(['string', { $ref: '#/components/schemas/User' }])
    expect(
      String(example)
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line)),
    ).toMatchObject(users)
  }
})

test('every operation has a summary and a tag, and every tag a description', () => {
  const operations = Object.values(document.paths).flatMap(({ 'x-additionalOperations': others, ...item }) => [
    ...Object.values(item),
    ...Object.values(others ?? {}),
  ])
  const silent = operations.filter(({ summary = '', tags = [] }) => summary === '' || tags.length === 0)
  expect(silent.map(({ operationId }) => operationId)).toEqual([])
  expect(document.tags?.filter(({ description }) => description === undefined)).toEqual([])
})

test.each(['GET /openapi.json', 'GET /docs'])('%s is on no other deployment', async (line) => {
  expect((await send(running.pagination, line)).status).toBe(404)
  expect((await send(running.docs, line)).headers['content-type']).toBe('text/plain')
})
