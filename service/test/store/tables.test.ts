/** The tables, through the store. */

import { expect, test } from 'vitest'
import { founders } from '../../src/api/users.ts'
import { kind } from '../support/databases/database.ts'
import { databaseOfTest, openedAt, rows, stored } from './scratch.ts'

const ann = { name: 'Ann', age: 26, email: 'ann@example.org', registration_date: '2024-02-29' }

test('a new database contains the first users, products, persons and colors', async () => {
  const store = await stored()
  expect(await rows(store.users.all())).toEqual(founders)
  expect(await store.users.find(2)).toEqual({ name: 'Albert Einstein', age: 136, email: 'ae@mc2.org', registration_date: '1905-12-01' })
  expect(await rows(store.products.all())).toEqual([{ productId: 1 }, { productId: 2 }, { productId: 3 }])
  expect(await store.persons.all()).toEqual([
    { firstName: 'Isaac', lastName: 'Newton' },
    { firstName: 'Albert', lastName: 'Einstein' },
  ])
  expect([await store.users.count(), await store.colors.count()]).toEqual([3, 148])
  expect(await rows(store.secrets.all())).toEqual([])
  expect(await store.accounts.list()).toEqual([])
})

test('every colour has a lower-case hex that agrees with its components', async () => {
  const store = await stored()
  const colors = await store.colors.page({ field: 'name', order: 'asc', offset: 0, limit: 1000 })
  expect(colors).toHaveLength(148)
  for (const { rgb, hex } of colors) expect(hex).toBe(`#${Buffer.from(rgb).toString('hex')}`)
  expect(colors.find(({ name }) => name === 'rebeccapurple')).toEqual({ name: 'rebeccapurple', rgb: [102, 51, 153], hex: '#663399' })
})

test('a user is added, found, replaced and removed, and the count follows', async () => {
  const store = await stored()
  expect(await store.users.add(ann)).toBe(4)
  expect(await store.users.find(4)).toEqual(ann)
  expect(await store.users.count()).toBe(4)
  expect(await store.users.replace(4, { ...ann, age: 27 })).toBe(true)
  expect(await store.users.find(4)).toEqual({ ...ann, age: 27 })
  expect(await store.users.remove(4)).toBe(true)
  expect(await store.users.find(4)).toBeUndefined()
  expect(await store.users.count()).toBe(3)
  expect(await store.users.replace(4, ann)).toBe(false)
  expect(await store.users.remove(4)).toBe(false)
})

test('the identifier of a removed user is never reused, even after the database was closed', async () => {
  const { url } = await databaseOfTest()
  const before = await openedAt(url)
  expect(await before.users.add(ann)).toBe(4)
  await before.users.remove(4)
  await before.close()
  expect(await (await openedAt(url)).users.add(ann)).toBe(5)
})

test('text and integers are returned unchanged', async () => {
  const store = await stored()
  for (const name of ['', "Robert'); DROP TABLE users;--", 'line\r\nline', '\u2028', '😀', 'e\u0301']) {
    for (const age of [0, -1, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]) {
      const id = await store.users.add({ ...ann, name, age })
      expect(await store.users.find(id)).toEqual({ ...ann, name, age })
    }
  }
  expect(await store.users.find(Number.MAX_SAFE_INTEGER)).toBeUndefined()
})

test('a product keeps its given identifier; after its removal the identifier can be used again', async () => {
  const store = await stored()
  const lamp = { productId: Number.MIN_SAFE_INTEGER, name: 'Lamp' }
  expect(await store.products.add(lamp)).toBe(true)
  expect(await store.products.add({ ...lamp, name: 'Other' })).toBe(false)
  expect(await store.products.find(lamp.productId)).toEqual(lamp)
  expect(await rows(store.products.all())).toEqual([lamp, { productId: 1 }, { productId: 2 }, { productId: 3 }])
  expect(await store.products.replace({ productId: lamp.productId })).toBe(true)
  expect(await store.products.find(lamp.productId)).toEqual({ productId: lamp.productId })
  expect(await store.products.remove(lamp.productId)).toBe(true)
  expect(await store.products.remove(lamp.productId)).toBe(false)
  expect(await store.products.replace(lamp)).toBe(false)
  expect(await store.products.add(lamp)).toBe(true)
})

test('secrets are listed in the order of insertion', async () => {
  const store = await stored()
  const secrets = Array.from({ length: 1200 }, (_, index) => ({ secret: `secret ${index % 7}` }))
  for (const secret of secrets) await store.secrets.add(secret)
  expect(await rows(store.secrets.all())).toEqual(secrets)
})

test('an account is added, found, changed, listed and removed', async () => {
  const { accounts } = await stored()
  await accounts.put('bob', 'one')
  await accounts.put('ann', 'two')
  await accounts.put('bob', 'three')
  expect(await accounts.find('bob')).toEqual({ name: 'bob', hash: 'three' })
  expect(await accounts.find('Bob')).toBeUndefined()
  expect(await accounts.list()).toEqual(['ann', 'bob'])
  expect(await accounts.remove('bob')).toBe(true)
  expect(await accounts.remove('bob')).toBe(false)
})

test.runIf(kind === 'sqlite')('SQLite answers at once, without a promise', async () => {
  const store = await stored()
  expect(store.users.count()).toBe(3)
  expect(store.users.find(1)).toEqual(founders[0])
  expect(store.users.add(ann)).toBe(4)
})
