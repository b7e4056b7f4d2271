/** Other servers mounted in ours, and ours in others: the request that each of them gets. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { connect as connectByHttp2, createServer as createHttp2 } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { bytes, content, endpoint, form, json, mount, ok, text } from 'lapidary'
import { fromNodeListener, toNodeListener } from 'lapidary/node'
import { fromFetch, type HttpHandler, serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { createRequest } from '../support/httpRequest.ts'
import { exchange, listen, onBun, onNode } from '../support/matrix/adapters.ts'

const seen: string[] = []
/** Middleware in front of a mounted handler: it rejects each path below /admin that it can recognize. */
const guarded: HttpHandler = serve(
  { app: mount('/app'), node: mount('/node') },
  {
    app: fromFetch((request) => {
      seen.push(request.url)
      return new Response()
    }),
    node: onNode
      ? fromNodeListener((request, response) => {
          seen.push(request.url ?? '')
          response.end(request.url)
        })
      : () => ({ status: 404, headers: [], body: null }),
  },
  { onError: () => {} },
)

describe('a fetch handler gets the target and the Host unchanged, or the request is rejected', () => {
  let port = 0
  let close: () => Promise<void>
  beforeAll(async () => {
    const here = await listen(guarded)
    port = here.port
    close = () => here.close({ drain: 0 })
  })
  afterAll(() => close())
  const say = async (target: string, host = 'a', method = 'GET') => {
    seen.length = 0
    const response = await exchange(
      { port },
      Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`, 'latin1'),
    )
    return [response.slice(9, 12), response.slice(response.indexOf('\r\n\r\n') + 4)]
  }

  // Bun has no target but that of a URL in its normal form.
  test
    .skipIf(onBun)
    .each([
      '/app/x/%2e%2e/admin/secret',
      '/app/x/../admin/secret',
      '/app/x/.%2E/admin/secret',
      '/app/../admin/secret',
      '/app/./admin',
      '/app/%2e/admin',
      '/app/x/..',
      '/app/x/.',
      '/app/x\\..\\admin',
      '/app/x\\admin',
      '/app/x#/admin',
      '/app/x?y#z',
      '/app/{x}',
      '/app/x"y',
      '/app/x`y',
      '/app/x<y>',
    ])('%s is rejected before it', async (target) => {
    const [status, body] = await say(target)
    expect([status, seen]).toEqual(['400', []])
    expect(body).toContain('The resource at this path needs a URL in normal form')
  })

  test.each([
    ['/app/x/y?z=1', 'a/x/y?z=1'],
    ['/app', 'a/'],
    ['/app?x', 'a/?x'],
    ['/app/', 'a/'],
    ['/app/?', 'a/?'],
    ['/app//x//y', 'a//x//y'],
    ['/app//evil.example/x', 'a//evil.example/x'],
    ['/app/x%2Fy%00%5c', 'a/x%2Fy%00%5c'],
    ['/app/...', 'a/...'],
    ['/app/x..y/.z', 'a/x..y/.z'],
    ['/app/@b:80/', 'a/@b:80/'],
    ['/app/x?a=/../b', 'a/x?a=/../b'],
    ['/app/x?a={1}|\\^`', 'a/x?a={1}|\\^`'],
    [`/app/x?name=O'Brien&a="<>"`, 'a/x?name=O%27Brien&a=%22%3C%3E%22'],
    ["/app/x'y;z=1,2!", "a/x'y;z=1,2!"],
    ['/app/%E4%BD%A0', 'a/%E4%BD%A0'],
  ])('%s reaches it as %s', async (target, url) => {
    expect([(await say(target))[0], seen]).toEqual(['200', [`http://${url}`]])
  })

  test.each<readonly [host: string, url: string]>([
    ['a', 'a/x'],
    ['A.Example.ORG:8080', 'a.example.org:8080/x'],
    ['a:80', 'a/x'],
    ['a:', 'a/x'],
    ['[::1]:8081', '[::1]:8081/x'],
    ['127.0.0.1', '127.0.0.1/x'],
    // Newer versions of Node accept Punycode that stands for nothing.
    ...(URL.canParse('http://xn--a') ? ([['xn--a', 'xn--a/x']] as const) : []),
  ])('the Host %s becomes %s', async (host, url) => {
    expect([(await say('/app/x', host))[0], seen]).toEqual(['200', [`http://${url}`]])
  })

  const rejectedHosts = ['a/admin/secret?', 'a%2Fadmin', 'a%2eb', 'user@a', '127.1', '0x7f.0.0.1', '1.2.3.4.5', 'a:0080']

  test.each([...rejectedHosts, ...(URL.canParse('http://xn--a') ? [] : ['xn--a'])])(
    'the Host %s, which a URL would change or cannot contain, is rejected',
    async (host) => {
      expect([(await say('/app/x', host))[0], seen]).toEqual(['400', []])
    },
  )

  test('a response has the usual reason phrase', async () => {
    expect(await exchange({ port }, 'GET /app/x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  test('a request without a Host gets localhost', async () => {
    seen.length = 0
    await guarded(createRequest('/app/x'))
    expect(seen).toEqual(['http://localhost/x'])
  })

  test('a handler that is called without an adapter rejects the same requests', async () => {
    seen.length = 0
    for (const [target, host] of [
      ['/app/x/../admin', 'a'],
      ['/app/x', 'a/admin/secret?'],
      ['/app/x', 'a b'],
    ] as const) {
      expect(await guarded(createRequest(target, { host }))).toMatchObject({ status: 400 })
    }
    expect(seen).toEqual([])
  })

  test.each(['*', '*.evil.example/x', 'ftp://evil.example/x'])(
    'the target %s, which is no path, is not a part of the host',
    async (target) => {
      seen.length = 0
      const handler = fromFetch((request) => {
        seen.push(request.url)
        return new Response()
      })
      await handler(createRequest(target, { host: 'a' }))
      expect(seen).toEqual([`http://a/${target}`])
    },
  )

  // Bun answers these by itself.
  test.skipIf(onBun)('a method that no Request may have is answered with 501, and not reported', async () => {
    expect([(await say('/app/x', 'a', 'TRACE'))[0], seen]).toEqual(['501', []])
  })

  test.skipIf(!onNode).each([
    ['/node', '/'],
    ['/node?x', '/?x'],
    ['/node/', '/'],
    ['/node//x', '//x'],
  ])('%s reaches a Node listener as %s', async (target, url) => {
    expect(await say(target)).toEqual(['200', url])
  })

  test.skipIf(!onNode)('a target that is no path does not become one in a Node listener', async () => {
    const here = await listen(fromNodeListener((request, response) => void response.end(request.url)))
    onTestFinished(() => here.close({ drain: 0 }))
    const response = await exchange(here, 'GET ftp://evil.example/admin HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    expect(response.slice(response.indexOf('\r\n\r\n') + 4)).toContain('/ftp://evil.example/admin')
  })

  test.skipIf(!onNode)('a Node listener gets every target unchanged', async () => {
    for (const target of ['/x/%2e%2e/admin', '/x/../admin', '/x\\admin', '/x"']) {
      expect(await say(`/node${target}`)).toEqual(['200', target])
    }
  })
})

/** A request as body parsers leave it. */
type Parsed = IncomingMessage & { body?: unknown; rawBody?: unknown }

/**
 * Stands for express.json() and its siblings, which are not installed here: reads the body, and leaves what it has made of it in `request.body`.
 * Like them it leaves a request alone that has no body.
 */
const parsing =
  (make: (bytes: Buffer, request: Parsed) => unknown, next: RequestListener): RequestListener =>
  async (request: Parsed, response) => {
    if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined) {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      request.body = make(Buffer.concat(parts), request)
    }
    next(request, response)
  }

const Order = z.object({ name: z.string(), count: z.int() })
const Named = z.object({ name: z.string() })

describe('toNodeListener() behind a parser that has read the body', () => {
  const reports: unknown[] = []
  const ours = toNodeListener(
    serve(
      {
        order: endpoint('POST /order', { body: Order, response: ok(json) }),
        any: endpoint('POST /any', { body: json, response: ok(json) }),
        own: endpoint('POST /own', { body: content(Order, { ...json, types: ['text/json'] }), response: ok(json) }),
        text: endpoint('POST /text', { body: text, response: ok(text) }),
        bytes: endpoint('POST /bytes', { body: bytes, response: ok(bytes) }),
        form: endpoint('POST /form', { body: content(Named, form), response: ok(json) }),
        now: endpoint('GET /now', { response: ok(text) }),
        none: endpoint('POST /none', { response: ok(text) }),
      },
      {
        order: ({ body }) => body,
        any: ({ body }) => body,
        own: ({ body }) => body,
        text: ({ body }) => body,
        bytes: ({ body }) => body,
        form: ({ body }) => body,
        now: () => 'now',
        none: () => 'none',
      },
      { onError: (error) => void reports.push(error), maxBodySize: 1_000 },
    ),
  )

  type Make = Parameters<typeof parsing>[0]
  const asJson: Make = (bytes) => (bytes.length === 0 ? {} : (JSON.parse(bytes.toString()) as unknown))
  const asText: Make = (bytes) => bytes.toString()
  const asBytes: Make = (bytes) => bytes
  const asPairs: Make = (bytes) => Object.fromEntries(new URLSearchParams(bytes.toString()))
  const away: Make = () => undefined
  const keeping: Make = (bytes, request) => {
    request.rawBody = bytes
    return asPairs(bytes, request)
  }

  const opened: Server[] = []
  afterAll(() => {
    for (const server of opened) server.close().closeAllConnections()
  })
  /** Asks a server with this parser in front; nothing takes longer than a moment. */
  async function send(make: Make, path: string, type: string, body: BodyInit | null): Promise<readonly [number, string]> {
    const server = createServer(parsing(make, ours))
    opened.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const method = path === '/now' ? 'GET' : 'POST'
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {
      ...{ method, body, headers: type === '' ? {} : { 'Content-Type': type }, signal: AbortSignal.timeout(5_000) },
    })
    return [response.status, await response.text()]
  }

  const order = '{"name":"Zoë","count":2}'
  test.each<readonly [sentence: string, make: Make, path: string, type: string, body: string, status: number, expected: string]>([
    ['JSON as a value', asJson, '/order', 'application/json', order, 200, order],
    ['JSON with a charset', asJson, '/order', 'Application/JSON ; charset=utf-8', order, 200, order],
    ['JSON of another type', asJson, '/own', 'text/json', order, 200, order],
    ['JSON as bytes', asBytes, '/order', 'application/json', order, 200, order],
    ['JSON that is a number', asJson, '/any', 'application/json', '17', 200, '17'],
    ['JSON that is null', asJson, '/any', 'application/json', 'null', 200, 'null'],
    ['text as text', asText, '/text', 'text/plain', 'Zoë', 200, 'Zoë'],
    ['text as bytes', asBytes, '/text', 'text/plain', 'Zoë', 200, 'Zoë'],
    ['bytes', asBytes, '/bytes', 'application/octet-stream', 'Zoë', 200, 'Zoë'],
    ['a form whose bytes were kept', keeping, '/form', 'application/x-www-form-urlencoded', 'name=Zo%C3%AB', 200, '{"name":"Zoë"}'],
    ['no body at all', asJson, '/now', '', '', 200, 'now'],
    ['a body that no endpoint reads', asJson, '/none', 'application/json', order, 200, 'none'],
  ])('%s is accepted', async (_sentence, make, path, type, body, status, expected) => {
    expect(await send(make, path, type, path === '/now' ? null : body)).toEqual([status, expected])
  })

  test.each<readonly [sentence: string, path: string, type: string, body: string, status: number]>([
    ['is empty', '/order', 'application/json', '', 400],
    ['has a member of the wrong type', '/order', 'application/json', '{"name":1}', 400],
    ['is too large', '/order', 'application/json', JSON.stringify({ name: 'a'.repeat(1_000), count: 1 }), 413],
    ['has an integer that was rounded', '/order', 'application/json', '{"name":"a","count":9007199254740993}', 400],
    ['has a number that became infinite', '/any', 'application/json', '[1e400]', 400],
    ['has a type that is not accepted', '/order', 'image/png', '{}', 415],
  ])('JSON that %s is rejected as without a parser', async (_sentence, path, type, body, status) => {
    expect((await send(asJson, path, type, body))[0]).toBe(status)
  })

  test.each<readonly [sentence: string, make: Make, path: string, type: string, body: string]>([
    ['a form, of which only the pairs are left', asPairs, '/form', 'application/x-www-form-urlencoded', 'name=a'],
    ['JSON as a text, which may be a decoded string', asText, '/any', 'application/json', '"a"'],
    ['a body that was read and discarded', away, '/order', 'application/json', order],
    ['text that was converted to a value', () => ({}), '/text', 'text/plain', 'a'],
  ])('%s: 500, and the report names the remedy', async (_sentence, make, path, type, body) => {
    reports.length = 0
    expect((await send(make, path, type, body))[0]).toBe(500)
    expect(String(reports)).toMatch(
      /^TypeError: Another parser read the body of this request before toNodeListener\(\) got it.* Put toNodeListener\(\) in front of the parser/,
    )
  })
})

describe('toNodeListener() as middleware of Connect', () => {
  const passed: string[] = []
  const inner = serve(
    { order: endpoint('POST /order', { body: Order, response: ok(json) }), files: mount('/files') },
    { order: ({ body }) => body, files: () => ({ status: 404, headers: [], body: null }) },
  )
  const ours = toNodeListener(inner)
  const opened: Server[] = []
  afterAll(() => {
    for (const server of opened) server.close().closeAllConnections()
  })

  /** Sends a request to a server whose own response says what it has read of the body. */
  async function send(
    listener: RequestListener,
    method: string,
    path: string,
    body: string | null = null,
  ): Promise<readonly [number, string]> {
    const server = createServer(listener)
    opened.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const headers: Record<string, string> = body === null ? {} : { 'Content-Type': 'application/json' }
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    const response = await fetch(url, { method, headers, body, signal: AbortSignal.timeout(5_000) })
    return [response.status, await response.text()]
  }
  const around =
    (handler: ReturnType<typeof toNodeListener>): RequestListener =>
    (request, response) =>
      handler(request, response, async () => {
        passed.push(request.url ?? '')
        let text = ''
        for await (const chunk of request) text += chunk
        response.statusCode = 299
        response.end(`${response.headersSent} ${text}`)
      })

  test('a path that is not its own goes to the next one, with its body unread and no head written', async () => {
    expect(await send(around(ours), 'POST', '/other?x=1', '{"a":1}')).toEqual([299, 'false {"a":1}'])
    expect(passed.splice(0)).toEqual(['/other?x=1'])
  })

  test.each<readonly [method: string, path: string, body: string | null, status: number]>([
    ['POST', '/order', '{"name":"Zoë","count":2}', 200],
    ['POST', '/order', '{"name":7}', 400],
    ['DELETE', '/order', null, 405],
    ['OPTIONS', '/order', null, 204],
    ['GET', '/files/none', null, 404],
  ])('%s %s with %j is answered with %i', async (method, path, body, status) => {
    expect((await send(around(ours), method, path, body))[0]).toBe(status)
    expect(passed.splice(0)).toEqual([])
  })

  test.each([
    ['/order', '/orders/order'],
    ['/', '/order'],
    ['/?x=1', '/order?x=1'],
  ])('below a mount, %s of %s is a path of its own', async (url, originalUrl) => {
    const mounted: RequestListener = (request, response) => around(ours)(Object.assign(request, { url, originalUrl }), response)
    expect((await send(mounted, 'POST', originalUrl, '{"name":"Zoë","count":2}'))[0]).toBe(200)
  })

  test('below a mount, the next one gets what is not its own, as it was', async () => {
    const mounted: RequestListener = (request, response) =>
      around(ours)(Object.assign(request, { url: '/x', originalUrl: '/m/x' }), response)
    expect((await send(mounted, 'GET', '/m/x'))[0]).toBe(299)
    expect(passed.splice(0)).toEqual(['/x'])
  })

  test('without a next one, it answers 404 itself', async () => {
    expect((await send(ours, 'GET', '/other'))[0]).toBe(404)
  })

  test('a handler that does not know its paths answers all of them', async () => {
    const plain = toNodeListener((request) => inner(request))
    expect((await send(around(plain), 'GET', '/other'))[0]).toBe(404)
    expect(passed.splice(0)).toEqual([])
  })
})

test('a Request whose body another reader has read is a mistake of the program, and the error names the cure', async () => {
  const reports: unknown[] = []
  const server = serve(
    { order: endpoint('POST /order', { body: Order, response: ok(json) }) },
    { order: ({ body }) => body },
    { onError: (error) => void reports.push(error) },
  )
  const createOrder = () =>
    new Request('http://shop.test/order', {
      ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"name":"Zoë","count":2}' },
    })
  const read = createOrder()
  const body = await read.arrayBuffer()
  expect((await server.fetch(read)).status).toBe(500)
  expect(reports.map(String)).toEqual([expect.stringContaining('make a new one of what was read: new Request(request, { body })')])
  expect((await server.fetch(new Request(createOrder(), { body }))).status).toBe(200)
})

describe('toNodeListener() on node:http2', () => {
  test('the response and the warning name the remedy', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    onTestFinished(() => warned.mockRestore())
    const ran: string[] = []
    const ours = toNodeListener(({ target }) => {
      ran.push(target)
      return { status: 200, headers: [], body: 'never' }
    })
    const server = createHttp2(ours as never)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const session = connectByHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    onTestFinished(() => {
      session.destroy()
      server.close()
    })
    const send = (): Promise<readonly [unknown, unknown, string]> =>
      new Promise((resolve, reject) => {
        const stream = session.request({ ':path': '/x' })
        let responseHeaders: Record<string, unknown> = {}
        let body = ''
        stream.on('response', (headers) => {
          responseHeaders = headers
        })
        stream.setEncoding('utf8').on('data', (piece: string) => {
          body += piece
        })
        stream.on('end', () => resolve([responseHeaders[':status'], responseHeaders['content-type'], body]))
        stream.on('error', reject)
      })
    for (let count = 0; count < 2; count += 1) {
      expect(await send()).toEqual([505, 'application/problem+json', expect.stringMatching(/does not support HTTP\/2.* node:https/)])
    }
    expect(ran).toEqual([])
    // Once for a listener, not for each request; and nothing about headers that HTTP/2 has not.
    expect(warned.mock.calls.map(([warning]) => String(warning))).toEqual([
      'toNodeListener() does not support node:http2: every request over HTTP/2 is rejected. Use https.createServer(options, toNodeListener(server)), and a proxy in front for HTTP/2.',
    ])
  })
})

test.each([Number.NaN, -1, '5 megs' as never])(
  'fromFetch with a maxBodySize of %s, with which it would refuse every body, is refused',
  (maxBodySize) => {
    expect(() => fromFetch(() => new Response(), { maxBodySize })).toThrow(
      `fromFetch(): maxBodySize is ${maxBodySize}, expected a number of bytes`,
    )
  },
)

test('fromFetch takes a maxBodySize with a unit', async () => {
  const sizes = fromFetch(async (request) => new Response(`${(await request.arrayBuffer()).byteLength}`), { maxBodySize: '2 kB' })
  const server = serve({ sizes: mount('/sizes') }, { sizes })
  const post = (size: number) => server.fetch(new Request('http://test.invalid/sizes', { method: 'POST', body: new Uint8Array(size) }))
  expect(await (await post(2_000)).text()).toBe('2000')
  expect((await post(2_001)).status).toBe(413)
})
