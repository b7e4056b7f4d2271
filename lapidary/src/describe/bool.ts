/** Truth values in text: `true` or `false`, nothing else. */
import { expectation } from './message.ts'
import { type Scalar, scalar } from './parameter.ts'
import { expected } from './refusal.ts'

/** A boolean, written `true` or `false`. */
export const bool: Scalar<boolean> = scalar({
  name: 'boolean',
  parse: (text) => (text === 'true' ? true : text === 'false' ? false : expected(expectation.boolean())),
  print: (value) => (value ? 'true' : 'false'),
  schema: { type: 'boolean' },
  example: true,
})
