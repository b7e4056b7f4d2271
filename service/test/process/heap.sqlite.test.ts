/** A megabyte with half a million errors, with a heap of 256 MB: the response is short, and the process does not crash. */
import { expect, test } from 'vitest'
import { folderOfTest, serviceProcess } from '../support/service.ts'

const body = `{"clientInterestedIn":[${'1,'.repeat(510_000)}1]}`

test.each(['node', 'llhttp'])('POST /marketing, on %s: four at once, twice', async (ADAPTER) => {
  const { child, listening } = serviceProcess(
    ['main'],
    {
      PORT: '0',
      LOG_LEVEL: 'silent',
      MAX_WAIT_MS: '60000',
      REQUEST_TIMEOUT_MS: '60000',
      ADAPTER,
      NODE_OPTIONS: '--max-old-space-size=256',
    },
    folderOfTest(),
  )
  const url = await listening('main')
  const send = async (): Promise<readonly [number, string]> => {
    const response = await fetch(`${url}/marketing`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    return [response.status, await response.text()]
  }
  for (let round = 0; round < 2; round += 1) {
    for (const [status, text] of await Promise.all(Array.from({ length: 4 }, send))) {
      expect(status).toBe(400)
      expect(text.length).toBeLessThanOrEqual(16_384)
      const { errors, more } = JSON.parse(text) as { readonly errors: readonly object[]; readonly more: number }
      expect(errors).toHaveLength(20)
      expect(more).toBeGreaterThan(0)
    }
  }
  expect(child.exitCode).toBe(null)
  expect((await fetch(`${url}/hello`)).status).toBe(200)
})
