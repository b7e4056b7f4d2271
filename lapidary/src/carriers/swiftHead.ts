/** The head of an answer as text, with the lines that node:http adds, in its order: Date, Connection, Keep-Alive, Transfer-Encoding. */
import { STATUS_CODES } from 'node:http'
import * as complaint from '../describe/complaint.ts'
import { isHeaderName, isHeaderValue } from '../describe/headerField.ts'
import { formatSimpleHead, getDateLine } from './nodeHead.ts'
import { checkContentLength } from './statedLength.ts'
import type { LlhttpRequest } from './swiftIncoming.ts'

/** How the body of an answer is told from what follows it: by so many bytes, as a stream, or not at all, where there is none. */
export type ResponseFraming = number | 'stream' | 'none'

const closeTokenPattern = /(?:^|\W)close(?:$|\W)/i
const chunkedTokenPattern = /(?:^|\W)chunked(?:$|\W)/i

function formatUnusualStatusLine(status: number, reason: string | undefined): string {
  if (!Number.isInteger(status) || status < 100 || status > 999) throw new RangeError(complaint.unsendableStatus(status))
  const phrase = reason ?? STATUS_CODES[status] ?? 'unknown'
  if (!isHeaderValue(phrase)) throw new TypeError(complaint.unsendableHeader('the reason'))
  return `HTTP/1.1 ${status} ${phrase}\r\n`
}

/** Headers as lines, and the values of those by which an answer says how it is sent. */
interface HeaderBlock {
  readonly lines: string
  readonly values: ReadonlyMap<string, string>
}

const connectionHeaderNames = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

/** @throws TypeError for a name or a value that would be more than that. */
function readHeaderBlock(headers: readonly string[]): HeaderBlock {
  const values = new Map<string, string>()
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string
    const value = headers[index + 1] as string
    if (!isHeaderName(name) || !isHeaderValue(value)) throw new TypeError(complaint.unsendableHeader(name))
    lines += `${name}: ${value}\r\n`
    const lower = name.toLowerCase()
    if (connectionHeaderNames.has(lower)) values.set(lower, value)
  }
  return { lines, values }
}

/**
 * The head, its empty line included. Tells `incoming` whether its answer goes out in chunks, and whether it is the last of its connection.
 *
 * @throws TypeError, RangeError for what cannot be sent.
 */
export function formatLlhttpHead(
  incoming: LlhttpRequest,
  status: number,
  reason: string | undefined,
  headers: readonly string[],
  framing: ResponseFraming,
  closing: boolean,
  keepAlive: string,
): string {
  // Whether a client that was never told to go on sends its body all the same, nobody knows (RFC 9110 §10.1.1).
  const mayStay = incoming.mayKeepAlive && !incoming.expectsContinue && !closing
  const isRecent = incoming.httpVersion === '1.1'
  if (mayStay && isRecent && reason === undefined && framing !== 'stream') {
    const usual = formatSimpleHead(status, headers, framing === 'none' ? undefined : framing, keepAlive)
    if (usual !== undefined) return usual
  }
  const { lines, values } = readHeaderBlock(headers)
  const connection = values.get('connection')
  const coding = values.get('transfer-encoding')
  const stated = checkContentLength(headers, typeof framing === 'number' ? framing : undefined)
  const isFramed = typeof framing === 'number' || stated !== undefined
  if (framing === 'stream' && !isFramed) incoming.isChunked = coding === undefined ? isRecent : chunkedTokenPattern.test(coding)
  // An older client can stay only where it is told the length.
  incoming.isLast = connection === undefined ? !(mayStay && (isFramed || isRecent)) : closing || closeTokenPattern.test(connection)

  let text = formatUnusualStatusLine(status, reason) + lines
  if (typeof framing === 'number' && stated === undefined) text += `Content-Length: ${framing}\r\n`
  if (!values.has('date')) text += getDateLine()
  if (incoming.isLast && !closeTokenPattern.test(connection ?? '')) text += 'Connection: close\r\n'
  else if (connection === undefined) text += `Connection: keep-alive\r\n${values.has('keep-alive') ? '' : keepAlive}`
  return `${text}${incoming.isChunked && coding === undefined ? 'Transfer-Encoding: chunked\r\n' : ''}\r\n`
}
