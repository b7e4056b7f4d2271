/** Collections that keep what they are given: what was created is there, what was removed is not. */
import { mocked } from '../describe/message.ts'
import type { Scalar } from '../describe/parameter.ts'
import { filled } from '../describe/route.ts'
import { takes } from '../generate/calls.ts'
import { answering } from './answering.ts'
import { wordOf } from './draw.ts'
import type { Given, Handle } from './handle.ts'
import { pagedBy } from './paged.ts'
import { declared } from './raising.ts'
import { sentTo } from './sent.ts'
import type { Named, Shape } from './shapes.ts'
import { type Shelf, shelves } from './shelf.ts'

/** The texts of the captures, in the order of the path. */
const textsIn = ({ endpoint }: Named, { params }: Given): readonly string[] =>
  Object.entries(endpoint.params as Readonly<Record<string, Scalar<unknown>>>).map(([name, codec]) => codec.print(params[name]))

/** One shelf for each place: `/shops/1/items` has other items than `/shops/2/items`. */
function shelvesAt(shape: Shape, seed: number): (texts: readonly string[]) => Shelf {
  const make = shelves(shape, seed)
  const known = new Map<string, Shelf>()
  return (texts) => {
    const place = wordOf(texts)
    const shelf = known.get(place) ?? make(place)
    known.set(place, shelf)
    return shelf
  }
}

/** The members of a value over those of another. */
const merged = (below: unknown, above: unknown): unknown => Object.assign({}, below, above)

/** Puts an item in the place of another, with its identifier where it has none; one that the schema does not take changes nothing. */
function put(shelf: Shelf, id: string, item: unknown, { schema, identifier }: Shape): unknown {
  const current = shelf.items.get(id)
  const whole = takes(schema, item) ? item : merged({ [identifier]: Object(current)[identifier] }, item)
  if (!takes(schema, whole)) return current
  shelf.set(id, whole)
  return whole
}

/** What is done to one item; gives the item that is there then, or was. */
type Work = (shelf: Shelf, id: string, body: unknown) => unknown

/** The handlers of a collection, by the names of its endpoints. */
export function collectionHandles(shape: Shape, seed: number): ReadonlyMap<string, Handle> {
  const { create, list, item } = shape
  const shelfAt = shelvesAt(shape, seed)
  const handles = new Map<string, Handle>()

  /** Adds a handler of one item, which is 404 where there is none. */
  function ofOne(one: Named | undefined, work: Work): void {
    if (one === undefined) return
    const answer = answering(one, shape, seed)
    handles.set(one.name, (given) => {
      const texts = textsIn(one, given)
      const [shelf, id] = [shelfAt(texts.slice(0, -1)), texts.at(-1) ?? '']
      if (!shelf.items.has(id)) throw declared(one.endpoint, 404, { detail: mocked.notHere(id) })
      return answer(work(shelf, id, sentTo(one.endpoint, given.body)), given)
    })
  }

  ofOne(item, (shelf, id) => shelf.items.get(id))
  ofOne(shape.replace, (shelf, id, body) => put(shelf, id, body, shape))
  ofOne(shape.change, (shelf, id, body) => put(shelf, id, merged(shelf.items.get(id), body), shape))
  ofOne(shape.remove, (shelf, id) => shelf.remove(id))

  const answerCreated = answering(create, shape, seed)
  handles.set(create.name, (given) => {
    const texts = textsIn(create, given)
    const shelf = shelfAt(texts)
    const id = shelf.add(sentTo(create.endpoint, given.body))
    if (id === undefined) throw declared(create.endpoint, 507, { detail: mocked.full() })
    const places = [...texts, id]
    return answerCreated(
      shelf.items.get(id),
      given,
      filled(item.endpoint.segments, () => places.shift() ?? ''),
    )
  })

  if (list !== undefined) {
    const answer = answering(list, shape, seed)
    const answerAll = pagedBy(list.endpoint) ?? ((given, items) => answer(items, given))
    handles.set(list.name, (given) => answerAll(given, [...shelfAt(textsIn(list, given)).items.values()]))
  }
  return handles
}
