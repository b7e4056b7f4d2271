/** Samples of generated values: the same values for the same seed. */
import * as fc from 'fast-check'

/** Returns `count` values for a seed of 32 bits. The values do not grow from the first to the last. */
export const sample = <Value>(values: fc.Arbitrary<Value>, seed: number, count: number): readonly Value[] =>
  fc.sample(values, { seed, numRuns: count, unbiased: true })

/** Returns one value for a seed of 32 bits. */
export const sampleOne = <Value>(values: fc.Arbitrary<Value>, seed: number): Value => sample(values, seed, 1)[0] as Value
