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
} from '../src/parser.ts'
import { canReadFromSockets, getNodeParser, probeParser } from '../src/parserProbe.ts'

const Class = findNodeParser() as LlhttpParserClass

test('Node has the parser, and it passes the probe', async () => {
  expect(Class).toBeTypeOf('function')
  expect((await getNodeParser())?.Class).toBe(Class)
})

test('the parser has a number for each method of node:http', async () => {
  expect([...((await getNodeParser())?.methods ?? [])].filter((name) => name !== undefined).sort()).toEqual([...METHODS].sort())
})

const callbacks = ['kOnMessageBegin', 'kOnHeaders', 'kOnHeadersComplete', 'kOnBody', 'kOnMessageComplete', 'kOnExecute'] as const

test.each(['REQUEST', ...callbacks] as const)('%s is a number', (name) => {
  expect(Class[name]).toBeTypeOf('number')
})

const methods = ['initialize', 'execute', 'finish', 'consume', 'unconsume', 'getCurrentBuffer', 'close'] as const

test.each(methods)('%s is a method', (name) => {
  expect((Class.prototype as LlhttpParser)[name]).toBeTypeOf('function')
})

/** Resolves to the server's side of a connection, and the client's. */
async function openConnection(): Promise<readonly [Socket, Socket]> {
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
  /** Records what the parser reports, in order. */
  function createRecorder(): { readonly listener: ParserListener; readonly records: unknown[] } {
    const records: unknown[] = []
    const listener: ParserListener = {
      onHead: (_major, _minor, lines) => void records.push(lines),
      onBodyChunk: (bytes) => void records.push(bytes.toString()),
      onRequestEnd: () => void records.push('end'),
      onExecuted: (result) => void records.push(result),
    }
    return { listener, records }
  }

  test('reports the request and how much it has read, stops while reading is paused, and gives the handle back', async () => {
    const [socket, client] = await openConnection()
    const handle = getSocketHandle(socket)
    if (handle === undefined) throw new Error('The socket has no handle that a parser can read from.')
    const { listener, records } = createRecorder()
    const parser = createLlhttpParser(Class, listener, {})
    onTestFinished(() => parser.close())
    parser.consume(handle)
    const request = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab'
    client.write(request)
    await expect.poll(() => records).toEqual([['Host', 'a', 'Content-Length', '2'], 'ab', 'end', request.length])
    expect(parser.startTime).toBe(0)
    expect(parser.hasHead).toBe(true)

    expect(handle.reading).toBe(true)
    const pausedAt = performance.now()
    handle.reading = false
    handle.readStop()
    client.write('GET / HT')
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(records).toHaveLength(4)
    handle.reading = true
    handle.readStart()
    await expect.poll(() => records.slice(4)).toEqual([8])
    const sincePart = performance.now() - parser.startTime
    expect(sincePart).toBeGreaterThanOrEqual(0)
    expect(sincePart).toBeLessThan(performance.now() - pausedAt)
    expect(parser.hasHead).toBe(false)

    parser.unconsume()
    const rest = once(socket, 'data')
    client.write('TP/1.1\r\n')
    expect(String(await rest)).toBe('TP/1.1\r\n')
  })

  test('returns the bytes behind a request for another protocol', async () => {
    const [socket, client] = await openConnection()
    let rest: string | undefined
    const listener: ParserListener = {
      ...createRecorder().listener,
      onExecuted: (result) => {
        rest = parser.getCurrentBuffer().subarray(Number(result)).toString()
      },
    }
    const parser: LlhttpParser = createLlhttpParser(Class, listener, {})
    onTestFinished(() => parser.close())
    parser.consume(getSocketHandle(socket) ?? {})
    client.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: b\r\n\r\nbehind')
    await expect.poll(() => rest).toBe('behind')
  })

  test('reports the code of a parse error', async () => {
    const [socket, client] = await openConnection()
    const { listener, records } = createRecorder()
    const parser = createLlhttpParser(Class, listener, {})
    onTestFinished(() => parser.close())
    parser.consume(getSocketHandle(socket) ?? {})
    client.write('nonsense\r\n\r\n')
    await expect.poll(() => records).toEqual([expect.objectContaining({ code: 'HPE_INVALID_METHOD' })])
  })
})

test('a destroyed socket has no handle', async () => {
  const [socket] = await openConnection()
  socket.destroy()
  expect(getSocketHandle(socket)).toBe(undefined)
})

/** Node's class with one change. */
const changeParser = (change: (changed: LlhttpParserClass) => void): LlhttpParserClass => {
  class ChangedParser extends (Class as unknown as new () => object) {}
  Object.assign(ChangedParser, { ...Class })
  change(ChangedParser as unknown as LlhttpParserClass)
  return ChangedParser as unknown as LlhttpParserClass
}
const without = (name: string): LlhttpParserClass =>
  changeParser((changed) => Object.assign(changed.prototype as object, { [name]: undefined }))

test.each<readonly [string, LlhttpParserClass | undefined]>([
  ['is missing', undefined],
  ['is another class', Map as unknown as LlhttpParserClass],
  [
    'has other numbers',
    changeParser((changed) => Object.assign(changed, { kOnBody: Class.kOnMessageComplete, kOnMessageComplete: Class.kOnBody })),
  ],
  ['reads responses', changeParser((changed) => Object.assign(changed, { REQUEST: 2 }))],
  ...methods.map((name) => [`has no ${name}()`, without(name)] as const),
  ...callbacks
    .slice(0, -1)
    .map((name) => [`never calls ${name}`, changeParser((changed) => Object.assign(changed, { [name]: 99 }))] as const),
])('a parser that %s is not used', (_what, parser) => {
  expect(probeParser(parser)).toBe(undefined)
})

test('a parser with no change is used', () => {
  expect(probeParser(changeParser(() => {}))).toMatchObject({ methods: expect.arrayContaining(['GET', 'POST']) })
})

test('Node’s parser reads from sockets', async () => {
  expect(await canReadFromSockets(Class)).toBe(true)
})

/** Node's class with another way to read from the handle of a socket. */
const changeReading = (consume: (this: LlhttpParser, handle: object) => void, more: Partial<LlhttpParser> = {}): LlhttpParserClass =>
  changeParser((changed) => Object.assign(changed.prototype as object, { consume, ...more }))

test.each<readonly [string, LlhttpParserClass]>([
  ['takes a handle and never reads from it', changeReading(() => {})],
  [
    'refuses a handle',
    changeReading(() => {
      throw new TypeError('no handle')
    }),
  ],
  [
    'reads, and does not return the bytes',
    changeParser((changed) => Object.assign(changed.prototype as object, { getCurrentBuffer: () => Buffer.alloc(0) })),
  ],
])('a parser that %s is not used, though it can parse', async (_what, parser) => {
  expect(probeParser(parser)).toMatchObject({ Class: parser })
  expect(await canReadFromSockets(parser, 100)).toBe(false)
})
