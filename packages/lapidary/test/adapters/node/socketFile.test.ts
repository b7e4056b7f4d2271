/** Unix sockets. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { compose, trustProxy } from 'lapidary/middleware'
import { type ListenOptions, listen, type RunningNodeServer } from 'lapidary/node'
import type { HttpHandler } from 'lapidary/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { firstCertificate } from '../../support/tls/certificates.ts'

const echo: HttpHandler = ({ target, remoteAddress }) => ({ status: 200, headers: [], body: `${target} from "${remoteAddress}"` })

/** The path of a socket in a folder that ends with the test. */
function createPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'api.sock')
}

async function startServer(options: ListenOptions): Promise<RunningNodeServer> {
  const running = await listen(echo, options)
  onTestFinished(() => running.close({ drain: 0, grace: 0 }))
  return running
}

const get = (socketPath: string, request = requestHttp, headers: Readonly<Record<string, string>> = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { socketPath, path: '/hello', headers, agent: false as const, ca: firstCertificate.cert, servername: 'localhost' }
    const sending = request(options, async (response) => resolve(Buffer.concat(await response.toArray()).toString()))
    sending.once('error', reject)
    sending.end()
  })

test('a server listens on a Unix socket, and close() removes its file', async () => {
  const path = createPath()
  const { url, host, port, path: named, close } = await startServer({ path })
  expect({ url, host, port, path: named }).toEqual({ url: `unix://${path}`, host: '', port: 0, path })
  expect(await get(path)).toBe('/hello from ""')
  await close()
  expect(existsSync(path)).toBe(false)
})

test.each([
  [['unix:'], '203.0.113.7', '203.0.113.7'],
  [['unix:'], 'forged, 203.0.113.7', '203.0.113.7'],
  [['unix:', '10.0.0.0/8'], '203.0.113.7, 10.0.0.1', '203.0.113.7'],
  [['unix:'], undefined, ''],
  [['10.0.0.0/8'], '203.0.113.7', ''],
])('trustProxy(%o) makes of X-Forwarded-For: %s the address "%s"', async (proxies, forwardedFor, address) => {
  const path = createPath()
  const server = await listen(compose([trustProxy(proxies)], echo), { path })
  onTestFinished(() => server.close({ drain: 0 }))
  expect(await get(path, requestHttp, forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor })).toBe(
    `/hello from "${address}"`,
  )
})

test('TLS goes through a Unix socket as well', async () => {
  const path = createPath()
  await startServer({ path, tls: firstCertificate })
  expect(await get(path, requestHttps)).toBe('/hello from ""')
})

test('the file has the permissions of the option mode', async () => {
  const path = createPath()
  await startServer({ path, mode: 0o660 })
  expect(statSync(path).mode & 0o777).toBe(0o660)
})

/** Creates a socket that a killed process has left behind. */
async function leaveSocket(path: string): Promise<void> {
  const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
  expect(existsSync(path)).toBe(true)
}

test('a socket that a killed process has left behind is replaced', async () => {
  const path = createPath()
  await leaveSocket(path)
  await startServer({ path })
  expect(await get(path)).toContain('/hello')
})

test('of servers that start at once where a socket was left behind, one listens', async () => {
  const path = createPath()
  await leaveSocket(path)
  const results = await Promise.allSettled(Array.from({ length: 5 }, () => startServer({ path })))
  const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : 'listens'))
  expect(codes.sort()).toEqual(['EADDRINUSE', 'EADDRINUSE', 'EADDRINUSE', 'EADDRINUSE', 'listens'])
  expect(await get(path)).toContain('/hello')
  expect(readdirSync(dirname(path))).toEqual(['api.sock'])
})

test('a server whose file cannot have its mode does not listen', async () => {
  const path = createPath()
  await expect(listen(echo, { path, mode: 2 ** 40 })).rejects.toMatchObject({ code: 'ERR_OUT_OF_RANGE' })
  await vi.waitFor(() => expect(existsSync(path)).toBe(false), 10_000)
})

test('a socket on which a process listens is not replaced', async () => {
  const path = createPath()
  await startServer({ path })
  await expect(listen(echo, { path })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(await get(path)).toContain('/hello')
})

test.runIf(process.platform === 'linux')('an abstract socket has no file', async () => {
  const path = `\0lapidary-${process.pid}`
  await startServer({ path })
  expect(await get(path)).toContain('/hello')
})

test('a file that is no socket is not replaced', async () => {
  const path = createPath()
  writeFileSync(path, 'precious')
  await expect(listen(echo, { path })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  expect(existsSync(path)).toBe(true)
})

test.each([{ port: 8081 }, { host: '127.0.0.1' }])('a path beside %o is refused', async (options) => {
  await expect(listen(echo, { path: '/tmp/a.sock', ...options })).rejects.toThrow(
    new TypeError('listen() has both a path and a port or a host. A server listens on one of them: leave out the path, or the others.'),
  )
})
