/** Bytes that are no request: they are rejected once, the client can read the rejection, and it never lands inside another response. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { listen, type RunningServer } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'

const nonsense = 'nonsense\r\n\r\n'
const piece = Buffer.alloc(8_192, 'a')

async function connected(handler: HttpHandler): Promise<{ readonly socket: Socket; readonly listening: RunningServer }> {
  const listening = await listen(handler)
  onTestFinished(() => listening.close({ drain: 0, grace: 0 }))
  const socket = connect(listening.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  // A client that is disconnected while it sends gets an error.
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { socket, listening }
}

/** Resolves when there is room for more, or the server has closed the connection. */
const room = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      socket.off('drain', go)
      socket.off('close', go)
      resolve()
    }
    socket.on('drain', go)
    socket.on('close', go)
  })

/** Sends chunks as long as the server reads them, and reads nothing meanwhile. Returns their number. */
async function sent(socket: Socket, most: number): Promise<number> {
  socket.pause()
  let count = 0
  for (; count < most && !socket.destroyed; count += 1) {
    if (!socket.write(piece)) await room(socket)
    // A reset has time to come: with it goes what was not read yet.
    await new Promise(setImmediate)
  }
  return count
}

/** All bytes until the server closes the connection. */
async function all(socket: Socket): Promise<string> {
  let received = ''
  socket.setEncoding('latin1').on('data', (text: string) => {
    received += text
  })
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
  return received
}

const never: HttpHandler = () => ({ status: 200, headers: [], body: 'never' })
const refusal = /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*"status":400[^}]*}$/

test('a client that goes on sending behind bytes that are no request can read the rejection', async () => {
  const { socket } = await connected(never)
  socket.write(nonsense)
  expect(await sent(socket, 100)).toBe(100)
  socket.end()
  expect(await all(socket)).toMatch(refusal)
})

test('a client that does not stop sending is disconnected', async () => {
  const { socket } = await connected(never)
  socket.write(nonsense)
  // What the two systems keep between them is sent, too, but not read.
  expect(await sent(socket, 512)).toBeLessThan(512)
})

test.each([
  ['its first line', 'nonsense\r\n\r\n'],
  ['a header', 'GET /second HTTP/1.1\r\nHost: a\r\nX-A: \0\r\n\r\n'],
])('a request that is malformed in %s is rejected after the response before it, which is the last', async (_where, second) => {
  let respond: () => void = () => {}
  const targets: string[] = []
  const { socket, listening } = await connected(
    ({ target }) =>
      new Promise((resolve) => {
        targets.push(target)
        respond = () => resolve({ status: 200, headers: [], body: 'whole' })
      }),
  )
  const came = all(socket)
  socket.write(`GET /first HTTP/1.1\r\nHost: a\r\n\r\n${second}`)
  await expect.poll(() => targets).toEqual(['/first'])
  // An answer on another connection, refused by the same hand, says that the second one has been looked at.
  const other = connect(listening.port, '127.0.0.1')
  other.write(nonsense)
  expect(await all(other)).toMatch(refusal)
  respond()
  expect(await came).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:(?!HTTP)[\s\S])*\r\n\r\nwhole$/)
  expect(targets).toEqual(['/first'])
})

test('a malformed body aborts a response that has begun, and no rejection is written into it', async () => {
  const { socket } = await connected(() => ({
    status: 200,
    headers: [],
    body: (async function* () {
      yield 'a piece'
      await new Promise(() => {})
    })(),
  }))
  const came = all(socket)
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
  await once(socket, 'data')
  socket.write('no chunk\r\n')
  expect(await came).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:(?!HTTP)[\s\S])*a piece\r\n$/)
})

const chunkedHead = 'HEAD / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n'

test.each([
  ['with its head', `${chunkedHead}no chunk\r\n`, ''],
  ['behind its head', chunkedHead, 'no chunk\r\n'],
])('the rejection of a HEAD whose body comes %s has the length of its body, and no body', async (_when, first, second) => {
  let begin = (): void => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const { socket } = await connected(() => {
    begin()
    return new Promise(() => {})
  })
  socket.write(first)
  if (second !== '') {
    await begun
    socket.write(second)
  }
  expect(await all(socket)).toMatch(
    /^HTTP\/1\.1 400 Bad Request\r\n(?:(?!HTTP)[\s\S])*Content-Length: [1-9]\d*\r\n(?:(?!HTTP)[\s\S])*\r\n\r\n$/,
  )
})

test.each([
  ['no chunk', 'no chunk\r\n'],
  ['the end of the connection', undefined],
])('%s in place of the rest of an answered request gets no second response', async (_what, rest) => {
  const { socket } = await connected(() => ({
    status: 200,
    headers: ['Content-Length', '5'],
    body: (async function* () {
      yield 'whole'
    })(),
  }))
  const came = all(socket)
  const response = once(socket, 'data')
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
  await response
  if (rest === undefined) socket.end()
  else socket.write(rest)
  expect(await came).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:(?!HTTP)[\s\S])*\r\n\r\nwhole$/)
})
