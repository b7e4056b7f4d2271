/** The next turn of the event loop, with `setImmediate` and without it. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { runInNextTurn } from '../../src/http/nextTurn.ts'

test.each([
  ['setImmediate', globalThis.setImmediate],
  ['timers alone', undefined],
])('functions run in their order, behind all microtasks: %s', async (_platform, own) => {
  vi.stubGlobal('setImmediate', own)
  onTestFinished(() => void vi.unstubAllGlobals())
  const ran: string[] = []
  await new Promise<void>((resolve) => {
    runInNextTurn(() => ran.push('first'))
    runInNextTurn(() => {
      ran.push('second')
      resolve()
    })
    void Promise.resolve().then(() => ran.push('a microtask'))
    ran.push('now')
  })
  expect(ran).toEqual(['now', 'a microtask', 'first', 'second'])
})
