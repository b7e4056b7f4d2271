/** The head of an answer as text, with the lines that node:http adds, in its order: Date, Connection, Keep-Alive, Transfer-Encoding. */
import { STATUS_CODES } from 'node:http'
import * as complaint from '../describe/complaint.ts'
import type { SwiftIncoming } from './swiftIncoming.ts'

/** How the body of an answer is told from what follows it: by so many bytes, as a stream, or not at all, where there is none. */
export type Framing = number | 'stream' | 'none'

// RFC 9110 §5.1, §5.5: what may stand in a name and in a value. Values are Latin-1.
const token = /^[\^_`a-zA-Z\-0-9!#$%&'*+.|~]+$/
const notInValue = /[^\t\x20-\x7e\x80-\xff]/
const close = /(?:^|\W)close(?:$|\W)/i
const chunked = /(?:^|\W)chunked(?:$|\W)/i

/** Names that were found sound: there are only so many, and most come again and again. */
const soundNames = new Set<string>()
const mostNames = 1_000

function isName(name: string): boolean {
  if (soundNames.has(name)) return true
  if (!token.test(name)) return false
  if (soundNames.size < mostNames) soundNames.add(name)
  return true
}

const statusLines: string[] = []

function statusLine(status: number, reason: string | undefined): string {
  if (reason === undefined) {
    const known = statusLines[status]
    if (known !== undefined) return known
  }
  if (!Number.isInteger(status) || status < 100 || status > 999) throw new RangeError(complaint.unsendableStatus(status))
  const phrase = reason ?? STATUS_CODES[status] ?? 'unknown'
  if (notInValue.test(phrase)) throw new TypeError(complaint.unsendableHeader('the reason'))
  const line = `HTTP/1.1 ${status} ${phrase}\r\n`
  if (reason === undefined) statusLines[status] = line
  return line
}

let date: string | undefined
const forget = (): void => {
  date = undefined
}

/** The line of the Date, made once a second. */
function dateLine(): string {
  if (date === undefined) {
    const now = new Date()
    date = `Date: ${now.toUTCString()}\r\n`
    setTimeout(forget, 1000 - now.getMilliseconds()).unref()
  }
  return date
}

/** What a server says at the end of a head behind which its connection is kept. */
export class KeptAlive {
  /** `Connection` and `Keep-Alive`. */
  readonly lines: string
  private made = ''
  private of: string | undefined

  /** `timeout` in milliseconds; 0 for none. */
  constructor(timeout: number) {
    this.lines = `Connection: keep-alive\r\n${timeout > 0 ? `Keep-Alive: timeout=${Math.floor(timeout / 1000)}\r\n` : ''}`
  }

  /** The Date with it, and the empty line. */
  end(): string {
    const line = dateLine()
    if (this.of !== line) {
      this.of = line
      this.made = `${line}${this.lines}\r\n`
    }
    return this.made
  }
}

/** What the headers of an answer say of the connection. */
let saysDate: boolean
let saysLength: boolean
let saysCoding: string | undefined
let saysConnection: string | undefined
let saysKeepAlive: boolean

/** Remembers the few lines that node:http looks at, too. */
function heed(name: string, value: string): void {
  switch (name.toLowerCase()) {
    case 'date':
      saysDate = true
      break
    case 'connection':
      saysConnection = value
      break
    case 'keep-alive':
      saysKeepAlive = true
      break
    case 'content-length':
      saysLength = true
      break
    case 'transfer-encoding':
      saysCoding = value
      break
  }
}

/** Header lines as text. @throws TypeError for a name or a value that would be more than that. */
function lines(headers: readonly string[]): string {
  saysDate = false
  saysLength = false
  saysCoding = undefined
  saysConnection = undefined
  saysKeepAlive = false
  let text = ''
  for (let index = 0; index < headers.length; index += 2) {
    const name = headers[index] as string
    const value = headers[index + 1] as string
    if (!isName(name) || typeof value !== 'string' || notInValue.test(value)) throw new TypeError(complaint.unsendableHeader(name))
    text += `${name}: ${value}\r\n`
    const { length } = name
    if (length === 4 || length === 10 || length === 14 || length === 17) heed(name, value)
  }
  return text
}

/**
 * The head, its empty line included. Tells `incoming` whether its answer goes out in chunks, and whether it is the last of its connection.
 *
 * @throws TypeError, RangeError for what cannot be sent.
 */
export function headOf(
  incoming: SwiftIncoming,
  status: number,
  reason: string | undefined,
  headers: readonly string[],
  framing: Framing,
  closing: boolean,
  kept: KeptAlive,
): string {
  let text = statusLine(status, reason) + lines(headers)
  if (typeof framing === 'number') text += `Content-Length: ${framing}\r\n`
  const isRecent = incoming.httpVersion === '1.1'
  const isFramed = saysLength || typeof framing === 'number'
  if (framing === 'stream' && !isFramed) incoming.chunked = saysCoding === undefined ? isRecent : chunked.test(saysCoding)
  const codingLine = incoming.chunked && saysCoding === undefined ? 'Transfer-Encoding: chunked\r\n' : ''
  // Whether a client that was never told to go on sends its body all the same, nobody knows (RFC 9110 §10.1.1).
  const mayStay = incoming.keepAlive && !incoming.waits && !closing
  if (saysConnection === undefined) {
    // An older client can stay only where it is told the length.
    incoming.last = !(mayStay && (isFramed || isRecent))
    if (!incoming.last && codingLine === '' && !saysDate && !saysKeepAlive) return text + kept.end()
  } else incoming.last = closing || close.test(saysConnection)
  if (!saysDate) text += dateLine()
  if (incoming.last && (saysConnection === undefined || !close.test(saysConnection))) text += 'Connection: close\r\n'
  else if (saysConnection === undefined) text += saysKeepAlive ? 'Connection: keep-alive\r\n' : kept.lines
  return `${text}${codingLine}\r\n`
}
