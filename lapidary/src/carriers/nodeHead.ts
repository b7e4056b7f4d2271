/** The head of a usual answer as one text: a standard status, a connection that stays. What node:http would write, without asking it. */
import { STATUS_CODES } from 'node:http'
import { isHeaderName, isHeaderText } from '../describe/headerField.ts'

/** Headers that say how the answer is framed, or that every answer has: what they mean together is not for here. */
const framing = new Set(['connection', 'content-length', 'date', 'expect', 'keep-alive', 'trailer', 'transfer-encoding', 'upgrade'])

/** Whether a name may be written as it is; the same few come again and again. */
const names = new Map<string, boolean>()
const mostNames = 1_000

function isWritable(name: string): boolean {
  const known = names.get(name)
  if (known !== undefined) return known
  const found = isHeaderName(name) && !framing.has(name.toLowerCase())
  if (names.size < mostNames) names.set(name, found)
  return found
}

/** Frozen lists with the lines that they make: those of an endpoint are the same in every answer. */
const known = new WeakMap<readonly string[], string>()

/** Flat headers as lines; undefined where one says how the answer is framed, or cannot be sent. */
function linesOf(headers: readonly string[]): string | undefined {
  const found = known.get(headers)
  if (found !== undefined) return found
  let lines = ''
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string
    const value = headers[index + 1]
    if (!isWritable(name) || !isHeaderText(value)) return undefined
    lines += `${name}: ${value}\r\n`
  }
  if (Object.isFrozen(headers)) known.set(headers, lines)
  return lines
}

let date = ''
/** When the date is another one. */
let expires = 0

/** The Date line of now. */
export function dateLine(): string {
  const now = Date.now()
  if (now >= expires || now < expires - 1_000) {
    date = `Date: ${new Date(now).toUTCString()}\r\n`
    expires = now - (now % 1_000) + 1_000
  }
  return date
}

const statusLines = new Map(Object.entries(STATUS_CODES).map(([status, reason]) => [Number(status), `HTTP/1.1 ${status} ${reason}\r\n`]))

/** For how long a server keeps an idle connection, as it tells its clients; nothing for 0. In milliseconds. */
export const keepAliveLine = (timeout: number): string => (timeout > 0 ? `Keep-Alive: timeout=${Math.floor(timeout / 1_000)}\r\n` : '')

/**
 * The head of an answer, its empty line included.
 *
 * @param headers flat
 * @param length of the body; undefined where there can be none
 * @param keepAlive what `keepAliveLine` makes
 * @returns undefined for an answer that is not usual
 */
export function usualHead(status: number, headers: readonly string[], length: number | undefined, keepAlive: string): string | undefined {
  const statusLine = statusLines.get(status)
  const lines = linesOf(headers)
  if (statusLine === undefined || lines === undefined) return undefined
  const lengthLine = length === undefined ? '' : `Content-Length: ${length}\r\n`
  return `${statusLine}${lines}${lengthLine}${dateLine()}Connection: keep-alive\r\n${keepAlive}\r\n`
}
