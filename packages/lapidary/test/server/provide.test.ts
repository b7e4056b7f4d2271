/** `provide` and `chain`: in which order they run, and what an error, a stream and a client that leaves do. */
import { once } from 'node:events'
import { request as sendRequest } from 'node:http'
import { basic, endpoint, errors, HttpError, int, list, mount, ndjson, noContent, ok, reply, respond, text, withHeaders } from 'lapidary'
import { chain, type Handlers, type Next, provide, type ServeOptions, serve } from 'lapidary/server'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { createRequest } from '../support/httpRequest.ts'
import { listen } from '../support/matrix/adapters.ts'
import { describeEachAdapter } from '../support/matrix/eachAdapter.ts'
import { buildRequest, expectResponse, get, postJson, refuses, respondsWith } from '../support/matrix/row.ts'

const Stone = z.object({ name: z.string() })
const people = basic<string>('people')

const api = {
  stones: {
    one: endpoint('GET /stones/:id', {
      params: { id: int },
      response: [ok(Stone), reply(202, ndjson(Stone))],
      errors: [reply(404), reply(409, Stone)],
    }),
    add: endpoint('POST /stones', { auth: people, body: Stone, response: noContent }),
    streams: {
      lines: endpoint('GET /lines/:how', { response: ok(ndjson(Stone)) }),
      list: endpoint('GET /list', { response: ok(list(Stone), { headers: { 'X-Count': int } }) }),
    },
  },
  ping: endpoint('GET /ping', { response: ok(text) }),
}

/** What happened, in order. */
const events: string[] = []
const reports: unknown[] = []
let commitError: Error | undefined
let isTooSlow = false
let hasWrongHeader = false

const rejectSoon = () =>
  new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('too slow')), 20)
  })

const transaction = async (_input: unknown, next: Next) => {
  events.push('begin')
  try {
    const running = next({ tx: { write: (word: string) => void events.push(word) } })
    const result = await (isTooSlow ? Promise.race([running, rejectSoon()]) : running)
    if (commitError !== undefined) throw commitError
    events.push('commit')
    return result
  } catch (error) {
    events.push('rollback')
    throw error
  }
}

const opal = { name: 'opal' }

const stones: Handlers<(typeof api)['stones']> = provide(api.stones, transaction, {
  one: async ({ params: { id }, tx, fail }) => {
    tx.write(`one ${id}`)
    if (id === 1) throw errors.notFound({ detail: 'thrown' })
    if (id === 2) return errors.notFound({ detail: 'returned' })
    if (id === 3) return fail(404, { detail: 'failed' })
    if (id === 4) throw new Error('unexpected')
    if (id === 5) return respond(202, [opal].values())
    if (id === 6) return errors.conflict({ body: opal })
    return opal
  },
  add: ({ body, user, tx }) => tx.write(`${user} adds ${body.name}`),
  streams: {
    lines: ({ params: { how }, tx }) => {
      tx.write('head')
      return (async function* () {
        try {
          tx.write('first')
          yield opal
          if (how === 'fails') throw new Error('in the middle')
          if (how === 'endless') {
            for (;;) {
              await new Promise((resolve) => setImmediate(resolve))
              yield { name: 'x'.repeat(10_000) }
            }
          }
          yield opal
          tx.write('last')
        } finally {
          tx.write('finally')
        }
      })()
    },
    list: ({ tx }) => {
      function* items() {
        tx.write('item')
        yield opal
      }
      return withHeaders(items(), { 'X-Count': hasWrongHeader ? Number.NaN : 1 })
    },
  },
})

const auth: ServeOptions['auth'] = [
  { scheme: people, verify: ({ password }: { password: string }) => (password === 'secret' ? 'Ann' : undefined) },
]
const onError = (error: unknown): void => void reports.push(error)
const server = serve(api, { stones, ping: () => 'pong' }, { auth, onError })
const ann = { Authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}` }

beforeEach(() => {
  events.length = 0
  reports.length = 0
  commitError = undefined
  isTooSlow = false
  hasWrongHeader = false
})

describeEachAdapter(server, (running) => {
  test.each([
    ['the handler runs within the provider', get('/stones/7'), respondsWith(200, { json: opal }), ['begin', 'one 7', 'commit']],
    [
      'the provider runs after the body is decoded',
      postJson('/stones', '{"name":"agate"}', ann),
      respondsWith(204),
      ['begin', 'Ann adds agate', 'commit'],
    ],
    ['a thrown error rejects next', get('/stones/1'), refuses(404), ['begin', 'one 1', 'rollback']],
    ['a returned error does, too', get('/stones/2'), refuses(404), ['begin', 'one 2', 'rollback']],
    ['and so does fail', get('/stones/3'), refuses(404), ['begin', 'one 3', 'rollback']],
    ['an unexpected error does', get('/stones/4'), refuses(500), ['begin', 'one 4', 'rollback']],
    ['a declared error keeps its body', get('/stones/6'), respondsWith(409, { json: opal }), ['begin', 'one 6', 'rollback']],
    ['what cannot be decoded starts no provider', postJson('/stones', '{}', ann), refuses(400), []],
    ['nor does a request without credentials', postJson('/stones', '{"name":"agate"}'), refuses(401), []],
    ['nor does a path that cannot be read', get('/stones/one'), refuses(400), []],
    ['an endpoint outside of the group has none', get('/ping'), respondsWith(200, { text: 'pong' }), []],
    [
      'a stream runs within the provider',
      get('/lines/whole'),
      respondsWith(200, { text: '{"name":"opal"}\n{"name":"opal"}\n' }),
      ['begin', 'head', 'first', 'last', 'finally', 'commit'],
    ],
    [
      'an iterator with headers does',
      get('/list'),
      respondsWith(200, { json: [opal], headers: { 'X-Count': '1' } }),
      ['begin', 'item', 'commit'],
    ],
    [
      'and so does that of another response',
      get('/stones/5'),
      respondsWith(202, { text: '{"name":"opal"}\n' }),
      ['begin', 'one 5', 'commit'],
    ],
  ])('%s', async (_sentence, request, expected, expectedEvents) => {
    await expectResponse(running, request, expected)
    await expect.poll(() => events).toEqual(expectedEvents)
  })

  test('a provider that fails after the handler has the response', async () => {
    commitError = new Error('the disk is full')
    await expectResponse(running, get('/stones/7'), refuses(500))
    expect(events).toEqual(['begin', 'one 7', 'rollback'])
    expect(reports).toEqual([commitError])
  })

  test('a stream that fails rejects next', async () => {
    const read = async (): Promise<string> => (await running.fetch('/lines/fails')).text()
    await read().catch(() => {})
    await expect.poll(() => events).toEqual(['begin', 'head', 'first', 'finally', 'rollback'])
    expect(reports).toEqual([expect.objectContaining({ message: 'in the middle' })])
  })

  test('a provider that fails after a stream cuts it off', async () => {
    commitError = new Error('the disk is full')
    await expect(running.fetch('/lines/whole').then((response) => response.text())).rejects.toThrow()
    await expect.poll(() => events).toEqual(['begin', 'head', 'first', 'last', 'finally', 'rollback'])
    expect(reports).toEqual([commitError])
  })

  test('a provider that fails during a stream cuts it off, and ends it', async () => {
    isTooSlow = true
    await expect(running.fetch('/lines/endless').then((response) => response.text())).rejects.toThrow()
    await expect.poll(() => events).toEqual(['begin', 'head', 'first', 'rollback', 'finally'])
    expect(reports).toEqual([expect.objectContaining({ message: 'too slow' })])
  })

  test('a stream of a response that cannot be sent ends its provider', async () => {
    hasWrongHeader = true
    await expectResponse(running, get('/list'), refuses(500))
    await expect.poll(() => events).toEqual(['begin', 'rollback'])
    expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining('X-Count') })])
  })

  test('HEAD of a stream ends its provider', async () => {
    await expectResponse(running, buildRequest('HEAD', '/lines/endless'), respondsWith(200, { text: '' }))
    await expect.poll(() => events.at(-1)).toBe('rollback')
    expect(events).toContain('finally')
    expect(reports).toEqual([])
  })
})

test('a client that leaves ends the stream and its provider', async () => {
  const { url, close } = await listen(server)
  const outgoing = sendRequest(`${url}/lines/endless`).end()
  const [incoming] = await once(outgoing, 'response')
  await once(incoming, 'data')
  incoming.destroy()
  await expect.poll(() => events).toEqual(['begin', 'head', 'first', 'finally', 'rollback'])
  expect(reports).toEqual([])
  await close({ drain: 0, grace: 0 })
})

test('a provider that fails during a stream ends it at once, and not with the request', async () => {
  isTooSlow = true
  // The end of this request never comes.
  const { body } = await server(createRequest('/lines/endless'))
  const read = async (): Promise<void> => {
    for await (const _ of body as AsyncIterable<unknown>);
  }
  await expect(read()).rejects.toThrow('too slow')
  await expect.poll(() => events).toEqual(['begin', 'head', 'first', 'rollback', 'finally'])
})

describe('a provider', () => {
  const group = { one: endpoint('GET /one', { response: ok(text) }) }
  const respondWith = async (provider: (input: never, next: Next, request: never) => unknown, handler: () => string = () => 'one') => {
    const handlers = provide(group, provider as never, { one: handler })
    const response = await serve({ group }, { group: handlers }, { onError }).fetch(new Request('http://test.invalid/one'))
    return [response.status, await response.text()] as const
  }

  test('that rejects a request does not run the handler', async () => {
    const [status] = await respondWith(
      () => {
        throw errors.forbidden()
      },
      (): never => expect.unreachable(),
    )
    expect(status).toBe(403)
  })

  test('may turn an error into another', async () => {
    const busy = async (_input: unknown, next: Next) =>
      next().catch(() => {
        throw errors.conflict()
      })
    expect(
      (
        await respondWith(busy, () => {
          throw new Error('busy')
        })
      )[0],
    ).toBe(409)
    expect(reports).toEqual([])
  })

  test.each<[string, (input: unknown, next: Next) => unknown, RegExp]>([
    ['that does not call next', () => undefined, /GET \/one did not return what next\(\) resolves to/],
    ['that does not wait for next', (_input, next) => void next().catch(() => {}), /GET \/one did not return what next\(\) resolves to/],
    ['that calls next twice', async (_input, next) => [await next(), await next()], /GET \/one called next\(\) twice/],
    [
      'that does not wait for the second call of next',
      async (_input, next) => {
        const result = await next()
        void next()
        return result
      },
      /GET \/one called next\(\) twice/,
    ],
  ])('%s is a reported 500', async (_what, provider, message) => {
    expect((await respondWith(provider))[0]).toBe(500)
    expect(reports).toEqual([expect.objectContaining({ message: expect.stringMatching(message) })])
  })

  test.each<[string, (input: never, next: Next, request: never) => unknown]>([
    [
      'that works before it waits for next',
      async (_input, next) => {
        const running = next()
        await new Promise((resolve) => setTimeout(resolve, 5))
        return running
      },
    ],
    ['that never waits for next', async (_input, next) => void next()],
    [
      'of two that work before they wait for next',
      chain(
        async (_input: unknown, next: Next) => {
          const running = next()
          await new Promise((resolve) => setTimeout(resolve, 5))
          return running
        },
        async (_input: unknown, next: Next) => next(),
      ),
    ],
  ])('%s leaves no rejection behind when the handler fails', async (_what, provider) => {
    const escaped: unknown[] = []
    const catchEscaped = (error: unknown): void => void escaped.push(error)
    process.on('unhandledRejection', catchEscaped)
    onTestFinished(() => void process.off('unhandledRejection', catchEscaped))
    const [status] = await respondWith(provider, () => {
      throw errors.notFound()
    })
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect([status, escaped, reports]).toEqual([404, [], []])
  })

  test('that never waits for next has the error of a handler that takes longer', async () => {
    const late = async (): Promise<string> => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      throw errors.notFound()
    }
    expect((await respondWith(async (_input, next) => void next(), late as never))[0]).toBe(404)
  })

  test('that hides an error of the handler does not hide the response', async () => {
    const silent = async (_input: unknown, next: Next) => next().catch(() => ({}))
    expect(
      (
        await respondWith(silent, () => {
          throw new HttpError(410)
        })
      )[0],
    ).toBe(410)
  })

  test('of two, the first runs around the second', async () => {
    const record = (name: string) => async (input: unknown, next: Next) => {
      events.push(`${name} begins with ${Object.keys(input as object).join()}`)
      const result = await next({ [name]: name })
      events.push(`${name} ends`)
      return result
    }
    const path = { one: endpoint('GET /one/:id', { params: { id: int }, response: ok(text) }) }
    const handlers = provide(path, chain(record('outer'), record('inner')), {
      one: (input) => {
        events.push(`handler with ${Object.keys(input).slice(-2).join()}`)
        return 'one'
      },
    })
    await serve(path, handlers).fetch(new Request('http://test.invalid/one/1'))
    expect(events.map((event) => event.replace(/with .*,(?=outer)/, 'with …,'))).toEqual([
      expect.stringMatching(/^outer begins with params/),
      'inner begins with …,outer',
      'handler with …,inner'.replace('…,inner', 'outer,inner'),
      'inner ends',
      'outer ends',
    ])
  })

  test('is refused for a group with a mount, around which it could not run', () => {
    const shop = { stones: { deep: { files: mount('/files') }, one: endpoint('GET /two', { response: ok(text) }) } }
    const handlers = { stones: { deep: { files: () => ({ status: 200, headers: [], body: 'secret' }) }, one: () => 'two' } }
    expect(() => provide(shop, transaction, handlers)).toThrow(
      'provide(): the group has the mount "stones.deep.files" (/files). A mount has no input. Move the mount out of the group, and put middleware around its handler by compose().',
    )
    // Without handlers, serve reports what is missing.
    expect(() => serve(shop, provide(shop, transaction, {} as never))).toThrow(/provide\(\): the group has the mount/)
  })

  test('leaves a missing handler to serve', () => {
    const wrapped = provide(group, transaction, {} as never)
    expect(() => serve({ stones: group }, { stones: wrapped })).toThrow(/stones\.one/)
  })
})
