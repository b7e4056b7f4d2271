/** A shelf: the items of one collection, by the texts of their identifiers. */
import type { AnyParameter, Scalar } from '../describe/parameter.ts'
import type { Values } from '../describe/reading.ts'
import { Refusal } from '../describe/refusal.ts'
import { textsFor } from '../generate/parameters.ts'
import { sampledOne } from '../generate/sampled.ts'
import { bodiesOf } from './bodies.ts'
import { draw } from './draw.ts'
import type { Shape } from './shapes.ts'
import { exampleOf, named, replyOf } from './success.ts'

/** The items in their order. */
export interface Shelf {
  readonly items: ReadonlyMap<string, unknown>
  /** Puts an item where it belongs, or in a place of its own; tells where. */
  readonly add: (item: unknown) => string
  readonly set: (id: string, item: unknown) => void
  /** Gives what was there. */
  readonly remove: (id: string) => unknown
}

const generatedItems = 3

/** How identifiers are written: 1, 2, 3, or whatever the codec reads. */
function identifiers(codec: Scalar<unknown>, drawn: number): (count: number) => string {
  const texts = textsFor(codec as AnyParameter, 'capture')
  return (count) => {
    const value = codec.parse(String(count))
    if (!(value instanceof Refusal)) return codec.print(value)
    const [text = String(count)] = texts === undefined ? [] : sampledOne(texts, draw(drawn, count))
    return text
  }
}

/** The items that the description shows: the whole list, or the one. */
function shownIn({ list, item }: Shape): { readonly items: readonly unknown[]; readonly isWhole: boolean } {
  const [all, one] = [list, item].map((named) => {
    const example = named === undefined ? undefined : exampleOf(named.endpoint)
    const isBare = named === undefined || Object.keys(replyOf(named.endpoint).headers).length === 0
    return isBare ? example : Object(example).body
  })
  if (Array.isArray(all)) return { items: all, isWhole: true }
  return { items: one === undefined ? [] : [one], isWhole: false }
}

/** Makes the shelves of a collection, each with the items that the description shows or with three that are made up. */
export function shelves(shape: Shape, seed: number): (place: string) => Shelf {
  const { item, schema, capture, identifier } = shape
  const codec = item.endpoint.params[capture] as Scalar<unknown>
  const content = item.endpoint.response.content
  const shown = shownIn(shape)

  return (place) => {
    const drawn = draw(seed, item.name, place)
    const items = new Map<string, unknown>()
    const idAt = identifiers(codec, drawn)
    const idOf = (count: number): Values => ({ [identifier]: codec.parse(idAt(count)) })
    let count = 1

    /** The identifier that an item has itself, unless somebody else has it. */
    function own(value: unknown): string | undefined {
      const member: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, identifier) : undefined
      if (typeof member !== 'string' && typeof member !== 'number') return undefined
      const read = codec.parse(String(member))
      const id = read instanceof Refusal ? undefined : codec.print(read)
      return id === undefined || items.has(id) ? undefined : id
    }

    function add(value: unknown): string {
      const known = own(value)
      if (known !== undefined) items.set(known, value)
      if (known !== undefined) return known
      while (items.has(idAt(count))) count += 1
      const id = idAt(count)
      const hasOwn = typeof value === 'object' && value !== null && Object.hasOwn(value, identifier)
      // What was given is kept as it is, even where its identifier is somebody else's.
      items.set(id, hasOwn ? value : named(value, schema, idOf(count)))
      return id
    }

    const values = shown.isWhole || content === undefined ? undefined : bodiesOf(content)
    for (const one of shown.items) add(one)
    for (let number = items.size + 1; values !== undefined && number <= generatedItems; number += 1)
      add(named(sampledOne(values, draw(drawn, number)), schema, idOf(number)))
    function remove(id: string): unknown {
      const value = items.get(id)
      items.delete(id)
      return value
    }
    return { items, add, remove, set: (id, value) => void items.set(id, value) }
  }
}
