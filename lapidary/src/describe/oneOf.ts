/** A closed set of names in text. */
import * as complaint from './complaint.ts'
import { expectation } from './message.ts'
import { type Scalar, scalar } from './parameter.ts'
import { expected } from './refusal.ts'

/** One of the names given, spelled exactly so: `oneOf('age', 'name')`. */
export function oneOf<const Names extends readonly [string, ...string[]]>(...names: Names): Scalar<Names[number]> {
  const isName = (text: string): text is Names[number] => names.includes(text)
  return scalar<Names[number]>({
    name: 'choice',
    parse: (text) => (isName(text) ? text : expected(expectation.oneOf(names))),
    print: (name) => {
      if (!isName(name)) throw new TypeError(complaint.unprintable(name, expectation.oneOf(names)))
      return name
    },
    schema: { type: 'string', enum: names },
    example: names[0],
  })
}
