/** Calls a handler and sends what it returns or throws: the same over HTTP/1.1 and HTTP/2. */
import { createInternalErrorResponse, type ErrorListener } from '../../http/errorReport.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../../http/httpHandler.ts'
import { type Awaitable, isPromise } from '../../http/promises.ts'
import type { Lifetime } from '../lifetime.ts'
import type { NodeRequest } from './nodeRequest.ts'

/**
 * Creates a function that calls a handler for a request.
 *
 * @param send sends a response. It throws for one that cannot be sent.
 * @param sendFailure sends the response with status 500 in place of one that could not be sent
 */
export function createCaller<Request extends NodeRequest & HttpRequest>(
  handler: HttpHandler,
  lifetime: Lifetime,
  onError: ErrorListener,
  send: (response: HttpResponse, request: Request) => void,
  sendFailure: (response: HttpResponse, request: Request) => void,
): (request: Request) => void {
  /**
   * Answers 500. A server handles the errors of its handlers itself: these are errors of middleware, and of responses that cannot be sent.
   */
  const fail = (error: unknown, request: Request): void => sendFailure(createInternalErrorResponse(error, request, onError), request)
  const respond = (response: HttpResponse, request: Request): void => {
    try {
      send(response, request)
    } catch (error) {
      lifetime.dropUnsentBody(response)
      fail(error, request)
    }
  }
  return (request) => {
    let result: Awaitable<HttpResponse>
    try {
      result = handler(request)
    } catch (error) {
      return fail(error, request)
    }
    if (!isPromise(result)) return respond(result, request)
    void lifetime.awaitResponse(
      result,
      (response) => respond(response, request),
      (error) => fail(error, request),
    )
  }
}
