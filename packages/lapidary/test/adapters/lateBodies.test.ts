/** A body that is asked for late: the request was answered by a time limit, or the client has left, while credentials were checked. */
import { once } from 'node:events'
import { basic, byteStream, endpoint, json, multipart, ok, text } from 'lapidary'
import { compose, timeout } from 'lapidary/middleware'
import { authenticate, guard, type HttpHandler, type RequestEnd, serve, toFetch } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { gate } from '../support/client/deferred.ts'
import { onBun } from '../support/matrix/adapters.ts'
import { connected } from '../support/sockets.ts'
import { after, listens, until } from '../support/streamSockets.ts'
import { timers } from '../support/timers.ts'

const people = basic<string>('people')
const api = {
  guarded: {
    text: endpoint('POST /text', { body: text, response: ok(text) }),
    json: endpoint('POST /json', { body: json, response: ok(text) }),
    stream: endpoint('POST /stream', { body: byteStream(), response: ok(text) }),
    form: endpoint('POST /form', { body: multipart({ a: text }), response: ok(text) }),
  },
  auth: endpoint('POST /auth', { auth: people, body: text, response: ok(text) }),
}

const types = { text: 'text/plain', json: 'application/json', stream: 'application/octet-stream', form: 'multipart/form-data;boundary=b' }
const rows = [...Object.entries(types), ['auth', 'text/plain'], ['middleware', 'text/plain']] as const

/** A server that waits before it reads a body, and what it has done. */
function createWaitingServer() {
  const { opened, open } = gate()
  const bodies: unknown[] = []
  const failures: unknown[] = []
  const errors: unknown[] = []
  const ends: RequestEnd[] = []
  let checks = 0
  const check = async (): Promise<void> => {
    checks += 1
    await opened
  }
  const onError = (error: unknown): void => void errors.push(error)
  const read = ({ body }: { readonly body: unknown }): string => {
    bodies.push(body)
    return 'taken'
  }
  const readStream = async ({ body }: { readonly body: AsyncIterable<Uint8Array> }): Promise<string> => {
    try {
      for await (const chunk of body) bodies.push(chunk)
      bodies.push('its end')
    } catch (error) {
      failures.push(error)
    }
    return 'taken'
  }
  const guarded = guard(api.guarded, check, { text: read, json: read, stream: readStream, form: read })
  const server = serve(
    api,
    { guarded, auth: read },
    { onError, auth: [authenticate(people, async ({ username }) => check().then(() => username))] },
  )
  const handler: HttpHandler = (request) => {
    request.onEnd((end) => void ends.push(end))
    if (request.target !== '/middleware') return server(request)
    const reading = check().then(() => request.body(100))
    return reading.then(
      (read) => {
        bodies.push(read)
        return { status: 200, headers: [], body: 'taken' }
      },
      (error: unknown) => {
        failures.push(error)
        return { status: 400, headers: [], body: null }
      },
    )
  }
  return { handler, open, bodies, failures, errors, ends, onError, checks: () => checks }
}

const head = (name: string, type: string): string =>
  [`POST /${name} HTTP/1.1`, 'Host: a', `Content-Type: ${type}`, 'Content-Length: 10', 'Authorization: Basic YTpi', '', ''].join('\r\n')

describe.each(listens)('$name', ({ listenOn }) => {
  test.each(
    rows.flatMap(([name, type]) => [
      [name, 'which arrives', type],
      [name, 'which has arrived', type],
    ]),
  )('after a 503 no handler gets the body of /%s, %s', async (name, when, type) => {
    const { handler, open, bodies, failures, errors, ends, onError } = createWaitingServer()
    const here = await listenOn(compose([timeout(30)], handler), { onError })
    onTestFinished(() => here.close({ drain: 0, grace: 0 }))
    const socket = await connected(here)
    let received = ''
    socket.setEncoding('latin1').on('data', (chunk) => {
      received += chunk
    })
    socket.write(head(name, type))
    await until(() => received.includes(' 503 '), 'the response of the time limit')
    socket.write('abc')
    await after(20)
    if (when === 'which arrives') open()
    await after(20)
    socket.write('defghijGET /none HTTP/1.1\r\nHost: a\r\n\r\n')
    await until(() => received.includes(' 404 '), 'the response to the next request')
    open()
    await after(20)
    expect(bodies).toEqual([])
    expect(errors).toEqual([])
    for (const failure of failures) expect(failure).toMatchObject({ status: 400 })
    expect(ends.map(({ status, outcome }) => [status, outcome])).toEqual([
      [503, 'completed'],
      [404, 'completed'],
    ])
  })

  test.each(rows)('a client that leaves during a check ends its request: /%s', async (name, type) => {
    const { handler, open, bodies, failures, errors, ends, onError, checks } = createWaitingServer()
    const { left } = timers(7_000)
    const here = await listenOn(compose([timeout(7_000)], handler), { onError })
    onTestFinished(() => here.close({ drain: 0, grace: 0 }))
    const socket = await connected(here)
    socket.write(`${head(name, type)}abc`)
    await until(() => checks() === 1, 'the check')
    await after(20)
    socket.resetAndDestroy()
    await until(() => ends.length === 1, 'the end of the request')
    open()
    await after(20)
    expect(bodies).toEqual([])
    expect(errors).toEqual([])
    for (const failure of failures) expect(failure).toMatchObject({ status: 400 })
    expect(ends).toEqual([{ status: 0, bytes: 0, outcome: 'aborted' }])
    if (!onBun) expect(await left()).toBe(0)
  })

  test.each(['/text', '/json', '/auth', '/middleware'])(
    'a client that leaves in the middle of its body ends the wait for it: %s',
    async (path) => {
      const { handler, open, bodies, failures, errors, ends, onError, checks } = createWaitingServer()
      const settled: unknown[] = []
      const here = await listenOn(
        (request) => {
          const response = Promise.resolve(handler(request))
          response.then(
            ({ status }) => settled.push(status),
            (error: unknown) => settled.push(error),
          )
          return response
        },
        { onError },
      )
      onTestFinished(() => here.close({ drain: 0, grace: 0 }))
      open()
      const socket = await connected(here)
      socket.write(`${head(path.slice(1), path === '/json' ? 'application/json' : 'text/plain')}abc`)
      await until(() => checks() === 1, 'the check')
      await after(20)
      socket.resetAndDestroy()
      await until(() => settled.length === 1, 'the end of the handler')
      expect(settled).toEqual([400])
      expect([bodies, errors]).toEqual([[], []])
      for (const failure of failures) expect(failure).toMatchObject({ status: 400 })
      expect(ends).toEqual([{ status: 0, bytes: 0, outcome: 'aborted' }])
    },
  )
})

test('a body that has arrived whole is not for a handler either whose request is answered', async () => {
  for (const { listenOn } of listens) {
    const { handler, open, bodies, ends, onError } = createWaitingServer()
    const here = await listenOn(compose([timeout(30)], handler), { onError })
    onTestFinished(() => here.close({ drain: 0, grace: 0 }))
    const socket = await connected(here)
    socket.write(`${head('text', 'text/plain')}abcdefghij`)
    const [response] = await once(socket, 'data')
    expect(String(response)).toContain(' 503 ')
    await until(() => ends.length === 1, 'the end of the request')
    open()
    await after(20)
    expect(bodies).toEqual([])
  }
})

test.each(['is answered', 'is aborted'])('in memory, no handler gets the body of a request that %s', async (what) => {
  const { handler, open, bodies, failures, errors, ends } = createWaitingServer()
  const fetchHandler = toFetch(compose([timeout(what === 'is answered' ? 20 : 7_000)], handler))
  for (const [name, type] of rows) {
    const controller = new AbortController()
    const headers = { 'Content-Type': type, Authorization: 'Basic YTpi' }
    const response = fetchHandler(new Request(`http://a/${name}`, { method: 'POST', headers, body: 'abc', signal: controller.signal }))
    if (what === 'is answered') expect((await response).status).toBe(503)
    else controller.abort()
  }
  await until(() => ends.length === rows.length, 'the ends of the requests')
  open()
  await after(20)
  expect(bodies).toEqual([])
  expect(errors).toEqual([])
  for (const failure of failures) expect(failure).toMatchObject({ status: 400 })
})
