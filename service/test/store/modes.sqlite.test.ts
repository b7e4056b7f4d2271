/** Only the user of the service can read the database, for any creator of its file and any umask. */

import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { OpenError } from '../../src/store/errors.ts'
import { DatabaseSync } from '../../src/store/sqlite/module.ts'
import { openStore } from '../../src/store/store.ts'

import { serviceProcess } from '../support/service.ts'
import { run } from './process.ts'
import { failure, folder, opened, rows } from './scratch.ts'

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)
/** Of the database, its write-ahead log and the index of that. */
const modes = (path: string): readonly string[] => ['', '-wal', '-shm'].map((end) => modeOf(`${path}${end}`))

function withUmask(mask: number): void {
  const before = process.umask(mask)
  onTestFinished(() => void process.umask(before))
}

test.each(['000', '022', '077'])('a new database, the files beside it and its new folders are private under umask %s', async (mask) => {
  withUmask(Number.parseInt(mask, 8))
  const place = folder()
  const path = join(place, 'one', 'two', 'service.db')
  const store = await opened(path)
  await store.secrets.add({ secret: 'x' })
  expect(modes(path)).toEqual(['600', '600', '600'])
  expect([modeOf(join(place, 'one')), modeOf(join(place, 'one', 'two'))]).toEqual(['700', '700'])
})

test('the service creates them private', async () => {
  withUmask(0o022)
  const place = folder()
  const { listening } = serviceProcess(['main'], { PORT: '0' }, place)
  await listening('main')
  expect(modes(join(place, 'data', 'service.db'))).toEqual(['600', '600', '600'])
  expect(modeOf(join(place, 'data'))).toBe('700')
})

test.each(['644', '666', '640', '604', '777'])(
  'a database of mode %s and the files beside it become private when it is opened',
  async (mode) => {
    const path = join(folder(), 'service.db')
    const before = await opened(path)
    await before.secrets.add({ secret: 'kept' })
    for (const end of ['', '-wal', '-shm']) chmodSync(`${path}${end}`, Number.parseInt(mode, 8))
    const after = await opened(path)
    await after.secrets.add({ secret: 'and more' })
    expect(modes(path)).toEqual(Array(3).fill(`${mode[0]}00`))
    expect(await rows(after.secrets.all())).toEqual([{ secret: 'kept' }, { secret: 'and more' }])
  },
)

test('an existing folder keeps its mode, and so does a rejected file', async () => {
  const place = folder()
  chmodSync(place, 0o755)
  const path = join(place, 'other.db')
  const other = new DatabaseSync(path)
  other.exec('CREATE TABLE t (a INTEGER)')
  other.close()
  chmodSync(path, 0o644)
  expect(await failure(() => openStore(`sqlite:${path}`))).toBeInstanceOf(OpenError)
  await opened(join(place, 'service.db'))
  expect([modeOf(path), modeOf(place)]).toEqual(['644', '755'])
})

test('the target of a link becomes private, whether it exists or not', async () => {
  withUmask(0o022)
  const place = folder()
  writeFileSync(join(place, 'old.db'), '', { mode: 0o644 })
  for (const name of ['old', 'new']) {
    symlinkSync(join(place, `${name}.db`), join(place, `${name}.link`))
    const store = await opened(join(place, `${name}.link`))
    await store.secrets.add({ secret: 'x' })
    expect([name, ...modes(join(place, `${name}.db`))]).toEqual([name, '600', '600', '600'])
  }
})

test.runIf(process.getuid?.() === 0)('the file of another user keeps its mode, and is served', async () => {
  const place = folder()
  const path = join(place, 'service.db')
  await run('child/adding.ts', [path, '0'])
  chmodSync(path, 0o666)
  chmodSync(place, 0o777)
  const { errors, output } = await run('child/serving.ts', [path])
  expect(errors).toBe('')
  expect(JSON.parse(output)).toEqual({ read: 'done', written: 'done', ready: 'done' })
  expect(modeOf(path)).toBe('666')
})

test('a path that looks like a URL is used as a path', async () => {
  const place = folder()
  const before = process.cwd()
  process.chdir(place)
  onTestFinished(() => process.chdir(before))
  await opened('file:service.db?mode=memory')
  expect(existsSync(join(place, 'file:service.db?mode=memory'))).toBe(true)
  expect(readFileSync(join(place, 'file:service.db?mode=memory')).length).toBeGreaterThan(0)
})
