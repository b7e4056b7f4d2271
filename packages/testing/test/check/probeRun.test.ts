/** A fault of a request explains a 5xx only if the same request without the fault does not get one, too. */
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type CheckReport, type CheckServerOptions, checkServer, rules } from '@lapidary/testing'
import { type Api, apiKey, cookie, created, endpoint, file, int, multipart, noContent, ok, optional, reply, text } from 'lapidary'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

type Respond = (request: IncomingMessage, body: string) => readonly [status: number, value?: unknown]

async function check(api: Api, respond: Respond, options: CheckServerOptions = {}): Promise<CheckReport> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const [status, value] = respond(request, Buffer.concat(chunks).toString())
    response.writeHead(status, value === undefined ? {} : { 'Content-Type': 'application/json' })
    response.end(value === undefined ? undefined : JSON.stringify(value))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return checkServer(api, url, {
    write: true,
    lenient: true,
    seed: 1,
    requests: 600,
    rules: rules.filter(({ name }) => !others.has(name)),
    ...options,
  })
}

/** They are about paths, methods and bodies of errors, and not about a fault of a request. */
const others: ReadonlySet<string> = new Set(['problem', 'methods', 'options', 'not-found'])

const listViolations = ({ failures }: CheckReport): readonly string[] => failures.map(({ rule, violation }) => `${rule}: ${violation}`)

const Key = z.object({ active: z.boolean(), kind: z.string().max(9) })
const declared = { errors: [reply(500)] }

/** An endpoint with every part that a rule makes invalid. */
const parts = {
  params: { id: int },
  query: { page: int },
  headers: { 'X-Depth': int },
  cookies: { size: cookie(int) },
  auth: apiKey<true>({ in: 'header', name: 'X-Key' }),
}
const options = { credentials: { [parts.auth.name]: 'opal' } }

test('a server that fails for every request has no fault of a request', async () => {
  const api = {
    key: endpoint('PUT /keys/:id', { ...parts, ...declared, body: Key, maxBodySize: '10 kB', response: noContent }),
    form: endpoint('POST /forms', { ...declared, body: multipart({ name: text, files: file({ maxSize: '1 kB' }) }), response: noContent }),
    list: endpoint('GET /keys', { ...declared, query: { least: optional(int) }, response: ok(z.array(Key)) }),
  }
  const report = await check(api, () => [500], options)
  expect(listViolations(report)).toEqual([])
})

test('where the 500 is not declared, it is a fault of the valid request alone', async () => {
  const api = { key: endpoint('PUT /keys/:id', { params: { id: text }, body: Key, response: noContent }) }
  const report = await check(api, () => [500])
  expect(listViolations(report)).toEqual(['no-server-error: expected success, or an error that names the fault of the request, got 500'])
})

test('a value that may be sent once is no fault of another member', async () => {
  const names = new Set<string>()
  const Account = z.object({ name: z.string().max(9), account: z.string().max(9) })
  const api = { add: endpoint('POST /accounts', { ...declared, body: Account, response: created(Account) }) }
  const report = await check(api, (_request, body) => {
    const { name } = (body.startsWith('{"') ? JSON.parse(body) : {}) as { name?: unknown }
    if (typeof name !== 'string') return [422]
    if (names.has(name)) return [500]
    names.add(name)
    return [201, { name, account: '' }]
  })
  expect(listViolations(report).filter((line) => line.includes('500'))).toEqual([])
})

test('a fault that alone leads to a 500 is reported', async () => {
  const api = { key: endpoint('PUT /keys/:id', { ...parts, ...declared, body: Key, response: noContent }) }
  const report = await check(
    api,
    ({ url = '', headers }, body) => {
      const isRefused = headers['x-key'] !== 'opal' || !body.startsWith('{"') || !/size=-?\d+$/.test(headers.cookie ?? '')
      if (isRefused || !/^-?\d+$/.test(String(headers['x-depth'])) || !/^\/keys\/-?\d+(?:\?|$)/.test(url))
        return [400 + Number(headers['x-key'] !== 'opal')]
      return [/page=-?\d+$/.test(url) && typeof JSON.parse(body).active === 'boolean' ? 204 : 500]
    },
    options,
  )
  const found = listViolations(report)
  expect(found).toContain('query: page is left out: expected 400, got 500')
  expect(found).toContain('request-body: the body has a fault at "/active" (null instead): expected 400, got 500')
})
