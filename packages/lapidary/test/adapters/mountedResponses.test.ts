/** What mounted handlers may answer wrong, and streams of theirs whose client leaves: a reported 500, and the server lives. */
import { runInNewContext } from 'node:vm'
import { mount } from 'lapidary'
import { fromFetch, type HttpHandler, type HttpResponse, serve, toFetch } from 'lapidary/server'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { onBun } from '../support/matrix/adapters.ts'
import { connected } from '../support/sockets.ts'
import { after, get, listens, openConnection, until } from '../support/streamSockets.ts'

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

const fails = (): never => {
  throw undefined
}
/** An object as another implementation of the web makes it. */
const foreign = (status: number, body: unknown = null): Response =>
  runInNewContext('({ status, statusText: "", headers: [], body, bodyUsed: false })', { status, body }) as Response

const fetchHandlers: readonly (readonly [what: string, respond: () => Response | Promise<Response>])[] = [
  ['Response.error()', () => Response.error()],
  [
    'a Response whose body is locked',
    () => {
      const response = new Response('a')
      response.body?.getReader()
      return response
    },
  ],
  [
    'a Response whose body was read',
    async () => {
      const response = new Response('a')
      await response.text()
      return response
    },
  ],
  ['the status 101', () => foreign(101)],
  ['the status 99', () => foreign(99)],
  ['a null-body status with a body', () => new Response('a', { status: 204 })],
  ['a body that is no stream', () => foreign(200, 'a')],
  ['undefined, thrown', fails],
  ['undefined, thrown late', async () => after(1).then(fails)],
  ['nothing', () => undefined as unknown as Response],
  ['null', async () => null as unknown as Response],
]

const plain: readonly (readonly [what: string, handler: HttpHandler])[] = [
  ...[0, 99, 100, 101, 199, 1_000, 200.5, Number.NaN].map(
    (status) => [`the status ${status}`, () => ({ status, headers: [], body: null })] as const,
  ),
  ['a status that is a text', () => ({ status: '200', headers: [], body: null }) as unknown as HttpResponse],
  ['undefined, thrown', fails],
  ['nothing', () => undefined as unknown as HttpResponse],
]

interface ReceivedResponse {
  readonly status: number
  readonly text: string
}

const ways = [
  {
    name: 'in memory',
    send: async (handler: HttpHandler, onError: () => void): Promise<ReceivedResponse> => {
      const response = await toFetch(handler, { onError })(new Request('http://a/app'))
      return { status: response.status, text: await response.text() }
    },
  },
  ...listens.map(({ name, listenOn }) => ({
    name,
    send: async (handler: HttpHandler, onError: () => void): Promise<ReceivedResponse> => {
      const { url, close } = await listenOn(handler, { onError })
      onTestFinished(() => close({ drain: 0, grace: 0 }))
      const response = await fetch(`${url}/app`, { signal: AbortSignal.timeout(5_000) })
      return { status: response.status, text: await response.text() }
    },
  })),
]

describe.each(ways)('$name', ({ send }) => {
  const expectReported500 = async (handler: HttpHandler, createServer: (onError: () => void) => HttpHandler): Promise<void> => {
    for (const create of [createServer, () => handler]) {
      let reports = 0
      const onError = (): void => {
        reports += 1
      }
      expect(await send(create(onError), onError)).toMatchObject({ status: 500, text: expect.stringContaining('requestId') })
      expect(reports).toBe(1)
    }
    expect(unhandled).toEqual([])
  }

  test.each(fetchHandlers)('a fetch handler gives %s', async (_what, respond) => {
    const handler = fromFetch(respond)
    await expectReported500(handler, (onError) => serve({ app: mount('/app') }, { app: handler }, { onError }))
  })

  test.each(plain)('a plain handler gives %s', async (_what, handler) => {
    await expectReported500(handler, (onError) => serve({ app: mount('/app') }, { app: handler }, { onError }))
  })
})

/** Streams that fail where their reader leaves. */
const streams: readonly (readonly [what: string, create: (onLeave: () => void) => ReadableStream<Uint8Array>])[] = [
  [
    'whose cancel() rejects',
    (onLeave) =>
      new ReadableStream({
        pull: async (controller) => {
          await after(1)
          controller.enqueue(new Uint8Array(20_000))
        },
        cancel: async () => {
          onLeave()
          throw new Error('while cancelling')
        },
      }),
  ],
  [
    'that waits, and fails where it is cancelled',
    (onLeave) => {
      let fail = (_error: Error): void => {}
      let pulls = 0
      return new ReadableStream(
        {
          pull: (controller) => {
            pulls += 1
            if (pulls === 1) return controller.enqueue(new Uint8Array(20_000))
            return new Promise<void>((_, reject) => {
              fail = reject
            })
          },
          cancel: () => {
            onLeave()
            fail(new Error('while cancelling'))
          },
        },
        { highWaterMark: 0 },
      )
    },
  ],
]

describe.each(listens)('$name', ({ listenOn }) => {
  test.each(streams)('a client leaves a mounted stream %s', async (_what, create) => {
    for (const isLate of [false, true]) {
      let hasLeft = false
      let hasArrived = false
      const app = fromFetch(async (request) => {
        hasArrived = true
        if (isLate) await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
        return new Response(create(leave))
      })
      const leave = (): void => {
        hasLeft = true
      }
      const errors: unknown[] = []
      const onError = (error: unknown): void => void errors.push(error)
      const here = await listenOn(serve({ app: mount('/app') }, { app }, { onError }), { onError })
      onTestFinished(() => here.close({ drain: 0, grace: 0 }))
      const socket = await connected(here)
      socket.write(get('/app'))
      if (isLate) await until(() => hasArrived, 'the request')
      else await new Promise((resolve) => socket.once('data', resolve))
      socket.resetAndDestroy()
      await until(() => hasLeft, 'the end of the stream')
      await after(20)
      expect(unhandled).toEqual([])
      expect(errors).toEqual([])
    }
  })

  test('a stream that fails at once is reported, and its client notices', async () => {
    const errors: unknown[] = []
    const onError = (error: unknown): void => void errors.push(error)
    const app = fromFetch(() => new Response(new ReadableStream({ start: (controller) => controller.error(new Error('at once')) })))
    const here = await listenOn(serve({ app: mount('/app') }, { app }, { onError }), { onError })
    onTestFinished(() => here.close({ drain: 0, grace: 0 }))
    const connection = openConnection(here, get('/app'))
    await until(() => connection.isClosed, 'the end of the connection')
    expect(connection.text).not.toContain('\r\n0\r\n')
    expect(errors).toEqual([new Error('at once')])
    expect(unhandled).toEqual([])
  })
})

test.skipIf(onBun)('a Response of another implementation is sent', async () => {
  const chunks = new Response('abc').body
  const server = serve({ app: mount('/app') }, { app: fromFetch(() => foreign(201, chunks)) })
  const response = await toFetch(server)(new Request('http://a/app'))
  expect([response.status, await response.text()]).toEqual([201, 'abc'])
})
