/** The `Content-Length` that an answer states itself, held against its body: the client would take the rest of one answer for the next. */
import * as complaint from '../describe/complaint.ts'
import { utf8Encoded } from '../describe/utf8.ts'
import { valueIn } from './headerLines.ts'
import type { Pieces } from './lifetime.ts'

/**
 * The `Content-Length` that an answer states itself; undefined where it states none.
 *
 * @param length of its body, in bytes; undefined where that is not known, or where none is sent
 * @throws TypeError for a length that is not the body's, for two, and for a `Transfer-Encoding` besides a body of known length.
 */
export function statedLength(headers: readonly string[], length: number | undefined): number | undefined {
  const stated = valueIn(headers, 'content-length')
  if (length !== undefined && valueIn(headers, 'transfer-encoding') !== undefined) throw new TypeError(complaint.transferEncoding())
  if (stated === undefined) return undefined
  if (!/^\d{1,15}$/.test(stated)) throw new TypeError(complaint.contentLength(stated, undefined))
  if (length !== undefined && Number(stated) !== length) throw new TypeError(complaint.contentLength(stated, length))
  return Number(stated)
}

const bytesOf = (piece: string | Uint8Array): number => (typeof piece === 'string' ? utf8Encoded(piece).byteLength : piece.byteLength)

/**
 * The same pieces, which throw where they are more or fewer bytes than the answer states, before one too many is sent. The adapter cuts the connection.
 *
 * @throws TypeError for a length that is no number, for two, and for a `Transfer-Encoding` that is not `chunked` alone
 */
export function ofStatedLength(pieces: Pieces, headers: readonly string[]): Pieces {
  const stated = statedLength(headers, undefined)
  const coding = valueIn(headers, 'transfer-encoding')
  if (coding !== undefined && (stated !== undefined || coding.toLowerCase() !== 'chunked'))
    throw new TypeError(complaint.transferEncoding())
  if (stated === undefined) return pieces
  const iterator = pieces[Symbol.asyncIterator]()
  let sent = 0
  const exact: AsyncIterator<string | Uint8Array> = {
    next: async () => {
      const piece = await iterator.next()
      if (piece.done !== true) sent += bytesOf(piece.value)
      if (piece.done === true ? sent !== stated : sent > stated) {
        if (piece.done !== true) await iterator.return?.()
        throw new TypeError(complaint.contentLength(`${stated}`, sent))
      }
      return piece
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  }
  return { [Symbol.asyncIterator]: () => exact }
}
