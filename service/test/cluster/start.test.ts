/** Several processes by one setting: they start as one service, and share its ports and its database. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { deployments } from '../../src/settings.ts'
import { comparable, item } from '../specification/expected.ts'
import { ann } from '../specification/known.ts'
import { exchange, send, withJson } from '../specification/send.ts'
import { databaseOfTest } from '../store/scratch.ts'
import { folderOfTest, serviceProcess } from '../support/service.ts'
import { clusterProcess } from './clusterProcess.ts'

const free = { PORT: '0', PAGINATION_PORT: '0', DOCS_PORT: '0', SHUTDOWN_GRACE_MS: '100' }

/** Asks on a connection of its own. */
const alone = (base: string, target: string): Promise<string> =>
  exchange(base, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)

test('all workers serve on one picked port, and each logs its requests', async () => {
  const { base, workers, lines, line } = await clusterProcess({ environment: { WORKERS: '3', DATABASE_URL: (await databaseOfTest()).url } })
  for (let index = 0; index < 30; index += 1) expect(await alone(base, `/position/1/${index}`)).toMatch(/^HTTP\/1\.1 200 /)
  for (let index = 0; index < 30; index += 1) await line(({ target }) => target === `/position/1/${index}`)
  const served = new Set(lines.filter(({ msg }) => msg === 'request').map(({ pid }) => pid))
  expect([...served].sort()).toEqual([...workers()].sort())
  expect(served.size).toBe(3)
})

test('each deployment is announced once, before other lines, and answers in every worker', async () => {
  const { url } = await databaseOfTest()
  const { urls, lines, listening, child, ended } = serviceProcess([], { ...free, WORKERS: '2', DATABASE_URL: url }, folderOfTest())
  const requests = { main: ['/albert', 200], pagination: ['/colors', 206], docs: ['/hello', 200] } as const
  for (const deployment of deployments) {
    const [target, status] = requests[deployment]
    const base = await listening(deployment)
    for (let index = 0; index < 6; index += 1) expect(await alone(base, target)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  }
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0, errors: '' })
  expect(lines.slice(0, 3)).toEqual(deployments.map((deployment) => ({ event: 'listening', deployment, url: urls[deployment] })))
  expect(lines.filter(({ event }) => event !== undefined)).toHaveLength(3)
  expect(new Set(Object.values(urls)).size).toBe(3)
})

test('auto is one worker per core', async () => {
  const { workers, child, ended } = await clusterProcess({ environment: { WORKERS: 'auto', LOG_LEVEL: 'info' } })
  const cores = availableParallelism()
  if (cores > 1) await vi.waitFor(() => expect(workers()).toHaveLength(cores), { timeout: 15_000 })
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0, errors: '' })
  expect(workers()).toHaveLength(cores > 1 ? cores : 0)
})

test('a single worker is the process itself', async () => {
  const { lines, listening, pid, line } = serviceProcess(
    ['main'],
    { ...free, WORKERS: '1', DATABASE_URL: 'sqlite::memory:' },
    folderOfTest(),
  )
  await send(await listening('main'), 'GET /hello')
  expect((await line(({ msg }) => msg === 'request'))['pid']).toBe(pid)
  expect(lines.filter(({ msg }) => msg === 'a worker listens')).toEqual([])
})

test('parallel writes of workers to one database are all stored', async () => {
  const { base, lines } = await clusterProcess({ environment: { DATABASE_URL: (await databaseOfTest()).url } })
  const names = Array.from({ length: 300 }, (_, index) => `User ${index}`)
  const kept: (readonly [string, string])[] = []
  const post = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const response = await send(base, withJson('POST /users', { ...ann, name }))
      // A database that was locked for too long says so, and nothing is written.
      if (response.status !== 201) expect(response.status).toBe(503)
      else kept.push([response.headers['location'] ?? '', name])
    }
  }
  await Promise.all(Array.from({ length: 8 }, post))
  expect(kept.length).toBeGreaterThan(200)
  expect(new Set(kept.map(([location]) => location)).size).toBe(kept.length)
  for (const [location, name] of kept) expect(comparable(await send(base, `GET ${location}`))).toEqual(item({ ...ann, name }))
  const writers = lines.filter(({ method, status }) => method === 'POST' && status === 201).map(({ pid }) => pid)
  expect(new Set(writers).size).toBe(2)
})

describe('an invalid start ends with one line, as with one process', () => {
  /** Nothing on standard output, one line on standard error. */
  async function refusal(environment: Readonly<Record<string, string>>, folder = folderOfTest()): Promise<string> {
    const preset = { ...free, WORKERS: '2', DATABASE_URL: `sqlite:${join(folder, 'service.db')}` }
    const { status, output, errors } = await serviceProcess(['main'], { ...preset, ...environment }, folder).ended
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(errors).toMatch(/^[^\n]+\n$/)
    return errors.slice(0, -1)
  }

  test('an invalid number of workers', async () => {
    expect(await refusal({ WORKERS: 'many' })).toBe('WORKERS is "many": expected a whole number from 1 to 1000, or auto.')
  })

  test('a database in memory', async () => {
    expect(await refusal({ DATABASE_URL: 'sqlite::memory:' })).toBe(
      'WORKERS is "2": expected 1 with sqlite::memory:, since each process would have a database of its own.',
    )
  })

  test('a database that cannot be opened', async () => {
    expect(await refusal({ DATABASE_URL: 'sqlite:/dev/null/service.db' })).toMatch(/^Cannot open the database \/dev\/null\/service\.db: /)
  })

  test('a port in use', async () => {
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo // it listens, and not on a path
    expect(await refusal({ PORT: `${port}` })).toBe(`The port is "${port}": expected a free port on 127.0.0.1, and this one is taken.`)
  })

  test('an address of another machine', async () => {
    expect(await refusal({ HOST: '192.0.2.1' })).toMatch(/^The address is "192\.0\.2\.1:0": expected /)
  })
})
