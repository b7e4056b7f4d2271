/** Handlers that keep what they are sent, until the program ends: those of collections and of single resources. */

import { type AnyEndpoint, type AnyReply, type Codec, isParseError, type Schema, type StandardSchemaResult, withHeaders } from 'lapidary'
import { fillPath, findReplies, getJsonSchema, getPathShape, isPromise, isSameSchema, mergeJson } from 'lapidary/internal'
import { acceptsValue } from '../generate/calls.ts'
import { mockDetail } from '../testingMessages.ts'
import {
  type DetectedCollection,
  findEndpoint,
  isItemPart,
  isItemSchema,
  isListSchema,
  listServerMembers,
  type MockEndpoint,
} from './detectCollections.ts'
import { hashWords } from './hash.ts'
import { createInMemoryCollections, type InMemoryCollection } from './inMemoryCollection.ts'
import { createPager } from './pages.ts'
import {
  type AnyMockHandler,
  createDeclaredError,
  createReplyHeaders,
  createReplyResult,
  getHandlerReply,
  getResponseExample,
  type MockInput,
  toKey,
} from './responses.ts'

/** A body as it was sent, and as the schema parses it for a handler. What is stored is returned as it was sent. */
interface PassThroughBody {
  readonly sent: unknown
  readonly parsed: unknown
}

const pairWithSent = (result: StandardSchemaResult<unknown>, sent: unknown): StandardSchemaResult<PassThroughBody> =>
  result.issues === undefined ? { value: { sent, parsed: result.value } } : result

function passThroughSchema(schema: Schema): Schema<unknown, PassThroughBody> {
  const { version, vendor, validate } = schema['~standard']
  return {
    '~standard': {
      version,
      vendor,
      validate: (value) => {
        const result = validate(value)
        return isPromise(result) ? result.then((late) => pairWithSent(late, value)) : pairWithSent(result, value)
      },
      jsonSchema: { input: () => ({ ...getJsonSchema(schema) }) },
    },
  }
}

/** Returns an endpoint whose handler gets both forms of the body, if the body has a schema. */
export const passThroughEndpoint = (endpoint: AnyEndpoint): AnyEndpoint =>
  endpoint.body?.schema === undefined
    ? endpoint
    : { ...endpoint, body: { ...endpoint.body, schema: passThroughSchema(endpoint.body.schema) } }

/** Returns the body as it was sent; `undefined` for an optional one that was left out. */
const getSentBody = ({ body: declared }: AnyEndpoint, body: unknown): unknown =>
  declared?.schema === undefined ? body : (body as PassThroughBody | undefined)?.sent

/** Returns the body as the schema parses it. */
export const getParsedBody = ({ body: declared }: AnyEndpoint, body: unknown): unknown =>
  declared?.schema === undefined ? body : (body as PassThroughBody | undefined)?.parsed

/** Sets the declared Location header, in any case, to a path. */
function addLocation(
  headers: Readonly<Record<string, unknown>>,
  { headers: declared }: AnyReply,
  location: string | undefined,
): Readonly<Record<string, unknown>> {
  const [name, parameter] = Object.entries(declared).find(([header]) => header.toLowerCase() === 'location') ?? []
  if (name === undefined || location === undefined) return headers
  const value: unknown = parameter?.read({ values: [location], isPresent: true })
  return isParseError(value) ? headers : { ...headers, [name]: value }
}

/** Creates the result of a handler from an item or a list; `location` is the path of a new item. */
type RespondWithItem = (value: unknown, input: MockInput, location?: string) => unknown

const omitMembers = (value: unknown, names: readonly string[]): unknown =>
  Object.fromEntries(Object.entries(Object(value)).filter(([name]) => !names.includes(name)))

/** Creates the responder of an endpoint of a collection. If its reply has another body, the body is generated. */
function createItemResponder({ name, endpoint }: MockEndpoint, { schema, identifier }: DetectedCollection, seed: number): RespondWithItem {
  const reply = getHandlerReply(endpoint)
  const body = reply.content?.schema
  const hasItems = isItemSchema(body, schema, identifier) || isListSchema(body, schema)
  // Such as the identifier alone, in the response to a POST.
  const isPart = !hasItems && isItemPart(body, schema)
  const omitted = isPart ? listServerMembers(body, schema) : []
  const createOther = createReplyResult(endpoint.route, { ...reply, headers: {} })
  const createHeaders = createReplyHeaders(reply)
  const exampleHeaders = Object(getResponseExample(endpoint)).headers as Readonly<Record<string, unknown>> | undefined
  const hasHeaders = Object.keys(reply.headers).length > 0
  return (value, { params }, location) => {
    const requestSeed = hashWords(seed, name, toKey(params))
    const shown = hasItems ? value : isPart ? omitMembers(value, omitted) : undefined
    const result = reply.content === undefined ? undefined : (shown ?? createOther(requestSeed, params))
    return hasHeaders ? withHeaders(result, addLocation({ ...createHeaders(requestSeed), ...exampleHeaders }, reply, location)) : result
  }
}

/** Prints the captures in the order of the path. */
const printCaptures = ({ described }: MockEndpoint, { params }: MockInput): readonly string[] =>
  Object.entries(described.params as Readonly<Record<string, Codec<unknown>>>).map(([name, codec]) => codec.print(params[name]))

/** Creates a lookup of collections by their captures: `/shops/1/items` and `/shops/2/items` have different items. */
function createCollectionLookup(collection: DetectedCollection, seed: number): (captures: readonly string[]) => InMemoryCollection {
  const createCollection = createInMemoryCollections(collection, seed)
  const known = new Map<string, InMemoryCollection>()
  return (captures) => {
    const place = toKey(captures)
    const found = known.get(place) ?? createCollection(place)
    known.set(place, found)
    return found
  }
}

const mergeMembers = (value: unknown, changes: unknown): unknown => Object.assign({}, value, changes)

/** Returns what merges the body of a PATCH into an item: by RFC 7396 for a merge patch, else member by member. */
const getMerge = (change: MockEndpoint | undefined): typeof mergeMembers =>
  change?.endpoint.body?.media.some(({ types }) => types.includes('application/merge-patch+json')) === true ? mergeJson : mergeMembers

/**
 * Replaces an item, and returns the new one. An item without identifier keeps it, and the members that the body cannot have. An item that
 * the schema refuses changes nothing.
 */
function replaceItem(
  items: InMemoryCollection,
  id: string,
  item: unknown,
  { schema, identifier }: DetectedCollection,
  serverMembers: readonly string[] = [],
): unknown {
  const current = Object(items.items.get(id))
  const kept = Object.fromEntries(
    [identifier, ...serverMembers].filter((name) => Object.hasOwn(current, name)).map((name) => [name, current[name]]),
  )
  const candidates = serverMembers.length === 0 ? [item, mergeMembers(kept, item)] : [mergeMembers(kept, item), item]
  const replacement = candidates.find((candidate) => acceptsValue(schema, candidate))
  if (replacement === undefined) return items.items.get(id)
  items.set(id, replacement)
  return replacement
}

/**
 * The item of a body that replaces or changes another one. Where the body names a third one, it is refused if the endpoint declares 409, and
 * keeps the identifier of the path if not: a collection never has two items with one identifier.
 */
function keepIdentifier({ endpoint }: MockEndpoint, items: InMemoryCollection, id: string, value: unknown, identifier: string): unknown {
  const named = items.readIdentifier(value)
  if (named === undefined || named === id) return value
  if (findReplies(endpoint.errors, 409).length > 0) throw createDeclaredError(endpoint, 409, { detail: mockDetail.otherIdentifier(id) })
  const current = Object(items.items.get(id))
  return Object.hasOwn(current, identifier) ? mergeMembers(value, { [identifier]: current[identifier] }) : value
}

const declares404 = ({ errors }: AnyEndpoint): boolean => findReplies(errors, 404).length > 0

/** Whether the endpoint removes what is there, and promises success where nothing is. */
const isRepeatable = (endpoint: AnyEndpoint): boolean => endpoint.method === 'DELETE' && !declares404(endpoint)

/** Reads or changes an item, and returns what the response shows. */
type ItemOperation = (items: InMemoryCollection, id: string, body: unknown, operation: MockEndpoint) => unknown

/** Creates the handlers of a collection, by the name of their endpoint. */
export function createCollectionHandlers(collection: DetectedCollection, seed: number): ReadonlyMap<string, AnyMockHandler> {
  const { create, list, item, replace, change, remove, identifier } = collection
  const getItems = createCollectionLookup(collection, seed)
  const handlers = new Map<string, AnyMockHandler>()

  /** Adds a handler of one item, which responds with 404 if there is none. A DELETE that declares no 404 has nothing to do then. */
  function addItemHandler(operation: MockEndpoint | undefined, run: ItemOperation): void {
    if (operation === undefined) return
    const { name, endpoint } = operation
    const respond = createItemResponder(operation, collection, seed)
    handlers.set(name, (input) => {
      const captures = printCaptures(operation, input)
      const [items, id] = [getItems(captures.slice(0, -1)), captures.at(-1) ?? '']
      if (!items.items.has(id)) {
        if (isRepeatable(endpoint)) return respond(undefined, input)
        throw createDeclaredError(endpoint, 404, { detail: mockDetail.notFound(id) })
      }
      return respond(run(items, id, getSentBody(endpoint, input.body), operation), input)
    })
  }

  addItemHandler(item, ({ items }, id) => items.get(id))
  const replaceMembers = listServerMembers(replace?.endpoint.body?.schema, collection.schema)
  addItemHandler(replace, (items, id, body, operation) =>
    body === undefined
      ? items.items.get(id)
      : replaceItem(items, id, keepIdentifier(operation, items, id, body, identifier), collection, replaceMembers),
  )
  const merge = getMerge(change)
  addItemHandler(change, (items, id, body, operation) => {
    const changed = keepIdentifier(operation, items, id, merge(items.items.get(id), body ?? {}), identifier)
    return replaceItem(items, id, changed, collection)
  })
  addItemHandler(remove, (items, id) => items.remove(id))

  const respondCreated = createItemResponder(create, collection, seed)
  handlers.set(create.name, (input) => {
    const captures = printCaptures(create, input)
    const items = getItems(captures)
    const sent = getSentBody(create.endpoint, input.body) ?? {}
    if (items.isTaken(sent) && findReplies(create.endpoint.errors, 409).length > 0)
      throw createDeclaredError(create.endpoint, 409, { detail: mockDetail.taken() })
    const id = items.add(sent)
    if (id === undefined) throw createDeclaredError(create.endpoint, 507, { detail: mockDetail.full() })
    const texts = [...captures, id]
    const location = fillPath(item.endpoint.segments, () => texts.shift() ?? '')
    return respondCreated(items.items.get(id), input, location)
  })

  if (list !== undefined) {
    const respond = createItemResponder(list, collection, seed)
    const respondAll = createPager(list) ?? ((input, items) => respond(items, input))
    handlers.set(list.name, (input) => respondAll(input, [...getItems(printCaptures(list, input)).items.values()]))
  }
  return handlers
}

/** A GET whose value PUT and DELETE at the same path change. */
interface SingleResource {
  readonly get: MockEndpoint
  readonly put: MockEndpoint | undefined
  readonly remove: MockEndpoint | undefined
}

/** Whether PUT takes what GET returns: the same JSON Schema, or the same media type without one. An optional body is not stored. */
function storesGetBody({ body, response }: AnyEndpoint, { response: { content } }: AnyEndpoint): boolean {
  if (
    body === undefined ||
    body.isOptional ||
    content === undefined ||
    response.content !== undefined ||
    Object.keys(response.headers).length > 0
  )
    return false
  if (body.schema === undefined || content.schema === undefined) return body.schema === content.schema && body.media[0] === content.media[0]
  return isSameSchema(getJsonSchema(body.schema), getJsonSchema(content.schema))
}

/** Finds the single resources among these endpoints. Their PUT and DELETE respond without a body. */
export function detectResources(endpoints: readonly MockEndpoint[]): readonly SingleResource[] {
  const findBeside = (method: string, { endpoint: { segments } }: MockEndpoint): MockEndpoint | undefined =>
    findEndpoint(endpoints, method, getPathShape(segments))
  return endpoints
    .filter(({ endpoint: { method } }) => method === 'GET')
    .flatMap((get): readonly SingleResource[] => {
      const [put, remove] = [findBeside('PUT', get), findBeside('DELETE', get)]
      const isStored = put !== undefined && storesGetBody(put.endpoint, get.endpoint)
      const { content, headers = {} } = remove?.endpoint.response ?? {}
      const isBare = content === undefined && Object.keys(headers).length === 0
      const resource = { get, put: isStored ? put : undefined, remove: isBare ? remove : undefined }
      return resource.put === undefined && resource.remove === undefined ? [] : [resource]
    })
}

/** The state of a resource after its first change. */
type ResourceState = { readonly value: unknown } | 'removed'

/** Creates the handlers of a resource, by the name of their endpoint. `initial` responds until the first change. */
export function createResourceHandlers({ get, put, remove }: SingleResource, initial: AnyMockHandler): ReadonlyMap<string, AnyMockHandler> {
  const states = new Map<string, ResourceState>()
  const handlers = new Map<string, AnyMockHandler>()
  const canBeMissing = declares404(get.endpoint)
  const hasHeaders = Object.keys(getHandlerReply(get.endpoint).headers).length > 0
  const getKey = (params: object): string => toKey(Object.values(params))

  /** @throws HttpError 404 for a removed resource */
  function requireExisting({ endpoint }: MockEndpoint, params: object): void {
    if (states.get(getKey(params)) === 'removed') throw createDeclaredError(endpoint, 404, { detail: mockDetail.removed() })
  }

  handlers.set(get.name, (input, request) => {
    requireExisting(get, input.params)
    const state = states.get(getKey(input.params))
    if (state === undefined || state === 'removed') return initial(input, request)
    if (!hasHeaders) return state.value
    return withHeaders(state.value, (initial(input, request) as { readonly headers: unknown }).headers)
  })
  if (put !== undefined)
    handlers.set(put.name, ({ params, body }) => void states.set(getKey(params), { value: getSentBody(put.endpoint, body) }))
  if (remove !== undefined)
    handlers.set(remove.name, ({ params }) => {
      if (!isRepeatable(remove.endpoint)) requireExisting(remove, params)
      // A GET without a declared 404 responds with its initial value again.
      if (canBeMissing) states.set(getKey(params), 'removed')
      else states.delete(getKey(params))
    })
  return handlers
}
