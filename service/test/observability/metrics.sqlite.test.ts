/** The metrics of one process and of several, on their own port. */
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findFreePort } from '../../../scripts/ports.mjs'
import { clusterProcess } from '../cluster/clusterProcess.ts'
import { exchange, send, withHeaders } from '../specification/send.ts'
import { folderWithLargeFile } from '../support/download.ts'
import { folderOfTest, serviceProcess } from '../support/service.ts'
import { type Scraped, scraped } from './scraped.ts'

const free = {
  PORT: '0',
  PAGINATION_PORT: '0',
  DOCS_PORT: '0',
  METRICS_PORT: '0',
  SHUTDOWN_GRACE_MS: '100',
  DATABASE_URL: 'sqlite:service.db',
}

/** The labels of `GET /hello`. */
const hello = {
  ...{ deployment: 'main', http_request_method: 'GET', http_route: '/hello', http_response_status_code: '200', url_scheme: 'http' },
}

type Line = Readonly<Record<string, unknown>>
const announcesMetrics = ({ event, deployment }: Line): boolean => event === 'listening' && deployment === 'metrics'

const scrape = async (base: string): Promise<Scraped> => scraped((await send(base, 'GET /metrics')).text)

/** Waits for what is counted when answers have ended, which their clients may know sooner. */
const soon = (looks: () => Promise<void>): Promise<void> => vi.waitFor(looks, { timeout: 10_000, interval: 50 })

describe.each([['1'], ['2']])('with WORKERS=%s', (WORKERS) => {
  test('responses are counted by endpoint and outcome, and only the metrics port serves the counts', async () => {
    const { listening, line } = serviceProcess([], { ...free, WORKERS, LOG_LEVEL: 'silent' }, folderWithLargeFile())
    const [main, pagination, docs] = [await listening('main'), await listening('pagination'), await listening('docs')]
    const metrics = String((await line(announcesMetrics))['url'])

    for (let index = 0; index < 3; index += 1) await send(main, `GET /position/${index}/1`)
    await send(main, 'GET /position/a/b')
    for (const path of ['/nowhere', '/admin.php', '/%2e%2e']) await send(main, `GET ${path}`)
    await exchange(main, 'PROPFIND /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await send(main, 'HEAD /hello')
    await send(docs, 'GET /whatever')
    await send(main, withHeaders('GET /users/list-all', { Authorization: `Basic ${btoa('eve:wrong')}` }))
    await send(main, withHeaders('GET /secret', { Authorization: 'Bearer wrong' }))
    await send(main, 'GET /secret')
    const leaver = connect(Number(new URL(main).port), '127.0.0.1', () => leaver.write('GET /static/large.bin HTTP/1.1\r\nHost: a\r\n\r\n'))
    leaver.once('data', () => leaver.destroy())
    for (const base of [main, pagination, docs]) expect((await send(base, 'GET /metrics')).text).not.toContain('http_server')
    expect((await send(metrics, 'GET /hello')).status).toBe(404)

    const request = (deployment: string, route: string | undefined, method: string, status: string, error?: string) => ({
      ...{ deployment, http_request_method: method, http_response_status_code: status, url_scheme: 'http' },
      ...(route === undefined ? {} : { http_route: route }),
      ...(error === undefined ? {} : { error_type: error }),
    })
    await soon(async () => {
      const { value, labelsOf } = await scrape(metrics)
      const requests = (labels: Readonly<Record<string, string>>) => value('http_server_request_duration_seconds_count', labels)
      expect(requests(request('main', '/position/:x/:y', 'GET', '200'))).toBe(3)
      expect(requests(request('main', '/position/:x/:y', 'GET', '400'))).toBe(1)
      expect(requests(request('main', '/hello', 'HEAD', '200'))).toBe(1)
      // Three unknown paths, and /metrics.
      expect(requests(request('main', undefined, 'GET', '404'))).toBe(4)
      expect(requests(request('main', undefined, '_OTHER', '405'))).toBe(1)
      expect(requests(request('docs', undefined, 'GET', '200'))).toBe(2)
      // One client has left.
      expect(requests(request('main', '/static', 'GET', '200'))).toBe(undefined)
      expect(requests(request('main', '/static', 'GET', '200', 'aborted'))).toBe(1)
      expect(new Set(labelsOf('http_server_request_duration_seconds_count').map(({ http_route }) => http_route)).size).toBeLessThan(8)
      for (const method of ['GET', 'HEAD', '_OTHER'])
        expect(value('http_server_active_requests', { deployment: 'main', http_request_method: method, url_scheme: 'http' })).toBe(0)
      const file = request('main', '/static', 'GET', '200', 'aborted')
      expect(value('http_server_response_body_size_bytes_sum', file)).toBeGreaterThan(1_000)
      expect(value('service_failed_logins_total', { scheme: 'people', reason: 'wrong' })).toBe(1)
      // Without credentials nothing has failed.
      expect(value('service_failed_logins_total', { scheme: 'secret', reason: 'wrong' })).toBe(1)
      const duration = request('main', '/position/:x/:y', 'GET', '200')
      expect(value('http_server_request_duration_seconds_bucket', { ...duration, le: '+Inf' })).toBe(3)
      expect(value('http_server_request_duration_seconds_bucket', { ...duration, le: '10' })).toBe(3)
      for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_eventloop_lag_p99_seconds'])
        expect(value(name)).toBeGreaterThan(0)
    })
    const { status, headers } = await send(metrics, 'GET /metrics')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  })

  test('a port that is taken stops the start with one line', async () => {
    const other = createServer()
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
    onTestFinished(() => void other.close())
    const { port } = other.address() as AddressInfo // it listens, and not on a path
    const { status, output, errors } = await serviceProcess(['main'], { ...free, WORKERS, METRICS_PORT: `${port}` }, folderOfTest()).ended
    expect({ status, output }).toEqual({ status: 1, output: '' })
    expect(errors).toBe(`The port is "${port}": expected a free port on 127.0.0.1, and this one is taken.\n`)
  })
})

test('a scrape while the workers start is no error', async () => {
  const port = await findFreePort()
  const { listening } = serviceProcess(['main'], { ...free, WORKERS: '2', METRICS_PORT: `${port}` }, folderOfTest())
  const first = await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/metrics`), { timeout: 20_000, interval: 5 })
  // It comes before there are workers, unless the machine is busy.
  expect(first.status).toBe(200)
  await listening('main')
  expect((await scrape(`http://127.0.0.1:${port}`)).value('process_resident_memory_bytes')).toBeGreaterThan(0)
})

test('no total falls when a worker dies, and a scrape does not wait for a blocked worker', async () => {
  const { base, line, nth, child } = await clusterProcess({ environment: { METRICS_PORT: '0' } })
  const metrics = String((await line(announcesMetrics))['url'])
  const count = 10
  for (let index = 0; index < count; index += 1) await exchange(base, `GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  const total = async (): Promise<number | undefined> => (await scrape(metrics)).value('http_server_request_duration_seconds_count', hello)
  await soon(async () => expect(await total()).toBe(count))

  const { pid } = await nth(1)
  process.kill(pid, 'SIGSTOP')
  onTestFinished(() => void child.kill('SIGKILL'))
  const begun = performance.now()
  expect(await total()).toBe(count)
  expect(performance.now() - begun).toBeLessThan(5_000)

  process.kill(pid, 'SIGKILL')
  await nth(3)
  expect(await total()).toBe(count)
  expect((await send(base, 'GET /hello')).status).toBe(200)
  await soon(async () => expect(await total()).toBe(count + 1))
})

test('reports come from every worker, and the last one of a worker from its end', async () => {
  const { base, line, nth, death } = await clusterProcess({ environment: { METRICS_PORT: '0' } })
  const metrics = String((await line(announcesMetrics))['url'])
  for (let index = 0; index < 10; index += 1) await exchange(base, `GET /hello HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
  const { pid } = await nth(1)
  process.kill(pid, 'SIGTERM')
  expect(await death(pid)).toMatchObject({ code: 0 })
  await soon(async () => expect((await scrape(metrics)).value('http_server_request_duration_seconds_count', hello)).toBe(10))
})
