/**
 * What `deprecated` and `idempotent` add to an endpoint, and the checks of both, of `tags`, `examples`, `auth`, `rawBody` and downloads. A
 * client needs none of it: `operations`, which no bundle of a client contains, completes an endpoint, and `endpoint` does not.
 */
import { isPortableMethod } from '../http/methods.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { getCredentialPlace, listAuthSchemes } from './auth/alternatives.ts'
import { checkConstants } from './checkConstants.ts'
import { checkSchemas } from './checkSchemas.ts'
import { checkDeprecation, getDeprecationHeaders } from './deprecation.ts'
import { checkDownload } from './describeDownload.ts'
import type { AnyEndpoint } from './endpoint.ts'
import { checkExamples } from './examples.ts'
import { addIdempotencyKey } from './idempotency.ts'
import { getFileLimits } from './parameters/file.ts'

/**
 * A header that a response declares itself would be sent twice, or one of the two would be lost. A copy of a complete endpoint has the
 * headers already.
 */
function checkHeaderNames(endpoint: AnyEndpoint, added: Readonly<Record<string, string>>): void {
  const { route, responses, errors, responseHeaders } = endpoint
  const others = Object.keys(responseHeaders).filter((name) => added[name] !== responseHeaders[name])
  const names = new Set(Object.keys(added).map((name) => name.toLowerCase()))
  for (const name of [...others, ...[...responses, ...errors].flatMap(({ headers }) => Object.keys(headers))])
    if (names.has(name.toLowerCase())) throw new TypeError(developerErrors.headerOfDeprecation(route, name))
}

const isTagList = (tags: unknown): boolean => Array.isArray(tags) && tags.every((tag) => typeof tag === 'string' && tag.trim() !== '')

/** A handler has no use for credentials as a parameter, and a client would have to give them twice. */
function checkCredentialPlaces({ route, auth, query, headers, cookies }: AnyEndpoint): void {
  const names = { query: Object.keys(query), header: Object.keys(headers).map((name) => name.toLowerCase()), cookie: Object.keys(cookies) }
  for (const { openapi } of listAuthSchemes(auth)) {
    const place = getCredentialPlace(openapi)
    if (place !== undefined && names[place.in].includes(place.name))
      throw new TypeError(developerErrors.parameterOfCredentials(route, place.in === 'query' ? 'query parameter' : place.in, place.name))
  }
}

/** Only a form has files, and their sizes make the default of `maxBodySize`. */
function checkFiles({ route, query, headers, cookies, body, maxBodySize }: AnyEndpoint): void {
  for (const { parts = {} } of maxBodySize === undefined ? (body?.media ?? []) : [])
    for (const [name, parameter] of Object.entries(parts)) {
      const limits = getFileLimits(parameter)
      if (limits?.maxSize !== undefined && limits.maxItems === undefined) throw new TypeError(developerErrors.unlimitedFiles(route, name))
    }
  for (const [part, parameters] of Object.entries({ query, headers, cookies }))
    for (const [name, parameter] of Object.entries(parameters))
      if (getFileLimits(parameter) !== undefined) throw new TypeError(developerErrors.fileOutsideForm(route, `${part}.${name}`))
}

/** The bytes of a stream or of a form are not kept. */
function checkRawBody({ route, body, rawBody }: AnyEndpoint): void {
  if (rawBody === undefined) return
  if (rawBody !== true || body === undefined) throw new TypeError(developerErrors.rawBodyWithoutBody(route))
  const streamed = body.media.find(({ streamReader, parts }) => streamReader !== undefined || parts !== undefined)
  if (streamed !== undefined) throw new TypeError(developerErrors.rawBodyOfStream(route, streamed.types[0]))
}

/** Each is completed once, so that it stays one object, and a complete one stays itself. */
const completeEndpoints = new WeakMap<AnyEndpoint, AnyEndpoint>()

/** Returns the headers of every response, with those of the deprecation among them. @throws TypeError for a wrong `deprecated`. */
function addDeprecation(endpoint: AnyEndpoint): AnyEndpoint['responseHeaders'] {
  const { route, deprecated, responseHeaders } = endpoint
  if (deprecated === undefined) return responseHeaders
  checkDeprecation(route, deprecated)
  const added = getDeprecationHeaders(endpoint)
  checkHeaderNames(endpoint, added)
  return Object.freeze({ ...responseHeaders, ...added })
}

/**
 * Returns an endpoint with the headers of its deprecation among those of every response, and with `Idempotency-Key` among those of a request;
 * one that has neither is returned itself.
 *
 * @throws TypeError, with the cure, for an unknown method, for a wrong `deprecated`, `idempotent`, `rawBody`, `tags` or `examples`, and for a
 * misplaced `download`.
 */
export function completeEndpoint(endpoint: AnyEndpoint): AnyEndpoint {
  const { route, method, deprecated, idempotent, headers, tags, examples } = endpoint
  if (!isPortableMethod(method)) throw new TypeError(developerErrors.unknownMethod(route, method))
  checkExamples(route, examples)
  if (tags !== undefined && !isTagList(tags)) throw new TypeError(developerErrors.invalidTags(route))
  if (endpoint.auth !== undefined) checkCredentialPlaces(endpoint)
  checkFiles(endpoint)
  checkConstants(endpoint)
  checkSchemas(endpoint)
  checkRawBody(endpoint)
  checkDownload(endpoint)
  if (deprecated === undefined && idempotent === undefined) return endpoint
  const known = completeEndpoints.get(endpoint)
  if (known !== undefined) return known
  const complete = Object.freeze({
    ...endpoint,
    headers: idempotent === undefined ? headers : addIdempotencyKey(endpoint),
    responseHeaders: addDeprecation(endpoint),
  })
  completeEndpoints.set(endpoint, complete).set(complete, complete)
  return complete
}
