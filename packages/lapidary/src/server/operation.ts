/** One endpoint with its handler, compiled before the first request: read the input, call the handler, write the response. */
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
import { type Awaitable, chain } from '../http/promises.ts'
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

/** A compiled endpoint. */
export interface CompiledOperation {
  readonly name: string
  readonly endpoint: AnyEndpoint
  /** Converts the captures of a path, or says what is wrong with them. */
  readonly readCaptures: (captures: readonly string[]) => ReadResult
  /** The writers of the declared errors that have bodies, by status. */
  readonly errorWriters: ErrorBodyWriters
  /** The ETags of what the operation answers; undefined if its responses have none. */
  readonly generateEtags: EtagsGenerator | undefined
  readonly run: (request: HttpRequest, params: ParameterValues, search: string) => Awaitable<HttpResponse>
}

/** What operations share. */
export interface OperationOptions {
  readonly auth: readonly Authenticator[]
  readonly bodyLimit: number
  /** The ETags of the current state, for an endpoint that makes conditional changes. */
  readonly generateCurrentEtags: EtagsGenerator
  /** Receives the failure of a stream whose head is sent. */
  readonly onStreamError: (error: unknown, request: HttpRequest, route: string) => void
}

/** A handler of any endpoint. */
export type OperationHandler = (input: object, request: HttpRequest) => unknown

/** The input of a handler, without the precondition of a conditional request. */
interface DecodedInput {
  readonly params: ParameterValues
  readonly query: ParameterValues
  readonly headers: ParameterValues
  readonly body: unknown
  readonly user: unknown
}

/** Adds the precondition, member by member: engines are several times slower at spreading an object. */
const addPrecondition = ({ params, query, headers, body, user }: DecodedInput, { precondition }: RequestCondition): object => ({
  params,
  query,
  headers,
  body,
  user,
  precondition,
})

/** Returns the values. @throws HttpError 400 with everything that is wrong. */
function valuesOrThrow(part: 'query' | 'header', result: ReadResult): ParameterValues {
  if (isReadError(result)) throw new InvalidInputError(part, result)
  return result
}

/** Compiles the conditions of requests to an endpoint; undefined if it has none. */
function createConditions(endpoint: AnyEndpoint, writer: ReplyWriter, generateCurrentEtags: EtagsGenerator): ConditionReader | undefined {
  if (endpoint.etag === undefined) return undefined
  return endpoint.etag === true ? createReadConditions(endpoint, writer) : createWriteConditions(endpoint, generateCurrentEtags)
}

/** Compiles an endpoint. @throws TypeError if it cannot be served as it is described. */
export function compileOperation(
  name: string,
  endpoint: AnyEndpoint,
  handler: OperationHandler,
  { auth, bodyLimit, generateCurrentEtags, onStreamError }: OperationOptions,
): CompiledOperation {
  const { route, etag } = endpoint
  const guard = requestSteps.credentials.appliesTo(endpoint) ? createGuard(endpoint, auth) : undefined
  const responseHeaders = Object.freeze(Object.entries(endpoint.responseHeaders).flat())
  const writer = createReplyWriter(route, etag === true ? removeEtag(endpoint.response) : endpoint.response, responseHeaders)
  const readConditions = createConditions(endpoint, writer, generateCurrentEtags)
  const negotiate = createNegotiator(writer.offers)
  const chooseBodyDecoder = endpoint.body === undefined ? undefined : createBodyReader(endpoint.body)
  const readQuery = createQueryReader(endpoint.query)
  const readHeaders = createHeaderReader(endpoint.headers)

  const isNegotiated = requestSteps.negotiation.appliesTo(endpoint)
  const chooseOffer = (accept: string | undefined): number => {
    const offer = isNegotiated ? negotiate(accept) : 0
    if (offer >= 0) return offer
    throw errors.notAcceptable({ detail: problemDetail.notAcceptable(writer.offers), headers: { Vary: 'Accept' } })
  }

  const writeResponse = (
    value: unknown,
    offer: number,
    request: HttpRequest,
    condition: RequestCondition | undefined,
  ): Awaitable<HttpResponse> => {
    const unconditional = writer.write(value, offer)
    const response = condition === undefined ? unconditional : condition.apply(unconditional, offer)
    const { body } = response
    if (body === null || typeof body === 'string' || body instanceof Uint8Array) return response
    return awaitFirstChunk(body, writer.isAtomic(offer), request, (error) => onStreamError(error, request, route)).then((stream) => ({
      ...response,
      body: stream,
    }))
  }

  const callHandler = (input: DecodedInput, offer: number, request: HttpRequest): Awaitable<HttpResponse> => {
    const condition = readConditions?.(input.headers)
    const result = handler(condition === undefined ? input : addPrecondition(input, condition), request)
    return chain(result, (value) => writeResponse(value, offer, request, condition))
  }

  /** The order of failures: 401 (before this), 406, 415, 400 query, 400 headers, 413 or 400 body, 428, then the handler's own. */
  const readInput = (request: HttpRequest, params: ParameterValues, search: string, user: unknown): Awaitable<HttpResponse> => {
    const offer = chooseOffer(request.header('accept'))
    const decodeBody = chooseBodyDecoder?.(request)
    const query = valuesOrThrow('query', readQuery(search))
    const headers = valuesOrThrow('header', readHeaders(request))
    if (decodeBody === undefined) return callHandler({ params, query, headers, body: undefined, user }, offer, request)
    return request
      .body(bodyLimit)
      .then((bytes) => chain(decodeBody(bytes), (body) => callHandler({ params, query, headers, body, user }, offer, request)))
  }

  const run: CompiledOperation['run'] = (request, params, search) => {
    if (guard === undefined) return readInput(request, params, search, undefined)
    return chain(guard(request), (user) => readInput(request, params, search, user))
  }

  return Object.freeze({
    name,
    endpoint,
    readCaptures: createCaptureReader(endpoint.params),
    errorWriters: createErrorWriters(endpoint, responseHeaders),
    generateEtags: etag === true ? createEtagsGenerator(route, writer) : undefined,
    run,
  })
}
