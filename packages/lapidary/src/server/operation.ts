/** One endpoint with its handler, compiled before the first request: read the input, call the handler, write the response. */
import { fail } from '../contract/declaredError.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { removeEtag } from '../contract/etag.ts'
import { getDeclaredFileSize } from '../contract/media/multipart.ts'
import type { ParameterValues } from '../contract/parameters/parameter.ts'
import {
  createCaptureReader,
  createCookieReader,
  createHeaderReader,
  createQueryReader,
  isReadError,
  noValues,
  type ReadResult,
} from '../contract/parameters/readers.ts'

import { isStatusValue, statusKey } from '../contract/reply.ts'
import { listInputHeaders, requestSteps, retryAfterTimeout } from '../contract/steps.ts'
import { requireByteSize } from '../http/byteSize.ts'
import { collectBytes } from '../http/chunks.ts'
import { errors } from '../http/errors.ts'
import { isHttpError } from '../http/httpError.ts'
import type { HttpRequest, HttpResponse, ResponseBody, ResponseStream } from '../http/httpHandler.ts'
import { createNegotiator, type Negotiator } from '../http/negotiation.ts'
import { type Awaitable, andThen, isPromise } from '../http/promises.ts'
import { awaitFirstChunk } from '../http/responseStream.ts'
import { limitTime, setOwnTimeLimit } from '../http/timeLimit.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { type Authenticator, createUserResolver } from './authenticate.ts'
import {
  type ConditionReader,
  createChangeConditionReader,
  createEtagsGenerator,
  createGetConditionReader,
  type EtagsGenerator,
  type RequestCondition,
} from './conditionalRequests.ts'
import type { OperationHandler } from './handlers.ts'
import { createIdempotentRunner, type IdempotencySettings } from './idempotency.ts'
import { InvalidInputError } from './invalidInput.ts'
import { splitGuards } from './provide.ts'
import { createBodyReaderSelector } from './readBody.ts'
import { createDownloadSender } from './sendDownload.ts'
import { createErrorWriters, createReplyWriter, type ErrorBodyWriters, type ReplyWriter } from './write.ts'

/** A compiled endpoint. */
export interface CompiledOperation {
  readonly name: string
  readonly endpoint: AnyEndpoint
  /** Converts the captures of a path, or says what is wrong with them. */
  readonly readCaptures: (captures: readonly (string | undefined)[]) => ReadResult
  /** The writers of the declared errors that have bodies, by status. */
  readonly errorWriters: ErrorBodyWriters
  /** The request headers that every response depends on. */
  readonly varyNames: readonly string[]
  /** The ETags of what the operation answers; undefined if its responses have none. */
  readonly generateEtags: EtagsGenerator | undefined
  readonly run: (request: HttpRequest, params: ParameterValues, search: string) => Awaitable<HttpResponse>
}

/** What operations share. */
export interface OperationOptions {
  readonly auth: readonly Authenticator[]
  /** In bytes, for endpoints without a limit of their own. */
  readonly maxBodySize: number
  /** The ETags of the current state, for an endpoint that makes conditional changes. */
  readonly generateCurrentEtags: EtagsGenerator
  readonly idempotency: IdempotencySettings
  /** Makes the response to an error of the handler. */
  readonly respondToError: (error: unknown, request: HttpRequest, operation: CompiledOperation) => HttpResponse
  /** Receives an error behind a response: of a stream whose head is sent, of a store after the handler. */
  readonly onLateError: (error: unknown, request: HttpRequest, route: string) => void
}

/** The input of a handler, without the precondition of a conditional request. */
interface DecodedInput {
  readonly params: ParameterValues
  readonly query: ParameterValues
  readonly headers: ParameterValues
  readonly cookies: ParameterValues
  readonly body: unknown
  readonly user: unknown
  readonly fail: typeof fail
  /** The bytes of the body, where the endpoint declares `rawBody`. */
  readonly rawBody?: Uint8Array | undefined
}

/** Adds the precondition, member by member: engines are several times slower at spreading an object. */
function addPrecondition(input: DecodedInput, { precondition }: RequestCondition): object {
  if (input.rawBody !== undefined) return { ...input, precondition }
  const { params, query, headers, cookies, body, user } = input
  return { params, query, headers, cookies, body, user, fail, precondition }
}

/** The body of an endpoint that takes none. */
const noBytes: Uint8Array = new Uint8Array()

/** Returns the values. @throws HttpError 400 with everything that is wrong. */
function requireValues(part: 'query' | 'header' | 'cookie', result: ReadResult): ParameterValues {
  if (isReadError(result)) throw new InvalidInputError(part, result)
  return result
}

/** Compiles the condition reader of an endpoint; undefined if its requests have no conditions. */
function createConditionReader(
  endpoint: AnyEndpoint,
  writer: ReplyWriter,
  generateCurrentEtags: EtagsGenerator,
): ConditionReader | undefined {
  if (endpoint.etag === undefined) return undefined
  return endpoint.etag === true ? createGetConditionReader(endpoint, writer) : createChangeConditionReader(endpoint, generateCurrentEtags)
}

const isStreamBody = (body: ResponseBody): body is ResponseStream =>
  body !== null && typeof body !== 'string' && !(body instanceof Uint8Array)

/** The writer of a reply that is not the usual one. */
interface AlternativeReply {
  readonly writer: ReplyWriter
  readonly negotiate: Negotiator
}

/** Compiles the replies behind the usual one, by status. */
const createAlternatives = (endpoint: AnyEndpoint, responseHeaders: readonly string[]): ReadonlyMap<number, AlternativeReply> =>
  new Map(
    endpoint.responses.slice(1).map((reply) => {
      const writer = createReplyWriter(endpoint, reply, responseHeaders)
      return [reply.status, { writer, negotiate: createNegotiator(writer.offers) }]
    }),
  )

/** Adds the `timeout` of an endpoint. A synchronous response costs no timer. */
function addTimeLimit(run: CompiledOperation['run'], time: number): CompiledOperation['run'] {
  const expire = (): never => {
    throw errors.serviceUnavailable({ detail: problemDetail.tooLate(), headers: { 'Retry-After': retryAfterTimeout } })
  }
  const limit = { time, expire }
  return (request, params, search) => {
    const response = run(request, params, search)
    if (!isPromise(response)) return response
    setOwnTimeLimit(request)
    return limitTime(response, request, limit)
  }
}

/** Compiles an endpoint. @throws TypeError if it cannot be served as it is described. */
export function compileOperation(
  name: string,
  endpoint: AnyEndpoint,
  given: OperationHandler,
  { auth, maxBodySize: defaultMaxBodySize, generateCurrentEtags, idempotency, respondToError, onLateError }: OperationOptions,
): CompiledOperation {
  const { route, etag, parameterGroups } = endpoint
  const { handler, guards } = splitGuards(given)
  const resolveUser = requestSteps.credentials.appliesTo(endpoint) ? createUserResolver(endpoint, auth) : undefined
  const responseHeaders = Object.freeze(Object.entries(endpoint.responseHeaders).flat())
  const usualWriter = createReplyWriter(endpoint, etag === true ? removeEtag(endpoint.response) : endpoint.response, responseHeaders)
  const alternatives = createAlternatives(endpoint, responseHeaders)
  const readCondition = createConditionReader(endpoint, usualWriter, generateCurrentEtags)
  const negotiate = createNegotiator(usualWriter.offers)
  const maxBodySize =
    endpoint.maxBodySize === undefined
      ? defaultMaxBodySize + getDeclaredFileSize(endpoint.body)
      : requireByteSize(route, 'maxBodySize', endpoint.maxBodySize)
  const selectBodyReader = endpoint.body === undefined ? undefined : createBodyReaderSelector(endpoint.body)
  const readQuery = createQueryReader(endpoint.query, parameterGroups.query)
  const readHeaders = createHeaderReader(endpoint.headers, parameterGroups.headers)
  const readCookies = createCookieReader(endpoint.cookies, parameterGroups.cookies)

  const isNegotiated = requestSteps.negotiation.appliesTo(endpoint)
  const chooseOffer = (accept: string | undefined): number => {
    const offer = isNegotiated ? negotiate(accept) : 0
    if (offer >= 0) return offer
    throw errors.notAcceptable({ detail: problemDetail.notAcceptable(usualWriter.offers), headers: { Vary: 'Accept' } })
  }

  const writeReply = (
    writer: ReplyWriter,
    value: unknown,
    offer: number,
    request: HttpRequest,
    condition: RequestCondition | undefined,
  ): Awaitable<HttpResponse> => {
    const unconditional = writer.write(value, offer)
    // The ETag of a list that is made while it is sent is that of all its bytes.
    if (condition !== undefined && etag === true && isStreamBody(unconditional.body))
      return collectBytes(unconditional.body).then((bytes) => condition.apply({ ...unconditional, body: bytes }, offer))
    const response = condition === undefined ? unconditional : condition.apply(unconditional, offer)
    const { body } = response
    if (!isStreamBody(body)) return response
    const chunks =
      endpoint.idempotent === undefined
        ? awaitFirstChunk(body, writer.isAtomic(offer), request, (error) => onLateError(error, request, route))
        : collectBytes(body)
    return chunks.then((sent) => ({ ...response, body: sent }))
  }

  const sendDownload = endpoint.download
    ? createDownloadSender(endpoint, usualWriter, (error, request) => onLateError(error, request, route))
    : undefined
  const writeUsualReply: typeof writeReply =
    sendDownload === undefined ? writeReply : (_writer, value, _offer, request) => sendDownload(value, request)

  /** Writes what the handler has returned. Only the usual reply is negotiated beforehand: of another one, any type is better than none. */
  const writeResponse = (
    returned: unknown,
    offer: number,
    request: HttpRequest,
    condition: RequestCondition | undefined,
  ): Awaitable<HttpResponse> => {
    if (isHttpError(returned)) throw returned
    if (!isStatusValue(returned)) return writeUsualReply(usualWriter, returned, offer, request, condition)
    const { [statusKey]: status, value } = returned
    if (status === endpoint.response.status) return writeUsualReply(usualWriter, value, offer, request, condition)
    const alternative = alternatives.get(status)
    if (alternative === undefined) {
      const declared = endpoint.responses.map((reply) => reply.status).join(', ')
      throw new TypeError(developerErrors.undeclaredStatus(route, status, declared))
    }
    const alternativeOffer = Math.max(0, alternative.negotiate(request.header('accept')))
    // The ETag of a GET belongs to the usual reply.
    return writeReply(alternative.writer, value, alternativeOffer, request, etag === true ? undefined : condition)
  }

  const runHandler = (
    input: DecodedInput,
    offer: number,
    request: HttpRequest,
    condition: RequestCondition | undefined,
  ): Awaitable<HttpResponse> => {
    const result = handler(condition === undefined ? input : addPrecondition(input, condition), request)
    return andThen(result, (value) => writeResponse(value, offer, request, condition))
  }

  const runIdempotent =
    endpoint.idempotent === undefined
      ? undefined
      : createIdempotentRunner(endpoint, idempotency, {
          respondToError: (error, request) => respondToError(error, request, operation),
          onStoreError: (error, request) => onLateError(error, request, route),
        })

  const callHandler = (input: DecodedInput, offer: number, request: HttpRequest, body = noBytes): Awaitable<HttpResponse> => {
    const condition = readCondition?.(input.headers)
    if (runIdempotent === undefined) return runHandler(input, offer, request, condition)
    return runIdempotent(request, input, body, () => runHandler(input, offer, request, condition))
  }

  /**
   * The order of failures: 413 of a raw body and 401 (before this), 406, 415, 400 query, 400 headers, 400 cookies, 413 or 400 body, 428, 422
   * or 409 of a key, then the handler's own.
   */
  const readInput = (
    request: HttpRequest,
    params: ParameterValues,
    search: string,
    user: unknown,
    rawBody?: Uint8Array,
  ): Awaitable<HttpResponse> => {
    const offer = chooseOffer(request.header('accept'))
    const readBody = selectBodyReader?.(request)
    const query = requireValues('query', readQuery(search))
    const headers = requireValues('header', readHeaders(request))
    const cookies = readCookies === undefined ? noValues : requireValues('cookie', readCookies(request))
    if (readBody === undefined) return callHandler({ params, query, headers, cookies, body: undefined, user, fail }, offer, request)
    if (rawBody !== undefined)
      return readBody(
        request,
        maxBodySize,
        (body) => callHandler({ params, query, headers, cookies, body, user, fail, rawBody }, offer, request, rawBody),
        Promise.resolve(rawBody),
      )
    return readBody(request, maxBodySize, (body, bytes) =>
      callHandler({ params, query, headers, cookies, body, user, fail }, offer, request, bytes),
    )
  }

  /** Reads the bytes first, since an authenticator verifies their signature. */
  const runWithRawBody: CompiledOperation['run'] = (request, params, search) => {
    // A signature of other bytes would be wrong, and its sender would get 401.
    if (request.isBodyParsed) throw new TypeError(developerErrors.rawBodyParsed(route))
    return request
      .body(maxBodySize)
      .then((bytes) => andThen(resolveUser?.(request, bytes), (user) => readInput(request, params, search, user, bytes)))
  }

  const runDecoding: CompiledOperation['run'] = (request, params, search) => {
    if (resolveUser === undefined) return readInput(request, params, search, undefined)
    return andThen(resolveUser(request), (user) => readInput(request, params, search, user))
  }

  const run = guards.reduceRight<CompiledOperation['run']>(
    (runNext, check) => (request, params, search) => andThen(check({ params }, request), () => runNext(request, params, search)),
    endpoint.rawBody === true ? runWithRawBody : runDecoding,
  )

  const operation: CompiledOperation = Object.freeze({
    name,
    endpoint,
    readCaptures: createCaptureReader(endpoint.params, parameterGroups.params),
    errorWriters: createErrorWriters(endpoint, responseHeaders),
    varyNames: listInputHeaders(endpoint),
    generateEtags: etag === true ? createEtagsGenerator(route, usualWriter) : undefined,
    run: endpoint.timeout === undefined ? run : addTimeLimit(run, endpoint.timeout),
  })
  return operation
}
