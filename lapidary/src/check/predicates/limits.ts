/** What no answer may be over, and that all of it has to come. */
import type { Invariant } from '../predicate.ts'

export const complete: Invariant = {
  name: 'complete',
  sentence: 'Every answer comes whole: none is cut off.',
  each: ({ answered: { complete: isComplete, isLeft, body }, limits }) =>
    isComplete || isLeft || body.length > limits.size ? undefined : `the answer was cut off after ${body.length} bytes`,
}

export const size: Invariant = {
  name: 'size',
  sentence: 'No answer is over the size that was allowed.',
  each: ({ answered: { body }, limits }) => (body.length <= limits.size ? undefined : `expected at most ${limits.size} bytes, got more`),
}

export const time: Invariant = {
  name: 'time',
  sentence: 'No answer takes longer than was allowed.',
  each: ({ answered: { milliseconds }, limits }) =>
    milliseconds <= limits.time ? undefined : `expected an answer within ${limits.time} ms, it took ${Math.round(milliseconds)} ms`,
}
