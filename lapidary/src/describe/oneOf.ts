/** A closed set of names in text. */
import * as complaint from './complaint.ts'
import { expectation } from './message.ts'
import { type Codec, codec } from './parameter.ts'
import { parseError } from './refusal.ts'

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
