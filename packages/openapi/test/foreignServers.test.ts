/** Requests for the API of a document, as a server of another framework gets them; and how a mock takes the requests of other clients. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fromOpenApi } from '@lapidary/openapi'
import { checkServer, diff, manifest, mock } from '@lapidary/testing'
import type { AnyEndpoint, Api } from 'lapidary'
import { client, isDeclaredError } from 'lapidary/client'
import { link, match } from 'lapidary/links'
import { openapi } from 'lapidary/openapi'
import { afterEach, describe, expect, test } from 'vitest'
import { writeModule } from '../src/writing/writeModule.ts'

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

describe('responses of ranges of statuses', () => {
  const body = (properties: Json): Json => ({
    description: '',
    content: { 'application/json': { schema: { type: 'object', properties, required: Object.keys(properties) } } },
  })
  const responses = {
    200: body({ name: { type: 'string' } }),
    404: body({ missing: { type: 'string' } }),
    '4XX': body({ mistake: { type: 'string' } }),
    default: body({ fault: { type: 'string' } }),
  }
  const api = readApi({ '/a': { get: { operationId: 'get', responses } } }) as { readonly get: AnyEndpoint }

  test.each([
    [404, { missing: 'a' }],
    [418, { mistake: 'a' }],
    [503, { fault: 'a' }],
  ])('a client gets %j as declared', async (status, sent) => {
    const { url } = await listen(status, sent)
    const error: unknown = await client(api, url, { retries: 0 })
      .get()
      .catch((caught: unknown) => caught)
    expect(isDeclaredError(api.get, error)).toBe(true)
    expect(error).toMatchObject({ status, body: sent })
  })

  test.each([
    [418, { mistake: 'a' }, []],
    [300, { fault: 'a' }, []],
    // A default allows a failure, and does not expect one.
    [500, { fault: 'a' }, ['no-server-error']],
    [418, { fault: 'a' }, ['body', 'undeclared-members']],
    [404, { mistake: 'a' }, ['body', 'undeclared-members']],
  ])('check allows any status of a range, and judges its body: %j %j', async (status, sent, expected) => {
    const { url } = await listen(status, sent)
    const report = await checkServer(api, url, { requests: 40, seed: 1 })
    const names = ['status', 'no-server-error', 'body', 'undeclared-members']
    const failed = report.endpoints.flatMap(({ failures }) => failures.map(({ rule }) => rule))
    expect(names.filter((name) => failed.includes(name) && (status >= 400 || name !== 'status'))).toEqual(expected)
  })

  test('come back in the document, each once', async () => {
    const { paths } = await openapi(api, { title: 'Test', version: '1' })
    const found = paths['/a']?.get?.responses ?? {}
    expect(Object.keys(found)).toEqual(expect.arrayContaining(['200', '404', '4XX', 'default']))
    expect(JSON.stringify(found['4XX'])).toContain('mistake')
    expect(Object.keys(found)).not.toContain('418')
  })

  test('are one reply each in the description that import writes', () => {
    const { code } = writeModule({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths: { '/a': { get: { responses } } } })
    expect(code).toContain("reply('4XX', ")
    expect(code).toContain("reply('default', ")
    expect(code.match(/reply\(/g)).toHaveLength(3)
  })
})

describe('lists in one text of the query', () => {
  const list = (name: string, style: Json, items: Json = { type: 'string' }): Json => ({
    ...{ name, in: 'query', ...style, schema: { type: 'array', items } },
  })
  const parameters = [
    list('comma', { explode: false }),
    list('pipe', { style: 'pipeDelimited' }, { type: 'integer' }),
    list('space', { style: 'spaceDelimited', explode: false }),
    list('each', { style: 'pipeDelimited', explode: true }),
  ]
  const responses = { 200: { description: '', content: { 'application/json': { schema: {} } } } }
  const paths = { '/a': { get: { operationId: 'get', parameters, responses } } }
  const api = readApi(paths) as { readonly get: AnyEndpoint }

  test('are read in full', () => {
    expect(fromOpenApi({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths }).limits).toEqual([])
  })

  test('stand in links and in the requests of a client', async () => {
    const query = { comma: ['a', 'b c'], pipe: [1, 2], space: ['x', 'y'], each: ['p', 'q'] }
    expect(link(api.get, { query } as never)).toBe('/a?comma=a%2Cb%20c&pipe=1%7C2&space=x%20y&each=p&each=q')
    const { url, targets } = await listen(200, 7)
    await client(api, url).get({ query })
    const sent = new URL(targets[0] ?? '', url).searchParams
    expect([sent.get('comma'), sent.get('pipe'), sent.get('space'), sent.getAll('each')]).toEqual(['a,b c', '1|2', 'x y', ['p', 'q']])
    expect(match(api, link(api.get, { query } as never))?.query).toEqual(query)
  })

  test.each([[['a,b']], [['']]])('refuse %j, whose values a reader could not tell apart', (comma) => {
    expect(() => link(api.get, { query: { comma } } as never)).toThrow('GET /a: a value of the list comma is empty, or contains ","')
  })

  test('are read by a mock, which refuses values of another type', async () => {
    const server = mock(api)
    const getStatus = async (query: string): Promise<number> => (await server.fetch(new Request(`http://test/a?${query}`))).status
    expect([await getStatus('comma=a,b&pipe=1%7C2&pipe=3&space='), await getStatus('pipe=1,2'), await getStatus('pipe=1%7Cx')]).toEqual([
      ...[200, 400, 400],
    ])
  })

  test('are sent by check as the document says', async () => {
    const { url, targets } = await listen(200, 7)
    await checkServer(api, url, { requests: 120, seed: 1 })
    const sent = targets.map((target) => new URL(target, url).searchParams)
    expect(sent.some((one) => /^[^,]+,[^,]+$/.test(one.get('comma') ?? ''))).toBe(true)
    expect(sent.some((one) => /^-?\d+\|-?\d+/.test(one.get('pipe') ?? ''))).toBe(true)
  })

  test('come back in the document, and in the description that import writes', async () => {
    const document = await openapi(api, { title: 'Test', version: '1' })
    expect(document.paths['/a']?.get?.parameters?.map(({ name, style, explode }) => [name, style, explode])).toEqual([
      ['comma', 'form', false],
      ['pipe', 'pipeDelimited', false],
      ['space', 'spaceDelimited', false],
      ['each', 'form', true],
    ])
    const { code } = writeModule({ openapi: '3.1.0', info: { title: 'Test', version: '1' }, paths })
    expect(code).toContain('comma: withDelimiter(z.array(z.string()).optional()),')
    expect(code).toContain("pipe: withDelimiter(z.array(z.int()).optional(), '|'),")
  })

  test('are refused in another form by diff', () => {
    const other = readApi({ '/a': { get: { operationId: 'get', parameters: parameters.slice(1), responses } } })
    const changed = readApi({
      '/a': { get: { operationId: 'get', parameters: [list('comma', {}), ...parameters.slice(1)], responses } },
    })
    const changes = diff(manifest(api), manifest(changed))
    expect(changes.map(({ place, clients, servers }) => [place, clients, servers])).toEqual([['query comma', 'breaking', 'breaking']])
    expect(diff(manifest(api), manifest(api))).toEqual([])
    expect(diff(manifest(other), manifest(other))).toEqual([])
  })
})
