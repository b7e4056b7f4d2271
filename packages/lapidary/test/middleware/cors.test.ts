/** `cors`: preflights, the responses that pages of other origins can read, and origins that are not allowed. */
import {
  authScheme,
  bearer,
  content,
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
  withHeaders,
} from 'lapidary'
import { type CorsOptions, compose, cors } from 'lapidary/middleware'
import { type ApiServer, authenticate, serve } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { listen } from '../support/matrix/adapters.ts'

const secret = bearer<true>('secret')
const key = authScheme<true, string>({
  name: 'key',
  challenge: 'Key',
  credentials: (header) => header('x-api-key'),
  headers: (value) => ({ 'X-Api-Key': value }),
  example: '42',
  openapi: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
})
const api = {
  stones: prefix('/stones', {
    count: endpoint('GET /', { response: ok(text, { headers: { 'Stone-Count': int } }), responseHeaders: { 'Stone-Unit': 'piece' } }),
    one: endpoint('GET /:id', { params: { id: int }, auth: secret, headers: { 'X-Depth': optional(int) }, response: ok(text) }),
    rename: endpoint('PUT /:id', { params: { id: int }, auth: key, body: text, response: noContent }),
    gone: endpoint('GET /gone', { response: ok(text), errors: [reply(410, undefined, { headers: { 'Stone-Grave': text } })] }),
    varied: endpoint('GET /varied', { response: ok(content(z.string(), json, text)) }),
  }),
  raw: mount('/raw'),
}
const serveCors = (options: CorsOptions): ApiServer =>
  serve(
    api,
    {
      stones: {
        count: () => withHeaders('three', { 'Stone-Count': 3 }),
        one: () => 'one',
        rename: () => {},
        gone: () => {
          throw errors.gone({ detail: 'It is gone.', headers: { 'Stone-Grave': 'B7' } })
        },
        varied: () => 'a',
      },
      raw: ({ method }) => ({ status: 200, headers: ['Vary', '*'], body: method }),
    },
    { auth: [authenticate(secret, () => undefined), authenticate(key, () => undefined)], middleware: [cors(options)] },
  )

const page = 'https://example.org'
const named: CorsOptions = { origins: [page, 'http://localhost:5173'] }
const anyone: CorsOptions = { origins: '*' }

interface CorsResponse {
  readonly status: number
  readonly vary: string | null
  /** The `Access-Control-…` headers, by the rest of their names. */
  readonly access: Readonly<Record<string, string>>
}

async function send(options: CorsOptions, line: string, headers: Readonly<Record<string, string>> = {}): Promise<CorsResponse> {
  const [method = '', target = ''] = line.split(' ')
  const response = await serveCors(options).fetch(new Request(`http://test.invalid${target}`, { method, headers }))
  const access = [...response.headers].filter(([name]) => name.startsWith('access-control-'))
  return {
    status: response.status,
    vary: response.headers.get('vary'),
    access: Object.fromEntries(access.map(([name, value]) => [name.slice('access-control-'.length), value])),
  }
}
const preflight = (
  options: CorsOptions,
  target: string,
  method: string,
  more: Readonly<Record<string, string>> = {},
): Promise<CorsResponse> => send(options, `OPTIONS ${target}`, { Origin: page, 'Access-Control-Request-Method': method, ...more })

const readable =
  'Stone-Count, Stone-Unit, Stone-Grave, Accept-Ranges, Allow, Content-Range, ETag, Location, Retry-After, WWW-Authenticate, X-Request-Id'
const always = 'Authorization, Content-Type, Range, If-Match, If-Modified-Since, If-None-Match, If-Range, If-Unmodified-Since'
const sendable = `${always}, X-Request-Id, Traceparent, Tracestate, Baggage`
const preflightVary = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

test('a header that is declared in several cases is exposed once', async () => {
  const depth = { headers: { 'X-Depth': optional(int) }, response: ok(text, { headers: { 'Stone-Count': int } }) }
  const lower = { headers: { 'x-depth': optional(int), range: optional(text) }, response: ok(text, { headers: { 'stone-count': int } }) }
  const stones = { one: endpoint('GET /stone', depth), other: endpoint('PUT /stone', lower) }
  const handlers = {
    one: () => withHeaders('one', { 'Stone-Count': 1 }),
    other: () => withHeaders('other', { 'stone-count': 1 }),
  }
  const { fetch } = serve(stones, handlers, { middleware: [cors(anyone)] })
  const listHeader = async (init: RequestInit, header: string): Promise<readonly string[]> => {
    const response = await fetch(new Request('http://test.invalid/stone', init))
    return (response.headers.get(header) ?? '').toLowerCase().split(', ')
  }
  const headers = { Origin: page, 'Access-Control-Request-Method': 'PUT' }
  const may = await listHeader({ method: 'OPTIONS', headers }, 'access-control-allow-headers')
  const reads = await listHeader({ headers: { Origin: page } }, 'access-control-expose-headers')
  for (const [names, name] of [
    [may, 'x-depth'],
    [may, 'range'],
    [reads, 'stone-count'],
  ] as const)
    expect([name, names.filter((one) => one === name).length, names.length]).toEqual([name, 1, new Set(names).size])
})

describe('a response', () => {
  const exposed = { 'allow-origin': page, 'expose-headers': readable }

  test.each([
    ['of an endpoint', 'GET /stones', 200, 'Origin'],
    ['with a problem that a handler threw', 'GET /stones/gone', 410, 'Origin'],
    ['to an unknown path', 'GET /nowhere', 404, 'Origin'],
    ['without credentials', 'GET /stones/1', 401, 'X-Depth, Origin'],
    ['to an unsupported method', 'DELETE /stones/1', 405, 'Origin'],
    ['to a path with invalid percent-encoding', 'GET /stones/%FF', 400, 'Origin'],
    ['to an OPTIONS that is not a preflight', 'OPTIONS /stones', 204, 'Origin'],
  ])('%s can be read by an allowed page', async (_sentence, line, status, vary) => {
    expect(await send(named, line, { Origin: page })).toEqual({ status, vary, access: exposed })
  })

  test.each([
    ['no origin', {}],
    ['another origin', { Origin: 'https://elsewhere.example' }],
    ['another port', { Origin: `${page}:8443` }],
    ['another scheme', { Origin: 'http://example.org' }],
    ['a subdomain', { Origin: 'https://a.example.org' }],
    ['an origin in upper case, which no browser sends', { Origin: page.toUpperCase() }],
    ['a page without an origin', { Origin: 'null' }],
  ])('for %s has only Vary: Origin', async (_who, headers) => {
    expect(await send(named, 'GET /stones', headers)).toEqual({ status: 200, vary: 'Origin', access: {} })
  })

  test.each([
    ['Accept', 'GET /stones/varied', 'Accept, Origin'],
    ['everything', 'GET /raw', '*'],
  ])('that already varies by %s keeps that', async (_what, line, vary) => {
    expect((await send(named, line)).vary).toBe(vary)
  })

  test('is the same for every origin where all are allowed', async () => {
    const access = { 'allow-origin': '*', 'expose-headers': readable }
    for (const headers of [{}, { Origin: page }, { Origin: 'null' }]) {
      expect(await send(anyone, 'GET /stones', headers)).toEqual({ status: 200, vary: null, access })
    }
  })

  test('exposes further headers', async () => {
    const { access } = await send({ ...named, exposeHeaders: ['X-More', 'etag'] }, 'GET /stones', { Origin: page })
    const names = access['expose-headers']?.split(', ') ?? []
    expect(names).toEqual(expect.arrayContaining(['X-More', 'etag']))
    expect(names.filter((name) => name.toLowerCase() === 'etag')).toHaveLength(1)
  })
})

describe('a preflight', () => {
  test.each([
    ['/stones', 'GET', 'GET, HEAD, OPTIONS', sendable],
    ['/stones/', 'GET', 'GET, HEAD, OPTIONS', sendable],
    ['/stones/1', 'PUT', 'GET, HEAD, PUT, OPTIONS', `${sendable}, X-Depth, X-Api-Key`],
    // Whether an identifier can be read is for the request itself.
    ['/stones/one?a=b', 'DELETE', 'GET, HEAD, PUT, OPTIONS', `${sendable}, X-Depth, X-Api-Key`],
    ['/raw/anything', 'PATCH', 'PATCH', sendable],
  ])('of %s for %s gets the methods and headers of the path, without credentials', async (target, method, methods, headers) => {
    const access = { 'allow-origin': page, 'allow-methods': methods, 'allow-headers': headers, 'max-age': '600' }
    expect(await preflight(named, target, method)).toEqual({ status: 204, vary: preflightVary, access })
  })

  test('has the headers of all responses at its path', async () => {
    const headers = { Origin: page, 'Access-Control-Request-Method': 'GET' }
    const createPreflight = (target: string) => new Request(`http://test.invalid${target}`, { method: 'OPTIONS', headers })
    const getUnit = async (target: string) => (await serveCors(named).fetch(createPreflight(target))).headers.get('stone-unit')
    expect([await getUnit('/stones'), await getUnit('/stones/1'), await getUnit('/raw')]).toEqual(['piece', null, null])
  })

  test('of an origin that is not allowed gets no headers of CORS', async () => {
    expect(await preflight(named, '/stones/1', 'PUT', { Origin: 'null' })).toEqual({ status: 204, vary: preflightVary, access: {} })
  })

  test.each(['/nowhere', '/stones/%FF', '/stones/1/2'])(
    'of %s, which is not a path of the API, is answered with an error',
    async (target) => {
      expect([400, 404]).toContain((await preflight(named, target, 'GET')).status)
    },
  )

  test.each([
    ['without a method', { Origin: page }],
    ['without an origin', { 'Access-Control-Request-Method': 'PUT' }],
  ])('%s is not a preflight', async (_what, headers) => {
    expect((await send(named, 'OPTIONS /stones/1', headers)).access).not.toHaveProperty('allow-methods')
  })

  test('has the given max age and allows further headers', async () => {
    const { access } = await preflight({ ...anyone, maxAge: 5, allowHeaders: ['X-More'] }, '/stones', 'GET')
    expect(access).toMatchObject({ 'allow-origin': '*', 'max-age': '5', 'allow-headers': `${sendable}, X-More` })
  })

  test('allows each header once, in any case', async () => {
    const { access } = await preflight({ ...anyone, allowHeaders: ['X-More', 'x-more'] }, '/stones', 'GET')
    expect(access).toMatchObject({ 'allow-headers': `${sendable}, X-More` })
  })

  test('for a private network is allowed if the option is set', async () => {
    const more = { 'Access-Control-Request-Private-Network': 'true' }
    expect((await preflight(named, '/stones', 'GET', more)).access).not.toHaveProperty('allow-private-network')
    const near = { ...named, privateNetwork: true }
    expect((await preflight(near, '/stones', 'GET', more)).access).toHaveProperty('allow-private-network', 'true')
    expect((await preflight(near, '/stones', 'GET')).access).not.toHaveProperty('allow-private-network')
  })
})

test('a preflight of a handler without an API is answered: the handler has every method', async () => {
  const files = compose([cors(named)], () => ({ status: 200, headers: [], body: 'font' }))
  const headers: Readonly<Record<string, string>> = { origin: page, 'access-control-request-method': 'PUT' }
  const request = { method: 'OPTIONS', target: '/fonts/serif', header: (name: string) => headers[name] }
  expect(await files(request as never)).toMatchObject({
    status: 204,
    headers: expect.arrayContaining(['Access-Control-Allow-Methods', 'PUT']),
  })
})

describe('credentials', () => {
  test('are allowed for the listed origins, in preflights and responses', async () => {
    const options = { ...named, credentials: true }
    expect((await preflight(options, '/stones', 'GET')).access).toHaveProperty('allow-credentials', 'true')
    expect((await send(options, 'GET /stones', { Origin: page })).access).toHaveProperty('allow-credentials', 'true')
    expect((await send(options, 'GET /stones', { Origin: 'null' })).access).toEqual({})
  })

  test('are never allowed for every origin', () => {
    expect(() => cors({ ...anyone, credentials: true })).toThrow(
      new TypeError(
        'cors() cannot allow credentials for every origin: any page could act for its visitors. List the origins, or remove credentials.',
      ),
    )
  })
})

test('a synchronous handler still makes no promise', () => {
  const response = { status: 200, headers: [], body: null }
  const request = { method: 'GET', target: '/stones', header: () => undefined }
  expect(cors(anyone)(() => response, { api, findEndpoint: () => undefined })(request as never)).not.toBeInstanceOf(Promise)
})

test('over a socket: a preflight of an endpoint with auth, then its 401, which the page can read', async () => {
  const { url, close } = await listen(serveCors(named))
  onTestFinished(() => close({ drain: 0 }))
  const before = await fetch(`${url}/stones/1`, {
    method: 'OPTIONS',
    headers: { Origin: page, 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'x-api-key' },
  })
  expect([before.status, before.headers.get('access-control-allow-origin'), await before.text()]).toEqual([204, page, ''])
  const refused = await fetch(`${url}/stones/1`, { method: 'PUT', headers: { Origin: page }, body: 'a' })
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([401, page])
})

describe('options that would allow nothing', () => {
  test.each([
    [page],
    [[`${page}/`]],
    [[`${page}:443`]],
    [['https://Example.org']],
    [['https://bücher.example']],
    [['example.org']],
    [['*']],
    [[undefined]],
    [undefined],
  ])('origins that no browser sends are refused: %j', (origins) => {
    const shown = JSON.stringify(Array.isArray(origins) ? origins[0] : origins)
    expect(() => cors({ origins: origins as never })).toThrow(`cors() has the origin ${shown}, which no browser sends.`)
  })

  test('other origins of browsers are taken', () => {
    const origins = [
      'http://localhost:5173',
      'http://[::1]:8080',
      'null',
      'chrome-extension://abc',
      'capacitor://localhost',
      'https://xn--bcher-kva.example',
    ]
    expect(() => cors({ origins, maxAge: -1 })).not.toThrow()
  })

  test.each<[Partial<CorsOptions>, string]>([
    [{ maxAge: Number.NaN }, 'cors(): maxAge is NaN, expected an integer from -1.'],
    [{ allowHeaders: ['X A'] }, 'cors(): allowHeaders is "X A", expected the name of a header.'],
    [{ exposeHeaders: ['a\r\nb'] }, 'cors(): exposeHeaders is "a\\r\\nb", expected the name of a header.'],
  ])('%j is refused', (options, message) => {
    expect(() => cors({ origins: '*', ...options })).toThrow(message)
  })
})
