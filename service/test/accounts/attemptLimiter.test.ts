/** The attempt limiter: which keys it forgets, and what pending attempts count for. */
import { expect, test, vi } from 'vitest'
import { createAttemptLimiter } from '../../src/accounts/attemptLimiter.ts'
import { clock } from './clock.ts'

/** What the check of an attempt finds. `unknown`: it fails. */
type Outcome = 'right' | 'wrong' | 'unknown'

/** A limiter of two failures that remembers two keys. */
function limiter() {
  const time = clock()
  const attempt = createAttemptLimiter({ failures: 2, window: 60_000, capacity: 2, now: time.now })
  const tries = async (key: string, outcome: Outcome, count = 1): Promise<void> => {
    const broken = new Error('unknown')
    for (let index = 0; index < count; index += 1) {
      const result = attempt(key, async () => {
        if (outcome === 'unknown') throw broken
        return outcome === 'right'
      })
      await (outcome === 'unknown' ? expect(result).rejects.toBe(broken) : expect(result).resolves.toBe(outcome === 'right'))
    }
  }
  /** That an attempt is refused without a check. */
  const refuses = async (key: string): Promise<void> => {
    const check = vi.fn(async () => true)
    await expect(attempt(key, check)).rejects.toMatchObject({ status: 429 })
    expect(check).not.toHaveBeenCalled()
  }
  return { attempt, tries, refuses, time }
}

test('beyond its capacity the limiter forgets the oldest key and no other', async () => {
  const { tries, refuses } = limiter()
  for (const key of ['first', 'second', 'third']) await tries(key, 'wrong', 2)
  for (const key of ['third', 'second']) await refuses(key)
  // It may fail twice again, and then the second is the oldest.
  await tries('first', 'wrong', 2)
  await refuses('first')
  await refuses('third')
  await tries('second', 'unknown')
})

test('a key with pending attempts is never forgotten: as many as may fail are checked, the next one waits', async () => {
  const { attempt, tries } = limiter()
  const ends: ((isRight: boolean) => void)[] = []
  const check = () => new Promise<boolean>((end) => ends.push(end))
  const pending = [attempt('first', check), attempt('first', check)]
  for (const key of ['second', 'third', 'fourth']) await tries(key, 'wrong', 2)
  const next = attempt('first', check)
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(ends).toHaveLength(2)
  for (const end of ends) end(false)
  expect(await Promise.all(pending)).toEqual([false, false])
  await expect(next).rejects.toMatchObject({ status: 429 })
  expect(ends).toHaveLength(2)
})

test('a success clears the failures, not the attempts that are pending', async () => {
  const { attempt } = limiter()
  const ends: ((isRight: boolean) => void)[] = []
  const check = () => new Promise<boolean>((end) => ends.push(end))
  const [right, wrong] = [attempt('first', check), attempt('first', check)]
  ends[0]?.(true)
  expect(await right).toBe(true)
  const others = [attempt('first', check), attempt('first', check)]
  await new Promise((resolve) => setTimeout(resolve, 20))
  // One is still pending, and two may fail.
  expect(ends).toHaveLength(3)
  ends[1]?.(false)
  ends[2]?.(false)
  expect(await Promise.all([wrong, others[0]])).toEqual([false, false])
  await expect(others[1]).rejects.toMatchObject({ status: 429 })
  expect(ends).toHaveLength(3)
})

test('a success, or an attempt without a check, evicts no key with failures', async () => {
  const { tries, refuses } = limiter()
  await tries('first', 'wrong', 2)
  for (const [index, outcome] of (['right', 'unknown', 'right', 'unknown'] as const).entries()) await tries(`other ${index}`, outcome)
  await refuses('first')
})
