/** The options of `serve`: authenticators, a fallback, a format of problems; and mounts. */
import {
  type BasicCredentials,
  basic,
  bearer,
  endpoint,
  errors,
  int,
  json,
  mount,
  noContent,
  ok,
  optional,
  prefix,
  reply,
  text,
} from 'lapidary'
import { fromNodeListener } from 'lapidary/node'
import { authenticate, fromFetch, type HttpHandler, type HttpRequest, type ProblemFormat, serve, type Verifier } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createRequest } from '../support/httpRequest.ts'
import { adapters, onBun, type RunningAdapter } from '../support/matrix/adapters.ts'

const silent = { onError: () => {} }

/** A thenable that is no Promise, as query builders return it. */
const nothing = Promise.resolve(undefined)
// biome-ignore lint/suspicious/noThenProperty: that is the point
const query = { then: nothing.then.bind(nothing) }

describe.each(adapters)('$name', ({ startAdapter }) => {
  const opened: RunningAdapter[] = []
  const start = async (...given: Parameters<typeof startAdapter>): Promise<RunningAdapter> => {
    const one = await startAdapter(...given)
    opened.push(one)
    return one
  }
  afterAll(async () => {
    for (const one of opened) await one.close()
  })

  describe('a fallback', () => {
    let here: RunningAdapter
    const fallback: HttpHandler = ({ method, target }) => ({
      status: 200,
      headers: ['Content-Type', 'text/plain'],
      body: `the page for ${method} ${target}`,
    })
    beforeAll(async () => {
      const api = {
        point: endpoint('GET /points/:x', { params: { x: int }, query: { y: int }, response: ok(text) }),
        post: endpoint('POST /items', { body: json, response: noContent }),
        raw: mount('/raw'),
      }
      here = await start(
        serve(api, { point: () => 'point', post: () => {}, raw: () => ({ status: 200, headers: [], body: 'raw' }) }, { fallback }),
      )
    })

    test.each([
      ['an unknown path', 'GET', '/nowhere'],
      ['a path with invalid percent-encoding', 'GET', '/%zz'],
      ['an invalid capture', 'GET', '/points/one'],
      ['another method', 'DELETE', '/points/1'],
      ['an unknown method', 'PROPFIND', '/items'],
      ['OPTIONS of an unknown path', 'OPTIONS', '/nowhere'],
    ])('it gets %s', async (_sentence, method, target) => {
      expect(await (await here.fetch(target, { method })).text()).toBe(`the page for ${method} ${target}`)
    })

    test.each(['/nowhere', '/%zz', '/points/one', '/items', '/items/'])(
      'HEAD of %s is answered like GET, without the body',
      async (target) => {
        const response = await here.fetch(target, { method: 'HEAD' })
        expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([200, 'text/plain', ''])
      },
    )

    test.each([
      ['a request that matches', 'GET', '/points/1?y=2', 200],
      ['an invalid query', 'GET', '/points/1', 400],
      ['a missing Content-Type', 'POST', '/items', 415],
      ['OPTIONS of a path that matches', 'OPTIONS', '/points/1', 204],
      ['a mount', 'GET', '/raw/x', 200],
    ])('it does not get %s', async (_sentence, method, target, status) => {
      const response = await here.fetch(target, { method })
      expect(response.status).toBe(status)
      expect(await response.text()).not.toContain('the page')
    })
  })

  test('without a fallback, HEAD of a path that has no GET is 405', async () => {
    const api = endpoint('POST /items', { body: json, response: noContent })
    const { status, headers } = await (await start(serve({ api }, { api: () => {} }))).fetch('/items', { method: 'HEAD' })
    expect([status, headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  test.each([
    ['OPTIONS', '/items/1', 204],
    ['PROPFIND', '/items/1', 405],
    ['PATCH', '/items/1', 405],
    ['PATCH', '/items/one', 400],
    ['OPTIONS', '/items/one', 400],
  ])(
    'a response of a path, and not of one of its endpoints, has the constant headers that all of them share: %s %s',
    async (method, target, status) => {
      const params = { id: int }
      const api = {
        item: endpoint('GET /items/:id', {
          params,
          response: ok(text),
          responseHeaders: { 'Accept-Ranges': 'name', 'X-Shelf': 'A', 'X-Only': 'one' },
        }),
        remove: endpoint('DELETE /items/:id', {
          params,
          response: noContent,
          responseHeaders: { 'accept-ranges': 'name', 'X-Shelf': 'B' },
        }),
        put: endpoint('PUT /items/:id', { params, body: json, response: noContent, responseHeaders: { 'X-Shelf': 'A' } }),
      }
      const here = await start(serve(api, { item: () => 'one', remove: () => {}, put: () => {} }))
      const response = await here.fetch(target, { method })
      const headers = ['accept-ranges', 'x-only', 'x-shelf'].map((name) => response.headers.get(name))
      expect([response.status, ...headers]).toEqual([status, 'name', 'one', null])
    },
  )

  test.each([
    ['GET', 400],
    ['HEAD', 400],
    ['DELETE', 400],
  ])('the response to an invalid capture has the constant headers of its endpoint: %s', async (method, status) => {
    const params = { id: int }
    const api = {
      item: endpoint('GET /items/:id', { params, response: ok(text), responseHeaders: { 'X-Shelf': 'A' } }),
      remove: endpoint('DELETE /items/:id', { params, response: noContent, responseHeaders: { 'X-Shelf': 'B' } }),
    }
    const here = await start(serve(api, { item: () => 'one', remove: () => {} }))
    const response = await here.fetch('/items/one', { method })
    expect([response.status, response.headers.get('x-shelf')]).toEqual([status, method === 'DELETE' ? 'B' : 'A'])
  })

  test.each([
    ['Cache-Control', { 'Cache-Control': 'max-age=5' }],
    ['another case', { 'cache-control': 'max-age=5' }],
  ])('a header of an error replaces the constant one: %s', async (_what, headers) => {
    const api = {
      item: endpoint('GET /item', {
        response: ok(text),
        errors: [reply(404)],
        responseHeaders: { 'Cache-Control': 'no-store', 'X-Shelf': 'A' },
      }),
    }
    const here = await start(
      serve(api, {
        item: () => {
          throw errors.notFound({ headers })
        },
      }),
    )
    const response = await here.fetch('/item')
    expect([response.status, response.headers.get('cache-control'), response.headers.get('x-shelf')]).toEqual([404, 'max-age=5', 'A'])
  })

  test('an error of a fallback is answered like one of a handler', async () => {
    const reports: unknown[] = []
    const failure = new Error('template')
    const fail =
      (error: unknown): HttpHandler =>
      () => {
        throw error
      }
    const options = { onError: (error: unknown) => reports.push(error) }
    const raising = await start(serve({}, {}, { fallback: fail(errors.conflict({ body: 'no' })), ...options }))
    expect(await (await raising.fetch('/')).text()).toBe('no')
    const failing = await start(serve({}, {}, { fallback: fail(failure), ...options }))
    expect((await failing.fetch('/')).status).toBe(500)
    expect(reports).toEqual([failure])
  })

  test('mapError turns errors of the application into HttpErrors', async () => {
    const reports: unknown[] = []
    class Missing extends Error {}
    const api = { item: endpoint('GET /items/:id', { params: { id: int }, response: noContent }) }
    const { fetch } = await start(
      serve(
        api,
        {
          item: ({ params }) => {
            throw params.id === 1 ? new Missing() : new Error('x')
          },
        },
        {
          mapError: (error) => (error instanceof Missing ? errors.notFound({ body: 'gone' }) : undefined),
          onError: (error) => reports.push(error),
        },
      ),
    )
    const response = await fetch('/items/1')
    expect([response.status, await response.text()]).toEqual([404, 'gone'])
    expect((await fetch('/items/2')).status).toBe(500)
    expect(reports).toHaveLength(1)
  })

  test('problems in another format', async () => {
    const format: ProblemFormat = ({ status, detail }) => ({ type: 'text/plain', body: `${status}: ${detail ?? ''}` })
    const api = { item: endpoint('GET /items/:id', { params: { id: int }, response: noContent }) }
    const { fetch } = await start(
      serve(
        api,
        {
          item: ({ params }) => {
            throw params.id === 1 ? errors.notFound({ detail: 'no item 1' }) : new Error('x')
          },
        },
        { format, ...silent },
      ),
    )
    const response = await fetch('/nowhere')
    expect(response.headers.get('content-type')).toBe('text/plain')
    expect(await response.text()).toBe('404: There is nothing at this path.')
    expect(await (await fetch('/items/1')).text()).toBe('404: no item 1')
    expect(await (await fetch('/items/2')).text()).toMatch(/^500: An unexpected error/)
  })

  describe('an authenticator', () => {
    const people = basic<{ readonly name: string }>('people')
    const api = { me: endpoint('GET /me', { auth: people, response: ok(json) }) }
    const send = async (verify: Verifier<{ readonly name: string }, BasicCredentials>) => {
      const { fetch } = await start(
        serve(api, { me: ({ user }) => [user ?? 'nobody'] }, { auth: [authenticate(people, verify)], ...silent }),
      )
      return fetch('/me', { headers: { Authorization: `Basic ${btoa('Ann:a:b')}` } })
    }
    const notOne = (value: unknown): never => value as never

    test('it gets the credentials and the request', async () => {
      const seen: [unknown, HttpRequest][] = []
      const response = await send((credentials, incoming) => {
        seen.push([credentials, incoming])
        return { name: 'Ann' }
      })
      expect(await response.json()).toEqual([{ name: 'Ann' }])
      expect(seen[0]?.[0]).toEqual({ username: 'Ann', password: 'a:b' })
      expect(seen[0]?.[1].target).toBe('/me')
    })

    test.each<[string, () => unknown]>([
      ['undefined', () => undefined],
      ['a promise of undefined', async () => undefined],
      ['null, in plain JavaScript', () => null],
      ['a promise of null', async () => null],
      ['a query builder that finds nothing', () => query],
    ])('the request is rejected when it returns %s', async (_sentence, verify) => {
      expect((await send(() => notOne(verify()))).status).toBe(401)
    })

    test('an error that it throws is answered like one of a handler', async () => {
      const limited = await send(() => {
        throw errors.tooManyRequests({ headers: { 'Retry-After': '60' } })
      })
      expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '60'])
      expect((await send(async () => Promise.reject(new Error('no database')))).status).toBe(500)
      expect(
        (
          await send(() => {
            throw new Error('no database')
          })
        ).status,
      ).toBe(500)
    })
  })

  test('two endpoints with different schemes', async () => {
    const [one, other] = [bearer<string>('one'), bearer<string>('other')]
    const api = {
      one: endpoint('GET /one', { auth: one, response: ok(text) }),
      other: endpoint('GET /other', { auth: other, response: ok(text) }),
    }
    const knows = (word: string) => (token: string) => (token === word ? token : undefined)
    const { fetch } = await start(
      serve(
        api,
        { one: ({ user }) => user, other: ({ user }) => user },
        { auth: [authenticate(one, knows('a')), authenticate(other, knows('b'))] },
      ),
    )
    const status = async (target: string, token: string) => (await fetch(target, { headers: { Authorization: `Bearer ${token}` } })).status
    expect([await status('/one', 'a'), await status('/one', 'b'), await status('/other', 'a'), await status('/other', 'b')]).toEqual([
      200, 401, 401, 200,
    ])
  })

  describe('mounts', () => {
    const say =
      (name: string): HttpHandler =>
      ({ target }) => ({ status: 200, headers: [], body: `${name} ${target}` })
    const api = {
      root: mount('/'),
      outer: mount('/a'),
      inner: prefix('/a', { deep: mount('/b') }),
      endpoint: endpoint('GET /a/b/c', { response: ok(text) }),
      captured: endpoint('GET /a/:any', { response: ok(text) }),
      failing: mount('/failing'),
      web: mount('/web'),
      nested: mount('/nested'),
    }
    const read = endpoint('GET /', { query: { b: optional(text) }, response: ok(text) })
    const readQuery = ({ query: { b } }: { readonly query: { readonly b?: string | undefined } }): string =>
      b === undefined ? 'the root' : 'the root b'
    const nested = serve({ read, again: mount('/again') }, { read: readQuery, again: serve({ read }, { read: readQuery }) })
    let here: RunningAdapter
    beforeAll(async () => {
      const handler = serve(
        api,
        {
          root: say('root'),
          outer: say('outer'),
          inner: { deep: say('inner') },
          nested,
          endpoint: () => 'endpoint',
          captured: ({ params }) => `captured ${params.any}`,
          failing: ({ target }) => {
            throw target === '/known' ? errors.notFound({ body: 'known' }) : new Error('x')
          },
          web: fromFetch(async (request) => {
            if (new URL(request.url).pathname === '/throw') throw new Error('x')
            if (new URL(request.url).pathname === '/cookies') {
              const headers = new Headers([
                ['Set-Cookie', 'a=1'],
                ['Set-Cookie', 'b=2'],
              ])
              return new Response(null, { status: 204, headers })
            }
            return new Response('streamed', { status: 201, statusText: 'Made' })
          }),
        },
        silent,
      )
      here = await start(handler)
    })

    test.each([
      ['/a/b/c', 'endpoint'],
      ['/a/x', 'captured x'],
      ['/a/b', 'captured b'],
      ['/a/b/d', 'inner /d'],
      ['/a/b/', 'captured b'],
      ['/a/x/y', 'outer /x/y'],
      ['/a', 'outer /'],
      ['/a?b', 'outer /?b'],
      ['/a/?b', 'outer /?b'],
      ['/nested', 'the root'],
      ['/nested?b=', 'the root b'],
      ['/nested/', 'the root'],
      ['/nested/again', 'the root'],
      ['/nested/again?b=', 'the root b'],
      ['/a//b', 'outer //b'],
      ['/z?y', 'root /z?y'],
      ['/', 'root /'],
    ])('%s goes to %s', async (target, text) => {
      expect(await (await here.fetch(target)).text()).toBe(text)
    })

    test('an error of a mount is answered like one of a handler', async () => {
      expect(await (await here.fetch('/failing/known')).text()).toBe('known')
      expect((await here.fetch('/failing/x')).status).toBe(500)
      expect((await here.fetch('/web/throw')).status).toBe(500)
    })

    test('the status, reason phrase, cookies and HEAD of a fetch handler', async () => {
      const response = await here.fetch('/web/x')
      const reason = here.hasReasonPhrases ? 'Made' : ''
      expect([response.status, response.statusText, await response.text()]).toEqual([201, onBun ? expect.any(String) : reason, 'streamed'])
      expect((await here.fetch('/web/cookies')).headers.getSetCookie()).toEqual(['a=1', 'b=2'])
      const head = await here.fetch('/web/x', { method: 'HEAD' })
      expect([head.status, await head.text()]).toEqual([201, ''])
    })
  })

  test('an asynchronous schema', async () => {
    const Even = z.int().refine(async (value) => value % 2 === 0, 'expected an even number')
    const api = { even: endpoint('POST /even', { body: Even, response: ok(json) }) }
    const { fetch } = await start(serve(api, { even: ({ body }) => body }))
    const post = (body: string) => fetch('/even', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    expect(await (await post('2')).json()).toBe(2)
    expect((await post('3')).status).toBe(400)
  })

  test('a schema that transforms gives the handler its output', async () => {
    const Trimmed = z.object({ name: z.string().transform((name) => name.trim().length) })
    const api = { length: endpoint('POST /length', { body: Trimmed, response: ok(json) }) }
    const { fetch } = await start(serve(api, { length: ({ body }) => body.name }))
    const response = await fetch('/length', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"  Ann "}' })
    expect(await response.json()).toBe(3)
  })
})

test('a Node listener on another adapter throws a message with the remedy', async () => {
  const reports: unknown[] = []
  const server = serve({ node: mount('/node') }, { node: fromNodeListener(() => {}) }, { onError: (error) => reports.push(error) })
  expect((await server.fetch(new Request('http://a/node'))).status).toBe(500)
  expect(String(reports)).toBe(
    'TypeError: A Node listener can only be mounted on the node:http adapter. Mount a request handler or a fetch handler instead.',
  )
})

test('a synchronous handler makes no promise', () => {
  const server = serve({ now: endpoint('GET /now', { response: ok(text) }) }, { now: () => 'now' })
  expect(server(createRequest('/now'))).toEqual({
    status: 200,
    headers: ['Content-Type', 'text/plain;charset=utf-8', 'X-Content-Type-Options', 'nosniff'],
    body: 'now',
    route: 'GET /now',
  })
})
