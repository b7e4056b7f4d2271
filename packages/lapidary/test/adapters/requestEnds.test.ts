/** `onEnd` and the route of a response: what middleware learns about each request. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { endpoint, errors, int, mount, ndjson, ok, text } from 'lapidary'
import { fromNodeListener } from 'lapidary/node'
import { type ErrorContext, type ErrorListener, type HttpHandler, type RequestEnd, serve, toFetch } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { MountedRequest } from '../../src/http/requestView.ts'
import { listen, onBun, onNode } from '../support/matrix/adapters.ts'

const api = {
  hello: endpoint('GET /hello/:times', { params: { times: int }, response: ok(text) }),
  taken: endpoint('POST /taken', { response: ok(text) }),
  broken: endpoint('GET /broken', { response: ok(text) }),
  count: endpoint('GET /count', { response: ok(ndjson(z.string())) }),
  failing: endpoint('GET /failing', { response: ok(ndjson(z.string())) }),
  endless: endpoint('GET /endless', { response: ok(ndjson(z.string())) }),
  never: endpoint('GET /never', { response: ok(text) }),
  handler: mount('/handler'),
  foreign: mount('/foreign'),
}

interface Observed extends RequestEnd {
  readonly route: string | undefined
}

interface Watched {
  /** A server whose every request is named r1 and watched. */
  readonly handler: HttpHandler
  /** Resolves with what was observed of the first request, when it has ended. */
  readonly first: Promise<Observed>
  readonly incidents: readonly ErrorContext[]
}

function watched(): Watched {
  const incidents: ErrorContext[] = []
  const server = serve(
    api,
    {
      hello: ({ params }) => 'é'.repeat(params.times),
      taken: () => {
        throw errors.conflict({ body: 'taken' })
      },
      broken: () => {
        throw new Error('broken')
      },
      count: async function* () {
        yield* ['one', 'zwölf']
      },
      failing: async function* () {
        yield 'one'
        throw new Error('failing')
      },
      endless: async function* () {
        for (;;) yield 'on and on'
      },
      never: () => new Promise(() => {}),
      handler: () => ({ status: 200, headers: [], body: new Uint8Array(3) }),
      foreign: fromNodeListener((_, response) => void response.writeHead(203).end('foreign')),
    },
    { onError: (_, incident) => void incidents.push(incident) },
  )
  let observe: (observed: Observed) => void = () => {}
  const first = new Promise<Observed>((resolve) => {
    observe = resolve
  })
  const handler: HttpHandler = async (request) => {
    // The server gets a view of the request. Its end is that of the request.
    const view = new MountedRequest(request, request.target)
    view.id = 'r1'
    const response = server(view)
    // A client may leave before there is a response, and a mounted listener may end its response before the handler returns.
    request.onEnd(async (end) => observe({ ...end, route: end.status === 0 ? undefined : (await response).route }))
    return response
  }
  return { handler, first, incidents }
}

interface OnError {
  readonly onError?: ErrorListener
}

/** Listens until the test is over. */
async function listening(handler: HttpHandler, options: OnError = {}): Promise<{ readonly url: string; readonly port: number }> {
  const { url, port, close } = await listen(handler, options)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return { url, port }
}

type SendRequest = (handler: HttpHandler, path: string, init: RequestInit, options?: OnError) => Promise<Response>
const adapters: readonly (readonly [name: string, send: SendRequest])[] = [
  ['over a socket', async (handler, path, init, options) => fetch(`${(await listening(handler, options)).url}${path}`, init)],
  ['on Request and Response', async (handler, path, init, options) => toFetch(handler, options)(new Request(`http://a${path}`, init))],
]

describe.each(adapters)('%s', (name, send) => {
  test.each<readonly [string, string, Observed]>([
    ['GET', '/hello/3', { route: 'GET /hello/:times', status: 200, bytes: 6, outcome: 'completed' }],
    ['HEAD', '/hello/3', { route: 'GET /hello/:times', status: 200, bytes: 0, outcome: 'completed' }],
    ['GET', '/hello/often', { route: 'GET /hello/:times', status: 400, bytes: expect.any(Number), outcome: 'completed' }],
    ['POST', '/taken', { route: 'POST /taken', status: 409, bytes: 5, outcome: 'completed' }],
    ['OPTIONS', '/hello/3', { route: undefined, status: 204, bytes: 0, outcome: 'completed' }],
    ['GET', '/nowhere', { route: undefined, status: 404, bytes: expect.any(Number), outcome: 'completed' }],
    ['GET', '/count', { route: 'GET /count', status: 200, bytes: 15, outcome: 'completed' }],
    ['HEAD', '/count', { route: 'GET /count', status: 200, bytes: 0, outcome: 'completed' }],
    ['GET', '/handler/deep', { route: '/handler', status: 200, bytes: 3, outcome: 'completed' }],
  ])('%s %s', async (method, path, observed) => {
    const { handler, first } = watched()
    const response = await send(handler, path, { method })
    const { byteLength } = await response.arrayBuffer()
    expect(await first).toEqual(observed)
    expect((await first).bytes).toBe(byteLength)
  })

  test('the outcome of a stream that fails is failed, and its report names the request', async () => {
    const { handler, first, incidents } = watched()
    await expect(send(handler, '/failing', {}).then((response) => response.text())).rejects.toThrow()
    expect(await first).toEqual({ route: 'GET /failing', status: 200, bytes: 6, outcome: 'failed' })
    expect(incidents).toEqual([{ requestId: 'r1', method: 'GET', target: '/failing', route: 'GET /failing' }])
  })

  test('the outcome of a stream whose client leaves is aborted', async () => {
    const { handler, first } = watched()
    const response = await send(handler, '/endless', {})
    const reader = response.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(await first).toEqual({ route: 'GET /endless', status: 200, bytes: expect.any(Number), outcome: 'aborted' })
  })

  test('the id of a request is the one that a 500 tells the client to quote', async () => {
    const { handler, incidents } = watched()
    const response = await send(handler, '/broken', {})
    expect([response.status, await response.json()]).toEqual([500, expect.objectContaining({ requestId: 'r1' })])
    expect(incidents).toEqual([{ requestId: 'r1', method: 'GET', target: '/broken', route: 'GET /broken' }])
  })

  test('the 500 for an error of middleware is counted', async () => {
    const reported: unknown[] = []
    const ended = new Promise<RequestEnd>((resolve) => {
      const handler: HttpHandler = (request) => {
        request.onEnd(resolve)
        throw new Error(name)
      }
      send(handler, '/', {}, { onError: (error) => void reported.push(error) }).catch(() => {})
    })
    expect(await ended).toEqual({ status: 500, bytes: expect.any(Number), outcome: 'completed' })
    expect(reported).toEqual([new Error(name)])
  })
})

test.skipIf(!onNode)('the end of a mounted Node listener has the status, and its bytes are not counted', async () => {
  const { handler, first } = watched()
  const { url } = await listening(handler)
  expect(await (await fetch(`${url}/foreign`)).text()).toBe('foreign')
  expect(await first).toEqual({ route: '/foreign', status: 203, bytes: 0, outcome: 'completed' })
})

test('the end of a request whose client leaves before the response has no status', async () => {
  const { handler, first } = watched()
  const { port } = await listening(async (request) => {
    setImmediate(() => client.destroy())
    return handler(request)
  })
  const client = connect(port, '127.0.0.1', () => client.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n'))
  await once(client, 'close')
  expect(await first).toEqual({ route: undefined, status: 0, bytes: 0, outcome: 'aborted' })
})

/** Resolves when a condition holds, or after a time limit. */
async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 5_000; !isSo() && performance.now() < end; ) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** So many changes behind a slow request, on a connection that is reset once all that is begun has begun. */
async function reset(
  change: HttpHandler,
  count = 12,
): Promise<{
  readonly begun: readonly string[]
  readonly ends: readonly (readonly [string, RequestEnd])[]
  /** The errors that were reported, with their targets. */
  readonly reported: readonly (readonly [string, unknown])[]
}> {
  const begun: string[] = []
  const ends: [string, RequestEnd][] = []
  const reported: [string, unknown][] = []
  const onError: ErrorListener = (error, { target }) => void reported.push([target, error])
  let first: () => void = () => {}
  const { port } = await listening(
    (request) => {
      const { target } = request
      begun.push(target)
      request.onEnd((end) => ends.push([target, end]))
      if (target !== '/first') return change(request)
      return new Promise((resolve) => {
        first = () => resolve({ status: 200, headers: [], body: 'first' })
      })
    },
    { onError },
  )
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  client.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\n')
  for (let number = 0; number < count; number += 1) client.write(`DELETE /${number} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await until(() => begun.length > 0)
  // Those that are begun while another is answered are so by now.
  await new Promise((resolve) => setTimeout(resolve, 100))
  client.resetAndDestroy()
  // Where more wait than are read at once, and on the llhttp adapter, only a write finds a reset.
  if (onNode && count < 16) await until(() => ends.length === begun.length)
  first()
  await new Promise((resolve) => setTimeout(resolve, 50))
  await until(() => ends.length === begun.length)
  return { begun, ends, reported }
}

test.each<readonly [string, HttpHandler]>([
  ['at once', () => ({ status: 204, headers: [], body: null })],
  ['later', async () => ({ status: 204, headers: [], body: null })],
  ['never', () => new Promise(() => {})],
  ['with a stream', () => ({ status: 200, headers: [], body: endlessly() })],
  [
    'with an error',
    async () => {
      throw new Error('a wrapper')
    },
  ],
])('a request that runs behind another one (and is answered %s) has one end, also if the connection is reset', async (when, change) => {
  const { begun, ends, reported } = await reset(change)
  expect(ends.map(([target]) => target).sort()).toEqual([...begun].sort())
  expect(begun).not.toEqual([])
  const failed = when === 'with an error' ? begun.filter((target) => target !== '/first') : []
  expect(reported).toEqual(failed.map((target) => [target, new Error('a wrapper')]))
  if (!onNode) return
  // node:http begins all of them, and nothing was sent of any.
  expect(begun).toHaveLength(13)
  for (const [, ending] of ends) expect(ending).toEqual({ status: 0, bytes: 0, outcome: 'aborted' })
})

test('so has each request of a connection that is no longer read', async () => {
  const { begun, ends } = await reset(async () => ({ status: 204, headers: [], body: null }), 40)
  expect(ends.map(([target]) => target).sort()).toEqual([...begun].sort())
})

let stopped = 0
async function* endlessly(): AsyncGenerator<string> {
  try {
    for (;;) yield 'on and on'.repeat(10_000)
  } finally {
    stopped += 1
  }
}

test.skipIf(!onNode)('a producer, a signal and a body behind another request notice the reset as well', async () => {
  stopped = 0
  const aborted: string[] = []
  const { ends } = await reset(({ target, signal }) => {
    signal.addEventListener('abort', () => aborted.push(target))
    return { status: 200, headers: [], body: endlessly() }
  })
  expect(ends).toHaveLength(13)
  expect(aborted).toHaveLength(12)
  await until(() => stopped === 12)
  expect(stopped).toBe(12)
})

test.skipIf(!onNode)('after the reset a listener is called at once, and the signal has fired', async () => {
  let gone: () => void = () => {}
  const reset = new Promise<void>((resolve) => {
    gone = resolve
  })
  const events: unknown[] = []
  const { port } = await listening(async (request) => {
    if (request.target === '/first') return new Promise(() => {})
    await reset
    request.onEnd(({ outcome: how }) => events.push(how))
    events.push(request.signal.aborted)
    return { status: 204, headers: [], body: null }
  })
  const client = connect(port, '127.0.0.1')
  client.on('error', () => {})
  client.write('GET /first HTTP/1.1\r\nHost: a\r\n\r\nDELETE /second HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise((resolve) => setTimeout(resolve, 100))
  client.resetAndDestroy()
  await new Promise((resolve) => setTimeout(resolve, 100))
  gone()
  await until(() => events.length === 2)
  expect(events).toEqual(['aborted', true])
})

describe('on Request and Response', () => {
  test('a stream whose client has left before its response is ended, and nothing of it was sent', async () => {
    const leaving = new AbortController()
    const ends: RequestEnd[] = []
    let isEnded = false
    const producer: AsyncIterator<string> = {
      next: () => new Promise(() => {}),
      return: async () => {
        isEnded = true
        return { done: true, value: undefined }
      },
    }
    await toFetch(async (request) => {
      leaving.abort()
      request.onEnd((end) => ends.push(end))
      return { status: 200, headers: [], body: { [Symbol.asyncIterator]: () => producer } }
    })(new Request('http://a/', { signal: leaving.signal }))
    expect(isEnded).toBe(true)
    expect(ends).toEqual([{ status: 0, bytes: 0, outcome: 'aborted' }])
  })

  test('the end of a stream whose Request is aborted has the status that was sent', async () => {
    const leaving = new AbortController()
    const { handler, first } = watched()
    const response = await toFetch(handler)(new Request('http://a/endless', { signal: leaving.signal }))
    const reader = response.body?.getReader()
    await reader?.read()
    leaving.abort()
    await reader?.cancel()
    expect(await first).toEqual({ route: 'GET /endless', status: 200, bytes: expect.any(Number), outcome: 'aborted' })
    expect((await first).bytes).toBeGreaterThan(0)
  })
})

test('a listener that is added after the end is called at once', async () => {
  const late = new Promise<RequestEnd>((resolve, reject) => {
    const handler: HttpHandler = (request) => {
      request.onEnd(() => request.onEnd(resolve))
      return { status: 200, headers: [], body: 'x' }
    }
    listening(handler)
      .then(({ url }) => fetch(url))
      .then((response) => response.text())
      .catch(reject)
  })
  expect(await late).toEqual({ status: 200, bytes: 1, outcome: 'completed' })
})

// The warning is Node's.
test.skipIf(onBun)('any number of listeners learns of the end, in their order, and none of them of a warning', async () => {
  const warnings: unknown[] = []
  const onWarning = (warning: unknown): void => void warnings.push(warning)
  process.on('warning', onWarning)
  onTestFinished(() => void process.off('warning', onWarning))
  const ended: number[] = []
  const here = await listen((request) => {
    for (let index = 0; index < 30; index += 1) request.onEnd(() => void ended.push(index))
    return { status: 200, headers: [], body: 'hello' }
  })
  onTestFinished(() => here.close({ drain: 0 }))
  await (await fetch(here.url)).text()
  await expect.poll(() => ended).toEqual(Array.from({ length: 30 }, (_, index) => index))
  await new Promise((resolve) => setImmediate(resolve))
  expect(warnings).toEqual([])
})
