/** Producers that fail at the moment when their client leaves: the failure is ignored, and the server lives. */
import { endpoint, ndjson, ok } from 'lapidary'
import { compose, timeout } from 'lapidary/middleware'
import type { RunningServer } from 'lapidary/node'
import { type HttpHandler, type HttpRequest, type ResponseBody, serve, toFetch } from 'lapidary/server'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { adapters, listen, type RunningAdapter } from '../support/matrix/adapters.ts'
import { connected } from '../support/sockets.ts'

const unhandled: unknown[] = []
const hear = (reason: unknown): void => void unhandled.push(reason)
/** The listeners of the test runner, which would end it. */
let others: readonly NodeJS.UnhandledRejectionListener[] = []

beforeEach(() => {
  unhandled.length = 0
  others = process.listeners('unhandledRejection')
  process.removeAllListeners('unhandledRejection')
  process.on('unhandledRejection', hear)
})
afterEach(() => {
  process.removeAllListeners('unhandledRejection')
  for (const other of others) process.on('unhandledRejection', other)
})

const after = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

/** A promise that the test settles. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const padding = 'x'.repeat(20_000)

/** An endless producer that throws where it cleans up; and when it has done so. */
function failing() {
  const { opened: cleaned, open } = gate()
  async function* produce(): AsyncGenerator<string> {
    try {
      for (;;) {
        yield padding
        await after(1)
      }
    } finally {
      open()
      // biome-ignore lint/correctness/noUnsafeFinally: it is what is tried here
      throw new Error('while cleaning up')
    }
  }
  return { produce, cleaned }
}

const inLines = (produce: () => AsyncGenerator<string>): ReturnType<typeof serve> =>
  serve({ items: endpoint('GET /', { response: ok(ndjson(z.string())) }) }, { items: () => produce() }, { onError: () => {} })

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter

  test.each(['GET', 'HEAD'])('%s of a stream whose producer throws in finally', async (method) => {
    const { produce, cleaned } = failing()
    adapter = await startAdapter(inLines(produce))
    onTestFinished(() => adapter.close())
    const response = await adapter.fetch('/', { method })
    expect(response.status).toBe(200)
    if (method === 'GET') {
      const reader = (response.body as ReadableStream<Uint8Array>).getReader()
      await reader.read()
      // In memory the reader that cancels learns of it.
      await reader.cancel().catch((error: unknown) => expect(error).toMatchObject({ message: 'while cleaning up' }))
    }
    await cleaned
    await after(20)
    expect(unhandled).toEqual([])
  })
})

/** Resets the connection of a stream on a real socket. Returns what is reported. */
async function torn(handler: HttpHandler): Promise<readonly unknown[]> {
  const errors: unknown[] = []
  const here: RunningServer = await listen(handler, { onError: (error) => void errors.push(error) })
  onTestFinished(() => here.close({ drain: 0, grace: 0 }))
  const socket = await connected(here)
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  socket.resetAndDestroy()
  return errors
}

const body = (produce: () => ResponseBody): HttpHandler => {
  return () => ({ status: 200, headers: [], body: produce() })
}

test('a connection that is reset while such a producer runs', async () => {
  const { produce, cleaned } = failing()
  await torn(inLines(produce))
  await cleaned
  await after(20)
  expect(unhandled).toEqual([])
})

test('a stream of a plain handler whose return() rejects', async () => {
  const { opened, open } = gate()
  await torn(
    body(() => ({
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          await after(1)
          return { done: false, value: padding }
        },
        return: () => {
          open()
          return Promise.reject(new Error('while cleaning up'))
        },
      }),
    })),
  )
  await opened
  await after(20)
  expect(unhandled).toEqual([])
})

test('a producer that waits, and rejects when its signal fires', async () => {
  const { opened, open } = gate()
  let fail = (_error: Error): void => {}
  let pieces = 0
  const errors = await torn(
    body(() => ({
      [Symbol.asyncIterator]: () => ({
        next: () => {
          pieces += 1
          if (pieces === 1) return Promise.resolve({ done: false, value: padding })
          return new Promise((_, reject) => {
            fail = reject
          })
        },
        return: async () => {
          open()
          fail(new Error('told'))
          return { done: true, value: undefined }
        },
      }),
    })),
  )
  await opened
  await after(20)
  expect(unhandled).toEqual([])
  expect(errors).toEqual([])
})

test('a producer that rejects when the signal of its Request fires, and is not ended otherwise', async () => {
  const errors: unknown[] = []
  const produce = async function* (_input: unknown, { signal }: HttpRequest): AsyncGenerator<string> {
    yield 'first'
    signal.throwIfAborted()
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  }
  const api = { lines: endpoint('GET /lines', { response: ok(ndjson(z.string())) }) }
  const server = serve(api, { lines: produce }, { onError: (error) => errors.push(error) })
  const leaving = new AbortController()
  const { body: stream } = await server.fetch(new Request('http://test.invalid/lines', { signal: leaving.signal }))
  const reader = stream?.getReader()
  await reader?.read()
  const next = reader?.read()
  leaving.abort()
  await expect(next).rejects.toThrow('aborted')
  expect(errors).toEqual([])
})

test('a response behind its time limit whose stream rejects when it is dropped', async () => {
  const { opened, open } = gate()
  const slow: HttpHandler = async () => {
    await after(40)
    const iterator = {
      next: async () => ({ done: false, value: padding }),
      return: () => {
        open()
        return Promise.reject(new Error('while cleaning up'))
      },
    }
    return { status: 200, headers: [], body: { [Symbol.asyncIterator]: () => iterator } }
  }
  const response = await toFetch(compose([timeout(10)], slow))(new Request('http://test.invalid/'))
  expect(response.status).toBe(503)
  await opened
  await after(20)
  expect(unhandled).toEqual([])
})

test.each(['body', 'bodyStream'] as const)('a request in memory whose body rejects when it is dropped: %s', async (method) => {
  const { opened, open } = gate()
  const sent = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(20)),
    cancel: () => {
      open()
      return Promise.reject(new Error('while cancelling'))
    },
  })
  const handler: HttpHandler = async (request) => {
    const reading = method === 'body' ? request.body(10) : request.bodyStream(10).next()
    return {
      status: await reading.then(
        () => 200,
        ({ status }: { readonly status: number }) => status,
      ),
      headers: [],
      body: null,
    }
  }
  const init = { method: 'POST', body: sent, duplex: 'half' }
  expect((await toFetch(handler)(new Request('http://test.invalid/', init))).status).toBe(413)
  await opened
  await after(20)
  expect(unhandled).toEqual([])
})

/** What asks a handler that fails, without reports on the console. */
const ways: readonly { readonly name: string; readonly send: (handler: HttpHandler) => Promise<Response> }[] = [
  { name: 'in memory', send: (handler) => toFetch(handler, { onError: () => {} })(new Request('http://test.invalid/')) },
  {
    name: 'over a socket',
    send: async (handler) => {
      const { url, close } = await listen(handler, { onError: () => {} })
      onTestFinished(() => close({ drain: 0, grace: 0 }))
      return fetch(url)
    },
  },
]

describe.each(ways)('$name', ({ send }) => {
  test.each([
    ['a header that cannot be sent', { status: 200, headers: ['X-Name', 'a\r\nb'] }],
    ['an invalid status', { status: 99, headers: [] }],
  ] as const)('a stream that has begun is ended if its response has %s', async (_flaw, head) => {
    const { opened: cleaned, open } = gate()
    async function* produce(): AsyncGenerator<string> {
      try {
        for (;;) yield padding
      } finally {
        open()
      }
    }
    const response = await send(async () => {
      const body = produce()
      await body.next()
      return { ...head, body }
    })
    expect(response.status).toBe(500)
    await response.text()
    await cleaned
  })

  test.each([42, null, undefined, {}])('a producer of an invalid chunk (%s) is ended', async (piece) => {
    const { opened: cleaned, open } = gate()
    async function* produce(): AsyncGenerator<string> {
      try {
        yield padding
        yield piece as unknown as string
        yield padding
      } finally {
        open()
      }
    }
    const response = await send(body(produce))
    await expect(response.text()).rejects.toThrow()
    await cleaned
  })
})
