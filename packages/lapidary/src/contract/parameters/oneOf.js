/** A closed set of names in text. */
import { parseError } from '../../json-schema/parseError.js'
import * as complaint from '../../messages/developerErrors.js'
import { expectation } from '../../messages/problemMessages.js'
import { codec } from './parameter.js'
/** One of the names given, spelled exactly so: `oneOf('age', 'name')`. */
export function oneOf(...names) {
  const isName = (text) => names.includes(text)
  return codec({
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
