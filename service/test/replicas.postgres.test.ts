/** Replicas on one PostgreSQL, directly and behind the deployed nginx. */

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Load, type LoadRequest, type Outcome, startLoad } from '../../scripts/load.mjs'
import { type Nginx, startNginx } from '../../scripts/nginx.mjs'
import { createReplica } from '../../scripts/replica.mjs'
import { hashPassword } from '../src/accounts/password.ts'
import { colors } from './specification/colors.ts'
import { type ReceivedResponse, send, withHeaders, withJson } from './specification/send.ts'
import { postgresOfTest } from './support/databases/database.ts'
import { type Replicas, replicas, withoutNginx } from './support/replicas.ts'

const hostOf = (url: string): string => new URL(url).host

// Not at the top: who lists the tests starts no process.
let database: Replicas['database']
let three: Replicas['all']
let hosts: readonly string[]
beforeAll(async () => {
  const it = await replicas()
  database = it.database
  three = it.all
  hosts = three.map(({ urls }) => hostOf(urls.main))
  return it.close
})

const statuses = (responses: readonly ReceivedResponse[]): readonly number[] => responses.map(({ status }) => status)

test('five replicas start at once on an empty database, and insert its first rows once', async () => {
  const empty = await postgresOfTest()
  const all = await Promise.all(Array.from({ length: 5 }, () => createReplica(empty.url)))
  onTestFinished(async () => void (await Promise.all(all.map((one) => one.remove()))))
  await Promise.all(all.map((one) => one.start()))
  expect(statuses(await Promise.all(all.map(({ urls }) => send(urls.main, 'GET /health/ready'))))).toEqual(all.map(() => 200))
  const [counts] = await empty.rows(`SELECT
    (SELECT count(*) FROM users), (SELECT count(*) FROM persons), (SELECT count(*) FROM products), (SELECT count(*) FROM colors),
    (SELECT sum(total)::bigint FROM counts WHERE name = 'users'), (SELECT sum(total)::bigint FROM counts WHERE name = 'colors')`)
  expect(counts).toEqual([3, 2, 3, colors.length, 3, colors.length])
})

test('the writes of one replica are visible to the others at once', async () => {
  const [first, second, third] = three
  const user = { name: 'Ada Lovelace', age: 36, email: 'ada@example.org', registration_date: '1833-06-05' }
  const { headers } = await send(first.urls.main, withJson('POST /users', user))
  const location = headers['location'] ?? 'no location'
  for (const { urls } of three) expect(JSON.parse((await send(urls.main, `GET ${location}`)).text)).toEqual(user)
  await send(second.urls.main, withJson(`PUT ${location}`, { ...user, age: 37 }))
  for (const { urls } of three) expect(JSON.parse((await send(urls.main, `GET ${location}`)).text)).toEqual({ ...user, age: 37 })
  await send(third.urls.main, `DELETE ${location}`)
  for (const { urls } of three) expect((await send(urls.main, `GET ${location}`)).status).toBe(404)
})

test('an account that one process removes is rejected by all others at once, cached or not', async () => {
  await database.run('INSERT INTO accounts (name, hash) VALUES (?, ?)', [['ann', await hashPassword('open sesame')]])
  const guarded = withHeaders('GET /users/list-all', { Authorization: `Basic ${Buffer.from('ann:open sesame').toString('base64')}` })
  const everywhere = (): Promise<ReceivedResponse[]> => Promise.all(three.map(({ urls }) => send(urls.main, guarded)))
  // Twice: the second time each remembers that they are right.
  expect(statuses(await everywhere())).toEqual([200, 200, 200])
  expect(statuses(await everywhere())).toEqual([200, 200, 200])
  const account = fileURLToPath(new URL('../dist/account.js', import.meta.url))
  await promisify(execFile)(process.execPath, [account, 'remove', 'ann'], { env: { DATABASE_URL: database.url } })
  expect(statuses(await everywhere())).toEqual([401, 401, 401])
})

/** What the clients ask, in turn. */
const user = (email: string): string => JSON.stringify({ name: 'Ann', age: 30, email, registration_date: '2020-02-29' })
const ofJson = { 'Content-Type': 'application/json' }
const repeatable: readonly LoadRequest[] = [
  { target: '/hello?name=Ann' },
  { target: '/colors', headers: { Range: 'rgb; limit 20' } },
  { target: '/users/1' },
  { method: 'HEAD', target: '/persons' },
  { method: 'OPTIONS', target: '/users' },
  { method: 'PUT', target: '/products/1', headers: ofJson, body: '{"productId":1,"name":"one"}' },
  { method: 'DELETE', target: '/products/404' },
]
const expected = ['DELETE 404', 'GET 200', 'GET 206', 'HEAD 200', 'OPTIONS 204', 'PUT 204']

const formatOutcome = ({ method, status, error }: Outcome): string => `${method} ${status ?? error}`
/** Each method with each of its answers, once. */
const found = (outcomes: readonly Outcome[]): readonly string[] => [...new Set(outcomes.map(formatOutcome))].sort()
const isPost = ({ method }: Outcome): boolean => method === 'POST'

const clients = 4

/** Clients that ask all of this; every eighth request is a POST of a unique user. `name` tells one load from another. */
function clientsOf(base: string, name: string, count = clients): Load {
  return startLoad(base, count, (number) => {
    const request = repeatable[number % (repeatable.length + 1)]
    return request ?? { method: 'POST', target: '/users', headers: ofJson, body: user(`${name}-${number}@example.org`) }
  })
}

/** How many users of this load there are: by different addresses, and in all. */
async function posted(name: string): Promise<{ readonly different: unknown; readonly all: unknown }> {
  const [row] = await database.rows(`SELECT count(DISTINCT email), count(*) FROM users WHERE email LIKE '${name}-%'`)
  return { different: row?.[0], all: row?.[1] }
}

describe.skipIf(withoutNginx())('behind nginx', () => {
  let front: Nginx
  beforeAll(async () => {
    front = await startNginx(three.map(({ urls }) => urls))
  })
  afterAll(() => front?.stop())

  test('each replica answers a share', async () => {
    const { main } = front.urls
    const begun = front.log().length
    const running = startLoad(main, 4, (number) => repeatable[number % repeatable.length] ?? { target: '/hello' })
    await running.more(600)
    const outcomes = await running.stop()
    expect(found(outcomes)).toEqual(expected)
    const lines = await vi.waitFor(() => {
      const all = front.log().slice(begun)
      expect(all).toHaveLength(outcomes.length)
      return all
    }, 10_000)
    for (const host of hosts) expect(lines.filter(({ replicas: tried }) => tried === host).length / lines.length).toBeGreaterThan(0.25)
  })

  /** Resolves when a request that is sent from now on has been answered by this replica. */
  async function isBack(host: string): Promise<void> {
    const begun = front.log().length
    const seen = (): boolean =>
      front
        .log()
        .slice(begun)
        .some(({ replicas: tried, statuses: last }) => tried.endsWith(host) && !last.includes('502'))
    await vi.waitFor(() => expect(seen()).toBe(true), { timeout: 10_000, interval: 100 })
  }

  test('when replicas are killed one after the other, each client loses one request at most, and nothing runs twice', async () => {
    const { main } = front.urls
    const running = clientsOf(main, 'killed')
    await running.more(100)
    for (const one of three) {
      expect(await one.end('SIGKILL')).toMatchObject({ signal: 'SIGKILL' })
      await running.more(100)
      await one.start()
    }
    await Promise.all(hosts.map(isBack))
    const outcomes = await running.stop()
    // What the killed one had begun is not sent again: it may have been done, and it may be what killed it.
    const lost = outcomes.filter(({ status }) => status === 502)
    expect(lost.length).toBeLessThanOrEqual(clients * three.length)
    const posts = outcomes.filter(isPost)
    expect(found(outcomes.filter((outcome) => !lost.includes(outcome)))).toEqual([...expected, 'POST 201'].sort())
    const { different, all } = await posted('killed')
    expect(all).toBe(different)
    expect(all).toBeGreaterThanOrEqual(posts.filter((outcome) => formatOutcome(outcome) === 'POST 201').length)
  })

  test('a rolling restart loses no request, idempotent or not; none runs twice', async () => {
    const { main } = front.urls
    const begun = front.log().length
    // So many that connections arrive at any moment.
    const running = clientsOf(main, 'restarted', 16)
    await running.more(200)
    for (const one of three) {
      expect(await one.end('SIGTERM')).toMatchObject({ status: 0 })
      await one.start()
    }
    await Promise.all(hosts.map(isBack))
    const outcomes = await running.stop()
    // The log says which replicas were tried, and what each did.
    const lost = front
      .log()
      .slice(begun)
      .filter(({ status }) => status.startsWith('5'))
    expect(lost).toEqual([])
    expect(found(outcomes)).toEqual([...expected, 'POST 201'].sort())
    const done = outcomes.filter(isPost).length
    expect(await posted('restarted')).toEqual({ different: done, all: done })
  })

  test('a 503 is that of the service, from one replica, and disables no replica', async () => {
    const { main } = front.urls
    const begun = front.log().length
    for (let count = 0; count < 4; count += 1) {
      const { status, headers } = await send(main, 'GET /echo/unavailable')
      expect([status, headers['retry-after']]).toEqual([503, '1'])
    }
    await vi.waitFor(() => expect(front.log().length).toBe(begun + 4), 10_000)
    expect(
      new Set(
        front
          .log()
          .slice(begun)
          .map(({ replicas: tried }) => tried),
      ),
    ).toEqual(new Set(hosts))
  })
})
