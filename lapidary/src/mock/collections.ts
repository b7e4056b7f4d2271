/** Collections that keep what they are given: what was created is there, what was removed is not. */

import { mocked } from '../describe/message.ts'
import type { AnyParameter, Scalar } from '../describe/parameter.ts'
import { Refusal } from '../describe/refusal.ts'
import { withHeaders } from '../describe/reply.ts'
import { filled } from '../describe/route.ts'
import type { Schema } from '../describe/schema.ts'
import { takes } from '../generate/calls.ts'
import { draw, wordOf } from './draw.ts'
import type { Given, Handle } from './handle.ts'
import { declared } from './raising.ts'
import type { Sent } from './sent.ts'
import { isItem, type Named, type Shape } from './shapes.ts'
import { type Shelf, shelves } from './shelf.ts'
import { exampleOf, headersMaking, replyMaking, replyOf } from './success.ts'

/** The texts of the captures, in the order of the path. */
const textsIn = ({ endpoint }: Named, { params }: Given): readonly string[] =>
  Object.entries(endpoint.params as Readonly<Record<string, Scalar<unknown>>>).map(([name, codec]) => codec.print(params[name]))

/** The headers of an answer: what they are, or what they are shown to be, or what they may be. */
function headersOf({ endpoint }: Named, seed: number, known: Readonly<Record<string, string>>): (given: Given) => object | undefined {
  const reply = replyOf(endpoint)
  const entries = Object.entries(reply.headers)
  if (entries.length === 0) return () => undefined
  const shown = (exampleOf(endpoint) as { readonly headers?: object } | undefined)?.headers
  const make = headersMaking(reply)
  const read = (parameter: AnyParameter, text: string): unknown => parameter.read({ texts: [text], named: true })
  return () => {
    const made = { ...make(seed), ...shown }
    for (const [name, parameter] of entries) {
      const value = known[name.toLowerCase()]
      const header = value === undefined ? new Refusal([]) : read(parameter, value)
      if (!(header instanceof Refusal)) made[name] = header
    }
    return made
  }
}

/** The members of a body over those of what is there. */
const merged = (current: unknown, changes: unknown): unknown => Object.assign({}, current, changes)

/** The handlers of a collection, by the names of its endpoints. */
export function collectionHandles(shape: Shape, seed: number): ReadonlyMap<string, Handle> {
  const { create, item, schema, capture } = shape
  const make = shelves(shape, seed)
  const known = new Map<string, Shelf>()
  /** One shelf for each place: `/shops/1/items` has others than `/shops/2/items`. */
  function shelfAt(texts: readonly string[]): Shelf {
    const place = wordOf(texts)
    const shelf = known.get(place) ?? make(place)
    known.set(place, shelf)
    return shelf
  }

  /** Answers with an item where the reply has a place for one, and with whatever it allows where it has another body. */
  function answering(one: Named): (value: unknown, given: Given, known?: Readonly<Record<string, string>>) => unknown {
    const { content, headers } = replyOf(one.endpoint)
    const isOfItem = isItem(content?.schema, schema, capture)
    const other = replyMaking(one.endpoint.route, { ...one.endpoint.response, headers: {} })
    return (value, given, told = {}) => {
      const drawn = draw(seed, one.name, wordOf(given.params))
      const body = content === undefined ? undefined : isOfItem ? value : other(drawn, given.params)
      return Object.keys(headers).length === 0 ? body : withHeaders(body, headersOf(one, drawn, told)(given))
    }
  }

  const handles = new Map<string, Handle>()

  /** A handler of one item. @throws HttpError 404 where it is not there. */
  function ofItem(one: Named | undefined, work: (shelf: Shelf, id: string, given: Given) => unknown): void {
    if (one === undefined) return
    const answer = answering(one)
    handles.set(one.name, (given) => {
      const texts = textsIn(one, given)
      const [shelf, id] = [shelfAt(texts.slice(0, -1)), texts.at(-1) ?? '']
      if (!shelf.items.has(id)) throw declared(one.endpoint, 404, { detail: mocked.notHere(id) })
      return answer(work(shelf, id, given), given)
    })
  }

  const sentIn = ({ body }: Given): unknown => (body as Sent).sent

  /** What is kept under an identifier: with the member that names it, where the body had none. */
  function kept(shelf: Shelf, id: string, value: unknown, schema: Schema): unknown {
    const whole = takes(schema, value) ? value : merged(shelf.items.get(id), value)
    if (takes(schema, whole)) shelf.set(id, whole)
    return shelf.items.get(id)
  }

  ofItem(item, (shelf, id) => shelf.items.get(id))
  ofItem(shape.replace, (shelf, id, given) => kept(shelf, id, sentIn(given), schema))
  ofItem(shape.change, (shelf, id, given) => {
    const { body } = given
    return kept(shelf, id, merged(shelf.items.get(id), typeof body === 'object' ? sentIn(given) : {}), schema)
  })
  ofItem(shape.remove, (shelf, id) => {
    const value = shelf.items.get(id)
    shelf.remove(id)
    return value
  })

  const answerCreated = answering(create)
  handles.set(create.name, (given) => {
    const texts = textsIn(create, given)
    const shelf = shelfAt(texts)
    const id = shelf.add(sentIn(given))
    const places = [...texts, id]
    const location = filled(item.endpoint.segments, () => places.shift() ?? '')
    return answerCreated(shelf.items.get(id), given, { location })
  })

  if (shape.list !== undefined) {
    const { list } = shape
    const hasHeaders = Object.keys(replyOf(list.endpoint).headers).length > 0
    handles.set(list.name, (given) => {
      const all = [...shelfAt(textsIn(list, given)).items.values()]
      return hasHeaders ? withHeaders(all, headersOf(list, draw(seed, list.name), {})(given)) : all
    })
  }
  return handles
}
