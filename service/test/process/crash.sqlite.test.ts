/** Uncaught errors and exhausted resources: the process logs them once and closes in order, or continues. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import { send, withBody } from '../specification/send.ts'
import { folderOfTest, serviceProcess } from '../support/service.ts'

const free = { PORT: '0', DATABASE_URL: 'sqlite::memory:' }

/** Runs this in the service when it gets SIGWINCH: stands for a fault of its own, later than any request. */
const onSignal = (statement: string): string => `--import=data:text/javascript,process.on('SIGWINCH',()=>{${statement}})`

describe.each([
  ['an uncaught exception', "throw(new(Error)('a%20fault'))"],
  ['an exception of a timer', "setTimeout(()=>{throw(new(Error)('a%20fault'))})"],
  ['an unhandled rejection', "Promise.reject(new(Error)('a%20fault'))"],
])('%s', (_sentence, statement) => {
  test('is logged once; running requests are answered; exit code 1', async () => {
    const environment = { ...free, NODE_OPTIONS: onSignal(statement) }
    const { listening, child, ended, line, lines } = serviceProcess(['main'], environment, folderOfTest())
    const base = await listening('main')
    const { hostname, port } = new URL(base)
    const socket = connect(Number(port), hostname)
    onTestFinished(() => void socket.destroy())
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => {
      received += text
    })
    const closed = once(socket, 'close')
    socket.write('POST /echo/text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nfirst')
    // An answer on another connection says that the first one has been read by now.
    await send(base, 'GET /hello')
    child.kill('SIGWINCH')
    await line(({ level }) => level === 'fatal')
    socket.write('-last')
    await closed
    expect(received).toMatch(/^HTTP\/1\.1 200 [\s\S]*first-last$/)
    expect(await ended).toMatchObject({ status: 1, errors: '' })
    const fatal = lines.filter(({ level }) => level === 'fatal')
    expect(fatal).toEqual([expect.objectContaining({ err: expect.objectContaining({ message: 'a fault' }) })])
  })
})

test('an event loop blocked for three seconds: waiting clients are answered', async () => {
  const environment = {
    ...free,
    NODE_OPTIONS: onSignal('for(let%20end=Date.now()%2B3000;Date.now()<end;);'),
  }
  const { listening, child, ended } = serviceProcess(['main'], environment, folderOfTest())
  const base = await listening('main')
  await send(base, 'GET /hello')
  child.kill('SIGWINCH')
  const responses = await Promise.all(Array.from({ length: 20 }, () => fetch(`${base}/hello`)))
  expect([...new Set(responses.map(({ status }) => status))]).toEqual([200])
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0 })
})

test('a heap of 96 MB: two hundred bodies of a megabyte at once are answered', async () => {
  const { listening, child, ended } = serviceProcess(
    ['main'],
    { ...free, MAX_WAIT_MS: '60000', REQUEST_TIMEOUT_MS: '60000', NODE_OPTIONS: '--max-old-space-size=96' },
    folderOfTest(),
  )
  const base = await listening('main')
  const body = 'a'.repeat(1_000_000)
  const responses = await Promise.all(Array.from({ length: 200 }, () => send(base, withBody('POST /echo/text', 'text/plain', body))))
  expect([...new Set(responses.map(({ status }) => status))]).toEqual([200])
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0 })
})

const program = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

// Node alone opens more files than that while it loads the service, so the limit comes afterwards.
test('64 file descriptors: further connections are rejected, and the service continues', async () => {
  const { listening, child, pid, ended } = serviceProcess(['main'], { ...free, LOG_LEVEL: 'silent' }, folderOfTest())
  const base = await listening('main')
  expect(spawnSync('prlimit', ['--pid', String(pid), '--nofile=64:64']).status).toBe(0)
  const { hostname, port } = new URL(base)
  const sockets = Array.from({ length: 100 }, () =>
    connect(Number(port), hostname)
      .on('error', () => {})
      .resume(),
  )
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  // Those that do not fit are closed at once, the others wait for longer than that.
  await Promise.any(sockets.map((socket) => once(socket, 'close')))
  for (const socket of sockets) socket.destroy()
  const status = (): Promise<number> =>
    send(base, 'GET /hello').then(
      (response) => response.status,
      () => 0,
    ) // it may still be full
  await expect.poll(status, { timeout: 10_000 }).toBe(200)
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ status: 0, errors: '' })
})

test('a log without a reader ends no process', async () => {
  const { PATH = '' } = process.env
  const child = spawn(process.execPath, [program, 'main'], {
    cwd: folderOfTest(),
    env: { PATH, ...free },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [text] = await once(createInterface({ input: child.stdout }), 'line')
  child.stdout.destroy()
  const base: string = JSON.parse(text).url
  for (let index = 0; index < 20; index += 1) expect((await send(base, 'GET /hello')).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
