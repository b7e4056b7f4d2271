/** The handlers of a mock: one's own, those of collections and pages, and for all the rest what the description shows or allows. */

import { type AnyEndpoint, isParseError, type Precondition, type WithHeaders } from 'lapidary'
import { getPathShape, isPromise } from 'lapidary/internal'
import { type DetectedCollection, detectCollections, type MockEndpoint } from './detectCollections.ts'
import { createPageHandler } from './pages.ts'
import { type AnyMockHandler, createSuccessMaker, drawNumber, getHandlerReply, type MockInput, toKey } from './responses.ts'
import {
  createCollectionHandlers,
  createResourceHandlers,
  detectResources,
  getParsedBody,
  passThroughEndpoint,
  type SingleResource,
} from './statefulHandlers.ts'

// Changes that are made on condition of a tag: what the GET of their path answers is what they are compared with.

/** A request of a GET with nothing but captures. */
function toBareInput({ query }: AnyEndpoint, { params, user }: MockInput): MockInput {
  const values = Object.entries(query).map(([name, parameter]) => {
    const value: unknown = parameter.read({ values: [], isPresent: false })
    return [name, isParseError(value) ? undefined : value] as const
  })
  return { params, query: Object.fromEntries(values), headers: {}, body: undefined, user }
}

/** The same handler, which first looks whether what is there is what the request takes it for; `get` answers for what is there. @throws HttpError 412 */
export function withPrecondition(handle: AnyMockHandler, { endpoint }: MockEndpoint, get: AnyMockHandler): AnyMockHandler {
  const hasHeaders = Object.keys(getHandlerReply(endpoint).headers).length > 0
  const check = (precondition: Precondition, value: unknown): void =>
    precondition(hasHeaders ? (value as WithHeaders<unknown, unknown>).body : value)
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

/** An endpoint as it is served, with its handler. */
export interface HandledEndpoint extends MockEndpoint {
  readonly handler: AnyMockHandler
}

/** The handler that answers with what the description shows, or allows. */
function createExampleHandler({ name, endpoint }: MockEndpoint, seed: number): AnyMockHandler {
  const make = createSuccessMaker(endpoint)
  return ({ params, query }) => make(drawNumber(seed, name, toKey(params, query)), params)
}

/** The same handler for an endpoint that keeps what was sent: it gets the body as any handler does. */
const withParsedBody =
  (own: AnyMockHandler, endpoint: AnyEndpoint): AnyMockHandler =>
  (given, incoming) =>
    own({ ...given, body: getParsedBody(endpoint, given.body) }, incoming)

/** The names of the endpoints that are given something to keep. */
const listStoringEndpoints = (shapes: readonly DetectedCollection[], resources: readonly SingleResource[]): ReadonlySet<string> => {
  const all = [...shapes.flatMap(({ create, replace, change }) => [create, replace, change]), ...resources.map(({ put }) => put)]
  return new Set(all.flatMap((one) => (one === undefined ? [] : [one.name])))
}

/** Gives each endpoint its handler; `answers` are one's own, by name. */
export function createHandlers(
  all: readonly MockEndpoint[],
  answers: ReadonlyMap<string, AnyMockHandler>,
  seed: number,
): readonly HandledEndpoint[] {
  const shapes = detectCollections(all)
  const kept = new Map(shapes.flatMap((shape) => [...createCollectionHandlers(shape, seed)]))
  const resources = detectResources(all.filter(({ name }) => !kept.has(name)))
  for (const resource of resources) {
    const { get } = resource
    const first = createPageHandler(get, seed) ?? createExampleHandler(get, seed)
    for (const [name, handle] of createResourceHandlers(resource, first)) kept.set(name, handle)
  }
  const keepers = listStoringEndpoints(shapes, resources)

  const bare = all.map((one): HandledEndpoint => {
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
