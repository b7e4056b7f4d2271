/** One endpoint with its handler, compiled before the first request: the steps of a request in their order, the handler, the response. */

import { retryAfterTimeout } from '../contract/builtInErrors.ts'
import type { AnyEndpoint } from '../contract/endpoint.ts'
import { getMaxBodySize } from '../contract/endpointParts.ts'
import { removeEtag } from '../contract/etag.ts'
import { getRequestIdReader } from '../contract/idempotency.ts'
import type { ParameterValues } from '../contract/parameters/parameter.ts'
import { createCaptureReader, type ReadResult } from '../contract/parameters/readers.ts'
import { listInputHeaders } from '../contract/vary.ts'
import { toolkitErrors } from '../http/errors.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { type Awaitable, andThen, isPromise } from '../http/promises.ts'
import { limitTime, setOwnTimeLimit } from '../http/timeLimit.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { AuthenticationListener } from '../middleware/compose.ts'
import type { Authenticator } from './authenticate.ts'
import { createDeclaredErrors, type DeclaredErrors } from './declaredErrors.ts'
import { createEtagsGenerator, type EtagsGenerator } from './etags.ts'
import { splitGuards } from './guard.ts'
import type { OperationHandler } from './handlers.ts'
import { createIdempotentRunner, type IdempotencySettings } from './idempotency.ts'
import {
  compileBody,
  compileCondition,
  compileContentType,
  compileCookies,
  compileCredentials,
  compileGuard,
  compileHeaders,
  compileNegotiation,
  compileQuery,
  compileRawBody,
  compileReceiving,
  createRequestState,
  type RequestState,
  type Step,
} from './inputSteps.ts'
import { createResponder } from './respond.ts'
import { createReplyWriter } from './write.ts'

/**
 * Limits how long a function may take for a response: then it is 503. A synchronous response costs no timer.
 *
 * @param time in milliseconds; `Infinity`: nothing limits the response, not even the middleware; undefined: the function itself is returned
 */
function addEndpointTimeout<Rest extends readonly unknown[]>(
  run: (request: HttpRequest, ...rest: Rest) => Awaitable<HttpResponse>,
  time: number | undefined,
): (request: HttpRequest, ...rest: Rest) => Awaitable<HttpResponse> {
  if (time === undefined) return run
  const expire = (): never => {
    throw toolkitErrors.serviceUnavailable({ detail: problemDetail.tooLate(), headers: { 'Retry-After': retryAfterTimeout } })
  }
  const limit = { time, expire }
  return (request, ...rest) => {
    const response = run(request, ...rest)
    if (!isPromise(response)) return response
    setOwnTimeLimit(request)
    return time === Number.POSITIVE_INFINITY ? response : limitTime(response, request, limit)
  }
}

/** A compiled endpoint. */
export interface CompiledOperation {
  readonly name: string
  readonly endpoint: AnyEndpoint
  /** Converts the captures of a path, or says what is wrong with them. */
  readonly readCaptures: (captures: readonly (string | undefined)[]) => ReadResult
  readonly declaredErrors: DeclaredErrors
  /** The headers of all responses, flat. */
  readonly responseHeaders: readonly string[]
  /** The request headers that every response depends on. */
  readonly varyNames: readonly string[]
  /** The ETags of what the operation answers; undefined if its responses have none. */
  readonly generateEtags: EtagsGenerator | undefined
  readonly run: (request: HttpRequest, params: ParameterValues, search: string) => Awaitable<HttpResponse>
}

/** What operations share. */
interface OperationOptions {
  readonly auth: readonly Authenticator[]
  /** Middleware adds to them. */
  readonly authenticationListeners: readonly AuthenticationListener[]
  /** In bytes, for endpoints without a limit of their own. */
  readonly maxBodySize: number
  /** The ETags of the current state, for an endpoint that makes conditional changes. */
  readonly generateCurrentEtags: EtagsGenerator
  readonly idempotency: IdempotencySettings
  /** Makes the response to an error of the handler. */
  readonly respondToError: (error: unknown, request: HttpRequest, operation: CompiledOperation) => HttpResponse
  /** Receives an error after a response: of a stream whose head is sent, of a store after the handler. */
  readonly onLateError: (error: unknown, request: HttpRequest, route: string) => void
}

/** The end of a request: its handler, and the response. */
type Finish = (state: RequestState) => Awaitable<HttpResponse>

/** Runs the steps from an index on, then the handler. Where no step waits, no promise is made. */
function runSteps(steps: readonly Step[], from: number, state: RequestState, finish: Finish): Awaitable<HttpResponse> {
  for (let index = from; index < steps.length; index += 1) {
    const pending = (steps[index] as Step)(state)
    if (pending !== undefined)
      return pending.then((received: unknown) => {
        state.received = received
        return runSteps(steps, index + 1, state, finish)
      })
  }
  return finish(state)
}

/** Compiles an endpoint. @throws TypeError if it cannot be served as it is described. */
export function compileOperation(
  name: string,
  endpoint: AnyEndpoint,
  given: OperationHandler,
  {
    auth,
    authenticationListeners,
    maxBodySize: defaultMaxBodySize,
    generateCurrentEtags,
    idempotency,
    respondToError,
    onLateError,
  }: OperationOptions,
): CompiledOperation {
  const { route, etag, timeout } = endpoint
  const { handler, guards } = splitGuards(given)
  const responseHeaders = Object.freeze(Object.entries(endpoint.responseHeaders).flat())
  const usualWriter = createReplyWriter(endpoint, etag === true ? removeEtag(endpoint.response) : endpoint.response, responseHeaders)
  const maxBodySize = getMaxBodySize(endpoint, defaultMaxBodySize)
  const onOwnError = (error: unknown, request: HttpRequest): void => onLateError(error, request, route)

  // The order of failures.
  const steps = [
    compileRawBody(endpoint, maxBodySize),
    compileCredentials(endpoint, auth, authenticationListeners),
    ...guards.map((check) => compileGuard(check, endpoint)),
    compileNegotiation(endpoint, usualWriter),
    compileContentType(endpoint),
    compileQuery(endpoint),
    compileHeaders(endpoint),
    compileCookies(endpoint),
    compileReceiving(endpoint, maxBodySize),
    compileBody(endpoint),
    compileCondition(endpoint, usualWriter, generateCurrentEtags),
  ].filter((step) => step !== undefined)

  const respond = createResponder(endpoint, usualWriter, responseHeaders, onOwnError)
  const callHandler: Finish = (state) => {
    const { input, added } = state
    return andThen(handler(added === undefined ? input : { ...input, ...added }, state.request), (value) => respond(value, state))
  }
  // 422 or 409 of a key, then the handler's own errors.
  const runIdempotent =
    (endpoint.idempotent !== undefined || getRequestIdReader(endpoint) !== undefined) &&
    createIdempotentRunner(endpoint, idempotency, {
      respondToError: (error, request) => respondToError(error, request, operation),
      onStoreError: onOwnError,
    })
  const finish: Finish =
    runIdempotent === false ? callHandler : (state) => runIdempotent(state.request, state.input, state.bytes, () => callHandler(state))
  const run: CompiledOperation['run'] = (request, params, search) => runSteps(steps, 0, createRequestState(request, params, search), finish)

  const operation: CompiledOperation = Object.freeze({
    name,
    endpoint,
    readCaptures: createCaptureReader(endpoint.params, endpoint.parameterGroups.params),
    declaredErrors: createDeclaredErrors(endpoint),
    responseHeaders,
    varyNames: listInputHeaders(endpoint),
    generateEtags: etag === true ? createEtagsGenerator(route, usualWriter) : undefined,
    run: addEndpointTimeout(run, timeout),
  })
  return operation
}
