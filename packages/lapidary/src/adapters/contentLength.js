/** The `Content-Length` that an answer states itself, held against its body: the client would take the rest of one answer for the next. */
import { getHeader } from '../http/headerFields.js'
import { encodeUtf8 } from '../http/utf8.js'
import * as complaint from '../messages/developerErrors.js'
/**
 * The `Content-Length` that an answer states itself; undefined where it states none.
 *
 * @param length of its body, in bytes; undefined where that is not known, or where none is sent
 * @throws TypeError for a length that is not the body's, for two, and for a `Transfer-Encoding` besides a body of known length.
 */
export function checkContentLength(headers, length) {
  const stated = getHeader(headers, 'content-length')
  if (length !== undefined && getHeader(headers, 'transfer-encoding') !== undefined)
    throw new TypeError(complaint.unexpectedTransferEncoding())
  if (stated === undefined) return undefined
  if (!/^\d{1,15}$/.test(stated)) throw new TypeError(complaint.invalidContentLength(stated, undefined))
  if (length !== undefined && Number(stated) !== length) throw new TypeError(complaint.invalidContentLength(stated, length))
  return Number(stated)
}
const getChunkLength = (piece) => (typeof piece === 'string' ? encodeUtf8(piece).byteLength : piece.byteLength)
/**
 * The same pieces, which throw where they are more or fewer bytes than the answer states, before one too many is sent. The adapter cuts the connection.
 *
 * @throws TypeError for a length that is no number, for two, and for a `Transfer-Encoding` that is not `chunked` alone
 */
export function enforceContentLength(pieces, headers) {
  const stated = checkContentLength(headers, undefined)
  const coding = getHeader(headers, 'transfer-encoding')
  if (coding !== undefined && (stated !== undefined || coding.toLowerCase() !== 'chunked'))
    throw new TypeError(complaint.unexpectedTransferEncoding())
  if (stated === undefined) return pieces
  const iterator = pieces[Symbol.asyncIterator]()
  let sent = 0
  const exact = {
    next: async () => {
      const piece = await iterator.next()
      if (piece.done !== true) sent += getChunkLength(piece.value)
      if (piece.done === true ? sent !== stated : sent > stated) {
        if (piece.done !== true) await iterator.return?.()
        throw new TypeError(complaint.invalidContentLength(`${stated}`, sent))
      }
      return piece
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  }
  return { [Symbol.asyncIterator]: () => exact }
}
