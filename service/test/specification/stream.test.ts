/** The specification's "Stream". */

import { connect } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { service } from '../support/service.ts'
import { type Expected, problem, specify } from './expected.ts'
import { users } from './known.ts'
import { exchange, send, withHeaders } from './send.ts'

const it = await service()
afterAll(it.close)

const lines = users.map((user) => `${JSON.stringify(user)}\n`)
const varied = { vary: 'Accept', 'transfer-encoding': 'chunked' }
const newlines: Expected = { status: 200, headers: { 'content-type': 'application/x-ndjson', ...varied }, body: lines.join('') }

specify(it.main, [
  ['GET /userStream: 200, a stream of User JSON values, one per line; the stream holds three users', 'GET /userStream', newlines],
  ['application/x-ndjson may be asked for', withHeaders('GET /userStream', { Accept: 'application/x-ndjson' }), newlines],
  ['application/x-ndjson comes first', withHeaders('GET /userStream', { Accept: 'application/json, application/x-ndjson' }), newlines],
  ['neither type is accepted: 406', withHeaders('GET /userStream', { Accept: 'text/html' }), problem(406, { vary: 'Accept' })],
  [
    'HEAD: the same headers and no body',
    'HEAD /userStream',
    { status: 200, headers: { 'content-type': 'application/x-ndjson', vary: 'Accept' }, body: '' },
  ],
])

test.each([
  ['application/jsonl, application/json', 'application/json;charset=utf-8'],
  ['application/jsonl', 'application/jsonl'],
])('application/json comes second, and another type of lines last: %s', async (accept, type) => {
  const { status, headers, text } = await send(it.main, withHeaders('GET /userStream', { Accept: accept }))
  expect([status, headers['content-type'], text]).toEqual([200, type, lines.join('')])
})

describe('application/json', () => {
  test('is offered too, with the same bytes', async () => {
    const { status, headers, text } = await send(it.main, withHeaders('GET /userStream', { Accept: 'application/json' }))
    expect({ status, type: headers['content-type'], vary: headers['vary'], text }).toEqual({
      status: 200,
      type: 'application/json;charset=utf-8',
      vary: 'Accept',
      text: lines.join(''),
    })
  })
})

/** The chunks of a chunked body (RFC 9112 section 7.1), the last one included. */
function chunks(body: string): string[] {
  const found: string[] = []
  for (let rest = body; rest !== ''; ) {
    const end = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.slice(0, end), 16)
    found.push(rest.slice(end + 2, end + 2 + size))
    expect(rest.slice(end + 2 + size, end + 4 + size)).toBe('\r\n')
    rest = rest.slice(end + 4 + size)
  }
  return found
}

describe.each(['application/x-ndjson', 'application/json'])('on a raw socket, as %s', (type) => {
  const sent = `GET /userStream HTTP/1.1\r\nHost: x\r\nAccept: ${type}\r\nConnection: close\r\n\r\n`

  test('each chunk contains whole lines, and the last chunk arrives', async () => {
    const response = await exchange(it.main, sent)
    const [head = '', ...body] = response.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(head.toLowerCase()).toContain('\r\ntransfer-encoding: chunked')
    expect(head.toLowerCase()).not.toContain('content-length')
    const pieces = chunks(body.join('\r\n\r\n'))
    expect(pieces.join('')).toBe(lines.join(''))
    for (const chunk of pieces.slice(0, -1)) expect(chunk.endsWith('\n')).toBe(true)
    expect(pieces.at(-1)).toBe('')
  })

  test('each line ends with a line feed, and contains no other', async () => {
    const { text } = await send(it.main, withHeaders('GET /userStream', { Accept: type }))
    expect(text.endsWith('\n')).toBe(true)
    expect(text.split('\n')).toHaveLength(users.length + 1)
    expect(text).not.toContain('\r')
  })
})

test('an HTTP/1.0 client gets the same bytes without chunks', async () => {
  const response = await exchange(it.main, 'GET /userStream HTTP/1.0\r\n\r\n')
  expect(response.slice(response.indexOf('\r\n\r\n') + 4)).toBe(lines.join(''))
  expect(response.toLowerCase()).not.toContain('transfer-encoding')
})

test('a client that disconnects after the first line leaves nothing behind', async () => {
  const { hostname, port } = new URL(it.main)
  await Promise.all(
    Array.from(
      { length: 20 },
      () =>
        new Promise<void>((done) => {
          const socket = connect(Number(port), hostname, () => socket.write('GET /userStream HTTP/1.1\r\nHost: x\r\n\r\n'))
          socket.once('data', () => socket.resetAndDestroy())
          socket.once('close', () => done())
        }),
    ),
  )
  expect((await send(it.main, 'GET /userStream')).text).toBe(lines.join(''))
})
