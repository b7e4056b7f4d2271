/** `rateLimit`: who is limited by what, what the responses say, and what happens if the store fails. */
import { request as sendRequest } from 'node:http'
import {
  type Api,
  basic,
  bearer,
  either,
  endpoint,
  errors,
  group,
  healthEndpoints,
  mount,
  noContent,
  ok,
  optional,
  prefix,
  type RateLimitPolicy,
  text,
} from 'lapidary'
import { compose, cors, memoryRateLimitStore, type RateLimitStore, rateLimit, trustProxy } from 'lapidary/middleware'
import { authenticate, type HttpHandler, healthHandlers, type ServeOptions, serve } from 'lapidary/server'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createRequest } from '../support/httpRequest.ts'
import { listen } from '../support/matrix/adapters.ts'

afterEach(() => void vi.useRealTimers())

interface ReceivedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** Calls a handler as a client at an address does. */
async function call(
  handler: HttpHandler,
  target: string,
  { address = '192.0.2.1', method = 'GET', headers = {} } = {},
): Promise<ReceivedResponse> {
  const request = createRequest(target, headers, method)
  request.remoteAddress = address
  const response = await handler(request)
  const lines: Record<string, string> = {}
  for (let index = 0; index < response.headers.length; index += 2) {
    const name = (response.headers[index] as string).toLowerCase()
    lines[name] = [lines[name], response.headers[index + 1]].filter(Boolean).join(', ')
  }
  return { status: response.status, headers: lines, body: response.body }
}

const statuses = async (handler: HttpHandler, targets: readonly string[], options = {}): Promise<readonly number[]> => {
  const all: number[] = []
  for (const target of targets) all.push((await call(handler, target, options)).status)
  return all
}

const hello = endpoint('GET /hello', { response: ok(text) })
const limit: RateLimitPolicy = { name: 'default', quota: 2, window: 60 }

/** A server whose only endpoint has these policies. */
const limited = (policies: RateLimitPolicy | readonly RateLimitPolicy[], options = {}, serveOptions: ServeOptions = {}) =>
  serve(
    { hello: endpoint('GET /hello', { response: ok(text), rateLimit: policies }) },
    { hello: () => 'Hello' },
    {
      middleware: [rateLimit(options)],
      ...serveOptions,
    },
  )

describe('responses', () => {
  test('say what is left; the one that is too many is a problem of the draft, with Retry-After', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const server = limited(limit)
    const first = await call(server, '/hello')
    expect(first).toMatchObject({ status: 200, headers: { ratelimit: '"default";r=1;t=70', 'ratelimit-policy': '"default";q=2;w=60' } })
    await call(server, '/hello')
    vi.advanceTimersByTime(11_000)
    const { status, headers, body } = await call(server, '/hello')
    expect(status).toBe(429)
    expect(headers).toEqual({
      'content-type': 'application/problem+json',
      'x-content-type-options': 'nosniff',
      ratelimit: '"default";r=0;t=59',
      'ratelimit-policy': '"default";q=2;w=60',
      'retry-after': '59',
    })
    expect(JSON.parse(String(body))).toEqual({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      title: 'Request cannot be satisfied as assigned quota has been exceeded',
      status: 429,
      detail: 'More than 2 requests in 60 seconds. Try again in 59 seconds.',
      'violated-policies': ['default'],
    })
    vi.advanceTimersByTime(59_000)
    expect((await call(server, '/hello')).status).toBe(200)
  })

  test('have the constant headers and the Vary of their endpoint, and the format of the server', async () => {
    const api = {
      hello: endpoint('GET /hello', {
        response: ok(text),
        headers: { 'X-Name': optional(text) },
        responseHeaders: { 'X-Shelf': 'a' },
        rateLimit: { ...limit, quota: 1 },
      }),
    }
    const format = (problem: object) => ({ type: 'text/x-problem', body: Object.keys(problem).join(' ') })
    const server = serve(api, { hello: () => 'Hello' }, { middleware: [rateLimit()], format })
    await call(server, '/hello')
    expect(await call(server, '/hello')).toMatchObject({
      status: 429,
      headers: { 'x-shelf': 'a', vary: 'X-Name', 'content-type': 'text/x-problem' },
      body: 'type title status violated-policies detail',
    })
  })

  test('a refused request takes nothing, and of several policies the one that is used up is named', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const server = limited([
      { name: 'daily', quota: 3, window: 86_400 },
      { name: 'burst', quota: 2, window: 1 },
    ])
    const { headers } = await call(server, '/hello')
    expect(headers['ratelimit-policy']).toBe('"daily";q=3;w=86400, "burst";q=2;w=1')
    expect(headers['ratelimit']).toBe('"burst";r=1;t=2, "daily";r=2;t=100800')
    await call(server, '/hello')
    for (let count = 0; count < 5; count += 1)
      expect(JSON.parse(String((await call(server, '/hello')).body))).toMatchObject({ 'violated-policies': ['burst'] })
    vi.advanceTimersByTime(2_000)
    expect((await call(server, '/hello')).status).toBe(200)
    expect(JSON.parse(String((await call(server, '/hello')).body))).toMatchObject({ 'violated-policies': ['daily'] })
  })

  test('name their quota by pk, if wanted', async () => {
    const server = limited(limit, { partitionKey: true })
    const [ann, ben] = [await call(server, '/hello'), await call(server, '/hello', { address: '192.0.2.2' })]
    expect(ann.headers['ratelimit']).toMatch(/^"default";r=1;t=70;pk=:[\w+/]{12}:$/)
    expect(ben.headers['ratelimit']).not.toBe(ann.headers['ratelimit'])
  })

  test('over a socket, a page of another origin can read all of it', async () => {
    const origins = ['https://app.example']
    const server = limited({ ...limit, quota: 1 }, {}, { middleware: [cors({ origins }), rateLimit()] })
    const { url, close } = await listen(server)
    onTestFinished(() => close({ drain: 0, grace: 0 }))
    const get = () => fetch(`${url}/hello`, { headers: { Origin: 'https://app.example' } })
    expect((await get()).status).toBe(200)
    const refused = await get()
    expect(refused.status).toBe(429)
    expect(refused.headers.get('access-control-allow-origin')).toBe('https://app.example')
    const exposed = refused.headers.get('access-control-expose-headers')?.split(', ')
    expect(exposed).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']))
    await refused.text()
  })
})

describe('addresses', () => {
  test.each([
    ['two IPv4 addresses', '192.0.2.1', '192.0.2.2', false],
    ['an IPv4 address, and the same by IPv6', '::ffff:192.0.2.1', '::ffff:c000:201', true],
    ['two IPv6 addresses of one network of 64 bits', '2001:db8::1', '2001:db8:0:0:ffff:ffff:ffff:ffff', true],
    ['two networks of IPv6', '2001:db8::1', '2001:db8:0:1::1', false],
    ['what is no address', 'pipe:[1]', 'pipe:[1]', true],
    ['adapters that know none', '', '', true],
  ])('%s', async (_case, one, other, areSame) => {
    const server = limited({ ...limit, quota: 1 })
    await call(server, '/hello', { address: one })
    expect((await call(server, '/hello', { address: other })).status).toBe(areSame ? 429 : 200)
  })

  test('of a header that a client writes itself do not count', async () => {
    const server = limited({ ...limit, quota: 1 }, {}, { middleware: [trustProxy(['10.0.0.0/8']), rateLimit()] })
    const get = (address: string, forwarded: string) => call(server, '/hello', { address, headers: { 'x-forwarded-for': forwarded } })
    expect((await get('192.0.2.1', '198.51.100.1')).status).toBe(200)
    expect((await get('192.0.2.1', '198.51.100.2')).status).toBe(429)
    expect((await get('10.0.0.1', '198.51.100.3, 192.0.2.1')).status).toBe(429)
    expect((await get('10.0.0.1', '192.0.2.1, 192.0.2.9')).status).toBe(200)
  })

  test('are those of sockets', async () => {
    const { port, close } = await listen(limited({ ...limit, quota: 1 }))
    onTestFinished(() => close({ drain: 0, grace: 0 }))
    const get = (localAddress: string): Promise<number | undefined> =>
      new Promise((resolve, reject) => {
        const sent = sendRequest({ host: '127.0.0.1', port, path: '/hello', localAddress, agent: false }, (response) => {
          response.resume()
          resolve(response.statusCode)
        })
        sent.once('error', reject).end()
      })
    expect([await get('127.0.0.1'), await get('127.0.0.1'), await get('127.0.0.2')]).toEqual([200, 429, 200])
  })
})

describe('keys and costs', () => {
  test('each key has a quota; a request without one does not count', async () => {
    const server = limited({ ...limit, quota: 1, by: (request) => request.header('x-key') })
    const get = async (key?: string) => (await call(server, '/hello', { headers: key === undefined ? {} : { 'x-key': key } })).status
    expect([await get('a'), await get('a'), await get('b'), await get(), await get()]).toEqual([200, 429, 200, 200, 200])
  })

  test.each([
    ['an empty text', ''],
    ['the name of a member of each object', '__proto__'],
    ['control characters', '\n\u0000\u007f'],
    ['half a character', '\ud800'],
    ['a very long text', 'a'.repeat(100_000)],
  ])('a key may be %s', async (_case, key) => {
    const takes: string[] = []
    const memory = memoryRateLimitStore()
    const store: RateLimitStore = {
      take: (use) => {
        takes.push(use.key)
        return memory.take(use)
      },
    }
    const server = limited({ ...limit, quota: 1, by: () => key }, { store })
    expect(await statuses(server, ['/hello', '/hello'])).toEqual([200, 429])
    expect((takes[0] as string).length).toBeLessThanOrEqual(200)
  })

  test('meta says what a request costs; one that costs nothing is not limited, and one that costs too much takes all', async () => {
    const policy: RateLimitPolicy = { name: 'default', quota: 5, window: 60, cost: (_request, meta) => Object(meta).cost ?? 1 }
    const api = group(
      { rateLimit: policy },
      {
        health: endpoint('GET /health', { response: noContent, meta: { cost: 0 } }),
        search: endpoint('GET /search', { response: noContent, meta: { cost: 3 } }),
        dump: endpoint('GET /dump', { response: noContent, meta: { cost: 99 } }),
      },
    )
    const nothing = () => {}
    const create = () => serve(api, { health: nothing, search: nothing, dump: nothing }, { middleware: [rateLimit()] })
    expect(await statuses(create(), ['/search', '/search', '/health', '/nothing', '/nothing', '/nothing'])).toEqual([
      204, 429, 204, 404, 404, 429,
    ])
    expect(await statuses(create(), ['/dump', '/search', '/health'])).toEqual([204, 429, 204])
    expect((await call(create(), '/health')).headers['ratelimit']).toBe(undefined)
  })

  test.each<[string, Partial<RateLimitPolicy>, string]>([
    ['a cost of half a request', { cost: () => 0.5 }, 'the function "cost" of "default" returned 0.5'],
    ['a cost below 0', { cost: () => -1 }, 'returned -1'],
    ['a key that is no text', { by: () => 7 as never }, 'the function "by" of "default" returned a number'],
    ['a promise of a key', { by: (async () => 'a') as never }, 'The function "by" of the rate limit "default"'],
  ])('%s is a mistake of the program', async (_case, part, message) => {
    await expect(async () => call(limited({ ...limit, ...part }), '/hello')).rejects.toThrow(message)
  })
})

describe('users', () => {
  const people = bearer<{ readonly id: string }>('people')
  const staff = basic<string>('staff')
  const perUser: RateLimitPolicy = { name: 'user', quota: 2, window: 60, by: people }
  const perAddress: RateLimitPolicy = { name: 'address', quota: 4, window: 60 }
  const api = group(
    { rateLimit: perAddress },
    {
      mine: group({ auth: people, rateLimit: perUser }, { read: endpoint('GET /mine', { response: ok(text) }) }),
      open: endpoint('GET /open', { response: ok(text), auth: optional(people), rateLimit: perUser }),
      either: endpoint('GET /either', { response: ok(text), auth: either(people, staff), rateLimit: perUser }),
    },
  )
  let verified = 0
  const auth = [
    authenticate(people, async (token) => {
      verified += 1
      return token === 'wrong' ? undefined : { id: token.slice(0, 3) }
    }),
    authenticate(staff, ({ username }) => username),
  ]
  const create = (options: ServeOptions = {}, limits = {}) =>
    serve(api, { mine: { read: () => 'a' }, open: () => 'b', either: () => 'c' }, { auth, middleware: [rateLimit(limits)], ...options })
  const as = (authorization: string, address = '192.0.2.1') => ({ address, headers: { authorization } })

  test('have a quota of their own, whatever their address and their token are', async () => {
    const server = create()
    expect((await call(server, '/mine', as('Bearer ann1', '192.0.2.1'))).headers['ratelimit']).toBe('"address";r=3;t=70, "user";r=1;t=70')
    expect((await call(server, '/mine', as('Bearer ann2', '192.0.2.2'))).status).toBe(200)
    const refused = await call(server, '/mine', as('Bearer ann3', '192.0.2.3'))
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '70', ratelimit: '"address";r=3;t=70, "user";r=0;t=70' } })
    expect(refused.headers['ratelimit-policy']).toBe('"address";q=4;w=60, "user";q=2;w=60')
    expect(JSON.parse(String(refused.body))).toMatchObject({ 'violated-policies': ['user'] })
    expect((await call(server, '/mine', as('Bearer ben1', '192.0.2.3'))).status).toBe(200)
  })

  test('wrong credentials are limited by the address, before they are verified', async () => {
    const server = create()
    const all = []
    for (let count = 0; count < 6; count += 1) all.push((await call(server, '/mine', as('Bearer wrong'))).status)
    expect(all).toEqual([401, 401, 401, 401, 429, 429])
    const before = verified
    await call(server, '/mine', as('Bearer ann1'))
    expect(verified).toBe(before)
  })

  test('a request without a user, and one of another scheme, has the limit of the address alone', async () => {
    const server = create()
    expect((await call(server, '/open')).headers['ratelimit']).toBe('"address";r=3;t=70')
    expect((await call(server, '/either', as(`Basic ${btoa('ann:secret')}`))).headers['ratelimit']).toBe('"address";r=2;t=70')
    expect((await call(server, '/open', as('Bearer ann1'))).headers['ratelimit']).toContain('"user";r=1')
  })

  test('are told apart by their id, or by what the application says', async () => {
    const names = bearer<{ readonly name: string }>('names')
    const named = { one: endpoint('GET /one', { response: ok(text), auth: names, rateLimit: { ...perUser, quota: 1, by: names } }) }
    const start = (limits = {}) =>
      serve(
        named,
        { one: () => 'a' },
        {
          auth: [authenticate(names, (name) => ({ name }))],
          middleware: [rateLimit(limits)],
          onError: (error) => void failures.push(String(error)),
        },
      )
    const failures: string[] = []
    expect((await call(start(), '/one', as('Bearer ann'))).status).toBe(500)
    expect(failures[0]).toContain('cannot tell the users of "names" apart')
    const server = start({ identify: ({ name }: { readonly name: string }) => name })
    expect(
      [await call(server, '/one', as('Bearer ann')), await call(server, '/one', as('Bearer ann'))].map(({ status }) => status),
    ).toEqual([200, 429])
    expect((await call(server, '/one', as('Bearer ben'))).status).toBe(200)
  })

  test('wrong credentials that count as none have no user', async () => {
    const some = { open: endpoint('GET /open', { response: ok(text), auth: optional(people, { invalid: 'ignore' }), rateLimit: perUser }) }
    const server = serve(some, { open: ({ user }) => user?.id ?? 'nobody' }, { auth, middleware: [rateLimit()] })
    expect(await call(server, '/open', as('Bearer wrong'))).toMatchObject({ status: 200, body: 'nobody' })
    expect((await call(server, '/open', as('Bearer ann1'))).headers['ratelimit']).toBe('"user";r=1;t=70')
  })

  test('a slow store delays, and does not let through', async () => {
    const memory = memoryRateLimitStore()
    const store: RateLimitStore = { take: async (use) => memory.take(use) }
    const server = create({}, { store })
    const all = []
    for (let count = 0; count < 4; count += 1) all.push((await call(server, '/mine', as('Bearer ann1', `192.0.2.${count}`))).status)
    expect(all).toEqual([200, 200, 429, 429])
  })
})

describe('paths', () => {
  const policy: RateLimitPolicy = { name: 'all', quota: 3, window: 60 }
  const raw: HttpHandler = () => ({ status: 204, headers: [], body: null })

  test('what all operations have, unknown paths and methods have as well', async () => {
    const api = group({ rateLimit: policy }, { hello, files: mount('/files') })
    const server = serve(api, { hello: () => 'a', files: raw }, { middleware: [rateLimit()] })
    expect(await statuses(server, ['/unknown', '/files/a', '/hello', '/unknown'])).toEqual([404, 204, 200, 429])
    expect((await call(server, '/hello', { method: 'PUT' })).status).toBe(429)
    expect((await call(server, '/files/a')).headers).toMatchObject({ 'ratelimit-policy': '"all";q=3;w=60', 'retry-after': '70' })
    expect((await call(server, '/hello', { method: 'HEAD' })).status).toBe(429)
  })

  test('a path without a policy is not limited', async () => {
    const api = { limited: group({ rateLimit: policy }, { hello }), files: mount('/files') }
    const server = serve(api, { limited: { hello: () => 'a' }, files: raw }, { middleware: [rateLimit()] })
    expect(await statuses(server, ['/unknown', '/unknown', '/files/a', '/files/a'])).toEqual([404, 404, 204, 204])
    expect((await call(server, '/files/a')).headers).toEqual({})
  })

  test('users of a server below a mount have their quotas', async () => {
    const people = bearer<string>('people')
    const byUser: RateLimitPolicy = { name: 'users', quota: 2, window: 60, by: people }
    const api = { hello, mine: endpoint('GET /mine', { auth: people, rateLimit: byUser, response: ok(text) }) }
    const mounted = serve(
      api,
      { hello: () => 'a', mine: () => 'b' },
      { auth: [authenticate(people, (user) => user)], middleware: [rateLimit()] },
    )
    const server = serve({ mounted: mount('/api') }, { mounted })
    const headers = { authorization: 'Bearer ann' }
    expect(await statuses(server, ['/api/mine', '/api/mine', '/api/mine', '/api/hello'], { headers })).toEqual([200, 200, 429, 200])
  })

  test('a handler without a description has the policies of the options', async () => {
    const handler = compose([rateLimit({ policies: policy })], raw)
    expect(await statuses(handler, ['/a', '/b', '/c', '/d'])).toEqual([204, 204, 204, 429])
    expect((await call(handler, '/a', { address: '192.0.2.9' })).headers).toEqual({
      ratelimit: '"all";r=2;t=70',
      'ratelimit-policy': '"all";q=3;w=60',
    })
  })

  test('the policies of the options do not concern health checks', async () => {
    const api = { hello, health: prefix('/health', healthEndpoints()) }
    const server = serve(api, { hello: () => 'a', health: healthHandlers() }, { middleware: [rateLimit({ policies: policy })] })
    expect(
      await statuses(
        server,
        Array.from({ length: 5 }, () => '/health/live'),
      ),
    ).toEqual([200, 200, 200, 200, 200])
    expect((await call(server, '/health/live')).headers).not.toHaveProperty('ratelimit')
    expect(await statuses(server, ['/hello', '/hello', '/hello', '/hello'])).toEqual([200, 200, 200, 429])
  })

  test('the policies of the options come beside those of the description', async () => {
    const server = limited(limit, { policies: policy })
    expect((await call(server, '/hello')).headers).toMatchObject({
      ratelimit: '"default";r=1;t=70, "all";r=2;t=70',
      'ratelimit-policy': '"default";q=2;w=60, "all";q=3;w=60',
    })
    expect((await call(server, '/unknown')).headers).toMatchObject({ 'ratelimit-policy': '"default";q=2;w=60, "all";q=3;w=60' })
  })

  test('endpoints with one policy share its quota', async () => {
    const api = {
      one: endpoint('GET /one', { response: noContent, rateLimit: policy }),
      two: endpoint('GET /two', { response: noContent, rateLimit: policy }),
    }
    const server = serve(api, { one: () => {}, two: () => {} }, { middleware: [rateLimit()] })
    expect(await statuses(server, ['/one', '/two', '/one', '/two'])).toEqual([204, 204, 204, 429])
  })
})

describe('a store that fails', () => {
  const failure = new Error('no database')
  const failing: RateLimitStore = { take: () => Promise.reject(failure) }
  const throwing: RateLimitStore = {
    take: () => {
      throw failure
    },
  }
  const hanging: RateLimitStore = { take: () => new Promise(() => {}) }

  test.each([
    ['rejects', failing, /no database/],
    ['throws', throwing, /no database/],
    ['hangs', hanging, /has not answered within 20 ms/],
    ['returns nothing', { take: () => undefined as never }, /store\.take returned undefined, expected a state/],
    ['resolves to no state', { take: async () => [1, 2] as never }, /store\.take returned an array, expected a state/],
  ])('that %s lets requests pass, and is reported', async (_case, store, message) => {
    const reports: unknown[] = []
    const take = vi.spyOn(store, 'take')
    const server = limited(limit, { store, storeTimeout: 20, onError: (error: unknown) => void reports.push(error) })
    expect(await statuses(server, ['/hello', '/hello', '/hello'])).toEqual([200, 200, 200])
    // The second and the third do not wait: the store is left alone for a second.
    expect(take).toHaveBeenCalledOnce()
    expect(reports).toHaveLength(3)
    expect(String(reports[0])).toMatch(message)
    expect(new Set(reports).size).toBe(1)
    expect((await call(server, '/hello')).headers).not.toHaveProperty('ratelimit')
  })

  test('is used again after a second', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    let calls = 0
    const store: RateLimitStore = {
      take: () => {
        calls += 1
        throw failure
      },
    }
    const server = limited(limit, { store, onError: () => {} })
    await statuses(server, ['/hello', '/hello'])
    expect(calls).toBe(1)
    vi.advanceTimersByTime(1_001)
    await statuses(server, ['/hello'])
    expect(calls).toBe(2)
  })

  test.each([
    ['rejects', failing],
    ['throws', throwing],
  ])('that %s refuses all, if the application wants', async (_case, store) => {
    const onError = () => {
      throw errors.serviceUnavailable()
    }
    const server = limited(limit, { store, onError })
    expect(await statuses(server, ['/hello', '/hello'])).toEqual([503, 503])
  })

  test('is printed once by default', async () => {
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => printed.mockRestore())
    await statuses(limited(limit, { store: failing }), ['/hello', '/hello', '/hello'])
    expect(printed).toHaveBeenCalledTimes(1)
  })
})

describe('mistakes are refused at the start', () => {
  const people = bearer<string>('people')
  const start = (api: Api, ...middleware: NonNullable<ServeOptions['middleware']>) =>
    serve(api, { hello: () => 'a' } as never, { middleware: [...middleware] })

  test.each<[string, () => unknown, string]>([
    ['trustProxy after it', () => start({ hello }, rateLimit(), trustProxy(['10.0.0.1'])), 'Write [trustProxy(), rateLimit()].'],
    ['cors after it', () => start({ hello }, rateLimit(), cors({ origins: '*' })), 'Write [cors(), rateLimit()].'],
    ['a user who is not there', () => limited({ ...limit, by: people }), 'by the users of an auth scheme that it does not take'],
    ['two policies of one name', () => limited([limit, { ...limit, quota: 3 }]), 'has two rate limits "default"'],
    [
      'two policies of one name, at two endpoints',
      () =>
        serve(
          {
            one: endpoint('GET /one', { response: noContent, rateLimit: limit }),
            two: endpoint('GET /two', { response: noContent, rateLimit: { ...limit } }),
          },
          { one: () => {}, two: () => {} },
          { middleware: [rateLimit()] },
        ),
      'rateLimit() has two rate limits "default"',
    ],
    ['a policy without a window', () => limited({ name: 'a', quota: 1 } as never), 'GET /hello has a wrong rate limit. Write'],
    ['a quota of 0', () => limited({ ...limit, quota: 0 }), 'GET /hello has a wrong rate limit. Write'],
    ['a quota that no header can have', () => limited({ ...limit, quota: 2 ** 52 }), 'GET /hello has a wrong rate limit. Write'],
    ['a name with a quote', () => limited({ ...limit, name: 'a"b' }), 'GET /hello has a wrong rate limit. Write'],
    ['an unknown word', () => limited({ ...limit, seconds: 1 } as never), 'GET /hello has a wrong rate limit. Write'],
    ['a wrong by', () => limited({ ...limit, by: 'user' as never }), 'GET /hello has a wrong rate limit. Write'],
    ['a wrong cost', () => limited({ ...limit, cost: 1 as never }), 'GET /hello has a wrong rate limit. Write'],
    ['no policy', () => limited('100/60' as never), 'GET /hello has a wrong rate limit. Write'],
    ['no options', () => rateLimit('100/60' as never), 'rateLimit() has a string as its options'],
    ['an unknown option', () => rateLimit({ max: 1 } as never), '"max"'],
    ['no store', () => rateLimit({ store: {} as never }), 'rateLimit(): store.take'],
    ['a storeTimeout of 0', () => rateLimit({ storeTimeout: 0 }), 'storeTimeout'],
    [
      'a header of its own',
      () => endpoint('GET /a', { response: noContent, rateLimit: limit, responseHeaders: { ratelimit: 'a' } }),
      'declares the header "ratelimit"',
    ],
    ['a group that is wrong', () => group({ rateLimit: { ...limit, window: 0.5 } }, { hello }), 'group() has a wrong rate limit'],
  ])('%s', (_case, create, message) => {
    expect(create).toThrow(message)
    expect(create).toThrow(TypeError)
  })

  test('a group adds its policies to those within, once', () => {
    const inner = group({ rateLimit: limit }, { hello })
    const api = group({ rateLimit: [limit, { name: 'burst', quota: 1, window: 1 }] }, prefix('/a', inner))
    expect(api.hello.rateLimit.map(({ name }) => name)).toEqual(['default', 'burst'])
    expect(api.hello.responseHeaders).toEqual({ 'RateLimit-Policy': '"default";q=2;w=60, "burst";q=1;w=1' })
    expect(hello.rateLimit).toEqual([])
  })
})
