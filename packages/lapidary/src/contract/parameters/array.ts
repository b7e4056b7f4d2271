/** `array`: a parameter with any number of values. */

import { isParseError } from '../../json-schema/parseError.ts'
import type { Codec, Parameter } from './parameter.ts'

/**
 * All values of a parameter, in order; without one, the empty list: `?tag=a&tag=b`, or in a header `X-Tag: a,b`.
 *
 * @example
 * ```ts
 * import { array, endpoint, noContent, text } from 'lapidary'
 *
 * const search = endpoint('GET /stones', { query: { tag: array(text) }, response: noContent })
 * ```
 */
export function array<T>(item: Codec<T>): Parameter<readonly T[], readonly T[] | undefined> {
  return Object.freeze({
    name: `list of ${item.name}`,
    required: false,
    repeats: true,
    read: ({ values: texts }) => {
      const values: T[] = []
      for (const text of texts) {
        const value = item.parse(text)
        if (isParseError(value)) return value
        values.push(value)
      }
      return values
    },
    write: (values = []) => values.map(item.print),
    jsonSchema: { type: 'array', items: item.jsonSchema },
    examples: item.examples,
  } satisfies Parameter<readonly T[], readonly T[] | undefined>)
}
