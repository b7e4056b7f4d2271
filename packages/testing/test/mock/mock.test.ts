/** The mock: a server of the description alone. The typed client reads each of its responses. */

import { type MockOptions, mock } from '@lapidary/testing'
import * as fc from 'fast-check'
import {
  type AnyEndpoint,
  type Api,
  basic,
  bearer,
  created,
  endpoint,
  errors,
  events,
  HttpError,
  int,
  mount,
  noContent,
  ok,
  operations,
  optional,
  reply,
  text,
} from 'lapidary'
import { client, credentials } from 'lapidary/client'
import { listAuthSchemes } from 'lapidary/internal'
import { authenticate, type FetchHandler } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { main } from '../../../../service/src/api.ts'
import { collectItems } from '../../../lapidary/src/contract/media/itemStreams.ts'
import { api } from '../../../lapidary/test/support/everything.ts'
import { samples } from '../../../lapidary/test/support/samples.ts'
import { type Call, generateCalls } from '../../src/generate/calls.ts'
import { sampleOne } from '../../src/generate/sample.ts'

const base = 'http://mock.test'

/** An endpoint of an API, and where it stands. */
interface Place {
  readonly where: string
  readonly name: string
  readonly endpoint: AnyEndpoint
}

const placesIn = (where: string, described: Api): readonly Place[] =>
  operations(described).flatMap(({ name, operation }) => (operation['~kind'] === 'mount' ? [] : [{ where, name, endpoint: operation }]))
const apis: Readonly<Record<string, Api>> = { everything: api, service: main }
const places = Object.entries(apis).flatMap(([where, described]) => placesIn(where, described))

/** Whether a client can read what it answers. */
const isRead = ({ response: { content } }: AnyEndpoint): boolean =>
  content === undefined || content.media.some(({ reader, streamReader }) => reader !== undefined || streamReader !== undefined)

const valuesIn = (parameters: AnyEndpoint['query'], texts: Call['query']): object =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, parameter]) => {
      const given = texts[name] ?? []
      return [name, parameter.read({ values: given, isPresent: given.length > 0 })]
    }),
  )

/** A call as a program makes it. */
const inputOf = ({ params, query, headers, cookies }: AnyEndpoint, call: Call): object => ({
  params: valuesIn(params, Object.fromEntries(Object.entries(call.captures).map(([name, text]) => [name, [text]]))),
  query: valuesIn(query, call.query),
  headers: valuesIn(headers, call.headers),
  cookies: valuesIn(cookies, call.cookies),
  body: call.body?.value,
})

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** What a call answers, all of a stream; an HTTP error is an answer too. */
async function callEndpoint(fetch: FetchHandler, described: AnyEndpoint, call: Call): Promise<unknown> {
  const auth = listAuthSchemes(described.auth).map((scheme) => credentials(scheme, scheme.example))
  const calling = client({ one: described }, base, { fetch, auth })
  try {
    const value = await calling.one(inputOf(described, call) as never)
    return isStream(value) ? await collectItems(value) : value
  } catch (error) {
    if (error instanceof HttpError) return { status: error.status, body: error.body }
    throw error
  }
}

describe('every valid call gets a declared response', () => {
  const servers = new Map(Object.entries(apis).map(([where, described]) => [where, mock(described)]))

  test.each(places.filter(({ endpoint: one }) => isRead(one)))('$where: $name', async ({ where, endpoint: described }) => {
    const fetch = servers.get(where)?.fetch as FetchHandler
    const statuses = new Set([...described.responses, ...described.errors].map(({ status }) => status))
    // The form of a range says more than the pattern of its header.
    if (Object.hasOwn(described.headers, 'Range')) statuses.add(400)
    await fc.assert(
      fc.asyncProperty(generateCalls(described), async (call) => {
        const value = await callEndpoint(fetch, described, call)
        const { status } = Object(value) as { readonly status?: unknown }
        if (typeof status === 'number') expect(statuses).toContain(status)
      }),
      { numRuns: samples(20) },
    )
  })

  test.each(places.filter(({ endpoint: one }) => !isRead(one)))(
    '$where: $name, which no client can read',
    async ({ where, endpoint: one }) => {
      const response = await servers.get(where)?.fetch(new Request(base + one.route.split(' ')[1]))
      expect(response?.status).toBe(one.response.status)
    },
  )
})

describe('a seed', () => {
  const bytes = (one: Place, seed: number): Promise<unknown> => {
    const described = apis[one.where] as Api
    return callEndpoint(mock(described, { seed }).fetch, one.endpoint, sampleOne(generateCalls(one.endpoint), 1))
  }
  const read = places.filter(({ where, endpoint: one }) => where === 'everything' && isRead(one))

  test('gives the same responses each time', async () => {
    expect(read.length).toBeGreaterThan(10)
    for (const one of read) expect(await bytes(one, 7)).toEqual(await bytes(one, 7))
  })

  test('gives other responses than another seed', async () => {
    const differing = await Promise.all(
      read.map(async (one) => JSON.stringify(await bytes(one, 7)) !== JSON.stringify(await bytes(one, 8))),
    )
    expect(differing.filter(Boolean).length).toBeGreaterThan(5)
  })

  test('gives the same response to the same request, and another one to another', async () => {
    const call = client(api, base, { fetch: mock(api).fetch })
    const [first, second] = [await call.visitors({}), await call.visitors({})]
    expect(first).toEqual(second)
    const days = await Promise.all(['2024-01-01', '2024-01-02', '2024-01-03'].map((day) => call.day({ params: { day } })))
    expect(new Set(days).size).toBeGreaterThan(1)
  })
})

test('a response has the values of the captures as members', async () => {
  const call = client(api, base, { fetch: mock(api).fetch })
  expect(await call.point({ params: { x: 3, y: -4 } })).toEqual({ x: 3, y: -4 })
  expect(await call.colour({ params: { hex: 'ff8800' } })).toMatchObject({ hex: 'ff8800' })
})

test('the response is the example, if there is one', async () => {
  const call = client(api, base, { fetch: mock(api).fetch })
  expect(await call.greeting({ params: { name: 'Ben' } })).toBe('Hello, Ann!')
  expect(await call.notice.read({})).toMatchObject({ body: 'Closed on Mondays.' })
})

describe('an invalid request gets the response of any server', () => {
  const { fetch } = mock(api, { maxBodySize: 100 })
  test.each<[status: number, target: string, init?: RequestInit]>([
    [400, '/points/1/y'],
    [400, '/search'],
    [400, '/orders', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }],
    [401, '/account'],
    [404, '/nowhere'],
    [405, '/points/1/2', { method: 'DELETE' }],
    [406, '/visitors', { headers: { Accept: 'image/png' } }],
    [412, '/notice', { method: 'DELETE', headers: { 'If-Match': '"old"' } }],
    [413, '/echo/text', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'x'.repeat(101) }],
    [415, '/echo/text', { method: 'POST', headers: { 'Content-Type': 'image/png' }, body: 'x' }],
    [428, '/notice', { method: 'DELETE' }],
    [416, '/page?range=colour'],
    [404, '/raw/kernel/x'],
  ])('%i %s', async (status, target, init) => {
    const response = await fetch(new Request(base + target, init))
    expect(response.status).toBe(status)
    expect(response.headers.get('content-type')).toBe('application/problem+json')
  })

  test('HEAD and OPTIONS get responses', async () => {
    expect((await fetch(new Request(`${base}/points/1/2`, { method: 'HEAD' }))).status).toBe(200)
    expect((await fetch(new Request(`${base}/points/1/2`, { method: 'OPTIONS' }))).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  })
})

test('a DELETE that declares no 404 succeeds where nothing is', async () => {
  const Stone = z.object({ id: z.int(), name: z.string() })
  const params = { id: int }
  const described = {
    add: endpoint('POST /stones', { body: Stone.omit({ id: true }), response: created(Stone) }),
    one: endpoint('GET /stones/:id', { params, response: ok(Stone), errors: [reply(404)] }),
    remove: endpoint('DELETE /stones/:id', { params, response: noContent }),
    removeStrictly: endpoint('DELETE /strict/:id', { params, response: noContent, errors: [reply(404)] }),
    addStrictly: endpoint('POST /strict', { body: Stone.omit({ id: true }), response: created(Stone) }),
    oneStrictly: endpoint('GET /strict/:id', { params, response: ok(Stone), errors: [reply(404)] }),
    notice: endpoint('GET /notice', { response: ok(text), errors: [reply(404)] }),
    removeNotice: endpoint('DELETE /notice', { response: noContent }),
  }
  const { fetch } = mock(described)
  const remove = async (path: string) => (await fetch(new Request(`${base}${path}`, { method: 'DELETE' }))).status
  expect([await remove('/stones/4711'), await remove('/strict/4711')]).toEqual([204, 404])
  expect([await remove('/notice'), await remove('/notice')]).toEqual([204, 204])
})

describe('credentials', () => {
  const people = basic<{ readonly name: string }>('people')
  const own = { me: endpoint('GET /me', { auth: people, response: ok(text) }) }
  const send = (options: MockOptions<typeof own>, given: string): Promise<Response> =>
    mock(own, options).fetch(new Request(`${base}/me`, { headers: { Authorization: given } }))

  test('that can be read are accepted', async () => {
    expect((await send({}, `Basic ${btoa('ann:whatever')}`)).status).toBe(200)
    expect((await send({}, 'Basic nonsense')).status).toBe(401)
  })

  test('are the user that a custom handler gets', async () => {
    const handlers: MockOptions<typeof own>['handlers'] = { me: ({ user }) => JSON.stringify(user) }
    expect(await (await send({ handlers }, `Basic ${btoa('ann:word')}`)).json()).toEqual({ username: 'ann', password: 'word' })
  })

  test('are verified if the options have a verifier', async () => {
    const auth = [authenticate(people, ({ username }) => (username === 'ann' ? { name: 'Ann' } : undefined))]
    const handlers: MockOptions<typeof own>['handlers'] = { me: ({ user }) => JSON.stringify(user) }
    expect(await (await send({ auth, handlers }, `Basic ${btoa('ann:word')}`)).json()).toEqual({ name: 'Ann' })
    expect((await send({ auth, handlers }, `Basic ${btoa('ben:word')}`)).status).toBe(401)
  })

  const robots = bearer<{ readonly id: number }>('robots')
  test.each<[what: string, session: z.ZodType, path: readonly (string | number)[]]>([
    ['of a login', z.object({ token: z.string() }), ['token']],
    ['of OAuth 2.0', z.object({ access_token: z.string(), refresh_token: z.string().optional() }), ['access_token']],
    ['in a camel', z.object({ accessToken: z.string().min(60) }), ['accessToken']],
    ['within an object', z.object({ session: z.object({ jwt: z.string().nullable().unwrap() }) }), ['session', 'jwt']],
    ['in a list', z.object({ tokens: z.array(z.string()).min(1) }), ['tokens', 0]],
    ['of a machine', z.object({ apiKey: z.string() }), ['apiKey']],
  ])('a token %s works as a bearer token', async (_what, session, path) => {
    const api = { login: endpoint('POST /login', { response: ok(session) }), me: endpoint('GET /me', { auth: robots, response: ok(text) }) }
    for (const seed of [1, 2, 3, 4, 5]) {
      const { fetch } = mock(api, { seed })
      const received = await client(api, base, { fetch }).login()
      const token = path.reduce<unknown>((value, name) => Object(value)[name], received) as string
      await client(api, base, { fetch, auth: [credentials(robots, token)] }).me()
    }
  })
})

describe('a custom handler', () => {
  test('replaces the generated response', async () => {
    const { fetch } = mock(api, { handlers: { point: ({ params }) => ({ x: params.y, y: params.x }), 'notice.read': () => 'Open!' } })
    const call = client(api, base, { fetch })
    expect(await call.point({ params: { x: 1, y: 2 } })).toEqual({ x: 2, y: 1 })
    expect((await call.notice.read({})).body).toBe('Open!')
  })

  test('can throw an error', async () => {
    const { fetch } = mock(api, {
      handlers: {
        order: () => {
          throw errors.conflict({ body: { item: 'opal', again: null } })
        },
      },
    })
    const ordered = client(api, base, { fetch }).order({ body: { item: 'opal', tags: [] } })
    await expect(ordered).rejects.toMatchObject({ status: 409, body: { item: 'opal', again: null } })
  })

  test('gives the tag that a condition is compared with', async () => {
    const { fetch } = mock(api, { handlers: { 'notice.read': () => 'Open!' } })
    const call = client(api, base, { fetch })
    const { ETag } = (await call.notice.read({})).headers
    await expect(call.notice.clear({ headers: { 'If-Match': ETag } })).resolves.toBe(undefined)
    await expect(call.notice.clear({ headers: { 'If-Match': '"other"' } })).rejects.toMatchObject({ status: 412 })
  })

  test('can be the handler of a mount', async () => {
    const { fetch } = mock(api, {
      mounts: { 'raw.kernel': ({ target }) => ({ status: 200, headers: ['Content-Type', 'text/plain'], body: target }) },
    })
    expect(await (await fetch(new Request(`${base}/raw/kernel/x`))).text()).toBe('/x')
  })
})

test('if no response can be generated, the error says what to do', async () => {
  const never = z.object({ name: z.string() }).refine(() => false)
  const { fetch } = mock({ never: endpoint('GET /never', { response: ok(never) }) })
  const response = await fetch(new Request(`${base}/never`))
  expect([response.status, await response.json()]).toMatchObject([
    501,
    { detail: 'The mock found no value for a response of GET /never. Give the endpoint an example, or pass the mock a handler for it.' },
  ])
})

describe('invalid options are rejected at once', () => {
  const small = {
    one: endpoint('GET /:id', { params: { id: int }, response: ok(text), errors: [reply(404)] }),
    raw: mount('/raw'),
  }
  test.each<[what: string, options: object, sentence: string]>([
    ['a seed', { seed: 0.5 }, 'The seed is 0.5. Pass an integer.'],
    [
      'an answer',
      { handlers: { two: () => '' } },
      'The options of the mock name the endpoint "two", which the API does not have. Use a name that operations(api) lists.',
    ],
    [
      'a fault',
      { faults: { at: { raw: { cut: 1 } } } },
      'The options of the mock name the endpoint "raw", which the API does not have. Use a name that operations(api) lists.',
    ],
    [
      'a mount',
      { mounts: { one: () => ({ status: 200, headers: [], body: null }) } },
      'The options of the mock name the mount "one", which the API does not have. Use a name that operations(api) lists.',
    ],
    ['a part', { faults: { cut: 2 } }, 'The fault rate "cut" is 2. Pass a share of the requests, from 0 to 1.'],
    [
      'a delay',
      { delay: { min: 5, max: 1 } },
      'The delay has min 5 and max 1. Pass milliseconds: min at least 0, max at least min and at most 2147483647.',
    ],
  ])('%s', (_what, options, sentence) => {
    expect(() => mock(small, options)).toThrow(new TypeError(sentence))
  })
})

test('a mock sends events with their names, and validates the id to go on after', async () => {
  const Stone = z.object({ carat: z.number() })
  const feed = {
    changes: endpoint('GET /changes', {
      headers: { 'Last-Event-ID': optional(int) },
      response: ok(events({ cut: Stone, sold: z.object({ price: z.int() }) })),
    }),
    shown: endpoint('GET /shown', {
      response: ok(events(Stone)),
      examples: { response: [{ data: { carat: 5 }, id: '7' }] },
    }),
  }
  const server = mock(feed, { seed: 3 })
  const call = client(feed, 'http://test.invalid', { fetch: server.fetch })
  const changes: unknown[] = []
  for await (const change of await call.changes()) changes.push(change)
  expect(changes).toEqual([
    { event: 'cut', data: { carat: expect.any(Number) } },
    { event: 'sold', data: { price: expect.any(Number) } },
  ])
  const response = await server.fetch(new Request('http://test.invalid/shown'))
  expect(await response.text()).toBe('id: 7\ndata: {"carat":5}\n\n')
  const refused = await server.fetch(new Request('http://test.invalid/changes', { headers: { 'Last-Event-ID': 'x' } }))
  expect(refused.status).toBe(400)
})
