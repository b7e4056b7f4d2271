/** The items of a collection, by the text of their identifier. */

import { type AnyParameter, type Codec, isParseError, type JsonSchema } from 'lapidary'
import { getJsonSchema, isJsonObject, isValid, parseSchema } from 'lapidary/internal'
import { hasFormat } from '../diff/subschema/formats.ts'
import { acceptsValue } from '../generate/calls.ts'
import { generateParameterTexts } from '../generate/parameterTexts.ts'
import { sampleOne } from '../generate/sample.ts'
import { createArbitrary } from '../generate/values.ts'
import { type DetectedCollection, listServerMembers } from './detectCollections.ts'
import { hashWords } from './hash.ts'
import { generateResponseBodies, getHandlerReply, getResponseExample, setMembers } from './responses.ts'

/** Parses an identifier; `undefined` if the value is none. */
function parseIdentifier(codec: Codec<unknown>, value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined
  const identifier = codec.parse(String(value))
  return isParseError(identifier) ? undefined : identifier
}

/** The schema of the member that identifies an item; `undefined` if it has none. */
const getIdentifierSchema = ({ schema, identifier }: DetectedCollection): JsonSchema | undefined =>
  getJsonSchema(schema).properties?.[identifier]

/** Creates the judge of identifiers: whether an item may have a value as its own, formats included. */
function createIdentifierJudge(collection: DetectedCollection): (value: unknown) => boolean {
  const member = getIdentifierSchema(collection)
  if (member === undefined) return () => true
  const node = parseSchema(member, getJsonSchema(collection.schema))
  const { format } = node.schema
  return (value) => isValid(node, value) && (format === undefined || typeof value !== 'string' || hasFormat(format, value) !== false)
}

/**
 * Creates new identifiers by number: 1, 2, 3, or generated values if the path or the items need others. The same number gives the same
 * identifier.
 */
function createIdentifiers(collection: DetectedCollection, seed: number): (count: number) => unknown {
  const { item, schema, capture } = collection
  const codec = item.endpoint.params[capture] as Codec<unknown>
  const isIdentifier = createIdentifierJudge(collection)
  const member = getIdentifierSchema(collection)
  const values = member === undefined ? undefined : createArbitrary({ ...getJsonSchema(schema), ...member }, isIdentifier, 'plain')
  const texts = generateParameterTexts(codec as AnyParameter, 'capture')
  return (count) => {
    const counted = parseIdentifier(codec, count)
    if (counted !== undefined && isIdentifier(counted)) return counted
    const generated = values === undefined ? undefined : parseIdentifier(codec, sampleOne(values, hashWords(seed, count)))
    return generated ?? (texts === undefined ? undefined : parseIdentifier(codec, sampleOne(texts, hashWords(seed, count))[0]))
  }
}

/** The items of a collection, in their order. */
export interface InMemoryCollection {
  readonly items: ReadonlyMap<string, unknown>
  /** Returns the identifier that a value contains, as text; `undefined` if it contains none. */
  readonly readIdentifier: (value: unknown) => string | undefined
  /** Whether another item has the identifier that this one contains. */
  readonly isTaken: (item: unknown) => boolean
  /** Adds an item under its own identifier or under a new one, and returns that; `undefined` if none is free. */
  readonly add: (item: unknown) => string | undefined
  readonly set: (id: string, item: unknown) => void
  /** Removes an item, and returns it. */
  readonly remove: (id: string) => unknown
}

/** The number of generated items. */
const initialItemCount = 3

/** The number of identifiers that are tried: a collection may have only a few. */
const maxIdentifierTries = 1_000

/** Returns the items in the examples of the description: a whole list, or one item. */
function getExampleItems({ list, item }: DetectedCollection): { readonly items: readonly unknown[]; readonly isWhole: boolean } {
  const [listExample, itemExample] = [list, item].map((operation) => {
    const example = operation === undefined ? undefined : getResponseExample(operation.endpoint)
    const isBody = operation === undefined || Object.keys(getHandlerReply(operation.endpoint).headers).length === 0
    return isBody ? example : Object(example).body
  })
  if (Array.isArray(listExample)) return { items: listExample, isWhole: true }
  return { items: itemExample === undefined ? [] : [itemExample], isWhole: false }
}

/** Creates the collections of one path pattern by their place. Each starts with the example items or with generated ones. */
export function createInMemoryCollections(collection: DetectedCollection, seed: number): (place: string) => InMemoryCollection {
  const { create, item, schema, capture, identifier } = collection
  const codec = item.endpoint.params[capture] as Codec<unknown>
  const { content } = item.endpoint.response
  const examples = getExampleItems(collection)
  const serverMembers = listServerMembers(create.endpoint.body?.schema, schema).filter((name) => name !== identifier)
  const isIdentifier = createIdentifierJudge(collection)
  const bodies = content === undefined ? undefined : generateResponseBodies(content)

  return (place) => {
    const placeSeed = hashWords(seed, item.name, place)
    const items = new Map<string, unknown>()
    /** The identifiers of present and removed items. */
    const usedIds = new Set<string>()
    const createIdentifier = createIdentifiers(collection, placeSeed)
    let count = 1

    function readIdentifier(value: unknown): string | undefined {
      const member: unknown = Object(value)[identifier]
      const own = isIdentifier(member) ? parseIdentifier(codec, member) : undefined
      return own === undefined ? undefined : codec.print(own)
    }

    function isTaken(value: unknown): boolean {
      const id = readIdentifier(value)
      return id !== undefined && items.has(id)
    }

    /**
     * Returns the next identifier that no item has had, so that a link to a removed item never leads to another. If all have been used,
     * returns one that is free.
     */
    function nextIdentifier(): unknown {
      let free: unknown
      for (let tries = 0; tries < maxIdentifierTries; tries += 1, count += 1) {
        const candidate = createIdentifier(count)
        if (candidate === undefined) continue
        if (!usedIds.has(codec.print(candidate))) return candidate
        if (!items.has(codec.print(candidate))) free ??= candidate
      }
      return free
    }

    /** Returns an item as the server would keep it: with its identifier, and with the members that only the server sets. */
    function completeItem(value: unknown, assigned: Readonly<Record<string, unknown>>, id: string): unknown {
      const named = setMembers(value, schema, assigned)
      if (!isJsonObject(value)) return named
      const example = examples.items[0] ?? (bodies === undefined ? undefined : sampleOne(bodies, hashWords(placeSeed, 'members', id)))
      if (!isJsonObject(example)) return named
      const pick = (names: readonly string[]): object =>
        Object.fromEntries(names.filter((name) => Object.hasOwn(example, name)).map((name) => [name, example[name]]))
      const { required = [] } = getJsonSchema(schema)
      const filled = [serverMembers, [...serverMembers, ...required]].map((names) => ({ ...pick(names), ...value, ...assigned }))
      // A body may have a value of any kind for a member that only the server sets.
      const complete = [...filled, { ...filled[1], ...pick(serverMembers) }]
      return complete.find((item) => acceptsValue(schema, item)) ?? named
    }

    function add(value: unknown): string | undefined {
      const ownId = isTaken(value) ? undefined : readIdentifier(value)
      const assigned = ownId === undefined ? nextIdentifier() : undefined
      const id = ownId ?? (assigned === undefined ? undefined : codec.print(assigned))
      if (id === undefined) return undefined
      // An item keeps the identifier that it was sent with, even if another item has it.
      const hasIdentifier = readIdentifier(value) !== undefined
      usedIds.add(id)
      items.set(id, completeItem(value, hasIdentifier ? {} : { [identifier]: assigned }, id))
      return id
    }

    function remove(id: string): unknown {
      const value = items.get(id)
      items.delete(id)
      return value
    }

    const generated = examples.isWhole ? undefined : bodies
    for (const example of examples.items) add(example)
    for (let number = items.size + 1; generated !== undefined && number <= initialItemCount; number += 1)
      add(setMembers(sampleOne(generated, hashWords(placeSeed, number)), schema, { [identifier]: createIdentifier(number) }))
    return { items, readIdentifier, isTaken, add, remove, set: (id, value) => void items.set(id, value) }
  }
}
