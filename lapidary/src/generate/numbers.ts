/** Numbers within the bounds that a JSON Schema sets. */
import * as fc from 'fast-check'
import { type JsonSchema, typesOf } from '../describe/jsonSchema.ts'

const bound = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** Whole numbers of steps, or anything between the bounds; undefined where there is none. */
export function numbersOf(schema: JsonSchema): fc.Arbitrary<number> | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const step = bound(schema['multipleOf'], typesOf(schema).includes('integer') ? 1 : 0)
  const largest = Number.MAX_SAFE_INTEGER
  const low = Math.max(bound(minimum, -largest), bound(exclusiveMinimum, -largest))
  const high = Math.min(bound(maximum, largest), bound(exclusiveMaximum, largest))
  const isAllowed = (value: number): boolean => value !== exclusiveMinimum && value !== exclusiveMaximum && value >= low && value <= high
  if (step === 0) return low > high ? undefined : fc.double({ min: low, max: high, noNaN: true, noDefaultInfinity: true }).filter(isAllowed)
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)]
  if (first > last || (first === last && !isAllowed(first * step))) return undefined
  const near = Math.min(Math.max(0, first), last)
  return fc
    .oneof(
      { arbitrary: fc.integer({ min: Math.max(first, near - 100), max: Math.min(last, near + 100) }), weight: 2 },
      { arbitrary: fc.maxSafeInteger().map((number) => Math.min(Math.max(number, first), last)), weight: 1 },
    )
    .map((steps) => steps * step)
    .filter(isAllowed)
}
