/** Tries Node's parser with a few bytes before anybody relies on it, and learns from it the numbers that it has for methods. */
import { METHODS, maxHeaderSize } from 'node:http'
import { connect, createServer } from 'node:net'
import { createLlhttpParser, findNodeParser, getSocketHandle } from './parser.js'

/** Writes down what it is told. */
class RecordingListener {
  records = []
  method = -1
  onHead(major, minor, lines, method, target, upgrade, keepAlive) {
    this.method = method
    this.records.push(`${target} ${major}.${minor} ${lines.join()}${upgrade ? ' upgrade' : ''}${keepAlive ? '' : ' close'}`)
  }
  onBodyChunk(bytes) {
    this.records.push(bytes.toString('latin1'))
  }
  onRequestEnd() {
    this.records.push('end')
  }
  onExecuted(_result) {}
}
const formatParserResult = (result) => (typeof result === 'number' ? 'read' : result instanceof Error ? String(result.code) : 'nothing')
/** What a new parser says of these bytes, run by run; of the end of a connection for null. */
function recordParserRuns(Class, runs) {
  const witness = new RecordingListener()
  const parser = createLlhttpParser(Class, witness, {})
  try {
    for (const run of runs) {
      const result = run === null ? parser.finish() : parser.execute(Buffer.from(run, 'latin1'))
      witness.records.push(formatParserResult(result), `${parser.duration() > 0} ${parser.headersCompleted()}`)
    }
  } finally {
    parser.close()
  }
  return witness.records.join('|')
}
const probeHostLine = 'Host: a\r\n'
const manyHeaderLines = 'a: b\r\n'.repeat(40)
const expectedHeaderLines = `Host,a${',a,b'.repeat(40)}`
/** Bytes, and what a parser must say of them. */
const parserProbes = [
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
/** The names of methods by the numbers that the parser tells of them. */
function probeMethods(Class) {
  const names = []
  for (const name of METHODS) {
    const witness = new RecordingListener()
    const parser = createLlhttpParser(Class, witness, {})
    parser.execute(Buffer.from(`${name} ${name === 'CONNECT' ? 'a:1' : '/'} HTTP/1.1\r\n\r\n`))
    parser.close()
    if (witness.method >= 0) names[witness.method] = name
  }
  return names
}
/** The parser as it is to be used; undefined where it does not do in all of this what it is known to do. */
export function probeParser(Class) {
  try {
    if (Class === undefined || !parserProbes.every(([runs, expected]) => recordParserRuns(Class, runs) === expected)) return undefined
    const { consume, unconsume, getCurrentBuffer } = Class.prototype
    if (![consume, unconsume, getCurrentBuffer].every((method) => typeof method === 'function')) return undefined
    const methods = probeMethods(Class)
    return ['GET', 'HEAD', 'POST', 'CONNECT'].every((name) => methods.includes(name)) ? { Class, methods } : undefined
  } catch {
    return undefined
  }
}
const probeRequestText = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'
/**
 * Resolves to whether a parser of this class reads from the handle of a socket by itself: one request, over a connection of this process with
 * itself. On Bun the class is there and does what it is known to do, and sockets have no handle that it could read from.
 *
 * @param patience how long to wait for it, in milliseconds: it is there within two
 */
export const canReadFromSockets = (Class, patience = 3_000) =>
  new Promise((resolve) => {
    const server = createServer({ noDelay: true })
    const sockets = []
    const settle = (isSound) => {
      clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
      server.close()
      resolve(isSound)
    }
    // What has come while this process was held up is read first.
    const timer = setTimeout(() => setImmediate(settle, false), patience)
    const keep = (socket) => {
      sockets.push(socket)
      socket.on('error', () => settle(false))
    }
    server.on('error', () => settle(false))
    server.on('connection', (socket) => {
      keep(socket)
      const handle = getSocketHandle(socket)
      if (handle === undefined) return settle(false)
      class Reader extends RecordingListener {
        onExecuted(result) {
          const isWhole = result === probeRequestText.length && String(parser.getCurrentBuffer()) === probeRequestText
          parser.unconsume()
          setImmediate(() => parser.close())
          settle(isWhole && this.records.join('|') === '/ 1.1 Host,a|end')
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
      const socket = connect(server.address().port, '127.0.0.1', () => socket.write(probeRequestText))
      keep(socket)
    })
  })
let nodeParserProbe
async function probeNodeParser() {
  const parser = probeParser(findNodeParser())
  return parser !== undefined && (await canReadFromSockets(parser.Class)) ? parser : undefined
}
/** Node's parser, looked for and tried once. */
export const getNodeParser = () => {
  nodeParserProbe ??= probeNodeParser()
  return nodeParserProbe
}
