/** A service that is killed while it writes: every acknowledged row is stored after the restart. */

import { expect, test } from 'vitest'
import { comparable, item } from './specification/expected.ts'
import { ann, users } from './specification/known.ts'
import { type ReceivedResponse, send, withJson } from './specification/send.ts'
import { databaseOfTest } from './store/scratch.ts'
import { folderOfTest, serviceProcess } from './support/service.ts'

const wanted = 1_000
const connections = 8
/** How often a service is killed, each time at another moment: `KILLS=50 npx vitest run service/test/durability.test.ts`. */
const kills = Number(process.env['KILLS'] ?? '1')

interface User {
  readonly name: string
  readonly age: number
  readonly email: string
  readonly registration_date: string
}

const user = (index: number): User => ({
  name: `User ${index} – Zoë 🌍`,
  age: index,
  email: `${index}@example.org`,
  registration_date: `2024-01-${String((index % 28) + 1).padStart(2, '0')}`,
})

const moments = Array.from({ length: kills }, (_, round) => 60 + ((round * 617 + 440) % 900))

test.each(moments)('every user acknowledged before SIGKILL is stored unchanged, with its own identifier (after %i)', async (moment) => {
  const folder = folderOfTest()
  // Nothing is refused for having waited: a busy machine is not what this is about.
  const environment = { PORT: '0', DATABASE_URL: (await databaseOfTest()).url, LOG_LEVEL: 'silent', MAX_WAIT_MS: '60000' }
  const first = serviceProcess(['main'], environment, folder)
  const base = await first.listening('main')

  const acknowledged = new Map<string, User>()
  let next = 0
  let killed = false
  /** One connection: a user after the other, until the service is gone. */
  const post = async (): Promise<void> => {
    while (next < wanted) {
      const sent = user(next)
      next += 1
      let response: ReceivedResponse
      try {
        response = await send(base, withJson('POST /users', sent))
      } catch (error) {
        // Only what a killed service makes of a connection is expected here.
        if (killed) return
        throw error
      }
      expect(response.status).toBe(201)
      const location = response.headers['location'] ?? ''
      expect(acknowledged.has(location)).toBe(false)
      acknowledged.set(location, sent)
      if (acknowledged.size === moment) killed = first.child.kill('SIGKILL')
    }
  }
  await Promise.all(Array.from({ length: connections }, post))
  expect(await first.ended).toMatchObject({ signal: 'SIGKILL' })
  expect(acknowledged.size).toBeGreaterThanOrEqual(moment)
  expect(acknowledged.size).toBeLessThan(wanted)

  const second = serviceProcess(['main'], environment, folder)
  const again = await second.listening('main')
  for (const [location, sent] of acknowledged) expect(comparable(await send(again, `GET ${location}`))).toEqual(item(sent))

  // What was under way may have been kept without an answer: at most one user for each connection, and each whole.
  const { headers, text } = await send(again, 'GET /users')
  const all: User[] = JSON.parse(text)
  expect(headers['user-count']).toBe(String(all.length))
  expect(all.slice(0, users.length)).toEqual(users)
  const added = all.slice(users.length)
  expect(new Set(added.map(({ age }) => age)).size).toBe(added.length)
  for (const one of added) expect(one).toEqual(user(one.age))
  expect(added.length - acknowledged.size).toBeGreaterThanOrEqual(0)
  expect(added.length - acknowledged.size).toBeLessThanOrEqual(connections)

  // And it goes on.
  expect((await send(again, 'GET /health/ready')).status).toBe(200)
  const { status, headers: made } = await send(again, withJson('POST /users', ann))
  expect(status).toBe(201)
  const highest = Math.max(...[...acknowledged.keys()].map((location) => Number(location.slice('/users/'.length))))
  expect(Number(made['location']?.slice('/users/'.length))).toBeGreaterThan(highest)
})
