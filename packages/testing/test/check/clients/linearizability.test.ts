/** The search for an order of concurrent operations agrees with the trial of all orders. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type HistoryOperation, judgeHistory } from '../../../src/check/clients/linearizability.ts'

/** An operation of a register with compare-and-set. */
interface RegisterOperation {
  readonly start: number
  readonly length: number
  readonly isOptional: boolean
  readonly kind: 'read' | 'write' | 'swap' | 'refused'
  readonly value: string
  readonly expected: string
}

const toOperation = ({ start, length, isOptional, kind, value, expected }: RegisterOperation): HistoryOperation => ({
  start,
  end: start + length,
  isOptional: isOptional && kind !== 'read' && kind !== 'refused',
  apply: (state) => {
    if (kind === 'read') return state === value ? [state] : []
    if (kind === 'write') return [value]
    if (kind === 'swap') return state === expected ? [value] : []
    return state === expected ? [] : [state]
  },
})

/** Tries every order of every selection of the optional operations. */
function tryAll(operations: readonly HistoryOperation[], state: string): boolean {
  if (operations.every(({ isOptional }) => isOptional)) return true
  return operations.some((next, index) => {
    const rest = operations.filter((_, at) => at !== index)
    // One that has ended before has to come before, unless it never happened.
    const isLate = rest.some(({ end, isOptional }) => !isOptional && end < next.start)
    return !isLate && next.apply(state).some((after) => tryAll(rest, after))
  })
}

const values = fc.constantFrom('a', 'b', 'c')
const histories = fc.array(
  fc.record({
    start: fc.nat(12),
    length: fc.nat(8),
    isOptional: fc.nat(5).map((number) => number === 0),
    kind: fc.constantFrom('read' as const, 'read' as const, 'write' as const, 'swap' as const, 'refused' as const),
    value: values,
    expected: values,
  }),
  { maxLength: 6 },
)

test('the verdict is that of all orders', () => {
  const count = { fits: 0, contradicts: 0 }
  fc.assert(
    fc.property(histories, (history) => {
      const operations = history.map(toOperation)
      const expected = tryAll(operations, 'a') ? 'fits' : 'contradicts'
      count[expected] += 1
      expect(judgeHistory(operations, 'a')).toBe(expected)
    }),
    { numRuns: 3_000, seed: 1 },
  )
  expect(Math.min(count.fits, count.contradicts)).toBeGreaterThan(300)
})

const write = (value: string, start: number, end: number): HistoryOperation => ({ start, end, isOptional: false, apply: () => [value] })
const read = (value: string, start: number, end: number): HistoryOperation => ({
  ...{ start, end, isOptional: false },
  apply: (state) => (state === value ? [state] : []),
})

test.each([
  ['a read during a write may show either value', [write('b', 0, 10), read('a', 1, 2), read('b', 3, 4)], 'fits'],
  ['a read may not go back', [write('b', 0, 10), read('b', 1, 2), read('a', 3, 4)], 'contradicts'],
  ['a read after a write shows it', [write('b', 0, 1), read('a', 2, 3)], 'contradicts'],
  ['a write without a response may come late', [{ ...write('b', 0, 1), isOptional: true }, read('a', 2, 3), read('b', 4, 5)], 'fits'],
  ['two writes at once: the last one stays', [write('b', 0, 10), write('c', 0, 10), read('b', 11, 12), read('c', 13, 14)], 'contradicts'],
] as const)('%s', (_sentence, operations, verdict) => {
  expect(judgeHistory(operations, 'a')).toBe(verdict)
})

test('a long history is judged in a moment', () => {
  const operations = Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0 ? write(`${index}`, index, index + 12) : read(`${index - 1}`, index, index + 12),
  )
  const began = performance.now()
  expect(judgeHistory(operations, 'a')).not.toBe('contradicts')
  expect(performance.now() - began).toBeLessThan(10_000)
})
