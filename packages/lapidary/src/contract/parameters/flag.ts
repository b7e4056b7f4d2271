/** `flag`: a query parameter whose presence is its value. */
import type { Parameter } from './parameter.ts'

/**
 * True when the name is in the query, with any value or none: `?loud`, and `?loud=false` as well. For a parameter with the values `true`
 * and `false`, use `optional(bool)`.
 *
 * @example
 * ```ts
 * import { endpoint, flag, noContent } from 'lapidary'
 *
 * const ring = endpoint('POST /bell', { query: { loud: flag }, response: noContent })
 * ```
 */
export const flag: Parameter<boolean, boolean | undefined> = Object.freeze({
  name: 'flag',
  required: false,
  repeats: false,
  read: ({ isPresent: named }) => named,
  write: (value) => (value === true ? [''] : []),
  // `?loud=false` would be true: no text stands for false.
  jsonSchema: { type: 'boolean', const: true },
  examples: Object.freeze(['']),
} satisfies Parameter<boolean, boolean | undefined>)
