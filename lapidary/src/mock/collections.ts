/** Collections that keep what they are given: what was created is there, what was removed is not. */
import { mockDetail } from '../describe/message.ts'
import type { Codec } from '../describe/parameter.ts'
import { fillPath } from '../describe/route.ts'
import { acceptsValue } from '../generate/calls.ts'
import { createItemResponder } from './answering.ts'
import { toKey } from './draw.ts'
import type { AnyMockHandler, MockInput } from './handle.ts'
import { createPager } from './paged.ts'
import { createDeclaredError } from './raising.ts'
import { getSentBody } from './sent.ts'
import type { DetectedCollection, MockEndpoint } from './shapes.ts'
import { createInMemoryCollections, type InMemoryCollection } from './shelf.ts'

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
