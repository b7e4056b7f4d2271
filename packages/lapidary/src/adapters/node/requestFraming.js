const firstLinesKey = Symbol('first lines of what was read last')
/** In one pass: there may be thousands of requests in what is read at once. */
function findFirstLines(bytes) {
  if (bytes === undefined || !(bytes.includes(' RTSP/1.') || bytes.includes(' ICE/1.'))) return undefined
  const lines = new Map()
  for (const line of bytes.toString('latin1').split('\r\n')) {
    const [, method, target, protocol, version] = /^([A-Z_]+) +(\S+) +(RTSP|ICE|HTTP)\/(1\.\d)/.exec(line) ?? []
    if (protocol === undefined) continue
    const key = `${method} ${target} ${version}`
    if (!lines.has(key)) lines.set(key, protocol !== 'HTTP')
  }
  return lines
}
/**
 * Whether this request is one of another protocol, as far as what was read last tells. To be asked of the first request of a connection, and of those of
 * version 1.0, which theirs are: the bytes are copied for it.
 */
export function isOtherProtocol(socket, bytes, { method, httpVersion }, target) {
  const at = socket.bytesRead
  let known = socket[firstLinesKey]
  // What is no socket does not count.
  if (known === undefined || at === undefined || known.at !== at) {
    known = { at, lines: findFirstLines(bytes()) }
    socket[firstLinesKey] = known
  }
  return known.lines?.get(`${method} ${target} ${httpVersion}`) === true
}
