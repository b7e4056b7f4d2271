/** The head of a usual answer as one text: a standard status, a connection that stays. What node:http would write, without asking it. */
import { STATUS_CODES } from 'node:http'
import { isHeaderName, isHeaderValue } from '../../http/headerFields.js'

/** Headers that say how the answer is framed, or that every answer has: what they mean together is not for here. */
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
/** Whether a name may be written as it is; the same few come again and again. */
const writableNameCache = new Map()
const maxCachedNames = 1_000
function isWritableHeader(name) {
  const known = writableNameCache.get(name)
  if (known !== undefined) return known
  const found = isHeaderName(name) && !framingHeaderNames.has(name.toLowerCase())
  if (writableNameCache.size < maxCachedNames) writableNameCache.set(name, found)
  return found
}
/** Frozen lists with the lines that they make: those of an endpoint are the same in every answer. */
const headerBlockCache = new WeakMap()
/** Flat headers as lines; undefined where one says how the answer is framed, or cannot be sent. */
function formatHeaderBlock(headers) {
  const found = headerBlockCache.get(headers)
  if (found !== undefined) return found
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index]
    const value = headers[index + 1]
    if (!isWritableHeader(name) || !isHeaderValue(value)) return undefined
    lines += `${name}: ${value}\r\n`
  }
  if (Object.isFrozen(headers)) headerBlockCache.set(headers, lines)
  return lines
}
let cachedDateLine = ''
/** When the date is another one. */
let dateLineExpiry = 0
/** The Date line of now. */
export function getDateLine() {
  const now = Date.now()
  if (now >= dateLineExpiry || now < dateLineExpiry - 1_000) {
    cachedDateLine = `Date: ${new Date(now).toUTCString()}\r\n`
    dateLineExpiry = now - (now % 1_000) + 1_000
  }
  return cachedDateLine
}
const statusLines = new Map(Object.entries(STATUS_CODES).map(([status, reason]) => [Number(status), `HTTP/1.1 ${status} ${reason}\r\n`]))
/** For how long a server keeps an idle connection, as it tells its clients; nothing for 0. In milliseconds. */
export const formatKeepAliveLine = (timeout) => (timeout > 0 ? `Keep-Alive: timeout=${Math.floor(timeout / 1_000)}\r\n` : '')
/**
 * The head of an answer, its empty line included.
 *
 * @param headers flat
 * @param length of the body; undefined where there can be none
 * @param keepAlive what `formatKeepAliveLine` makes
 * @returns undefined for an answer that is not usual
 */
export function formatSimpleHead(status, headers, length, keepAlive) {
  const statusLine = statusLines.get(status)
  const lines = formatHeaderBlock(headers)
  if (statusLine === undefined || lines === undefined) return undefined
  const lengthLine = length === undefined ? '' : `Content-Length: ${length}\r\n`
  return `${statusLine}${lines}${lengthLine}${getDateLine()}Connection: keep-alive\r\n${keepAlive}\r\n`
}
