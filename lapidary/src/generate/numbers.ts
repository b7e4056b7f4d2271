/** Numbers within the bounds that a JSON Schema sets. */
import * as fc from 'fast-check'
import { getTypes, type JsonSchema } from '../describe/jsonSchema.ts'
import type { GenerateStyle } from './texts.ts'

const getBound = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise)

/** As people write them: two decimals at most, none of them far from the lower bound. */
const createPlainNumbers = (low: number, high: number): fc.Arbitrary<number> => {
  const near = Math.min(Math.max(0, low), high)
  const [first, last] = [Math.ceil(near * 100), Math.floor(Math.min(high, near + 1_000) * 100)]
  return first > last ? fc.constant(near) : fc.integer({ min: first, max: last }).map((hundredths) => hundredths / 100)
}

/** Whole numbers of steps, or anything between the bounds; undefined where there is none. */
export function createNumberArbitrary(schema: JsonSchema, style: GenerateStyle): fc.Arbitrary<number> | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema
  const step = getBound(schema['multipleOf'], getTypes(schema).includes('integer') ? 1 : 0)
  const largest = Number.MAX_SAFE_INTEGER
  const low = Math.max(getBound(minimum, -largest), getBound(exclusiveMinimum, -largest))
  const high = Math.min(getBound(maximum, largest), getBound(exclusiveMaximum, largest))
  const isAllowed = (value: number): boolean => value !== exclusiveMinimum && value !== exclusiveMaximum && value >= low && value <= high
  if (step === 0 && low > high) return undefined
  if (step === 0 && style === 'plain') return createPlainNumbers(low, high).filter(isAllowed)
  // JSON has no zero below zero.
  if (step === 0)
    return fc
      .double({ min: low, max: high, noNaN: true, noDefaultInfinity: true })
      .map((number) => number + 0)
      .filter(isAllowed)
  const [first, last] = [Math.ceil(low / step), Math.floor(high / step)]
  if (first > last || (first === last && !isAllowed(first * step))) return undefined
  const near = Math.min(Math.max(0, first), last)
  if (style === 'plain')
    return fc
      .integer({ min: near, max: Math.min(last, near + 100) })
      .map((steps) => steps * step + 0)
      .filter(isAllowed)
  return fc
    .oneof(
      { arbitrary: fc.integer({ min: Math.max(first, near - 100), max: Math.min(last, near + 100) }), weight: 2 },
      { arbitrary: fc.maxSafeInteger().map((number) => Math.min(Math.max(number, first), last)), weight: 1 },
    )
    .map((steps) => steps * step + 0)
    .filter(isAllowed)
}
