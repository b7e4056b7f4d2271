/** Opening a SQLite database: created once, migrated once, and without a change of the files of other programs. */

import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { OpenError } from '../../src/store/errors.ts'
import { migrations } from '../../src/store/migrations.ts'
import { DatabaseSync } from '../../src/store/sqlite/module.ts'
import { openStore } from '../../src/store/store.ts'

import { start } from './process.ts'
import { failure, folder, opened, rows } from './scratch.ts'

/** A database that the service has used and closed. */
async function used(): Promise<string> {
  const path = join(folder(), 'service.db')
  await (await openStore(`sqlite:${path}`)).close()
  return path
}

const digest = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')

/** The error message about this file, which is one line; the file is then as it was, and alone in its folder as before. */
async function getErrorMessage(path: string): Promise<string> {
  const before = digest(path)
  const files = readdirSync(join(path, '..'))
  const error = await failure(() => openStore(`sqlite:${path}`))
  expect(error).toBeInstanceOf(OpenError)
  expect(digest(path)).toBe(before)
  expect(readdirSync(join(path, '..'))).toEqual(files)
  const { message } = error as OpenError
  expect(message).not.toContain('\n')
  expect(message.startsWith(`Cannot open the database ${path}: `)).toBe(true)
  return message.slice(`Cannot open the database ${path}: `.length)
}

test('the folder of a new database is created', async () => {
  const path = join(folder(), 'one', 'two', 'service.db')
  await opened(path)
  expect(existsSync(path)).toBe(true)
})

test('an empty file becomes a new database', async () => {
  const path = join(folder(), 'service.db')
  writeFileSync(path, '')
  expect(await (await opened(path)).colors.count()).toBe(148)
})

test('deleted rows do not return when the database is opened again', async () => {
  const path = join(folder(), 'service.db')
  const first = await opened(path)
  for (const id of [1, 2, 3]) await first.users.remove(id)
  await first.products.remove(2)
  await first.close()
  const second = await opened(path)
  expect(await rows(second.users.all())).toEqual([])
  expect(await second.users.count()).toBe(0)
  expect(await rows(second.products.all())).toEqual([{ productId: 1 }, { productId: 3 }])
})

test('migrations are numbered from 1 without a gap, and each has run once', async () => {
  expect(migrations.map(({ version }) => version)).toEqual(migrations.map((_, index) => index + 1))
  const path = await used()
  await (await openStore(`sqlite:${path}`)).close()
  const database = new DatabaseSync(path, { readOnly: true })
  expect(database.prepare('SELECT version, title FROM migrations').all()).toEqual(
    migrations.map(({ version, title }) => ({ version, title })),
  )
  expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
  database.close()
})

test('several processes that open one new database at once all find it complete, with its first rows once', async () => {
  const path = join(folder(), 'service.db')
  const children = Array.from({ length: 3 }, () => start('child/opening.ts', [path], { stdio: ['pipe', 'pipe', 'inherit'] }))
  const outputs = children.map(() => '')
  for (const [index, child] of children.entries()) {
    child.stdout?.on('data', (text: Buffer) => {
      outputs[index] = `${outputs[index]}${text}`
    })
  }
  await Promise.all(children.map((child) => child.stdout && once(child.stdout, 'data')))
  for (const child of children) child.stdin?.write('go\n')
  await Promise.all(children.map((child) => once(child, 'close')))
  expect(outputs).toEqual(children.map(() => 'ready\n148 3\n'))
})

test('several stores in one process share a database', async () => {
  const path = join(folder(), 'service.db')
  const [one, other] = await Promise.all([opened(path), opened(path), opened(path)])
  await one.secrets.add({ secret: 'x' })
  expect(await rows(other.secrets.all())).toEqual([{ secret: 'x' }])
})

describe('rejected with one line, and unchanged:', () => {
  test('a database of a newer build', async () => {
    const path = await used()
    const database = new DatabaseSync(path)
    database.prepare('INSERT INTO migrations VALUES (?, ?, ?)').run(7, 'from the future', '')
    database.close()
    expect(await getErrorMessage(path)).toBe(
      `its tables are of version 7 and this build knows version ${migrations.length} at most; start a newer build.`,
    )
  })

  test('the database of another program', async () => {
    const path = join(folder(), 'other.db')
    const database = new DatabaseSync(path)
    database.exec('CREATE TABLE migrations (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE users (id INTEGER)')
    database.close()
    expect(await getErrorMessage(path)).toBe('it belongs to another program; it was left as it is.')
  })

  test.each(['hello', 'SQLite format 3', 'x'.repeat(10_000), '\0'.repeat(8192)])('a file that is not a database (%#)', async (content) => {
    const path = join(folder(), 'garbage.db')
    writeFileSync(path, content)
    expect(await getErrorMessage(path)).toBe('it is not an SQLite database; it was left as it is.')
  })

  test.each([20, 99, 100, 1000, 4096, 8192, 20_000, -4096, -1])('a database truncated to %i bytes', async (length) => {
    const path = await used()
    truncateSync(path, length > 0 ? length : readFileSync(path).length + length)
    expect(await getErrorMessage(path)).toBe('it is cut short; it was left as it is.')
  })

  test('a database with garbage in its middle', async () => {
    const path = await used()
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.fill(0xa5, 100, 12_288))
    expect(await getErrorMessage(path)).toBe('database disk image is malformed.')
  })
})

test('a folder is rejected', async () => {
  const path = folder()
  expect(await failure(() => openStore(`sqlite:${path}`))).toMatchObject({ message: `Cannot open the database ${path}: it is a folder.` })
})

test('the message names a folder that cannot be created, a missing path and a dangling link', async () => {
  const path = folder()
  writeFileSync(join(path, 'file'), '')
  mkdirSync(join(path, 'gone'))
  symlinkSync(join(path, 'nowhere', 'x.db'), join(path, 'link.db'))
  await expect(openStore(`sqlite:${path}/file/service.db`)).rejects.toThrow(
    `Cannot open the database ${path}/file/service.db: its folder cannot be made.`,
  )
  await expect(openStore('sqlite:')).rejects.toThrow('Cannot open the database : its path is missing.')
  await expect(openStore(`sqlite:${path}/link.db`)).rejects.toThrow(OpenError)
})

test('another kind of database is rejected without its password in the message', async () => {
  const error = await failure(() => openStore('postgres://ann:s3cret@localhost/service'))
  expect(error).toBeInstanceOf(OpenError)
  expect(String(error)).not.toContain('s3cret')
})

test('commits wait for the disk, and the schema is not trusted', async () => {
  const prepared = vi.spyOn(DatabaseSync.prototype, 'prepare')
  onTestFinished(() => prepared.mockRestore())
  await opened(join(folder(), 'service.db'))
  const database = prepared.mock.contexts[0]
  const set = ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'busy_timeout']
  const values = set.map((name) => Object.values(database?.prepare(`PRAGMA ${name}`).get() ?? {}))
  // 2 is FULL: each commit waits for the disk.
  expect(values.flat()).toEqual(['wal', 2, 1, 0, 50])
})
