/** A check says where no valid request has succeeded: what passed there proves little. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CheckReport, type CheckServerOptions, checkServer, formatReport, rules } from '@lapidary/testing'
import { type Api, apiKey, created, endpoint, int, ok, optional, reply, text } from 'lapidary'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string().max(9) })

async function check(api: Api, respond: (request: IncomingMessage) => number, options: CheckServerOptions = {}): Promise<CheckReport> {
  const server = createServer((request, response) => {
    request.resume()
    const status = respond(request)
    response.writeHead(status, { 'Content-Type': 'application/json' })
    response.end(status < 300 ? '{"name":"agate"}' : '{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => void server.close())
  const { port } = server.address() as AddressInfo
  return checkServer(api, `http://127.0.0.1:${port}`, { write: true, lenient: true, seed: 1, requests: 100, ...options })
}

const valid = { rules: rules.filter(({ name }) => ['valid-requests', 'status', 'no-server-error'].includes(name)) }

const add = endpoint('POST /stones', { body: Stone, response: created(Stone), errors: [reply(422), reply(500)] })
const ping = endpoint('GET /ping', { response: ok(Stone), errors: [reply(404)] })

test('a run in which no request succeeded has no tick, and says what to do', async () => {
  const report = await check({ add }, () => 422, valid)
  expect(report.endpoints).toMatchObject([{ failures: [], statuses: [{ status: 422, count: 50 }] }])
  const shown = formatReport(report)
  expect(shown).not.toContain('✓')
  expect(shown).not.toContain('All ')
  expect(shown).toContain('– POST /stones  add  3 passed, 50 requests  (no request succeeded: 50 got 422)')
  expect(shown).toContain(
    'No request succeeded (50 got 422), so what passed proves little. Give the check bodies and parameters that the server accepts',
  )
})

test('an endpoint in which no request succeeded is named, where others did', async () => {
  const report = await check({ add, ping }, ({ method }) => (method === 'POST' ? 422 : 200), valid)
  const shown = formatReport(report)
  expect(shown).toContain('✓ GET /ping')
  expect(shown).toContain('No request succeeded at 1 of 2 endpoints, so what passed there proves little:')
})

test('captures are named also where some requests got another error', async () => {
  const list = endpoint('GET /stones/:id/parts', {
    params: { id: text },
    query: { least: optional(int) },
    response: ok(Stone),
    errors: [reply(404), reply(400)],
  })
  const report = await check({ list, ping }, ({ url = '' }) => (url === '/ping' ? 200 : url.includes('?') ? 400 : 404), valid)
  expect(report.endpoints[0]?.skipReason).toMatch(
    /^no request succeeded: \d+ got 400, \d+ got 404; give captures that exist: --capture id=…$/,
  )
})

test('a declared 5xx that valid requests get is counted, and no failure', async () => {
  let count = 0
  const report = await check({ add }, () => (++count % 10 === 0 ? 500 : 201), valid)
  expect(report.failures).toEqual([])
  expect(formatReport(report)).toContain('5 valid requests got a declared 5xx status: 5 got 500 at POST /stones')
})

test.each([
  [{ ping }, true],
  [{ one: endpoint('GET /stones/:id', { params: { id: int }, response: ok(Stone), errors: [reply(404)] }) }, false],
] as const)('a server whose every response is 404 is elsewhere, also where it is declared (%#)', async (api, isElsewhere) => {
  expect(await check(api, () => 404, valid)).toMatchObject({ isElsewhere })
})

const keys = apiKey<true>({ in: 'header', name: 'X-Key' })
const vault = endpoint('GET /vault', { auth: keys, response: ok(Stone) })
/** A router may send 404 before it looks at credentials. */
const missing = endpoint('GET /vault/:name', { auth: keys, params: { name: text }, response: ok(Stone), errors: [reply(404)] })

test.each([
  ['opal', false],
  ['nope', true],
])('credentials that the server refuses are no fault of an endpoint (%s)', async (key, areRefused) => {
  const report = await check(
    { vault, missing, ping },
    ({ url, headers }) => (url === '/ping' ? 200 : url !== '/vault' ? 404 : headers['x-key'] === 'opal' ? 200 : 401),
    { ...valid, credentials: { [keys.name]: key } },
  )
  expect(report.areCredentialsRefused).toBe(areRefused)
})
