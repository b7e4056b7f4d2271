/** A client over a socket, and servers that are unreachable, cut off their response or do not send HTTP. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { endpoint, noContent, ok, text } from 'lapidary'
import { ConnectionError } from 'lapidary/client'
import { afterAll, describe, expect, test } from 'vitest'
import { clients } from '../support/client/clients.ts'
import { thrown } from '../support/client/thrownError.ts'

describe.each(clients)('$kind', ({ createClient: client }) => {
  const api = {
    word: endpoint('GET /word', { response: ok(text) }),
    nothing: endpoint('DELETE /nothing', { response: noContent }),
  }

  const open: (() => Promise<unknown>)[] = []
  afterAll(() => Promise.all(open.map((close) => close())))

  /** Listens until the tests end. @returns the URL */
  async function startServer(server: Server): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    open.push(() => new Promise((resolve) => server.close(resolve)))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  /** Starts a server that sends these bytes in response to every request, and then closes or resets the connection. */
  const respondWith = (bytes: string, end: (socket: Socket) => void = (socket) => socket.end()): Promise<string> =>
    startServer(
      createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket.write(bytes, () => end(socket)))
      }),
    )

  const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'

  describe('over a socket', () => {
    test('no server listens: ConnectionError', async () => {
      const server = createServer()
      const url = await startServer(server)
      await new Promise((resolve) => server.close(resolve))
      const error = await thrown(client(api, url).word)
      expect(error).toBeInstanceOf(ConnectionError)
      expect(error).toMatchObject({
        name: 'ConnectionError',
        message: `GET ${url}/word got no response: connect ECONNREFUSED ${url.slice('http://'.length)}. Check that the server runs and can be reached.`,
        cause: expect.any(TypeError),
      })
    })

    test.each<[what: string, server: Promise<string>, message: RegExp]>([
      [
        'the connection is reset at once',
        respondWith('', (socket) => socket.resetAndDestroy()),
        /^got no response: .*ECONNRESET\. Check that/,
      ],
      ['the connection is closed at once', respondWith(''), /^got no response: other side closed\. Check that/],
      ['the response is not HTTP', respondWith('220 mail.example.org ESMTP\r\n'), /^got no response: .+\. Check that/],
      [
        'the response has two lengths',
        respondWith(`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`),
        /^got no response: .+\. Check that/,
      ],
      [
        'the response has a length and chunks',
        respondWith(`${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`),
        /^got no response: .+\. Check that/,
      ],
      [
        'the body is shorter than its length',
        respondWith(`${head}Content-Length: 9\r\n\r\nabc`),
        /^got a response that was cut off: .+\.$/,
      ],
      [
        'the connection is reset within the body',
        respondWith(`${head}Content-Length: 9\r\n\r\nabc`, (socket) => setTimeout(() => socket.resetAndDestroy(), 20)),
        /^got a response that was cut off: .*ECONNRESET\.$/,
      ],
      [
        'the last chunk is missing',
        respondWith(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`),
        /^got a response that was cut off: .+\.$/,
      ],
      [
        'a chunk has no size',
        respondWith(`${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\na\r\n`),
        /^got a response that was cut off: .+\.$/,
      ],
      [
        'the body of an error is cut off',
        respondWith('HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nabc'),
        /^got a response that was cut off: .+\.$/,
      ],
    ])('%s: ConnectionError', async (_what, server, message) => {
      const url = await server
      const error = await thrown(client(api, url).word)
      expect(error).toBeInstanceOf(ConnectionError)
      expect(String(error)).toContain(`ConnectionError: GET ${url}/word `)
      expect(String(error).replace(`ConnectionError: GET ${url}/word `, '')).toMatch(message)
    })

    test('a body that ends with the connection is complete', async () => {
      expect(await client(api, await respondWith(`${head}\r\nabc`)).word()).toBe('abc')
    })

    test('bytes after a response without a body are ignored', async () => {
      expect(await client(api, await respondWith('HTTP/1.1 204 No Content\r\n\r\ngarbage')).nothing()).toBe(undefined)
    })
  })
})
