/** Each name of Node that the llhttp adapter uses beyond its documentation: the first test to fail when a version of Node changes one. */
import { once } from 'node:events'
import { METHODS } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  createLlhttpParser,
  findNodeParser,
  getSocketHandle,
  type LlhttpParser,
  type LlhttpParserClass,
  type ParserListener,
} from '../../src/adapters/llhttp/parser.ts'
import { canReadFromSockets, getNodeParser, probeParser } from '../../src/adapters/llhttp/parserProbe.ts'

const Class = findNodeParser() as LlhttpParserClass

test('there is a class, and it does what it is known to do', async () => {
  expect(Class).toBeTypeOf('function')
  expect((await getNodeParser())?.Class).toBe(Class)
})

test('it knows the methods that node:http knows, by numbers', async () => {
  expect([...((await getNodeParser())?.methods ?? [])].filter((name) => name !== undefined).sort()).toEqual([...METHODS].sort())
})

test.each(['REQUEST', 'kOnHeaders', 'kOnHeadersComplete', 'kOnBody', 'kOnMessageComplete', 'kOnExecute'] as const)(
  '%s is a number',
  (name) => {
    expect(Class[name]).toBeTypeOf('number')
  },
)

const methods = [
  'initialize',
  'execute',
  'finish',
  'consume',
  'unconsume',
  'getCurrentBuffer',
  'duration',
  'headersCompleted',
  'close',
] as const

test.each(methods)('%s is a method', (name) => {
  expect((Class.prototype as LlhttpParser)[name]).toBeTypeOf('function')
})

/** The server's side of a connection, and the client's. */
async function connection(): Promise<readonly [Socket, Socket]> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const client = connect(typeof address === 'object' ? (address?.port ?? 0) : 0, '127.0.0.1')
  const [socket] = (await once(server, 'connection')) as [Socket]
  onTestFinished(() => {
    client.destroy()
    socket.destroy()
    server.close()
  })
  return [socket, client]
}

describe('a parser that reads from the handle of a socket', () => {
  /** Resolves with each thing that it is told, one after the other. */
  function told(): { readonly owner: ParserListener; readonly heard: unknown[] } {
    const heard: unknown[] = []
    const owner: ParserListener = {
      onHead: (_major, _minor, lines) => void heard.push(lines),
      onBodyChunk: (bytes) => void heard.push(bytes.toString()),
      onRequestEnd: () => void heard.push('end'),
      onExecuted: (result) => void heard.push(result),
    }
    return { owner, heard }
  }

  test('tells what comes and how much of it it has read, holds still while nothing is read, and gives the handle back', async () => {
    const [socket, client] = await connection()
    const handle = getSocketHandle(socket)
    if (handle === undefined) throw new Error('The socket has no handle that a parser can read from.')
    const { owner, heard } = told()
    const parser = createLlhttpParser(Class, owner, {})
    onTestFinished(() => parser.close())
    parser.consume(handle)
    const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab'
    client.write(request)
    await expect.poll(() => heard).toEqual([['Host', 'a', 'Content-Length', '2'], 'ab', 'end', request.length])
    expect(parser.duration()).toBe(0)

    expect(handle.reading).toBe(true)
    handle.reading = false
    handle.readStop()
    client.write('GET / HT')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(heard).toHaveLength(4)
    handle.reading = true
    handle.readStart()
    await expect.poll(() => heard.slice(4)).toEqual([8])
    expect(parser.duration()).toBeGreaterThan(0)
    expect(parser.headersCompleted()).toBe(false)

    parser.unconsume()
    const rest = once(socket, 'data')
    client.write('TP/1.1\r\n')
    expect(String(await rest)).toBe('TP/1.1\r\n')
  })

  test('tells what is behind a request for another protocol', async () => {
    const [socket, client] = await connection()
    let rest: string | undefined
    const owner: ParserListener = {
      ...told().owner,
      onExecuted: (result) => {
        rest = parser.getCurrentBuffer().subarray(Number(result)).toString()
      },
    }
    const parser: LlhttpParser = createLlhttpParser(Class, owner, {})
    onTestFinished(() => parser.close())
    parser.consume(getSocketHandle(socket) ?? {})
    client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: b\r\n\r\nbehind')
    await expect.poll(() => rest).toBe('behind')
  })

  test('tells the code of what it cannot read', async () => {
    const [socket, client] = await connection()
    const { owner, heard } = told()
    const parser = createLlhttpParser(Class, owner, {})
    onTestFinished(() => parser.close())
    parser.consume(getSocketHandle(socket) ?? {})
    client.write('nonsense\r\n\r\n')
    await expect.poll(() => heard).toEqual([expect.objectContaining({ code: 'HPE_INVALID_METHOD' })])
  })
})

test('a socket that is gone has no handle', async () => {
  const [socket] = await connection()
  socket.destroy()
  expect(getSocketHandle(socket)).toBe(undefined)
})

/** Node's class with something amiss. */
const strange = (change: (made: LlhttpParserClass) => void): LlhttpParserClass => {
  class Strange extends (Class as unknown as new () => object) {}
  Object.assign(Strange, { ...Class })
  change(Strange as unknown as LlhttpParserClass)
  return Strange as unknown as LlhttpParserClass
}
const without = (name: string): LlhttpParserClass => strange((made) => Object.assign(made.prototype as object, { [name]: undefined }))

test.each<readonly [string, LlhttpParserClass | undefined]>([
  ['is not there', undefined],
  ['is something else', Map as unknown as LlhttpParserClass],
  ['has other numbers', strange((made) => Object.assign(made, { kOnBody: Class.kOnMessageComplete, kOnMessageComplete: Class.kOnBody }))],
  ['reads answers', strange((made) => Object.assign(made, { REQUEST: 2 }))],
  ...methods.map((name) => [`has no ${name}()`, without(name)] as const),
])('a parser that %s is not used', (_what, parser) => {
  expect(probeParser(parser)).toBe(undefined)
})

test('one that is as it was is', () => {
  expect(probeParser(strange(() => {}))).toMatchObject({ methods: expect.arrayContaining(['GET', 'POST']) })
})

test('this Node’s reads from sockets', async () => {
  expect(await canReadFromSockets(Class)).toBe(true)
})

/** Node's class, whose parsers do otherwise with the handle of a socket. */
const reading = (consume: (this: LlhttpParser, handle: object) => void, more: Partial<LlhttpParser> = {}): LlhttpParserClass =>
  strange((made) => Object.assign(made.prototype as object, { consume, ...more }))

test.each<readonly [string, LlhttpParserClass]>([
  ['takes a handle and never reads from it, as where sockets have none', reading(() => {})],
  [
    'takes none',
    reading(() => {
      throw new TypeError('no handle')
    }),
  ],
  [
    'reads, and does not tell what',
    strange((made) => Object.assign(made.prototype as object, { getCurrentBuffer: () => Buffer.alloc(0) })),
  ],
])('one that %s is not used, though it can read', async (_what, parser) => {
  expect(probeParser(parser)).toMatchObject({ Class: parser })
  expect(await canReadFromSockets(parser, 100)).toBe(false)
})
