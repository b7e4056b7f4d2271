/** The service on PostgreSQL and on SQLite gives the same responses to the same generated requests. */
import { join } from 'node:path'
import { checkServer, compareServers, formatReport } from '@lapidary/testing'
import { expect, test } from 'vitest'
import { main } from '../../src/api.ts'
import { folderOfTest, serviceOfTest } from '../support/service.ts'

const secret = 'a-token-for-tests'
const environment = { SECRET_TOKEN: secret }
const isWhole = process.env['SAMPLES'] === 'whole'
const options = { write: true, seed: 1, requests: 3_000, seconds: 240, time: 60_000, credentials: { secret } }

test('on PostgreSQL the service matches its description', { timeout: 300_000 }, async () => {
  const { main: url } = await serviceOfTest({ environment })
  const report = await checkServer(main, url, { ...options, steps: 300, clients: 4 })
  expect(report.failures, formatReport(report)).toEqual([])
  expect(report.isOverBudget).toBe(false)
})

test('both databases give the same responses', { timeout: 300_000 }, async () => {
  const one = await serviceOfTest({ environment })
  const other = await serviceOfTest({ environment: { ...environment, DATABASE_URL: `sqlite:${join(folderOfTest(), 'other.db')}` } })
  const report = await compareServers(main, one.main, other.main, {
    ...options,
    requests: isWhole ? 2_000 : 600,
  })
  expect(report.failures, formatReport(report)).toEqual([])
  expect(report.requests).toBeGreaterThan(400)
})
