/** The output of `lapidary call` for responses, even of servers that do not follow the description. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Around, begin, type Ended, lapidary } from '../support/runCli.ts'

/** A server that answers as it likes, and its address. */
async function startServer(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const call = (base: string, words: readonly string[], around: Around = {}): Promise<Ended> =>
  lapidary(['call', 'smallApi.ts', ...words, '--base', base], around)

/** A call of an endpoint whose server answers so. */
async function callWithResponse(status: number, type: string | undefined, body: string | Uint8Array, around?: Around): Promise<Ended> {
  const base = await startServer((_request, response) => {
    response.writeHead(status, type === undefined ? {} : { 'Content-Type': type }).end(body)
  })
  return call(base, ['stream'], around)
}

describe('an error is printed as a status line and its body', () => {
  const problem = 'application/problem+json'
  const flaws = [
    { in: 'query', name: 'limit', detail: 'expected an integer' },
    { in: 'body', pointer: '/a/b', detail: 'expected a string' },
    { in: 'body', pointer: '', detail: 'expected JSON' },
    'odd',
  ]
  test.each<[string, string | undefined, string | Uint8Array, string]>([
    [
      'problem details',
      problem,
      JSON.stringify({ detail: 'No.', errors: flaws, requestId: 'r1', more: [1] }),
      `418 I'm a Teapot\n${JSON.stringify({ detail: 'No.', errors: flaws, requestId: 'r1', more: [1] }, null, 2)}`,
    ],
    ['empty problem details', problem, '{}', "418 I'm a Teapot\n{}"],
    ['problem details of another form', problem, '{"detail":5,"errors":"x"}', '418 I\'m a Teapot\n{\n  "detail": 5,\n  "errors": "x"\n}'],
    ['problem details that are not JSON', problem, '[', "418 I'm a Teapot\n["],
    ['text', 'text/plain', 'No tea.\n', "418 I'm a Teapot\nNo tea."],
    ['nothing', undefined, '', "418 I'm a Teapot"],
    ['bytes', 'image/png', Uint8Array.of(0xff, 0xfe), "418 I'm a Teapot\n(2 bytes of image/png)"],
    ['bytes without a type', undefined, Uint8Array.of(0xff), "418 I'm a Teapot\n(1 bytes of an unknown type)"],
  ])('%s', async (_what, type, body, errors) => {
    expect(await callWithResponse(418, type, body)).toEqual({ code: 1, output: '', errors: `${errors}\n` })
  })
})

test('a redirect is not followed, but printed', async () => {
  const base = await startServer((_request, response) => response.writeHead(303, { Location: '/elsewhere' }).end())
  expect(await call(base, ['stream'])).toEqual({ code: 0, output: '', errors: '303 See Other, Location: /elsewhere\n' })
})

describe('on a terminal', () => {
  const columns = 80
  test.each<[string, string, string | Uint8Array, string]>([
    ['JSON is laid out', 'application/json', '{"a":[1,{}]}', '{\n  "a": [\n    1,\n    {}\n  ]\n}\n'],
    ['JSON of a type of its own, too', 'application/geo+json; charset=utf-8', '[1]', '[\n  1\n]\n'],
    ['an image that is named json is no JSON', 'image/json', '[1]', '[1]\n'],
    ['JSON stays as it came where that would change a number', 'application/json', '[9007199254740993]', '[9007199254740993]\n'],
    ['what is no JSON stays as it came', 'application/json', '{"a"', '{"a"\n'],
    ['text ends its line', 'text/plain', 'hey', 'hey\n'],
    ['a line that has ended stays', 'text/plain', 'hey\n', 'hey\n'],
    ['lines of JSON stay lines', 'application/x-ndjson', '{"a":1}\n{"a":2}\n', '{"a":1}\n{"a":2}\n'],
    ['text of a type of its own ends its line, too', 'image/svg', '<', '<\n'],
  ])('%s', async (_what, type, body, output) => {
    expect(await callWithResponse(200, type, body, { columns })).toEqual({ code: 0, output, errors: '' })
  })

  test.each<[string, string]>([
    ['application/json', '{"a":1}'],
    ['text/plain', 'hey'],
  ])('elsewhere the body is unchanged: %s', async (type, body) => {
    expect(await callWithResponse(200, type, body)).toEqual({ code: 0, output: body, errors: '' })
  })
})

test('a stream is printed line by line, as the lines arrive', async () => {
  let next = (): void => {}
  const base = await startServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).write('{"line":1}\n')
    next = () => response.end('{"line":2}\n')
  })
  const { waitForOutput, ended } = begin(['call', 'smallApi.ts', 'stream', '--base', base])
  await waitForOutput('{"line":1}\n')
  next()
  expect(await ended).toMatchObject({ code: 0, output: '{"line":1}\n{"line":2}\n', errors: '' })
})

test('on a terminal, a character in two chunks is printed once', async () => {
  const [euro, within] = [Buffer.from('10 €\n'), 4]
  let next = (): void => {}
  const base = await startServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain' }).write(euro.subarray(0, within))
    next = () => response.end(euro.subarray(within))
  })
  const { waitForOutput, ended } = begin(['call', 'smallApi.ts', 'stream', '--base', base], { columns: 80 })
  await waitForOutput('10 ')
  next()
  expect(await ended).toMatchObject({ code: 0, output: '10 €\n', errors: '' })
})

describe('without a complete response, one sentence has the reason', () => {
  const [hand, ending] = ['Start the server, or correct --base or LAPIDARY_BASE.', / got a response that was cut off: .+\.\n$/]

  test('no server listens', async () => {
    const { code, output, errors } = await call('http://127.0.0.1:1', ['stream'])
    expect([code, output]).toEqual([2, ''])
    expect(errors).toBe(`GET http://127.0.0.1:1/stream got no response: connect ECONNREFUSED 127.0.0.1:1. ${hand}\n`)
  })

  test('no server listens, and --verbose prints the request', async () => {
    const { errors } = await call('http://127.0.0.1:1', ['stream', '-v'])
    expect(errors).toMatch(/^> GET \/stream HTTP\/1\.1\n> Connection: close\n> Host: 127\.0\.0\.1:1\n>\nGET .* got no response: /)
  })

  test('the connection ends without a response', async () => {
    const base = await startServer((request) => request.socket.destroy())
    expect(await call(base, ['stream'])).toMatchObject({
      code: 1,
      errors: `GET ${base}/stream got no response: socket hang up. ${hand}\n`,
    })
  })

  test('the connection ends within the response: its start is printed', async () => {
    const base = await startServer((request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/x-ndjson' }).write('{"line":1}\n', () => request.socket.destroy())
    })
    const { code, output, errors } = await call(base, ['stream'])
    expect([code, output]).toEqual([1, '{"line":1}\n'])
    expect(errors).toMatch(ending)
  })

  test('the response is not HTTP', async () => {
    const base = await startServer((request) => request.socket.end('220 mail.example.org ESMTP\r\n'))
    expect((await call(base, ['stream'])).errors).toMatch(/^GET http:.* got no response: Parse Error/)
  })

  test('the path of the base comes first; the message does not contain the query', async () => {
    const base = await startServer((request, response) => response.end(request.url))
    expect(await call(`${base}/v1/`, ['GET', '/search?word=a'])).toMatchObject({ code: 0, output: '/v1/search?word=a' })
    expect((await call('http://127.0.0.1:1/v1', ['GET', '/search?word=a'])).errors).toMatch(/^GET http:\/\/127\.0\.0\.1:1\/v1\/search got/)
  })
})
