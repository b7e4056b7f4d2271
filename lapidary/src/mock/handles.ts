/** The handlers of a mock: one's own, those of collections and pages, and for all the rest what the description shows or allows. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { getPathShape } from '../describe/route.ts'
import { createCollectionHandlers } from './collections.ts'
import { withPrecondition } from './conditional.ts'
import { drawNumber, toKey } from './draw.ts'
import type { AnyMockHandler } from './handle.ts'
import { createPageHandler } from './paged.ts'
import { createResourceHandlers, detectResources, type SingleResource } from './resources.ts'
import { getParsedBody, passThroughEndpoint } from './sent.ts'
import { type DetectedCollection, detectCollections, type MockEndpoint } from './shapes.ts'
import { createSuccessMaker } from './success.ts'

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
