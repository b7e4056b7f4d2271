/** Reads responses as their bytes arrive, and stores their bodies only on request. */

/**
 * @typedef {object} RawResponse
 * @property {number} status
 * @property {string} head  the status line and the headers, in Latin-1
 * @property {string} body  with its framing, in Latin-1: a character is a byte; empty where it was not requested
 */

const headEnd = '\r\n\r\n'
const lastChunk = '\r\n0\r\n\r\n'

/** The value of a header, or undefined. @param {string} head @param {string} name in lower case */
export const getHeader = (head, name) => new RegExp(`\\r\\n${name}: *([^\\r\\n]*)`, 'i').exec(head)?.[1]

/**
 * How many bytes of a body follow; undefined where it is in chunks.
 * @param {string} head
 * @param {number} status
 */
function getBodyLength(head, status) {
  if (status === 304 || status === 204) return 0
  const digits = getHeader(head, 'content-length')
  if (digits !== undefined) return Number(digits)
  if (getHeader(head, 'transfer-encoding')?.toLowerCase() === 'chunked') return undefined
  throw new Error(`a response without a known end: ${JSON.stringify(head)}`)
}

/**
 * Creates the reader of the responses of one connection. It takes the text as it arrives, and returns a response when it is complete.
 * It finds the end of chunks by their last bytes, which no body here contains: JSON has no carriage return.
 */
export function createResponseReader() {
  let head = ''
  let status = 0
  /** @type {number | undefined} */
  let expected
  let received = 0
  let tail = ''
  /** @type {string[]} */
  let pieces = []

  /** @param {string} piece @param {boolean} keepBody whether the body is requested */
  function readBody(piece, keepBody) {
    received += piece.length
    if (keepBody) pieces.push(piece)
    if (expected === undefined) {
      tail = (tail + piece).slice(-lastChunk.length)
      if (tail !== lastChunk && tail !== lastChunk.slice(2)) return undefined
    } else {
      if (received > expected) throw new Error('bytes after the end of a response')
      if (received < expected) return undefined
    }
    const response = { status, head, body: pieces.join('') }
    ;[head, status, received, tail, pieces] = ['', 0, 0, '', []]
    return response
  }

  return (/** @type {string} */ piece, /** @type {boolean} */ keepBody) => {
    if (status !== 0) return readBody(piece, keepBody)
    const text = head + piece
    const end = text.indexOf(headEnd)
    head = end < 0 ? text : text.slice(0, end)
    if (end < 0) return undefined
    status = Number(head.slice(9, 12))
    expected = getBodyLength(head, status)
    return readBody(text.slice(end + headEnd.length), keepBody)
  }
}

/**
 * The text of a body.
 * @param {RawResponse} response
 */
export function decodeBody({ head, body }) {
  if (getHeader(head, 'transfer-encoding')?.toLowerCase() !== 'chunked') return Buffer.from(body, 'latin1').toString()
  const parts = []
  for (let position = 0; ; ) {
    const line = body.indexOf('\r\n', position)
    const size = Number.parseInt(body.slice(position, line), 16)
    if (!(size > 0)) return Buffer.from(parts.join(''), 'latin1').toString()
    parts.push(body.slice(line + 2, line + 2 + size))
    position = line + 2 + size + 2
  }
}
