/** The matrix, asked by Node.js of a server on Bun, where there is one (`npm run conformance`); and what a program on Node.js is told that wants it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { listen } from 'lapidary/bun'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askEverything } from './matrix/asked.ts'
import type { Carried } from './matrix/carriers.ts'

test('without Bun it says what to do instead', async () => {
  await expect(listen(() => ({ status: 204, headers: [], body: null }))).rejects.toThrow(
    new TypeError('lapidary/bun listens by Bun.serve, and this is not Bun. Run the program with bun, or import listen from lapidary/node.'),
  )
})

const bun = process.env['BUN']

describe.runIf(bun !== undefined)('on Bun', () => {
  let child: ChildProcess
  let carried: Carried
  beforeAll(async () => {
    const file = fileURLToPath(new URL('everythingOnBun.ts', import.meta.url))
    child = spawn(bun ?? '', ['--conditions=source', file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [said] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
    const url = String(said).trim()
    carried = { fetch: (target, init) => fetch(`${url}${target}`, { redirect: 'manual', ...init }), close: async () => {} }
  })
  afterAll(() => void child.kill())

  askEverything(() => carried)
})
