/** What no answer may be over, and that all of it has to come. */
import type { Invariant } from '../predicate.ts'

export const completeRule: Invariant = {
  name: 'complete',
  description: 'Every answer comes whole: none is cut off.',
  check: ({ response: { complete: isComplete, isAbandoned: isLeft, body }, limits }) =>
    isComplete || isLeft || body.length > limits.size ? undefined : `the answer was cut off after ${body.length} bytes`,
}

export const sizeRule: Invariant = {
  name: 'size',
  description: 'No answer is over the size that was allowed.',
  check: ({ response: { body }, limits }) => (body.length <= limits.size ? undefined : `expected at most ${limits.size} bytes, got more`),
}

export const timeRule: Invariant = {
  name: 'time',
  description: 'No answer takes longer than was allowed.',
  check: ({ response: { milliseconds }, limits }) =>
    milliseconds <= limits.time ? undefined : `expected an answer within ${limits.time} ms, it took ${Math.round(milliseconds)} ms`,
}
