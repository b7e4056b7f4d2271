/** Collections that keep what they are given: what was created is there, what was removed is not. */

import { type AnyEndpoint, type AnyReply, type Codec, isParseError, type Schema, type StandardSchemaResult, withHeaders } from 'lapidary'
import { fillPath, getJsonSchema, getPathShape, isPromise, mockDetail, type ParameterValues } from 'lapidary/internal'
import { acceptsValue } from '../generate/calls.ts'
import { type DetectedCollection, isItemSchema, isListSchema, type MockEndpoint } from './detectCollections.ts'
import { createInMemoryCollections, type InMemoryCollection } from './inMemoryCollection.ts'
import { createPager } from './pages.ts'
import {
  type AnyMockHandler,
  createDeclaredError,
  createHeadersMaker,
  createReplyMaker,
  drawNumber,
  getHandlerReply,
  getResponseExample,
  type MockInput,
  toKey,
} from './responses.ts'

// Answers of a collection's endpoints: with what is kept, where their replies have a place for it.

/** Puts an answer together; `location` is where an item was created. */
export type RespondWithItem = (value: unknown, given: MockInput, location?: string) => unknown

/** The headers with the Location that they declare, in whatever case. */
function addLocation(headers: ParameterValues, { headers: declared }: AnyReply, location: string | undefined): ParameterValues {
  const [name, parameter] = Object.entries(declared).find(([one]) => one.toLowerCase() === 'location') ?? []
  if (name === undefined || location === undefined) return headers
  const value: unknown = parameter?.read({ values: [location], isPresent: true })
  return isParseError(value) ? headers : { ...headers, [name]: value }
}

/** What an endpoint of a collection answers with a value; where its reply has another body, with whatever that allows. */
export function createItemResponder(
  one: MockEndpoint | undefined,
  { schema, identifier }: DetectedCollection,
  seed: number,
): RespondWithItem {
  if (one === undefined) return () => undefined
  const { name, endpoint } = one
  const reply = getHandlerReply(endpoint)
  const body = reply.content?.schema
  const isOfIts = reply.content === undefined || isItemSchema(body, schema, identifier) || isListSchema(body, schema)
  const other = createReplyMaker(endpoint.route, { ...reply, headers: {} })
  const headers = createHeadersMaker(reply)
  const shown = Object(getResponseExample(endpoint)).headers as ParameterValues | undefined
  const hasHeaders = Object.keys(reply.headers).length > 0
  return (value, { params }, location) => {
    const drawn = drawNumber(seed, name, toKey(params))
    const told = isOfIts ? (reply.content === undefined ? undefined : value) : other(drawn, params)
    return hasHeaders ? withHeaders(told, addLocation({ ...headers(drawn), ...shown }, reply, location)) : told
  }
}

// Bodies as they were sent, beside what their schema makes of them: what is kept is answered again as it stood on the wire.

/** A body that was read. */
export interface PassThroughBody {
  readonly sent: unknown
  /** As the schema gives it to a handler. */
  readonly parsed: unknown
}

const pairWithSent = (verdict: StandardSchemaResult<unknown>, sent: unknown): StandardSchemaResult<PassThroughBody> =>
  verdict.issues === undefined ? { value: { sent, parsed: verdict.value } } : verdict

function passThroughSchema(schema: Schema): Schema<unknown, PassThroughBody> {
  const { version, vendor, validate } = schema['~standard']
  return {
    '~standard': {
      version,
      vendor,
      validate: (value) => {
        const verdict = validate(value)
        return isPromise(verdict) ? verdict.then((late) => pairWithSent(late, value)) : pairWithSent(verdict, value)
      },
      jsonSchema: { input: () => ({ ...getJsonSchema(schema) }) },
    },
  }
}

/** The same endpoint, whose handler gets a `PassThroughBody` as its body where that has a schema. */
export const passThroughEndpoint = (endpoint: AnyEndpoint): AnyEndpoint =>
  endpoint.body?.schema === undefined
    ? endpoint
    : { ...endpoint, body: { ...endpoint.body, schema: passThroughSchema(endpoint.body.schema) } }

/** The body as it was sent, of an endpoint that keeps it. */
export const getSentBody = ({ body: declared }: AnyEndpoint, body: unknown): unknown =>
  declared?.schema === undefined ? body : (body as PassThroughBody).sent

/** The body as any handler gets it. */
export const getParsedBody = ({ body: declared }: AnyEndpoint, body: unknown): unknown =>
  declared?.schema === undefined ? body : (body as PassThroughBody).parsed

/** The texts of the captures, in the order of the path. */
const printCaptures = ({ endpoint }: MockEndpoint, { params }: MockInput): readonly string[] =>
  Object.entries(endpoint.params as Readonly<Record<string, Codec<unknown>>>).map(([name, codec]) => codec.print(params[name]))

/** One shelf for each place: `/shops/1/items` has other items than `/shops/2/items`. */
function createCollectionLookup(shape: DetectedCollection, seed: number): (texts: readonly string[]) => InMemoryCollection {
  const make = createInMemoryCollections(shape, seed)
  const known = new Map<string, InMemoryCollection>()
  return (texts) => {
    const place = toKey(texts)
    const shelf = known.get(place) ?? make(place)
    known.set(place, shelf)
    return shelf
  }
}

/** The members of a value over those of another. */
const mergeMembers = (below: unknown, above: unknown): unknown => Object.assign({}, below, above)

/** Puts an item in the place of another, with its identifier where it has none; one that the schema does not take changes nothing. */
function replaceItem(shelf: InMemoryCollection, id: string, item: unknown, { schema, identifier }: DetectedCollection): unknown {
  const current = shelf.items.get(id)
  const whole = acceptsValue(schema, item) ? item : mergeMembers({ [identifier]: Object(current)[identifier] }, item)
  if (!acceptsValue(schema, whole)) return current
  shelf.set(id, whole)
  return whole
}

/** What is done to one item; gives the item that is there then, or was. */
type ItemOperation = (shelf: InMemoryCollection, id: string, body: unknown) => unknown

/** The handlers of a collection, by the names of its endpoints. */
export function createCollectionHandlers(shape: DetectedCollection, seed: number): ReadonlyMap<string, AnyMockHandler> {
  const { create, list, item } = shape
  const shelfAt = createCollectionLookup(shape, seed)
  const handles = new Map<string, AnyMockHandler>()

  /** Adds a handler of one item, which is 404 where there is none. */
  function ofOne(one: MockEndpoint | undefined, work: ItemOperation): void {
    if (one === undefined) return
    const answer = createItemResponder(one, shape, seed)
    handles.set(one.name, (given) => {
      const texts = printCaptures(one, given)
      const [shelf, id] = [shelfAt(texts.slice(0, -1)), texts.at(-1) ?? '']
      if (!shelf.items.has(id)) throw createDeclaredError(one.endpoint, 404, { detail: mockDetail.notHere(id) })
      return answer(work(shelf, id, getSentBody(one.endpoint, given.body)), given)
    })
  }

  ofOne(item, (shelf, id) => shelf.items.get(id))
  ofOne(shape.replace, (shelf, id, body) => replaceItem(shelf, id, body, shape))
  ofOne(shape.change, (shelf, id, body) => replaceItem(shelf, id, mergeMembers(shelf.items.get(id), body), shape))
  ofOne(shape.remove, (shelf, id) => shelf.remove(id))

  const answerCreated = createItemResponder(create, shape, seed)
  handles.set(create.name, (given) => {
    const texts = printCaptures(create, given)
    const shelf = shelfAt(texts)
    const id = shelf.add(getSentBody(create.endpoint, given.body))
    if (id === undefined) throw createDeclaredError(create.endpoint, 507, { detail: mockDetail.full() })
    const places = [...texts, id]
    return answerCreated(
      shelf.items.get(id),
      given,
      fillPath(item.endpoint.segments, () => places.shift() ?? ''),
    )
  })

  if (list !== undefined) {
    const answer = createItemResponder(list, shape, seed)
    const answerAll = createPager(list.endpoint) ?? ((given, items) => answer(items, given))
    handles.set(list.name, (given) => answerAll(given, [...shelfAt(printCaptures(list, given)).items.values()]))
  }
  return handles
}

// Single resources: what a `PUT` put at the path of a `GET` is there, and what a `DELETE` removed is not.

/** What happened at a path: something was put there, or it was removed. */
type ResourceState = { readonly value: unknown } | 'removed'

/** A resource: its `GET`, and what changes it. */
export interface SingleResource {
  readonly get: MockEndpoint
  readonly put: MockEndpoint | undefined
  readonly remove: MockEndpoint | undefined
}

/** Whether what a change is sent is what its GET answers: the same form, or the same medium. */
function storesGetBody({ body, response: done }: AnyEndpoint, { response: { content } }: AnyEndpoint): boolean {
  if (body === undefined || content === undefined || done.content !== undefined || Object.keys(done.headers).length > 0) return false
  if (body.schema === undefined || content.schema === undefined) return body.schema === content.schema && body.media[0] === content.media[0]
  return JSON.stringify(getJsonSchema(body.schema)) === JSON.stringify(getJsonSchema(content.schema))
}

/** The resources among these endpoints. Their changes answer without a body. */
export function detectResources(all: readonly MockEndpoint[]): readonly SingleResource[] {
  const at = (method: string, { endpoint: { segments } }: MockEndpoint): MockEndpoint | undefined =>
    all.find(({ endpoint }) => endpoint.method === method && getPathShape(endpoint.segments) === getPathShape(segments))
  return all
    .filter(({ endpoint: { method } }) => method === 'GET')
    .flatMap((get): readonly SingleResource[] => {
      const [put, remove] = [at('PUT', get), at('DELETE', get)]
      const isSame = put !== undefined && storesGetBody(put.endpoint, get.endpoint)
      const isBare = remove?.endpoint.response.content === undefined && Object.keys(remove?.endpoint.response.headers ?? {}).length === 0
      const resource = { get, put: isSame ? put : undefined, remove: isBare ? remove : undefined }
      return resource.put === undefined && resource.remove === undefined ? [] : [resource]
    })
}

/** The handlers of a resource, by the names of its endpoints; `first` answers until something is put there. */
export function createResourceHandlers({ get, put, remove }: SingleResource, first: AnyMockHandler): ReadonlyMap<string, AnyMockHandler> {
  const states = new Map<string, ResourceState>()
  const handles = new Map<string, AnyMockHandler>()
  const isNotable = get.endpoint.errors.some(({ status }) => status === 404)
  const hasHeaders = Object.keys(getHandlerReply(get.endpoint).headers).length > 0
  const stateOf = (params: object): ResourceState | undefined => states.get(toKey(Object.values(params)))

  /** @throws HttpError 404 for what was removed. */
  function there(endpoint: AnyEndpoint, params: object): void {
    if (stateOf(params) === 'removed') throw createDeclaredError(endpoint, 404, { detail: mockDetail.removed() })
  }

  handles.set(get.name, (given, incoming) => {
    there(get.endpoint, given.params)
    const state = stateOf(given.params)
    if (state === undefined || state === 'removed') return first(given, incoming)
    if (!hasHeaders) return state.value
    return withHeaders(state.value, (first(given, incoming) as { readonly headers: unknown }).headers)
  })
  if (put !== undefined)
    handles.set(put.name, ({ params, body }) => void states.set(toKey(Object.values(params)), { value: getSentBody(put.endpoint, body) }))
  if (remove !== undefined)
    handles.set(remove.name, ({ params }) => {
      there(remove.endpoint, params)
      // A GET that is never 404 has something to answer, whatever was done: what was there first.
      if (isNotable) states.set(toKey(Object.values(params)), 'removed')
      else states.delete(toKey(Object.values(params)))
    })
  return handles
}
