/** Opening a PostgreSQL database: created once, migrated, and without a change of the tables of other programs. */

import { afterAll, expect, onTestFinished, test } from 'vitest'
import { OpenError } from '../../src/store/errors.ts'
import { migrations } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/store.ts'

import { postgresOfTest } from '../support/databases/database.ts'
import { postgresDatabase } from '../support/databases/postgres.ts'
import { failure, openedAt, rows } from './scratch.ts'

const known = await postgresDatabase()
afterAll(known.remove)

/** The error message about this database, which is one line, without what every such message begins with. */
async function getErrorMessage(url: string): Promise<string> {
  const error = await failure(() => openStore(url))
  expect(error).toBeInstanceOf(OpenError)
  const { message } = error as OpenError
  expect(message).not.toContain('\n')
  const { username, password, host, pathname } = new URL(url)
  if (password !== '') expect(message).not.toContain(password)
  expect(message.startsWith(`Cannot open the database postgres://${username === '' ? '' : '…@'}${host}${pathname}: `)).toBe(true)
  return message.slice(message.indexOf(`${pathname}: `) + pathname.length + 2)
}

test('parallel openings of an empty database create its tables once, and all of them succeed', async () => {
  const { url, rows: query } = await postgresOfTest()
  const stores = await Promise.all(Array.from({ length: 8 }, () => openedAt(url)))
  for (const store of stores) expect([await store.users.count(), await store.colors.count()]).toEqual([3, 148])
  expect(await query('SELECT version FROM migrations ORDER BY version')).toEqual(migrations.map(({ version }) => [version]))
  expect(await stores[0]?.users.add({ name: 'Ann', age: 1, email: 'x', registration_date: '2024-02-29' })).toBe(4)
  expect(await stores[7]?.users.count()).toBe(4)
})

test('a database that is opened again keeps its rows, and deleted rows do not return', async () => {
  const { url } = await postgresOfTest()
  const before = await openedAt(url)
  await before.users.remove(1)
  await before.close()
  expect(await rows((await openedAt(url)).users.all())).toHaveLength(2)
})

test('tables of another program stay unchanged', async () => {
  const { url, run, rows: query } = await postgresOfTest()
  await run("CREATE TABLE users (login text); INSERT INTO users VALUES ('somebody')")
  expect(await getErrorMessage(url)).toMatch(/^it belongs to another program \(.*"users".*\); it was left as it is\.$/)
  expect(await query('SELECT * FROM users')).toEqual([['somebody']])
  expect(await query("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'")).toEqual([[1]])
})

test('migrations of another program are not mistaken for those of the service', async () => {
  const { url, run } = await postgresOfTest()
  await run('CREATE TABLE migrations (id integer, name text)')
  expect(await getErrorMessage(url)).toMatch(/^it belongs to another program \(.*\); it was left as it is\.$/)
})

test('tables of a newer build are rejected', async () => {
  const { url, run } = await postgresOfTest()
  await (await openStore(url)).close()
  await run("INSERT INTO migrations VALUES (99, 'from the future', now())")
  const begun = performance.now()
  expect(await getErrorMessage(url)).toBe(
    `its tables are of version 99 and this build knows version ${migrations.length} at most; start a newer build.`,
  )
  // Nothing to wait for: it will be no older later.
  expect(performance.now() - begun).toBeLessThan(4_000)
})

test('a database in another encoding is rejected, because it cannot store every text', async () => {
  const { url, run } = await postgresOfTest()
  await run("CREATE DATABASE latin ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0")
  onTestFinished(() => run('DROP DATABASE latin WITH (FORCE)'))
  expect(await getErrorMessage(url.replace(/[^/]*$/, 'latin'))).toBe(
    "its encoding is LATIN1, and UTF8 is needed; make it with ENCODING 'UTF8'.",
  )
})

test.concurrent.each([
  ['a wrong password', (url: string) => url.replace(/:[^:@/]+@/, ':wrong@'), /password authentication failed/],
  ['a database that is not there', (url: string) => `${url}_not`, /does not exist/],
  ['a port without a server, for some seconds', (url: string) => url.replace(/:\d+\//, ':1/'), /ECONNREFUSED/],
  ['a host that is not there, for some seconds', (url: string) => url.replace('127.0.0.1', 'nowhere.invalid'), /ENOTFOUND|EAI_AGAIN/],
])('%s is one line, without the password', async (_what, change, sentence) => {
  expect(await getErrorMessage(change(known.url))).toMatch(sentence)
})

test('days and numbers are the same for all settings of the database', async () => {
  const { url, run } = await postgresOfTest()
  await run(`DO $$ BEGIN
    EXECUTE format('ALTER DATABASE %I SET datestyle = ''German''', current_database());
    EXECUTE format('ALTER DATABASE %I SET timezone = ''America/Los_Angeles''', current_database());
    EXECUTE format('ALTER DATABASE %I SET extra_float_digits = -5', current_database()); END $$`)
  for (const options of ['', '?options=-c%20timezone%3DPacific/Apia', '?application_name=other&options=-cstatement_timeout%3D5000']) {
    const store = await openedAt(`${url}${options}`)
    expect(await store.users.find(1)).toMatchObject({ age: 372, registration_date: '1683-03-01' })
    const large = { name: 'Ann', age: Number.MIN_SAFE_INTEGER, email: 'x', registration_date: '0001-01-01' }
    expect(await store.users.find(await store.users.add(large))).toEqual(large)
  }
})

test('the counters follow all changes of the tables, by any writer', async () => {
  const { url, run } = await postgresOfTest()
  const store = await openedAt(url)
  await run("INSERT INTO users (name, age, email, registration_date) SELECT n, n, n, '2024-02-29' FROM generate_series(1, 5000) n")
  expect(await store.users.count()).toBe(5003)
  await run('DELETE FROM users WHERE id % 2 = 0')
  expect(await store.users.count()).toBe((await rows(store.users.all())).length)
  await run('UPDATE users SET age = age + 1')
  await run('DELETE FROM users WHERE false')
  expect(await store.users.count()).toBe((await rows(store.users.all())).length)
  await Promise.all(
    Array.from({ length: 50 }, async (_, age) => store.users.add({ name: 'x', age, email: 'x', registration_date: '2024-02-29' })),
  )
  expect(await store.users.count()).toBe((await rows(store.users.all())).length)
  await run('TRUNCATE users')
  expect(await store.users.count()).toBe(0)
})
