/** `endpoint('GET /position/:x/:y', { … })`: the description of one operation. */
import { isHeaderName } from '../http/headerFields.js'
import { parseRoute } from '../http/route.js'
import * as complaint from '../messages/developerErrors.js'
import { checkDefinition } from './endpointDefinition.js'
import { addEtag, checkEtag, etagHeaderNames } from './etag.js'
import { toContent } from './media/content.js'
import { text } from './parameters/text.js'

/** Headers that are not the description's business: framing is the adapter's, media and auth are other words of the language. */
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
function checkHeaders(line, headers, etag) {
  const seen = new Set()
  for (const name of Object.keys(headers)) {
    const lower = name.toLowerCase()
    if (!isHeaderName(name)) throw new TypeError(complaint.invalidHeaderName(line, name))
    if (reservedHeaders.has(lower) || (etag !== undefined && etagHeaderNames.includes(lower)))
      throw new TypeError(complaint.reservedHeader(line, name))
    if (seen.has(lower)) throw new TypeError(complaint.duplicateHeader(line, name))
    seen.add(lower)
  }
}
function checkBody(line, method, body) {
  if (method === 'GET') throw new TypeError(complaint.bodyOnGet(line))
  const silent = body.media.find(({ reader }) => reader === undefined)
  if (silent !== undefined) throw new TypeError(complaint.unreadableRequestBody(line, silent.types[0]))
}
function completeParams(line, segments, given) {
  const captures = segments.flatMap((segment) => ('capture' in segment ? [segment.capture] : []))
  for (const [name, codec] of Object.entries(given)) {
    if (!captures.includes(name)) throw new TypeError(complaint.codecWithoutCapture(line, name))
    if (typeof codec.parse !== 'function') throw new TypeError(complaint.invalidCaptureCodec(line, name))
  }
  return Object.freeze(Object.fromEntries(captures.map((name) => [name, given[name] ?? text])))
}
/**
 * Describes an operation: its route line, what it takes and what it answers.
 *
 * @throws TypeError with a cure when the description contradicts itself: a codec without its capture, a body on GET, a bad header name.
 */
export function endpoint(line, definition) {
  const { method, segments } = parseRoute(line)
  checkDefinition(line, definition ?? {})
  const { query = {}, auth, etag, errors: raised = [], responseHeaders: always = {}, summary, description } = definition
  const body = definition.body === undefined ? undefined : toContent(definition.body)
  if (body !== undefined) checkBody(line, method, body)
  const given = { headers: definition.headers ?? {}, response: definition.response, errors: raised, examples: definition.examples ?? {} }
  for (const declared of [given.headers, { ...given.response.headers, ...always }, ...raised.map((error) => error.headers)])
    checkHeaders(line, declared, etag)
  if (etag !== undefined) checkEtag(line, method, etag, given.response)
  const { headers, response, errors, examples } = etag === undefined ? given : addEtag(etag, given)
  return Object.freeze({
    '~kind': 'endpoint',
    route: line,
    method,
    segments: Object.freeze(segments),
    params: completeParams(line, segments, definition.params ?? {}),
    query: Object.freeze({ ...query }),
    headers: Object.freeze({ ...headers }),
    auth,
    body,
    response: response,
    errors: Object.freeze([...errors]),
    etag,
    responseHeaders: Object.freeze({ ...always }),
    summary,
    description,
    examples: Object.freeze({ ...examples }),
  })
}
