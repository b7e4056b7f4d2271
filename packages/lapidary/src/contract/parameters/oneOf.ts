/** A closed set of names in text. */

import { parseError } from '../../json-schema/parseError.ts'
import * as complaint from '../../messages/developerErrors.ts'
import { expectation } from '../../messages/problemMessages.ts'
import { type Codec, codec } from './parameter.ts'

/** One of the names given, spelled exactly so: `oneOf('age', 'name')`. */
export function oneOf<const Names extends readonly [string, ...string[]]>(...names: Names): Codec<Names[number]> {
  const isName = (text: string): text is Names[number] => names.includes(text)
  return codec<Names[number]>({
    name: 'choice',
    parse: (text) => (isName(text) ? text : parseError(expectation.oneOf(names))),
    print: (name) => {
      if (!isName(name)) throw new TypeError(complaint.unencodableValue(name, expectation.oneOf(names)))
      return name
    },
    schema: { type: 'string', enum: names },
    example: names[0],
  })
}
