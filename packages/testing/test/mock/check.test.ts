/** The mock of an API with every word of the contract keeps each rule of `check`. */
import { type CheckServerOptions, checkServer, formatReport, mock, rules } from '@lapidary/testing'
import { type Api, receiveWebhook } from 'lapidary'
import { listen } from 'lapidary/node'
import { authenticateWebhooks, createWebhookSecret } from 'lapidary/webhooks'
import { expect, onTestFinished, test } from 'vitest'
import { api, checks, maxBodySize } from '../../../lapidary/test/support/everything.ts'

const credentials = {
  members: { username: 'ann', password: "ann's word" },
  partners: 'seventy-seven',
  machines: 'lathe',
  visit: 'first',
  robots: 'r2',
  counter: 'key',
}

const checkMock = async (options: Parameters<typeof mock>[1], further: CheckServerOptions, checked: Api = api) => {
  const { url, close } = await listen(mock(checked, { maxBodySize, ...options }))
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const report = await checkServer(checked, url, {
    write: true,
    seed: 1,
    requests: 6_000,
    seconds: 120,
    time: 60_000,
    credentials,
    ...further,
  })
  // No endpoint has the Location of an order.
  const failures = report.failures.filter(({ endpoint, rule }) => endpoint !== 'order' || rule !== 'location')
  expect(failures, formatReport(report)).toEqual([])
  expect(report.isOverBudget).toBe(false)
  expect(report.endpoints.filter(({ skipReason }) => skipReason !== '')).toEqual([])
  return new Set(report.endpoints.flatMap(({ passed }) => passed))
}

test('the mock of every word passes, and each rule has been tested', async () => {
  const scopedCredentials = { robots: [{ credentials: 'r1', scopes: ['stock:clean'] }] }
  const passed = await checkMock({ auth: checks }, { scopedCredentials })
  const secret = createWebhookSecret()
  const receivers = { done: receiveWebhook('POST /done', api.hooks.jobDone), soldOut: receiveWebhook('POST /sold-out', api.hooks.soldOut) }
  const auth = [authenticateWebhooks({ secret })]
  const received = await checkMock({ auth }, { requests: 500, credentials: { webhookSignature: secret } }, receivers)
  for (const rule of received) passed.add(rule)
  // Those of sequences have tests of their own.
  expect(
    rules
      .filter((rule) => !('scope' in rule))
      .map(({ name }) => name)
      .filter((name) => !passed.has(name)),
  ).toEqual([])
})

test('its credentials pass without authenticators, too', async () => {
  const passed = await checkMock({}, { requests: 500, only: ['account', 'partner', 'machine', 'stock'] })
  expect([...passed]).toEqual(expect.arrayContaining(['credentials', 'wrong-credentials', 'scopes']))
})
