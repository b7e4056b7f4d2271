/** `bool`: truth values in text. */

import { parseError } from '../../json-schema/parseError.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { expectation } from '../../messages/problemMessages.ts'
import { type Codec, codec } from './parameter.ts'

/**
 * A boolean, written `true` or `false` and in no other way.
 *
 * @example
 * ```ts
 * import { bool, endpoint, noContent, optional } from 'lapidary'
 *
 * const list = endpoint('GET /users', { query: { active: optional(bool) }, response: noContent })
 * ```
 */
export const bool: Codec<boolean> = codec({
  name: 'boolean',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : parseError(expectation.boolean())),
  print: (value) => {
    if (typeof value !== 'boolean') throw new TypeError(developerErrors.unencodableValue(value, 'true or false'))
    return `${value}`
  },
  schema: { type: 'boolean' },
  example: true,
})
