/** The server over a socket, with a model that does what a test wants. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { isHttpError } from 'lapidary'
import { client, resume } from 'lapidary/client'
import { listen } from 'lapidary/node'
import { expect, onTestFinished, test } from 'vitest'
import { api } from '../api.ts'
import { createCompletions } from '../completions.ts'
import { createLocalModel, type Model } from '../model.ts'
import { createServer } from '../server.ts'

/** A server with a model. Completions without a reader stop after `linger` milliseconds. */
async function start(model: Model, { linger = 10_000, fetch = globalThis.fetch } = {}) {
  const failures: unknown[] = []
  const completions = createCompletions(model, { linger, keep: 10_000, onError: (error) => failures.push(error) })
  const running = await listen(createServer(completions), { port: 0 })
  onTestFinished(async () => {
    completions.close()
    await running.close({ drain: 0 })
  })
  return { url: running.url, failures, call: client(api, running.url, { fetch }).completions }
}

/** A model that writes a token at each step, and notes how it ended. */
function createSlowModel(...tokens: readonly string[]) {
  const steps: (() => void)[] = []
  const note = { written: 0, ended: 'not yet' }
  const model: Model = async function* (_, signal) {
    note.ended = 'not yet'
    try {
      for (const token of tokens) {
        await new Promise<void>((resolve, reject) => {
          steps.push(resolve)
          signal.addEventListener('abort', () => reject(signal.reason))
        })
        note.written += 1
        yield token
      }
    } finally {
      note.ended = signal.aborted ? 'stopped' : 'finished'
    }
  }
  const step = async () => {
    await expect.poll(() => steps.length).toBeGreaterThan(0)
    steps.shift()?.()
  }
  return { model, note, step }
}

const fast: Model = async function* ({ prompt }) {
  yield* prompt.split(/(?= )/)
}

type Call = Awaited<ReturnType<typeof start>>['call']

const readEvents = async (call: Call, id: string, last = 0, options = {}) => {
  const response = await call.events({ params: { id }, headers: { 'Last-Event-ID': last } }, options)
  if (response.status === 204) throw new Error('There are no more events.')
  return response.body
}

const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

test('tokens are events, from the first one or from any other, until there are no more', async () => {
  const { call } = await start(fast)
  const { body, headers } = await call.start({ body: { prompt: 'cut the opal' } })
  expect([body.state, headers.Location]).toEqual(['running', `/completions/${body.id}`])
  const params = { id: body.id }
  const events = await collect(await readEvents(call, body.id))
  expect(events).toEqual([
    { event: 'token', data: { text: 'cut' }, id: '1' },
    { event: 'token', data: { text: ' the' }, id: '2' },
    { event: 'token', data: { text: ' opal' }, id: '3' },
    { event: 'end', data: { state: 'done', tokens: 3 }, id: '4' },
  ])
  expect(await call.one({ params })).toEqual({ id: body.id, state: 'done', text: 'cut the opal' })
  expect(await collect(await readEvents(call, body.id, 2))).toEqual(events.slice(2))
  expect((await call.events({ params, headers: { 'Last-Event-ID': 4 } })).status).toBe(204)
})

test('a reader who is slower than the model misses nothing', async () => {
  const { model, step } = createSlowModel('one', ' two')
  const completions = createCompletions(model, { linger: 10_000, keep: 10_000, onError: () => {} })
  const { id } = completions.start({ prompt: 'count', maxTokens: 2 })
  const reader = completions.read(id, 0, new AbortController().signal)
  await step()
  expect(await reader.next()).toMatchObject({ value: { data: { text: 'one' } } })
  await step()
  await expect.poll(() => completions.find(id)?.state).toBe('done')
  expect(await collect(reader)).toMatchObject([{ data: { text: ' two' } }, { event: 'end' }])
})

test('a token arrives when the model has written it', async () => {
  const { model, step } = createSlowModel('one', ' two')
  const { call } = await start(model)
  const lines = (await call.lines({ body: { prompt: 'count' } }))[Symbol.asyncIterator]()
  await step()
  expect(await lines.next()).toMatchObject({ value: { text: 'one' } })
  await step()
  expect(await lines.next()).toMatchObject({ value: { text: ' two' } })
  expect(await lines.next()).toMatchObject({ value: { state: 'done', tokens: 2 } })
  expect((await lines.next()).done).toBe(true)
})

test('the model stops when the client of its lines goes away', async () => {
  const { model, note, step } = createSlowModel('one', ' two', ' three')
  const { url } = await start(model)
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  const body = '{"prompt":"count"}'
  socket.write(
    `POST /completions/lines HTTP/1.1\r\nHost: here\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
  await step()
  await once(socket, 'data')
  socket.destroy()
  await expect.poll(() => note).toEqual({ written: 1, ended: 'stopped' })
})

test('the model goes on for a reader that comes back, and stops for one that does not', async () => {
  const { model, note, step } = createSlowModel('one', ' two', ' three')
  const { call } = await start(model, { linger: 300 })
  const { body } = await call.start({ body: { prompt: 'count' } })
  const texts: unknown[] = []
  for (const last of [0, 1]) {
    await step()
    for await (const { data } of await readEvents(call, body.id, last)) {
      texts.push(data)
      break
    }
    expect(note.ended).toBe('not yet')
  }
  expect(texts).toEqual([{ text: 'one' }, { text: ' two' }])
  await expect.poll(() => note).toEqual({ written: 2, ended: 'stopped' })
  await expect.poll(() => call.one({ params: { id: body.id } })).toMatchObject({ state: 'cancelled', text: 'one two' })
})

test('a connection that is cut in the middle loses no token, and brings none twice', async () => {
  let connections = 0
  const cutFirst: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    if (!new URL(response.url).pathname.endsWith('/events') || response.body === null) return response
    connections += 1
    if (connections > 1) return response
    let chunks = 0
    const cut = new TransformStream({
      transform(chunk, controller) {
        chunks += 1
        if (chunks < 3) controller.enqueue(chunk)
        else controller.error(new TypeError('terminated'))
      },
    })
    return new Response(response.body.pipeThrough(cut), response)
  }
  const { call } = await start(createLocalModel(20), { fetch: cutFirst })
  const { body } = await call.start({ body: { prompt: 'What is an opal?', maxTokens: 8 } })
  const events = await collect(resume((options) => readEvents(call, body.id, 0, options)))
  expect(connections).toBe(2)
  expect(events.map(({ id }) => Number(id))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  const { text } = await call.one({ params: { id: body.id } })
  expect(events.map(({ event, data }) => (event === 'token' ? data.text : '')).join('')).toBe(text)
})

test('a model that fails in the middle is the last event, and its reason stays on the server', async () => {
  const failing: Model = async function* () {
    yield 'one'
    throw new Error('The key of the provider is not-yours.')
  }
  const { call, failures } = await start(failing)
  const end = { state: 'failed', tokens: 1, detail: expect.stringContaining('failed') }
  expect(await collect(await call.lines({ body: { prompt: 'count' } }))).toEqual([{ text: 'one' }, end])
  const { body } = await call.start({ body: { prompt: 'count' } })
  expect(await collect(await readEvents(call, body.id))).toMatchObject([{ event: 'token' }, { event: 'end', data: end }])
  expect(failures.map(String)).toEqual(Array(2).fill('Error: The key of the provider is not-yours.'))
  expect(JSON.stringify(await call.one({ params: { id: body.id } }))).not.toContain('not-yours')
})

test('a completion is cancelled', async () => {
  const { model, note, step } = createSlowModel('one', ' two')
  const { call } = await start(model)
  const { body } = await call.start({ body: { prompt: 'count' } })
  const params = { id: body.id }
  const reading = readEvents(call, body.id).then(collect)
  await step()
  await expect.poll(() => note.written).toBe(1)
  await call.cancel({ params })
  expect(await reading).toMatchObject([{ data: { text: 'one' } }, { data: { state: 'cancelled', tokens: 1 } }])
  expect(note.ended).toBe('stopped')
})

test('what is not there, and what is no prompt', async () => {
  const { call, url } = await start(fast)
  const params = { id: 'none' }
  for (const request of [call.one({ params }), call.events({ params }), call.cancel({ params })])
    expect(isHttpError(await request.catch((error: unknown) => error), 404)).toBe(true)
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{"prompt":"","maxTokens":0}' }
  expect((await fetch(`${url}/completions`, init)).status).toBe(400)
})

test('the local model writes the same for the same prompt, and stops at the limit', async () => {
  const model = createLocalModel(0)
  const write = (prompt: string, maxTokens: number) => collect(model({ prompt, maxTokens }, new AbortController().signal))
  const text = (await write('What is an opal?', 200)).join('')
  expect((await write('What is an opal?', 200)).join('')).toBe(text)
  expect((await write('What is jade?', 200)).join('')).not.toBe(text)
  expect(text).toMatch(/^The .*\.$/)
  expect(await write('What is an opal?', 5)).toHaveLength(5)
})
