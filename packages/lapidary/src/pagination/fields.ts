/** The fields and the key of a collection, by which pages continue. */
import { text } from '../contract/media/text.ts'
import type { Codec } from '../contract/parameters/parameter.ts'
import { requireFunction } from '../http/functions.ts'
import { isPromise } from '../http/promises.ts'
import { getEncoder, type Schema } from '../json-schema/standardSchema.ts'
import * as developerErrors from '../messages/developerErrors.ts'
import { fieldPattern, hasRoundTrip, type ValueCodec } from './range.ts'
import type { FieldDefinition } from './source.ts'

/** What distinguishes any two items: its codec, and where it stands in an item. */
type KeyDefinition<Item> =
  | { readonly codec: Codec<string>; readonly get: (item: Item) => string }
  | { readonly codec: Codec<number>; readonly get: (item: Item) => number }

/**
 * What distinguishes any two items. A function returns a text: `(color) => color.name`. Any other key has a codec:
 * `{ codec: int, get: (track) => track.id }`.
 */
export type Key<Item> = ((item: Item) => string) | KeyDefinition<Item>

/** @throws TypeError for a name that a range or a sort cannot have */
export function checkFieldNames(place: string, word: 'range' | 'sort', fields: object): void {
  const unnamed = Object.keys(fields).find((name) => !fieldPattern.test(name))
  if (unnamed !== undefined) throw new TypeError(developerErrors.invalidPaginationField(place, unnamed, word))
}

/** @throws TypeError for what is no function, which plain JavaScript can give */
export function checkGetters(place: string, fields: Readonly<Record<string, { readonly get: unknown }>>): void {
  for (const [name, { get }] of Object.entries(fields)) requireFunction(`${place}: ${name}.get`, get)
}

/** @throws TypeError for what is neither a function nor an object with one, which plain JavaScript can give */
export function readKey<Item>(place: string, key: Key<Item>): KeyDefinition<Item> {
  if (typeof key === 'function') return { codec: text, get: key }
  const isDefinition = typeof key === 'object' && key !== null && 'get' in key
  requireFunction(`${place}: options.key${isDefinition ? '.get' : ''}`, isDefinition ? key.get : key)
  return key
}

/** Returns the member `decodeItem` of a pagination, where the schema of its items works in both directions. */
export const createItemDecoder = (item: Schema): { readonly decodeItem?: (value: unknown) => unknown } =>
  getEncoder(item) === undefined
    ? {}
    : {
        decodeItem: (value) => {
          const result = item['~standard'].validate(value)
          if (isPromise(result) || result.issues !== undefined)
            throw new TypeError('The schema of the items does not decode this value at once.')
          return result.value
        },
      }

/** Returns a function that tells whether the codecs can write an item, and read it again. */
export const createRepresentableTest =
  <Item>(fields: Readonly<Record<string, FieldDefinition<Item>>>, keyCodec: ValueCodec, getKey: (item: Item) => string | number) =>
  (item: Item): boolean =>
    hasRoundTrip(getKey(item), keyCodec) &&
    Object.values(fields).every(({ codec, get }) => {
      const value = get(item)
      return value === null || hasRoundTrip(value, codec)
    })
