/** `int`: integers in text, within ±(2^53 − 1). */

import { parseError } from '../../json-schema/parseError.ts'
import * as developerErrors from '../../messages/developerErrors.ts'
import { expectation } from '../../messages/problemMessages.ts'
import { type Codec, codec } from './parameter.ts'

const integerPattern = /^-?[0-9]+$/

/**
 * An integer. `0x10`, `1e3`, `+1`, ` 1` and integers beyond ±9007199254740991 are errors; no value is rounded.
 *
 * @example
 * ```ts
 * import { endpoint, int, ok, text } from 'lapidary'
 *
 * const item = endpoint('GET /items/:id', { params: { id: int }, response: ok(text) })
 * ```
 */
export const int: Codec<number> = codec({
  name: 'integer',
  parse: (text) => {
    if (!integerPattern.test(text)) return parseError(expectation.integer())
    const value = Number(text)
    // The sum makes 0 of -0.
    return Number.isSafeInteger(value) ? value + 0 : parseError(expectation.integer())
  },
  print: (value) => {
    if (!Number.isSafeInteger(value)) throw new TypeError(developerErrors.unencodableValue(value, expectation.integer()))
    return `${value}`
  },
  schema: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  example: 42,
})
