/** The first step of a request: from its path and method to the operation, mount or fallback that answers it. */
import { isReadError } from '../contract/parameters/readers.js'
import { percentDecode } from '../http/percentEncoding.js'
import { isPromise } from '../http/promises.js'
import { reportStreamErrors } from '../http/responseStream.js'
import { limitErrors, truncateText } from '../json-schema/parseError.js'
import * as complaint from '../messages/developerErrors.js'
import { problemDetail } from '../messages/problemMessages.js'

/** The request as a mount sees it: without the prefix. */
const stripPrefix = (incoming, length) => Object.create(incoming, { target: { value: incoming.target.slice(length), enumerable: true } })
/** The kernel that sends each request where it belongs. 404 before 400 for a capture, before 405; then the operation's own order. */
export function createDispatcher({ resources, mounts, fallback, respondWithProblem: refuse, respondToError: raise, onError: report }) {
  /** What is not ours has answered: with an answer, and with a stream whose failure is heard of. @throws TypeError for anything else. */
  function answered(outgoing, incoming) {
    // Plain JavaScript may well forget to return one.
    if (typeof outgoing !== 'object' || outgoing === null) throw new TypeError(complaint.invalidHttpResponse(String(outgoing)))
    const { body } = outgoing
    if (typeof body !== 'object' || body === null || body instanceof Uint8Array) return outgoing
    return { ...outgoing, body: reportStreamErrors(body, (error) => report(error, incoming)) }
  }
  /** Runs what is not ours, and answers for what it throws. */
  function foreign(kernel, incoming) {
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
  const unmatched = (incoming, ...refusal) => (fallback === undefined ? refuse(...refusal) : foreign(fallback, incoming))
  /** A path that is not the API's. */
  function elsewhere(incoming, path) {
    const mounted = mounts.findPrefix(path)
    if (mounted !== undefined) {
      const { handler: kernel, route } = mounted.leaf
      const outgoing = foreign(kernel, stripPrefix(incoming, mounted.length))
      return isPromise(outgoing) ? outgoing.then((late) => ({ ...late, route })) : { ...outgoing, route }
    }
    return unmatched(incoming, 404, { detail: problemDetail.noSuchPath() })
  }
  /** A path of the API's with a method that has no endpoint. Captures that none of its endpoints can read are told first. */
  function otherwise(incoming, { operations, allow, constantHeaders: always }, texts) {
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
  function operated(incoming, operation, texts, search) {
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
  function dispatch(incoming) {
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
