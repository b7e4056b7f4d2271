/** A mock as request handlers of MSW: the client calls URLs without a server, with bodies, streams, events, errors and state. */
import { setTimeout } from 'node:timers/promises'
import { mock } from '@lapidary/testing'
import { handlers } from '@lapidary/testing/msw'
import { bytes, collection, endpoint, events, file, isHttpError, multipart, ndjson, ok, prefix, reply, text } from 'lapidary'
import { client } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { HttpResponse, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string(), carat: z.int() })
const api = {
  stones: prefix('/stones', collection(Stone, { one: 'stone', all: 'stones', etag: 'optional' })),
  greet: endpoint('GET /greet/:name', { response: ok(text), errors: [reply(404)] }),
  echo: endpoint('POST /echo', { body: bytes, response: ok(bytes) }),
  photo: endpoint('POST /photos', { body: multipart({ title: text, photo: file() }), response: ok(text) }),
  lines: endpoint('GET /lines', { response: ok(ndjson(Stone)) }),
  ticks: endpoint('GET /ticks', { response: ok(events(z.int())) }),
}
const server = mock(api, {
  handlers: {
    greet: ({ params, fail }) => (params.name === 'nobody' ? fail(404) : `Hello, ${params.name}!`),
    echo: ({ body }) => body,
    photo: ({ body }) => `${body.title} ${body.photo.size}`,
    ticks: async function* () {
      for (const data of [1, 2, 3]) yield { data }
    },
  },
})
const url = 'https://stones.example/v1'
const network = setupServer(...handlers(server, { url }))
beforeAll(() => network.listen({ onUnhandledRequest: 'error' }))
afterEach(() => network.resetHandlers())
afterAll(() => network.close())

const call = client(api, url)

test('a call gets what the mock responds, and its errors', async () => {
  expect(await call.greet({ params: { name: 'Ann' } })).toBe('Hello, Ann!')
  await expect(call.greet({ params: { name: 'nobody' } })).rejects.toSatisfy((error) => isHttpError(error, 404))
})

test('bodies pass through: bytes, and forms with files', async () => {
  const body = Uint8Array.from({ length: 100_000 }, (_, index) => index % 251)
  expect(await call.echo({ body })).toEqual(body)
  expect(await call.photo({ body: { title: 'opal', photo: new File(['12345'], 'opal.jpg') } })).toBe('opal 5')
})

test('streams pass through: lines and events', async () => {
  const lines: unknown[] = []
  for await (const line of await call.lines()) lines.push(line)
  expect(lines.length).toBeGreaterThan(0)
  const ticks: number[] = []
  for await (const { data } of await call.ticks()) ticks.push(data)
  expect(ticks).toEqual([1, 2, 3])
})

test.each(['https://ends.example', 'https://ends.example/v1'])('a stream of %s ends when its call is cancelled', async (base) => {
  let hasEnded = false
  const endless = serve(
    { ticks: api.ticks },
    {
      ticks: async function* () {
        try {
          for (let data = 1; ; data += 1) {
            yield { data }
            await setTimeout(5)
          }
        } finally {
          hasEnded = true
        }
      },
    },
  )
  network.use(...handlers(endless, { url: base }))
  const controller = new AbortController()
  const read = async (): Promise<void> => {
    const ticks = await client({ ticks: api.ticks }, base).ticks({}, { signal: controller.signal })
    for await (const { data } of ticks) if (data === 3) controller.abort(new Error('enough'))
  }
  await expect(read()).rejects.toThrow('enough')
  await vi.waitFor(() => expect(hasEnded).toBe(true), 10_000)
})

test('a collection keeps what it is sent, and refuses a change of what has changed', async () => {
  const { headers } = await call.stones.create({ body: { name: 'opal', carat: 2 } })
  const location = headers.Location.replace('/stones/', '')
  expect(await (await fetch(`${url}/stones/${location}`)).json()).toMatchObject({ name: 'opal', carat: 2 })
  const change = await fetch(`${url}/stones/${location}`, {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', 'If-Match': '"old"' },
    body: JSON.stringify({ name: 'opal', carat: 3 }),
  })
  expect(change.status).toBe(412)
})

test('what the API does not have is left to other handlers, and then to MSW', async () => {
  network.use(
    ...handlers(server, { url }),
    http.get('*/logo.svg', () => HttpResponse.text('<svg/>')),
  )
  expect(await (await fetch(`${url}/logo.svg`)).text()).toBe('<svg/>')
  await expect(fetch(`${url}/other`)).rejects.toThrow()
  // Another origin, a path beside that of the API, and one that only begins like it.
  for (const other of ['https://other.example/v1/greet/Ann', 'https://stones.example/greet/Ann', 'https://stones.example/v1greet/Ann'])
    await expect(fetch(other)).rejects.toThrow()
})

test('a path of the API with a method that it does not have gets 405', async () => {
  const response = await fetch(`${url}/greet/Ann`, { method: 'DELETE' })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('without a url, any origin has the API; and a server of handlers is as good as a mock', async () => {
  const one = { greet: api.greet }
  network.use(...handlers(serve(one, { greet: ({ params }) => `Hi, ${params.name}!` })))
  expect(await (await fetch('https://any.example/greet/Ann')).text()).toBe('Hi, Ann!')
})

test('delays and faults of the mock are those of the network', async () => {
  network.use(
    ...handlers(mock({ greet: api.greet }, { delay: { min: 30, max: 30 }, faults: { unavailable: 1 } }), { url: 'https://slow.example' }),
  )
  const started = performance.now()
  await expect(client({ greet: api.greet }, 'https://slow.example').greet({ params: { name: 'Ann' } })).rejects.toThrow()
  expect(performance.now() - started).toBeGreaterThanOrEqual(28)
})
