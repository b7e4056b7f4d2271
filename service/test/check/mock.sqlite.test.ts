/** The mock of the service matches its description. */
import { checkServer, formatReport, mock } from '@lapidary/testing'
import { listen } from 'lapidary/node'
import { expect, test } from 'vitest'
import { main } from '../../src/api.ts'

test('every predicate holds for the mock too', async () => {
  const { url, close } = await listen(mock(main, { seed: 42 }), { port: 0, host: '127.0.0.1' })
  try {
    const credentials = { people: { username: 'ann', password: 'opal' }, secret: 'a-token' }
    const report = await checkServer(main, url, {
      write: true,
      seed: 1,
      requests: 6_000,
      seconds: 120,
      time: 60_000,
      steps: 100,
      clients: 4,
      credentials,
    })
    expect(report.failures, formatReport(report)).toEqual([])
    expect(report.isOverBudget).toBe(false)
    expect(report.endpoints.filter(({ skipReason: skipped }) => skipped !== '')).toEqual([])
  } finally {
    await close({ drain: 0, grace: 0 })
  }
})
