/** A list of middleware: its order, what it knows of the API, its state, and lists that are refused at the start. */
import { type Api, endpoint, errors, int, mount, noContent, ok, operations, prefix, text } from 'lapidary'
import {
  accessLog,
  compose,
  cors,
  loadShedding,
  type Middleware,
  type MiddlewareContext,
  requestId,
  timeout,
  trustProxy,
} from 'lapidary/middleware'
import { tracing } from 'lapidary/opentelemetry'
import { type HttpHandler, type HttpResponse, type ServeOptions, serve, toFetch } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRequest } from '../support/httpRequest.ts'
import { listen } from '../support/matrix/adapters.ts'

const api = { hello: endpoint('GET /hello', { response: ok(text) }), files: mount('/files') }
const done: HttpResponse = { status: 200, headers: [], body: 'files' }
const handlers = { hello: () => 'Hello', files: () => done }

/** Writes its name into a list, for the request and for the response. */
const noting =
  (notes: string[], name: string): Middleware =>
  (next) =>
  async (request) => {
    notes.push(`> ${name}`)
    const response = await next(request)
    notes.push(`< ${name}`)
    return response
  }

/** Puts a list around a handler, by each of the two functions that take one. */
const ways: readonly (readonly [name: string, put: (middleware: readonly Middleware[]) => HttpHandler])[] = [
  ['serve', (middleware) => serve(api, handlers, { middleware })],
  ['compose', (middleware) => compose(middleware, serve(api, handlers))],
]

describe.each(ways)('%s', (name, put) => {
  const place = `${name}()`

  test('the first is the outermost', async () => {
    const notes: string[] = []
    const handler = put(['one', 'two', 'three'].map((each) => noting(notes, each)))
    expect(await handler(createRequest('/hello'))).toMatchObject({ status: 200, body: 'Hello', route: 'GET /hello' })
    expect(notes).toEqual(['> one', '> two', '> three', '< three', '< two', '< one'])
  })

  test('all that are behind one that answers by itself are left out', async () => {
    const notes: string[] = []
    const handler = put([noting(notes, 'one'), () => () => done, noting(notes, 'two')])
    expect(await handler(createRequest('/hello'))).toBe(done)
    expect(notes).toEqual(['> one', '< one'])
  })

  test('a middleware is called once, and its handler for each request', async () => {
    let created = 0
    let called = 0
    const handler = put([
      (next) => {
        created += 1
        return (request) => {
          called += 1
          return next(request)
        }
      },
    ])
    for (const target of ['/hello', '/files/a', '/nowhere']) await handler(createRequest(target))
    expect([created, called]).toEqual([1, 3])
  })

  test('middleware that makes no promise adds none', () => {
    const middleware = [
      loadShedding(),
      trustProxy(['10.0.0.0/8']),
      tracing(),
      requestId(),
      accessLog(() => {}),
      cors({ origins: '*' }),
      timeout(),
    ]
    expect(put(middleware)(createRequest('/hello'))).not.toBeInstanceOf(Promise)
  })

  test('an empty list changes nothing', () => {
    expect(put([])(createRequest('/hello'))).toMatchObject({ status: 200, headers: expect.anything(), body: 'Hello' })
  })

  test.each<[middleware: unknown, message: string]>([
    [requestId(), 'middleware is a function, expected a list of middleware, the outermost first. Write [requestId(), timeout(5_000)].'],
    [{ requestId }, 'middleware is an object, expected a list'],
    [null, 'middleware is null, expected a list'],
    ['cors', 'middleware is a string, expected a list'],
    [
      [requestId(), undefined],
      'middleware[1] is undefined, expected a function from a handler to a handler. Write requestId(), or your own: (next) => (request) => next(request). To leave one out, write ...(isNeeded ? [requestId()] : []).',
    ],
    [[false], 'middleware[0] is a boolean, expected a function'],
    [[[requestId()]], 'middleware[0] is an array, expected a function'],
    [[new Array(1)], 'middleware[0] is an array, expected a function'],
    [new Array(1), 'middleware[0] is undefined, expected a function'],
    [
      [requestId(), () => undefined],
      'middleware[1] returned undefined, expected a handler. Return (request) => next(request), or next itself.',
    ],
    [[async (next: HttpHandler) => next], 'middleware[0] returned a promise, expected a handler.'],
    [[() => done, requestId()], 'middleware[0] returned an object, expected a handler.'],
  ])('refuses the list %j', (middleware, message) => {
    expect(() => put(middleware as never)).toThrow(TypeError)
    expect(() => put(middleware as never)).toThrow(`${place}: ${message}`)
  })

  test.each<[name: string, middleware: unknown]>(Object.entries({ cors, loadShedding, requestId, timeout, trustProxy, tracing }))(
    '%s that is not called in the list is refused',
    (called, middleware) => {
      expect(() => put([middleware as Middleware])).toThrow(
        new TypeError(
          `${called}() takes its options, but got a function. Call it in the list: serve(api, handlers, { middleware: [${called}()] }), or compose([${called}()], handler).`,
        ),
      )
    },
  )
})

describe('the context', () => {
  test('has the API that is served', () => {
    const contexts: MiddlewareContext[] = []
    const keep: Middleware = (next, context) => {
      contexts.push(context)
      return next
    }
    serve(api, handlers, { middleware: [keep, keep] })
    expect(contexts.map((context) => context.api === api)).toEqual([true, true])
    expect(Object.isFrozen(contexts[0])).toBe(true)
  })

  test('has one mount for a handler without an API', () => {
    let served: Api = {}
    const keep: Middleware = (next, context) => {
      served = context.api
      return next
    }
    compose([keep], () => done)
    expect(operations(served).map(({ operation }) => operation)).toEqual([mount('/')])
  })
})

test('fetch of a server passes its middleware, and so does an adapter', async () => {
  const server = serve(api, handlers, { middleware: [requestId({ generate: () => 'r-1' })] })
  const { url, close } = await listen(server)
  onTestFinished(() => close({ drain: 0 }))
  for (const response of [await server.fetch(new Request('http://test.invalid/hello')), await fetch(`${url}/hello`)])
    expect([response.headers.get('x-request-id'), await response.text()]).toEqual(['r-1', 'Hello'])
})

test('serve adds nothing to a handler that middleware returns', async () => {
  const closed: HttpHandler = Object.freeze(() => ({ status: 503, headers: [], body: 'closed' }))
  const other = serve({ other: endpoint('GET /hello', { response: ok(text) }) }, { other: () => 'other' })
  const { fetch: otherFetch } = other
  const servers = [closed, other].map((handler) => serve(api, handlers, { middleware: [() => handler] }))
  const statuses = servers.map(async (server) => (await server.fetch(new Request('http://test.invalid/hello'))).text())
  expect(await Promise.all(statuses)).toEqual(['closed', 'other'])
  expect(other.fetch).toBe(otherFetch)
  expect(Object.keys(closed)).toEqual([])
})

test('an error of middleware is answered 500, and reported by the adapter, not by the server', async () => {
  const reports: string[] = []
  const failing: Middleware = () => () => {
    throw new Error('planted')
  }
  const onError =
    (name: string): NonNullable<ServeOptions['onError']> =>
    (error, { target }) =>
      void reports.push(`${name}: ${error} at ${target}`)
  const server = serve(api, handlers, { onError: onError('serve'), middleware: [failing] })
  const { url, close } = await listen(server, { onError: onError('listen') })
  onTestFinished(() => close({ drain: 0 }))
  expect((await fetch(`${url}/hello`)).status).toBe(500)
  expect((await toFetch(server, { onError: onError('toFetch') })(new Request('http://test.invalid/hello'))).status).toBe(500)
  expect((await server.fetch(new Request('http://test.invalid/hello'))).status).toBe(500)
  expect(reports).toEqual(['listen', 'toFetch', 'serve'].map((name) => `${name}: Error: planted at /hello`))
})

test.each<[string, (fail: () => never) => () => Promise<never> | never]>([
  ['at once', (fail) => () => fail()],
  ['later', (fail) => async () => fail()],
])('an HttpError that middleware throws %s is the response, which outer middleware sees, with or without an API', async (_when, make) => {
  const closed: Middleware = () =>
    make(() => {
      throw errors.serviceUnavailable({ detail: 'We are closed.', headers: { 'Retry-After': '60', Link: ['</a>', '</b>'] } })
    })
  const notes: number[] = []
  const note: Middleware = (next) => async (request) => {
    const response = await next(request)
    notes.push(response.status)
    return response
  }
  const middleware = [note, closed]
  for (const handler of [serve(api, handlers, { middleware }), compose(middleware, () => ({ status: 200, headers: [], body: null }))]) {
    const response = await toFetch(handler)(new Request('http://test.invalid/hello'))
    expect([response.status, response.headers.get('retry-after'), response.headers.get('link'), await response.json()]).toEqual([
      ...[503, '60', '</a>, </b>'],
      { type: 'about:blank', title: 'Service Unavailable', status: 503, detail: 'We are closed.' },
    ])
  }
  expect(notes).toEqual([503, 503])
})

test('a mounted server has middleware of its own', async () => {
  const notes: string[] = []
  const inner = serve(api, handlers, { middleware: [noting(notes, 'inner')] })
  const outer = serve({ inner: mount('/inner') }, { inner }, { middleware: [noting(notes, 'outer')] })
  expect(await outer(createRequest('/inner/hello'))).toMatchObject({ status: 200, body: 'Hello', route: '/inner' })
  await outer(createRequest('/nowhere'))
  expect(notes).toEqual(['> outer', '> inner', '< inner', '< outer', '> outer', '< outer'])
})

test('compose without a handler is refused', () => {
  expect(() => compose([requestId()], undefined as never)).toThrow(
    new TypeError(
      'compose(): the handler is undefined, expected a function from a request to a response. Write compose([requestId()], handler).',
    ),
  )
  expect(() => compose((() => done) as never, [requestId()] as never)).toThrow('compose(): the handler is an array')
})

describe('options from plain JavaScript', () => {
  test.each<[start: () => unknown, message: string]>([
    [() => cors(undefined as never), 'cors() has undefined as its options, expected an object. Use origins, credentials, maxAge,'],
    [() => cors(['https://example.org'] as never), 'cors() has an array as its options, expected an object.'],
    [() => requestId('X-Id' as never), 'requestId() has a string as its options, expected an object. Use header, generate.'],
    [() => requestId({ name: 'X-Id' } as never), 'requestId() has the unknown option "name". Use one of header, generate.'],
    [() => timeout(1, { api } as never), 'timeout() has the unknown option "api". Use one of retryAfter, format.'],
    [() => timeout({ time: 1 } as never), 'timeout(): time is [object Object], expected milliseconds above 0 and at most 2147483647'],
    [() => loadShedding({ api } as never), 'loadShedding() has the unknown option "api".'],
    [() => tracing({ attribute: {} } as never), 'tracing() has the unknown option "attribute". Use one of attributes.'],
    [() => trustProxy(undefined as never), 'trustProxy() has proxies that are undefined, expected a list of addresses and networks.'],
    [() => trustProxy('10.0.0.1' as never), 'trustProxy() has proxies that are a string, expected a list'],
    [() => trustProxy({ proxies: [] } as never), 'trustProxy() has proxies that are an object, expected a list'],
    [
      () => accessLog(undefined as never),
      'accessLog() has undefined as its listener, expected a function, or an object with the functions onStart',
    ],
    [() => accessLog({ onStart: () => {} } as never), 'accessLog() has an object as its listener'],
    [() => accessLog(null as never), 'accessLog() has null as its listener'],
  ])('are refused at the start (%#)', (start, message) => {
    expect(start).toThrow(TypeError)
    expect(start).toThrow(message)
  })
})

describe('findEndpoint', () => {
  const shop = {
    stones: {
      one: endpoint('GET /stones/:id', { params: { id: int }, response: ok(text), meta: { role: 'keeper' } }),
      remove: endpoint('DELETE /stones/:id', { params: { id: int }, response: noContent }),
    },
    files: mount('/files'),
  }
  const found: unknown[] = []
  const note: Middleware =
    (next, { findEndpoint }) =>
    (request) => {
      const endpointFound = findEndpoint(request)
      found.push([endpointFound?.route, endpointFound?.meta])
      return next(request)
    }
  const stones = { one: () => 'one', remove: () => {} }

  test.each<[string, string, readonly [unknown, unknown]]>([
    ['GET', '/stones/1?colour=red', ['GET /stones/:id', { role: 'keeper' }]],
    ['HEAD', '/stones/1', ['GET /stones/:id', { role: 'keeper' }]],
    ['DELETE', '/stones/1', ['DELETE /stones/:id', undefined]],
    ['GET', '/stones/no-number', ['GET /stones/:id', { role: 'keeper' }]],
    ['POST', '/stones/1', [undefined, undefined]],
    ['GET', '/files/1', [undefined, undefined]],
    ['GET', '/%zz', [undefined, undefined]],
    ['GET', '/nowhere', [undefined, undefined]],
  ])('%s %s', async (method, target, expected) => {
    found.length = 0
    const server = serve(shop, { stones, files: () => done }, { middleware: [note] })
    await server(createRequest(target, {}, method))
    expect(found).toEqual([expected])
  })

  test('the endpoint is the one of the prefix', async () => {
    found.length = 0
    const server = serve(prefix('/v1', { stones: shop.stones }), { stones }, { middleware: [note] })
    await server(createRequest('/v1/stones/1'))
    expect(found).toEqual([['GET /v1/stones/:id', { role: 'keeper' }]])
  })

  test('around a handler without an API there is none', async () => {
    found.length = 0
    await compose([note], () => done)(createRequest('/stones/1'))
    expect(found).toEqual([[undefined, undefined]])
  })
})
