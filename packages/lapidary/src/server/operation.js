/** One endpoint with its handler, compiled: everything that can be known before the first request is known here. */
import { removeEtag } from '../contract/etag.js'
import { createCaptureReader, createHeaderReader, createQueryReader, isReadError } from '../contract/parameters/readers.js'
import { requestSteps } from '../contract/steps.js'
import { notAcceptable } from '../http/httpError.js'
import { createNegotiator } from '../http/negotiation.js'
import { isPromise } from '../http/promises.js'
import { awaitFirstChunk } from '../http/responseStream.js'
import { problemDetail } from '../messages/problemMessages.js'
import { createGuard } from './authenticate.js'
import { createEtagsGenerator, createReadConditions, createWriteConditions } from './conditionalRequests.js'
import { createBodyReader, InvalidInputError } from './readBody.js'
import { createErrorWriters, createReplyWriter } from './write.js'

/** The same with the precondition, member by member: to spread an object takes an engine several times as long. */
const addPrecondition = ({ params, query, headers, body, user }, { precondition }) => ({
  params,
  query,
  headers,
  body,
  user,
  precondition,
})
/** The values that were read. @throws HttpError 400 with everything that is wrong. */
function valuesOrThrow(part, reading) {
  if (isReadError(reading)) throw new InvalidInputError(part, reading)
  return reading
}
/** Compiles the conditions that requests to an endpoint may have; undefined where there are none. */
function createConditions(endpoint, reply, tagsThere) {
  if (endpoint.etag === undefined) return undefined
  return endpoint.etag === true ? createReadConditions(endpoint, reply) : createWriteConditions(endpoint, tagsThere)
}
/** Compiles an endpoint. @throws TypeError when it cannot be served as described. */
export function compileOperation(name, endpoint, handle, options) {
  const { route, etag } = endpoint
  const { auth, bodyLimit, onError: report, generateCurrentEtags: tagsThere } = options
  const guard = requestSteps.credentials.appliesTo(endpoint) ? createGuard(endpoint, auth) : undefined
  const always = Object.freeze(Object.entries(endpoint.responseHeaders).flat())
  const reply = createReplyWriter(route, etag === true ? removeEtag(endpoint.response) : endpoint.response, always)
  const conditions = createConditions(endpoint, reply, tagsThere)
  const negotiate = createNegotiator(reply.offers)
  const readBody = endpoint.body === undefined ? undefined : createBodyReader(endpoint.body)
  const readQuery = createQueryReader(endpoint.query)
  const readHeaders = createHeaderReader(endpoint.headers)
  const isNegotiated = requestSteps.negotiation.appliesTo(endpoint)
  const offerFor = (accept) => {
    const offer = isNegotiated ? negotiate(accept) : 0
    if (offer >= 0) return offer
    throw notAcceptable({ detail: problemDetail.notAcceptable(reply.offers), headers: { Vary: 'Accept' } })
  }
  const written = (value, offer, incoming, condition) => {
    const whole = reply.write(value, offer)
    const outgoing = condition === undefined ? whole : condition.apply(whole, offer)
    const { body } = outgoing
    if (body === null || typeof body === 'string' || body instanceof Uint8Array) return outgoing
    return awaitFirstChunk(body, reply.isWhole(offer), incoming, (error) => report(error, incoming, route)).then((stream) => ({
      ...outgoing,
      body: stream,
    }))
  }
  const handled = (given, offer, incoming) => {
    const condition = conditions?.(given.headers)
    const value = handle(condition === undefined ? given : addPrecondition(given, condition), incoming)
    return isPromise(value)
      ? Promise.resolve(value).then((late) => written(late, offer, incoming, condition))
      : written(value, offer, incoming, condition)
  }
  /** The order of failures: 401 (before this), 406, 415, 400 query, 400 headers, 413 or 400 body, 428, then what the handler finds. */
  const admitted = (incoming, params, search, user) => {
    const offer = offerFor(incoming.header('accept'))
    const decode = readBody?.(incoming)
    const query = valuesOrThrow('query', readQuery(search))
    const headers = valuesOrThrow('header', readHeaders(incoming))
    if (decode === undefined) return handled({ params, query, headers, body: undefined, user }, offer, incoming)
    return incoming.body(bodyLimit).then((bytes) => {
      const body = decode(bytes)
      return isPromise(body)
        ? Promise.resolve(body).then((late) => handled({ params, query, headers, body: late, user }, offer, incoming))
        : handled({ params, query, headers, body, user }, offer, incoming)
    })
  }
  const run = (incoming, params, search) => {
    if (guard === undefined) return admitted(incoming, params, search, undefined)
    const user = guard(incoming)
    return isPromise(user)
      ? Promise.resolve(user).then((late) => admitted(incoming, params, search, late))
      : admitted(incoming, params, search, user)
  }
  return Object.freeze({
    name,
    endpoint,
    generateEtags: etag === true ? createEtagsGenerator(route, reply) : undefined,
    readCaptures: createCaptureReader(endpoint.params),
    errorWriters: createErrorWriters(endpoint, always),
    run,
  })
}
