/** `client(api, 'http://127.0.0.1:8081')`: an API as functions. */
import { isOperation } from '../contract/api.js'
import * as complaint from '../messages/developerErrors.js'
import { createCancellation, onAbort } from './cancellation.js'
import * as failure from './clientErrorMessages.js'
import { ConnectionError, getCauseMessage } from './errors.js'
import { createRequestWriter, fetchWithRedirects, isRedirect, mergeHeaderRecords, parseBaseUrl } from './request.js'
import { createResponseReader } from './response.js'

/** Without what stands behind the path. */
const stripQuery = (url) => url.replace(/[?#].*$/s, '')
/** Makes the function that calls one endpoint. */
function createCall(
  endpoint,
  base,
  { fetch = (request) => globalThis.fetch(request), headers, auth = [], signal, timeout, maxResponseSize = 2 ** 26 },
) {
  const { route, response: success, errors } = endpoint
  // Compiled at the first call: a page that needs three endpoints of five hundred pays for three.
  let compiled
  const shown = auth.find(({ scheme }) => scheme === endpoint.auth)
  const isRedirecting = [success, ...errors].some(isRedirect)
  return async (input = {}, options = {}) => {
    compiled ??= [createRequestWriter(endpoint), createResponseReader(endpoint)]
    const [write, read] = compiled
    const { timeout: limit = timeout, maxResponseSize: size = maxResponseSize } = options
    let call = route
    const end = createCancellation(
      [signal, options.signal],
      limit,
      () => new DOMException(failure.responseTimeout(call, limit), 'TimeoutError'),
    )
    const answer = async () => {
      const { method, target, headers: own, body } = await write(input, options.contentType)
      const url = base + target
      call = `${method} ${stripQuery(url)}`
      const common = typeof headers === 'function' ? await headers() : headers
      const request = {
        method,
        headers: mergeHeaderRecords(route, common, await shown?.headers(), own, options.headers),
        // Bytes of whatever memory: what is sent is copied.
        body: body,
        signal: end.signal,
      }
      end.signal.throwIfAborted()
      let response
      try {
        response = await fetchWithRedirects(fetch, url, request, isRedirecting)
      } catch (error) {
        end.signal.throwIfAborted()
        throw new ConnectionError(failure.noResponse(call, getCauseMessage(error)), { cause: error })
      }
      return read({ call, url: stripQuery(response.url || url), response, cancellation: end, limit: size })
    }
    const leave = end.listen()
    return new Promise((resolve, reject) => {
      // Whatever it is that takes its time, nobody waits for it longer than they want to.
      onAbort(end.signal, () => reject(end.signal.reason))
      answer().then(resolve, reject)
    }).finally(leave)
  }
}
function createCalls(api, base, options) {
  const calls = Object.entries(api).flatMap(([key, value]) => {
    if (typeof value !== 'object' || value === null) throw new TypeError(complaint.invalidApi(key))
    if (!isOperation(value)) return [[key, createCalls(value, base, options)]]
    return value['~kind'] === 'mount' ? [] : [[key, createCall(value, base, options)]]
  })
  return Object.freeze(Object.fromEntries(calls))
}
/**
 * The client of an API: the same record, with a function for each endpoint. It needs nothing but `fetch`: it runs in Node, Bun, Deno and browsers.
 *
 * `base` is where the server is, and may have a path: `https://example.org/api`. In a browser `location.origin` is the page's own server.
 *
 * @throws TypeError for a base that is no address, or has credentials or a query.
 */
export function client(api, base, options = {}) {
  // The types say what was built here, one function for each endpoint.
  return createCalls(api, parseBaseUrl(base), options)
}
