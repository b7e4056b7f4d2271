/** The adapter on Bun, where Bun is installed (`npm run conformance`). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const bun = process.env['BUN']

test.runIf(bun !== undefined)('on Bun, @lapidary/llhttp listens on node:http instead, and says so', async () => {
  const file = fileURLToPath(new URL('support/llhttpOnBun.ts', import.meta.url))
  const child = spawn(bun ?? '', [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill())
  const [output] = await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
  const [adapter, url] = String(output).trim().split(' ')
  expect(adapter).toBe('node')
  expect(await (await fetch(`${url}/a`)).text()).toBe('/a')
  const response = await fetch(`${url}/b`, { method: 'POST', body: 'tea' })
  expect([response.status, await response.text()]).toEqual([200, '/b tea'])
})
