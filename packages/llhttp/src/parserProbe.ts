/** Tries Node's parser with a few requests before the first server relies on it, and learns its numbers of methods. */
import { METHODS, maxHeaderSize } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import {
  createLlhttpParser,
  findNodeParser,
  getSocketHandle,
  type LlhttpParser,
  type LlhttpParserClass,
  type ParserListener,
  type ParserResult,
} from './parser.ts'

/** A parser that has passed the probe. */
export interface ProbedParser {
  readonly Class: LlhttpParserClass
  /** The methods by the numbers that the parser has for them. */
  readonly methods: readonly (string | undefined)[]
}

/** Records what a parser reads. */
class RecordingListener implements ParserListener {
  readonly records: string[] = []
  methodNumber = -1

  onHead(
    major: number,
    minor: number,
    rawHeaders: readonly string[],
    methodNumber: number,
    target: string,
    wantsUpgrade: boolean,
    mayKeepAlive: boolean,
  ): void {
    this.methodNumber = methodNumber
    this.records.push(`${target} ${major}.${minor} ${rawHeaders.join()}${wantsUpgrade ? ' upgrade' : ''}${mayKeepAlive ? '' : ' close'}`)
  }

  onBodyChunk(bytes: Buffer): void {
    this.records.push(bytes.toString('latin1'))
  }

  onRequestEnd(): void {
    this.records.push('end')
  }

  onExecuted(_result: ParserResult): void {}
}

const formatParserResult = (result: unknown): string =>
  typeof result === 'number' ? 'read' : result instanceof Error ? String((result as NodeJS.ErrnoException).code) : 'nothing'

/** Feeds runs of bytes to a new parser, where null stands for the end of the connection. Returns all that it reports. */
function recordParserRuns(Class: LlhttpParserClass, runs: readonly (string | null)[]): string {
  const listener = new RecordingListener()
  const parser: LlhttpParser = createLlhttpParser(Class, listener, {})
  try {
    for (const run of runs) {
      const result = run === null ? parser.finish() : parser.execute(Buffer.from(run, 'latin1'))
      listener.records.push(formatParserResult(result), `${parser.startTime > 0} ${parser.hasHead}`)
    }
  } finally {
    parser.close()
  }
  return listener.records.join('|')
}

const probeHostLine = 'Host: a\r\n'
const manyHeaderLines = 'a: b\r\n'.repeat(40)
const expectedHeaderLines = `Host,a${',a,b'.repeat(40)}`

/** Runs of bytes, and what the parser must report. */
const parserProbes: readonly (readonly [runs: readonly (string | null)[], expected: string])[] = [
  [[`GET /one HTTP/1.1\r\n${probeHostLine}X: \xe9\r\n\r\n`, null], '/one 1.1 Host,a,X,\xe9|end|read|false true|nothing|false true'],
  [[`GET /o`, `ne HTTP/1.1\r\nHo`, `st: a\r\n\r\n`], 'read|true false|read|true false|/one 1.1 Host,a|end|read|false true'],
  [
    [`POST / HTTP/1.1\r\n${probeHostLine}Content-Length: 5\r\n\r\nab`, 'cde'],
    '/ 1.1 Host,a,Content-Length,5|ab|read|true true|cde|end|read|false true',
  ],
  [
    [`POST / HTTP/1.1\r\n${probeHostLine}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n3\r\ncde\r\n0\r\nA: b\r\n\r\n`],
    '/ 1.1 Host,a,Transfer-Encoding,chunked|ab|cde|end|read|false true',
  ],
  [[`GET /many HTTP/1.1\r\n${probeHostLine}${manyHeaderLines}\r\n`], `/many 1.1 ${expectedHeaderLines}|end|read|false true`],
  [[`GET /one HTTP/1.1\r\n${probeHostLine}\r\nGET /two HTTP/1.0\r\n\r\n`], '/one 1.1 Host,a|end|/two 1.0  close|end|read|false true'],
  [
    [`GET / HTTP/1.1\r\n${probeHostLine}Connection: Upgrade\r\nUpgrade: b\r\n\r\n`],
    '/ 1.1 Host,a,Connection,Upgrade,Upgrade,b upgrade|end|read|false true',
  ],
  [['nonsense\r\n'], 'HPE_INVALID_METHOD|true false'],
  [[`GET / HTTP/1.1\r\n${probeHostLine}`, null], 'read|true false|HPE_INVALID_EOF_STATE|true false'],
  [[`GET / HTTP/1.1\r\nA: ${'a'.repeat(maxHeaderSize)}`], 'HPE_HEADER_OVERFLOW|true false'],
]

/** Learns the parser's numbers of methods. */
function probeMethods(Class: LlhttpParserClass): readonly (string | undefined)[] {
  const names: (string | undefined)[] = []
  for (const name of METHODS) {
    const listener = new RecordingListener()
    const parser = createLlhttpParser(Class, listener, {})
    parser.execute(Buffer.from(`${name} ${name === 'CONNECT' ? 'a:1' : '/'} HTTP/1.1\r\n\r\n`))
    parser.close()
    if (listener.methodNumber >= 0) names[listener.methodNumber] = name
  }
  return names
}

/** Probes a parser; undefined where it does anything unexpected. */
export function probeParser(Class: LlhttpParserClass | undefined): ProbedParser | undefined {
  try {
    if (Class === undefined || !parserProbes.every(([runs, expected]) => recordParserRuns(Class, runs) === expected)) return undefined
    const { consume, unconsume, getCurrentBuffer } = Class.prototype as LlhttpParser
    if (![consume, unconsume, getCurrentBuffer].every((method) => typeof method === 'function')) return undefined
    const methods = probeMethods(Class)
    return ['GET', 'HEAD', 'POST', 'CONNECT'].every((name) => methods.includes(name)) ? { Class, methods } : undefined
  } catch {
    return undefined
  }
}

const probeRequestText = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

/**
 * Resolves to whether a parser of this class reads from the handle of a socket, by one request of this process to itself. On Bun the class
 * exists and passes the other probes, but sockets have no handle that it could read from.
 *
 * @param timeout how long to wait for the request, in milliseconds; it takes two
 */
export const canReadFromSockets = (Class: LlhttpParserClass, timeout = 3_000): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer({ noDelay: true })
    const sockets: Socket[] = []
    const settle = (canRead: boolean): void => {
      clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
      server.close()
      resolve(canRead)
    }
    // After a long turn of the event loop, the bytes that have arrived meanwhile are read first.
    const timer = setTimeout(() => setImmediate(settle, false), timeout)
    const keep = (socket: Socket): void => {
      sockets.push(socket)
      socket.on('error', () => settle(false))
    }
    server.on('error', () => settle(false))
    server.on('connection', (socket) => {
      keep(socket)
      const handle = getSocketHandle(socket)
      if (handle === undefined) return settle(false)
      class Reader extends RecordingListener {
        override onExecuted(result: ParserResult): void {
          const isComplete = result === probeRequestText.length && String(parser.getCurrentBuffer()) === probeRequestText
          parser.unconsume()
          setImmediate(() => parser.close())
          settle(isComplete && this.records.join('|') === '/ 1.1 Host,a|end')
        }
      }
      const parser = createLlhttpParser(Class, new Reader(), {})
      try {
        parser.consume(handle)
      } catch {
        settle(false)
      }
    })
    server.listen(0, '127.0.0.1', () => {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(probeRequestText))
      keep(socket)
    })
  })

let nodeParserProbe: Promise<ProbedParser | undefined> | undefined

async function probeNodeParser(): Promise<ProbedParser | undefined> {
  const parser = probeParser(findNodeParser())
  return parser !== undefined && (await canReadFromSockets(parser.Class)) ? parser : undefined
}

/** Node's parser, which is probed once in a process; undefined where it cannot be used. */
export const getNodeParser = (): Promise<ProbedParser | undefined> => {
  nodeParserProbe ??= probeNodeParser()
  return nodeParserProbe
}
