/** `compression(options)`: compresses responses, by what the client accepts. */
import { isMount, operations } from '../contract/api.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { checkFunctions } from '../http/functions.ts'
import { filterHeaders, getHeader, hasHeader, isHeaderNamed, splitHeaderList, vary } from '../http/headerFields.ts'
import type { HttpRequest, HttpResponse, ResponseBody } from '../http/httpHandler.ts'
import { type ByteSize, requireByteSize } from '../http/limits.ts'
import { getEssence } from '../http/mediaTypes.ts'
import { memoizeFrozen } from '../http/memoize.ts'
import { type Awaitable, andThen, requireSync } from '../http/promises.ts'
import { ChangedRequest } from '../http/requestView.ts'
import { isResponseStream } from '../http/responseStream.ts'
import { isAlwaysBodiless } from '../http/status.ts'
import * as middlewareErrors from '../messages/middlewareErrors.ts'
import { hasAmbientCredentials, readsAmbientCredentials } from './ambientCredentials.ts'
import type { Middleware } from './compose.ts'
import { CompressedStream } from './compressedStream.ts'
import { type CodingChoice, type Compressor, type ContentCoding, createCodingNegotiator, createCompressor } from './contentCodings.ts'
import { checkMiddlewareOptions } from './options.ts'
import { withTraits } from './order.ts'

/** What is compressed, and how. */
export interface CompressionOptions {
  /**
   * The codings, the best first. One that the platform does not have is left out: Node.js has `zstd` from 22.15, a platform without `node:zlib`
   * has `gzip` alone.
   *
   * @default ['zstd', 'br', 'gzip']
   */
  readonly encodings?: readonly ContentCoding[]
  /** How much time compression takes for fewer bytes. @default `{ zstd: 3, br: 4, gzip: 6 }` */
  readonly levels?: { readonly [Coding in ContentCoding]?: number }
  /** The smallest body that is compressed, such as `'2 kB'`, or a number of bytes. Of a text, its characters count. @default 1,024 */
  readonly threshold?: ByteSize
  /** Further media types, beside texts, JSON, XML, scripts, SVG, WebAssembly and fonts: `['text/event-stream', 'application/vnd.example']`. @default none */
  readonly types?: readonly string[]
  /**
   * Decides about one response: `false` leaves it as it is, and `true` compresses it though a page of another site may have asked for it with the
   * cookies of its visitor. `undefined` leaves the decision to the middleware.
   *
   * @param endpoint the endpoint that answered; undefined for a mount, and where none matched
   * @default none
   */
  readonly filter?: (request: HttpRequest, endpoint: AnyEndpoint | undefined) => boolean | undefined
}

/** The range of levels. Negative ones of zstd are for data that no API has. */
const levelRanges: Readonly<Record<ContentCoding, readonly [least: number, most: number, usual: number]>> = {
  zstd: [1, 22, 3],
  br: [0, 11, 4],
  gzip: [1, 9, 6],
}
const codingNames = Object.keys(levelRanges) as readonly ContentCoding[]

/** Larger bodies are compressed on another thread, which costs more time in all; these would keep the event loop busy for up to 0.3 ms. In bytes. */
const maxBytesNow = 32_768

/** Types that become smaller. Images, sounds and archives are compressed already. Events are so small that compressing each costs more than it saves. */
const compressibleTypes =
  /^(?:text\/(?!event-stream$)|(?:application|image|model)\/[^/]+\+(?:json|xml|text)$|application\/(?:json|jsonl|x-ndjson|json-seq|javascript|ecmascript|xml|xml-dtd|wasm|yaml|toml|graphql|sql|rtf|manifest|x-sh|x-www-form-urlencoded|vnd\.ms-fontobject)$|font\/(?:ttf|otf|collection)$|image\/(?:bmp|vnd\.microsoft\.icon|x-icon)$)/

/** Whether a body is a range of bytes, and so of other bytes than the compressed ones (RFC 9110 §14). Ranges of items are selected before they are compressed. */
function isByteRange(status: number, headers: readonly string[]): boolean {
  return status === 206 && /^bytes\b/i.test(getHeader(headers, 'content-range') ?? 'bytes')
}

/** Headers of a body that must stay as it is: it has a coding, or a digest of its bytes (RFC 9530). */
const fixingHeaders = ['content-encoding', 'content-digest', 'repr-digest', 'digest', 'content-md5']

const hasNoTransform = (headers: readonly string[]): boolean =>
  splitHeaderList(getHeader(headers, 'cache-control') ?? '').some((directive) => directive.toLowerCase() === 'no-transform')

/** A strong entity tag that this middleware has given to a compressed response. */
const codedTagPattern = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)-(zstd|br|gzip)"/g

/** Adds the tags of the representations that the coded ones are made of, so that the server behind finds its own. */
const addPlainTags = (list: string, codings: readonly ContentCoding[]): string =>
  list.replace(codedTagPattern, (tag, weak = '', opaque: string, coding: ContentCoding) =>
    codings.includes(coding) ? `${tag}, ${weak}"${opaque}"` : tag,
  )

const createCodedTag = (etag: string, coding: ContentCoding): string => `${etag.slice(0, -1)}-${coding}"`

/** Returns the request as the server behind sees it. `If-Range` stays: bytes of two representations do not fit together. */
function toPlainRequest(request: HttpRequest, { accepted }: CodingChoice): HttpRequest {
  // What a client has is current only if it would get the same coding again. A change does not depend on the coding.
  const codings = { 'if-match': codingNames, 'if-none-match': accepted }
  const changes = Object.entries(codings).flatMap(([name, known]) => {
    const list = request.header(name)
    const plain = list && addPlainTags(list, known)
    return plain === list ? [] : [[name, plain] as const]
  })
  return changes.length === 0 ? request : new ChangedRequest(request, new Map(changes))
}

/** Returns headers without those of these names. */
const removeHeaders = (headers: readonly string[], ...names: readonly string[]): readonly string[] =>
  filterHeaders(headers, (name) => !names.includes(name.toLowerCase()))

const addEncodingVary = (headers: readonly string[]): readonly string[] => vary(headers, 'Accept-Encoding')

/** Headers with the tag of a coding in place of a strong one. A weak one means the same in each coding (RFC 9110 §8.8.1). */
function replaceTag(headers: readonly string[], coding: ContentCoding): readonly string[] {
  const etag = getHeader(headers, 'etag')
  return etag?.startsWith('"') ? [...removeHeaders(headers, 'etag'), 'ETag', createCodedTag(etag, coding)] : headers
}

/** Headers without `Accept-Ranges: bytes`: the ranges of the server behind count other bytes than the compressed ones. */
const removeByteRanges = (headers: readonly string[]): readonly string[] =>
  filterHeaders(headers, (name, value) => !isHeaderNamed(name, 'accept-ranges') || value.toLowerCase() !== 'bytes')

/** The headers of a compressed response. */
function createCodedHeaders(headers: readonly string[], coding: ContentCoding): readonly string[] {
  const kept = removeHeaders(removeByteRanges(headers), 'content-length')
  return addEncodingVary([...replaceTag(kept, coding), 'Content-Encoding', coding])
}

/** A 304 has the headers that the 200 would have: the tag of the coding that the client has, and no ranges of bytes with it. */
function finishNotModified(response: HttpResponse, request: HttpRequest, { accepted }: CodingChoice): HttpResponse {
  const headers = addEncodingVary(response.headers)
  const etag = getHeader(headers, 'etag') ?? ''
  const list = request.header('if-none-match') ?? ''
  const coding = accepted.find((one) => list.includes(createCodedTag(etag, one)))
  return { ...response, headers: coding === undefined ? headers : replaceTag(removeByteRanges(headers), coding) }
}

/** The size of a body in bytes, of a text in characters; undefined where it is not known. */
function getSize(body: ResponseBody, headers: readonly string[]): number | undefined {
  if (typeof body === 'string') return body.length
  if (body instanceof Uint8Array) return body.byteLength
  const length = getHeader(headers, 'content-length')
  return length === undefined ? undefined : Number(length)
}

/** The body of a response to HEAD, whose length is not known. */
const unknownBody: ResponseBody = Object.freeze({ [Symbol.asyncIterator]: async function* () {} })

/** The compressor of a coding, and the headers of its responses. */
interface CodedResponses extends Compressor {
  readonly createHeaders: (headers: readonly string[]) => readonly string[]
}

/** Checks the codings, with their levels. @throws TypeError */
function createCompressors({ encodings = codingNames, levels = {} }: CompressionOptions): ReadonlyMap<ContentCoding, CodedResponses> {
  const given: unknown = encodings
  if (!Array.isArray(given) || given.length === 0 || !given.every((coding) => codingNames.includes(coding)))
    throw new TypeError(middlewareErrors.invalidEncodings(given, codingNames))
  for (const [coding, level] of Object.entries(levels)) {
    const [least, most] = levelRanges[coding as ContentCoding] ?? []
    if (least === undefined || most === undefined || !Number.isInteger(level) || level < least || level > most)
      throw new TypeError(middlewareErrors.invalidCompressionLevel(coding, level, least, most))
  }
  return new Map(
    encodings.flatMap((coding) => {
      const compressor = createCompressor(coding, levels[coding] ?? levelRanges[coding][2])
      const createHeaders = memoizeFrozen((headers) => createCodedHeaders(headers, coding))
      return compressor === undefined ? [] : [[coding, { ...compressor, createHeaders }]]
    }),
  )
}

/**
 * Compresses responses, by the `Accept-Encoding` of the request: bodies from 1,024 bytes whose type becomes smaller. Every response that could
 * have been compressed has `Vary: Accept-Encoding`. Streams are compressed while they are made, and what there is is sent before the producer
 * waits; event streams are left as they are, as each event would cost more than it saves.
 *
 * A response is left as it is if it has a `Content-Encoding`, a digest or `Cache-Control: no-transform`, or is a range of bytes. So is one that
 * a page of another site may have asked for with the cookies or the `basic` credentials of its visitor: the length of a compressed response tells
 * what secret text it has in common with text of the request (BREACH). The description says which endpoints read such credentials.
 *
 * A compressed response has an `ETag` of its own, such as `"a1-br"` in place of `"a1"`. The middleware knows it again: `If-Match` and
 * `If-None-Match` work with either.
 *
 * @throws TypeError for an unknown coding, a level that it does not have, and an invalid threshold.
 * @example
 * ```ts
 * import { endpoint, list, ok } from 'lapidary'
 * import { compression } from 'lapidary/middleware'
 * import { serve } from 'lapidary/server'
 * import { z } from 'zod'
 *
 * const api = { users: endpoint('GET /users', { response: ok(list(z.object({ name: z.string() }))) }) }
 * const server = serve(api, { users: () => [{ name: 'Ann' }] }, { middleware: [compression()] })
 * ```
 */
export function compression(options: CompressionOptions = {}): Middleware {
  checkMiddlewareOptions('compression()', options, ['encodings', 'levels', 'threshold', 'types', 'filter'])
  const { threshold = 1_024, types = [], filter } = options
  checkFunctions('compression()', { filter })
  const minSize = Math.max(1, requireByteSize('compression()', 'threshold', threshold))
  const compressors = createCompressors(options)
  const negotiate = createCodingNegotiator([...compressors.keys()])
  if (!Array.isArray(types) || !types.every((type) => typeof type === 'string' && type.includes('/')))
    throw new TypeError(middlewareErrors.invalidTypes(types))
  const furtherTypes: ReadonlySet<string> = new Set(types.map((type: string) => type.toLowerCase()))

  const isCompressible = memoizeFrozen((headers) => {
    const type = getEssence(getHeader(headers, 'content-type') ?? '')
    const isSmaller = compressibleTypes.test(type) || furtherTypes.has(type)
    return isSmaller && !hasNoTransform(headers) && !fixingHeaders.some((name) => hasHeader(headers, name))
  })
  const addCachedVary = memoizeFrozen(addEncodingVary)

  function compressBody(response: HttpResponse, request: HttpRequest, coding: ContentCoding): Awaitable<HttpResponse> {
    const { body } = response
    const { compressNow, compress, createStream, createHeaders } = compressors.get(coding) as CodedResponses
    const withBody = (coded: ResponseBody): HttpResponse => ({ ...response, headers: createHeaders(response.headers), body: coded })
    if (body === null) return withBody(unknownBody)
    if (!isResponseStream(body)) {
      return body.length <= maxBytesNow && compressNow !== undefined ? withBody(compressNow(body)) : compress(body).then(withBody)
    }
    if (createStream === undefined) return response
    if (request.method === 'HEAD') return withBody(body)
    return withBody(new CompressedStream(body, createStream, !hasHeader(response.headers, 'content-length')))
  }

  const middleware: Middleware = (next, { api }) => {
    const endpoints = new Map(operations(api).flatMap(({ operation }) => (isMount(operation) ? [] : [[operation.route, operation]])))
    const readers = new Set([...endpoints.values()].filter(readsAmbientCredentials))
    /** Whether a page of another site may have made the request, with credentials that the response depends on. */
    const isExposed = (request: HttpRequest, endpoint: AnyEndpoint | undefined): boolean =>
      (endpoint === undefined || readers.has(endpoint)) &&
      hasAmbientCredentials(request) &&
      !/^(?:same-origin|none)$/.test(request.header('sec-fetch-site') ?? '')
    const isAllowed = (request: HttpRequest, { route }: HttpResponse): boolean => {
      const endpoint = route === undefined ? undefined : endpoints.get(route)
      return requireSync(filter?.(request, endpoint), 'compression(): filter') ?? !isExposed(request, endpoint)
    }

    function finish(response: HttpResponse, request: HttpRequest, choice: CodingChoice): Awaitable<HttpResponse> {
      const { status, headers, body } = response
      if (status === 304) return finishNotModified(response, request, choice)
      if (status === 0 || isAlwaysBodiless(status) || (body === null && request.method !== 'HEAD')) return response
      const { coding, isIdentityAcceptable } = choice
      // The 200 would have it (RFC 9110 §15.3.7).
      if (isByteRange(status, headers)) return isCompressible(headers) ? { ...response, headers: addCachedVary(headers) } : response
      const size = getSize(body, headers)
      if ((size ?? (body === null ? 0 : minSize)) < (isIdentityAcceptable ? minSize : 1)) return response
      if (!isCompressible(headers)) return response
      if (coding === undefined || !isAllowed(request, response)) return { ...response, headers: addCachedVary(headers) }
      return compressBody(response, request, coding)
    }

    return (request) => {
      const choice = negotiate(request.header('accept-encoding'))
      return andThen(next(toPlainRequest(request, choice)), (response) => finish(response, request, choice))
    }
  }
  return withTraits('compression', middleware)
}
