/** The specification's "Limits", and those of the settings. */

import { afterAll, describe, expect, test } from 'vitest'
import { service, serviceOfTest } from '../support/service.ts'
import { inOrder, page } from './colors.ts'
import { comparable, json, plain, problem, specify } from './expected.ts'
import { connectTo, exchange, send, withBody, withHeaders } from './send.ts'

const it = await service({ environment: { MAX_BODY_BYTES: '100' } })
afterAll(it.close)

describe('ranges', () => {
  const names = async (range?: string): Promise<string[]> => {
    const { text } = await send(it.main, range === undefined ? 'GET /colors' : withHeaders('GET /colors', { Range: range }))
    return (JSON.parse(text) as { name: string }[]).map(({ name }) => name)
  }
  const ordered = (field: 'name' | 'hex' | 'rgb', order: 'asc' | 'desc') => inOrder(field, order).map(({ name }) => name)

  test('defaultRangeLimit: 100 when limit is omitted', async () => {
    expect(await names()).toHaveLength(100)
    expect(await names('name')).toHaveLength(100)
    expect(await names('hex; order asc')).toHaveLength(100)
  })

  test('defaultRangeOffset: 0 when offset is omitted', async () => {
    expect((await names())[0]).toBe(ordered('name', 'desc')[0])
    expect((await names('name; order asc'))[0]).toBe(ordered('name', 'asc')[0])
  })

  test('defaultRangeOrder: descending when order is omitted', async () => {
    expect(await names('name; limit 5')).toEqual(ordered('name', 'desc').slice(0, 5))
    expect(await names('hex; limit 5')).toEqual(ordered('hex', 'desc').slice(0, 5))
  })

  test('default limit for the optional rgb range: 5', async () => {
    expect(await names('rgb')).toEqual(page('rgb', { limit: 5 }).items.map(({ name }) => name))
  })

  test('largest page: 1000, unless it is configured', async () => {
    const { main, database } = await serviceOfTest()
    await database.run(
      'INSERT INTO colors (name, red, green, blue, hex) VALUES (?, 1, 2, 3, ?)',
      Array.from({ length: 1_001 }, (_, number) => [`colour ${number}`, '#010203']),
    )
    const { text, headers } = await send(main, withHeaders('GET /colors', { Range: 'name; limit 1001' }))
    expect(JSON.parse(text)).toHaveLength(1_000)
    expect(headers['next-range']).toContain('limit 1000')
  })
})

describe('MAX_BODY_BYTES: larger request bodies get 413', () => {
  const text = (length: number) => 'x'.repeat(length)
  specify(it.main, [
    ['a body of exactly that many bytes', withBody('POST /echo/text', 'text/plain', text(100)), plain(text(100))],
    ['one byte more', withBody('POST /echo/text', 'text/plain', text(101)), problem(413)],
    ['many bytes more', withBody('POST /echo/text', 'text/plain', text(1_000_000)), problem(413)],
    ['bytes count, not characters', withBody('POST /echo/text', 'text/plain', '🌍'.repeat(26)), problem(413)],
    ['for JSON', withBody('POST /echo/json', 'application/json', `"${text(99)}"`), problem(413)],
    ['for forms', withBody('POST /echo/form', 'application/x-www-form-urlencoded', `a=${text(99)}`), problem(413)],
    ['for octets', withBody('POST /echo/bytes', 'application/octet-stream', new Uint8Array(101)), problem(413)],
    ['what is refused anyway is refused for that', withBody('POST /nothing', 'text/plain', text(1000)), problem(404)],
  ])

  test.each([100, 101, 100_000])('a body of %d bytes without a length', async (length) => {
    const chunk = `${length.toString(16)}\r\n${text(length)}\r\n0\r\n\r\n`
    const response = await exchange(
      it.main,
      `POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunk}`,
    )
    expect(response.slice(0, 12)).toBe(length > 100 ? 'HTTP/1.1 413' : 'HTTP/1.1 200')
  })

  test('a client that waits for 100 Continue gets 413 instead, and sends nothing', async () => {
    const head =
      'POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 101\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n'
    const response = await exchange(it.main, head)
    expect(response).toMatch(/^HTTP\/1\.1 413 /)
    expect(response).not.toContain('100 Continue')
  })

  test('a client that waits for 100 Continue gets it if its body is acceptable', async () => {
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connectTo(it.main)
      let received = ''
      let sent = false
      socket.on('error', reject)
      socket.on('close', () => resolve(received))
      socket.on('data', (chunk) => {
        received += chunk.toString()
        if (!sent && received.startsWith('HTTP/1.1 100 ')) socket.write('hello')
        sent = true
      })
      socket.write(
        'POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 5\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n',
      )
    })
    expect(response).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
    expect(response.endsWith('\r\n\r\nhello')).toBe(true)
  })

  test('by default a body of a megabyte is accepted, and one more byte is not', async () => {
    const { main } = await serviceOfTest()
    expect(comparable(await send(main, withBody('POST /echo/text', 'text/plain', text(1_048_576))))).toEqual(plain(text(1_048_576)))
    expect(comparable(await send(main, withBody('POST /echo/text', 'text/plain', text(1_048_577))))).toEqual(problem(413))
  })
})

describe('an incomplete request gets 408 at the timeout', () => {
  const start = () => serviceOfTest({ environment: { HEADERS_TIMEOUT_MS: '100', REQUEST_TIMEOUT_MS: '200', KEEP_ALIVE_TIMEOUT_MS: '100' } })
  const timedOut = (response: string): void => {
    expect(response).toMatch(/^HTTP\/1\.1 408 /)
    expect(response.toLowerCase()).toContain('\r\nconnection: close\r\n')
  }

  test.each([
    ['its request line', 'GET /hel'],
    ['its headers', 'GET /hello HTTP/1.1\r\nHost: x\r\nX-Sl'],
    ['its body', 'POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nfour'],
    ['its chunks', 'POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n'],
  ])('when %s stop', async (_what, sent) => {
    const { main } = await start()
    timedOut(await exchange(main, sent))
    expect((await send(main, 'GET /hello')).status).toBe(200)
  })

  test('with problem details, like every other error', async () => {
    const { main } = await start()
    const response = await exchange(main, 'GET /hello HTTP/1.1\r\nHost: x\r\n')
    expect(response.toLowerCase()).toContain('\r\ncontent-type: application/problem+json\r\n')
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))).toMatchObject({
      type: 'about:blank',
      title: 'Request Timeout',
      status: 408,
    })
  })

  test('an idle connection is closed without a response', async () => {
    const { main } = await start()
    const response = await exchange(main, 'GET /hello HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1)
    expect(response.endsWith('{"msg":"Hello, anonymous coward"}')).toBe(true)
  })
})

describe('JSON', () => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  test('nested deeper than 64: 400', async () => {
    const { main } = await serviceOfTest()
    const sendNested = async (depth: number) => comparable(await send(main, withBody('POST /echo/json', 'application/json', nested(depth))))
    expect(await sendNested(64)).toEqual(json(JSON.parse(nested(64))))
    expect(await sendNested(65)).toEqual(problem(400, {}, { in: 'body', pointer: '/a'.repeat(64) }))
    expect(await sendNested(100_000)).toEqual(problem(400, {}, { in: 'body', pointer: '/a'.repeat(64) }))
  })
})
