/** The handlers of AWS Lambda, called as its Node.js runtime calls them. */
import { PassThrough, type Writable } from 'node:stream'
import { bytes, cookie, endpoint, json, ndjson, ok, setCookie, text, withHeaders } from 'lapidary'
import { type LambdaEvent, type LambdaStreamHandler, toLambdaHandler, toLambdaStreamHandler } from 'lapidary/lambda'
import { serve } from 'lapidary/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'

const cookies = setCookie({ session: cookie(text), theme: cookie(text) })
const reports: unknown[] = []
const fail = (error: unknown): void => void reports.push(error)

const server = serve(
  {
    note: endpoint('GET /notes/:text', { response: ok(json) }),
    echo: endpoint('POST /echo', { body: bytes, response: ok(bytes) }),
    create: endpoint('POST /stones', { body: z.object({ name: z.string() }), response: ok(json) }),
    login: endpoint('POST /login', { response: ok(text, { headers: { 'Set-Cookie': cookies } }) }),
    me: endpoint('GET /me', { cookies: { session: text }, response: ok(text) }),
    lines: endpoint('GET /lines', { response: ok(ndjson(z.int())) }),
    broken: endpoint('GET /broken', { response: ok(ndjson(z.int())) }),
    endless: endpoint('GET /endless', { response: ok(ndjson(z.string())) }),
  },
  {
    note: ({ params }, { target, remoteAddress }) => ({ text: params.text, target, remoteAddress }),
    echo: ({ body }) => body,
    create: ({ body }) => body,
    login: () => withHeaders('Hello!', { 'Set-Cookie': { session: 's-1', theme: 'dark' } }),
    me: ({ cookies: { session } }) => session,
    lines: async function* () {
      yield 1
      yield 2
    },
    broken: async function* () {
      yield 1
      throw new Error('broken')
    },
    endless: async function* () {
      try {
        for (;;) yield 'x'.repeat(60_000)
      } finally {
        reports.push('ended')
      }
    },
  },
  { onError: fail },
)

/** An event of a function URL, with the members that AWS documents and this test needs. */
const createEvent = (method: string, rawPath: string, more: Partial<LambdaEvent> = {}): LambdaEvent => ({
  rawPath,
  rawQueryString: '',
  headers: { host: 'a.lambda-url.eu-central-1.on.aws' },
  isBase64Encoded: false,
  requestContext: { http: { method, sourceIp: '198.51.100.7' } },
  ...more,
})

beforeEach(() => {
  reports.length = 0
})

describe('toLambdaHandler()', () => {
  const handler = toLambdaHandler(server, { onError: fail })

  test('an event is the request, and the response is the result', async () => {
    const result = await handler(createEvent('GET', '/notes/opal', { rawQueryString: 'x=1&x=2' }))
    expect([result.statusCode, result.isBase64Encoded, JSON.parse(result.body)]).toEqual([
      200,
      false,
      { text: 'opal', target: '/notes/opal?x=1&x=2', remoteAddress: '198.51.100.7' },
    ])
    expect(result.headers).toMatchObject({ 'content-type': 'application/json;charset=utf-8', 'x-content-type-options': 'nosniff' })
  })

  test.each([
    ['as a function URL passes it', '/notes/a%20b%2F%C3%BC', 'a b/ü'],
    ['as an HTTP API decodes it', '/notes/a b ü', 'a b ü'],
    ['with a decoded percent sign', '/notes/100%', '100%'],
    ['with a decoded question mark and hash', '/notes/?#', '?#'],
    ['with a backslash', '/notes/a\\b', 'a\\b'],
    ['with decoded line ends, tabs and spaces', '/notes/a\r\n\tb ', 'a\r\n\tb '],
  ])('a path %s', async (_sentence, rawPath, expected) => {
    expect(JSON.parse((await handler(createEvent('GET', rawPath))).body)).toMatchObject({ text: expected })
  })

  test('headers and cookies beyond Latin-1 are their bytes, as in a request over HTTP', async () => {
    const headers = { cookie: 'session=愛' }
    const expected = Buffer.from('愛').toString('latin1')
    expect((await handler(createEvent('GET', '/me', { headers }))).body).toBe(expected)
    expect((await handler(createEvent('GET', '/me', { headers: { 'x-name': '愛' }, cookies: ['session=愛'] }))).body).toBe(expected)
  })

  test.each([undefined, {}, { key1: 'value1' }, { httpMethod: 'GET', path: '/', headers: {}, requestContext: {} }])(
    'an event of another format is refused: %o',
    async (event) => {
      await expect(handler(event as unknown as LambdaEvent)).rejects.toThrow(/^The event is no request in payload format 2\.0\. Invoke/)
    },
  )

  test('a body is a text, or bytes in Base64, in both directions', async () => {
    const type = { 'content-type': 'application/json' }
    expect((await handler(createEvent('POST', '/stones', { headers: type, body: '{"name":"Zoë"}' }))).body).toBe('{"name":"Zoë"}')
    const data = Buffer.from(Array.from({ length: 20_000 }, (_, index) => index % 256)).toString('base64')
    const headers = { 'content-type': 'application/octet-stream' }
    const result = await handler(createEvent('POST', '/echo', { headers, body: data, isBase64Encoded: true }))
    expect([result.isBase64Encoded, result.body === data]).toEqual([true, true])
    const marked = await handler(createEvent('POST', '/echo', { headers, body: '\uFEFFx' }))
    expect([marked.isBase64Encoded, marked.body]).toEqual([false, '\uFEFFx'])
  })

  test('cookies are apart, in both directions', async () => {
    const result = await handler(createEvent('POST', '/login'))
    expect(result.cookies.map((line) => line.split(';', 1)[0])).toEqual(['session=s-1', 'theme=dark'])
    expect(Object.keys(result.headers)).not.toContain('set-cookie')
    expect((await handler(createEvent('GET', '/me', { cookies: ['theme=dark', 'session=s-1'] }))).body).toBe('s-1')
  })

  test('HEAD, a stream, and a path that nobody has', async () => {
    const head = await handler(createEvent('HEAD', '/notes/opal'))
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect((await handler(createEvent('GET', '/lines'))).body).toBe('1\n2\n')
    expect((await handler(createEvent('GET', '/nothing'))).statusCode).toBe(404)
  })
})

describe('toLambdaStreamHandler()', () => {
  /**
   * The global of the runtime, after its published source (aws-lambda-nodejs-runtime-interface-client, `HttpResponseStream.js` and
   * `ResponseStream.js`): the head is JSON and eight zero bytes, and comes with the first write.
   */
  const awslambda = {
    streamifyResponse: (handler: LambdaStreamHandler): LambdaStreamHandler => handler,
    HttpResponseStream: {
      from: (stream: Writable, head: object) => {
        const write = stream.write.bind(stream)
        let isFirst = true
        stream.write = ((chunk: string | Uint8Array) => {
          if (isFirst) {
            isFirst = false
            write(JSON.stringify(head))
            write(new Uint8Array(8))
          }
          // What is neither a text nor plain bytes, the runtime turns into JSON.
          return write(typeof chunk === 'string' || chunk.constructor === Uint8Array ? chunk : JSON.stringify(chunk))
        }) as typeof stream.write
        return stream
      },
    },
  }
  beforeEach(() => void vi.stubGlobal('awslambda', awslambda))
  afterEach(() => void vi.unstubAllGlobals())

  /** Calls the function, and returns the head and the body that it has written. */
  async function call(event: LambdaEvent): Promise<{ readonly head: Record<string, unknown>; readonly body: string }> {
    const stream = new PassThrough()
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    await toLambdaStreamHandler(server, { onError: fail })(event, stream)
    const all = Buffer.concat(chunks)
    const end = all.indexOf(Buffer.alloc(8))
    return { head: JSON.parse(all.subarray(0, end).toString()) as Record<string, unknown>, body: all.subarray(end + 8).toString() }
  }

  test('the head comes first, with its cookies, and then the body', async () => {
    const { head, body } = await call(createEvent('POST', '/login'))
    expect([head['statusCode'], body]).toEqual([200, 'Hello!'])
    expect(head['cookies']).toHaveLength(2)
    expect((await call(createEvent('GET', '/lines'))).body).toBe('1\n2\n')
  })

  test('a response without a body has a head', async () => {
    const { head, body } = await call(createEvent('HEAD', '/notes/opal'))
    expect([head['statusCode'], body]).toEqual([200, ''])
  })

  test('a stream that fails rejects, so that Lambda cuts the response', async () => {
    await expect(call(createEvent('GET', '/broken'))).rejects.toThrow()
    expect(reports.map(String)).toEqual(['Error: broken'])
  })

  test('a response whose reader is gone ends its producer', async () => {
    const stream = new PassThrough()
    stream.once('data', () => {
      stream.pause()
      setTimeout(() => stream.destroy(), 50)
    })
    await toLambdaStreamHandler(server, { onError: fail })(createEvent('GET', '/endless'), stream)
    expect(reports).toEqual(['ended'])
  })

  test('outside of Lambda it says what is missing', () => {
    vi.unstubAllGlobals()
    expect(() => toLambdaStreamHandler(server)).toThrow(
      'toLambdaStreamHandler() needs the global awslambda, and this is not the Node.js runtime of AWS Lambda. Elsewhere, such as in tests, use toLambdaHandler() or server.fetch.',
    )
  })
})
