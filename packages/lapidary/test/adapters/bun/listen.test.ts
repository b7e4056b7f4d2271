/** The matrix against a server on Bun, where Bun is installed (`npm run conformance`); and the error of `lapidary/bun` on Node.js. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { listen } from 'lapidary/bun'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunningAdapter } from '../../support/matrix/adapters.ts'
import { testMatrix } from '../../support/matrix/runMatrix.ts'

test('without Bun the error names the remedy', async () => {
  await expect(listen(() => ({ status: 204, headers: [], body: null }))).rejects.toThrow(
    new TypeError('lapidary/bun needs Bun.serve, and this is not Bun. Run the program with bun, or import listen from lapidary/node.'),
  )
})

const bun = process.env['BUN']

describe.runIf(bun !== undefined)('on Bun', () => {
  let child: ChildProcess
  let adapter: RunningAdapter
  beforeAll(async () => {
    const file = fileURLToPath(new URL('../../support/everythingOnBun.ts', import.meta.url))
    child = spawn(bun ?? '', [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
    const url = String(line).trim()
    adapter = {
      hasReasonPhrases: true,
      fetch: (target, init) => fetch(`${url}${target}`, { redirect: 'manual', ...init }),
      close: async () => {},
    }
  })
  afterAll(() => void child.kill())

  testMatrix(() => adapter)
})
