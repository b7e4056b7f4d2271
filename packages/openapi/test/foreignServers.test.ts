/** Requests for the API of a document, as a server of another framework gets them; and how a mock takes the requests of other clients. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fromOpenApi } from '@lapidary/openapi'
import { checkServer, mock } from '@lapidary/testing'
import type { AnyEndpoint, Api } from 'lapidary'
import { client } from 'lapidary/client'
import { link } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import { afterEach, describe, expect, test } from 'vitest'

type Json = Readonly<Record<string, unknown>>

const readApi = (paths: Json): Api => fromOpenApi({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths }).api

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that keeps the targets of its requests, and answers each with these. */
async function listen(status: number, body: unknown): Promise<{ readonly url: string; readonly targets: readonly string[] }> {
  const targets: string[] = []
  const server = createServer((request, response) => {
    targets.push(request.url ?? '')
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, targets }
}

describe('a slash at the end of a path', () => {
  const ok = { responses: { 200: { description: '', content: { 'application/json': { schema: { type: 'integer' } } } } } }
  const paths = {
    '/users/': { get: { operationId: 'list', ...ok } },
    '/users/{id}/': {
      get: {
        operationId: 'get',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        ...ok,
      },
    },
  }
  const api = readApi(paths) as { readonly list: AnyEndpoint; readonly get: AnyEndpoint }

  test('stands in links and in the requests of a client', async () => {
    expect([link(api.list), link(api.get, { params: { id: 7 } })]).toEqual(['/users/', '/users/7/'])
    const { url, targets } = await listen(200, 7)
    const users = client(api, url)
    expect([await users.list(), await users.get({ params: { id: 7 } })]).toEqual([7, 7])
    expect(targets).toEqual(['/users/', '/users/7/'])
  })

  test('stands in the requests of check', async () => {
    const { url, targets } = await listen(200, 7)
    await checkServer(api, url, { requests: 60, seed: 1 })
    const paths = new Set(targets.map((target) => target.split('?', 1)[0]))
    expect([...paths].filter((path) => /^\/users(?:\/-?\d+)?\/?$/.test(path ?? '') && !path?.endsWith('/'))).toEqual([])
    expect(paths).toContain('/users/')
  })

  test('is there or not for a mock, which takes both paths', async () => {
    const server = mock(api)
    for (const path of ['/users/', '/users', '/users/7/', '/users/7'])
      expect([path, (await server.fetch(new Request(`http://test${path}`))).status]).toEqual([path, 200])
  })

  test('comes back in the document', async () => {
    expect(Object.keys((await openapi(api, { title: 'Test', version: '1' })).paths)).toEqual(['/users/', '/users/{id}/'])
  })

  test('makes no other path for one method, and does for two', () => {
    const both = { '/users': { get: { operationId: 'one', ...ok } }, '/users/': { get: ok, post: { operationId: 'two', ...ok } } }
    const { api: read, limits } = fromOpenApi({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths: both })
    expect(limits).toEqual([
      {
        kind: 'endpoint',
        pointer: '/paths/~1users~1/get',
        message: 'Another operation has the same method and path; a slash at the end makes no other one. This one is left out.',
      },
    ])
    expect(Object.values(read).map((one) => link(one as AnyEndpoint))).toEqual(['/users', '/users/'])
  })
})
