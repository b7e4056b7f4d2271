/** `healthEndpoints` and `healthHandlers`: what an orchestrator sees, and who learns why. */
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoint, healthEndpoints, ok, prefix, text } from 'lapidary'
import { client } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { accessLog, isHealthCheck, loadShedding } from 'lapidary/middleware'
import { listen } from 'lapidary/node'
import { openapi } from 'lapidary/openapi'
import { type HealthOptions, healthHandlers, serve } from 'lapidary/server'
import { expect, onTestFinished, test } from 'vitest'

const api = {
  hello: endpoint('GET /hello', { response: ok(text) }),
  health: prefix('/health', healthEndpoints()),
}

async function served(options?: HealthOptions) {
  const running = await listen(serve(api, { hello: () => 'Hello', health: healthHandlers(options) }))
  onTestFinished(() => running.close({ drain: 0, grace: 0 }))
  const get = async (path: string) => {
    const response = await fetch(running.url + path)
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: JSON.parse(await response.text()) }
  }
  return { ...running, get, call: client(api, running.url) }
}

/** What failed, in its order. */
function recorder() {
  const messages: string[] = []
  const onFailure = (error: unknown, name: string): void => void messages.push(`${name}: ${(error as Error).message}`)
  return { messages, onFailure }
}

const ready = { status: 200, retryAfter: null, body: { status: 'ready' } }
const notReady = (detail: string) => ({
  status: 503,
  retryAfter: '1',
  body: { type: 'about:blank', title: 'Service Unavailable', status: 503, detail },
})

test('a process is live, and ready where no check fails', async () => {
  const { get, call } = await served({ ready: { one: () => {}, two: async () => 'anything', three: () => true } })
  expect(await get('/health/live')).toEqual({ status: 200, retryAfter: null, body: { status: 'up' } })
  expect(await get('/health/ready')).toEqual(ready)
  expect([await call.health.live(), await call.health.ready()]).toEqual([{ status: 'up' }, { status: 'ready' }])
  const without = await served()
  expect(await without.get('/health/ready')).toEqual(ready)
})

test('a check that fails is named, and its error reaches the server alone, once until it works again', async () => {
  const { messages, onFailure } = recorder()
  let isBroken = true
  const fail = (how: () => unknown) => () => (isBroken ? how() : undefined)
  const { get } = await served({
    ready: {
      fine: () => {},
      thrown: fail(() => {
        throw new Error('secret 1')
      }),
      rejected: fail(() => Promise.reject(new Error('secret 2'))),
      refused: fail(async () => false),
    },
    onFailure,
  })
  for (let count = 0; count < 2; count += 1) {
    const { body, ...head } = await get('/health/ready')
    expect(head).toEqual({ status: 503, retryAfter: '1' })
    expect(body.detail).toMatch(/^The server is not ready: (?:"(?:thrown|rejected|refused)"(?:, )?){3} cannot be used right now\.$/)
  }
  const all = ['refused: The check has returned false.', 'rejected: secret 2', 'thrown: secret 1']
  expect(messages.toSorted()).toEqual(all)
  isBroken = false
  expect(await get('/health/ready')).toEqual(ready)
  isBroken = true
  await get('/health/ready')
  expect(messages.slice(3).toSorted()).toEqual(all)
})

test.each<[string, () => void]>([
  [
    'an error',
    () => {
      throw new Error('no log')
    },
  ],
  ['a promise, which nobody would wait for', () => Promise.reject(new Error('no log'))],
])('%s of onFailure is reported once, and the process is not ready', async (_what, onFailure) => {
  const reported: unknown[] = []
  const server = serve(
    api,
    { hello: () => 'Hello', health: healthHandlers({ ready: { database: () => false }, onFailure }) },
    {
      onError: (error) => reported.push(error),
    },
  )
  const sendProbe = async (): Promise<number> => (await server.fetch(new Request('http://health.test/health/ready'))).status
  expect([await sendProbe(), await sendProbe(), reported.length]).toEqual([500, 503, 1])
})

test('a check has a time, and its signal says that it is over', async () => {
  const { messages, onFailure } = recorder()
  let reason: unknown
  const { get } = await served({
    ready: {
      slow: (signal) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason
        })
        return new Promise(() => {})
      },
    },
    timeout: 50,
    onFailure,
  })
  expect(await get('/health/ready')).toEqual(notReady('The server is not ready: "slow" cannot be used right now.'))
  expect(messages).toEqual(['slow: The check has not ended within 50 ms.'])
  expect(reason).toEqual(new Error('The check has not ended within 50 ms.'))
})

test('a check that has not ended is not started again', async () => {
  const { messages, onFailure } = recorder()
  let end = (): void => {}
  const first = new Promise<void>((resolve) => {
    end = resolve
  })
  let starts = 0
  const { get } = await served({ ready: { stuck: () => (starts++ === 0 ? first : undefined) }, timeout: 20, onFailure })
  for (let request = 0; request < 3; request++) expect(await get('/health/ready')).toMatchObject({ status: 503 })
  expect([starts, messages]).toEqual([1, ['stuck: The check has not ended within 20 ms.']])
  end()
  expect([await get('/health/ready'), starts]).toEqual([ready, 2])
})

test('requests that arrive while the checks run share one run', async () => {
  let runs = 0
  const { get } = await served({
    ready: {
      database: async () => {
        runs += 1
        await sleep(200)
      },
    },
  })
  const all = await Promise.all(Array.from({ length: 20 }, () => get('/health/ready')))
  expect(all.map(({ status }) => status)).toEqual(Array(20).fill(200))
  expect(runs).toBe(1)
  await get('/health/ready')
  expect(runs).toBe(2)
})

test('while the server drains it is live and not ready, and no check runs', async () => {
  let runs = 0
  const check = (): void => {
    runs += 1
  }
  const { get, close } = await served({ ready: { database: check } })
  // A request that is answered before: the server waits half a second for further ones.
  await get('/hello').catch(() => {})
  const closed = close({ drain: 5_000 })
  expect(await get('/health/ready')).toEqual(notReady('The server is shutting down.'))
  expect((await get('/health/live')).status).toBe(200)
  expect(runs).toBe(0)
  await closed
})

test('loadShedding does not reject them, and a log can leave them out', async () => {
  const lines: (string | undefined)[] = []
  const log = accessLog((entry) => isHealthCheck(entry) || lines.push(entry.route))
  const busy = (): string => {
    const end = performance.now() + 5
    while (performance.now() < end);
    return 'Hello'
  }
  const middleware = [loadShedding({ maxWait: 1 }), log]
  const { fetch } = serve(prefix('/v1', api), { hello: busy, health: healthHandlers() }, { middleware })
  const send = (path: string) => fetch(new Request(`http://a/v1${path}`))
  await Promise.all(Array.from({ length: 20 }, () => send('/hello')))
  const crowd = Array.from({ length: 200 }, () => send('/hello'))
  const probes = await Promise.all(['/health/live', '/health/ready'].map(send))
  expect(probes.map(({ status }) => status)).toEqual([200, 200])
  expect((await Promise.all(crowd)).map(({ status }) => status)).toContain(503)
  expect(new Set(lines)).toEqual(new Set(['GET /v1/hello']))
})

test('they are in the documents of the API that has them', async () => {
  const { paths = {} } = await openapi(api, { title: 'Shop', version: '1' })
  expect(Object.keys(paths)).toEqual(['/hello', '/health/live', '/health/ready'])
  const { health: _, ...published } = api
  expect(Object.keys((await openapi(published, { title: 'Shop', version: '1' })).paths ?? {})).toEqual(['/hello'])
  expect(markdown(await outline(api))).toContain('## GET /health/ready')
})

test.each<[unknown, RegExp]>([
  [{ ready: { database: 'up' } }, /^healthHandlers\(\): ready\.database is a string, expected a function/],
  [{ ready: null }, /^healthHandlers\(\): ready has to be an object of functions by their names\. Write /],
  [{ timeout: 0 }, /^healthHandlers\(\): timeout/],
  [{ onFailure: 1 }, /^healthHandlers\(\): onFailure is a number/],
  [{ checks: {} }, /checks/],
])('the options %j are refused', (options, message) => {
  expect(() => healthHandlers(options as HealthOptions)).toThrow(message)
})
