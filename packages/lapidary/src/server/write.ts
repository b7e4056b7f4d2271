/** Writes what a handler returns or throws, as the reply or the error is declared. */

import { addEncoder } from '../contract/contentEncoder.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { type EncodedBody, getMediaHeaders } from '../contract/media/mediaType.ts'
import type { AnyParameter } from '../contract/parameters/parameter.ts'
import type { AnyReply, WithHeaders } from '../contract/reply.ts'
import { listVaryNames } from '../contract/vary.ts'
import { iterateWebStream } from '../http/chunks.ts'
import { createContentTypeHeaders, isSetCookie, joinHeaderValues } from '../http/headerFields.ts'
import type { HttpResponse, ResponseBody } from '../http/httpHandler.ts'
import { requireSync } from '../http/promises.ts'
import { compileWriter } from '../json-schema/compileWriter.ts'
import { getJsonSchema } from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'

/** A compiled reply. */
export interface ReplyWriter {
  /** The media types that negotiation chooses from, in order; none if there is no body. */
  readonly offers: readonly string[]
  /**
   * Makes the response from the value of a handler, in the type at the index `offer`.
   *
   * @throws TypeError for a value that is not declared.
   */
  readonly write: (value: unknown, offer: number) => HttpResponse
  /** The same without the body, which is neither read nor checked. */
  readonly writeHead: (value: unknown, offer: number) => Omit<HttpResponse, 'body'>
  /** Whether a client can use no part of the body before its end. */
  readonly isAtomic: (offer: number) => boolean
  readonly writeBody: (value: unknown, offer: number) => ResponseBody
}

/** Returns the texts of a header. @throws TypeError for a value that its codec does not write */
export function encodeHeader(route: string, name: string, parameter: AnyParameter, value: unknown): readonly string[] {
  try {
    return parameter.write(value).map((text) => requireSync(text, 'The codec'))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const message =
      value === undefined
        ? developerErrors.missingResponseHeader(route, name)
        : developerErrors.invalidResponseHeader(route, name, error.message)
    throw new TypeError(message, { cause: error })
  }
}

/** Compiles the declared response headers: from their values to a flat list that begins with the constant headers. */
export function createHeaderWriter(
  route: string,
  reply: AnyReply,
  encode: typeof encodeHeader = encodeHeader,
): (values: Readonly<Record<string, unknown>>, constantHeaders: readonly string[]) => readonly string[] {
  const parameters = Object.entries(reply.headers).map(([name, parameter]) => ({ name, parameter, isSeparate: isSetCookie(name) }))
  return (values, constantHeaders) => {
    const headers = [...constantHeaders]
    const append = (name: string, texts: readonly string[], isList: boolean): void => {
      const value = joinHeaderValues(texts, isList)
      if (value === undefined) throw new TypeError(developerErrors.unsendableResponseHeader(route, name))
      headers.push(name, value)
    }
    for (const { name, parameter, isSeparate } of parameters) {
      const texts = encode(route, name, parameter, values[name])
      if (texts.length === 0) continue
      if (isSeparate) for (const text of texts) append(name, [text], false)
      else append(name, texts, parameter.repeats)
    }
    return headers
  }
}

/** One media type of a reply. */
interface MediaOffer {
  readonly type: string
  readonly headers: readonly string[]
  readonly isAtomic: boolean
  readonly writeBody: (value: unknown) => Exclude<EncodedBody, Blob>
}

const isBytesOrStream = (body: unknown): boolean =>
  body instanceof Uint8Array || (typeof body === 'object' && body !== null && Symbol.asyncIterator in body)

/** Compiles the media types of a reply. */
function createOffers(
  route: string,
  { content, headers: replyHeaders }: AnyReply,
  responseHeaders: readonly string[],
): readonly MediaOffer[] {
  if (content === undefined) return []
  const schema = content.schema === undefined ? undefined : getJsonSchema(content.schema)
  return content.media.flatMap((mediaType) => {
    const write = addEncoder(content, mediaType.writer(schema, compileWriter))
    const writeBody = (value: unknown): Exclude<EncodedBody, Blob> => {
      try {
        const encoded = write(value)
        if (typeof encoded === 'string') return encoded
        const body = encoded instanceof Blob ? iterateWebStream(encoded.stream()) : encoded
        if (!isBytesOrStream(requireSync(body, `The writer of ${mediaType.types[0]}`)))
          throw new TypeError(developerErrors.invalidEncodedBody(mediaType.types[0], typeof body))
        return body
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        throw new TypeError(developerErrors.invalidResponse(route, error.message), { cause: error })
      }
    }
    const isAtomic = mediaType.isAtomic ?? false
    const mediaHeaders = Object.entries(getMediaHeaders([mediaType], [...Object.keys(replyHeaders), ...responseHeaders])).flat()
    return mediaType.types.map((type) => {
      const headers = Object.freeze([...createContentTypeHeaders(type), ...mediaHeaders, ...responseHeaders])
      return { type, headers, isAtomic, writeBody }
    })
  })
}

/**
 * Compiles a reply.
 *
 * @param responseHeaders the headers of all responses of its endpoint, flat
 */
export function createReplyWriter(endpoint: AnyEndpoint, reply: AnyReply, responseHeaders: readonly string[]): ReplyWriter {
  const { route } = endpoint
  const { status } = reply
  const varyNames = listVaryNames(endpoint, reply)
  const sharedHeaders = varyNames.length === 0 ? responseHeaders : Object.freeze(['Vary', varyNames.join(', '), ...responseHeaders])
  const offers = createOffers(route, reply, sharedHeaders)
  const writeHeaders = Object.keys(reply.headers).length > 0 ? createHeaderWriter(route, reply) : undefined

  const writeBody: ReplyWriter['writeBody'] = (value, offer) => offers[offer]?.writeBody(value) ?? null

  const writeHead: ReplyWriter['writeHead'] = (value, offer) => {
    const constantHeaders = offers[offer]?.headers ?? sharedHeaders
    if (writeHeaders === undefined) return { status, headers: constantHeaders, route }
    if (typeof value !== 'object' || value === null || !('headers' in value))
      throw new TypeError(developerErrors.missingResponseHeaders(route, Object.keys(reply.headers).join(', '), reply.content !== undefined))
    return { status, headers: writeHeaders(value.headers as Readonly<Record<string, unknown>>, constantHeaders), route }
  }

  const write: ReplyWriter['write'] = (value, offer) => {
    if (writeHeaders === undefined)
      return { status, headers: offers[offer]?.headers ?? sharedHeaders, body: writeBody(value, offer), route }
    const { headers } = writeHead(value, offer)
    return { status, headers, body: writeBody((value as WithHeaders<unknown, unknown>).body, offer), route }
  }
  const isAtomic: ReplyWriter['isAtomic'] = (offer) => offers[offer]?.isAtomic ?? false
  return Object.freeze({ offers: offers.map(({ type }) => type), write, writeHead, isAtomic, writeBody })
}
