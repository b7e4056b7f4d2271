/** Cookies of a response: each has a Set-Cookie field of its own, because a cookie can contain commas (RFC 9110 §5.3). */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkServer } from '@lapidary/testing'
import {
  array,
  codec,
  endpoint,
  errors,
  type HttpError,
  isHttpError,
  mount,
  ok,
  optional,
  parseError,
  reply,
  text,
  withHeaders,
} from 'lapidary'
import { client } from 'lapidary/client'
import { fromNodeListener, toNodeListener } from 'lapidary/node'
import { fromFetch, type HttpHandler, serve, toFetch } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { exchange, listen, onNode } from '../support/matrix/adapters.ts'
import { exchangeText, get, listens } from '../support/streamSockets.ts'

const expires = 'a=1; Path=/; Expires=Wed, 21 Oct 2026 07:28:00 GMT'
const two = [expires, 'b=2; HttpOnly']

const api = {
  many: endpoint('GET /many', { response: ok(text, { headers: { 'Set-Cookie': array(text) } }) }),
  lower: endpoint('GET /lower', { response: ok(text, { headers: { 'set-cookie': array(text), 'X-Tag': array(text) } }) }),
  one: endpoint('GET /one', { response: ok(text, { headers: { 'Set-Cookie': optional(text) } }) }),
  none: endpoint('GET /none', { response: ok(text, { headers: { 'Set-Cookie': array(text) } }) }),
  broken: endpoint('GET /broken', { response: ok(text, { headers: { 'Set-Cookie': array(text) } }) }),
  error: endpoint('GET /error', { response: ok(text), errors: [reply(409)] }),
  web: mount('/web'),
  handler: mount('/handler'),
  foreign: mount('/foreign'),
  unsendable: mount('/unsendable'),
}

const reports: unknown[] = []
const server = serve(
  api,
  {
    many: () => withHeaders('x', { 'Set-Cookie': two }),
    lower: () => withHeaders('x', { 'set-cookie': two, 'X-Tag': ['c', 'd'] }),
    one: () => withHeaders('x', { 'Set-Cookie': expires }),
    none: () => withHeaders('x', { 'Set-Cookie': [] }),
    broken: () => withHeaders('x', { 'Set-Cookie': ['a=1', 'b=2\r\nX-Evil: 1'] }),
    error: () => {
      throw errors.conflict({ headers: { 'Set-Cookie': two } })
    },
    web: fromFetch(() => new Response('x', { headers: two.map((cookie): [string, string] => ['Set-Cookie', cookie]) })),
    unsendable: () => ({ status: 200, headers: ['Set-Cookie', 'a=1', 'X-Bad', 'b\r\nX-Evil: 1'], body: 'x' }),
    handler: () => ({ status: 200, headers: two.flatMap((cookie) => ['Set-Cookie', cookie]), body: 'x' }),
    foreign: fromNodeListener((_, response) => void response.setHeader('Set-Cookie', two).end('x')),
  },
  { onError: (error) => void reports.push(error) },
)

/** Sets one more cookie, like session middleware. */
const around: HttpHandler = async (request) => {
  const outgoing = await server(request)
  return { ...outgoing, headers: [...outgoing.headers, 'Set-Cookie', 'session=3'] }
}

const cookiesIn = (response: string): readonly string[] =>
  response
    .slice(0, response.indexOf('\r\n\r\n'))
    .split('\r\n')
    .filter((line) => /^set-cookie:/i.test(line))
    .map((line) => line.slice(line.indexOf(':') + 1).trim())

const requests: readonly (readonly [path: string, cookies: readonly string[]])[] = [
  ['/many', two],
  ['/lower', two],
  ['/one', [expires]],
  ['/none', []],
  ['/error', two],
  ['/web', two],
  ['/handler', two],
]

describe.each(listens)('$name', ({ listenOn }) => {
  const listening = async (handler: HttpHandler) => {
    const it = await listenOn(handler)
    onTestFinished(() => it.close({ drain: 0, grace: 0 }))
    return it
  }

  test.each(requests)('%s', async (path, cookies) => {
    const response = await exchangeText(await listening(server), get(path, 'Connection: close'))
    expect(cookiesIn(response)).toEqual(cookies)
    expect(response).toMatch(path === '/error' ? /^HTTP\/1\.1 409 / : /^HTTP\/1\.1 200 /)
    // Of other lists the line stays one.
    if (path === '/lower') expect(response).toMatch(/^X-Tag: c,d\r$/im)
  })

  test.each(requests)('%s, with one of middleware', async (path, cookies) => {
    expect(cookiesIn(await exchangeText(await listening(around), get(path, 'Connection: close')))).toEqual([...cookies, 'session=3'])
  })

  test.skipIf(!onNode)('cookies of a mounted Node listener', async () => {
    expect(cookiesIn(await exchangeText(await listening(server), get('/foreign', 'Connection: close')))).toEqual(two)
  })

  test('a cookie that cannot be sent is reported, and no cookie is set', async () => {
    reports.length = 0
    const response = await exchangeText(await listening(server), get('/broken', 'Connection: close'))
    expect(response).toMatch(/^HTTP\/1\.1 500 /)
    expect([cookiesIn(response), response.includes('Evil')]).toEqual([[], false])
    expect(String(reports)).toContain('Set-Cookie')
  })
})

test.each(requests)('on Request and Response: %s', async (path, cookies) => {
  expect((await toFetch(server)(new Request(`http://a${path}`))).headers.getSetCookie()).toEqual(cookies)
})

describe('client() reads', () => {
  test.each<[string, HttpHandler, readonly string[]]>([
    ['two', server, two],
    ['three', around, [...two, 'session=3']],
  ])('%s cookies', async (_sentence, handler, cookies) => {
    const call = client(api, 'http://a', { fetch: toFetch(handler) })
    expect(await call.many()).toEqual({ body: 'x', headers: { 'Set-Cookie': cookies } })
    expect(await call.lower()).toEqual({ body: 'x', headers: { 'set-cookie': cookies, 'X-Tag': ['c', 'd'] } })
  })

  test('the cookies of an error', async () => {
    const call = client(api, 'http://a', { fetch: server.fetch })
    const error: unknown = await call.error().catch((thrown: unknown) => thrown)
    expect(error).toSatisfy((error) => isHttpError(error, 409))
    expect((error as HttpError).headers['set-cookie']).toEqual(two)
  })
})

test('check() reads each cookie by itself', async () => {
  const named = codec({
    name: 'cookie',
    parse: (value) => (/^\w+=/.test(value) ? value : parseError('a name and a value')),
    print: (value: string) => value,
    schema: { type: 'string' },
    example: 'a=1',
  })
  const jar = { jar: endpoint('GET /jar', { response: ok(text, { headers: { 'Set-Cookie': array(named) } }) }) }
  const it = await listen(serve(jar, { jar: () => withHeaders('x', { 'Set-Cookie': two }) }))
  onTestFinished(() => it.close({ drain: 0, grace: 0 }))
  const { failures } = await checkServer(jar, it.url, { requests: 20 })
  expect(failures.filter(({ rule }) => rule === 'headers')).toEqual([])
})

// Node alone has a response that other code can set headers on before.
describe.skipIf(!onNode)('headers that middleware around the server has set', () => {
  async function send(target: string): Promise<readonly string[]> {
    const ours = toNodeListener(server, { onError: (error) => void reports.push(error) })
    const http = createServer((request, response) => {
      response.setHeader('X-Powered-By', 'Express').setHeader('Set-Cookie', 'theirs=0').setHeader('Vary', 'Origin').setHeader('X-Tag', 'a')
      ours(request, response)
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void http.close().closeAllConnections())
    const { port } = http.address() as AddressInfo
    const response = await exchange({ port }, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    return response
      .slice(0, response.indexOf('\r\n\r\n'))
      .split('\r\n')
      .filter((line) => /^(http|set-cookie|vary|x-)/i.test(line))
  }

  test('stay, each cookie has its line, and of one name those of the server win', async () => {
    expect(await send('/lower')).toEqual([
      'HTTP/1.1 200 OK',
      'X-Powered-By: Express',
      `Set-Cookie: theirs=0`,
      `Set-Cookie: ${expires}`,
      'Set-Cookie: b=2; HttpOnly',
      'Vary: Origin',
      'X-Content-Type-Options: nosniff',
      'X-Tag: c,d',
    ])
  })

  test('stay alone where the response cannot be sent', async () => {
    reports.length = 0
    const lines = await send('/unsendable')
    expect([lines[0], lines.filter((line) => /cookie/i.test(line)), reports.length]).toEqual([
      'HTTP/1.1 500 Internal Server Error',
      ['set-cookie: theirs=0'],
      1,
    ])
  })
})
