/** Whole numbers in text: `-?[0-9]+`, within ±(2^53 − 1). */
import * as complaint from './complaint.ts'
import { expectation } from './message.ts'
import { type Scalar, scalar } from './parameter.ts'
import { expected } from './refusal.ts'

const digits = /^-?[0-9]+$/

/** An integer. `0x10`, `1e3`, `+1`, ` 1` and anything past ±9007199254740991 are refused, never rounded. */
export const int: Scalar<number> = scalar({
  name: 'integer',
  parse: (text) => {
    if (!digits.test(text)) return expected(expectation.integer())
    const value = Number(text)
    return Number.isSafeInteger(value) ? value + 0 : expected(expectation.integer())
  },
  print: (value) => {
    if (!Number.isSafeInteger(value)) throw new TypeError(complaint.unprintable(value, expectation.integer()))
    return `${value}`
  },
  schema: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
  example: 42,
})
