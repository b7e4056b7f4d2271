/** Reads responses as their bytes arrive, and keeps only the requested part. */

/**
 * @typedef {object} Answer
 * @property {number} status
 * @property {string} head  the status line and the headers, in Latin-1
 * @property {string} body  as it was framed, in Latin-1: a character is a byte; empty where it was not to be kept
 */

const headEnd = '\r\n\r\n'
const lastChunk = '\r\n0\r\n\r\n'

/** The value of a header, or undefined. @param {string} head @param {string} name in lower case */
export const headerIn = (head, name) => new RegExp(`\\r\\n${name}: *([^\\r\\n]*)`, 'i').exec(head)?.[1]

/**
 * How many bytes of a body follow; undefined where it is in chunks.
 * @param {string} head
 * @param {number} status
 */
function lengthIn(head, status) {
  if (status === 304 || status === 204) return 0
  const digits = headerIn(head, 'content-length')
  if (digits !== undefined) return Number(digits)
  if (headerIn(head, 'transfer-encoding')?.toLowerCase() === 'chunked') return undefined
  throw new Error(`a response without a known end: ${JSON.stringify(head)}`)
}

/**
 * Reads the answers of one connection, one after the other: the function is given pieces, and gives the answer when it is complete.
 * That chunks end is seen by their last bytes, which no text of ours has within: JSON has no carriage return.
 */
export function reading() {
  let head = ''
  let status = 0
  /** @type {number | undefined} */
  let expected
  let received = 0
  let tail = ''
  /** @type {string[]} */
  let kept = []

  /** @param {string} piece @param {boolean} keep whether the body is wanted */
  function body(piece, keep) {
    received += piece.length
    if (keep) kept.push(piece)
    if (expected === undefined) {
      tail = (tail + piece).slice(-lastChunk.length)
      if (tail !== lastChunk && tail !== lastChunk.slice(2)) return undefined
    } else {
      if (received > expected) throw new Error('bytes after the end of a response')
      if (received < expected) return undefined
    }
    const answer = { status, head, body: kept.join('') }
    ;[head, status, received, tail, kept] = ['', 0, 0, '', []]
    return answer
  }

  return (/** @type {string} */ piece, /** @type {boolean} */ keep) => {
    if (status !== 0) return body(piece, keep)
    const text = head + piece
    const end = text.indexOf(headEnd)
    head = end < 0 ? text : text.slice(0, end)
    if (end < 0) return undefined
    status = Number(head.slice(9, 12))
    expected = lengthIn(head, status)
    return body(text.slice(end + headEnd.length), keep)
  }
}

/**
 * The text of a body.
 * @param {Answer} answer
 */
export function textOf({ head, body }) {
  if (headerIn(head, 'transfer-encoding')?.toLowerCase() !== 'chunked') return Buffer.from(body, 'latin1').toString()
  const parts = []
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at)
    const size = Number.parseInt(body.slice(at, line), 16)
    if (!(size > 0)) return Buffer.from(parts.join(''), 'latin1').toString()
    parts.push(body.slice(line + 2, line + 2 + size))
    at = line + 2 + size + 2
  }
}
