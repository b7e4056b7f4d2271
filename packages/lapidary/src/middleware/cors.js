import { isPromise } from '../http/promises.js'
import * as complaint from '../messages/developerErrors.js'
import { createPathIndex, getExposedHeaders } from './pathInfo.js'

const getHeaderValue = ({ headers }, name) => headers.find((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name)
/** The headers with one `Vary`, which says all that the answer depends on. */
function appendVary(outgoing, name) {
  const own = getHeaderValue(outgoing, 'vary')
  if (own === undefined) return [...outgoing.headers, 'Vary', name]
  const others = outgoing.headers.filter((_, index, all) => all[index - (index % 2)]?.toLowerCase() !== 'vary')
  return [...others, 'Vary', own === '*' ? own : `${own}, ${name}`]
}
/** The methods and headers that a preflight is told. A mount takes whatever is asked for. */
function getPreflightHeaders({ methods, headers }, incoming, allowed) {
  const method = incoming.header('access-control-request-method') ?? ''
  return [
    ...['Access-Control-Allow-Methods', methods === 'any' ? method : methods.join(', ')],
    ...['Access-Control-Allow-Headers', [...headers, ...allowed].join(', ')],
  ]
}
/**
 * The same kernel, for pages of other origins as well. A preflight is answered here, before credentials or anything else is looked at: with the
 * methods that its path has, and the request headers that its endpoints declare. Every other answer, a refusal too, gets what lets an allowed
 * page read it, with the response headers that the API declares. An origin that is not allowed is told nothing. Answers that depend on the
 * origin say so (`Vary: Origin`), also to those who sent none.
 *
 * @throws TypeError when credentials are to go with origins that are not named.
 */
export function cors(kernel, api, options) {
  const {
    origins,
    credentials = false,
    maxAge = 600,
    allowHeaders: allowed = [],
    exposeHeaders: exposed = [],
    privateNetwork = false,
  } = options
  if (credentials && origins === '*') throw new TypeError(complaint.credentialsWithAnyOrigin())
  const known = new Set(origins)
  const at = createPathIndex(api)
  const sharing = credentials ? ['Access-Control-Allow-Credentials', 'true'] : []
  const readable = ['Access-Control-Expose-Headers', [...new Set([...getExposedHeaders(api), ...exposed])].join(', ')]
  /** What lets this page read an answer; undefined: nothing does. */
  const admission = (origin) => {
    if (origins === '*') return ['Access-Control-Allow-Origin', '*']
    return origin !== undefined && known.has(origin) ? ['Access-Control-Allow-Origin', origin, ...sharing] : undefined
  }
  function shared(outgoing, origin) {
    // A mounted Node listener answers by itself: there is nothing to add to.
    if (outgoing.status === 0) return outgoing
    const admitted = admission(origin)
    const headers = origins === '*' ? outgoing.headers : appendVary(outgoing, 'Origin')
    return { ...outgoing, headers: admitted === undefined ? headers : [...headers, ...admitted, ...readable] }
  }
  function preflight(incoming, found) {
    const admitted = admission(incoming.header('origin'))
    const vary = ['Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers']
    const near = privateNetwork && incoming.header('access-control-request-private-network') === 'true'
    const answer = [
      ...(admitted ?? []),
      ...getPreflightHeaders(found, incoming, allowed),
      ...['Access-Control-Max-Age', `${maxAge}`],
      ...(near ? ['Access-Control-Allow-Private-Network', 'true'] : []),
    ]
    return { status: 204, headers: [...vary, ...found.constantHeaders, ...(admitted === undefined ? [] : answer)], body: null }
  }
  return (incoming) => {
    const origin = incoming.header('origin')
    const isPreflight =
      incoming.method === 'OPTIONS' && origin !== undefined && incoming.header('access-control-request-method') !== undefined
    // A path that the API does not have is refused as ever.
    const found = isPreflight ? at(incoming.target) : undefined
    if (found !== undefined) return preflight(incoming, found)
    const outgoing = kernel(incoming)
    return isPromise(outgoing) ? outgoing.then((late) => shared(late, origin)) : shared(outgoing, origin)
  }
}
