/** The data and the errors of SQLite when the machine fails. */

import { chmodSync, copyFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../src/store/errors.ts'
import { DatabaseSync } from '../../src/store/sqlite/module.ts'
import type { Store } from '../../src/store/store.ts'

import { run, start } from './process.ts'
import { failure, folder, opened, rows } from './scratch.ts'
import { smallDisk } from './smallDisk.ts'

const ann = { name: 'Ann', age: 26, email: 'ann@example.org', registration_date: '2024-02-29' }

async function unavailable(action: () => unknown): Promise<StoreUnavailable> {
  const error = await failure(action)
  expect(error).toBeInstanceOf(StoreUnavailable)
  expect((error as StoreUnavailable).retryAfter).toBeGreaterThanOrEqual(1)
  return error as StoreUnavailable
}

test('a process that is killed while it writes loses no acknowledged row', async () => {
  const path = join(folder(), 'service.db')
  const child = start('child/adding.ts', [path, '1000'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const acknowledged: number[] = []
  if (child.stdout === null) throw new Error('The child has no standard output.')
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line))
    if (acknowledged.length === 500) child.kill('SIGKILL')
  }
  expect(acknowledged.length).toBeGreaterThanOrEqual(500)
  const store = await opened(path)
  for (const id of acknowledged) expect(await store.users.find(id)).toBeDefined()
  expect(await store.users.count()).toBe((await rows(store.users.all())).length)
  const database = new DatabaseSync(path, { readOnly: true })
  expect(database.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
  database.close()
})

test('all of 1,000 acknowledged rows are stored after an undisturbed run', async () => {
  const path = join(folder(), 'service.db')
  const { status, output } = await run('child/adding.ts', [path, '1000'])
  expect(status).toBe(0)
  expect(output.trim().split('\n').map(Number)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 4))
  expect(await (await opened(path)).users.count()).toBe(1003)
})

test('while another process holds the lock, reads succeed and writes are rejected within 100 ms', async () => {
  const path = join(folder(), 'service.db')
  const store = await opened(path)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const waits: number[] = []
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const started = performance.now()
    expect((await unavailable(() => store.users.add(ann))).retryAfter).toBe(1)
    waits.push(performance.now() - started)
  }
  // The shortest: a busy machine makes any of them longer.
  expect(Math.min(...waits)).toBeLessThan(100)
  expect(await store.users.count()).toBe(3)
  other.exec('ROLLBACK')
  other.close()
  expect(await store.users.add(ann)).toBe(4)
})

function replace(path: string): void {
  copyFileSync(path, `${path}.copy`)
  renameSync(`${path}.copy`, path)
}

test.each([
  ['removed', (path: string) => rmSync(path)],
  ['replaced', replace],
])('a database file that was %s while it was open is detected before anything is written', async (what, change) => {
  const path = join(folder(), 'service.db')
  const store = await opened(path)
  await store.ping()
  change(path)
  expect((await unavailable(() => store.ping())).message).toContain(what)
  await unavailable(() => store.users.add(ann))
  await unavailable(() => store.accounts.remove('ann'))
})

test('a read-only file is read, is not ready, and rejects writes', async () => {
  const place = folder()
  const path = join(place, 'service.db')
  await run('child/adding.ts', [path, '0'])
  chmodSync(path, 0o444)
  // The folder may be written: a reader needs its index of the write-ahead log there.
  chmodSync(place, 0o777)
  const { output, errors } = await run('child/serving.ts', [path])
  expect(errors).toBe('')
  expect(JSON.parse(output)).toEqual({ read: 'done', written: 'unavailable', ready: 'unavailable' })
})

async function fill(store: Store): Promise<StoreUnavailable> {
  return unavailable(async () => {
    for (;;) await store.secrets.add({ secret: 'x'.repeat(10_000) })
  })
}

test('on a full disk reads succeed and writes are rejected until there is space', async ({ skip }) => {
  const disk = smallDisk('1m')
  if (disk === undefined) return skip('This process may not mount a small disk.')
  const store = await opened(join(disk, 'service.db'))
  const ballast = join(disk, 'ballast')
  writeFileSync(ballast, Buffer.alloc(300_000))
  expect((await fill(store)).message).toMatch(/full|fails/)
  expect(await store.users.find(1)).toBeDefined()
  const kept = (await rows(store.secrets.all())).length
  rmSync(ballast)
  await store.secrets.add({ secret: 'there is room' })
  expect(await rows(store.secrets.all())).toHaveLength(kept + 1)
  expect(statSync(join(disk, 'service.db')).size).toBeGreaterThan(0)
})

test('a table with a damaged constraint gives a defect, not a transient failure', async () => {
  const path = join(folder(), 'service.db')
  const store = await opened(path)
  const other = new DatabaseSync(path)
  other.exec("CREATE TRIGGER broken BEFORE INSERT ON secrets BEGIN SELECT RAISE(ABORT, 'broken'); END")
  other.close()
  const error = await failure(() => store.secrets.add({ secret: 'x' }))
  expect(error).toBeInstanceOf(Error)
  expect(error).not.toBeInstanceOf(StoreUnavailable)
})

test('a list that is read while the store closes fails, and nothing hangs', async () => {
  const path = join(folder(), 'service.db')
  const store = await opened(path)
  for (let index = 0; index < 600; index += 1) await store.secrets.add({ secret: String(index) })
  const list = store.secrets.all()
  await list.next()
  await store.close()
  await unavailable(() => rows(list))
  await unavailable(() => store.ping())
})

test('closing twice has the effect of closing once', async () => {
  const store = await opened(':memory:')
  await store.close()
  await store.close()
})
