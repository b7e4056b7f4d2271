/** Requests that `fetch` cannot send. A second status is that of Bun, where Bun itself answers otherwise. */
import { connect } from 'node:net'
import type { RunningServer } from 'lapidary/node'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { everything } from '../support/everything.ts'
import { exchange, listen, onBun, onNode } from '../support/matrix/adapters.ts'

let listening: RunningServer
beforeAll(async () => {
  listening = await listen(everything())
})
afterAll(() => listening.close({ drain: 0 }))

const head = (line: string, ...headers: readonly string[]): string =>
  `${[line, 'Host: test.invalid', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`
/** The status and the body of a response. */
async function send(...parts: readonly (string | Uint8Array)[]): Promise<readonly [status: number, body: string]> {
  const response = await exchange(listening, ...parts)
  const body = response.slice(response.indexOf('\r\n\r\n') + 4)
  return [Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1]), body]
}
const point = '{"x":1,"y":2}'
/** The status on Node.js, or on Bun where Bun answers otherwise. */
const here = <Status>(ours: Status, buns: Status = ours): Status => (onBun ? buns : ours)
const get = (target: string, ...headers: readonly string[]): string => head(`GET ${target} HTTP/1.1`, ...headers)

test.each([
  ['in absolute form', 'http://example.org/points/1/2'],
  ['in absolute form, in capitals, with a port', 'HTTP://EXAMPLE.ORG:80/points/1/2'],
  ['in absolute form with a query', 'http://example.org/points/1/2?a=b'],
])('a target %s is the same resource', async (_sentence, target) => {
  expect(await send(get(target))).toEqual([200, point])
})

test.each([
  ['http://example.org', '/'],
  ['http://example.org?a=b', '/?a=b'],
  ['http://example.org/?a=b', '/?a=b'],
])('the handler of the target %s gets %s', async (target, seen) => {
  const running = await listen((request) => ({ status: 200, headers: [], body: request.target }))
  onTestFinished(() => running.close({ drain: 0 }))
  expect((await exchange(running, get(target))).split('\r\n\r\n')[1]).toBe(seen)
})

test.each([
  ['that is a host alone', 'http://example.org', 404],
  ['that is a host with a query', 'http://example.org?a=%62', 404],
  ['of another scheme', 'ftp://example.org/points/1/2', here(404, 400)],
  ['without a slash', 'points/1/2', 400],
  ['with a dot segment', '/./points/1/2', here(404, 200)],
  ['with a climbing segment', '/a/../points/1/2', here(404, 200)],
  ['with an encoded climbing segment', '/a/%2e%2e/points/1/2', here(404, 200)],
  ['with a fragment', '/points/1/2#a', here(400, 200)],
  ['with a second question mark', '/points/1/2??', 200],
  ['that starts with two slashes', '//points/1/2', 404],
  ['that starts with two slashes and a host', '//example.org/points/1/2', 404],
  ['with a backslash', '/points\\1/2', here(404, 200)],
  ['with an encoded NUL', '/points/%00/2', 400],
  ['with a capture of 7,000 digits', `/points/${'1'.repeat(7_000)}/2`, 400],
  ['with 5,000 segments', '/a'.repeat(5_000), 404],
])('a target %s: %s', async (_sentence, target, status) => {
  expect((await send(get(target)))[0]).toBe(status)
})

test('an asterisk is not a path', async () => {
  expect((await send(head('OPTIONS * HTTP/1.1')))[0]).toBe(here(404, 400))
})

test.each([
  ['Änn', here(400, 200)],
  ['\0', here(400, 505)],
  ['\u007f', here(400, 200)],
  ['a b', here(400, 505)],
])('a target with an unencoded %j is rejected', async (name, status) => {
  expect((await send(new TextEncoder().encode(get(`/greetings/${name}`))))[0]).toBe(status)
})

test('without Accept any type is acceptable', async () => {
  expect((await exchange(listening, get('/visitors'))).toLowerCase()).toContain('content-type: application/json;charset=utf-8')
})

test('two fields of Accept are one list', async () => {
  expect((await send(get('/visitors', 'Accept: image/png', 'Accept: text/csv')))[1]).toMatch(/^Ann,36/)
})

test.each([
  ['two lines of Content-Type', ['Content-Type: text/plain', 'Content-Type: text/plain'], 415],
  ['two lines of Content-Type that differ', ['Content-Type: text/plain', 'Content-Type: application/json'], 415],
  ['an empty Content-Type', ['Content-Type:'], 415],
  ['no Content-Type', [], 415],
  ['spaces around it', ['Content-Type:  \ttext/plain \t'], 200],
])('%s', async (_sentence, lines, status) => {
  expect((await send(head('POST /echo/text HTTP/1.1', 'Content-Length: 1', ...lines), 'a'))[0]).toBe(status)
})

test('two fields of a header with one value', async () => {
  expect((await send(get('/depth', 'X-Depth: 3', 'X-Depth: 3')))[0]).toBe(400)
})

test('two fields of a header with a list', async () => {
  const [, body] = await send(get('/depth', 'X-Depth: 3', 'X-Tag: a', 'X-Tag: b,c'))
  expect(JSON.parse(body)).toEqual({ 'X-Depth': 3, 'X-Tag': ['a', 'b', 'c'] })
})

test('two fields of Cookie, as HTTP/2 sends them', async () => {
  const [, body] = await send(get('/basket', 'Cookie: session=s', 'cookie: visits=7'))
  expect(JSON.parse(body)).toEqual({ session: 's', currency: 'EUR', visits: 7 })
})

test('two fields of Authorization are not credentials', async () => {
  const right = `Authorization: Basic ${btoa("Ann:Ann's word")}`
  expect((await send(get('/account', right)))[0]).toBe(200)
  expect((await send(get('/account', right, right)))[0]).toBe(401)
})

const text = (...headers: readonly string[]): string => head('POST /echo/text HTTP/1.1', 'Content-Type: text/plain', ...headers)
/** A body in chunks of 1,000 bytes. */
const chunked = (chunks: number): string => `${`3e8\r\n${'a'.repeat(1_000)}\r\n`.repeat(chunks)}0\r\n\r\n`

test('a body in chunks', async () => {
  expect(await send(text('Transfer-Encoding: chunked'), chunked(2))).toEqual([200, 'a'.repeat(2_000)])
})

test.each([3, 30, 300])('a body in %i chunks that is too large: the client can read the response', async (chunks) => {
  expect((await send(text('Transfer-Encoding: chunked'), chunked(chunks)))[0]).toBe(413)
})

test('a body whose Content-Length is too large, sent nevertheless: the client can read the response', async () => {
  expect((await send(text('Content-Length: 1000000'), 'a'.repeat(1_000_000)))[0]).toBe(413)
})

test('a large body of the wrong type: the client can read the response', async () => {
  const post = head('POST /orders HTTP/1.1', 'Content-Type: image/png', 'Content-Length: 1000000')
  expect((await send(post, 'a'.repeat(1_000_000)))[0]).toBe(415)
})

/** Sends the second part once what has come matches the pattern, and resolves to everything that comes. */
const converse = async (first: string, wait: RegExp, second: string): Promise<string> => {
  const socket = connect(listening.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1')
  socket.write(first)
  for await (const piece of socket) {
    const waited = wait.test(received)
    received += piece
    if (!waited && wait.test(received)) socket.write(second)
  }
  return received
}

test('Expect: 100-continue is answered before the body is sent', async () => {
  const response = await converse(text('Content-Length: 3', 'Expect: 100-continue'), /^HTTP\/1\.1 100 Continue\r\n\r\n/, 'tea')
  expect(response).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  expect(response.endsWith('\r\n\r\ntea')).toBe(true)
})

test.skipIf(!onNode)('Expect: 100-continue is answered for a mounted Node listener', async () => {
  const request = head('POST /raw/node/tea HTTP/1.1', 'Content-Length: 3', 'Expect: 100-continue')
  const response = await converse(request, /^HTTP\/1\.1 100 Continue\r\n\r\n/, 'tea')
  expect(response).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  expect(response).toContain('POST /tea')
})

test.each([
  ['too large', text('Content-Length: 3000', 'Expect: 100-continue'), 413],
  ['of the wrong type', head('POST /orders HTTP/1.1', 'Content-Type: a/b', 'Content-Length: 3', 'Expect: 100-continue'), 415],
  ['for an unknown path', head('POST /nowhere HTTP/1.1', 'Content-Length: 3', 'Expect: 100-continue'), 404],
])('a body that is %s is answered without 100', async (_sentence, request, status) => {
  // Bun sends `100 Continue` to every client before the handler is called, and then waits for the body.
  expect((await send(request, here('', 'tea'.repeat(1_000))))[0]).toBe(here(status, 100))
})

test('an unknown expectation', async () => {
  expect((await send(text('Content-Length: 0', 'Expect: tea')))[0]).toBe(417)
})

const keep = (line: string, ...headers: readonly string[]): string => `${[line, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`

test('two requests in one packet are answered in their order', async () => {
  const response = await exchange(listening, keep('GET /greetings/one HTTP/1.1') + get('/greetings/two'))
  expect(response.match(/Hello, \w+!/g)).toEqual(['Hello, one!', 'Hello, two!'])
})

test('sixty requests in one packet, slow and fast ones, are answered in their order', async () => {
  const targets = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? `/greetings/${index}` : '/people'))
  const response = await exchange(listening, targets.map((target) => keep(`GET ${target} HTTP/1.1`)).join('') + get('/greetings/last'))
  expect(response.match(/Hello, \w+!|\[\{/g)).toEqual([
    ...targets.map((target) => (target === '/people' ? '[{' : `Hello, ${target.slice(11)}!`)),
    'Hello, last!',
  ])
})

test('an unread body is never run as a request', async () => {
  const hidden = keep('GET /greetings/hidden HTTP/1.1')
  const response = await exchange(
    listening,
    keep('GET /greetings/one HTTP/1.1', `Content-Length: ${hidden.length}`) + hidden + get('/greetings/two'),
  )
  expect(response.match(/Hello, \w+!/g)).toEqual(['Hello, one!', 'Hello, two!'])
})

test.each(['/points/1/2', '/people', '/nowhere'])('after HEAD %s the connection serves further requests', async (target) => {
  const response = await exchange(listening, keep(`HEAD ${target} HTTP/1.1`) + get('/greetings/two'))
  expect(response.match(/^HTTP\/1\.1 \d+/gm)).toHaveLength(2)
  expect(response.split('\r\n\r\n')[1]).toMatch(/^HTTP\/1\.1 200 OK/)
})

test('a stream that fails part-way has no last chunk', async () => {
  const response = await exchange(listening, get('/stream'))
  expect(response.endsWith('\r\n0\r\n\r\n')).toBe(true)
})

test.skipIf(!onNode)('a mounted Node listener writes its response itself', async () => {
  expect(await send(get('/raw/node/a%2Fb?c=d'))).toEqual([200, expect.stringContaining('GET /a%2Fb?c=d')])
  expect((await send(get('/raw/node')))[1]).toContain('GET /')
})

test('a body that is cut off never reaches the handler', async () => {
  const socket = connect(listening.port, '127.0.0.1')
  socket.end(`${keep('POST /echo/text HTTP/1.1', 'Content-Type: text/plain', 'Content-Length: 10')}abc`)
  let received = ''
  for await (const piece of socket) received += piece
  expect(received).not.toMatch(/^HTTP\/1\.1 2/)
})

test.each([
  ['without one', [head('POST / HTTP/1.1', 'Connection: close')], ''],
  ['of no bytes', [head('POST / HTTP/1.1', 'Content-Length: 0', 'Connection: close')], ''],
  ['with a length', [head('POST / HTTP/1.1', 'Content-Length: 3', 'Connection: close'), 'tea'], 'tea'],
  ['in chunks', [head('POST / HTTP/1.1', 'Transfer-Encoding: chunked', 'Connection: close'), '3\r\ntea\r\n0\r\n\r\n'], 'tea'],
])('a handler can read a body that has arrived before: %s', async (_what, parts, body) => {
  const late = await listen(async (request) => {
    await new Promise((resolve) => setTimeout(resolve, 50))
    return { status: 200, headers: [], body: await request.body(100) }
  })
  const response = await exchange(late, ...parts)
  expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  expect(response.split('\r\n\r\n').slice(1).join('')).toBe(body)
  await late.close({ drain: 0 })
})
