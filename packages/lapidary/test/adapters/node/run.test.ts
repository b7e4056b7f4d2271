/** `run`, in processes of their own: each signal, requests and streams in progress, failures, exit codes, workers. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { run } from 'lapidary/node'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

const program = fileURLToPath(new URL('../../support/run/program.mjs', import.meta.url))

interface Program {
  readonly child: ChildProcess
  readonly lines: readonly string[]
  /** Resolves with the first line that matches. */
  readonly line: (pattern: RegExp) => Promise<string>
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null; readonly errors: string }>
}

function start(options: object): Program {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines: string[] = []
  let errors = ''
  let rest = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    lines.push(...parts)
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk
  })
  const line = (pattern: RegExp): Promise<string> =>
    vi.waitFor(
      () => {
        const found = lines.find((one) => pattern.test(one))
        if (found === undefined) throw new Error(`There is no line ${pattern} in: ${lines.join(' | ')} ${errors}`)
        return found
      },
      { timeout: 20_000, interval: 10 },
    )
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, errors }))
  return { child, lines, line, ended }
}

const begin = async (options: object): Promise<Program & { readonly url: string }> => {
  const program = start(options)
  return { ...program, url: await program.line(/^http/) }
}

const read = async (url: string): Promise<string> => (await fetch(url)).text()

/** A port that another server has. */
async function takePort(): Promise<number> {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void other.close())
  return (other.address() as AddressInfo).port
}

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)('%s', (signal) => {
  test('ends the process with the code 0 when its requests are answered and what it used is closed, in order', async () => {
    const { url, child, line, lines, ended } = await begin({ onClose: ['works', 'second'] })
    const slow = read(`${url}/slow`)
    const stream = read(`${url}/stream`)
    await line(/^slow$/)
    child.kill(signal)
    await line(/^closing/)
    expect(await read(`${url}/hello`)).toBe('Hello')
    expect([await slow, await stream]).toEqual(['done', '0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n'])
    expect(await ended).toEqual({ code: 0, signal: null, errors: '' })
    expect(lines.slice(2)).toEqual([`closing ${signal}`, 'first closes', 'first closed', 'second closed', 'exit 0'])
  })

  test('a second time ends it at once, with the code 1', async () => {
    const { url, child, line, ended } = await begin({ onClose: ['never'], settle: 60_000 })
    const slow = read(`${url}/slow`).catch(() => 'cut')
    await line(/^slow$/)
    child.kill(signal)
    await line(/^closing/)
    await new Promise((resolve) => setTimeout(resolve, 250))
    child.kill(signal)
    expect(await ended).toEqual({ code: 1, signal: null, errors: '' })
    expect(await slow).toBe('cut')
  })
})

test('SIGINT twice at once is one, as where a terminal and npm send it', async () => {
  const { child, line, ended } = await begin({})
  child.kill('SIGINT')
  await line(/^closing SIGINT$/)
  child.kill('SIGINT')
  expect(await ended).toMatchObject({ code: 0 })
})

test('clients that send without a pause lose no request', async () => {
  const { url, child, ended } = await begin({})
  const outcomes = new Map<string, number>()
  let count = 0
  let isOver = false
  const sendOne = (agent: Agent): Promise<string> =>
    new Promise((resolve) => {
      const request = get(`${url}/hello`, { agent }, (response) => {
        const { statusCode, headers } = response
        response.resume().on('end', () => resolve(`${statusCode} ${headers.connection === 'close' ? 'close' : 'open'}`))
      })
      request.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'))
    })
  const sendAll = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver) {
      const outcome = await sendOne(agent)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      count += 1
      if (count === 400) child.kill('SIGTERM')
      // The server has asked for a new connection.
      if (outcome.endsWith('close')) break
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: 10 }, sendAll))
  isOver = true
  expect([...outcomes.keys()].sort()).toEqual(['200 close', '200 open'])
  expect(outcomes.get('200 close')).toBe(10)
  expect(await ended).toMatchObject({ code: 0 })
})

test('requests that take longer than the grace are cut', async () => {
  const { url, child, line, ended } = await begin({ grace: 200 })
  const slow = read(`${url}/slow`).catch(() => 'cut')
  await line(/^slow$/)
  child.kill('SIGTERM')
  expect(await slow).toBe('cut')
  expect(await ended).toMatchObject({ code: 0 })
})

test('a function of onClose that fails is reported, the next one is called, and the code is 1', async () => {
  const { child, lines, ended } = await begin({ onClose: ['fails', 'second'] })
  child.kill('SIGTERM')
  const { code, errors } = await ended
  expect([code, errors]).toEqual([1, expect.stringMatching(/^Error: planted failure\n {4}at /)])
  expect(lines.slice(1)).toEqual(['closing SIGTERM', 'second closed', 'exit 1'])
})

test('a function of onClose that never ends has a time, and the code is 1', async () => {
  const { child, ended } = await begin({ onClose: ['never'], grace: 100, settle: 100 })
  const begun = performance.now()
  child.kill('SIGTERM')
  const { code, errors } = await ended
  expect([code, errors]).toEqual([1, expect.stringMatching(/The process has not closed within 300 ms, and ends now\./)])
  expect(performance.now() - begun).toBeLessThan(5_000)
})

test('an onClosing that never ends has the same time', async () => {
  const { child, ended } = await begin({ hangs: 'onClosing', grace: 100, settle: 100 })
  child.kill('SIGTERM')
  const { code, errors } = await ended
  expect([code, errors]).toEqual([1, expect.stringMatching(/The process has not closed within 300 ms, and ends now\./)])
})

test('an onFailure that never ends has the same time where a server cannot start', async () => {
  const { lines, ended } = start({ hangs: 'onFailure', port: await takePort(), grace: 100, settle: 100 })
  expect(await ended).toMatchObject({ code: 1 })
  expect(lines).toEqual(['exit 1'])
})

test('the process waits for the report of an uncaught error', async () => {
  const { url, lines, ended } = await begin({ reportTime: 1_500 })
  await fetch(`${url}/fail`, { method: 'POST' })
  expect(await ended).toMatchObject({ code: 1 })
  expect(lines.slice(1)).toEqual(['closing planted error', 'uncaught planted error', 'exit 1'])
})

test.each([
  ['error', 'planted error'],
  ['rejection', 'planted rejection'],
])('an uncaught %s is reported, requests in progress are answered, and the code is 1', async (uncaught, message) => {
  const { url, line, lines, ended } = await begin({ uncaught, onClose: ['second'] })
  const slow = read(`${url}/slow`)
  await line(/^slow$/)
  await fetch(`${url}/fail`, { method: 'POST' })
  await line(/^closing/)
  // Another one does not end it sooner.
  await fetch(`${url}/fail`, { method: 'POST' })
  expect(await slow).toBe('done')
  const { code, errors } = await ended
  expect([code, errors.split(`Error: ${message}\n`).length]).toEqual([1, 3])
  expect(lines.slice(2)).toEqual([`closing ${message}`, 'second closed', 'exit 1'])
})

test.each(['handler', 'list'])('a port in use is told in one sentence, and what has started is closed: %s', async (mode) => {
  const port = await takePort()
  const { lines, ended } = start({ mode, port, onClose: ['second'] })
  expect(await ended).toEqual({
    code: 1,
    signal: null,
    errors: `The port is "${port}": expected a free port on 127.0.0.1, and this one is taken.\n`,
  })
  expect(lines).toEqual(['second closed', 'exit 1'])
})

test('a port that is none is told in one sentence', async () => {
  const { ended } = start({ port: 70_000 })
  expect(await ended).toEqual({ code: 1, signal: null, errors: 'The port is no integer from 0 to 65535.\n' })
})

test('an address of another machine is told in one sentence', async () => {
  const { ended } = start({ host: '192.0.2.1' })
  expect(await ended).toMatchObject({
    code: 1,
    errors: 'The address is "192.0.2.1:0": expected one that this machine lets a server have (EADDRNOTAVAIL).\n',
  })
})

test('several servers close together', async () => {
  const { url, child, line, lines, ended } = await begin({ mode: 'list' })
  await line(/^http.*\n?/)
  await vi.waitFor(() => expect(lines).toHaveLength(2), 10_000)
  const slow = lines.map((one) => read(`${one}/slow`))
  await vi.waitFor(() => expect(lines.filter((one) => one === 'slow')).toHaveLength(2), 10_000)
  child.kill('SIGTERM')
  expect(await Promise.all(slow)).toEqual(['done', 'done'])
  expect(await ended).toMatchObject({ code: 0 })
  expect(url).toMatch(/^http:/)
})

test('a signal while it starts closes what has started', async () => {
  const { child, line, lines, ended } = start({ mode: 'slowStart', onClose: ['second'] })
  await line(/^starting$/)
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, signal: null, errors: '' })
  expect(lines.filter((one) => one !== 'started')).toEqual(['starting', 'closing SIGTERM', 'second closed', 'exit 0'])
})

test('its AbortSignal closes it as a signal does', async () => {
  const { child, lines, ended } = await begin({ onClose: ['second'] })
  child.send('leave')
  expect(await ended).toEqual({ code: 0, signal: null, errors: '' })
  expect(lines.slice(1)).toEqual(['closing told to leave', 'second closed', 'exit 0'])
})

test('a second call in a process is refused', async () => {
  const { line } = await begin({ twice: true })
  expect(await line(/^run/)).toMatch(/^run\(\) is called a second time in this process: .* Give one call all servers: run\(\[/)
})

describe('workers of node:cluster', () => {
  test('that the primary process disconnects answer their requests, and end with the code 0', async () => {
    const { url, child, lines, ended } = await begin({ mode: 'cluster', tell: false })
    const slow = Array.from({ length: 4 }, () => read(`${url}/slow`))
    await vi.waitFor(() => expect(lines.filter((one) => one === 'slow')).toHaveLength(4), 20_000)
    child.kill('SIGTERM')
    expect(await Promise.all(slow)).toEqual(['done', 'done', 'done', 'done'])
    expect(await ended).toMatchObject({ code: 0, errors: '' })
    expect(lines).toContain('codes 0,0')
  })

  test('whose primary process is killed answer their requests', async () => {
    const { url, child, lines, ended } = await begin({ mode: 'cluster', tell: false })
    const slow = Array.from({ length: 4 }, () => read(`${url}/slow`))
    await vi.waitFor(() => expect(lines.filter((one) => one === 'slow')).toHaveLength(4), 20_000)
    child.kill('SIGKILL')
    expect(await Promise.all(slow)).toEqual(['done', 'done', 'done', 'done'])
    await ended
    expect(lines.filter((one) => one === 'exit 0')).toHaveLength(2)
  })
})

test.each<[unknown, object | undefined, RegExp]>([
  [undefined, undefined, /^run\(\) has undefined to run, expected a handler, a server that listens, or a list of those\. Write run\(/],
  [[() => {}], undefined, /^run\(\) has a function to run/],
  [() => {}, { grace: -1 }, /^run\(\): grace/],
  [() => {}, { onClose: ['close'] }, /^run\(\): onClose\[0\] is a string, expected a function/],
  [() => {}, { onFailure: 1 }, /^run\(\): onFailure is a number, expected a function/],
  [() => {}, { signal: 'SIGTERM' }, /^run\(\): signal has to be an AbortSignal\. Write /],
])('run(%o, %j) is refused, and starts nothing', async (target, options, message) => {
  const before = process.listenerCount('SIGTERM')
  await expect(run(target as () => never, options as object)).rejects.toThrow(message)
  expect(process.listenerCount('SIGTERM')).toBe(before)
})
