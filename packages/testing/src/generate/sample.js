/** Some of the values that there are: the same ones for the same seed. */
import * as fc from 'fast-check'
/** So many values; `seed` is a whole number of 32 bits. Their size does not grow from the first to the last. */
export const sample = (values, seed, count) => fc.sample(values, { seed, numRuns: count, unbiased: true })
/** One value. */
export const sampleOne = (values, seed) => sample(values, seed, 1)[0]
