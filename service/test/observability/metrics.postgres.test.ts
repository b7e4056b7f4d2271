/** The metrics of a PostgreSQL database: its connections, and failed statements. */
import { expect, test } from 'vitest'
import { send } from '../specification/send.ts'
import { databaseOfTest } from '../store/scratch.ts'
import { folderOfTest, serviceProcess } from '../support/service.ts'
import { scraped } from './scraped.ts'

test('connections are idle or busy, and failures are counted while the database is unavailable', async () => {
  const database = await databaseOfTest()
  const environment = { PORT: '0', METRICS_PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: database.url }
  const { listening, line } = serviceProcess(['main'], environment, folderOfTest())
  const base = await listening('main')
  const metrics = String((await line(({ deployment }) => deployment === 'metrics'))['url'])
  const scrape = async () => scraped((await send(metrics, 'GET /metrics')).text)

  expect((await send(base, 'GET /albert')).status).toBe(200)
  expect((await send(base, 'GET /user/1')).status).toBe(200)
  const before = await scrape()
  expect(before.value('service_store_connections', { state: 'idle' })).toBeGreaterThan(0)
  expect(before.value('service_store_connections', { state: 'busy' })).toBe(0)
  expect(before.value('service_store_waiting_requests')).toBe(0)
  expect(before.value('service_store_failures_total', { kind: 'unavailable' })).toBe(0)

  const giveBack = await database.takeAway()
  expect((await send(base, 'GET /user/1')).status).toBe(503)
  expect((await scrape()).value('service_store_failures_total', { kind: 'unavailable' })).toBe(1)
  await giveBack()
})
