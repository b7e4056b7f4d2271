/** Lists of any length: in order, each row once, nothing left open. */

import { describe, expect, test } from 'vitest'
import type { User } from '../../src/api/schemas.ts'
import type { Store } from '../../src/store/store.ts'
import { kind } from '../support/databases/database.ts'
import { databaseOfTest, openedAt, rows } from './scratch.ts'

/** Where they are soon filled in, and soon read. */
const many = kind === 'sqlite' ? 100_000 : 20_000

/** A store with many users, added past it because one commit each would take a while. */
async function crowd(age: string, name: string): Promise<Store> {
  const { url, run } = await databaseOfTest()
  const store = await openedAt(url)
  await run(`WITH RECURSIVE numbers(n) AS (SELECT 4 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${many})
    INSERT INTO users (name, age, email, registration_date) SELECT ${name}, ${age}, n, '2024-02-29' FROM numbers`)
  return store
}

/** The identifier that `crowd` left in the email; the first three users have none. */
const id = ({ email }: User): number => Number(email.includes('@') ? 0 : email)

/** Names whose order by code point is another than by UTF-16 unit, or as people sort. */
const strange =
  kind === 'sqlite'
    ? 'char(97 + n * 31 % 26) || char(128512 + n % 3, 65533 + n % 2)'
    : 'chr(97 + n * 31 % 26) || chr(128512 + n % 3) || chr(65533 + n % 2)'

describe(`${many} users`, () => {
  test.each([
    ['by identifier', undefined, () => 0],
    ['by age', 'age', (a: User, b: User) => a.age - b.age],
    ['by name', 'name', (a: User, b: User) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name))],
  ] as const)('are listed %s, equal values by identifier, each once', async (_, sortby, compare) => {
    const store = await crowd('n * 7919 % 90', strange)
    const all = await rows(store.users.all(sortby))
    expect(all).toHaveLength(many)
    expect(await store.users.count()).toBe(many)
    expect(new Set(all.map(({ email }) => email)).size).toBe(many)
    const misplaced = all.findIndex((user, index) => {
      const next = all[index + 1]
      if (next === undefined) return false
      const order = compare(user, next)
      return order > 0 || (order === 0 && id(user) > id(next))
    })
    expect(misplaced).toBe(-1)
  })

  test('of one age take no longer than of many ages: no page reads the whole group again', async () => {
    const store = await crowd('40', "'Ann'")
    const started = performance.now()
    expect(await rows(store.users.all('age'))).toHaveLength(many)
    // About 0.2 s; with 200 scans of the group it would be 100 times as much.
    expect(performance.now() - started).toBeLessThan(15_000)
  })

  test('are read in small batches, with other work between them', async () => {
    const store = await crowd('n % 90', "'Ann'")
    let turns = 0
    const turn = setInterval(() => {
      turns += 1
    }, 0)
    /** The users of each turn of the event loop. */
    const sizes: number[] = [0]
    const next = () => {
      if (sizes.at(-1) !== 0) sizes.push(0)
      immediate = setImmediate(next)
    }
    let immediate = setImmediate(next)
    for await (const _ of store.users.all('age')) sizes[sizes.length - 1] = (sizes.at(-1) ?? 0) + 1
    clearImmediate(immediate)
    clearInterval(turn)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(many)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000)
    expect(turns).toBeGreaterThan(10)
  })
})

test('a reader that stops early leaves nothing behind: writes succeed, and the database closes', async () => {
  const store = await crowd('n', "'Ann'")
  for await (const user of store.users.all('name')) {
    expect(user.name).toBeTypeOf('string')
    break
  }
  const unread = store.users.all()
  await unread.next()
  expect(await unread.return()).toEqual({ done: true, value: undefined })
  expect(await store.users.remove(1)).toBe(true)
  await store.close()
})

test('rows that are removed and added while a list is read affect no other row', async () => {
  const store = await crowd('n', "'Ann'")
  const seen: User[] = []
  for await (const user of store.users.all('age')) {
    seen.push(user)
    if (seen.length % 500 !== 0) continue
    await store.users.remove(id(user))
    await store.users.add({ ...user, age: -1 })
  }
  expect(new Set(seen.map(({ email }) => email)).size).toBe(many)
})
