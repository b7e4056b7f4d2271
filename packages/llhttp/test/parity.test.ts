/** The same bytes to both adapters get the same bytes back, except for the Date and the request ids, and both report the same errors. */

import { listen as listenWithLlhttp } from '@lapidary/llhttp'
import type { ErrorListener, HttpHandler, HttpResponse } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listen as listenOnNode } from '../../lapidary/src/node.ts'
import { exchange } from '../../lapidary/test/support/matrix/adapters.ts'

async function* pieces(...all: readonly (string | Uint8Array)[]): AsyncGenerator<string | Uint8Array> {
  yield* all
}

async function* failing(): AsyncGenerator<string> {
  yield 'begun'
  // What was begun has gone out by then.
  await new Promise(setImmediate)
  throw new Error('out of luck')
}

const plain = ['Content-Type', 'text/plain']

/** What a handler may answer, by the path that asks for it. */
const responses: Readonly<Record<string, () => HttpResponse>> = {
  text: () => ({ status: 200, headers: plain, body: 'text' }),
  'no-text': () => ({ status: 200, headers: plain, body: '' }),
  utf8: () => ({ status: 200, headers: plain, body: 'Zwölf Äpfel €' }),
  bytes: () => ({ status: 200, headers: plain, body: new Uint8Array([1, 2, 255]) }),
  'no-bytes': () => ({ status: 200, headers: plain, body: new Uint8Array(0) }),
  nothing: () => ({ status: 200, headers: [], body: null }),
  'own-length': () => ({ status: 200, headers: ['Content-Length', '7'], body: null }),
  204: () => ({ status: 204, headers: ['X-A', 'b'], body: null }),
  304: () => ({ status: 304, headers: ['ETag', '"a"'], body: null }),
  '204-with-body': () => ({ status: 204, headers: ['Date', 'Sat, 01 Jan 2000 00:00:00 GMT'], body: 'x' }),
  '204-length': () => ({ status: 204, headers: ['Content-Length', '0'], body: null }),
  '204-coding': () => ({ status: 204, headers: ['Transfer-Encoding', 'chunked'], body: null }),
  '304-coding': () => ({ status: 304, headers: ['ETag', '"a"', 'Transfer-Encoding', 'chunked'], body: null }),
  '304-stream': () => ({ status: 304, headers: ['ETag', '"a"'], body: pieces('one') }),
  coding: () => ({ status: 200, headers: ['Transfer-Encoding', 'chunked'], body: null }),
  '304-length': () => ({ status: 304, headers: ['ETag', '"a"', 'Content-Length', '3'], body: null }),
  299: () => ({ status: 299, headers: [], body: 'odd' }),
  413: () => ({ status: 413, headers: [], body: 'much' }),
  reason: () => ({ status: 200, reason: 'Fine, thanks', headers: [], body: 'x' }),
  'own-date': () => ({ status: 200, headers: ['date', 'Sat, 01 Jan 2000 00:00:00 GMT'], body: 'x' }),
  'own-close': () => ({ status: 200, headers: ['connection', 'close'], body: 'x' }),
  'own-keep-alive': () => ({ status: 200, headers: ['Connection', 'keep-alive', 'Keep-Alive', 'timeout=9'], body: 'x' }),
  twice: () => ({ status: 200, headers: ['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2'], body: 'x' }),
  stream: () => ({ status: 200, headers: plain, body: pieces('one', 'zwölf', new Uint8Array([65, 66]), '', new Uint8Array(0), 'end') }),
  'stream-of-bytes': () => ({ status: 200, headers: ['X-Name', 'Ånn'], body: pieces(new Uint8Array([65, 66])) }),
  latin1: () => ({ status: 200, headers: ['X-Name', 'Ånn'], body: 'text' }),
  'latin1-stream-of-utf8': () => ({ status: 200, headers: ['X-Name', 'Ånn'], body: pieces('ö') }),
  'stream-of-utf8': () => ({ status: 200, headers: plain, body: pieces('ö') }),
  'stream-of-nothing': () => ({ status: 200, headers: plain, body: pieces() }),
  'stream-with-length': () => ({ status: 206, headers: ['Content-Length', '6'], body: pieces('one', 'two') }),
  'stream-that-fails': () => ({ status: 200, headers: plain, body: failing() }),
  'stream-with-coding': () => ({ status: 200, headers: ['Transfer-Encoding', 'chunked'], body: pieces('one') }),
  'stream-with-date': () => ({ status: 200, headers: ['Date', 'Sat, 01 Jan 2000 00:00:00 GMT'], body: pieces('one') }),
  'bad-value': () => ({ status: 200, headers: ['X', 'a\r\nB: c'], body: 'x' }),
  'bad-name': () => ({ status: 200, headers: ['X Y', 'a'], body: 'x' }),
  'bad-reason': () => ({ status: 200, reason: 'a\r\nb', headers: [], body: 'x' }),
  'bad-status': () => ({ status: 99, headers: [], body: 'x' }),
  'no-value': () => ({ status: 200, headers: ['X'], body: 'x' }),
  'beyond-latin1': () => ({ status: 200, headers: ['X', '€'], body: 'x' }),
}

const handler: HttpHandler = async (request) => {
  const name = request.target.slice(1)
  if (name === 'echo') return { status: 200, headers: [], body: await request.body(100).catch((error: Error) => error.name) }
  if (name === 'sight') {
    const { method, target, rawHeaders } = request
    return { status: 200, headers: [], body: JSON.stringify([method, target, request.header('x'), request.header('y'), rawHeaders]) }
  }
  const make = responses[name]
  return make === undefined ? { status: 404, headers: [], body: request.target } : make()
}

interface Both {
  readonly close: () => Promise<unknown>
  /** What each of the two says to these bytes. */
  readonly say: (...parts: readonly string[]) => Promise<{ readonly node: string; readonly llhttp: string }>
}

async function both(): Promise<Both> {
  const options = { headersTimeout: 300, requestTimeout: 400, keepAliveTimeout: 1 }
  const reports: Record<'node' | 'llhttp', string[]> = { node: [], llhttp: [] }
  /** Their sentences differ where Node.js finds the mistake itself. */
  const report =
    (adapter: keyof typeof reports): ErrorListener =>
    (error, { method, target }) =>
      void reports[adapter].push(`${(error as Error).name} of ${method} ${target}`)
  const [node, llhttp] = await Promise.all([
    listenOnNode(handler, { ...options, onError: report('node') }),
    listenWithLlhttp(handler, { ...options, onError: report('llhttp') }),
  ])
  expect(llhttp.adapter).toBe('llhttp')
  const sendParts = async (port: number, parts: readonly string[]): Promise<string> => {
    const received = await exchange({ port }, ...parts.map((part) => Buffer.from(part, 'latin1'))).catch((error: Error) => error.message)
    return received
      .replace(/^Date: (?!Sat, 01 Jan 2000).* GMT\r$/gm, 'Date: now\r')
      .replace(/"requestId":"[0-9a-f-]{36}"/g, '"requestId":"…"')
  }
  return {
    close: () => Promise.all([node.close({ drain: 0, grace: 0 }), llhttp.close({ drain: 0, grace: 0 })]),
    say: async (...parts) => {
      reports.node.length = reports.llhttp.length = 0
      const [first, second] = await Promise.all([sendParts(node.port, parts), sendParts(llhttp.port, parts)])
      expect(reports.llhttp).toEqual(reports.node)
      return { node: first, llhttp: second }
    },
  }
}

let adapters: Both
beforeAll(async () => {
  adapters = await both()
})
afterAll(() => adapters.close())

const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`
const last = lines('GET /text HTTP/1.1', 'Host: a', 'Connection: close')

describe.each(Object.keys(responses))('%s', (name) => {
  test.each([
    ['GET', lines(`GET /${name} HTTP/1.1`, 'Host: a'), last],
    ['GET, the last', lines(`GET /${name} HTTP/1.1`, 'Host: a', 'Connection: close')],
    ['HEAD', lines(`HEAD /${name} HTTP/1.1`, 'Host: a'), last],
    ['GET of HTTP/1.0', lines(`GET /${name} HTTP/1.0`)],
    ['GET of HTTP/1.0 that would stay', lines(`GET /${name} HTTP/1.0`, 'Connection: keep-alive') + last],
    ['POST in chunks', `${lines(`POST /${name} HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked')}3\r\nabc\r\n0\r\n\r\n`, last],
  ])('%s', async (_what, ...parts) => {
    const { node, llhttp } = await adapters.say(...parts)
    expect(llhttp).toBe(node)
  })
})

const chunks = lines('POST /echo HTTP/1.1', 'Host: a', 'Transfer-Encoding: chunked')
const rest = lines('', 'GET /text HTTP/1.1', 'Host: a', 'Connection: close').slice(2)

test.each<readonly [string, ...string[]]>([
  ['no Host', lines('GET /text HTTP/1.1')],
  ['no Host, before 1.1', lines('GET /text HTTP/1.0')],
  ['two Hosts', lines('GET /text HTTP/1.1', 'Host: a', 'Host: a')],
  ['version 0.9', lines('GET /text HTTP/0.9', 'Host: a')],
  ['version 2.0', lines('GET /text HTTP/2.0', 'Host: a')],
  ['version 3.1', lines('GET /text HTTP/3.1', 'Host: a')],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['another coding', lines('POST /echo HTTP/1.1', 'Host: a', 'Transfer-Encoding: gzip, chunked')],
  ['an expectation that nobody knows', lines('POST /echo HTTP/1.1', 'Host: a', 'Content-Length: 3', 'Expect: tea')],
  ['an expectation before its time', `${lines('POST /echo HTTP/1.0', 'Content-Length: 3', 'Expect: tea')}abc`],
  ['100-continue', `${lines('POST /echo HTTP/1.1', 'Host: a', 'Content-Length: 3', 'Expect: 100-continue')}abc`, rest],
  ['100-continue, unread', lines('POST /text HTTP/1.1', 'Host: a', 'Content-Length: 3', 'Expect: 100-continue')],
  ['1,001 header lines', lines('GET /text HTTP/1.1', 'Host: a', ...Array.from({ length: 1_000 }, () => 'a:b'))],
  ['1,000 header lines', lines('GET /text HTTP/1.1', 'Host: a', 'Connection: close', ...Array.from({ length: 998 }, () => 'a:b'))],
  ['a header of 20 KB', lines('GET /text HTTP/1.1', 'Host: a', `A: ${'a'.repeat(20_000)}`)],
  ['a target of 20 KB', lines(`GET /${'a'.repeat(20_000)} HTTP/1.1`, 'Host: a')],
  ['a chunk extension of 20 KB', `${chunks}1;${'a'.repeat(20_000)}\r\na\r\n0\r\n\r\n`],
  ['no chunk', `${chunks}no chunk\r\n`],
  ['no method', lines('NONSENSE /text HTTP/1.1', 'Host: a')],
  ['a method in small letters', lines('get /text HTTP/1.1', 'Host: a')],
  ['a space before a colon', lines('GET /text HTTP/1.1', 'Host : a')],
  ['a folded line', lines('GET /text HTTP/1.1', 'Host: a', ' b')],
  ['bare line feeds', 'GET /text HTTP/1.1\nHost: a\n\n'],
  ['a length that is none', lines('POST /echo HTTP/1.1', 'Host: a', 'Content-Length: -1')],
  ['headers that do not end', 'GET /text HTTP/1.1\r\nHost: a\r\n'],
  ['a body that does not end', `${lines('POST /echo HTTP/1.1', 'Host: a', 'Content-Length: 10')}abc`],
  ['a body that nobody wants and that does not end', `${lines('POST /text HTTP/1.1', 'Host: a', 'Content-Length: 10')}abc`],
  [
    'a body that nobody wants and that does not end, for a name in Latin-1',
    `${lines('POST /latin1 HTTP/1.1', 'Host: a', 'Content-Length: 10')}abc`,
  ],
  ['a body', `${lines('POST /echo HTTP/1.1', 'Host: a', 'Content-Length: 3')}abc${last}`],
  ['a body that is too large', `${lines('POST /echo HTTP/1.1', 'Host: a', 'Content-Length: 300')}${'a'.repeat(300)}${last}`],
  ['chunks', `${chunks}3\r\nabc\r\n2;a=b\r\nde\r\n0\r\nX-Trailer: a\r\n\r\n${last}`],
  ['chunks that are too large', `${chunks}${'64\r\n'}${'a'.repeat(100)}\r\n64\r\n${'a'.repeat(100)}\r\n0\r\n\r\n${last}`],
  ['a head in pieces', 'GET /si', 'ght HTTP/1.1\r\nHo', 'st: a\r\nX: 1\r\nx:2\r\nConnec', 'tion: close\r', '\n\r\n'],
  [
    'many lines in pieces',
    `GET /sight HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${'A: b\r\n'.repeat(40)}`,
    `${'C: d\r\n'.repeat(40)}\r\n`,
  ],
  ['bytes beyond ASCII', lines('GET /sight HTTP/1.1', 'Host: a', 'X: \xe9', 'Connection: close')],
  ['three at once', lines('GET /text HTTP/1.1', 'Host: a') + lines('GET /stream HTTP/1.1', 'Host: a') + last],
  ['behind the last one', `${last}${last}`],
  ['nonsense behind one', `${lines('GET /text HTTP/1.1', 'Host: a')}nonsense\r\n\r\n`],
  ['empty lines before it', `\r\n\r\n${last}`],
  ['another protocol, which nobody speaks', lines('GET /text HTTP/1.1', 'Host: a', 'Connection: Upgrade, close', 'Upgrade: websocket')],
  ['HEAD that is none', lines('HEAD http://a|b/ HTTP/1.1', 'Host: a')],
  ['CONNECT', lines('CONNECT a:80 HTTP/1.1', 'Host: a')],
  ['nothing at all', ''],
])('%s', async (_what, ...parts) => {
  const { node, llhttp } = await adapters.say(...parts)
  expect(llhttp).toBe(node)
})
