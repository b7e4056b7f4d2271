/** The module of SQLite: that of Node if it is complete, the package otherwise. Neither loses data. */

import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { StoreUnavailable } from '../../../src/store/errors.ts'
import { DatabaseSync } from '../../../src/store/sqlite/module.ts'
import { sqliteStoreError } from '../../../src/store/sqlite.ts'
import { ann } from '../../specification/known.ts'
import { send, withJson } from '../../specification/send.ts'
import { folderOfTest, program, serviceProcess } from '../../support/service.ts'
import { failure, folder, opened, rows } from '../scratch.ts'

interface Builtin {
  readonly DatabaseSync: unknown
  readonly StatementSync: { readonly prototype: object }
}

const builtin = (): Builtin | undefined => process.getBuiltinModule?.('node:sqlite') as Builtin | undefined

test('is that of Node if it is complete, and the package otherwise', () => {
  const own = builtin()
  const isWhole = own !== undefined && 'setReturnArrays' in own.StatementSync.prototype
  expect(DatabaseSync === own?.DatabaseSync).toBe(isWhole)
  // What each known version of Node has.
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  expect(isWhole).toBe(major >= 24 || (major === 22 && minor >= 16))
})

/** This Node, and those whose paths are given: `NODES="/a/node /b/node" npx vitest run service/test/store/sqlite/module.sqlite.test.ts`. */
const nodes = [process.execPath, ...(process.env['NODES'] ?? '').split(' ').filter((path) => path !== '')]

test.each(nodes)('the built service runs on %s: it stores data, and prints nothing on standard error', async (node) => {
  const place = folderOfTest()
  const start = () => serviceProcess(['main'], { PORT: '0' }, place, { node, path: program })
  const first = start()
  const { headers } = await send(await first.listening('main'), withJson('POST /users', ann))
  first.child.kill('SIGTERM')
  expect(await first.ended).toMatchObject({ status: 0, errors: '' })
  const second = start()
  const base = await second.listening('main')
  expect(JSON.parse((await send(base, `GET ${headers['location']}`)).text)).toEqual(ann)
  expect((await send(base, 'GET /colors')).status).toBe(206)
  second.child.kill('SIGTERM')
  expect(await second.ended).toMatchObject({ status: 0, errors: '' })
})

test('a statement keeps its database alive', async () => {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const statements = Array.from({ length: 20 }, () => new DatabaseSync(':memory:').prepare('SELECT 1 AS one'))
  for (let round = 0; round < 5; round += 1) {
    collect()
    await setTimeout(10)
  }
  for (const statement of statements) expect(statement.get()).toEqual({ one: 1 })
})

test('after a database is closed, its file alone contains all data', async () => {
  const place = folder()
  const store = await opened(join(place, 'service.db'))
  await store.secrets.add({ secret: 'kept' })
  await store.close()
  copyFileSync(join(place, 'service.db'), join(place, 'copy.db'))
  expect(await rows((await opened(join(place, 'copy.db'))).secrets.all())).toEqual([{ secret: 'kept' }])
})

test('every method distinguishes a lock from a defect', () => {
  const path = join(folder(), 'a.db')
  const holder = new DatabaseSync(path)
  holder.exec('CREATE TABLE t (a INTEGER UNIQUE); INSERT INTO t VALUES (1)')
  const other = new DatabaseSync(path, { timeout: 1 })
  const read = other.prepare('SELECT a FROM t')
  const write = other.prepare('INSERT INTO t VALUES (?)')
  const results = (...values: number[]) =>
    [() => read.all(), () => read.get(), () => write.run(...values), () => other.exec(`INSERT INTO t VALUES (${values})`)].map((query) => {
      try {
        query()
        return 'done'
      } catch (error) {
        const failure = sqliteStoreError(error)
        return failure instanceof StoreUnavailable ? failure.message : 'a defect'
      }
    })
  holder.exec('BEGIN EXCLUSIVE')
  expect(results(2)).toEqual(Array(4).fill('The database is locked by another process. (SQLITE_BUSY: database is locked)'))
  holder.exec('ROLLBACK')
  expect(results(1)).toEqual(['done', 'done', 'a defect', 'a defect'])
  for (const database of [holder, other]) database.close()
})

test('a statement waits for a database that another process locks briefly', async () => {
  const path = join(folder(), 'service.db')
  const other = new DatabaseSync(path)
  other.exec('CREATE TABLE t (a INTEGER); DROP TABLE t; BEGIN EXCLUSIVE')
  const opening = opened(path)
  await setTimeout(300)
  other.exec('ROLLBACK')
  expect(await (await opening).users.count()).toBe(3)
  other.close()
})

describe('a value without an exact representation in JavaScript is rejected, never changed:', () => {
  const large = '9007199254740993'

  test('an integer in a result', async () => {
    const path = join(folder(), 'service.db')
    const store = await opened(path)
    const other = new DatabaseSync(path)
    other.exec(`UPDATE users SET age = ${large} WHERE id = 1`)
    other.close()
    for (const query of [() => store.users.find(1), () => rows(store.users.all())]) {
      const error = await failure(query)
      expect(error).not.toBeInstanceOf(StoreUnavailable)
      expect(String(error)).toContain('too large')
    }
    expect(await store.users.find(2)).toMatchObject({ age: 136 })
  })

  test('a new identifier', async () => {
    const path = join(folder(), 'service.db')
    const store = await opened(path)
    const other = new DatabaseSync(path)
    other.exec(`UPDATE sqlite_sequence SET seq = ${large} WHERE name = 'users'`)
    other.close()
    const error = await failure(() => store.users.add(ann))
    expect(error).not.toBeInstanceOf(StoreUnavailable)
    expect(String(error)).toContain('too large')
  })

  test('a text that holds NUL, as a key or a value: it is never truncated', async () => {
    const store = await opened(':memory:')
    await store.accounts.put('ann', 'hash')
    for (const query of [
      () => store.accounts.find('ann\0x'),
      () => store.accounts.put('ann\0x', 'other'),
      () => store.accounts.remove('ann\0x'),
      () => store.secrets.add({ secret: 'a\0b' }),
      () => store.colors.add([{ name: 'a\0b', rgb: [0, 0, 0], hex: '#000000' }]),
      () => store.colors.page({ field: 'name', order: 'asc', after: { value: 'a\0b' }, offset: 0, limit: 5 }),
    ])
      expect(await failure(query)).toBeInstanceOf(TypeError)
    expect(await store.accounts.find('ann')).toEqual({ name: 'ann', hash: 'hash' })
    expect(await store.colors.count()).toBe(148)
  })
})
