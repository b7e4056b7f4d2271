/**
 * Checks the framing of a response that its own headers state, `Content-Length` and `Transfer-Encoding`, against its body: with a wrong one,
 * the client would read the rest of a response as the next response.
 */
import { encodeUtf8 } from '../http/encodings.ts'
import { filterHeaders, getHeader, isHeaderNamed } from '../http/headerFields.ts'
import type { ResponseStream } from '../http/httpHandler.ts'
import * as adapterErrors from '../messages/adapterErrors.ts'

/**
 * Reads the `Content-Length` among the headers of a response.
 *
 * @param length the length of the body in bytes; undefined where it is not known, or where no body is sent
 * @returns the length; undefined where the headers have none
 * @throws TypeError for a length that differs from the body's, and for two lengths
 */
export function readContentLength(headers: readonly string[], length: number | undefined): number | undefined {
  const declared = getHeader(headers, 'content-length')
  if (declared === undefined) return undefined
  if (!/^\d{1,15}$/.test(declared)) throw new TypeError(adapterErrors.invalidContentLength(declared, undefined))
  if (length !== undefined && Number(declared) !== length) throw new TypeError(adapterErrors.invalidContentLength(declared, length))
  return Number(declared)
}

/**
 * Reads the `Content-Length` of a response that is no stream.
 *
 * @throws TypeError as `readContentLength`, and for a `Transfer-Encoding`
 */
export function checkContentLength(headers: readonly string[], length: number | undefined): number | undefined {
  if (getHeader(headers, 'transfer-encoding') !== undefined) throw new TypeError(adapterErrors.unexpectedTransferEncoding())
  return readContentLength(headers, length)
}

/**
 * Checks the headers of a response that ends with its head, with any body. A 304 may have the length that the response to GET has
 * (RFC 9110 §8.6).
 *
 * @throws TypeError for a `Transfer-Encoding`, and for a `Content-Length` of a 204 or one that is none
 */
export function checkBodilessFraming(status: number, headers: readonly string[]): void {
  if (checkContentLength(headers, undefined) !== undefined && status === 204) throw new TypeError(adapterErrors.lengthOfNoContent())
}

/**
 * Reads the `Content-Length` of a stream, which the adapter may send in chunks.
 *
 * @throws TypeError for an invalid length, for two lengths, and for a `Transfer-Encoding` other than `chunked`
 */
export function checkStreamFraming(headers: readonly string[]): number | undefined {
  const declared = readContentLength(headers, undefined)
  const coding = getHeader(headers, 'transfer-encoding')
  if (coding === undefined || (declared === undefined && coding.toLowerCase() === 'chunked')) return declared
  throw new TypeError(adapterErrors.unexpectedTransferEncoding())
}

/**
 * Returns the headers of a stream for a client of HTTP/1.0, which may get no `Transfer-Encoding` (RFC 9112 §6.1). The end of the connection
 * marks the end of the stream.
 */
export const removeTransferEncoding = (headers: readonly string[]): readonly string[] =>
  filterHeaders(headers, (name) => !isHeaderNamed(name, 'transfer-encoding'))

const getChunkLength = (chunk: string | Uint8Array): number => (typeof chunk === 'string' ? encodeUtf8(chunk).byteLength : chunk.byteLength)

/**
 * Wraps a stream so that it throws when its length differs from the `Content-Length`, before a byte too many is sent. The adapter then
 * aborts the connection.
 *
 * @returns the stream itself where the headers have no `Content-Length`
 * @throws TypeError as `checkStreamFraming`
 */
export function enforceContentLength(stream: ResponseStream, headers: readonly string[]): ResponseStream {
  const declared = checkStreamFraming(headers)
  if (declared === undefined) return stream
  const iterator = stream[Symbol.asyncIterator]()
  let sent = 0
  const checked: AsyncIterator<string | Uint8Array> = {
    next: async () => {
      const chunk = await iterator.next()
      if (chunk.done !== true) sent += getChunkLength(chunk.value)
      if (chunk.done === true ? sent !== declared : sent > declared) {
        if (chunk.done !== true) await iterator.return?.()
        throw new TypeError(adapterErrors.invalidContentLength(`${declared}`, sent))
      }
      return chunk
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  }
  return { [Symbol.asyncIterator]: () => checked }
}
