/** Conditional changes of a row. */

import { expect, test } from 'vitest'
import { type Change, changeRow } from '../../src/store/rows.ts'
import type { Awaitable, RowCheck } from '../../src/store/store.ts'

import { stored } from './scratch.ts'

const stale = new Error('stale')
const refusing: RowCheck<unknown> = () => {
  throw stale
}
const ann = { name: 'Ann', age: 26, email: 'ann@example.org', registration_date: '2024-02-29' }

test('a user is changed and removed if the check passes, and the check receives the stored user', async () => {
  const { users } = await stored()
  const isaac = await users.find(1)
  const seen: unknown[] = []
  const watching: RowCheck<unknown> = (row) => void seen.push(row)
  await expect((async () => users.replace(1, ann, refusing))()).rejects.toBe(stale)
  await expect((async () => users.remove(1, refusing))()).rejects.toBe(stale)
  expect(await users.find(1)).toEqual(isaac)
  expect(await users.replace(1, ann, watching)).toBe(true)
  expect(await users.remove(1, watching)).toBe(true)
  expect(seen).toEqual([isaac, ann])
})

test('so is a product, with a name and without', async () => {
  const { products } = await stored()
  const seen: unknown[] = []
  const watching: RowCheck<unknown> = (row) => void seen.push(row)
  await expect((async () => products.replace({ productId: 1, name: 'Prism' }, refusing))()).rejects.toBe(stale)
  await expect((async () => products.remove(1, refusing))()).rejects.toBe(stale)
  expect(await products.replace({ productId: 1, name: 'Prism' }, watching)).toBe(true)
  expect(await products.replace({ productId: 1 }, watching)).toBe(true)
  expect(await products.remove(1, watching)).toBe(true)
  expect(seen).toEqual([{ productId: 1 }, { productId: 1, name: 'Prism' }, { productId: 1 }])
})

test('a missing row is not checked', async () => {
  const { users, products } = await stored()
  expect(await users.replace(99, ann, refusing)).toBe(false)
  expect(await users.remove(99, refusing)).toBe(false)
  expect(await products.replace({ productId: 99 }, refusing)).toBe(false)
  expect(await products.remove(99, refusing)).toBe(false)
})

/** A row that another writer changes as soon as it was read, so many times. `answered` turns a value into what the database returns. */
function contested(
  times: number,
  toAwaitable: <Value>(value: Value) => Awaitable<Value>,
): {
  readonly row: () => number
  readonly change: Change<number>
} {
  let row = 0
  let left = times
  return {
    row: () => row,
    change: {
      read: () => {
        const found = row
        if (left > 0) {
          left -= 1
          row += 1
        }
        return toAwaitable(found)
      },
      write: (asRead) => {
        if (asRead === undefined) throw new Error('This is written without a look at it.')
        if (asRead !== row) return toAwaitable(false)
        row = -1
        return toAwaitable(true)
      },
    },
  }
}

const databases: readonly (readonly [name: string, toAwaitable: <Value>(value: Value) => Awaitable<Value>])[] = [
  ['a database that answers at once', (value) => value],
  ['a database that answers later', async (value) => value],
]

test.each(databases)(
  'a change that comes too late reads and checks again, until no other comes in between: %s',
  async (_name, toAwaitable) => {
    const { row, change } = contested(3, toAwaitable)
    const seen: number[] = []
    expect(await changeRow((found: number) => void seen.push(found), change)).toBe(true)
    expect([seen, row()]).toEqual([[0, 1, 2, 3], -1])
  },
)

test.each(databases)('a row that no longer passes the check is not written: %s', async (_name, toAwaitable) => {
  const { row, change } = contested(1, toAwaitable)
  const onlyZero: RowCheck<number> = (found) => {
    if (found !== 0) throw stale
  }
  await expect((async () => changeRow(onlyZero, change))()).rejects.toBe(stale)
  expect(row()).toBe(1)
})
