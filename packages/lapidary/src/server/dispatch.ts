/** The first step of a request: finds the operation, the mount or the fallback that answers it. */
import type { Mount, NamedOperation } from '../contract/api.ts'
import type { ApiIndex, IndexedPath } from '../contract/apiIndex.ts'
import type { InputError } from '../contract/parameters/parameterGroups.ts'
import { isReadError } from '../contract/parameters/readers.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { percentDecode } from '../http/percentEncoding.ts'
import type { ProblemResponder } from '../http/problemResponse.ts'
import { type Awaitable, andThen, isPromise } from '../http/promises.ts'
import { MountedRequest } from '../http/requestView.ts'
import { isResponseStream, reportStreamErrors } from '../http/responseStream.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { ErrorResponder } from './errorResponse.ts'
import { InvalidInputError, limitErrors, truncateText } from './invalidInput.ts'
import type { CompiledOperation } from './operation.ts'

/** What a dispatcher chooses from. */
interface DispatcherParts {
  readonly index: ApiIndex<CompiledOperation>
  readonly mountHandlers: ReadonlyMap<NamedOperation, HttpHandler>
  readonly fallback: HttpHandler | undefined
  readonly respondWithProblem: ProblemResponder
  readonly respondToError: ErrorResponder
  /** Receives what a stream throws whose head is sent, and what a codec throws at a capture of a request that another response answers. */
  readonly onLateError: (error: unknown, request: HttpRequest, route?: string) => void
}

/**
 * Returns the handler that sends each request to its operation. 404 comes before 400 for a capture, and that before 405; then the order of
 * the operation applies.
 */
export function createDispatcher({
  index,
  mountHandlers,
  fallback,
  respondWithProblem,
  respondToError,
  onLateError,
}: DispatcherParts): HttpHandler {
  const { paths, mounts } = index

  /**
   * Checks the response of a mount or the fallback, and has the failure of its stream reported.
   *
   * @throws TypeError for what is no response.
   */
  function checkResponse(response: HttpResponse, request: HttpRequest): HttpResponse {
    // Plain JavaScript can forget to return one.
    if (typeof response !== 'object' || response === null) throw new TypeError(developerErrors.invalidHttpResponse(String(response)))
    const { body } = response
    if (typeof body !== 'object' || !isResponseStream(body)) return response
    return { ...response, body: reportStreamErrors(body, (error) => onLateError(error, request)) }
  }

  /** Calls a mounted handler or the fallback, and answers what it throws. */
  function runHandler(handler: HttpHandler, request: HttpRequest): Awaitable<HttpResponse> {
    try {
      const response = handler(request)
      if (!isPromise(response)) return checkResponse(response, request)
      return Promise.resolve(response)
        .then((settled) => checkResponse(settled, request))
        .catch((error) => respondToError(error, request))
    } catch (error) {
      return respondToError(error, request)
    }
  }

  /** Answers a request that matches no endpoint: by the fallback if there is one, else by a problem. */
  const rejectUnmatched = (request: HttpRequest, ...problem: Parameters<ProblemResponder>): Awaitable<HttpResponse> =>
    fallback === undefined ? respondWithProblem(...problem) : runHandler(fallback, request)

  /** Reports what a codec has thrown, if that is why a capture cannot be read. */
  function reportCause(errors: readonly InputError[], request: HttpRequest, route?: string): void {
    const failed = errors.find((error) => 'cause' in error)
    if (failed !== undefined) onLateError(failed.cause, request, route)
  }

  /** Serves a path that no endpoint has. */
  function serveMount(request: HttpRequest, path: string): Awaitable<HttpResponse> {
    const match = mounts.findPrefix(path)
    if (match === undefined) return rejectUnmatched(request, 404, { detail: problemDetail.noSuchPath() })
    const { leaf: mount, length } = match
    const handler = mountHandlers.get(mount) as HttpHandler // each mount has one
    const route = (mount.operation as Mount).prefix
    const mounted = new MountedRequest(request, request.target.slice(length))
    return andThen(runHandler(handler, mounted), (response) => ({ ...response, route }))
  }

  /** Answers a method that the path does not have. Captures that no endpoint of the path can read are rejected first. */
  function rejectMethod(
    request: HttpRequest,
    { entries, allowedMethods, responseHeaders, patchHeaders }: IndexedPath<CompiledOperation>,
    captures: readonly (string | undefined)[],
  ): Awaitable<HttpResponse> {
    const { method } = request
    const [first, ...others] = entries.values()
    const errors = first?.readCaptures(captures)
    if (
      first !== undefined &&
      errors !== undefined &&
      isReadError(errors) &&
      others.every((other) => isReadError(other.readCaptures(captures)))
    ) {
      reportCause(errors, request)
      const detail = problemDetail.badCapture(first.endpoint.route)
      return rejectUnmatched(request, 400, { detail, ...limitErrors(errors), headers: responseHeaders })
    }
    const allow = allowedMethods.join(', ')
    const headers = ['Allow', allow, ...patchHeaders, ...responseHeaders]
    if (method === 'OPTIONS') return { status: 204, headers, body: null }
    return rejectUnmatched(request, 405, { detail: problemDetail.wrongMethod(truncateText(method, 32), allow), headers })
  }

  function runOperation(
    request: HttpRequest,
    operation: CompiledOperation,
    captures: readonly (string | undefined)[],
    search: string,
  ): Awaitable<HttpResponse> {
    try {
      const params = operation.readCaptures(captures)
      if (isReadError(params)) {
        if (fallback !== undefined) {
          reportCause(params, request, operation.endpoint.route)
          return runHandler(fallback, request)
        }
        throw new InvalidInputError('path', params, 0, problemDetail.badCapture(operation.endpoint.route))
      }
      const response = operation.run(request, params, search)
      return isPromise(response) ? response.catch((error) => respondToError(error, request, operation)) : response
    } catch (error) {
      return respondToError(error, request, operation)
    }
  }

  function dispatch(request: HttpRequest): Awaitable<HttpResponse> {
    const { target } = request
    const queryStart = target.indexOf('?')
    const path = queryStart < 0 ? target : target.slice(0, queryStart)
    if (path.includes('%') && percentDecode(path) === undefined) return rejectUnmatched(request, 400, { detail: problemDetail.badPath() })
    const match = paths.find(path)
    if (match === undefined) return serveMount(request, path)
    const operation = match.leaf.entries.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (operation === undefined) return rejectMethod(request, match.leaf, match.captures)
    return runOperation(request, operation, match.captures, queryStart < 0 ? '' : target.slice(queryStart + 1))
  }

  return (request) => {
    try {
      return dispatch(request)
    } catch (error) {
      return respondToError(error, request)
    }
  }
}
