/**
 * Formats the head of a simple response as one text: standard reason phrase, persistent connection. It equals what node:http would write.
 */
import { STATUS_CODES } from 'node:http'
import { isHeaderName, isHeaderValue } from '../../http/headerFields.ts'

/** Headers that affect framing, or that every response gets. A response with one of them is not simple. */
const framingHeaderNames = new Set([
  'connection',
  'content-length',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Whether a header of this name may be written as it is. The same few names come again and again. */
const writableNameCache = new Map<string, boolean>()
const maxCachedNames = 1_000

function isWritableHeader(name: string): boolean {
  const cached = writableNameCache.get(name)
  if (cached !== undefined) return cached
  const isWritable = isHeaderName(name) && !framingHeaderNames.has(name.toLowerCase())
  if (writableNameCache.size < maxCachedNames) writableNameCache.set(name, isWritable)
  return isWritable
}

/** The lines of frozen header lists. An endpoint has the same list in each response. */
const headerBlockCache = new WeakMap<readonly string[], string>()

/** Formats headers as lines; undefined where one affects framing or cannot be sent. */
function formatHeaderBlock(headers: readonly string[]): string | undefined {
  const cached = headerBlockCache.get(headers)
  if (cached !== undefined) return cached
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string
    const value = headers[index + 1]
    if (!isWritableHeader(name) || !isHeaderValue(value)) return undefined
    lines += `${name}: ${value}\r\n`
  }
  if (Object.isFrozen(headers)) headerBlockCache.set(headers, lines)
  return lines
}

let cachedDateLine = ''
/** When the cached line is out of date, in milliseconds. */
let dateLineExpiry = 0

/** The `Date` line of the current second. */
export function getDateLine(): string {
  const now = Date.now()
  if (now >= dateLineExpiry || now < dateLineExpiry - 1_000) {
    cachedDateLine = `Date: ${new Date(now).toUTCString()}\r\n`
    dateLineExpiry = now - (now % 1_000) + 1_000
  }
  return cachedDateLine
}

const statusLines = new Map(Object.entries(STATUS_CODES).map(([status, reason]) => [Number(status), `HTTP/1.1 ${status} ${reason}\r\n`]))

/** The `Keep-Alive` line for a timeout in milliseconds; empty for 0. */
export const formatKeepAliveLine = (timeout: number): string =>
  timeout > 0 ? `Keep-Alive: timeout=${Math.floor(timeout / 1_000)}\r\n` : ''

/**
 * Formats the head of a response, with the empty line after it.
 *
 * @param length the length of the body; undefined for a status without a body
 * @returns undefined for a response that is not simple
 */
export function formatSimpleHead(
  status: number,
  headers: readonly string[],
  length: number | undefined,
  keepAliveLine: string,
): string | undefined {
  const statusLine = statusLines.get(status)
  const lines = formatHeaderBlock(headers)
  if (statusLine === undefined || lines === undefined) return undefined
  const lengthLine = length === undefined ? '' : `Content-Length: ${length}\r\n`
  return `${statusLine}${lines}${lengthLine}${getDateLine()}Connection: keep-alive\r\n${keepAliveLine}\r\n`
}
