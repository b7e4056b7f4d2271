/**
 * Judges whether the responses to concurrent operations fit one order of them: the algorithm of Wing and Gong, with the memory of Lowe for
 * what was tried. Each operation takes effect at one moment between its request and its response.
 */

/** An operation of a history. */
export interface HistoryOperation {
  /** When the request was sent. */
  readonly start: number
  /** When the response was there. */
  readonly end: number
  /** Whether it may have had no effect: there is no response, or one that does not say so. */
  readonly isOptional: boolean
  /** Returns the states after the operation in a state; none if its response does not fit the state. */
  readonly apply: (state: string) => readonly string[]
}

/** `undecided`: the search has taken too long. */
export type HistoryVerdict = 'fits' | 'contradicts' | 'undecided'

/** The number of states after which a search ends. */
const maxStates = 100_000

/** Judges a history that begins with a state. */
export function judgeHistory(operations: readonly HistoryOperation[], initial: string): HistoryVerdict {
  const seen = new Set<string>()
  const all = (1n << BigInt(operations.length)) - 1n
  const required = operations.reduce((mask, { isOptional }, index) => (isOptional ? mask : mask | (1n << BigInt(index))), 0n)
  const stack: (readonly [pending: bigint, state: string])[] = [[all, initial]]
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [pending, state] = entry
    if ((pending & required) === 0n) return 'fits'
    const key = `${pending} ${state}`
    if (seen.has(key)) continue
    if (seen.size >= maxStates) return 'undecided'
    seen.add(key)
    const isPending = (index: number): boolean => (pending & (1n << BigInt(index))) !== 0n
    // An operation comes next only if no other one has ended before it began. An optional one may never have happened.
    const firstEnd = operations.reduce(
      (first, { end, isOptional }, index) => (isPending(index) && !isOptional ? Math.min(first, end) : first),
      Number.POSITIVE_INFINITY,
    )
    for (const [index, { start, apply }] of operations.entries()) {
      if (!isPending(index) || start > firstEnd) continue
      for (const next of apply(state)) stack.push([pending & ~(1n << BigInt(index)), next])
    }
  }
  return 'contradicts'
}
