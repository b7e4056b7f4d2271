/** Endpoints with `idempotent`: the first response to a key is kept, and one request has one effect. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mock } from '@lapidary/testing'
import fc from 'fast-check'
import {
  type AnyEndpoint,
  basic,
  bearer,
  bytes,
  content,
  created,
  either,
  endpoint,
  errors,
  file,
  form,
  int,
  json,
  list,
  mount,
  multipart,
  ndjson,
  noContent,
  ok,
  operations,
  optional,
  type RouteLine,
  reply,
  text,
  withHeaders,
} from 'lapidary'
import { client } from 'lapidary/client'
import { toNodeListener } from 'lapidary/node'
import {
  type ApiServer,
  authenticate,
  fromFetch,
  type HttpHandler,
  type HttpRequest,
  type IdempotencyOptions,
  memoryIdempotencyStore,
  type Next,
  provide,
  serve,
} from 'lapidary/server'
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { buildRequest, type MatrixRequest, postJson, type Row, refuses, respondsWith } from '../support/matrix/row.ts'

const Payment = z.object({ amount: z.int().min(1) })
const people = basic<{ readonly name: string }>('people')

const api = {
  pay: endpoint('POST /payments/:shop', {
    query: { note: text({ default: '' }) },
    body: Payment,
    response: created(Payment, { headers: { Location: text, 'X-Run': int } }),
    errors: [reply(402), reply(409, z.object({ paid: z.int() }))],
    idempotent: 'required',
    responseHeaders: { 'X-Shop': 'open' },
  }),
  own: endpoint('POST /own', { auth: people, body: json, response: ok(text), idempotent: 'optional' }),
  ring: endpoint('POST /ring', { response: noContent, idempotent: 'required' }),
  rows: endpoint('POST /rows', { body: json, response: ok(list(Payment)), idempotent: 'optional' }),
  patch: endpoint('PATCH /patch', { body: text, response: ok(text), idempotent: 'optional' }),
  card: endpoint('POST /cards', {
    headers: { 'X-Tenant': optional(text) },
    cookies: { session: optional(text) },
    body: text,
    response: ok(content(z.object({ card: z.string() }), json, form)),
    idempotent: 'required',
  }),
}

interface Shop {
  readonly server: ApiServer
  readonly counts: { runs: number; rings: number }
  /** Holds the payments of 17 until the returned function is called. */
  readonly hold: () => () => void
  readonly errors: unknown[]
}

/** A server whose handlers count. A payment of 13 fails, one of 14 is too much, one of 15 has to wait. */
function openShop(idempotency?: IdempotencyOptions): Shop {
  const counts = { runs: 0, rings: 0 }
  const unexpected: unknown[] = []
  let released = Promise.resolve()
  const hold = (): (() => void) => {
    let release = (): void => {}
    released = new Promise((resolve) => {
      release = resolve
    })
    return release
  }
  const count = (): number => {
    counts.runs += 1
    return counts.runs
  }
  const server = serve(
    api,
    {
      pay: async ({ body, params: { shop } }) => {
        const run = count()
        await new Promise((resolve) => setTimeout(resolve, 1))
        if (body.amount === 13) throw new Error('out of order')
        if (body.amount === 14) throw errors.paymentRequired({ detail: `run ${run}` })
        if (body.amount === 15) throw errors.tooManyRequests()
        if (body.amount === 16) throw errors.conflict({ body: { paid: run } })
        if (body.amount === 17) await released
        return withHeaders(body, { Location: `/payments/${shop}/${run}`, 'X-Run': run })
      },
      own: ({ user }) => `${user.name} ${count()}`,
      ring: () => {
        counts.rings += 1
      },
      rows: async function* () {
        yield { amount: count() }
        await new Promise((resolve) => setTimeout(resolve, 1))
        yield { amount: 2 }
      },
      patch: ({ body }) => `${body} ${count()}`,
      card: ({ headers, cookies }) => ({ card: `${headers['X-Tenant']} ${cookies.session} ${count()}` }),
    },
    {
      auth: [authenticate(people, ({ username, password }) => (password === 'word' ? { name: username } : undefined))],
      onError: (error) => void unexpected.push(error),
      ...(idempotency && { idempotency }),
    },
  )
  return { server, counts, hold, errors: unexpected }
}

let keys = 0
const newKey = (): string => {
  keys += 1
  return `"key-${keys}"`
}
const pay = (key: string, amount: number, target = '/payments/opal'): MatrixRequest =>
  postJson(target, JSON.stringify({ amount }), { 'Idempotency-Key': key })
const as = (name: string, password = 'word'): string => `Basic ${btoa(`${name}:${password}`)}`

/** A response, as far as a client can compare two of them. */
async function read(response: Response) {
  const { status, statusText, headers } = response
  const shown = [...headers].filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
  return { status, statusText, headers: Object.fromEntries(shown), body: await response.text() }
}

/** A new one for each adapter: a key belongs to the host that it was sent to. */
let store = memoryIdempotencyStore()
const shared = openShop({
  store: {
    begin: (claim) => store.begin(claim),
    complete: (claim, response) => store.complete(claim, response),
    release: (claim) => store.release(claim),
  },
})
const noKey = { in: 'header', name: 'Idempotency-Key', detail: 'expected a value, got nothing' }
const badKey = { ...noKey, detail: expect.stringMatching(/^expected a text in quotation marks, of at most 255 characters/) }
const keyOf = (key: string): MatrixRequest => buildRequest('POST', '/ring', { 'Idempotency-Key': key })

const rows: readonly Row[] = [
  ['a request without the required key gets 400', postJson('/payments/opal', '{"amount":1}'), refuses(400, noKey)],
  ['one without an optional key runs', buildRequest('PATCH', '/patch', { 'Content-Type': 'text/plain' }, 'a'), respondsWith(200)],
  ['a UUID in quotation marks is a key', keyOf('"8e03978e-40d5-43dd-bc93-6894a57f9324"'), respondsWith(204)],
  ['so it is without them', keyOf('8e03978e-40d5-43dd-bc93-6894a57f9325'), respondsWith(204)],
  ['a text with spaces and escapes is one', keyOf('"the \\"best\\" \\\\ key"'), respondsWith(204)],
  ['one of 255 characters is one', keyOf(`"${'k'.repeat(253)}"`), respondsWith(204)],
  ['one of 256 characters is none', keyOf(`"${'k'.repeat(254)}"`), refuses(400, badKey)],
  ['one of 10 KB is none', keyOf(`"${'k'.repeat(10_000)}"`), refuses(400, badKey)],
  ['an empty text is none', keyOf('""'), refuses(400, badKey)],
  ['a text without its end is none', keyOf('"open'), refuses(400, badKey)],
  ['another escape is none', keyOf('"a\\n"'), refuses(400, badKey)],
  ['a quotation mark inside is none', keyOf('"a"b"'), refuses(400, badKey)],
  ['a tab is none', keyOf('"a\tb"'), refuses(400, badKey)],
  ['a letter beyond ASCII is none', keyOf('"caf\u00e9"'), refuses(400, badKey)],
  ['two keys are none', keyOf('"a", "b"'), refuses(400, badKey)],
  ['a parameter behind it is none', keyOf('"a";b=1'), refuses(400, badKey)],
  ['a wrong body comes first', pay(newKey(), 0), refuses(400)],
  ['wrong credentials come first', buildRequest('POST', '/own', { 'Idempotency-Key': '""' }), respondsWith(401)],
  ['another media type comes first', post415(), respondsWith(415)],
]
function post415(): MatrixRequest {
  return buildRequest('POST', '/payments/opal', { 'Content-Type': 'text/plain' }, '1')
}

describeEachAdapter(shared.server, (running) => {
  afterAll(() => {
    store = memoryIdempotencyStore()
  })
  testRows(running, rows)
  const send = async ({ target, init }: MatrixRequest) => read(await running.fetch(target, init))
  /** How often handlers ran meanwhile. */
  const runsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = shared.counts.runs
    await work()
    return shared.counts.runs - before
  }

  test.each([
    ['success', 7, 201],
    ['a declared error', 14, 402],
    ['a declared error with a body', 16, 409],
  ])('the same request gets the same response again, byte for byte: %s', async (_what, amount, status) => {
    const key = newKey()
    const first = await send(pay(key, amount))
    expect(first).toMatchObject({ status, headers: { 'x-shop': 'open' } })
    expect(await runsOf(async () => expect(await send(pay(key, amount))).toEqual(first))).toBe(0)
    expect(await runsOf(async () => expect(await send(pay(key.replaceAll('"', ''), amount))).toEqual(first))).toBe(0)
    expect(await runsOf(() => send(pay(newKey(), amount)))).toBe(1)
  })

  test.each([
    ['an unexpected error', 13, 500],
    ['a response that asks for the same request again', 15, 429],
  ])('is not kept: %s', async (_what, amount, status) => {
    const key = newKey()
    const again = async () => expect(await send(pay(key, amount))).toMatchObject({ status })
    expect(await runsOf(again)).toBe(1)
    expect(await runsOf(again)).toBe(1)
    expect(await send(pay(key, 1))).toMatchObject({ status: 201 })
  })

  test.each<[what: string, other: (key: string) => MatrixRequest]>([
    ['body', (key) => pay(key, 8)],
    ['path', (key) => pay(key, 7, '/payments/ruby')],
    ['query', (key) => pay(key, 7, '/payments/opal?note=b')],
    ['endpoint', keyOf],
    [
      'media type',
      (key) => postJson('/payments/opal', '{"amount":7}', { 'Idempotency-Key': key, 'Content-Type': 'application/json; charset=utf-8' }),
    ],
  ])('the same key with another %s gets 422', async (_what, other) => {
    const key = newKey()
    const first = await send(pay(key, 7))
    expect(await runsOf(async () => expect(await send(other(key))).toMatchObject({ status: 422 }))).toBe(0)
    expect(await send(pay(key, 7))).toEqual(first)
  })

  test.each<[what: string, headers: Readonly<Record<string, string>>]>([
    ['declared cookie', { Cookie: 'session=ben; theme=dark' }],
    ['declared header', { 'X-Tenant': 'ruby' }],
    ['Accept, where it chooses the media type', { Accept: 'application/x-www-form-urlencoded' }],
  ])('the same key with another %s gets 422', async (_what, others) => {
    const first = { 'Idempotency-Key': newKey(), 'Content-Type': 'text/plain', Cookie: 'session=ann; theme=light', 'X-Tenant': 'opal' }
    const card = (headers: Readonly<Record<string, string>>) => send(buildRequest('POST', '/cards', { ...first, ...headers }, 'x'))
    const alice = await card({})
    expect(alice).toMatchObject({ status: 200, body: `{"card":"opal ann ${shared.counts.runs}"}` })
    expect(await runsOf(async () => expect(await card(others)).toMatchObject({ status: 422 }))).toBe(0)
    // What is not declared does not count.
    expect(await card({ Cookie: 'session=ann; theme=dark', 'X-Other': 'a', 'User-Agent': 'b' })).toEqual(alice)
  })

  test('a request whose input is rejected claims no key', async () => {
    const key = newKey()
    expect((await send(pay(key, 0))).status).toBe(400)
    expect((await send(pay(key, 1))).status).toBe(201)
  })

  test('two users never share a key', async () => {
    const key = newKey()
    const own = (name: string) => send(postJson('/own', '1', { Authorization: as(name), 'Idempotency-Key': key }))
    const [ann, ben] = [await own('ann'), await own('ben')]
    expect([ann.body, ben.body]).toEqual([expect.stringMatching(/^ann /), expect.stringMatching(/^ben /)])
    expect([await own('ann'), await own('ben')]).toEqual([ann, ben])
    expect((await send(postJson('/own', '1', { Authorization: as('ann', 'guess'), 'Idempotency-Key': key }))).status).toBe(401)
  })

  test('a list that is made chunk by chunk is kept whole', async () => {
    const headers = { 'Idempotency-Key': newKey() }
    const first = await send(postJson('/rows', '1', headers))
    expect(JSON.parse(first.body)).toEqual([{ amount: shared.counts.runs }, { amount: 2 }])
    expect(await send(postJson('/rows', '1', headers))).toEqual(first)
  })

  test('of any number of requests at once, one runs; the others get its response, or 409', async () => {
    const plan = fc.array(fc.record({ key: fc.nat(3), amount: fc.constantFrom(1, 2, 14) }), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(plan, async (wishes) => {
        const own = [newKey(), newKey(), newKey(), newKey()]
        const before = shared.counts.runs
        const got = await Promise.all(
          wishes.map(async ({ key, amount }) => ({ key, amount, ...(await send(pay(own[key] ?? '', amount))) })),
        )
        const used = new Set(wishes.map(({ key }) => key))
        expect(shared.counts.runs - before).toBe(used.size)
        for (const key of used) {
          const ofKey = got.filter((one) => one.key === key)
          const finals = ofKey.filter(({ status }) => status === 201 || status === 402)
          expect(finals.length).toBeGreaterThan(0)
          expect(new Set(finals.map((final) => JSON.stringify(final))).size).toBe(1)
          for (const { status, amount, headers } of ofKey) {
            if (amount !== finals[0]?.amount) expect(status).toBe(422)
            else if (status === 409) expect(headers['retry-after']).toBe('1')
            else expect(status).toBe(finals[0]?.status)
          }
        }
      }),
      { numRuns: 25 },
    )
  })

  test('a client that leaves and comes back gets the response of its first request', async () => {
    const request = pay(newKey(), 17)
    const release = shared.hold()
    const leaving = new AbortController()
    const before = shared.counts.runs
    const first = running.fetch(request.target, { ...request.init, signal: leaving.signal }).catch(() => undefined)
    await vi.waitFor(() => expect(shared.counts.runs).toBe(before + 1), 10_000)
    leaving.abort()
    expect(await send(request)).toMatchObject({ status: 409, headers: { 'retry-after': '1' } })
    release()
    await first
    await vi.waitFor(async () => expect(await send(request)).toMatchObject({ status: 201, headers: { 'x-run': `${before + 1}` } }), 10_000)
    expect(shared.counts.runs).toBe(before + 1)
  })
})

/** A server of one endpoint, which rings. */
function openBell(idempotency: IdempotencyOptions, ring: (request: HttpRequest) => unknown = () => {}, user: unknown = 'ann') {
  const bell = { ring: endpoint('POST /ring', { auth: people, response: noContent, idempotent: 'required' }) }
  const reports: unknown[] = []
  const server = serve(
    bell,
    { ring: async (_, request) => void (await ring(request)) },
    { auth: [authenticate(people, () => user as { readonly name: string })], idempotency, onError: (error) => void reports.push(error) },
  )
  const send = (key = '"a"', signal: AbortSignal | null = null) =>
    server.fetch(
      new Request('http://test.invalid/ring', { method: 'POST', headers: { 'Idempotency-Key': key, Authorization: as('ann') }, signal }),
    )
  return { send, reports, statusOf: async (key?: string) => (await send(key)).status }
}

test('a handler that never ends has its key until the lease ends', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let runs = 0
  const { statusOf } = openBell({ lease: 5_000 }, () => {
    runs += 1
    return runs === 1 ? new Promise(() => {}) : undefined
  })
  const never = statusOf()
  vi.setSystemTime(Date.now() + 4_999)
  expect(await statusOf()).toBe(409)
  vi.setSystemTime(Date.now() + 1)
  expect(await statusOf()).toBe(204)
  expect(await statusOf()).toBe(204)
  expect(runs).toBe(2)
  expect(await Promise.race([never, 'never'])).toBe('never')
})

test('a handler that stops because its client has left has no response to keep', async () => {
  const leaving = new AbortController()
  let runs = 0
  const { send, statusOf, reports } = openBell({}, ({ signal }) => {
    runs += 1
    leaving.abort()
    signal.throwIfAborted()
  })
  expect((await send('"a"', leaving.signal)).status).toBe(500)
  expect([await statusOf(), runs, reports]).toEqual([204, 2, []])
})

test('without its store, no handler runs', async () => {
  let runs = 0
  const failure = new Error('The database is away.')
  const store = { ...memoryIdempotencyStore(), begin: () => Promise.reject(failure) }
  const { statusOf, reports } = openBell({ store }, () => {
    runs += 1
  })
  expect([await statusOf(), runs, reports]).toEqual([500, 0, [failure]])
})

test.each(['complete', 'release'] as const)('a response is sent even if the store fails behind the handler: %s', async (step) => {
  const failure = new Error('The database is away.')
  const store = { ...memoryIdempotencyStore(), [step]: () => Promise.reject(failure) }
  const { statusOf, reports } = openBell({ store }, () => {
    if (step === 'release') throw errors.tooManyRequests()
  })
  expect([await statusOf(), reports]).toEqual([step === 'complete' ? 204 : 429, [failure]])
})

class Account {
  readonly id = 7
}
test.each<[what: string, user: unknown]>([
  ['an instance of a class', new Account()],
  ['a Map', new Map([['id', 1]])],
  ['a Date in it', { since: new Date(0) }],
  ['a function in it', { id: 1, save: () => {} }],
  ['a bigint', 7n],
])('a user that JSON does not tell from others is an error of the program: %s', async (_what, user) => {
  const { statusOf, reports } = openBell({}, undefined, user)
  expect([await statusOf(), reports]).toEqual([
    500,
    [expect.objectContaining({ message: expect.stringMatching(/^POST \/ring is "idempotent", but its user is not plain JSON/) })],
  ])
})

test.each<[what: string, identity: unknown]>([
  ['undefined', undefined],
  ['null', null],
  ['an empty text', ''],
  ['NaN', Number.NaN],
  ['undefined in it', { tenant: 1, id: undefined }],
  ['NaN in it', [1, Number.NaN]],
  ['nothing in it', {}],
  ['true', true],
])('an identity that all users could have is an error of the program: %s', async (_what, identity) => {
  const { statusOf, reports } = openBell({ identify: () => identity })
  expect([await statusOf(), reports]).toEqual([
    500,
    [expect.objectContaining({ message: expect.stringMatching(/^POST \/ring is "idempotent", but "identify" returned .+Return an id/) })],
  ])
})

test.each<[what: string, user: unknown]>([
  ['without members', {}],
  ['whose only member is undefined', { id: undefined }],
  ['that is NaN', Number.NaN],
  ['that is true, as of a check that says yes or no', true],
  ['of truth values', { isKnown: true, roles: [false] }],
])('a user %s is not told from others', async (_what, user) => {
  const { statusOf, reports } = openBell({}, undefined, user)
  expect([await statusOf(), reports]).toEqual([
    500,
    [expect.objectContaining({ message: expect.stringMatching(/^POST \/ring is "idempotent"/) })],
  ])
})

test('a user with a member that is undefined is told from others by the rest', async () => {
  expect(await openBell({}, undefined, { id: 7, nickname: undefined }).statusOf()).toBe(204)
})

test('a request without credentials has no user to identify', async () => {
  const bell = { ring: endpoint('POST /ring', { auth: optional(people), response: noContent, idempotent: 'required' }) }
  const auth = [authenticate(people, () => ({ name: 'ann' }))]
  const server = serve(bell, { ring: () => {} }, { auth, idempotency: { identify: (user: { readonly name: string }) => user.name } })
  const request = new Request('http://test.invalid/ring', { method: 'POST', headers: { 'Idempotency-Key': 'a' } })
  expect((await server.fetch(request)).status).toBe(204)
})

describe('the same key gets 422', () => {
  let runs = 0
  const bell = { ring: endpoint('POST /ring', { response: ok(text), idempotent: 'required' }) }
  const open = (): ApiServer =>
    serve(bell, {
      ring: () => {
        runs += 1
        return `${runs}`
      },
    })
  const init = { method: 'POST', headers: { 'Idempotency-Key': 'a' } }
  const expectDistinct = async (send: (path: string) => Promise<Response>): Promise<void> => {
    const before = runs
    const statuses: number[] = []
    for (const path of ['one', 'two', 'one', 'two']) {
      const response = await send(path)
      await response.text()
      statuses.push(response.status)
    }
    expect([statuses, runs - before]).toEqual([[200, 422, 200, 422], 1])
  }

  test('at another host', async () => {
    const { fetch } = open()
    // The port does not count: behind another one is often another process of the same server.
    await expectDistinct((host) =>
      fetch(new Request('http://a/ring', { ...init, headers: { ...init.headers, Host: `${host}:${80 + runs}` } })),
    )
  })

  test.each<[what: string, handler: HttpHandler]>([
    ['at another mount', open()],
    ['at another mount, as a web-standard server', fromFetch(open().fetch)],
  ])('%s', async (_what, handler) => {
    const { fetch } = serve({ one: mount('/one'), two: mount('/two') }, { one: handler, two: handler })
    await expectDistinct((path) => fetch(new Request(`http://a/${path}/ring`, init)))
  })

  test('at another place of Express, which takes the prefix off', async () => {
    const listener = toNodeListener(open())
    const running = createServer((incoming, outgoing) => {
      const { url = '' } = incoming
      listener(Object.assign(incoming, { url: url.replace(/^\/\w+/, ''), originalUrl: url }), outgoing)
    })
    running.listen(0, '127.0.0.1')
    await once(running, 'listening')
    onTestFinished(() => void running.close())
    const { port } = running.address() as AddressInfo
    await expectDistinct((path) => fetch(`http://127.0.0.1:${port}/${path}/ring`, init))
  })
})

test('users of two schemes never share a key, although they look the same', async () => {
  const [session, token] = [basic<{ readonly id: number }>('session'), bearer<{ readonly id: number }>('token')]
  const bell = { ring: endpoint('POST /ring', { auth: either(session, token), response: ok(text), idempotent: 'required' }) }
  let runs = 0
  const server = serve(
    bell,
    {
      ring: () => {
        runs += 1
        return `${runs}`
      },
    },
    { auth: [authenticate(session, () => ({ id: 1 })), authenticate(token, () => ({ id: 1 }))] },
  )
  const ring = async (Authorization: string) =>
    (
      await server.fetch(new Request('http://test.invalid/ring', { method: 'POST', headers: { 'Idempotency-Key': 'a', Authorization } }))
    ).text()
  expect([await ring(as('ann')), await ring('Bearer x'), await ring(as('ann')), await ring('Bearer x')]).toEqual(['1', '2', '1', '2'])
})

test('identify says what a user is', async () => {
  let visits = 0
  let runs = 0
  const count = (): void => {
    runs += 1
  }
  const user = {
    id: 7,
    get visit() {
      visits += 1
      return visits
    },
  }
  const changing = openBell({}, count, user)
  await changing.send()
  await changing.send()
  expect(runs).toBe(2)
  const identified = openBell({ identify: ({ id }: typeof user) => id }, count, user)
  await identified.send()
  await identified.send()
  expect(runs).toBe(3)
})

test('a provider runs around the handler, and not around a response that is sent again', async () => {
  const events: string[] = []
  const bell = { ring: endpoint('POST /ring', { response: noContent, idempotent: 'required' }) }
  const handlers = provide(
    bell,
    async (_, next: Next) => {
      events.push('begin')
      const result = await next({})
      events.push('commit')
      return result
    },
    { ring: () => void events.push('ring') },
  )
  const server = serve(bell, handlers)
  for (let count = 0; count < 3; count += 1)
    expect(
      (await server.fetch(new Request('http://test.invalid/ring', { method: 'POST', headers: { 'Idempotency-Key': 'a' } }))).status,
    ).toBe(204)
  expect(events).toEqual(['begin', 'ring', 'commit'])
})

test('a change on condition is one as well; without its condition it claims no key', async () => {
  let value = 'old'
  const note = {
    read: endpoint('GET /note', { response: ok(text), etag: true }),
    add: endpoint('PATCH /note', { body: text, response: noContent, etag: 'required', idempotent: 'required' }),
  }
  const server = serve(note, {
    read: () => value,
    add: ({ body, precondition }) => {
      precondition(value)
      value += body
    },
  })
  const { ETag } = (await client(note, 'http://test.invalid', { fetch: server.fetch }).read()).headers
  const patch = async (headers: Readonly<Record<string, string>>) =>
    (
      await server.fetch(
        new Request('http://test.invalid/note', {
          method: 'PATCH',
          body: '!',
          headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': 'a', ...headers },
        }),
      )
    ).status
  expect([await patch({}), await patch({ 'If-Match': ETag }), await patch({ 'If-Match': ETag }), value]).toEqual([428, 204, 204, 'old!'])
})

test('a response of bytes comes again as it was', async () => {
  const photo = { photo: endpoint('POST /photo', { response: ok(bytes), idempotent: 'required' }) }
  const server = serve(photo, { photo: () => Uint8Array.from({ length: 256 }, (_, index) => index) })
  const { photo: call } = client(photo, 'http://test.invalid', { fetch: server.fetch })
  const [first, again] = [await call({}, { idempotencyKey: 'a' }), await call({}, { idempotencyKey: 'a' })]
  expect(again).toEqual(first)
  expect(again).toEqual(Uint8Array.from({ length: 256 }, (_, index) => index))
})

test('bytes of any number are kept and come again for what they cost', async () => {
  const photo = { photo: endpoint('POST /photo', { response: ok(bytes), idempotent: 'required' }) }
  for (const length of [0, 1, 2, 3, 4, 3_000_001]) {
    const body = new Uint8Array(length).map((_, index) => index * 7)
    const server = serve(photo, { photo: () => body })
    const { photo: call } = client(photo, 'http://test.invalid', { fetch: server.fetch })
    const start = process.cpuUsage()
    const [first, again] = [await call({}, { idempotencyKey: 'a' }), await call({}, { idempotencyKey: 'a' })]
    const { user, system } = process.cpuUsage(start)
    expect(Buffer.compare(again, body) + Buffer.compare(first, body)).toBe(0)
    // An array with an element for each byte, or btoa, takes a second.
    expect((user + system) / 1_000).toBeLessThan(500)
  }
})

test('a response that is too large to be kept is sent, and the same request again is refused and runs nothing', async () => {
  const notes = { note: endpoint('POST /note', { body: text, response: ok(text), idempotent: 'required' }) }
  const reports: string[] = []
  let runs = 0
  const server = serve(
    notes,
    {
      note: ({ body }) => {
        runs += 1
        return body
      },
    },
    { idempotency: { maxResponseSize: 4 }, onError: (error) => void reports.push(String(error)) },
  )
  const { note: call } = client(notes, 'http://test.invalid', { fetch: server.fetch })
  for (const body of ['four', 'fives'])
    for (let turn = 0; turn < 2; turn += 1) {
      const response = call({ body }, { idempotencyKey: body })
      if (turn === 0 || body === 'four') expect(await response).toBe(body)
      else await expect(response).rejects.toMatchObject({ status: 422 })
    }
  expect(runs).toBe(2)
  expect(reports).toEqual([expect.stringContaining('POST /note is "idempotent", but its response has 5 bytes, and at most 4 can be kept.')])
  expect(() => serve(notes, { note: () => '' }, { idempotency: { maxResponseSize: -1 } })).toThrow('maxResponseSize is -1')
})

test('an endpoint whose headers are one schema takes a key, too', async () => {
  const headers = z.object({ 'X-Note': z.string() })
  const bell = { ring: endpoint('POST /ring', { headers, response: ok(text), idempotent: 'required' }) }
  let runs = 0
  const server = serve(bell, {
    ring: (input) => {
      runs += 1
      return input.headers['X-Note']
    },
  })
  const { ring } = client(bell, 'http://test.invalid', { fetch: server.fetch })
  for (let count = 0; count < 2; count += 1) expect(await ring({ headers: { 'X-Note': 'low' } }, { idempotencyKey: 'a' })).toBe('low')
  expect(runs).toBe(1)
})

test('a mock is idempotent, too', async () => {
  const Stone = z.object({ name: z.string() })
  const stones = {
    list: endpoint('GET /stones', { response: ok(list(Stone)) }),
    add: endpoint('POST /stones', { body: Stone, response: created, idempotent: 'required' }),
  }
  const call = client(stones, 'http://test.invalid', { fetch: mock(stones, { seed: 1 }).fetch })
  const add = (name: string, idempotencyKey: string) => call.add({ body: { name } }, { idempotencyKey })
  expect(await add('opal', 'a')).toEqual(await add('opal', 'a'))
  await expect(add('ruby', 'a')).rejects.toMatchObject({ status: 422 })
})

test('an endpoint without the word ignores the header', async () => {
  let runs = 0
  const server = serve(
    { ring: endpoint('POST /ring', { response: noContent }) },
    {
      ring: () => {
        runs += 1
      },
    },
  )
  for (const key of ['a', 'a', ''])
    await server.fetch(new Request('http://test.invalid/ring', { method: 'POST', headers: { 'Idempotency-Key': key } }))
  expect(runs).toBe(3)
})

test.each([
  ['a token', 'a-1', 'a-1'],
  ['a text in quotation marks', '"a 1"', 'a 1'],
  ['a quotation mark and a backslash within it', String.raw`"a\"b\\c"`, String.raw`a"b\c`],
])('a key is read without what a field adds: %s', (_what, field, key) => {
  const [pay] = operations({ pay: api.pay }).map(({ operation }) => operation as AnyEndpoint)
  const codec = pay?.headers['Idempotency-Key']
  expect(codec?.read({ values: [field], isPresent: true })).toBe(key)
  expect(codec?.read({ values: codec.write(key), isPresent: true })).toBe(key)
})

describe('a description or an option that contradicts itself is a TypeError', () => {
  const start =
    (line: RouteLine, definition: object, options: object = {}) =>
    () => {
      // As plain JavaScript writes it.
      const one = endpoint(line, { response: noContent, ...definition } as { readonly response: typeof noContent })
      return serve({ one }, { one: () => {} }, options)
    }
  const idempotent = 'required'
  const wrong = ' has a wrong "idempotent". Write "required" or "optional" on POST or PATCH; GET, PUT and DELETE are idempotent without it.'
  const stream =
    'POST /a is "idempotent", but has a stream or a form with files, which cannot be kept and compared. Remove "idempotent", or declare bodies that are read whole.'
  const lines = ndjson(Payment)

  test.each<[what: string, begin: () => unknown, message: string]>([
    ...(['GET', 'PUT', 'DELETE'] as const).map((method): [string, () => unknown, string] => [
      `on ${method}`,
      start(`${method} /a`, { idempotent }),
      `${method} /a${wrong}`,
    ]),
    ...[true, 'always', null].map((value): [string, () => unknown, string] => [
      `the value ${value}`,
      start('POST /a', { idempotent: value }),
      `POST /a${wrong}`,
    ]),
    ['a stream', start('POST /a', { response: ok(lines), idempotent }), stream],
    ['a stream among several responses', start('POST /a', { response: [noContent, ok(lines)], idempotent }), stream],
    ['a stream as the body of a request', start('POST /a', { body: lines, idempotent }), stream],
    ['a form with files', start('POST /a', { body: multipart({ photo: file() }), idempotent }), stream],
    ['a stream as an error', start('POST /a', { errors: [reply(409, lines)], idempotent }), stream],
    [
      'the header declared as well',
      start('POST /a', { headers: { 'idempotency-key': text }, idempotent }),
      'POST /a declares the header "idempotency-key", which the toolkit sets itself. Remove it.',
    ],
    ...[0, -1, Number.NaN].map((lease): [string, () => unknown, string] => [
      `a lease of ${lease}`,
      start('POST /a', { idempotent }, { idempotency: { lease } }),
      `serve(): idempotency.lease is ${lease}, expected a finite number above 0. Write one, or remove the option.`,
    ]),
    [
      'an unknown option',
      start('POST /a', { idempotent }, { idempotency: { ttl: 1 } }),
      'serve(): idempotency has the unknown option "ttl". Use one of store, lease, maxResponseSize, identify.',
    ],
  ])('%s', (_what, begin, message) => {
    expect(begin).toThrow(new TypeError(message))
  })
})
