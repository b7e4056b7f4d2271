/** Truth values in text: `true` or `false`, nothing else. */
import { parseError } from '../../json-schema/parseError.js'
import * as complaint from '../../messages/developerErrors.js'
import { expectation } from '../../messages/problemMessages.js'
import { codec } from './parameter.js'
/** A boolean, written `true` or `false`. */
export const bool = codec({
  name: 'boolean',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : parseError(expectation.boolean())),
  print: (value) => {
    if (typeof value !== 'boolean') throw new TypeError(complaint.unencodableValue(value, 'true or false'))
    return `${value}`
  },
  schema: { type: 'boolean' },
  example: true,
})
