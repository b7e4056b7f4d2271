/** The framing of requests and their Host: requests that must be rejected, and bytes right behind a request. */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { RunningServer } from 'lapidary/node'
import { type HttpHandler, toFetch } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { exchange, listen, onBun } from '../support/matrix/adapters.ts'
import { printedErrors } from '../support/printedErrors.ts'
import { connected } from '../support/sockets.ts'

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`
const get = (target: string, ...headers: readonly string[]): string => lines(`GET ${target} HTTP/1.1`, 'Host: a', ...headers)
const upgrade = ['Connection: Upgrade', 'Upgrade: h2c']
const post = (target: string, body: string, ...headers: readonly string[]): string =>
  lines(`POST ${target} HTTP/1.1`, 'Host: a', `Content-Length: ${body.length}`, ...headers) + body

interface Witnessed {
  readonly handler: HttpHandler
  /** Every request that reached the handler. */
  readonly ran: string[]
}

/** Answers with the request itself; `/slow` a moment later. */
function createRecordingHandler(): Witnessed {
  const ran: string[] = []
  const handler: HttpHandler = async (request) => {
    const { method, target } = request
    ran.push(`${method} ${target}`)
    if (target === '/slow') await new Promise((resolve) => setTimeout(resolve, 100))
    const body = method === 'POST' ? new TextDecoder().decode(await request.body(1_000)) : ''
    return { status: 200, headers: [], body: `<${method} ${target} ${body}>` }
  }
  return { handler, ran }
}

async function startServer(handler: HttpHandler): Promise<RunningServer> {
  const here = await listen(handler)
  onTestFinished(() => here.close({ drain: 0, grace: 0 }))
  return here
}

/** Each reply as its status, and in brackets what it says of the request; of a refusal the status alone. */
const replies = (received: string): readonly string[] =>
  received
    .split(/(?=HTTP\/1\.1 \d)/)
    .filter((text) => text !== '')
    .map((text) => `${text.slice(9, 12)}${/<[^>]*>$/.exec(text)?.[0] ?? ''}`)

/** Sends each part in a packet of its own, and resolves to all that comes until the server closes, or until nothing more has come for a while. */
async function converse(
  here: RunningServer,
  ...packets: readonly string[]
): Promise<{ readonly received: string; readonly closed: boolean }> {
  const socket = connect(here.port, '127.0.0.1')
  // A client that is disconnected while it sends gets an error.
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.setNoDelay(true)
  let received = ''
  socket.setEncoding('latin1').on('data', (text) => {
    received += text
  })
  for (const packet of packets) {
    socket.write(packet, 'latin1')
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
  if (socket.closed) return { received, closed: true }
  const quiet = new AbortController()
  const timer = setTimeout(() => quiet.abort(), 700)
  const closed = await once(socket, 'close', { signal: quiet.signal }).then(
    () => true,
    () => socket.closed,
  )
  clearTimeout(timer)
  socket.destroy()
  return { received, closed }
}

const notHosts = [
  'a/admin/secret?',
  'a/b',
  'a?b',
  'a#b',
  'a\\b',
  'user@a',
  'user:word@a',
  'a b',
  'a, b',
  'http://a',
  'a:80:80',
  'a:80a',
  'a:-1',
  'a:+80',
  'a:65536',
  'a:99999999999999999999',
  '[::1',
  '::1',
  '[::1]a',
  '[]',
  '[a/b]',
  '[::1%25a]',
  '[::g]',
  'a%',
  'a%zz',
  'a%2',
  'a"b',
  '<a>',
  'a|b',
  'a^b',
  'a`b',
  '{a}',
  'ä',
]
const hosts = [
  'a',
  'A.Example.ORG',
  'example.org.',
  'a:80',
  'a:',
  'a:65535',
  '127.0.0.1:8081',
  '[::1]',
  '[::1]:8081',
  '[::ffff:127.0.0.1]',
  'xn--bcher-kva.example',
  'a_b',
  "a!$&'()*+;=b",
  'a%20b',
  '',
]

describe.each([
  [
    'over a socket',
    async (handler: HttpHandler, host: string) =>
      (await exchange(await startServer(handler), `GET /x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)).slice(9),
  ],
  [
    'on Request and Response',
    async (handler: HttpHandler, host: string) => {
      const response = await toFetch(handler)(new Request('http://test.invalid/x', { headers: { Host: host } }))
      return `${response.status} ${await response.text()}`
    },
  ],
] as const)('a Host %s', (_name, send) => {
  test.each(notHosts)('%j is not a host: 400, and no handler runs', async (host) => {
    const { handler, ran } = createRecordingHandler()
    expect(await send(handler, host)).toMatch(/^400 [\s\S]*Host header/)
    expect(ran).toEqual([])
  })

  // Bun closes where the field is empty.
  test.each(hosts)('%j is a host', async (host) => {
    const { handler, ran } = createRecordingHandler()
    expect(await send(handler, host)).toMatch(/^200 /)
    expect(ran).toEqual(['GET /x'])
  })
})

test('a Host is checked in linear time', async () => {
  const { handler } = createRecordingHandler()
  const here = await startServer(handler)
  // As long as a head may be: were it looked at again and again, it would take seconds.
  const begun = performance.now()
  for (const sign of ['a', '.', ':', '%', '%41', '[', ':1']) {
    expect(
      await exchange(
        here,
        `GET /x HTTP/1.1\r\nHost: ${sign.repeat(15_000 / sign.length)}\0`.replace('\0', '%\r\nConnection: close\r\n\r\n'),
      ),
    ).toMatch(/^HTTP\/1\.1 400 /)
  }
  expect(performance.now() - begun).toBeLessThan(5_000)
})

const te = 'Transfer-Encoding: chunked'
/** Bun closes a connection with another request before the response. */
const before = onBun ? [] : ['/slow', '/one']
const requests = before.map((target) => get(target)).join('')
const chunk = '5\r\nhello\r\n0\r\n\r\n'

test.each([
  ['chunks for HTTP/1.0', lines('POST /x HTTP/1.0', 'Host: a', te) + chunk],
  ['chunks for HTTP/1.0 with keep-alive', lines('POST /x HTTP/1.0', 'Host: a', 'Connection: keep-alive', te) + chunk],
  ['chunks for HTTP/1.0 without a Host', lines('POST /x HTTP/1.0', te) + chunk],
  ['the first line of RTSP 1.0', lines('GET /x RTSP/1.0', 'CSeq: 1', 'Host: a')],
  ['the first line of RTSP 1.1', lines('GET /x RTSP/1.1', 'Host: a')],
  ['the first line of RTSP 1.1, in spaces', lines('GET   /x   RTSP/1.1', 'Host: a')],
  ['OPTIONS of RTSP', lines('OPTIONS /x RTSP/1.0', 'CSeq: 1', 'Host: a')],
  ['DESCRIBE of RTSP', lines('DESCRIBE /x RTSP/1.0', 'CSeq: 1', 'Host: a')],
  ['RTSP 2.0', lines('GET /x RTSP/2.0', 'Host: a')],
  ['SOURCE of Icecast', lines('SOURCE /x ICE/1.0', 'Host: a')],
  ['SOURCE of Icecast 1.1', lines('SOURCE /x ICE/1.1', 'Host: a')],
  ['the first line of Shoutcast', lines('GET /x ICY/1.0', 'Host: a')],
])('%s: rejected, the connection is closed, and the bytes behind it are not run', async (_what, request) => {
  const { handler, ran } = createRecordingHandler()
  const { received, closed } = await converse(await startServer(handler), request + get('/hidden'))
  expect([replies(received), closed, ran]).toEqual([[expect.stringMatching(/^(400|501|505)$/)], true, []])
})

test.each([
  ['no line of Host', 'GET /x HTTP/1.1\r\n\r\n', 400],
  ['two lines of Host', get('/x', 'Host: b'), 400],
  ['two lengths', post('/x', 'a', 'Content-Length: 2'), 400],
  ['a length and chunks', post('/x', 'a', 'Transfer-Encoding: chunked'), 400],
  ['headers of 50 KB', get('/x', `X-Long: ${'a'.repeat(50_000)}`), 431],
  ['2,500 headers', get('/x', ...Array.from({ length: 2_500 }, () => 'a:b')), 431],
  ['another version', 'GET /x HTTP/2.5\r\nHost: a\r\n\r\n', onBun ? 505 : 400],
  ['no HTTP at all', '\x16\x03\x01\0\r\n\r\n', 400],
])('%s is rejected, and no handler runs', async (_sentence, request, status) => {
  const { handler, ran } = createRecordingHandler()
  const response = await exchange(await startServer(handler), request)
  expect([/^HTTP\/1\.1 (\d+)/.exec(response)?.[1], ran]).toEqual([String(status), []])
})

test.each(['gzip', 'identity', 'x', 'chunkedfoo', 'deflate, gzip', 'gzip, chunked'])(
  'a body in the coding %s is not implemented, alone and behind another request',
  async (coding) => {
    const coded = lines('POST /x HTTP/1.1', 'Host: a', `Transfer-Encoding: ${coding}`) + chunk
    for (const [before, expected] of [
      ['', []],
      [get('/one'), ['GET /one']],
    ] as const) {
      const { handler, ran } = createRecordingHandler()
      const { received, closed } = await converse(await startServer(handler), before + coded + get('/hidden'))
      // Bun itself rejects it.
      expect([replies(received).at(-1), closed, ran]).toEqual([onBun ? '400' : '501', true, expected])
    }
  },
)

test.each(['GET', 'POST', 'OPTIONS'])('%s of RTSP 1.0 behind a request, with and without a Host', async (method) => {
  for (const host of [['Host: a'], []]) {
    const { handler, ran } = createRecordingHandler()
    const { received, closed } = await converse(
      await startServer(handler),
      get('/one'),
      lines(`${method} /x RTSP/1.0`, ...host, 'Connection: keep-alive'),
    )
    expect([replies(received), closed, ran]).toEqual([['200<GET /one >', expect.stringMatching(/^(400|505)$/)], true, ['GET /one']])
  }
})

// Bun reads no such requests in one breath.
test.skipIf(onBun)('of many requests of HTTP/1.0 in one packet, the last of RTSP, the bytes are scanned once', async () => {
  const { handler, ran } = createRecordingHandler()
  const here = await startServer(handler)
  const many = Array.from({ length: 1_000 }, (_, number) => lines(`GET /${number} HTTP/1.0`, 'Connection: keep-alive'))
  const begun = process.cpuUsage()
  const response = await exchange(here, `${many.join('')}GET /last RTSP/1.0\r\n\r\n`)
  const { user, system } = process.cpuUsage(begun)
  expect([replies(response).length, replies(response).at(-1), ran.length]).toEqual([1_001, '505', 1_000])
  // Looked at for each of them it takes as many seconds as this is tenths.
  expect((user + system) / 1_000_000).toBeLessThan(3)
})

test('a header or a body that contains a line of RTSP is not a request of RTSP', async () => {
  const { handler } = createRecordingHandler()
  const here = await startServer(handler)
  const text = 'GET /y RTSP/1.0'
  for (const version of ['1.0', '1.1']) {
    const request = lines(
      `POST /x?RTSP/1.0 HTTP/${version}`,
      'Host: a',
      'X-Line: POST /x RTSP/1.0',
      'Connection: close',
      `Content-Length: ${text.length}`,
    )
    expect(replies(await exchange(here, request + text))).toEqual([`200<POST /x?RTSP/1.0 ${text}>`])
  }
})

describe('behind a request for another protocol', () => {
  const hidden = get('/hidden')
  const chunked = lines('POST /up HTTP/1.1', 'Host: a', ...upgrade, te) + chunk
  // The connections stay, and each is listened to for a while. Beside other tests, each closes its server itself.
  test.concurrent.each<readonly [sentence: string, packets: readonly string[], ran: readonly string[]]>([
    ['alone', [get('/up', ...upgrade)], ['GET /up']],
    ['one in the same packet', [get('/up', ...upgrade) + get('/two')], ['GET /up', 'GET /two']],
    ['one in the next packet', [get('/up', ...upgrade), get('/two')], ['GET /up', 'GET /two']],
    [
      'one before and two behind',
      [get('/one') + get('/up', ...upgrade) + get('/two') + get('/three')],
      ['GET /one', 'GET /up', 'GET /two', 'GET /three'],
    ],
    ['a slow one', [get('/slow', ...upgrade) + get('/two'), get('/three')], ['GET /slow', 'GET /two', 'GET /three']],
    ['behind a slow one', [get('/slow') + get('/up', ...upgrade) + get('/two')], ['GET /slow', 'GET /up', 'GET /two']],
    [
      'several upgrades',
      [(get('/up', ...upgrade) + get('/two')).repeat(3)],
      ['GET /up', 'GET /two', 'GET /up', 'GET /two', 'GET /up', 'GET /two'],
    ],
    ['half a head in the same packet', [get('/up', ...upgrade) + get('/two').slice(0, 20), get('/two').slice(20)], ['GET /up', 'GET /two']],
    ['a body', [post('/up', 'hello', ...upgrade) + get('/two')], ['POST /up hello', 'GET /two']],
    ['a body in chunks', [chunked + get('/two')], ['POST /up hello', 'GET /two']],
    ['a body in two packets', [post('/up', 'hello', ...upgrade).slice(0, -3), `llo${get('/two')}`], ['POST /up hello', 'GET /two']],
    [
      'a body that is a request, behind one in the same packet',
      [get('/up', ...upgrade) + post('/two', hidden).slice(0, -hidden.length), hidden],
      ['GET /up', `POST /two ${hidden}`],
    ],
    [
      'a body that is a request, of an upgrade',
      [get('/up', ...upgrade) + post('/up', hidden, ...upgrade).slice(0, -hidden.length), hidden + get('/two')],
      ['GET /up', `POST /up ${hidden}`, 'GET /two'],
    ],
  ])('%s: each is answered in its order, or the connection is ended', async (_sentence, packets, expected) => {
    const { handler, ran } = createRecordingHandler()
    const here = await listen(handler)
    const { received, closed } = await converse(here, ...packets).finally(() => here.close({ drain: 0, grace: 0 }))
    const came = replies(received)
    // As many as were answered; on Node.js all of them.
    const count = onBun ? Math.min(came.length, expected.length) : expected.length
    expect(came).toEqual(expected.slice(0, count).map((text) => `200<${text.includes(' ', 4) ? text : `${text} `}>`))
    if (count < expected.length) expect(closed).toBe(true)
    expect(ran).toEqual(expected.slice(0, ran.length).map((text) => text.split(' ', 2).join(' ')))
  })

  test.each<readonly [sentence: string, packets: readonly string[], ran: readonly string[]]>([
    ['in the same packet', [`${get('/up', ...upgrade)}nonsense\r\n\r\n${hidden}`], ['GET /up']],
    ['in the next packet', [get('/up', ...upgrade), `nonsense\r\n\r\n${hidden}`], ['GET /up']],
    ['in its chunks', [`${lines('POST /up HTTP/1.1', 'Host: a', ...upgrade, te)}zz\r\n${hidden}`], ['POST /up']],
    ['behind another request', [`${get('/up', ...upgrade)}${get('/two')}nonsense\r\n\r\n${hidden}`], ['GET /up', 'GET /two']],
    ['behind another one in the next packet', [get('/up', ...upgrade) + get('/two'), `nonsense\r\n\r\n${hidden}`], ['GET /up', 'GET /two']],
  ])('bytes that are no request, %s, end the connection', async (_sentence, packets, expected) => {
    const printed = printedErrors()
    const { handler, ran } = createRecordingHandler()
    const { received, closed } = await converse(await startServer(handler), ...packets)
    expect([replies(received).filter((reply) => reply !== '400').length <= expected.length, closed]).toEqual([true, true])
    expect(ran).toEqual(expected.slice(0, ran.length))
    // Of a handler that reads a body which the connection cuts off.
    expect(printed).toEqual(printed.map(() => [expect.objectContaining({ target: '/up' }), expect.objectContaining({ status: 400 })]))
  })

  test('a CONNECT is rejected in its order, and the bytes behind it are the content of the tunnel', async () => {
    const { handler, ran } = createRecordingHandler()
    const tunnel = lines('CONNECT a:1 HTTP/1.1', 'Host: a:1')
    const { received, closed } = await converse(await startServer(handler), requests + tunnel + get('/hidden'), get('/hidden'))
    expect([replies(received).slice(0, before.length), closed]).toEqual([before.map((target) => `200<GET ${target} >`), true])
    expect(ran).toEqual(before.map((target) => `GET ${target}`))
    const alone = await converse(await startServer(handler), tunnel + get('/hidden'))
    expect([replies(alone.received), alone.closed, ran.length]).toEqual([['501'], true, before.length])
  })
})

test.each([
  ['two Hosts', get('/x', 'Host: b')],
  ['an invalid Host', 'GET /x HTTP/1.1\r\nHost: a/b\r\n\r\n'],
  ['another version', 'GET /x HTTP/2.0\r\nHost: a\r\n\r\n'],
  ['an unknown coding', lines('POST /x HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked') + chunk],
  ['an unknown expectation', post('/x', 'a', 'Expect: tea')],
])('behind a rejected request (%s) nothing is run, and the requests before it are answered', async (_what, request) => {
  const { handler, ran } = createRecordingHandler()
  const { received, closed } = await converse(await startServer(handler), requests + request + get('/hidden'), get('/hidden'))
  const came = replies(received)
  expect([came.slice(0, before.length), came.length <= before.length + 1, closed]).toEqual([
    before.map((target) => `200<GET ${target} >`),
    ...[true, true],
  ])
  expect(ran).toEqual(before.map((target) => `GET ${target}`))
})

// Bun closes a connection with another request before the response.
test.skipIf(onBun)('bytes that are no request are rejected after the responses of the requests before them', async () => {
  const { handler, ran } = createRecordingHandler()
  const { received, closed } = await converse(await startServer(handler), `${get('/one') + get('/slow') + get('/slow')}nonsense\r\n\r\n`)
  expect([replies(received), closed]).toEqual([['200<GET /one >', '200<GET /slow >', '200<GET /slow >'], true])
  expect(ran).toEqual(['GET /one', 'GET /slow', 'GET /slow'])
})

// Bun closes a connection with another request before the response.
test.skipIf(onBun)('a request that runs while a server closes is answered, also with bytes behind it', async () => {
  const { handler, ran } = createRecordingHandler()
  const here = await startServer(handler)
  const socket = await connected(here)
  let received = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    received += piece
  })
  socket.write(get('/slow') + get('/slow') + get('/one'))
  while (ran.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const closed = here.close({ drain: 300 })
  if (!socket.closed) await once(socket, 'close')
  await closed
  expect(replies(received)).toEqual(ran.map((line) => `200<${line} >`))
})

const waiting = lines('POST /echo HTTP/1.1', 'Host: a', 'Content-Length: 2', 'Expect: 100-continue')

// Bun sends it before it calls the handler.
describe.skipIf(onBun)('100 Continue comes before the head or not at all: the response', () => {
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 150))
  test.each([
    ['starts before its handler reads the body', false, []],
    ['starts before its handler reads the body, with a declared length', false, ['Content-Length', '4']],
    ['is so late that its head goes ahead', true, []],
    ['is so late that its head goes ahead, with a declared length', true, ['Content-Length', '4']],
  ])('%s', async (_what, isLate, headers) => {
    const here = await startServer((request) => {
      const body = async function* (): AsyncGenerator<string | Uint8Array> {
        if (isLate) await pause()
        yield 'ab'
        yield* request.bodyStream(10)
      }
      return { status: 200, headers, body: body() }
    })
    const { received } = await converse(here, waiting, 'cd')
    expect(received.startsWith('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n')).toBe(true)
    const sent = received.slice(received.lastIndexOf('\r\n\r\n', received.indexOf('ab')) + 4)
    expect(sent).toBe(headers.length > 0 ? 'abcd' : '2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n')
  })

  test('is whole, and its handler asks for the body behind it', async () => {
    let late: Promise<unknown> | undefined
    const here = await startServer((request) => {
      late = pause().then(() => request.bodyStream(10).next())
      late.catch(() => {})
      return { status: 200, headers: [], body: 'whole' }
    })
    const { received } = await converse(here, waiting, '')
    expect([received.includes('100 Continue'), received.endsWith('whole')]).toEqual([false, true])
    await expect(late).rejects.toMatchObject({ status: 400 })
  })
})

// The end of what a client sends is all that is seen of one that has left. Bun closes the connection at once.
test.skipIf(onBun)(
  'a client that half-closes behind its request gets what is answered at once; for a later response it has left',
  async () => {
    const signals: AbortSignal[] = []
    const here = await startServer((request) => {
      const response = { status: 200, headers: [], body: request.target }
      if (request.target === '/now') return response
      signals.push(request.signal)
      return new Promise((resolve) => setTimeout(resolve, 200, response))
    })
    const responses: string[] = []
    for (const target of ['/now', '/later']) {
      const socket = connect({ port: here.port, host: '127.0.0.1', allowHalfOpen: true })
      let received = ''
      socket.setEncoding('latin1').on('data', (piece) => {
        received += piece
      })
      socket.end(get(target))
      await once(socket, 'end')
      responses.push(received.slice(-4))
    }
    expect(responses).toEqual(['/now', ''])
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  },
)
