/** Turns a thrown value into a response: an HttpError as it was thrown, anything else into a 500 that reveals nothing. */
import { type ErrorListener, toErrorContext } from '../http/errorReport.ts'
import { filterHeaders, forEachHeader, hasHeader, isHeaderName, isHeaderValue, vary } from '../http/headerFields.ts'
import { type HttpError, isOwnHttpError, isToolkitError } from '../http/httpError.ts'
import type { HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { createProblemResponder, type ProblemFormat, type ProblemResponder, respondWithProblemJson } from '../http/problemResponse.ts'
import { requireSync } from '../http/promises.ts'
import { getOwnProblem } from '../http/quotaExceededError.ts'
import { hasClientLeft } from '../http/responseStream.ts'
import { getReasonPhrase } from '../http/status.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import { writeError } from './declaredErrors.ts'
import { InvalidInputError } from './invalidInput.ts'
import type { CompiledOperation } from './operation.ts'

/** Checks an error like any other response. @throws TypeError if no adapter can send it. */
function checkSendable(status: number, reason: string, headers: readonly string[]): void {
  const createError = (flaw: string): TypeError => new TypeError(developerErrors.unsendableError(status, flaw))
  if (!Number.isInteger(status) || status < 200 || status > 599) throw createError('its status is not an integer from 200 to 599')
  if (!isHeaderValue(reason)) throw createError('its reason phrase has characters that cannot be sent')
  forEachHeader(headers, (name, value) => {
    if (!isHeaderName(name)) throw createError('the name of one of its headers is not a token')
    if (!isHeaderValue(value)) throw createError(`its header ${name} has characters that cannot be sent`)
  })
}

/** An error of an endpoint depends on its input as well: 404 is a response that caches keep (RFC 9110 §15.1). */
const addVary = (headers: readonly string[], operation: CompiledOperation | undefined): readonly string[] =>
  operation === undefined || operation.varyNames.length === 0 ? headers : vary(headers, ...operation.varyNames)

/** Returns the own headers of an error, and those of all responses of its endpoint that it does not have itself. */
function addEndpointHeaders(headers: readonly string[], operation: CompiledOperation | undefined): readonly string[] {
  const responseHeaders = filterHeaders(operation?.responseHeaders ?? [], (name) => !hasHeader(headers, name))
  return addVary([...headers, ...responseHeaders], operation)
}

function createHttpErrorResponse(
  error: HttpError,
  operation: CompiledOperation | undefined,
  respondWithProblem: ProblemResponder,
): HttpResponse {
  const { status, reason, detail, errors } = error
  const ownReason = reason === getReasonPhrase(status) ? {} : { reason }
  const route = operation?.endpoint.route
  const { headers: ownHeaders, body: written } = writeError(error, operation?.declaredErrors, route)
  const headers = addEndpointHeaders(ownHeaders, operation)
  checkSendable(status, reason, headers)
  if (written === undefined) {
    const more = error instanceof InvalidInputError ? error.more : undefined
    return respondWithProblem(status, { ...ownReason, detail, errors, more, problem: getOwnProblem(error), headers, route })
  }
  const { type, body } = written
  const hasType = hasHeader(headers, 'content-type')
  return { status, ...ownReason, headers: [...(type === undefined || hasType ? [] : ['Content-Type', type]), ...headers], body, route }
}

/** Turns an error of the application into an HttpError; undefined leaves it unexpected. */
export type ErrorMapper = (error: unknown) => HttpError | undefined

/** Makes the response to a thrown value. */
export type ErrorResponder = (
  error: unknown,
  request: Pick<HttpRequest, 'method' | 'target' | 'id' | 'signal'>,
  operation?: CompiledOperation,
) => HttpResponse

/** Whether a handler stopped because its client has left. */
const isClientAbort = (error: unknown, { signal }: Pick<HttpRequest, 'signal'>): boolean =>
  hasClientLeft({ signal }) && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'))

/** What responses to errors need. */
interface ErrorResponderOptions {
  /** By `createMarkingResponder`. */
  readonly respondWithProblem: ProblemResponder
  readonly onError: ErrorListener
  readonly mapError: ErrorMapper
}

/**
 * What the format of a server threw. A response with status 500 asks the format again, which may write that one: its failure is reported
 * once, although each may be an error of its own.
 */
class FormatFailure {
  readonly error: unknown

  constructor(error: unknown) {
    this.error = error
  }
}

function applyErrorMapper(error: unknown, mapError: ErrorMapper): HttpError | undefined {
  // Another response with a problem would ask the format again.
  if (error instanceof FormatFailure) return undefined
  const mapped = requireSync(mapError(error), 'The function "mapError" of serve()')
  // Plain JavaScript can return null.
  return mapped ?? undefined
}

/** Makes problem responses in one format. @throws FormatFailure when called */
export function createMarkingResponder(format: ProblemFormat): ProblemResponder {
  const respondWithProblem = createProblemResponder(format)
  return (status, details) => {
    try {
      return respondWithProblem(status, details)
    } catch (error) {
      throw new FormatFailure(error)
    }
  }
}

/** Compiles the one place where errors become responses. */
export const createErrorResponder =
  ({ respondWithProblem, onError, mapError }: ErrorResponderOptions): ErrorResponder =>
  (error, request, operation) => {
    const { method, target, id } = request
    const route = operation?.endpoint.route
    const ofRoute = route === undefined ? {} : { route }
    let thrown = error
    try {
      const known = isOwnHttpError(error) ? error : applyErrorMapper(error, mapError)
      if (known !== undefined) {
        const response = createHttpErrorResponse(known, operation, respondWithProblem)
        // What a function of the application threw at the input: the client learns that the input is wrong, and the application why.
        if (isToolkitError(known) && Object.hasOwn(known, 'cause')) onError(known.cause, { ...toErrorContext(request), ...ofRoute })
        return response
      }
    } catch (failure) {
      thrown = failure
    }
    const unexpected = thrown instanceof FormatFailure ? thrown.error : thrown
    const requestId = id ?? globalThis.crypto.randomUUID()
    const context = { requestId, method, target, ...ofRoute }
    if (!isClientAbort(unexpected, request)) onError(unexpected, context)
    // A header that cannot be sent may be the unexpected error itself.
    const responseHeaders = filterHeaders(operation?.responseHeaders ?? [], (_name, value) => isHeaderValue(value))
    const details = { detail: problemDetail.unexpected(), requestId, headers: addVary(responseHeaders, operation), route }
    try {
      return respondWithProblem(500, details)
    } catch (failure) {
      if (!(thrown instanceof FormatFailure)) onError(failure instanceof FormatFailure ? failure.error : failure, context)
      return respondWithProblemJson(500, details)
    }
  }
