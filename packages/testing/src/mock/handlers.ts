/** The handlers of a mock: given ones, those of collections, resources and pages, and responses from the description for the rest. */

import type { AnyEndpoint, Precondition, WithHeaders } from 'lapidary'
import { createQueryReader, getPathShape, isPromise, isReadError } from 'lapidary/internal'
import { detectCollections, findEndpoint, type MockEndpoint } from './detectCollections.ts'
import { hashWords } from './hash.ts'
import { createPageHandler } from './pages.ts'
import { type AnyMockHandler, createSuccessResult, getHandlerReply, type MockInput, toKey } from './responses.ts'
import {
  createCollectionHandlers,
  createResourceHandlers,
  detectResources,
  getParsedBody,
  passThroughEndpoint,
} from './statefulHandlers.ts'

/** An endpoint as it is served, with its handler. */
interface HandledEndpoint extends MockEndpoint {
  readonly handler: AnyMockHandler
}

/** Returns the input of a GET with these captures and nothing else. */
function toGetInput({ query, parameterGroups }: AnyEndpoint, { params, user }: MockInput): MockInput {
  const values = createQueryReader(query, parameterGroups.query)('')
  return { params, query: isReadError(values) ? {} : values, headers: {}, cookies: {}, body: undefined, user }
}

/** Wraps a handler of a change: its precondition is tested against the result of the GET at the same path. @throws HttpError 412 */
function withPrecondition(handler: AnyMockHandler, get: HandledEndpoint): AnyMockHandler {
  const hasHeaders = Object.keys(getHandlerReply(get.endpoint).headers).length > 0
  const checkPrecondition = (precondition: Precondition, current: unknown): void =>
    precondition(hasHeaders ? (current as WithHeaders<unknown, unknown>).body : current)
  return (input, request) => {
    const { precondition } = input
    if (precondition === undefined) return handler(input, request)
    const current = get.handler(toGetInput(get.endpoint, input), request)
    if (isPromise(current))
      return current.then((value) => {
        checkPrecondition(precondition, value)
        return handler(input, request)
      })
    // Without a promise, no other request can change the resource between the test and the change.
    checkPrecondition(precondition, current)
    return handler(input, request)
  }
}

/** Reads a body that arrives as a stream to its end, where it can be found invalid or too large. @throws HttpError 400, 413 */
async function drainBody(body: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of body);
}

const isStream = (body: unknown): body is AsyncIterable<unknown> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body

/** Creates a handler that returns an example, or generated values. */
function createDescribedHandler({ name, endpoint }: MockEndpoint, seed: number): AnyMockHandler {
  const createResult = createSuccessResult(endpoint)
  return (input) => {
    const create = (): unknown => createResult(hashWords(seed, name, toKey(input.params, input.query)), input)
    return isStream(input.body) ? drainBody(input.body).then(create) : create()
  }
}

/** Creates the handler of each endpoint; `given` are handlers of the caller, by name. */
export function createHandlers(
  endpoints: readonly MockEndpoint[],
  given: ReadonlyMap<string, AnyMockHandler>,
  seed: number,
): readonly HandledEndpoint[] {
  const collections = detectCollections(endpoints)
  const stateful = new Map(collections.flatMap((collection) => [...createCollectionHandlers(collection, seed)]))
  const resources = detectResources(endpoints.filter(({ name }) => !stateful.has(name)))
  for (const resource of resources) {
    const initial = createPageHandler(resource.get, seed) ?? createDescribedHandler(resource.get, seed)
    for (const [name, handler] of createResourceHandlers(resource, initial)) stateful.set(name, handler)
  }
  const storing = [...collections.flatMap(({ create, replace, change }) => [create, replace, change]), ...resources.map(({ put }) => put)]
  const storingNames = new Set(storing.map((endpoint) => endpoint?.name))

  const handled = endpoints.map((operation): HandledEndpoint => {
    const { name, endpoint } = operation
    const own = given.get(name)
    const created = own ?? stateful.get(name) ?? createPageHandler(operation, seed) ?? createDescribedHandler(operation, seed)
    if (!storingNames.has(name)) return { ...operation, handler: created }
    // The handler of the caller gets the body as the schema parses it.
    const handler: AnyMockHandler = own
      ? (input, request) => own({ ...input, body: getParsedBody(endpoint, input.body) }, request)
      : created
    return { ...operation, endpoint: passThroughEndpoint(endpoint), handler }
  })

  return handled.map((operation) => {
    const { etag, segments } = operation.endpoint
    const get = typeof etag === 'string' ? findEndpoint(handled, 'GET', getPathShape(segments)) : undefined
    return get === undefined ? operation : { ...operation, handler: withPrecondition(operation.handler, get) }
  })
}
