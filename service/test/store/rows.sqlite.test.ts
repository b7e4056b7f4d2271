/** Changes whose row another writer changes between the check and the write: they check again. SQLite writes at once, so that a test can hit this moment. */
import { expect, test } from 'vitest'
import type { Store } from '../../src/store/store.ts'
import { stored } from './scratch.ts'

const ann = { name: 'Ann', age: 26, email: 'ann@example.org', registration_date: '2024-02-29' }
const ben = { ...ann, name: 'Ben' }

/** A check that changes the row after the first look at it. */
const meddling = (seen: unknown[], change: () => unknown) => (row: unknown) => {
  seen.push(row)
  if (seen.length === 1) void change()
}

const changes: readonly (readonly [string, (store: Store, check: (row: unknown) => void) => unknown])[] = [
  ['a replacement', ({ users }, check) => users.replace(1, ben, check)],
  ['a removal', ({ users }, check) => users.remove(1, check)],
]

test.each(changes)('%s of a user', async (_what, change) => {
  const store = await stored()
  const isaac = await store.users.find(1)
  const seen: unknown[] = []
  const check = meddling(seen, () => store.users.replace(1, ann))
  expect(await change(store, check)).toBe(true)
  expect(seen).toEqual([isaac, ann])
})

test.each<(typeof changes)[number]>([
  ['a replacement', ({ products }, check) => products.replace({ productId: 1, name: 'Prism' }, check)],
  ['a removal', ({ products }, check) => products.remove(1, check)],
])('%s of a product', async (_what, change) => {
  const store = await stored()
  const seen: unknown[] = []
  const check = meddling(seen, () => store.products.replace({ productId: 1, name: 'Lens' }))
  expect(await change(store, check)).toBe(true)
  expect(seen).toEqual([{ productId: 1 }, { productId: 1, name: 'Lens' }])
})
