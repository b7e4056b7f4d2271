/** Counts the requests that a strict reader finds in a stream of bytes. There may be no more replies. */

/** What there is to be answered, in its order. */
export interface HostileRequests {
  /** The method of each request whose head is whole. */
  readonly methods: readonly string[]
  /** How many answers there may be: one for each, and one for what is no request. */
  readonly most: number
}

/** A line, without its end, and where the next one starts; nothing where CR or LF stands alone. */
function lineAt(bytes: string, start: number): { readonly line: string; readonly next: number } | undefined {
  const end = bytes.indexOf('\r\n', start)
  const line = bytes.slice(start, end)
  return end < 0 || /[\r\n]/.test(line) ? undefined : { line, next: end + 2 }
}

interface Head {
  readonly method: string
  /** Of its body, where it has no coding. In bytes. */
  readonly length: number
  readonly codings: readonly string[]
  readonly next: number
}

/** The head at `start`; nothing where it is cut off, or none, or does not say how long its body is. */
function headAt(bytes: string, start: number): Head | undefined {
  let at = lineAt(bytes, start)
  // Who reads it may take several spaces for one (RFC 9112 §3), as llhttp does.
  const [, method, protocol] = /^([A-Z-]+) +(?:\/|\*|[A-Za-z]+:\/\/)[!-~]* +(HTTP\/1\.[01]|RTSP\/1\.1)$/.exec(at?.line ?? '') ?? []
  if (method === undefined || at === undefined) return undefined
  // llhttp reads RTSP/1.1 as HTTP/1.1. The service notices it only in the first request of a connection (docs/reliability.md).
  if (protocol === 'RTSP/1.1' && start === 0) return undefined
  const lengths: string[] = []
  const codings: string[] = []
  for (at = lineAt(bytes, at.next); at !== undefined && at.line !== ''; at = lineAt(bytes, at.next)) {
    const colon = at.line.indexOf(':')
    const name = at.line.slice(0, Math.max(0, colon)).toLowerCase()
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || !/^[\t -~\x80-\xff]*$/.test(at.line)) return undefined
    const value = at.line.slice(colon + 1).trim()
    if (name === 'content-length') lengths.push(value)
    if (name === 'transfer-encoding') codings.push(value)
  }
  const [length = '0', ...more] = lengths
  const isSound = /^[0-9]{1,15}$/.test(length) && more.length === 0 && (codings.length === 0 || lengths.length === 0)
  return at && isSound ? { method, length: Number(length), codings, next: at.next } : undefined
}

/** Where the chunks that start here end, their trailers included; nothing where they are no chunks, or cut off. */
function chunksEnd(bytes: string, start: number): number | undefined {
  let at = lineAt(bytes, start)
  while (at !== undefined) {
    const [, size] = /^([0-9a-fA-F]+)[ \t]*(?:;.*)?$/.exec(at.line) ?? []
    if (size === undefined) return undefined
    const length = Number.parseInt(size, 16)
    if (length === 0) break
    const behind = at.next + length
    if (bytes.slice(behind, behind + 2) !== '\r\n') return undefined
    at = lineAt(bytes, behind + 2)
  }
  do at = at && lineAt(bytes, at.next)
  while (at !== undefined && at.line !== '')
  return at?.next
}

/** Where the body behind this head ends; nothing where that is unknown, or where it is cut off. */
function bodyEnd(bytes: string, { length, codings, next }: Head): number | undefined {
  if (codings.length > 0) return /^chunked$/i.test(codings.join()) ? chunksEnd(bytes, next) : undefined
  return next + length <= bytes.length ? next + length : undefined
}

/** The requests in these bytes, which are written as Latin-1. */
export function requestsIn(bytes: string): HostileRequests {
  const methods: string[] = []
  let at = 0
  for (;;) {
    while (bytes[at] === '\r' || bytes[at] === '\n') at += 1
    if (at >= bytes.length) return { methods, most: methods.length }
    const head = headAt(bytes, at)
    if (head === undefined) return { methods, most: methods.length + 1 }
    methods.push(head.method)
    const end = bodyEnd(bytes, head)
    if (end === undefined) return { methods, most: methods.length }
    at = end
  }
}
