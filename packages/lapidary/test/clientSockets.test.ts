/** A client on a wire: servers that are gone, that break off, that speak otherwise, and that send it elsewhere. */
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { authScheme, endpoint, noContent, ok, reply, text } from 'lapidary'
import { ConnectionError, client, credentials, isDeclaredError } from 'lapidary/client'
import { afterAll, describe, expect, test } from 'vitest'
import { thrown } from './client/thrownError.ts'

const keys = authScheme<string, string>({
  name: 'keys',
  challenge: 'Key',
  credentials: (header) => header('x-key'),
  headers: (key) => ({ 'X-Key': key }),
  openapi: {},
})
const tokens = authScheme<string, string>({
  name: 'tokens',
  challenge: 'Bearer',
  credentials: (header) => header('authorization'),
  headers: (token) => ({ authorization: token }),
  openapi: {},
})

const api = {
  word: endpoint('GET /word', { response: ok(text) }),
  nothing: endpoint('DELETE /nothing', { response: noContent }),
  lost: endpoint('GET /lost', { response: ok(text) }),
  moved: endpoint('GET /moved', { response: reply(303, undefined, { headers: { Location: text } }) }),
  maybeMoved: endpoint('GET /maybe-moved', { response: ok(text), errors: [reply(307)] }),
  key: endpoint('GET /key', { auth: keys, response: ok(text) }),
  token: endpoint('GET /token', { auth: tokens, response: ok(text) }),
}

const open: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(open.map((close) => close())))

/** Listens until the tests are over; the address. */
async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(() => new Promise((resolve) => server.close(resolve)))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A server that answers these bytes to whatever is asked, and then closes or resets the connection. */
const answering = (bytes: string, last: (socket: Socket) => void = (socket) => socket.end()): Promise<string> =>
  listening(
    createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.write(bytes, () => last(socket)))
    }),
  )

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n'

describe('over a socket', () => {
  test('nobody listens: ConnectionError', async () => {
    const server = createServer()
    const url = await listening(server)
    await new Promise((resolve) => server.close(resolve))
    const error = await thrown(client(api, url).word)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(error).toMatchObject({
      name: 'ConnectionError',
      message: `GET ${url}/word got no response: connect ECONNREFUSED ${url.slice('http://'.length)}. Check that the server runs and can be reached.`,
      cause: expect.any(TypeError),
    })
  })

  test.each<[what: string, answer: Promise<string>, sentence: RegExp]>([
    ['the connection is reset at once', answering('', (socket) => socket.resetAndDestroy()), /^got no response: .*ECONNRESET\. Check that/],
    ['the connection is closed at once', answering(''), /^got no response: other side closed\. Check that/],
    ['what comes is no HTTP', answering('220 mail.example.org ESMTP\r\n'), /^got no response: .+\. Check that/],
    ['there are two lengths', answering(`${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`), /^got no response: .+\. Check that/],
    [
      'there are two framings',
      answering(`${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`),
      /^got no response: .+\. Check that/,
    ],
    ['the body is shorter than its length', answering(`${head}Content-Length: 9\r\n\r\nabc`), /^got a response that was cut off: .+\.$/],
    [
      'the connection is reset in mid-body',
      answering(`${head}Content-Length: 9\r\n\r\nabc`, (socket) => setTimeout(() => socket.resetAndDestroy(), 20)),
      /^got a response that was cut off: .*ECONNRESET\.$/,
    ],
    [
      'the last chunk is missing',
      answering(`${head}Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n`),
      /^got a response that was cut off: .+\.$/,
    ],
    ['a chunk has no size', answering(`${head}Transfer-Encoding: chunked\r\n\r\nxyz\r\na\r\n`), /^got a response that was cut off: .+\.$/],
    [
      'the body of an error is cut off',
      answering('HTTP/1.1 404 Not Found\r\nContent-Length: 9\r\n\r\nabc'),
      /^got a response that was cut off: .+\.$/,
    ],
  ])('%s: ConnectionError', async (_what, answer, sentence) => {
    const url = await answer
    const error = await thrown(client(api, url).word)
    expect(error).toBeInstanceOf(ConnectionError)
    expect(String(error)).toContain(`ConnectionError: GET ${url}/word `)
    expect(String(error).replace(`ConnectionError: GET ${url}/word `, '')).toMatch(sentence)
  })

  test('a body that is framed by the end of the connection is whole', async () => {
    expect(await client(api, await answering(`${head}\r\nabc`)).word()).toBe('abc')
  })

  test('garbage behind an answer without a body is not looked at', async () => {
    expect(await client(api, await answering('HTTP/1.1 204 No Content\r\n\r\ngarbage')).nothing()).toBe(undefined)
  })
})

/** A server of plain Node. */
const http = (listener: RequestListener): Promise<string> => listening(createHttpServer({ keepAliveTimeout: 1 }, listener))

describe('a redirection', () => {
  const asked: unknown[] = []
  const elsewhere = http((request, response) => {
    asked.push([request.url, request.headers.authorization, request.headers['x-key']])
    response.writeHead(request.url === '/none?secret' ? 404 : 200, { 'Content-Type': 'text/plain' }).end('elsewhere')
  })
  const here = http(async (request, response) => {
    const target = request.url === '/maybe-moved' ? '/here' : `${await elsewhere}${request.url === '/lost' ? '/none?secret' : request.url}`
    response.writeHead(request.url?.includes('moved') ? 307 : 302, { Location: target }).end()
  })
  const auth = [credentials(keys, 'k'), credentials(tokens, 'Bearer t')]

  test('is followed, and Authorization is not shown to another origin', async () => {
    expect(await client(api, await here, { auth }).token()).toBe('elsewhere')
    expect(asked.at(-1)).toEqual(['/token', undefined, undefined])
  })

  test('is not followed with credentials in another header, which would be shown to whoever it leads to', async () => {
    const error = await thrown(client(api, await here, { auth }).key)
    expect(error).toMatchObject({
      status: 302,
      headers: { location: `${await elsewhere}/key` },
      message: `GET ${await here}/key answered 302 Found`,
    })
    expect(asked).not.toContainEqual(expect.arrayContaining(['/key']))
  })

  test('leads to an error that says where it comes from, without the query', async () => {
    const error = await thrown(client(api, await here).lost)
    expect(error).toMatchObject({
      message: `GET ${await elsewhere}/none answered 404 Not Found`,
      received: { route: 'GET /lost', url: `${await elsewhere}/none` },
    })
  })

  test('that is declared as success reaches the caller', async () => {
    const url = await http((_request, response) => response.writeHead(303, { Location: '/there' }).end())
    expect(await client(api, url).moved()).toEqual({ body: undefined, headers: { Location: '/there' } })
  })

  test('that is declared as an error reaches the caller', async () => {
    const error = await thrown(client(api, await here).maybeMoved)
    expect(isDeclaredError(api.maybeMoved, error)).toBe(true)
    expect(error).toMatchObject({ status: 307, headers: { location: '/here' } })
  })
})
