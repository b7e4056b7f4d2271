/** How many requests get through in processes, workers and replicas: in memory each process counts, in a table all of them together. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DatabaseSync } from '@photostructure/sqlite'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../../../../scripts/postgres.mjs'

const program = fileURLToPath(new URL('../support/rateLimit/server.mjs', import.meta.url))
const columns = Array.from({ length: 7 }, (_, index) => `used_${index} bigint not null`).join(', ')
const table = `create table rate_limits (key text primary key, slot bigint not null, ${columns}, is_allowed integer not null, expires_at bigint not null)`

let folder: string
let postgres: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lapidary-limits-'))
  postgres = await startPostgres()
})
afterAll(async () => {
  await Promise.all([rm(folder, { recursive: true }), postgres.remove()])
})

/** Starts a server, and returns its port. */
async function start(workers: number, url: string): Promise<number> {
  const child: ChildProcess = spawn(process.execPath, [program, `${workers}`, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  })
  const [chunk] = (await once(child.stdout as NonNullable<typeof child.stdout>, 'data')) as [Buffer]
  return Number(chunk.toString())
}

/** Sends 800 requests to these ports in turn, by 16 connections to each, and counts the responses by status. */
async function send(ports: readonly number[]): Promise<Readonly<Record<number, number>>> {
  const agents = ports.map(() => new Agent({ keepAlive: true, maxSockets: 16 }))
  const counts: Record<number, number> = {}
  const sendOne = (index: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const at = index % ports.length
      request({ host: '127.0.0.1', port: ports[at], path: '/hello', agent: agents[at] }, (response) => {
        const { statusCode = 0 } = response
        counts[statusCode] = (counts[statusCode] ?? 0) + 1
        response.resume().once('end', resolve)
      })
        .once('error', reject)
        .end()
    })
  await Promise.all(Array.from({ length: 800 }, (_, index) => sendOne(index)))
  for (const agent of agents) agent.destroy()
  return counts
}

const createSqlite = (): string => {
  const file = join(folder, `${Math.random()}.db`)
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = wal; ${table}`)
  database.close()
  return `sqlite:${file}`
}
const createPostgres = async (): Promise<string> => {
  const client = new Client({ connectionString: postgres.url() })
  await client.connect()
  await client.query(`drop table if exists rate_limits; ${table}`)
  await client.end()
  return postgres.url()
}
const inMemory = (): string => ''

test.each<[string, readonly number[], () => string | Promise<string>, number, number]>([
  ['one process, in memory', [1], inMemory, 100, 100],
  ['four workers, in memory', [4], inMemory, 101, 400],
  ['two replicas, in memory', [1, 1], inMemory, 200, 200],
  ['four workers, in a table of SQLite', [4], createSqlite, 100, 100],
  ['four workers, in a table of PostgreSQL', [4], createPostgres, 100, 100],
  ['two replicas of two workers, in a table of PostgreSQL', [2, 2], createPostgres, 100, 100],
])('%s', async (name, replicas, createUrl, least, most) => {
  const url = await createUrl()
  const ports = await Promise.all(replicas.map((workers) => start(workers, url)))
  const { 200: passed = 0, 429: refused = 0 } = await send(ports)
  process.stdout.write(`${name}: ${passed} of 800 pass a limit of 100\n`)
  expect(passed + refused).toBe(800)
  expect(passed).toBeGreaterThanOrEqual(least)
  expect(passed).toBeLessThanOrEqual(most)
})
