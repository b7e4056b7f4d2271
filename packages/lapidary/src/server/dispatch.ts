/** The first step of a request: from its path and method to the operation, mount or fallback that answers it. */

import { isReadError } from '../contract/parameters/readers.ts'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http/httpHandler.ts'
import { percentDecode } from '../http/percentEncoding.ts'
import type { ProblemResponder } from '../http/problemResponse.ts'
import { isPromise } from '../http/promises.ts'
import { reportStreamErrors } from '../http/responseStream.ts'
import type { Router } from '../http/router.ts'
import { limitErrors, truncateText } from '../json-schema/parseError.ts'
import * as complaint from '../messages/developerErrors.ts'
import { problemDetail } from '../messages/problemMessages.ts'
import type { ErrorResponder } from './errorResponse.ts'
import type { CompiledOperation } from './operation.ts'

type DispatchResult = HttpResponse | Promise<HttpResponse>

/** The operations at one path. */
export interface PathOperations {
  readonly operations: Map<string, CompiledOperation>
  /** The Allow header. */
  allow: string
  /** The headers that every answer at this path carries, flat. */
  constantHeaders: readonly string[]
}

/** A kernel under a prefix. */
export interface MountedHandler {
  readonly name: string
  /** Its prefix. */
  readonly route: string
  readonly handler: HttpHandler
}

/** What a dispatcher chooses from. */
export interface DispatcherParts {
  readonly resources: Router<PathOperations>
  readonly mounts: Router<MountedHandler>
  readonly fallback: HttpHandler | undefined
  readonly respondWithProblem: ProblemResponder
  readonly respondToError: ErrorResponder
  /** Told of a stream that failed part-way. */
  readonly onError: (error: unknown, incoming: HttpRequest) => void
}

/** The request as a mount sees it: without the prefix. */
const stripPrefix = (incoming: HttpRequest, length: number): HttpRequest =>
  Object.create(incoming, { target: { value: incoming.target.slice(length), enumerable: true } })

/** The kernel that sends each request where it belongs. 404 before 400 for a capture, before 405; then the operation's own order. */
export function createDispatcher({
  resources,
  mounts,
  fallback,
  respondWithProblem: refuse,
  respondToError: raise,
  onError: report,
}: DispatcherParts): HttpHandler {
  /** What is not ours has answered: with an answer, and with a stream whose failure is heard of. @throws TypeError for anything else. */
  function answered(outgoing: HttpResponse, incoming: HttpRequest): HttpResponse {
    // Plain JavaScript may well forget to return one.
    if (typeof outgoing !== 'object' || outgoing === null) throw new TypeError(complaint.invalidHttpResponse(String(outgoing)))
    const { body } = outgoing
    if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return outgoing
    return { ...outgoing, body: reportStreamErrors(body, (error) => report(error, incoming)) }
  }

  /** Runs what is not ours, and answers for what it throws. */
  function foreign(kernel: HttpHandler, incoming: HttpRequest): DispatchResult {
    try {
      const outgoing = kernel(incoming)
      if (!isPromise(outgoing)) return answered(outgoing, incoming)
      return Promise.resolve(outgoing)
        .then((late) => answered(late, incoming))
        .catch((error) => raise(error, incoming))
    } catch (error) {
      return raise(error, incoming)
    }
  }

  /** The refusal of a request that matches no endpoint, unless the fallback takes it. */
  const unmatched = (incoming: HttpRequest, ...refusal: Parameters<ProblemResponder>): DispatchResult =>
    fallback === undefined ? refuse(...refusal) : foreign(fallback, incoming)

  /** A path that is not the API's. */
  function elsewhere(incoming: HttpRequest, path: string): DispatchResult {
    const mounted = mounts.findPrefix(path)
    if (mounted !== undefined) {
      const { handler: kernel, route } = mounted.leaf
      const outgoing = foreign(kernel, stripPrefix(incoming, mounted.length))
      return isPromise(outgoing) ? outgoing.then((late) => ({ ...late, route })) : { ...outgoing, route }
    }
    return unmatched(incoming, 404, { detail: problemDetail.noSuchPath() })
  }

  /** A path of the API's with a method that has no endpoint. Captures that none of its endpoints can read are told first. */
  function otherwise(
    incoming: HttpRequest,
    { operations, allow, constantHeaders: always }: PathOperations,
    texts: readonly string[],
  ): DispatchResult {
    const { method } = incoming
    const [first, ...others] = operations.values()
    const errors = first?.readCaptures(texts)
    if (
      first !== undefined &&
      errors !== undefined &&
      isReadError(errors) &&
      others.every((other) => isReadError(other.readCaptures(texts)))
    ) {
      return unmatched(incoming, 400, { detail: problemDetail.badCapture(first.endpoint.route), ...limitErrors(errors), headers: always })
    }
    const headers = ['Allow', allow, ...always]
    if (method === 'OPTIONS') return { status: 204, headers, body: null }
    return unmatched(incoming, 405, { detail: problemDetail.wrongMethod(truncateText(method, 32), allow), headers })
  }

  function operated(incoming: HttpRequest, operation: CompiledOperation, texts: readonly string[], search: string): DispatchResult {
    try {
      const params = operation.readCaptures(texts)
      if (isReadError(params)) {
        const { route, responseHeaders: always } = operation.endpoint
        return unmatched(incoming, 400, {
          detail: problemDetail.badCapture(route),
          ...limitErrors(params),
          headers: Object.entries(always).flat(),
          route,
        })
      }
      const outgoing = operation.run(incoming, params, search)
      return isPromise(outgoing) ? outgoing.catch((error) => raise(error, incoming, operation)) : outgoing
    } catch (error) {
      return raise(error, incoming, operation)
    }
  }

  function dispatch(incoming: HttpRequest): DispatchResult {
    const { target } = incoming
    const mark = target.indexOf('?')
    const path = mark < 0 ? target : target.slice(0, mark)
    if (path.includes('%') && percentDecode(path) === undefined) return unmatched(incoming, 400, { detail: problemDetail.badPath() })
    const found = resources.find(path)
    if (found === undefined) return elsewhere(incoming, path)
    const operation = found.leaf.operations.get(incoming.method === 'HEAD' ? 'GET' : incoming.method)
    if (operation === undefined) return otherwise(incoming, found.leaf, found.captures)
    return operated(incoming, operation, found.captures, mark < 0 ? '' : target.slice(mark + 1))
  }

  return (incoming) => {
    try {
      return dispatch(incoming)
    } catch (error) {
      return raise(error, incoming)
    }
  }
}
