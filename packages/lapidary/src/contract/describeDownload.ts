/**
 * What the server adds to an endpoint with a `download`: the headers of conditional requests and of ranges, and their responses. Only
 * descriptions name them, since neither a handler nor a client has to do with them.
 */
import * as developerErrors from '../messages/developerErrors.ts'
import * as documentationTexts from '../messages/documentationTexts.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { returnText } from './parameters/codecOptions.ts'
import { optional } from './parameters/optional.ts'
import { type AnyParameter, type Codec, codec } from './parameters/parameter.ts'
import { type AnyReply, reply } from './reply.ts'

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
const responseHeaders: Readonly<Record<string, AnyParameter>> = Object.freeze({
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
  ['Accept-Ranges', 'Content-Length', ...Object.keys({ ...responseHeaders, ...contentRange })].map((name) => name.toLowerCase()),
)
const readHeaderNames: ReadonlySet<string> = new Set(Object.keys(requestHeaders).map((name) => name.toLowerCase()))

/** @throws TypeError, with the cure, for a download that the endpoint cannot have. */
export function checkDownload({
  route,
  method,
  etag,
  response,
  responses,
  errors,
  headers,
  responseHeaders: constants,
}: AnyEndpoint): void {
  const others = [...responses.slice(1), ...errors]
  if (![response, ...others].some(isDownload)) return
  if (method !== 'GET' || response.status !== 200 || !isDownload(response) || others.some(isDownload))
    throw new TypeError(developerErrors.misplacedDownload(route))
  if (etag !== undefined) throw new TypeError(developerErrors.etagOfDownload(route))
  const status = others.find((other) => [206, 304, 412, 416].includes(other.status))?.status
  if (status !== undefined) throw new TypeError(developerErrors.statusOfDownload(route, status))
  const sent = [...Object.keys(response.headers), ...Object.keys(constants)].find((name) => ownHeaderNames.has(name.toLowerCase()))
  const name = sent ?? Object.keys(headers).find((one) => readHeaderNames.has(one.toLowerCase()))
  if (name !== undefined) throw new TypeError(developerErrors.headerOfDownload(route, name))
}

const described = new WeakMap<AnyEndpoint, AnyEndpoint>()

/** Returns an endpoint with all that the server adds to a download; one without a download is returned itself. */
export function describeDownload(endpoint: AnyEndpoint): AnyEndpoint {
  const { headers, response, responses, errors } = endpoint
  if (!isDownload(response)) return endpoint
  const known = described.get(endpoint)
  if (known !== undefined) return known
  const whole = Object.freeze({ ...response, headers: Object.freeze({ ...response.headers, ...responseHeaders }) })
  const part = Object.freeze({
    ...whole,
    status: 206,
    headers: Object.freeze({ ...whole.headers, ...contentRange }),
    description: documentationTexts.partOfFileText(),
  })
  const complete = Object.freeze({
    ...endpoint,
    headers: Object.freeze({ ...headers, ...requestHeaders }),
    response: whole,
    responses: Object.freeze([whole, part, ...responses.slice(1)]),
    errors: Object.freeze([...errors, ...downloadErrors]),
  })
  described.set(endpoint, complete)
  return complete
}

/** The reply without the headers that the server adds, as a handler returns it. */
export function removeDownloadHeaders(reply: AnyReply): AnyReply {
  if (!isDownload(reply)) return reply
  const own = Object.entries(reply.headers).filter(([name]) => !ownHeaderNames.has(name.toLowerCase()))
  return { ...reply, headers: Object.fromEntries(own) }
}
