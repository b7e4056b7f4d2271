/** `flag`: a query parameter whose presence is its value. */
import { checkOptions } from '../../http/functions.ts'
import type { Parameter } from './parameter.ts'

/** `flag`, and `flag({ description })`. */
export interface FlagParameter extends Parameter<boolean, boolean | undefined> {
  (options: { readonly description?: string }): Parameter<boolean, boolean | undefined>
}

const plain: Parameter<boolean, boolean | undefined> = {
  name: 'flag',
  required: false,
  repeats: false,
  read: ({ isPresent }) => isPresent,
  write: (value) => (value === true ? [''] : []),
  // `?loud=false` would be true: no text stands for false.
  jsonSchema: { type: 'boolean', const: true },
  examples: Object.freeze(['']),
}

function createFlagWithOptions(options: { readonly description?: string }): Parameter<boolean, boolean | undefined> {
  checkOptions('flag', options, 'description')
  return Object.freeze({ ...plain, ...options })
}

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
export const flag: FlagParameter = /* @__PURE__ */ Object.freeze(
  /* @__PURE__ */ Object.defineProperties(createFlagWithOptions, /* @__PURE__ */ Object.getOwnPropertyDescriptors(plain)) as FlagParameter,
)
