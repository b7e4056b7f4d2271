/** Methods beyond the usual five: QUERY, those of WebDAV, and what is none. */
import { METHODS } from 'node:http'
import { endpoint, form, json, ok, operations, text } from 'lapidary'
import { client } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { isPortableMethod } from '../../src/http/route.ts'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { buildRequest, get, json as jsonOf, refuses, respondsWith } from '../support/matrix/row.ts'

const Filter = z.object({ word: z.string() })
const api = {
  read: endpoint('GET /stones', { response: ok(text) }),
  search: endpoint('QUERY /stones', { body: Filter, response: ok(json) }),
  remove: endpoint('DELETE /stones', { response: ok(text) }),
  properties: endpoint('PROPFIND /stones', { response: ok(text) }),
  purge: endpoint('PURGE /cache/:name', { response: ok(text) }),
  discover: endpoint('M-SEARCH /cache/:name', { body: form, response: ok(json) }),
}
const server = serve(api, {
  read: () => 'all',
  search: ({ body }) => body,
  remove: () => 'removed',
  properties: () => 'properties',
  purge: ({ params }) => params.name,
  discover: ({ body }) => body,
})
const query = (body: string, type = 'application/json') => buildRequest('QUERY', '/stones', { 'Content-Type': type }, body)
const allow = 'GET, HEAD, QUERY, DELETE, PROPFIND, OPTIONS'

describeEachAdapter(server, (running) => {
  testRows(running, [
    ['QUERY has a body', query('{"word":"opal"}'), jsonOf({ word: 'opal' })],
    ['its body is validated', query('{}'), refuses(400, expect.objectContaining({ pointer: '/word' }))],
    ['its body needs its media type', query('word=opal', 'text/plain'), respondsWith(415)],
    ['a method of WebDAV is a method', buildRequest('PROPFIND', '/stones'), respondsWith(200, { text: 'properties' })],
    ['a method with captures', buildRequest('PURGE', '/cache/a%2Fb'), respondsWith(200, { text: 'a/b' })],
    [
      'a method with a hyphen',
      buildRequest('M-SEARCH', '/cache/a', { 'Content-Type': 'application/x-www-form-urlencoded' }, 'a=1'),
      jsonOf({ a: ['1'] }),
    ],
    ['OPTIONS lists all methods', buildRequest('OPTIONS', '/stones'), respondsWith(204, { headers: { Allow: allow } })],
    ['405 does, too', buildRequest('REPORT', '/stones'), respondsWith(405, { headers: { Allow: allow } })],
    ['HEAD belongs to GET alone', buildRequest('HEAD', '/cache/a'), respondsWith(405)],
    ['GET stays what it is', get('/stones'), respondsWith(200, { text: 'all' })],
  ])
})

test('a client calls them', async () => {
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })
  expect(await call.search({ body: { word: 'ruby' } })).toEqual({ word: 'ruby' })
  expect(await call.properties()).toBe('properties')
})

test('fetch takes any token as a method; one that no endpoint has is answered 405', async () => {
  for (const method of ['x'.repeat(10_000), '__proto__', 'constructor', 'query', 'GE']) {
    const response = await server.fetch(new Request('http://test.invalid/stones', { method }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, allow])
    expect((await response.text()).length).toBeLessThan(300)
  }
})

test('every method of Node is one of an endpoint, but for those that servers answer themselves', () => {
  for (const method of METHODS) {
    const isOwn = !['HEAD', 'OPTIONS', 'CONNECT', 'TRACE'].includes(method)
    expect([method, isPortableMethod(method)]).toEqual([method, isOwn])
    if (isOwn) expect(operations({ one: endpoint(`${method} /` as 'GET /', { response: ok(text) }) })).toHaveLength(1)
  }
  expect(METHODS).toEqual(expect.arrayContaining(['QUERY', 'PROPFIND', 'PURGE', 'M-SEARCH']))
})

test('documents have them: OpenAPI 3.1 as x-additionalOperations', async () => {
  const { paths } = await openapi(api, { title: 'Stones', version: '1' })
  const { 'x-additionalOperations': others, ...usual } = paths['/stones'] ?? {}
  expect(Object.keys(usual)).toEqual(['get', 'delete'])
  expect(Object.entries(others ?? {}).map(([method, { operationId }]) => [method, operationId])).toEqual([
    ['QUERY', 'search'],
    ['PROPFIND', 'properties'],
  ])
  expect(markdown(await outline(api))).toContain('## QUERY /stones')
})
