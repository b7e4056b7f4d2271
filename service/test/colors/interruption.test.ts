/** A load that is interrupted and continued. */

import { expect, test } from 'vitest'
import { generateColor } from '../../src/colorSources.ts'
import { colors as firstColors } from '../specification/colors.ts'
import { kind } from '../support/databases/database.ts'
import { all, command, ended, waitForErrorOutput } from './command.ts'

const count = 40_000
const load = ['load', '--count', String(count), '--generated']
const begun = /Adding: /

/** All that is to be there in the end. */
const expected = [
  ...firstColors.map(({ name }) => name),
  ...Array.from({ length: count - firstColors.length }, (_, index) => generateColor(index).name),
].sort()

test('when killed it leaves complete batches, and a second run adds the rest once', async () => {
  const { colors, begin, store } = await command()
  const child = begin(...load)
  await waitForErrorOutput(child, begun)
  child.kill('SIGKILL')
  expect(await ended(child)).toBe('SIGKILL')
  const opened = await store()
  const kept = (await opened.colors.count()) - firstColors.length
  expect(kept % 2000).toBe(0)
  expect(kept).toBeGreaterThan(0)
  expect(kept).toBeLessThan(count - firstColors.length)
  const { status, output } = await colors(...load)
  expect({ status, output }).toEqual({ status: 0, output: expect.stringMatching(/ there are 40,000 now\.\n$/) })
  expect((await all(opened)).map(({ name }) => name)).toEqual(expected)
})

test.runIf(kind === 'sqlite').each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends it after the current batch, with a hint how to continue', async (signal, status) => {
  const { colors, begin, store } = await command()
  const child = begin(...load)
  const text = await waitForErrorOutput(child, begun)
  child.kill(signal)
  expect(await ended(child)).toBe(status)
  const opened = await store()
  const kept = await opened.colors.count()
  expect(text().split('\n').at(-2)).toBe(
    `Interrupted: there are ${kept.toLocaleString('en')} of 40,000 colours. The same command goes on from here.`,
  )
  expect(kept).toBeLessThan(count)
  expect((await colors(...load)).status).toBe(0)
  expect((await all(opened)).map(({ name }) => name)).toEqual(expected)
})

test.runIf(kind === 'sqlite')('a retry waits for a briefly locked database', async () => {
  const { begin, database, store } = await command()
  const opened = await store()
  const unlock = await database.lock()
  const child = begin(...load)
  await waitForErrorOutput(child, /^The database is locked by another process\. .* Trying again …\n$/)
  expect(await opened.colors.count()).toBe(firstColors.length)
  await unlock()
  expect(await ended(child)).toBe(0)
  expect(await opened.colors.count()).toBe(count)
})

test.runIf(kind === 'sqlite')('a database that stays locked is reported at the end', async () => {
  const { colors, database, store } = await command()
  const opened = await store()
  const unlock = await database.lock()
  const { status, output, errors } = await colors(...load)
  await unlock()
  expect({ status, output }).toEqual({ status: 1, output: '' })
  expect(errors).toMatch(
    /^(The database is locked by another process\. .* Trying again …\n){4}The database is locked by another process\. .* What was added stays; the same command goes on from there\.\n$/,
  )
  expect(await opened.colors.count()).toBe(firstColors.length)
})
