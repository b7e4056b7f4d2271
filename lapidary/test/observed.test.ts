/** What a kernel around a server learns of each request: the route that answered, how many bytes were sent, and how it ended. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { conflict, endpoint, int, lines, mount, ok, text } from 'lapidary'
import { fromListener } from 'lapidary/node'
import { type Ending, fetchOf, type Incident, type Kernel, serve } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { listen, onNode } from './matrix/carriers.ts'

const api = {
  hello: endpoint('GET /hello/:times', { params: { times: int }, response: ok(text) }),
  taken: endpoint('POST /taken', { response: ok(text) }),
  broken: endpoint('GET /broken', { response: ok(text) }),
  count: endpoint('GET /count', { response: ok(lines(z.string())) }),
  failing: endpoint('GET /failing', { response: ok(lines(z.string())) }),
  endless: endpoint('GET /endless', { response: ok(lines(z.string())) }),
  never: endpoint('GET /never', { response: ok(text) }),
  kernel: mount('/kernel'),
  foreign: mount('/foreign'),
}

interface Observed extends Ending {
  readonly route: string | undefined
}

interface Watched {
  /** A server whose every request is named r1 and watched. */
  readonly kernel: Kernel
  /** Resolves with what was observed of the first request, when it has ended. */
  readonly first: Promise<Observed>
  readonly incidents: readonly Incident[]
}

function watched(): Watched {
  const incidents: Incident[] = []
  const server = serve(
    api,
    {
      hello: ({ params }) => 'é'.repeat(params.times),
      taken: () => {
        throw conflict({ body: 'taken' })
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
      kernel: () => ({ status: 200, headers: [], body: new Uint8Array(3) }),
      foreign: fromListener((_, response) => void response.writeHead(203).end('foreign')),
    },
    { report: (_, incident) => void incidents.push(incident) },
  )
  let observe: (observed: Observed) => void = () => {}
  const first = new Promise<Observed>((resolve) => {
    observe = resolve
  })
  const kernel: Kernel = async (incoming) => {
    // Kernels around kernels see requests through others: the end is that of the one request all the same.
    const outgoing = server(Object.create(incoming, { id: { value: 'r1' } }))
    // A client may leave before there is an answer, and a mounted listener may have ended its own before the kernel returns.
    incoming.onEnd(async (ending) => observe({ ...ending, route: ending.status === 0 ? undefined : (await outgoing).route }))
    return outgoing
  }
  return { kernel, first, incidents }
}

/** Listens until the test is over. */
async function listening(kernel: Kernel): Promise<{ readonly url: string; readonly port: number }> {
  const { url, port, close } = await listen(kernel)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  return { url, port }
}

const carried: readonly (readonly [name: string, ask: (kernel: Kernel, path: string, init: RequestInit) => Promise<Response>])[] = [
  ['over a socket', async (kernel, path, init) => fetch(`${(await listening(kernel)).url}${path}`, init)],
  ['on Request and Response', async (kernel, path, init) => fetchOf(kernel)(new Request(`http://a${path}`, init))],
]

describe.each(carried)('%s', (name, ask) => {
  test.each<readonly [string, string, Observed]>([
    ['GET', '/hello/3', { route: 'GET /hello/:times', status: 200, bytes: 6, how: 'sent' }],
    ['HEAD', '/hello/3', { route: 'GET /hello/:times', status: 200, bytes: 0, how: 'sent' }],
    ['GET', '/hello/often', { route: 'GET /hello/:times', status: 400, bytes: expect.any(Number), how: 'sent' }],
    ['POST', '/taken', { route: 'POST /taken', status: 409, bytes: 5, how: 'sent' }],
    ['OPTIONS', '/hello/3', { route: undefined, status: 204, bytes: 0, how: 'sent' }],
    ['GET', '/nowhere', { route: undefined, status: 404, bytes: expect.any(Number), how: 'sent' }],
    ['GET', '/count', { route: 'GET /count', status: 200, bytes: 15, how: 'sent' }],
    ['HEAD', '/count', { route: 'GET /count', status: 200, bytes: 0, how: 'sent' }],
    ['GET', '/kernel/deep', { route: '/kernel', status: 200, bytes: 3, how: 'sent' }],
  ])('%s %s', async (method, path, observed) => {
    const { kernel, first } = watched()
    const answer = await ask(kernel, path, { method })
    const { byteLength } = await answer.arrayBuffer()
    expect(await first).toEqual(observed)
    expect((await first).bytes).toBe(byteLength)
  })

  test('a stream that fails part-way was cut, and its report names the request', async () => {
    const { kernel, first, incidents } = watched()
    await expect(ask(kernel, '/failing', {}).then((answer) => answer.text())).rejects.toThrow()
    expect(await first).toEqual({ route: 'GET /failing', status: 200, bytes: 6, how: 'cut' })
    expect(incidents).toEqual([{ requestId: 'r1', method: 'GET', target: '/failing', route: 'GET /failing' }])
  })

  test('a client that leaves a stream has left', async () => {
    const { kernel, first } = watched()
    const answer = await ask(kernel, '/endless', {})
    const reader = answer.body?.getReader()
    await reader?.read()
    await reader?.cancel()
    expect(await first).toEqual({ route: 'GET /endless', status: 200, bytes: expect.any(Number), how: 'left' })
  })

  test('the name of a request is the one that a 500 tells the client to quote', async () => {
    const { kernel, incidents } = watched()
    const answer = await ask(kernel, '/broken', {})
    expect([answer.status, await answer.json()]).toEqual([500, expect.objectContaining({ requestId: 'r1' })])
    expect(incidents).toEqual([{ requestId: 'r1', method: 'GET', target: '/broken', route: 'GET /broken' }])
  })

  test('where a kernel around the server throws, its 500 was sent', async () => {
    const ended = new Promise<Ending>((resolve) => {
      const kernel: Kernel = (incoming) => {
        incoming.onEnd(resolve)
        throw new Error(name)
      }
      ask(kernel, '/', {}).catch(() => {})
    })
    expect(await ended).toEqual({ status: 500, bytes: expect.any(Number), how: 'sent' })
  })
})

test.skipIf(!onNode)('what a mounted Node listener answers is told by its status, and its bytes are not counted', async () => {
  const { kernel, first } = watched()
  const { url } = await listening(kernel)
  expect(await (await fetch(`${url}/foreign`)).text()).toBe('foreign')
  expect(await first).toEqual({ route: '/foreign', status: 203, bytes: 0, how: 'sent' })
})

test('a client that leaves before the answer got no status', async () => {
  const { kernel, first } = watched()
  const { port } = await listening(async (incoming) => {
    setImmediate(() => client.destroy())
    return kernel(incoming)
  })
  const client = connect(port, '127.0.0.1', () => client.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n'))
  await once(client, 'close')
  expect(await first).toEqual({ route: undefined, status: 0, bytes: 0, how: 'left' })
})

test('whoever asks after the end is told at once', async () => {
  const late = new Promise<Ending>((resolve, reject) => {
    const kernel: Kernel = (incoming) => {
      incoming.onEnd(() => incoming.onEnd(resolve))
      return { status: 200, headers: [], body: 'x' }
    }
    listening(kernel)
      .then(({ url }) => fetch(url))
      .then((answer) => answer.text())
      .catch(reject)
  })
  expect(await late).toEqual({ status: 200, bytes: 1, how: 'sent' })
})
