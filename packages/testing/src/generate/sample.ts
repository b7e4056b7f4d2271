/** Samples of generated values: the same values for the same seed. */
import * as fc from 'fast-check'

/** Returns `count` values for a seed of 32 bits. The values do not grow from the first to the last. */
export const sample = <Value>(values: fc.Arbitrary<Value>, seed: number, count: number): readonly Value[] =>
  fc.sample(values, { seed, numRuns: count, unbiased: true })

/** Returns one value for a seed of 32 bits. */
export const sampleOne = <Value>(values: fc.Arbitrary<Value>, seed: number): Value => sample(values, seed, 1)[0] as Value

/** How many values are tried before none is taken to fit. */
const usualSampleCount = 100

/**
 * Leaves the values that fit; undefined where none of many does. A filter that no value passes would never end, and one that few pass would
 * take long: then only those that were found are left.
 */
export function keepFitting<Value>(
  values: fc.Arbitrary<Value>,
  fits: (value: Value) => boolean,
  tries: number = usualSampleCount,
): fc.Arbitrary<Value> | undefined {
  const enough = Math.ceil(tries / 10)
  const first = fc.sample(values, { numRuns: enough, seed: 1 }).filter(fits)
  // Where a tenth of them fits, the others cannot change that. The values of a large schema cost seconds.
  if (first.length === enough) return values.filter(fits)
  const others = fc.sample(values, { numRuns: tries, seed: 1 }).slice(enough)
  const fitting = [...first, ...others.filter(fits)]
  if (fitting.length === 0) return undefined
  return fitting.length < enough ? fc.constantFrom(...fitting) : values.filter(fits)
}
