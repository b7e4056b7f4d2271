/** Safety of `checkServer`: secrets, unreachable servers, endless streams, and requests that a server accepts by mistake. */
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { checkServer, compareServers, formatReport } from '@lapidary/testing'
import { basic, bearer, endpoint, int, ndjson, ok, optional, text } from 'lapidary'
import { listen } from 'lapidary/node'
import { authenticate, type HttpHandler, type ServeOptions, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { api as guarded } from '../../../cli/test/support/guardedApi.ts'
import { createRedactor } from '../../src/check/secrets.ts'

async function at(kernel: HttpHandler): Promise<string> {
  const { url, close } = await listen(kernel, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return url
}

const few = { requests: 600, seed: 1 }

const Stone = z.object({ name: z.string().max(20) })
const api = {
  stone: endpoint('GET /stones/:id', { params: { id: int }, query: { least: optional(int) }, response: ok(Stone) }),
  feed: endpoint('GET /feed', { response: ok(ndjson(Stone)) }),
  news: endpoint('GET /news', { response: ok(Stone) }),
}
const agate = { name: 'Agate' }

const handlers = {
  stone: () => agate,
  news: () => agate,
  feed: async function* () {
    yield agate
  },
}
const served = (changed: object = {}, options: ServeOptions = {}): HttpHandler => serve(api, { ...handlers, ...changed }, options)

test('credentials that a scheme cannot write are rejected, and not part of the message', async () => {
  const secret = 'a-very-secret-key'
  for (const credentials of [secret, 7, { id: secret }]) {
    const refused = checkServer(guarded, 'http://127.0.0.1:1', { ...few, credentials: { session: credentials } })
    await expect(refused).rejects.toThrow(/^The auth scheme "session" cannot write the given credentials as headers/)
    const error: unknown = await refused.catch((reason: unknown) => reason)
    expect(`${(error as Error).stack} ${String((error as Error).cause)}`).not.toContain(secret)
  }
})

test('a report contains no secret, even if the server repeats it', async () => {
  const people = basic<true>('people')
  const robots = bearer<true>('robots')
  const secrets = { people: { username: 'ann', password: 'p"ssw/rd' }, robots: 'a-secret-token', cookie: 'sid-4711' }
  const two = {
    vault: endpoint('GET /vault', { auth: people, response: ok(Stone) }),
    engine: endpoint('GET /engine', { auth: robots, response: ok(Stone) }),
    open: endpoint('GET /open', { response: ok(Stone) }),
  }
  // A server that tells everything to everybody, in each of the forms in which it may stand.
  const url = await at(async (incoming) => {
    const seen = ['authorization', 'cookie', 'x-api-key'].map((name) => incoming.header(name) ?? '')
    const [, pair = ''] = seen[0]?.startsWith('Basic ') ? seen[0].split(' ') : []
    const leaked = [...seen, atob(pair), encodeURIComponent(atob(pair))].join(' ')
    return {
      status: 200,
      headers: ['Content-Type', 'application/json', 'X-Seen', seen.join(' ')],
      body: JSON.stringify({ name: 1, leaked }),
    }
  })
  const report = await checkServer(two, url, {
    ...few,
    credentials: { people: secrets.people, robots: secrets.robots },
    headers: { Cookie: `sid=${secrets.cookie}; theme=dark`, 'X-Api-Key': 'k-0815', 'X-Tenant': 'acme' },
  })
  expect(report.failures.length).toBeGreaterThan(3)
  const all = [JSON.stringify(report), formatReport(report)].join('\n')
  expect(all).toContain('X-Tenant: acme')
  expect(all).toContain('***')
  for (const secret of ['p"ssw/rd', 'p\\"ssw/rd', 'p%22ssw%2Frd', btoa('ann:p"ssw/rd'), secrets.robots, secrets.cookie, 'k-0815'])
    expect(all).not.toContain(secret)
})

test('an endless stream is read for a while, and then cancelled', async () => {
  const endless = served({
    feed: async function* () {
      for (;;) {
        yield agate
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    },
  })
  const began = performance.now()
  const { failures, isOverBudget: unfinished, endpoints } = await checkServer(api, await at(endless), { ...few, requests: 1_500 })
  expect(failures).toEqual([])
  expect(unfinished).toBe(false)
  expect(endpoints.find(({ endpoint: name }) => name === 'feed')?.passed).toContain('body')
  // A request for each second and more would be ten minutes.
  expect(performance.now() - began).toBeLessThan(45_000)
}, 60_000)

test('an invalid item of an endless stream is found', async () => {
  const wrong: HttpHandler = () => ({
    status: 200,
    headers: ['Content-Type', 'application/x-ndjson'],
    body: (async function* () {
      for (;;) {
        yield '{"name":1}\n'
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    })(),
  })
  const { failures } = await checkServer(api, await at(wrong), { ...few, only: ['feed'] })
  expect(failures.map(({ rule, violation }) => [rule, violation])).toContainEqual(['body', expect.stringContaining('item 0')])
}, 60_000)

test('two servers with endless streams agree', async () => {
  const endless = (): HttpHandler =>
    served({
      feed: async function* () {
        for (;;) {
          yield agate
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
        }
      },
    })
  const { failures } = await compareServers(api, await at(endless()), await at(endless()), { ...few, requests: 60, only: ['feed'] })
  expect(failures).toEqual([])
}, 60_000)

test('an unreachable server is reported once', async () => {
  const { failures, requests, endpoints } = await checkServer(api, 'http://127.0.0.1:1', few)
  expect(failures).toMatchObject([{ rule: 'complete', violation: expect.stringContaining('ECONNREFUSED') }])
  expect(requests).toBe(1)
  expect(endpoints.at(-1)?.skipReason).toBe('the server is not reachable')
})

test('a response that switches the protocol is a failure', async () => {
  const server = createTcpServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', () => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { failures } = await checkServer(api, `http://127.0.0.1:${(server.address() as AddressInfo).port}`, few)
  expect(failures.map(({ endpoint }) => endpoint)).toEqual(expect.arrayContaining(['stone', 'feed', 'news']))
  expect(failures.map(({ violation }) => violation).join('\n')).toContain('101')
})

test('a silent endpoint times out once, and the others are checked', async () => {
  const silent = createServer((request, response) => {
    if (request.url?.startsWith('/news')) return
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"name":"Agate"}')
  })
  await new Promise<void>((resolve) => void silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close().closeAllConnections())
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const { endpoints } = await checkServer(api, url, { ...few, time: 200, except: ['feed'] })
  const [stone, news] = ['stone', 'news'].map((name) => endpoints.find(({ endpoint: one }) => one === name))
  expect(news).toMatchObject({ requests: 1, skipReason: 'it does not respond', failures: [{ rule: 'complete' }] })
  expect(stone?.requests).toBeGreaterThan(10)
})

test('endpoints are left out by name, and an unknown name is rejected', async () => {
  const url = await at(served())
  const { endpoints } = await checkServer(api, url, { ...few, except: ['feed'] })
  expect(endpoints.map(({ endpoint: name }) => name)).toEqual(['stone', 'news'])
  for (const wrong of [{ only: ['ston'] }, { except: ['feed.all'] }])
    await expect(checkServer(api, url, { ...few, ...wrong })).rejects.toThrow(
      /^The API has no endpoint and no group named "(ston|feed\.all)"/,
    )
})

test('with the option fallback, a response elsewhere is no failure', async () => {
  const url = await at(served({}, { fallback: () => ({ status: 200, headers: ['Content-Type', 'text/plain'], body: 'Read this.\n' }) }))
  const report = await checkServer(api, url, { ...few, fallback: true })
  expect(report.failures).toEqual([])
  const { failures } = await checkServer(api, url, few)
  expect(new Set(failures.map(({ rule }) => rule))).toEqual(new Set(['body', 'captures', 'methods', 'not-found']))
})

test('resources of requests that a server accepts by mistake are not used further', async () => {
  const kernel = served()
  const targets: string[] = []
  const url = await at((incoming) => {
    targets.push(`${incoming.method} ${incoming.target}`)
    const taken = incoming.target.replace(/^\/stones\/[^?0-9-][^?]*/, '/stones/1')
    return kernel(taken === incoming.target ? incoming : Object.create(incoming, { target: { value: taken } }))
  })
  const { failures } = await checkServer(api, url, { ...few, only: ['stone'] })
  expect(failures.map(({ rule }) => rule)).toContain('captures')
  const [wrong] = targets.filter((target) => /\/stones\/x(\?|$)/.test(target))
  expect(wrong).toMatch(/^GET /)
  expect(targets.filter((target) => /^(HEAD|GET) \/stones\/x/.test(target)).length).toBeLessThanOrEqual(2)
})

test('credentials are checked before the first request', async () => {
  const robots = bearer<true>('robots')
  const vault = { vault: endpoint('GET /vault', { auth: robots, response: ok(text) }) }
  const kernel = serve(vault, { vault: () => 'gold' }, { auth: [authenticate(robots, () => true)] })
  await expect(checkServer(vault, await at(kernel), { ...few, credentials: { robots: 'no token\n' } })).rejects.toThrow(
    /^The auth scheme "robots" cannot write/,
  )
})

test.each([[['token', 'token-of-ann']], [['token-of-ann', 'token']]])(
  'of %j, one of which begins with the other, both are replaced',
  (credentials) => {
    const hide = createRedactor({ credentials, written: [], headers: {}, schemes: [] })
    expect(hide('a token-of-ann, a token')).toBe('a ***, a ***')
  },
)
