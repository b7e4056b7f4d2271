/** The handlers of a mock: one's own, those of collections and pages, and for all the rest what the description shows or allows. */
import type { AnyEndpoint } from '../describe/endpoint.ts'
import { shapeOf } from '../describe/route.ts'
import { collectionHandles } from './collections.ts'
import { conditional } from './conditional.ts'
import { draw, wordOf } from './draw.ts'
import type { Handle } from './handle.ts'
import { pagedHandle } from './paged.ts'
import { type Resource, resourceHandles, resourcesIn } from './resources.ts'
import { keepingSent, readBy } from './sent.ts'
import { type Named, type Shape, shapesIn } from './shapes.ts'
import { successMaking } from './success.ts'

/** An endpoint as it is served, with its handler. */
export interface Handled extends Named {
  readonly handle: Handle
}

/** The handler that answers with what the description shows, or allows. */
function described({ name, endpoint }: Named, seed: number): Handle {
  const make = successMaking(endpoint)
  return ({ params, query }) => make(draw(seed, name, wordOf(params, query)), params)
}

/** The same handler for an endpoint that keeps what was sent: it gets the body as any handler does. */
const reading =
  (own: Handle, endpoint: AnyEndpoint): Handle =>
  (given, incoming) =>
    own({ ...given, body: readBy(endpoint, given.body) }, incoming)

/** The names of the endpoints that are given something to keep. */
const keepersIn = (shapes: readonly Shape[], resources: readonly Resource[]): ReadonlySet<string> => {
  const all = [...shapes.flatMap(({ create, replace, change }) => [create, replace, change]), ...resources.map(({ put }) => put)]
  return new Set(all.flatMap((one) => (one === undefined ? [] : [one.name])))
}

/** Gives each endpoint its handler; `answers` are one's own, by name. */
export function handled(all: readonly Named[], answers: ReadonlyMap<string, Handle>, seed: number): readonly Handled[] {
  const shapes = shapesIn(all)
  const kept = new Map(shapes.flatMap((shape) => [...collectionHandles(shape, seed)]))
  const resources = resourcesIn(all.filter(({ name }) => !kept.has(name)))
  for (const resource of resources) {
    const { get } = resource
    const first = pagedHandle(get, seed) ?? described(get, seed)
    for (const [name, handle] of resourceHandles(resource, first)) kept.set(name, handle)
  }
  const keepers = keepersIn(shapes, resources)

  const bare = all.map((one): Handled => {
    const [own, isKeeper] = [answers.get(one.name), keepers.has(one.name)]
    const ownHandle = own !== undefined && isKeeper ? reading(own, one.endpoint) : own
    const handle = ownHandle ?? kept.get(one.name) ?? pagedHandle(one, seed) ?? described(one, seed)
    return { name: one.name, endpoint: isKeeper ? keepingSent(one.endpoint) : one.endpoint, handle }
  })

  const gets = new Map(bare.filter(({ endpoint }) => endpoint.method === 'GET').map((one) => [shapeOf(one.endpoint.segments), one]))
  return bare.map((one) => {
    const got = typeof one.endpoint.etag === 'string' ? gets.get(shapeOf(one.endpoint.segments)) : undefined
    return got === undefined ? one : { ...one, handle: conditional(one.handle, got, got.handle) }
  })
}
