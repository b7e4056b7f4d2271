/** The llhttp adapter by itself: which adapter listens, what a client may cost, and what cannot be sent. */
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listen, type RunningLlhttpServer } from '@lapidary/llhttp'
import { listen as listenInPlaceOfNode } from 'lapidary/node'
import type { HttpHandler, RequestEnd } from 'lapidary/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fromNodeListener } from '../../lapidary/src/node.ts'
import { exchange } from '../../lapidary/test/support/matrix/adapters.ts'
import { connected, failing } from '../../lapidary/test/support/sockets.ts'
import { listenWithParser } from '../src/listen.ts'

const echoTarget: HttpHandler = ({ target }) => ({ status: 200, headers: [], body: target })
const lines = (...all: readonly string[]): string => `${all.join('\r\n')}\r\n\r\n`
const get = (target: string, ...headers: readonly string[]): string => lines(`GET ${target} HTTP/1.1`, 'Host: a', ...headers)

async function listening(handler: HttpHandler, options: Parameters<typeof listen>[1] = {}): Promise<RunningLlhttpServer> {
  const here = await listen(handler, options)
  onTestFinished(() => here.close({ drain: 0, grace: 0 }))
  return here
}

test('on this Node it is the one that listens', async () => {
  const { adapter, url } = await listening(echoTarget)
  expect(adapter).toBe('llhttp')
  expect(await (await fetch(`${url}/a`)).text()).toBe('/a')
})

test('where there is no parser for it, node:http listens, and it says so', async () => {
  const mounted = fromNodeListener((_, response) => void response.end('mounted'))
  const handler: HttpHandler = (request) => (request.target === '/mounted' ? mounted(request) : echoTarget(request))
  const { adapter, url, close } = await listenWithParser(undefined, handler, {})
  onTestFinished(() => close({ drain: 0 }))
  expect(adapter).toBe('node')
  expect(await (await fetch(`${url}/a`)).text()).toBe('/a')
  expect(await (await fetch(`${url}/mounted`)).text()).toBe('mounted')
})

test('the tests over sockets run on it: in this project, lapidary/node is this adapter', async () => {
  const running = await listenInPlaceOfNode(echoTarget)
  onTestFinished(() => running.close({ drain: 0 }))
  expect(running).toMatchObject({ adapter: 'llhttp' })
})

test('a Node listener cannot be mounted on it: 500, and the report says so', async () => {
  const reported: unknown[] = []
  const { url } = await listening(
    fromNodeListener((_, response) => void response.end('never')),
    { onError: (error) => reported.push(error) },
  )
  expect((await fetch(url)).status).toBe(500)
  expect(reported).toEqual([expect.objectContaining({ message: expect.stringContaining('can only be mounted on the node:http adapter') })])
})

test.each(failing)('a kernel that %s: 500, reported once, the server lives', async (_what, handler) => {
  const endings: RequestEnd[] = []
  const reported: unknown[] = []
  const { url } = await listening(
    (request) => {
      if (request.target !== '/now') return echoTarget(request)
      request.onEnd((end) => endings.push(end))
      return handler(request)
    },
    { onError: (error) => reported.push(error) },
  )
  const response = await fetch(`${url}/now`)
  const text = await response.text()
  expect([response.status, response.statusText, JSON.parse(text).status]).toEqual([500, 'Internal Server Error', 500])
  expect((await fetch(`${url}/other`)).status).toBe(200)
  expect(reported).toHaveLength(1)
  expect(endings).toEqual([{ status: 500, bytes: text.length, outcome: 'completed' }])
})

test('who asks and asks and does not read is not answered without end, and gets every answer in the end', async () => {
  let requestCount = 0
  const here = await listening(({ target }) => {
    requestCount += 1
    return { status: 200, headers: [], body: `${target} ${'a'.repeat(50_000)}` }
  })
  const socket = await connected(here)
  socket.pause()
  const count = 1_000
  for (let number = 0; number < count; number += 1) socket.write(get(`/${number}`))
  socket.write(get('/last', 'Connection: close'))
  await expect.poll(() => requestCount).toBeGreaterThan(0)
  await new Promise((resolve) => setTimeout(resolve, 200))
  // What the two systems keep between them is answered.
  expect(requestCount).toBeLessThan(200)
  const numbers: string[] = []
  let text = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece
    numbers.push(...[...text.matchAll(/\/(\w+) a/g)].map(([, number = '']) => number))
    text = text.slice(-20).replace(/[\s\S]*\/\w+ a/, '')
  })
  socket.resume()
  await once(socket, 'close')
  expect(numbers).toEqual([...Array.from({ length: count }, (_, number) => `${number}`), 'last'])
})

test('the time that a body was kept waiting by us does not count', async () => {
  const size = 8 * 1_048_576
  const here = await listening(
    async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 1_200))
      return { status: 200, headers: [], body: `${(await request.body(size)).length}` }
    },
    { headersTimeout: 300, requestTimeout: 600 },
  )
  const response = await fetch(here.url, { method: 'POST', body: new Uint8Array(size) })
  expect(await response.text()).toBe(`${size}`)
})

test.each([
  ['GET', get('/', 'Connection: close')],
  ['POST', lines('POST / HTTP/1.1', 'Host: a', 'Connection: close', 'Content-Length: 2')],
])('header values are Latin-1, whatever the body is: %s', async (_what, request) => {
  for (const body of ['a', 'ö', new Uint8Array([65])]) {
    const here = await listening(() => ({ status: 200, headers: ['X-Name', 'Ånn'], body }))
    expect(await exchange(here, request, ...(request.startsWith('POST') ? ['ab'] : []))).toContain('\r\nX-Name: Ånn\r\n')
  }
})

test('an answer of 205 says that it has no body', async () => {
  const here = await listening(() => ({ status: 205, headers: [], body: null }))
  expect(await exchange(here, get('/', 'Connection: close'))).toContain('Content-Length: 0\r\n')
})

test.each([
  ['a small one', Buffer.from('ab')],
  ['none', Buffer.alloc(0)],
])('a body that is here already is read at once: %s', async (_what, body) => {
  const here = await listening(async (request) => ({ status: 200, headers: [], body: await request.body(10) }))
  const head = lines('POST / HTTP/1.1', 'Host: a', 'Connection: close', `Content-Length: ${body.length}`)
  expect(await exchange(here, Buffer.concat([Buffer.from(head), body]))).toMatch(new RegExp(`\r\n\r\n${body}$`))
})

test('an idle connection is closed a second after the time that its client was told', async () => {
  const here = await listening(echoTarget, { keepAliveTimeout: 1_000 })
  const socket = await connected(here)
  socket.write(get('/a'))
  expect(String(await once(socket, 'data'))).toContain('Keep-Alive: timeout=1\r\n')
  const began = performance.now()
  await once(socket, 'close')
  expect(performance.now() - began).toBeGreaterThan(1_000)
})

test('a connection that is used again is idle from then on', async () => {
  // The first server of a process tries the parser, which takes real time.
  await listening(echoTarget)
  vi.useFakeTimers({ toFake: ['setInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const here = await listening(echoTarget, { keepAliveTimeout: 2_000 })
  const socket = await connected(here)
  const sendRequest = async (): Promise<void> => {
    socket.write(get('/a'))
    await once(socket, 'data')
  }
  const pass = async (time: number): Promise<void> => {
    for (let passed = 0; passed < time; passed += 500) {
      vi.advanceTimersByTime(500)
      // The server looks at its connections at the end of a turn.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await sendRequest()
  await pass(2_500)
  await sendRequest()
  await pass(1_500)
  await sendRequest()
  const closed = once(socket, 'close')
  await pass(4_000)
  await closed
})

test('a stream with a reason that cannot be sent: 500 with a length, and no chunks', async () => {
  const here = await listening(
    () => ({
      status: 200,
      reason: 'a\r\nb',
      headers: [],
      body: (async function* () {
        yield 'never'
      })(),
    }),
    { onError: () => {} },
  )
  const response = await exchange(here, get('/', 'Connection: close'))
  expect(response).toMatch(/^HTTP\/1\.1 500 [\s\S]*\r\nContent-Length: /)
  expect(response).not.toContain('Transfer-Encoding')
})

test('a request for another protocol is one like others, and so is what comes right behind it', async () => {
  const here = await listening(echoTarget)
  const upgrade = get('/first', 'Connection: Upgrade', 'Upgrade: websocket')
  const response = await exchange(here, upgrade + get('/second') + upgrade + get('/third', 'Connection: close'))
  expect(response.match(/\/\w+(?=$|HTTP)/g)).toEqual(['/first', '/second', '/first', '/third'])
})

test('what waits behind an answer that is not taken is not carried out once the connection is cut', async () => {
  const targets: string[] = []
  let ended = (_how: RequestEnd['outcome']): void => {}
  const end = new Promise<RequestEnd['outcome']>((resolve) => {
    ended = resolve
  })
  const handler: HttpHandler = (request) => {
    targets.push(request.target)
    request.onEnd(({ outcome: how }) => ended(how))
    return { status: 200, headers: [], body: new Uint8Array(32_000_000) }
  }
  const socket = await connected(await listening(handler, { readerTimeout: 100 }))
  socket.pause()
  socket.write(get('/large') + get('/behind'))
  expect(await end).toBe('aborted')
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(targets).toEqual(['/large'])
})

test('who leaves is told of by the signal, whenever it is asked for', async () => {
  const signals: Promise<AbortSignal>[] = []
  const here = await listening((request) => {
    const early = request.signal
    signals.push(
      new Promise((resolve) => early.addEventListener('abort', () => resolve(early))),
      new Promise((resolve) => request.onEnd(() => resolve(request.signal))),
    )
    return new Promise(() => {})
  })
  const socket = await connected(here)
  socket.write(get('/a'))
  await expect.poll(() => signals.length).toBe(2)
  socket.destroy()
  for (const signal of await Promise.all(signals)) expect(signal.aborted).toBe(true)
})

test('when it does not listen any more, a response ends its connection, whatever it says of that itself', async () => {
  const gates: (() => void)[] = []
  const here = await listening(async () => {
    await new Promise<void>((resolve) => gates.push(resolve))
    return { status: 200, headers: ['Connection', 'keep-alive'], body: 'late' }
  })
  const socket = await connected(here)
  let response = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    response += piece
  })
  socket.write(get('/a'))
  await expect.poll(() => gates.length).toBe(1)
  const closed = here.close({ drain: 0, grace: 20_000 })
  await expect.poll(() => connected(here).catch((error: NodeJS.ErrnoException) => error.code)).toBe('ECONNREFUSED')
  gates[0]?.()
  await closed
  expect(response).toMatch(/\r\nConnection: close\r\n[\s\S]*late$/)
})

test('the time that one body was kept waiting by us is not given to the next request of its connection', async () => {
  const size = 8 * 1_048_576
  const here = await listening(
    async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 5_000))
      return { status: 200, headers: [], body: `${(await request.body(size)).length}` }
    },
    { headersTimeout: 300, requestTimeout: 600, keepAliveTimeout: 20_000 },
  )
  const socket = await connected(here)
  let response = ''
  socket.setEncoding('latin1').on('data', (piece) => {
    response += piece
  })
  socket.write(lines('POST / HTTP/1.1', 'Host: a', `Content-Length: ${size}`))
  socket.write(Buffer.alloc(size))
  await expect.poll(() => response, { timeout: 15_000 }).toMatch(new RegExp(`\r\n\r\n${size}$`))
  const begun = performance.now()
  socket.write('GET /half HTTP/1.1\r\n')
  await once(socket, 'close')
  expect(response).toContain('HTTP/1.1 408 ')
  // Its own time is over within half a second; with that of the body it would have had five.
  expect(performance.now() - begun).toBeLessThan(4_000)
})

test('TLS is refused: otherwise the server would listen without it', async () => {
  await expect(listen(echoTarget, { tls: { key: 'k', cert: 'c' } } as object)).rejects.toThrow(
    new TypeError('@lapidary/llhttp does not speak TLS. Import listen from lapidary/node, or leave TLS to a proxy.'),
  )
})

test('a Unix socket takes the place of a port', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lapidary-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'api.sock')
  const { url, shutdown, close } = await listening(echoTarget, { path })
  expect(url).toBe(`unix://${path}`)
  const socket = connect(path)
  socket.write(get('/a', 'Connection: close'))
  expect(Buffer.concat(await socket.toArray()).toString()).toContain('/a')
  await close({ drain: 0 })
  expect([shutdown.aborted, existsSync(path)]).toEqual([true, false])
})
