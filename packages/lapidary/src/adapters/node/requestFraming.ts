/** What the head of a request says before the handler sees it: its target, where its body ends, and whether it breaks the rules of HTTP. */
import { METHODS } from 'node:http'
import type { Socket } from 'node:net'
import { isHeaderNamed, isHost } from '../../http/headerFields.ts'
import { percentEncodeByte } from '../../http/percentEncoding.ts'
import { type ProtocolError, protocolErrors } from '../protocolErrors.ts'

/** Bytes outside ASCII, which Node decodes as Latin-1. Percent-encoded they are read as UTF-8, or rejected. */
const nonAsciiPattern = /[\x80-\xff]/
const nonAsciiCharacters = new RegExp(nonAsciiPattern, 'g')

/** The start of a target in absolute form: `http://host/path` and `/path` are the same resource here (RFC 9112 §3.2.2). */
const absoluteFormPrefix = /^https?:\/\/[^/?#]*/i

/** Converts a request target to origin form, in ASCII. */
export function toOriginForm(target: string): string {
  let path = target
  if (path.charCodeAt(0) !== 0x2f) {
    path = path.replace(absoluteFormPrefix, '')
    if (path.charCodeAt(0) !== 0x2f) path = path.startsWith('?') || path === '' ? `/${path}` : path
  }
  return nonAsciiPattern.test(path) ? path.replace(nonAsciiCharacters, percentEncodeByte) : path
}

/** The most header lines of a request. Node would silently drop the ones above its own limit. */
export const maxHeaderLines = 1_000

/** The head of a request. */
interface RequestHead {
  readonly method: string
  /** The version, such as `1.1`. */
  readonly httpVersion: string
  readonly rawHeaders: readonly string[]
}

/** How a request is framed, by its head. */
interface RequestFraming {
  readonly hasBody: boolean
  /** Whether it may ask for another protocol: the parser stops after such a request. */
  readonly mayUpgrade: boolean
  /** Why it must not be answered, although the parser has accepted it. */
  readonly protocolError: ProtocolError | undefined
}

/** The four framings of valid requests, by two bits: has a body, may upgrade. */
const validFramings: readonly RequestFraming[] = [false, true].flatMap((mayUpgrade) =>
  [false, true].map((hasBody) => Object.freeze({ hasBody, mayUpgrade, protocolError: undefined })),
)
const createRejectedFraming = (protocolError: ProtocolError): RequestFraming => ({ hasBody: true, mayUpgrade: true, protocolError })

/** The methods of HTTP. The parser accepts those of RTSP as well. */
export const httpMethods: ReadonlySet<string> = new Set(METHODS)

/** Reads where a request ends, or why it must be rejected. */
export function readRequestFraming({ method, rawHeaders, httpVersion }: RequestHead): RequestFraming {
  // llhttp accepts versions 0.9 and 2.0 as well.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return createRejectedFraming(protocolErrors.version)
  if (!httpMethods.has(method)) return createRejectedFraming(protocolErrors.method)
  if (rawHeaders.length > 2 * maxHeaderLines) return createRejectedFraming(protocolErrors.headers)
  let hosts = 0
  let framing = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    const value = rawHeaders[index + 1] as string
    if (isHeaderNamed(name, 'host')) {
      hosts += 1
      if (!isHost(value)) return createRejectedFraming(protocolErrors.host)
    } else if (isHeaderNamed(name, 'content-length')) {
      if (Number(value) > 0) framing |= 1
    } else if (isHeaderNamed(name, 'transfer-encoding')) {
      // HTTP/1.0 has no Transfer-Encoding, and a proxy of that version may have ignored it (RFC 9112 §6.1).
      if (httpVersion === '1.0') return createRejectedFraming(protocolErrors.oldChunks)
      // No other coding is decoded here, and without `chunked` the end of the body is unknown (RFC 9112 §6.1).
      if (value.toLowerCase() !== 'chunked') return createRejectedFraming(protocolErrors.coding)
      framing |= 1
    } else if (isHeaderNamed(name, 'upgrade')) framing |= 2
  }
  // A request has exactly one Host (RFC 9112 §3.2). HTTP/1.0 did not have the header yet.
  return hosts > 1 || (hosts === 0 && httpVersion === '1.1')
    ? createRejectedFraming(protocolErrors.host)
    : (validFramings[framing] as RequestFraming)
}

/** The request lines within the bytes that were read last. */
interface RequestLines {
  /** How many bytes the socket had received by then. */
  readonly bytesRead: number | undefined
  /** Whether the line with this method, target and version is of another protocol. Undefined where no line is. */
  readonly lines: ReadonlyMap<string, boolean> | undefined
}

const requestLinesKey: unique symbol = Symbol('request lines')
type InspectedSocket = Socket & { [requestLinesKey]?: RequestLines }

/** Finds the request lines in one pass, since one read may contain thousands of requests. */
function findRequestLines(bytes: Buffer | undefined): RequestLines['lines'] {
  if (bytes === undefined || !(bytes.includes(' RTSP/1.') || bytes.includes(' ICE/1.'))) return undefined
  const lines = new Map<string, boolean>()
  for (const line of bytes.toString('latin1').split('\r\n')) {
    const [, method, target, protocol, version] = /^([A-Z_]+) +(\S+) +(RTSP|ICE|HTTP)\/(1\.\d)/.exec(line) ?? []
    if (protocol === undefined) continue
    const key = `${method} ${target} ${version}`
    if (!lines.has(key)) lines.set(key, protocol !== 'HTTP')
  }
  return lines
}

/**
 * Whether a request is one of RTSP or Icecast. Node's parser accepts their request lines as HTTP without saying so, and only the bytes
 * tell. Call it for the first request of a connection and for requests of version 1.0, which theirs are, since it copies the bytes.
 *
 * @param getBytes the bytes that were read last
 */
export function isOtherProtocol(
  socket: InspectedSocket,
  getBytes: () => Buffer | undefined,
  { method, httpVersion }: RequestHead,
  target: string,
): boolean {
  // A connection that is no socket does not count its bytes.
  const bytesRead: number | undefined = socket.bytesRead
  let known = socket[requestLinesKey]
  if (known === undefined || bytesRead === undefined || known.bytesRead !== bytesRead) {
    known = { bytesRead, lines: findRequestLines(getBytes()) }
    socket[requestLinesKey] = known
  }
  return known.lines?.get(`${method} ${target} ${httpVersion}`) === true
}
