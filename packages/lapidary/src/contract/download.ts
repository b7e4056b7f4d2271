/** What the server adds to an endpoint with a `download`: the headers of conditional requests and of ranges, and their responses. */
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import { type EndpointParts, findHeaderName } from './endpointParts.ts'
import { optional } from './optional.ts'
import { type AnyParameter, type Codec, codec, returnText } from './parameters/parameter.ts'
import { type AnyReply, reply } from './reply.ts'

/**
 * The parts of an endpoint with a download as its requests and its responses have them. Descriptions take them in place of those of the
 * endpoint, with which alone its handler and its callers have to do.
 */
export type Download = Pick<EndpointParts, 'headers' | 'response' | 'responses' | 'errors'>

const createHeaderCodec = (name: string, description: string, example: string): Codec<string> =>
  codec({ name, parse: returnText, print: returnText, schema: { type: 'string' }, example, description })

const exampleTag = '"1a2b-18a3f1c2d4e5f600"'
const exampleDate = 'Thu, 01 Jan 2015 00:00:00 GMT'

// A request with any one of these examples is answered by a part of the file, or by all of it.
const requestHeaders: Readonly<Record<string, AnyParameter>> = Object.freeze({
  Range: optional(createHeaderCodec('byte range', documentationTexts.byteRangeText(), 'bytes=0-')),
  'If-Range': optional(createHeaderCodec('entity tag or date', documentationTexts.ifRangeText(), exampleTag)),
  'If-Match': optional(createHeaderCodec('entity tags', documentationTexts.ifMatchText(), '*')),
  'If-None-Match': optional(createHeaderCodec('entity tags', documentationTexts.ifNoneMatchText(), exampleTag)),
  'If-Modified-Since': optional(createHeaderCodec('HTTP date', documentationTexts.ifModifiedSinceText(), exampleDate)),
  'If-Unmodified-Since': optional(
    createHeaderCodec('HTTP date', documentationTexts.ifUnmodifiedSinceText(), 'Fri, 31 Dec 9999 23:59:59 GMT'),
  ),
})

const fileValidators: Readonly<Record<string, AnyParameter>> = Object.freeze({
  ETag: createHeaderCodec('entity tag', documentationTexts.fileEtagText(), exampleTag),
  'Last-Modified': optional(createHeaderCodec('HTTP date', documentationTexts.lastModifiedText(), exampleDate)),
})
const addedResponseHeaders: Readonly<Record<string, AnyParameter>> = Object.freeze({
  ...fileValidators,
  'Content-Disposition': optional(
    createHeaderCodec('text', documentationTexts.contentDispositionText(), 'attachment; filename="report.pdf"'),
  ),
})
const contentRange: Readonly<Record<string, AnyParameter>> = Object.freeze({
  'Content-Range': createHeaderCodec('text', documentationTexts.contentRangeText(), 'bytes 0-99/1000'),
})
const unsatisfiedRange: Readonly<Record<string, AnyParameter>> = Object.freeze({
  'Content-Range': createHeaderCodec('text', documentationTexts.unsatisfiedRangeText(), 'bytes */1000'),
})

const downloadErrors: readonly AnyReply[] = Object.freeze([
  reply(304, undefined, { headers: fileValidators, description: documentationTexts.fileNotModifiedText() }),
  reply(412, undefined, { description: documentationTexts.fileConditionFailedText() }),
  reply(416, undefined, { headers: unsatisfiedRange, description: documentationTexts.rangeNotSatisfiableText() }),
])

const isDownload = ({ content }: Pick<AnyReply, 'content'>): boolean => content?.isDownload === true

/** In lower case: those of every response with a file, and those that the server reads. */
const ownHeaderNames: ReadonlySet<string> = new Set(
  ['Accept-Ranges', 'Content-Length', ...Object.keys({ ...addedResponseHeaders, ...contentRange })].map((name) => name.toLowerCase()),
)
const readHeaderNames: ReadonlySet<string> = new Set(Object.keys(requestHeaders).map((name) => name.toLowerCase()))

/** @throws TypeError, with the cure, for a download that the endpoint cannot have. */
function checkDownload({ route, method, response, responses, errors, headers, responseHeaders }: EndpointParts, etag: unknown): void {
  const others = [...responses.slice(1), ...errors]
  if (method !== 'GET' || response.status !== 200 || !isDownload(response) || others.some(isDownload))
    throw new TypeError(developerErrors.misplacedDownload(route))
  if (etag !== undefined) throw new TypeError(developerErrors.etagOfDownload(route))
  const status = others.find((other) => [206, 304, 412, 416].includes(other.status))?.status
  if (status !== undefined) throw new TypeError(developerErrors.statusOfDownload(route, status))
  const name = findHeaderName([response.headers, responseHeaders], ownHeaderNames) ?? findHeaderName([headers], readHeaderNames)
  if (name !== undefined) throw new TypeError(developerErrors.headerOfDownload(route, name))
}

/**
 * Returns what the requests and the responses of an endpoint with a download have; undefined for any other endpoint.
 *
 * @throws TypeError, with the cure, for a download that the endpoint cannot have.
 */
export function createDownload(parts: EndpointParts, etag: unknown): Download | undefined {
  const { headers, response, responses, errors } = parts
  if (![response, ...responses, ...errors].some(isDownload)) return undefined
  checkDownload(parts, etag)
  const whole = Object.freeze({ ...response, headers: Object.freeze({ ...response.headers, ...addedResponseHeaders }) })
  const part = Object.freeze({
    ...whole,
    status: 206,
    headers: Object.freeze({ ...whole.headers, ...contentRange }),
    description: documentationTexts.partOfFileText(),
  })
  return Object.freeze({
    headers: Object.freeze({ ...headers, ...requestHeaders }),
    response: whole,
    responses: Object.freeze([whole, part, ...responses.slice(1)]),
    errors: Object.freeze([...errors, ...downloadErrors]),
  })
}

/** Returns an endpoint as documents describe it: a download with what the server adds. */
export const describeEndpoint = <E extends { readonly download: Download | undefined }>(endpoint: E): E =>
  endpoint.download === undefined ? endpoint : Object.freeze({ ...endpoint, ...endpoint.download })

/** The reply without the headers that the server adds, as a handler returns it. */
export function removeDownloadHeaders(reply: AnyReply): AnyReply {
  if (!isDownload(reply)) return reply
  const own = Object.entries(reply.headers).filter(([name]) => !ownHeaderNames.has(name.toLowerCase()))
  return { ...reply, headers: Object.fromEntries(own) }
}
