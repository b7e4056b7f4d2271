/** A value that may be given any number of times. */

import { isParseError } from '../../json-schema/parseError.ts'
import type { Codec, Parameter } from './parameter.ts'

/** All values in their order, none given = the empty list: `?tag=a&tag=b`; in a header, `X-Tag: a,b`. */
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
