/** `guard`: when it runs, what it knows and adds, and how it rejects a request. */
import { runInNewContext } from 'node:vm'
import { type AnyEndpoint, basic, bearer, endpoint, errors, int, mount, ok, optional, reply, respond, text, withHeaders } from 'lapidary'
import { authenticate, guard, type Next, provide, serve } from 'lapidary/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string() })
const people = basic<string>('people')
const auth = [authenticate(people, ({ password }) => (password === 'secret' ? 'Ann' : undefined))]
const ann = { Authorization: `Basic ${btoa('ann:secret')}` }

/** What happened, in order. */
const events: string[] = []
beforeEach(() => {
  events.length = 0
})
const onError = (): void => {}
const transaction = async (_input: unknown, next: Next) => next({ tx: true })

describe('a guard', () => {
  const moderators = bearer<string>('moderators')
  const group = {
    one: endpoint('POST /:tenant/one', {
      ...{ auth: people, query: { limit: optional(int) }, body: Stone },
      ...{ response: ok(text), errors: [reply(404)], meta: { role: 'keeper' } },
    }),
    deep: { two: endpoint('GET /:tenant/two', { auth: people, response: ok(text) }) },
  }
  const secret = { group }
  const tenants = new Map([['acme', { title: 'Acme' }]])
  const { fetch } = serve(
    secret,
    {
      group: guard(
        group,
        async ({ params, user, endpoint: { route, meta } }) => {
          events.push(`${user} at ${params.tenant}: ${route}, ${JSON.stringify(meta)}`)
          if (params.tenant === 'busy') throw errors.tooManyRequests({ headers: { 'Retry-After': '1' } })
          const tenant = tenants.get(params.tenant)
          if (tenant === undefined) return errors.notFound()
          return { tenant, name: user.toUpperCase() }
        },
        {
          ...guard(
            { one: group.one },
            ({ tenant, ...others }: { readonly tenant: { readonly title: string } }) => {
              events.push(`second of ${tenant.title}, ${Object.keys(others).sort()}`)
              return { titles: [tenant.title] }
            },
            provide(
              { one: group.one },
              async ({ titles, endpoint: { route } }: { readonly titles: readonly string[] } & { endpoint: AnyEndpoint }, next) => {
                events.push(`provider of ${titles.join()}: ${route}`)
                return next({ count: titles.length })
              },
              {
                one: (input) => {
                  events.push(`handler with ${Object.keys(input).sort()}`)
                  return `${input.count} of ${input.user}`
                },
              },
            ),
          ),
          deep: { two: ({ tenant, name }) => `${tenant.title} of ${name}` },
        },
      ),
    },
    { auth, onError },
  )
  const send = async (target: string, init: RequestInit = {}) => {
    const response = await fetch(new Request(`http://test.invalid${target}`, init))
    return [response.status, await response.text()] as const
  }
  const json = { ...ann, 'Content-Type': 'application/json' }
  const opal = { method: 'POST', headers: json, body: '{"name":"opal"}' }

  test('runs after the credentials are checked', async () => {
    expect(await send('/busy/one', { method: 'POST', body: 'nonsense' })).toMatchObject([401, {}])
    expect(events).toEqual([])
  })

  test('knows the captures, the user, and the endpoint with its meta', async () => {
    expect((await send('/busy/one', { method: 'POST', headers: ann }))[0]).toBe(429)
    expect(events).toEqual(['Ann at busy: POST /:tenant/one, {"role":"keeper"}'])
  })

  test.each<[string, string, RequestInit]>([
    ['the Accept header', '/nowhere/one', { ...opal, headers: { ...json, Accept: 'image/png' } }],
    ['the media type of the body', '/nowhere/one', { ...opal, headers: ann }],
    ['the query', '/nowhere/one?limit=x', opal],
    ['the body', '/nowhere/one', { ...opal, body: 'nonsense' }],
  ])('rejects before %s is looked at', async (_part, target, init) => {
    expect((await send(target, init))[0]).toBe(404)
    expect((await send(target.replace('nowhere', 'acme'), init))[0]).toBeGreaterThanOrEqual(400)
    expect(events.some((event) => event.startsWith('handler'))).toBe(false)
  })

  test('adds what it returns to the input of inner guards, providers and handlers', async () => {
    expect(await send('/acme/one', opal)).toEqual([200, '1 of Ann'])
    expect(events).toEqual([
      'Ann at acme: POST /:tenant/one, {"role":"keeper"}',
      'second of Acme, endpoint,fail,name,params,user',
      'provider of Acme: POST /:tenant/one',
      'handler with body,cookies,count,fail,headers,name,params,query,tenant,titles,user',
    ])
  })

  test('stands before groups below', async () => {
    expect((await send('/busy/two', { headers: ann }))[0]).toBe(429)
    expect(await send('/acme/two', { headers: ann })).toEqual([200, 'Acme of ANN'])
  })

  test('rejects by an error that it returns, and by fail', async () => {
    const api = { one: endpoint('GET /:id', { response: ok(text), errors: [reply(404), reply(404, z.object({ why: z.string() }))] }) }
    const handlers = guard(api, ({ params: { id }, fail }) => (id === 'a' ? errors.notFound() : fail(404, { body: { why: id } })), {
      one: () => 'one',
    })
    const server = serve(api, handlers, { onError })
    const getText = async (id: string) => (await server.fetch(new Request(`http://test.invalid/${id}`))).text()
    expect([await getText('a'), await getText('b')]).toEqual(['{"type":"about:blank","title":"Not Found","status":404}', '{"why":"b"}'])
  })

  class Row {
    readonly id = 1
  }
  test.each<[string, unknown, string]>([
    ['false', false, 'a boolean'],
    ['null', null, 'null'],
    ['a text', 'acme', 'a string'],
    ['an array', [false], 'an array'],
    ['a Response', new Response(null, { status: 403 }), 'an object with a class'],
    ['an error of another class', new Error('no'), 'an object with a class'],
    ['a row of a class', new Row(), 'an object with a class'],
    ['a generator', (function* () {})(), 'an object with a class'],
    ['a promise of false', Promise.resolve(false), 'a boolean'],
    ['what a handler returns for one of several responses', respond(403, 'no'), 'the value of respond()'],
  ])('that returns %s is a reported 500, since it may mean a rejection', async (_what, result, kind) => {
    expect(await getReport(() => result as undefined)).toBe(
      `TypeError: The guard of GET /one returned ${kind}. Return a plain object with what it adds to the input, or nothing. To reject the request, throw an error, such as errors.forbidden().`,
    )
  })

  test.each<[string, object, string]>([
    ['a declared reply', reply(403), 'headers'],
    ['a body with headers', withHeaders('no', {}), 'body'],
    ['other captures', { params: { id: '2' } }, 'params'],
    ['another user, whom idempotency keys would not know', { user: 'eva' }, 'user'],
    ['a query', { query: {} }, 'query'],
    ['cookies', { cookies: {} }, 'cookies'],
    ['the bytes of a body', { rawBody: new Uint8Array() }, 'rawBody'],
    ['a precondition', { precondition: {} }, 'precondition'],
    ['another fail', { fail: () => {} }, 'fail'],
    ['another endpoint, whose meta inner guards would read', { endpoint: { meta: {} } }, 'endpoint'],
  ])('that returns %s is a reported 500, since no guard replaces what the input has', async (_what, result, name) => {
    expect(await getReport(() => result as { readonly one: 1 })).toBe(
      `TypeError: The guard of GET /one returned an object with the member "${name}", which the input has already. Give the member another name. To reject the request, throw an error, such as errors.forbidden().`,
    )
  })

  test('that returns what an outer one has added is a reported 500', async () => {
    const api = { one: endpoint('GET /one', { response: ok(text) }) }
    const reports: unknown[] = []
    const inner = guard(api, () => ({ tenant: 7 }), { one: () => 'one' })
    const handlers = guard(api, () => ({ tenant: 'acme' }), inner)
    const server = serve(api, handlers, { onError: (error) => void reports.push(error) })
    expect((await server.fetch(new Request('http://test.invalid/one'))).status).toBe(500)
    expect(String(reports)).toContain('returned an object with the member "tenant", which the input has already')
  })

  test('can return a plain object of another realm', async () => {
    const api = { one: endpoint('GET /one', { response: ok(text) }) }
    const make = runInNewContext('() => ({ tenant: "acme" })') as () => { readonly tenant: string }
    const server = serve(api, guard(api, make, { one: ({ tenant }) => tenant }))
    expect(await (await server.fetch(new Request('http://test.invalid/one'))).text()).toBe('acme')
  })

  test('leaves missing handlers to serve', () => {
    const api = { group: { one: endpoint('GET /one', { response: ok(text) }) } }
    expect(() => serve(api, { group: guard(api.group, () => {}, undefined as never) })).toThrow(/group\.one/)
  })

  test('is refused with handlers that its group does not have, as is a provider: no guard would stand before them', () => {
    const api = { group: { one: endpoint('GET /one', { response: ok(text) }) }, two: endpoint('GET /two', { response: ok(text) }) }
    const both = { group: { one: () => 'one', two: () => 'two' } }
    const message = 'The handlers have "group.two", but the API has no such endpoint.'
    expect(() => guard({ group: api.group }, () => {}, both)).toThrow(message)
    expect(() => provide({ group: api.group }, transaction, both)).toThrow(message)
  })

  test('is refused for a group with a mount, which has no input', () => {
    const shop = { stones: { deep: { files: mount('/files') }, one: endpoint('GET /two', { response: ok(text) }) } }
    const handlers = { stones: { deep: { files: () => ({ status: 200, headers: [], body: 'secret' }) }, one: () => 'two' } }
    expect(() => guard(shop, () => {}, handlers)).toThrow(
      'guard(): the group has the mount "stones.deep.files" (/files). A mount has no input. Move the mount out of the group, and put middleware around its handler by compose().',
    )
  })

  test('is refused within a provider, which runs later', () => {
    const api = { one: endpoint('GET /one', { response: ok(text) }) }
    expect(() =>
      provide(
        api,
        transaction,
        guard(api, () => {}, { one: () => 'one' }),
      ),
    ).toThrow(
      'provide(): the handler of GET /one has a guard, which runs before every provider. Put the provider within the guard: guard(api, check, provide(api, provider, handlers)).',
    )
  })

  test('runs for an endpoint whose credentials are optional, without a user', async () => {
    const api = { one: endpoint('GET /one', { auth: optional(moderators), response: ok(text) }) }
    const handlers = guard(api, ({ user }) => ({ role: user === undefined ? 'guest' : user }), { one: ({ role }) => role })
    const server = serve(api, handlers, { auth: [authenticate(moderators, (token) => token)] })
    const getText = async (headers = {}) => (await server.fetch(new Request('http://test.invalid/one', { headers }))).text()
    expect([await getText(), await getText({ Authorization: 'Bearer eva' })]).toEqual(['guest', 'eva'])
  })

  const wrappers: Readonly<Record<string, (handler: (input: never, request: never) => unknown) => (...all: readonly never[]) => unknown>> =
    {
      'a function of the application': (handler) => (input, request) => handler(input as never, request as never),
      'an asynchronous one': (handler) => async (input, request) => handler(input as never, request as never),
      'a bound copy': (handler) => handler.bind(undefined) as (...all: readonly never[]) => unknown,
      'one with the members of the handler': (handler) => Object.assign((input: never, request: never) => handler(input, request), handler),
    }
  test.each(Object.entries(wrappers))('that %s hides is a reported 500: it would run after the body', async (_what, wrap) => {
    const api = { two: endpoint('POST /two', { response: ok(text), idempotent: 'optional' }) }
    const guarded = guard(api, () => void events.push('guard'), { two: () => 'two' })
    const handlers = { two: wrap(guarded.two as never) as typeof guarded.two }
    for (const all of [handlers, provide(api, async (_input: unknown, next: Next) => next(), handlers)]) {
      const reports: unknown[] = []
      const server = serve(api, all, { onError: (error) => void reports.push(error) })
      expect((await server.fetch(new Request('http://test.invalid/two', { method: 'POST' }))).status).toBe(500)
      expect([String(reports), ...events]).toEqual([
        'TypeError: A function called the handler of POST /two, which has a guard. The server does not see the guard behind this function. Put the function within the guard: guard(api, check, wrap(handlers)).',
      ])
    }
  })

  test('rejects before a response that is stored for an idempotency key', async () => {
    const api = { two: endpoint('POST /two', { response: ok(text), errors: [reply(403)], idempotent: 'optional' }) }
    let isOpen = true
    const server = serve(
      api,
      guard(api, ({ fail }) => (isOpen ? undefined : fail(403)), { two: () => 'two' }),
    )
    const getStatus = async () => {
      const init = { method: 'POST', headers: { 'Idempotency-Key': '"8e03978e-40d5-43dd-bc93-6894a57f9324"' } }
      return (await server.fetch(new Request('http://test.invalid/two', init))).status
    }
    expect(await getStatus()).toBe(200)
    isOpen = false
    expect(await getStatus()).toBe(403)
  })
})

/** The report of a 500, for a guard. */
async function getReport(check: () => { readonly one: 1 } | undefined): Promise<string> {
  const api = { one: endpoint('GET /one', { response: ok(text) }) }
  const reports: unknown[] = []
  const server = serve(api, guard(api, check, { one: () => 'one' }), { onError: (error) => void reports.push(error) })
  expect((await server.fetch(new Request('http://test.invalid/one'))).status).toBe(500)
  return String(reports)
}
