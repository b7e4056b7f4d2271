/** The matrix against a server on Bun, where Bun is installed (`npm run conformance`); and the error of `lapidary/bun` on Node.js. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { listen } from 'lapidary/bun'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Carried } from '../support/matrix/adapters.ts'
import { askEverything } from '../support/matrix/runMatrix.ts'

test('without Bun the error names the remedy', async () => {
  await expect(listen(() => ({ status: 204, headers: [], body: null }))).rejects.toThrow(
    new TypeError('lapidary/bun needs Bun.serve, and this is not Bun. Run the program with bun, or import listen from lapidary/node.'),
  )
})

const bun = process.env['BUN']

describe.runIf(bun !== undefined)('on Bun', () => {
  let child: ChildProcess
  let carried: Carried
  beforeAll(async () => {
    const file = fileURLToPath(new URL('../support/everythingOnBun.ts', import.meta.url))
    child = spawn(bun ?? '', [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
    const url = String(said).trim()
    carried = { fetch: (target, init) => fetch(`${url}${target}`, { redirect: 'manual', ...init }), close: async () => {} }
  })
  afterAll(() => void child.kill())

  askEverything(() => carried)
})

test.runIf(bun !== undefined)('on Bun, lapidary/llhttp listens on node:http instead, and says so', async () => {
  const file = fileURLToPath(new URL('../support/llhttpOnBun.ts', import.meta.url))
  const child = spawn(bun ?? '', [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [said] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  const [adapter, url] = String(said).trim().split(' ')
  expect(adapter).toBe('node')
  expect(await (await fetch(`${url}/a`)).text()).toBe('/a')
  const answer = await fetch(`${url}/b`, { method: 'POST', body: 'tea' })
  expect([answer.status, await answer.text()]).toEqual([200, '/b tea'])
})
