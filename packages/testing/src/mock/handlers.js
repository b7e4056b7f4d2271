/** The handlers of a mock: one's own, those of collections and pages, and for all the rest what the description shows or allows. */
import { ParseError } from 'lapidary'
import { getPathShape, isPromise } from 'lapidary/internal'
import { detectCollections } from './detectCollections.js'
import { createPageHandler } from './pages.js'
import { createSuccessMaker, drawNumber, getHandlerReply, toKey } from './responses.js'
import {
  createCollectionHandlers,
  createResourceHandlers,
  detectResources,
  getParsedBody,
  passThroughEndpoint,
} from './statefulHandlers.js'

// Changes that are made on condition of a tag: what the GET of their path answers is what they are compared with.
/** A request of a GET with nothing but captures. */
function toBareInput({ query }, { params, user }) {
  const values = Object.entries(query).map(([name, parameter]) => {
    const value = parameter.read({ values: [], isPresent: false })
    return [name, value instanceof ParseError ? undefined : value]
  })
  return { params, query: Object.fromEntries(values), headers: {}, body: undefined, user }
}
/** The same handler, which first looks whether what is there is what the request takes it for; `get` answers for what is there. @throws HttpError 412 */
export function withPrecondition(handle, { endpoint }, get) {
  const hasHeaders = Object.keys(getHandlerReply(endpoint).headers).length > 0
  const check = (precondition, value) => precondition(hasHeaders ? value.body : value)
  return (given, incoming) => {
    const { precondition } = given
    if (precondition === undefined) return handle(given, incoming)
    const value = get(toBareInput(endpoint, given), incoming)
    if (isPromise(value))
      return value.then((late) => {
        check(precondition, late)
        return handle(given, incoming)
      })
    // Where nothing is waited for, nobody can write in between.
    check(precondition, value)
    return handle(given, incoming)
  }
}
/** The handler that answers with what the description shows, or allows. */
function createExampleHandler({ name, endpoint }, seed) {
  const make = createSuccessMaker(endpoint)
  return ({ params, query }) => make(drawNumber(seed, name, toKey(params, query)), params)
}
/** The same handler for an endpoint that keeps what was sent: it gets the body as any handler does. */
const withParsedBody = (own, endpoint) => (given, incoming) => own({ ...given, body: getParsedBody(endpoint, given.body) }, incoming)
/** The names of the endpoints that are given something to keep. */
const listStoringEndpoints = (shapes, resources) => {
  const all = [...shapes.flatMap(({ create, replace, change }) => [create, replace, change]), ...resources.map(({ put }) => put)]
  return new Set(all.flatMap((one) => (one === undefined ? [] : [one.name])))
}
/** Gives each endpoint its handler; `answers` are one's own, by name. */
export function createHandlers(all, answers, seed) {
  const shapes = detectCollections(all)
  const kept = new Map(shapes.flatMap((shape) => [...createCollectionHandlers(shape, seed)]))
  const resources = detectResources(all.filter(({ name }) => !kept.has(name)))
  for (const resource of resources) {
    const { get } = resource
    const first = createPageHandler(get, seed) ?? createExampleHandler(get, seed)
    for (const [name, handle] of createResourceHandlers(resource, first)) kept.set(name, handle)
  }
  const keepers = listStoringEndpoints(shapes, resources)
  const bare = all.map((one) => {
    const [own, isKeeper] = [answers.get(one.name), keepers.has(one.name)]
    const ownHandle = own !== undefined && isKeeper ? withParsedBody(own, one.endpoint) : own
    const handle = ownHandle ?? kept.get(one.name) ?? createPageHandler(one, seed) ?? createExampleHandler(one, seed)
    return { name: one.name, endpoint: isKeeper ? passThroughEndpoint(one.endpoint) : one.endpoint, handler: handle }
  })
  const gets = new Map(bare.filter(({ endpoint }) => endpoint.method === 'GET').map((one) => [getPathShape(one.endpoint.segments), one]))
  return bare.map((one) => {
    const got = typeof one.endpoint.etag === 'string' ? gets.get(getPathShape(one.endpoint.segments)) : undefined
    return got === undefined ? one : { ...one, handler: withPrecondition(one.handler, got, got.handler) }
  })
}
