/** Failures in code of the application: the response is a 500, the error is reported, and the server and the connection go on. */
import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listen as listenWithLlhttp } from '@lapidary/llhttp'
import { endpoint, errors, int, mount, ok, text } from 'lapidary'
import { fromNodeListener, listen as listenOnNode, toNodeListener } from 'lapidary/node'
import { type ErrorListener, type ErrorMapper, type HttpHandler, type ServeOptions, serve, toFetch } from 'lapidary/server'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { listenOnNodeWith } from '../../src/adapters/node/listen.ts'
import { mountAndMiddlewarePlaces, unsendable } from '../support/userCodeFailures/mountsAndMiddleware.ts'
import type { Fail, Place } from '../support/userCodeFailures/place.ts'
import { requestPlaces } from '../support/userCodeFailures/requests.ts'
import { responsePlaces } from '../support/userCodeFailures/responses.ts'

/** Every place where the toolkit calls code of a user, each as a server in which that call fails. */
const places = { ...requestPlaces, ...responsePlaces, ...mountAndMiddlewarePlaces }

/** What came back; `cut`: the connection ended before the answer did. */
interface Got {
  readonly status: number
  readonly body: string
  readonly cut: boolean
}

/** One client on one connection. */
interface Client {
  readonly send: (place: Pick<Place, 'method' | 'target' | 'headers' | 'body'>) => Promise<Got>
  readonly close: () => Promise<void>
}

async function read(message: IncomingMessage): Promise<Got> {
  let body = ''
  message.setEncoding('utf8').on('data', (piece: string) => {
    body += piece
  })
  message.on('error', () => {})
  await new Promise((resolve) => message.once('close', resolve))
  return { status: message.statusCode ?? 0, body, cut: !message.complete }
}

function connected(port: number, close: () => Promise<void>): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let count = 0
  return {
    send: async ({ method = 'GET', target = '/', headers = {}, body }) => {
      const sent = request({ agent, port, host: '127.0.0.1', method, path: target, headers })
      const response = new Promise<Got>((resolve) => {
        sent.on('response', (message) => resolve(read(message)))
        sent.on('error', () => resolve({ status: 0, body: '', cut: true }))
      })
      sent.end(body)
      const got = await response
      // The next one is asked on the same connection, unless it was cut.
      if (count > 0) expect(sent.reusedSocket).toBe(true)
      count = got.cut ? 0 : count + 1
      if (!got.cut) {
        // The agent gets its connection back a little later.
        if (Object.keys(agent.freeSockets).length === 0) await once(agent, 'free')
        expect(Object.keys(agent.freeSockets)).toHaveLength(1)
      }
      return got
    },
    close: async () => {
      agent.destroy()
      await close()
    },
  }
}

async function inMemory(handler: HttpHandler, report: ErrorListener): Promise<Client> {
  const fetch = toFetch(handler, { onError: report })
  return {
    send: async ({ method = 'GET', target = '/', headers = {}, body }) => {
      const init = { method, headers, ...(body === undefined ? {} : { body }) }
      const response = await fetch(new Request(`http://test.invalid${target}`, init))
      try {
        return { status: response.status, body: await response.text(), cut: false }
      } catch {
        return { status: response.status, body: '', cut: true }
      }
    },
    close: async () => {},
  }
}

const adapters: Readonly<Record<string, (handler: HttpHandler, report: ErrorListener) => Promise<Client>>> = {
  fetch: inMemory,
  node: async (handler, report) => {
    const { port, close } = await listenOnNode(handler, { onError: report })
    return connected(port, () => close({ drain: 0, grace: 0 }))
  },
  'node, by its documented API': async (handler, report) => {
    const { port, close } = await listenOnNodeWith(handler, { onError: report }, false)
    return connected(port, () => close({ drain: 0, grace: 0 }))
  },
  'a server of node:http': async (handler, report) => {
    const server = createServer(toNodeListener(handler, { onError: report }))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return connected((server.address() as AddressInfo).port, async () => void server.close())
  },
  llhttp: async (handler, report) => {
    const { port, close, adapter } = await listenWithLlhttp(handler, { onError: report })
    expect(adapter).toBe('llhttp')
    return connected(port, () => close({ drain: 0, grace: 0 }))
  },
}

const secret = '/etc/secret SELECT password'

/** Each time another one, as it would be. */
const thrown: Readonly<Record<string, () => unknown>> = {
  'an Error': () => new Error(secret),
  undefined: () => undefined,
  null: () => null,
  'a text': () => secret,
  'a frozen object': () => Object.freeze({ secret }),
  'an object without a prototype': () => Object.create(null),
  'an Error whose members throw': () => {
    const get = (): never => {
      throw new Error('a member')
    }
    return Object.defineProperties(new Error(secret), { message: { get }, stack: { get }, name: { get }, cause: { get } })
  },
}

/** Uncaught errors. */
let escaped: unknown[] = []
const catchEscaped = (error: unknown): void => void escaped.push(error)
let printed: unknown[][] = []

beforeEach(() => {
  escaped = []
  printed = []
  process.on('unhandledRejection', catchEscaped)
  process.on('uncaughtExceptionMonitor', catchEscaped)
  vi.spyOn(console, 'error').mockImplementation((...words) => void printed.push(words))
})
afterEach(() => {
  process.off('unhandledRejection', catchEscaped)
  process.off('uncaughtExceptionMonitor', catchEscaped)
  vi.restoreAllMocks()
})

/** Unhandled rejections are reported after a turn of the event loop. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setTimeout(resolve))
}

const good = { target: '/good-and-well' }
/** The same handler, which answers one request by itself. */
const beside =
  (handler: HttpHandler): HttpHandler =>
  (request) =>
    request.target === good.target ? { status: 200, headers: [], body: 'well' } : handler(request)

/** Expects a 500 that gives nothing away, and whose request id was reported. */
function expectProblem({ body, status }: Got): string {
  expect([status, body]).toEqual([500, expect.stringContaining('requestId')])
  expect(body).not.toMatch(/secret|SELECT|\.ts|Error:|a member/)
  const { requestId, ...rest } = JSON.parse(body) as { readonly requestId: string }
  expect(rest).toMatchObject({ type: 'about:blank', title: 'Internal Server Error', status: 500 })
  return requestId
}

/** Over sockets these are thrown: the one that is hardest to read, and the one that is nothing. All are with `SAMPLES=whole`. */
const thrownOverSockets = ['an Error whose members throw', 'undefined']

describe.each(Object.entries(adapters))('%s', (adapter, startClient) => {
  const isWhole = adapter === 'fetch' || process.env['SAMPLES'] === 'whole'
  const values = Object.entries(thrown).filter(([what]) => isWhole || thrownOverSockets.includes(what))
  const fails = ({ isSynchronous }: Place): readonly (readonly [string, Fail])[] =>
    values.flatMap(([what, make]): readonly (readonly [string, Fail])[] => {
      const fail = (): never => {
        throw make()
      }
      const reject: Fail = () => Promise.reject(make()) as never
      return isSynchronous
        ? [[`throws ${what}`, fail]]
        : [
            [`throws ${what}`, fail],
            [`rejects with ${what}`, reject],
          ]
    })

  test.each(Object.entries(places))('%s', async (_place, place) => {
    for (const [how, fail] of fails(place)) {
      const reports: { readonly requestId: string | undefined }[] = []
      printed = []
      const report: ErrorListener = (_error, { requestId }) => void reports.push({ requestId })
      const client = await startClient(beside(place.handler(fail, report)), report)
      const got = await client.send(place)
      await turns()
      const where = { how, got, reports, printed: printed.length }
      if (place.gets === 'cut') expect(where).toMatchObject({ got: { cut: true } })
      else if (place.gets === 200) expect(where).toMatchObject({ got: { status: 200, cut: false } })
      else {
        const requestId = expectProblem(got)
        if (place.onConsole !== true) expect(where).toMatchObject({ reports: expect.arrayContaining([{ requestId }]) })
      }
      const isQuiet = place.method === 'HEAD'
      if (place.onConsole === true) expect({ ...where, isReported: printed.length > 0 }).toMatchObject({ isReported: true, reports: [] })
      else expect({ ...where, isReported: reports.length > 0 }).toMatchObject({ isReported: !isQuiet, printed: 0 })
      expect([how, await client.send(good)]).toEqual([how, { status: 200, body: 'well', cut: false }])
      await client.close()
      expect([how, escaped]).toEqual([how, []])
    }
  })

  test.each(Object.entries(unsendable))('middleware that returns %s', async (_what, response) => {
    const ids: unknown[] = []
    const report: ErrorListener = (_error, { requestId }) => void ids.push(requestId)
    for (const handler of [() => response, async () => response] as readonly HttpHandler[]) {
      const client = await startClient(beside(handler), report)
      const requestId = expectProblem(await client.send({}))
      expect(ids).toContain(requestId)
      expect(await client.send(good)).toEqual({ status: 200, body: 'well', cut: false })
      await client.close()
    }
    await turns()
    expect([escaped, printed]).toEqual([[], []])
  })

  test('without onError, console.error gets the error of middleware', async () => {
    const fail = new Error('middleware')
    const fetch = toFetch(() => {
      throw fail
    })
    expectProblem({
      ...(await fetch(new Request('http://test.invalid/a')).then(async (r) => ({ status: r.status, body: await r.text() }))),
      cut: false,
    })
    expect(printed).toEqual([[{ requestId: expect.any(String), method: 'GET', target: '/a' }, fail]])
  })

  test('each onEnd listener is called, also after one that throws', async () => {
    const outcomes: string[] = []
    const client = await startClient(
      beside((request) => {
        request.onEnd(() => {
          throw new Error('the first')
        })
        request.onEnd(({ outcome: how }) => void outcomes.push(how))
        return { status: 200, headers: [], body: 'fine' }
      }),
      () => {},
    )
    expect(await client.send({})).toMatchObject({ status: 200, body: 'fine' })
    await vi.waitFor(() => expect(outcomes).toEqual(['completed']), 10_000)
    await client.close()
  })
})

describe.each(['node', 'node, by its documented API', 'a server of node:http'])('a Node listener that is mounted on %s', (name) => {
  const startClient = adapters[name] as (typeof adapters)[string]
  const mounted = (report: ErrorListener, foreign: Parameters<typeof fromNodeListener>[0]): HttpHandler =>
    beside(serve({ one: mount('/one') }, { one: fromNodeListener(foreign) }, { onError: report }))

  test.each<[string, Got | undefined, Parameters<typeof fromNodeListener>[0]]>([
    [
      'at once',
      undefined,
      () => {
        throw new Error(secret)
      },
    ],
    [
      'when its answer is under way',
      { status: 200, body: 'half', cut: true },
      (_request, response) => {
        response.writeHead(200)
        response.write('half')
        throw new Error(secret)
      },
    ],
    [
      'when its answer is complete',
      { status: 200, body: 'whole', cut: false },
      (_request, response) => {
        response.end('whole')
        throw new Error(secret)
      },
    ],
  ])('throws %s', async (_when, expected, foreign) => {
    const reports: unknown[] = []
    const report: ErrorListener = (error) => void reports.push(error)
    const client = await startClient(mounted(report, foreign), report)
    const got = await client.send({ target: '/one' })
    if (expected === undefined) expectProblem(got)
    else expect({ ...got, body: got.body || (got.cut ? 'half' : '') }).toEqual({ ...expected, status: got.status === 0 ? 0 : 200 })
    expect(reports).toEqual([expect.objectContaining({ message: secret })])
    expect(await client.send(good)).toEqual({ status: 200, body: 'well', cut: false })
    await client.close()
    expect(escaped).toEqual([])
  })
})

const formatFailures: readonly (readonly [what: string, format: () => never, message: string])[] = [
  [
    'throws the same error each time',
    ((error) => (): never => {
      throw error
    })(new Error('a format')),
    'a format',
  ],
  [
    'throws a new error each time',
    () => {
      throw new Error('a format')
    },
    'a format',
  ],
  ['returns nothing', () => undefined as never, 'The function "format" returned a value that cannot be sent.'],
  ['returns a promise', () => Promise.resolve({}) as never, 'The function "format" returned a promise'],
]

describe.each(formatFailures)('a format that %s', (_what, format, message) => {
  const api = {
    one: endpoint('GET /one', { response: ok(text) }),
    other: endpoint('GET /other/:n', { params: { n: int }, response: ok(text) }),
  }
  const handlers = {
    one: (): never => {
      throw errors.conflict()
    },
    other: (): never => {
      throw new Error('a handler')
    },
  }
  const reported = async (path: string, options: ServeOptions = {}): Promise<readonly string[]> => {
    const reports: unknown[] = []
    const { fetch } = serve(api, handlers, { format, onError: (error) => reports.push(error), ...options })
    const response = await fetch(new Request(`http://test.invalid${path}`))
    expect([response.status, response.headers.get('content-type')]).toEqual([500, 'application/problem+json'])
    return reports.map((error) => (error as Error).message)
  }

  test.each(['/', '/one', '/other/x', '/%ff'])('is reported once, for %s', async (path) => {
    expect(await reported(path)).toEqual([expect.stringContaining(message)])
  })

  test('is reported behind the error of a handler', async () => {
    expect(await reported('/other/1')).toEqual(['a handler', expect.stringContaining(message)])
  })

  test('is reported once, where mapError gives its error a response that needs it again', async () => {
    const mapped: unknown[] = []
    const mapError: ErrorMapper = (error) => {
      mapped.push(error)
      return errors.badGateway()
    }
    expect(await reported('/other/1', { mapError })).toEqual([expect.stringContaining(message)])
    expect(mapped).toEqual([expect.objectContaining({ message: 'a handler' })])
  })
})

test('the failure of onError is printed, and so is the error that it received', async () => {
  const failure = new Error('the log is full')
  const error = new Error('a handler')
  const handler = serve(
    { one: endpoint('GET /', { response: ok(text) }) },
    {
      one: () => {
        throw error
      },
    },
    {
      onError: () => {
        throw failure
      },
    },
  )
  expectProblem({
    ...(await handler.fetch(new Request('http://test.invalid/')).then(async (r) => ({ status: r.status, body: await r.text() }))),
    cut: false,
  })
  expect(printed).toEqual([
    ['The function "onError" has failed. Correct it. The error that it was called with follows.', failure],
    [{ requestId: expect.any(String), method: 'GET', target: '/', route: 'GET /' }, error],
  ])
})
