/** `oneOf`: one of several names. */

import { parseError } from '../../json-schema/parseError.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { expectation } from '../../messages/problemMessages.ts'
import { type Codec, codec } from './parameter.ts'

/**
 * One of the given names, spelled exactly so.
 *
 * @param names The first one is the example in documentation.
 * @example
 * ```ts
 * import { endpoint, noContent, oneOf, optional } from 'lapidary'
 *
 * const list = endpoint('GET /users', { query: { sortby: optional(oneOf('age', 'name')) }, response: noContent })
 * ```
 */
export function oneOf<const Names extends readonly [string, ...string[]]>(...names: Names): Codec<Names[number]> {
  const isName = (text: string): text is Names[number] => names.includes(text)
  return codec<Names[number]>({
    name: 'choice',
    parse: (text) => (isName(text) ? text : parseError(expectation.oneOf(names))),
    print: (name) => {
      if (!isName(name)) throw new TypeError(developerErrors.unencodableValue(name, expectation.oneOf(names)))
      return name
    },
    schema: { type: 'string', enum: names },
    example: names[0],
  })
}
