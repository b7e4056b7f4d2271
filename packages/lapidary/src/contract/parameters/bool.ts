/** Truth values in text: `true` or `false`, nothing else. */

import { parseError } from '../../json-schema/parseError.ts'
import * as complaint from '../../messages/developerErrors.ts'
import { expectation } from '../../messages/problemMessages.ts'
import { type Codec, codec } from './parameter.ts'

/** A boolean, written `true` or `false`. */
export const bool: Codec<boolean> = codec({
  name: 'boolean',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : parseError(expectation.boolean())),
  print: (value) => {
    if (typeof value !== 'boolean') throw new TypeError(complaint.unencodableValue(value, 'true or false'))
    return `${value}`
  },
  schema: { type: 'boolean' },
  example: true,
})
