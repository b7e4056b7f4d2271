/** One endpoint with its handler, compiled: everything that can be known before the first request is known here. */

import type { AnyEndpoint } from '../contract/endpoint.ts'
import { removeEtag } from '../contract/etag.ts'
import {
  createCaptureReader,
  createHeaderReader,
  createQueryReader,
  isReadError,
  type ParameterValues,
  type ReadResult,
} from '../contract/parameters/readers.ts'
import { requestSteps } from '../contract/steps.ts'
import { errors } from '../http/errors.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { createNegotiator } from '../http/negotiation.ts'
import { isPromise } from '../http/promises.ts'
import { awaitFirstChunk } from '../http/responseStream.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { type Authenticator, createGuard } from './authenticate.ts'
import {
  type ConditionReader,
  createEtagsGenerator,
  createReadConditions,
  createWriteConditions,
  type EtagsGenerator,
  type RequestCondition,
} from './conditionalRequests.ts'
import { createBodyReader, InvalidInputError } from './readBody.ts'
import { createErrorWriters, createReplyWriter, type ErrorBodyWriters, type ReplyWriter } from './write.ts'

type OperationResult = HttpResponse | Promise<HttpResponse>

/** A compiled endpoint. */
export interface CompiledOperation {
  readonly name: string
  readonly endpoint: AnyEndpoint
  /** The captures, converted; or what is wrong with them. */
  readonly readCaptures: (texts: readonly string[]) => ReadResult
  /** The writers of the declared errors that have bodies, by status. */
  readonly errorWriters: ErrorBodyWriters
  /** The tags of what it answers; undefined where its answers have none. */
  readonly generateEtags: EtagsGenerator | undefined
  readonly run: (incoming: HttpRequest, params: ParameterValues, search: string) => OperationResult
}

/** What operations share. */
export interface OperationOptions {
  readonly auth: readonly Authenticator[]
  readonly bodyLimit: number
  /** The tags of what is there, of an endpoint that makes changes on condition of them. */
  readonly generateCurrentEtags: EtagsGenerator
  /** Told of a stream that failed part-way. */
  readonly onError: (error: unknown, incoming: HttpRequest, route: string) => void
}

type OperationHandler = (input: object, incoming: HttpRequest) => unknown

/** What a handler gets, but for what the request has as a condition. */
interface HandlerInput {
  readonly params: ParameterValues
  readonly query: ParameterValues
  readonly headers: ParameterValues
  readonly body: unknown
  readonly user: unknown
}

/** The same with the precondition, member by member: to spread an object takes an engine several times as long. */
const addPrecondition = ({ params, query, headers, body, user }: HandlerInput, { precondition }: RequestCondition): object => ({
  params,
  query,
  headers,
  body,
  user,
  precondition,
})

/** The values that were read. @throws HttpError 400 with everything that is wrong. */
function valuesOrThrow(part: 'query' | 'header', reading: ReadResult): ParameterValues {
  if (isReadError(reading)) throw new InvalidInputError(part, reading)
  return reading
}

/** Compiles the conditions that requests to an endpoint may have; undefined where there are none. */
function createConditions(endpoint: AnyEndpoint, reply: ReplyWriter, tagsThere: EtagsGenerator): ConditionReader | undefined {
  if (endpoint.etag === undefined) return undefined
  return endpoint.etag === true ? createReadConditions(endpoint, reply) : createWriteConditions(endpoint, tagsThere)
}

/** Compiles an endpoint. @throws TypeError when it cannot be served as described. */
export function compileOperation(
  name: string,
  endpoint: AnyEndpoint,
  handle: OperationHandler,
  options: OperationOptions,
): CompiledOperation {
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
  const offerFor = (accept: string | undefined): number => {
    const offer = isNegotiated ? negotiate(accept) : 0
    if (offer >= 0) return offer
    throw errors.notAcceptable({ detail: problemDetail.notAcceptable(reply.offers), headers: { Vary: 'Accept' } })
  }

  const written = (value: unknown, offer: number, incoming: HttpRequest, condition: RequestCondition | undefined): OperationResult => {
    const whole = reply.write(value, offer)
    const outgoing = condition === undefined ? whole : condition.apply(whole, offer)
    const { body } = outgoing
    if (body === null || typeof body === 'string' || body instanceof Uint8Array) return outgoing
    return awaitFirstChunk(body, reply.isWhole(offer), incoming, (error) => report(error, incoming, route)).then((stream) => ({
      ...outgoing,
      body: stream,
    }))
  }

  const handled = (given: HandlerInput, offer: number, incoming: HttpRequest): OperationResult => {
    const condition = conditions?.(given.headers)
    const value = handle(condition === undefined ? given : addPrecondition(given, condition), incoming)
    return isPromise(value)
      ? Promise.resolve(value).then((late) => written(late, offer, incoming, condition))
      : written(value, offer, incoming, condition)
  }

  /** The order of failures: 401 (before this), 406, 415, 400 query, 400 headers, 413 or 400 body, 428, then what the handler finds. */
  const admitted = (incoming: HttpRequest, params: ParameterValues, search: string, user: unknown): OperationResult => {
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

  const run: CompiledOperation['run'] = (incoming, params, search) => {
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
