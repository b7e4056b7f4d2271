/** A shelf: the items of one collection, by the texts of their identifiers. */

import { type Codec, isParseError } from 'lapidary'
import { type AnyParameter, getJsonSchema, isValid } from 'lapidary/internal'
import { generateParameterTexts } from '../generate/parameterTexts.ts'
import { sampleOne } from '../generate/sample.ts'
import { createArbitrary } from '../generate/values.ts'
import type { DetectedCollection } from './detectCollections.ts'
import { drawNumber, generateResponseBodies, getHandlerReply, getResponseExample, setMembers } from './responses.ts'

// Identifiers for new items: 1, 2, 3, or whatever both the path and the items have a place for.

/** The identifier of this number, as its capture has it; undefined where there is none. */
export type GetIdentifier = (count: number) => unknown

/** What an identifier is read as; undefined for what is none. */
export function parseIdentifier(codec: Codec<unknown>, value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const read = codec.parse(String(value))
  return isParseError(read) ? undefined : read
}

/** Compiles the identifiers of a collection. The same number has the same one. */
export function createIdentifiers({ item, schema, capture, identifier }: DetectedCollection, drawn: number): GetIdentifier {
  const codec = item.endpoint.params[capture] as Codec<unknown>
  const root = getJsonSchema(schema)
  const member = root.properties?.[identifier]
  const isRight = (value: unknown): boolean => member === undefined || isValid(member, value, root)
  const members = member === undefined ? undefined : createArbitrary({ ...root, ...member }, isRight, 'plain')
  const texts = generateParameterTexts(codec as AnyParameter, 'capture')
  return (count) => {
    const counted = parseIdentifier(codec, count)
    if (counted !== undefined && isRight(counted)) return counted
    const made = members === undefined ? undefined : parseIdentifier(codec, sampleOne(members, drawNumber(drawn, count)))
    return made ?? (texts === undefined ? undefined : parseIdentifier(codec, sampleOne(texts, drawNumber(drawn, count))[0]))
  }
}

/** The items in their order. */
export interface InMemoryCollection {
  readonly items: ReadonlyMap<string, unknown>
  /** Puts an item where it belongs, or in a place of its own; tells where. Undefined where there is no place left. */
  readonly add: (item: unknown) => string | undefined
  readonly set: (id: string, item: unknown) => void
  /** Gives what was there. */
  readonly remove: (id: string) => unknown
}

const initialItemCount = 3

/** After so many that are taken there are no others: an identifier may be one of a few names. */
const maxIdentifierTries = 1_000

/** The items that the description shows: the whole list, or the one. */
function getExampleItems({ list, item }: DetectedCollection): { readonly items: readonly unknown[]; readonly isWhole: boolean } {
  const [all, one] = [list, item].map((named) => {
    const example = named === undefined ? undefined : getResponseExample(named.endpoint)
    const isBare = named === undefined || Object.keys(getHandlerReply(named.endpoint).headers).length === 0
    return isBare ? example : Object(example).body
  })
  if (Array.isArray(all)) return { items: all, isWhole: true }
  return { items: one === undefined ? [] : [one], isWhole: false }
}

/** Makes the shelves of a collection, each with the items that the description shows or with three that are made up. */
export function createInMemoryCollections(shape: DetectedCollection, seed: number): (place: string) => InMemoryCollection {
  const { item, schema, capture, identifier } = shape
  const codec = item.endpoint.params[capture] as Codec<unknown>
  const content = item.endpoint.response.content
  const shown = getExampleItems(shape)

  return (place) => {
    const drawn = drawNumber(seed, item.name, place)
    const items = new Map<string, unknown>()
    /** The identifiers of all items that are here or were. */
    const used = new Set<string>()
    const idAt = createIdentifiers(shape, drawn)
    let count = 1

    /** The identifier that an item has itself, unless somebody else has it. */
    function own(value: unknown): string | undefined {
      const known = parseIdentifier(codec, Object(value)[identifier])
      const id = known === undefined ? undefined : codec.print(known)
      return id === undefined || items.has(id) ? undefined : id
    }

    /** The next identifier that no item has had: a link to one that was removed must not lead to another. Where there are only a few, one that is free. */
    function next(): unknown {
      let free: unknown
      for (let tries = 0; tries < maxIdentifierTries; tries += 1, count += 1) {
        const id = idAt(count)
        if (id === undefined) continue
        if (!used.has(codec.print(id))) return id
        if (!items.has(codec.print(id))) free ??= id
      }
      return free
    }

    function add(value: unknown): string | undefined {
      const known = own(value)
      const free = known === undefined ? next() : undefined
      const id = known ?? (free === undefined ? undefined : codec.print(free))
      // What was given is kept as it is, even where its identifier is somebody else's.
      const hasOwn = Object.hasOwn(Object(value), identifier)
      if (id === undefined) return undefined
      used.add(id)
      items.set(id, hasOwn ? value : setMembers(value, schema, { [identifier]: free }))
      return id
    }

    function remove(id: string): unknown {
      const value = items.get(id)
      items.delete(id)
      return value
    }

    const values = shown.isWhole || content === undefined ? undefined : generateResponseBodies(content)
    for (const one of shown.items) add(one)
    for (let number = items.size + 1; values !== undefined && number <= initialItemCount; number += 1)
      add(setMembers(sampleOne(values, drawNumber(drawn, number)), schema, { [identifier]: idAt(number) }))
    return { items, add, remove, set: (id, value) => void items.set(id, value) }
  }
}
