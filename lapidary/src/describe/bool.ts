/** Truth values in text: `true` or `false`, nothing else. */
import * as complaint from './complaint.ts'
import { expectation } from './message.ts'
import { type Scalar, scalar } from './parameter.ts'
import { expected } from './refusal.ts'

/** A boolean, written `true` or `false`. */
export const bool: Scalar<boolean> = scalar({
  name: 'boolean',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : expected(expectation.boolean())),
  print: (value) => {
    if (typeof value !== 'boolean') throw new TypeError(complaint.unprintable(value, 'true or false'))
    return `${value}`
  },
  schema: { type: 'boolean' },
  example: true,
})
