/** `decompression()`: decodes the compressed bodies of requests (RFC 9110 §8.4). */
import { collectBytes } from '../http/chunks.ts'
import { toolkitErrors } from '../http/errors.ts'
import { filterHeaders, hasHeader, isHeaderNamed, splitHeaderList } from '../http/headerFields.ts'
import { isHttpError } from '../http/httpError.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { andThen } from '../http/promises.ts'
import { ChangedRequest } from '../http/requestView.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { Middleware } from './compose.ts'
import { decodableCodings, decode, normalizeCoding } from './contentCodings.ts'
import { withTraits } from './order.ts'

/** Each coding of a body costs memory and time, and no client needs more. */
const maxCodings = 2

/** A body with a coding may be larger than without it, by a header, a checksum and the frames of bytes that did not become smaller. */
const getEncodedLimit = (limit: number): number => limit + Math.ceil(limit / 64) + 1_024

const createTooLargeError = (limit: number): Error => toolkitErrors.contentTooLarge({ detail: problemDetail.bodyTooLarge(limit) })

/** A request whose body is decoded while it is read. */
class DecodedRequest extends ChangedRequest {
  private readonly codings: readonly string[]

  constructor(request: HttpRequest, codings: readonly string[]) {
    super(
      request,
      new Map([
        ['content-encoding', undefined],
        ['content-length', undefined],
      ]),
    )
    this.codings = codings
  }

  override body(limit: number): Promise<Uint8Array> {
    // A parser has decoded it as well.
    if (this.isBodyParsed) return super.body(limit)
    try {
      return collectBytes(this.bodyStream(limit))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  override bodyStream(limit: number): AsyncIterableIterator<Uint8Array> {
    if (this.isBodyParsed) return super.bodyStream(limit)
    try {
      return this.decodeChunks(super.bodyStream(getEncodedLimit(limit)), limit)
    } catch (error) {
      throw isHttpError(error, 413) ? createTooLargeError(limit) : error
    }
  }

  private async *decodeChunks(encoded: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<Uint8Array, undefined, undefined> {
    let hasBytes = false
    let failure: { readonly error: unknown } | undefined
    async function* observe(): AsyncGenerator<Uint8Array, void, undefined> {
      try {
        for await (const chunk of encoded) {
          hasBytes = true
          yield chunk
        }
      } catch (error) {
        failure = { error }
        throw error
      }
    }
    /** Between two codings, a few bytes can become very many, of which the second coding leaves none. */
    async function* limitBytes(between: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
      let size = 0
      for await (const chunk of between) {
        size += chunk.length
        if (size > getEncodedLimit(limit)) {
          failure = { error: createTooLargeError(limit) }
          throw failure.error
        }
        yield chunk
      }
    }
    const [outer = '', ...inner] = this.codings.toReversed() // there is one at least
    const decoded = inner.reduce((chunks, coding) => decode(limitBytes(chunks), coding), decode(observe(), outer))
    let length = 0
    try {
      for await (const chunk of decoded) {
        length += chunk.length
        if (length > limit) break
        yield chunk
      }
    } catch {
      if (failure !== undefined) throw isHttpError(failure.error, 413) ? createTooLargeError(limit) : failure.error
      // A client may name the coding of a body that it does not send.
      if (hasBytes) throw toolkitErrors.badRequest({ detail: problemDetail.malformedEncoding(this.codings.join(', ')) })
    }
    if (length > limit) throw createTooLargeError(limit)
    return undefined
  }
}

/** Names the codings in a response to one that is unknown (RFC 9110 §15.5.16). */
function addAcceptedCodings(response: HttpResponse): HttpResponse {
  const { status, headers } = response
  if (status !== 415 || !hasHeader(headers, 'accept-encoding')) return response
  const others = filterHeaders(headers, (name) => !isHeaderNamed(name, 'accept-encoding'))
  return { ...response, headers: [...others, 'Accept-Encoding', [...decodableCodings, 'identity'].join(', ')] }
}

/**
 * Decodes the bodies of requests with a `Content-Encoding`: `gzip`, `deflate`, `br`, and `zstd` where the platform has it (Node.js from 22.15). A
 * platform without `node:zlib` has `gzip` and `deflate`. Bodies that are read while they arrive are decoded while they arrive.
 *
 * `maxBodySize` holds for the decoded bytes: a small body that would become a large one gets 413, and costs no more than one that was sent as it
 * is. A body that ends early or is malformed gets 400, and one with another coding, or with more than two, gets 415 with the known ones in
 * `Accept-Encoding`. Without this middleware, every coding gets 415.
 *
 * A mounted Node listener reads the body as it was sent.
 *
 * @example
 * ```ts
 * import { endpoint, noContent, text } from 'lapidary'
 * import { decompression } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 *
 * const api = { log: endpoint('POST /log', { body: text, response: noContent }) }
 * const server = serve(api, { log: ({ body }) => console.log(body) }, { middleware: [decompression()] })
 * ```
 */
export function decompression(): Middleware {
  const middleware: Middleware = (next) => (request) => {
    const text = request.header('content-encoding')
    if (text === undefined) return next(request)
    const codings = splitHeaderList(text)
      .map(normalizeCoding)
      .filter((coding) => coding !== 'identity')
    if (codings.length === 0) return next(request)
    const isKnown = codings.length <= maxCodings && codings.every((coding) => decodableCodings.includes(coding))
    return isKnown ? next(new DecodedRequest(request, codings)) : andThen(next(request), addAcceptedCodings)
  }
  return withTraits('decompression', middleware)
}
