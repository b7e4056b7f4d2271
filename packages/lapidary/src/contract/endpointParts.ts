/** The parts of an endpoint that its words check and complete, such as `etag` and `deprecated`, and the checks of these parts alone. */
import { isHeaderName, isHeaderValue, isSetCookie } from '../http/headerFields.ts'
import { type ByteSize, requireByteSize } from '../http/limits.ts'
import { getEssence, isMediaRange, parseMediaType } from '../http/mediaTypes.ts'
import { isPortableMethod, listCaptures, type Method, type Segment } from '../http/route.ts'
import type { JsonSchema } from '../json-schema/jsonSchema.ts'
import * as authErrors from '../messages/authErrors.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { getCredentialPlace, listAuthSchemes } from './auth/alternatives.ts'
import type { AuthAlternatives, InvalidCredentials } from './auth/authScheme.ts'
import { type Content, isReadable, isReadOnArrival } from './media/mediaType.ts'
import { getDeclaredFileSize } from './media/multipart.ts'
import { text } from './media/text.ts'
import { getFileLimits } from './parameters/file.ts'
import type { AnyCodec, ParameterRecord } from './parameters/parameter.ts'
import type { ParameterPart } from './parameters/parameterGroups.ts'
import { checkCookies } from './parameters/setCookie.ts'
import type { AnyReply } from './reply.ts'

/** A codec for each capture. */
export type CaptureCodecs = Readonly<Record<string, AnyCodec>>

/**
 * Returns one codec for each capture, in the order of the path. A capture without a codec is text.
 *
 * @param line The route or the prefix, for messages.
 * @throws TypeError for a codec without its capture, for one of several texts, and for a schema of all captures that lacks one.
 */
export function completeParams(line: string, segments: readonly Segment[], { parameters, groups }: ParameterPart): CaptureCodecs {
  const captures = listCaptures(segments)
  const codecs = parameters as CaptureCodecs
  const missing = groups.length === 0 ? undefined : captures.find((name) => !Object.hasOwn(codecs, name))
  if (missing !== undefined) throw new TypeError(developerErrors.captureWithoutMember(line, missing))
  for (const [name, codec] of Object.entries(codecs)) {
    if (!captures.includes(name)) throw new TypeError(developerErrors.codecWithoutCapture(line, name))
    if (typeof codec.parse !== 'function' || !codec.required || codec.repeats)
      throw new TypeError(developerErrors.invalidCaptureCodec(line, name))
  }
  return Object.freeze(Object.fromEntries(captures.map((name) => [name, (Object.hasOwn(codecs, name) && codecs[name]) || text])))
}

/**
 * The members that `meta` of an endpoint can have. An application declares them once, for all of its endpoints.
 *
 * @example
 * ```ts
 * import { endpoint, noContent } from 'lapidary'
 *
 * declare module 'lapidary' {
 *   interface EndpointMeta {
 *     readonly role?: 'admin' | 'member'
 *   }
 * }
 * const close = endpoint('POST /close', { response: noContent, meta: { role: 'admin' } })
 * ```
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add its members
export interface EndpointMeta {}

/** What a request and the responses of an endpoint have. */
export interface EndpointParts {
  /** The method and the path, with all prefixes: `GET /products/:id`. */
  readonly route: string
  readonly method: Method
  /** One codec for each capture, in the order of the path. */
  readonly params: CaptureCodecs
  readonly query: ParameterRecord
  /** The request headers that it declares, and those of `etag` and `idempotent`. */
  readonly headers: ParameterRecord
  readonly cookies: ParameterRecord
  /** The alternatives of its credentials; undefined if it needs none. */
  readonly auth: AuthAlternatives | undefined
  /** What becomes of a request whose credentials are wrong. */
  readonly invalidCredentials: InvalidCredentials
  readonly body: Content<unknown, unknown> | undefined
  /** The usual reply of success. */
  readonly response: AnyReply
  /** All replies of success, the usual one first. */
  readonly responses: readonly AnyReply[]
  /** The errors that it declares, and those of `etag`. */
  readonly errors: readonly AnyReply[]
  readonly maxBodySize: ByteSize | undefined
  /** Constant headers of every response, errors included, those of `deprecated` among them. */
  readonly responseHeaders: Readonly<Record<string, string>>
}

function checkBody({ route, method, body }: EndpointParts): void {
  if (body === undefined) return
  if (method === 'GET') throw new TypeError(developerErrors.bodyOnGet(route))
  const unreadable = body.media.find((mediaType) => mediaType.isResponseOnly || !isReadable(mediaType))
  if (unreadable !== undefined) throw new TypeError(developerErrors.unreadableRequestBody(route, unreadable.types[0]))
}

/** Headers that the toolkit sets: adapters frame the body, and media types and auth schemes have their own parts of a definition. */
const reservedHeaders = new Set([
  'content-length',
  'content-type',
  'transfer-encoding',
  'connection',
  'host',
  'accept',
  'authorization',
  'date',
  'vary',
])

/** @throws TypeError for a name that is no header, is the toolkit's or stands there twice. */
function checkHeaderNames(route: string, headers: object): void {
  const seen = new Set<string>()
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (!isHeaderName(name)) throw new TypeError(developerErrors.invalidHeaderName(route, name))
    if (reservedHeaders.has(lower)) throw new TypeError(developerErrors.reservedHeader(route, name))
    if (seen.has(lower)) throw new TypeError(developerErrors.duplicateHeader(route, name))
    seen.add(lower)
  }
}

function checkHeaders({ route, headers, responses, errors, responseHeaders }: EndpointParts): void {
  checkHeaderNames(route, headers)
  for (const reply of responses) checkHeaderNames(route, { ...reply.headers, ...responseHeaders })
  for (const reply of errors) checkHeaderNames(route, reply.headers)
  for (const [name, parameter] of [...responses, ...errors].flatMap((reply) => Object.entries(reply.headers)))
    if ('cookies' in parameter && !isSetCookie(name)) throw new TypeError(developerErrors.misplacedSetCookie(route, name))
  for (const [name, parameter] of [...responses, ...errors].flatMap((reply) => Object.entries(reply.headers)))
    if (parameter.delimiter !== undefined) throw new TypeError(developerErrors.misplacedDelimiter(route, `header ${name}`))
}

/** Finds one of these headers among declared ones. @param names In lower case. */
export const findHeaderName = (declared: readonly object[], names: ReadonlySet<string>): string | undefined =>
  declared.flatMap(Object.keys).find((name) => names.has(name.toLowerCase()))

/** A handler has no use for credentials as a parameter, and a client would have to give them twice. */
function checkCredentialPlaces({ route, auth, query, headers, cookies }: EndpointParts): void {
  const names = { query: Object.keys(query), header: Object.keys(headers).map((name) => name.toLowerCase()), cookie: Object.keys(cookies) }
  for (const { openapi } of listAuthSchemes(auth)) {
    const place = getCredentialPlace(openapi)
    if (place !== undefined && names[place.in].includes(place.name))
      throw new TypeError(authErrors.parameterOfCredentials(route, place.in === 'query' ? 'query parameter' : place.in, place.name))
  }
}

const numberKeywords = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']

/** Bounds of NaN, and of texts, are compared with values as well, and no value is outside of them. */
function checkBounds(place: string, schema: JsonSchema): void {
  for (const keyword of numberKeywords) {
    const bound = schema[keyword]
    if (bound !== undefined && (typeof bound !== 'number' || Number.isNaN(bound)))
      throw new TypeError(developerErrors.invalidBound(place, keyword, bound))
  }
  if (typeof schema.items === 'object') checkBounds(place, schema.items)
}

/**
 * Checks the parameters of one part of a definition.
 *
 * @param line The route or the prefix, for messages.
 * @throws TypeError for a bound that is no number, and for a file outside of a form.
 */
export function checkParameters(line: string, part: string, parameters: ParameterRecord): void {
  for (const [name, parameter] of Object.entries(parameters)) {
    if (part !== 'body' && getFileLimits(parameter) !== undefined)
      throw new TypeError(developerErrors.fileOutsideForm(line, `${part}.${name}`))
    if (part !== 'query' && parameter.delimiter !== undefined)
      throw new TypeError(developerErrors.misplacedDelimiter(line, `${part}.${name}`))
    checkBounds(`${line}: ${part}.${name}`, parameter.jsonSchema)
  }
}

function checkHeaderText(place: string, name: string, value: unknown): void {
  if (!isHeaderName(name) || !isHeaderValue(value)) throw new TypeError(developerErrors.unsendableConstant(place, name, value))
}

/** Each response would fail that has a text which no head can carry. */
function checkConstants({ route, body, responses, errors, responseHeaders, auth }: EndpointParts): void {
  for (const [name, value] of Object.entries(responseHeaders)) checkHeaderText(`${route}: responseHeaders`, name, value)
  const contents = [body, ...[...responses, ...errors].map(({ content }) => content)]
  for (const { isDownload, types, headers: mediaHeaders = {} } of contents.flatMap(
    (content) => content?.media.map((mediaType) => ({ ...mediaType, isDownload: content.isDownload })) ?? [],
  )) {
    for (const type of types) {
      if (!isHeaderValue(type) || parseMediaType(type) === undefined) throw new TypeError(developerErrors.invalidMediaType(route, type))
      if (!isDownload && isMediaRange(getEssence(type))) throw new TypeError(developerErrors.rangeOutsideDownload(route, type))
    }
    for (const [name, value] of Object.entries(mediaHeaders)) checkHeaderText(`${route}: ${types[0]}`, name, value)
  }
  for (const { name, challenge } of listAuthSchemes(auth))
    if (!isHeaderValue(challenge) || challenge === '') throw new TypeError(authErrors.unsendableChallenge(name, challenge))
}

/** @throws TypeError, with the cure, for parts that no server can have, or that contradict each other. */
export function checkParts(parts: EndpointParts): void {
  const { route, method, params, query, headers, cookies, body } = parts
  checkBody(parts)
  checkCookies(route, cookies)
  checkHeaders(parts)
  if (!isPortableMethod(method)) throw new TypeError(developerErrors.unknownMethod(route, method))
  checkCredentialPlaces(parts)
  for (const [part, parameters] of Object.entries({ params, query, headers, cookies })) checkParameters(route, part, parameters)
  for (const { parts: formParts = {} } of body?.media ?? []) checkParameters(route, 'body', formParts)
  checkConstants(parts)
}

/** @throws TypeError for what is no size, for one without a body, and for files whose sizes make no default. */
export function checkMaxBodySize({ route, body, maxBodySize }: EndpointParts): void {
  if (maxBodySize !== undefined) {
    if (body === undefined) throw new TypeError(developerErrors.maxBodySizeWithoutBody(route))
    requireByteSize(route, 'maxBodySize', maxBodySize)
    return
  }
  for (const [name, parameter] of (body?.media ?? []).flatMap(({ parts = {} }) => Object.entries(parts))) {
    const limits = getFileLimits(parameter)
    if (limits?.maxSize !== undefined && limits.maxItems === undefined) throw new TypeError(developerErrors.unlimitedFiles(route, name))
  }
}

/**
 * Returns the largest body of a request, in bytes.
 *
 * @param defaultSize of an endpoint without a size of its own, to which the sizes of its files are added
 */
export const getMaxBodySize = ({ route, body, maxBodySize }: EndpointParts, defaultSize: number): number =>
  maxBodySize === undefined ? defaultSize + getDeclaredFileSize(body) : requireByteSize(route, 'maxBodySize', maxBodySize)

/** @throws TypeError for an endpoint whose body is not kept: it has none, or a stream, or a form with files. */
export function checkRawBody({ route, body }: EndpointParts, rawBody: unknown): void {
  if (rawBody === undefined) return
  if (rawBody !== true || body === undefined) throw new TypeError(developerErrors.rawBodyWithoutBody(route))
  const streamed = body.media.find(isReadOnArrival)
  if (streamed !== undefined) throw new TypeError(developerErrors.rawBodyOfStream(route, streamed.types[0]))
}
