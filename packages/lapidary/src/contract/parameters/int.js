/** Whole numbers in text: `-?[0-9]+`, within ±(2^53 − 1). */
import { parseError } from '../../json-schema/parseError.js'
import * as complaint from '../../messages/developerErrors.js'
import { expectation } from '../../messages/problemMessages.js'
import { codec } from './parameter.js'

const integerPattern = /^-?[0-9]+$/
/** An integer. `0x10`, `1e3`, `+1`, ` 1` and anything past ±9007199254740991 are refused, never rounded. */
export const int = codec({
  name: 'integer',
  parse: (text) => {
    if (!integerPattern.test(text)) return parseError(expectation.integer())
    const value = Number(text)
    return Number.isSafeInteger(value) ? value + 0 : parseError(expectation.integer())
  },
  print: (value) => {
    if (!Number.isSafeInteger(value)) throw new TypeError(complaint.unencodableValue(value, expectation.integer()))
    return `${value}`
  },
  schema: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  example: 42,
})
