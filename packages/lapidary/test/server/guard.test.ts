/** `guard`: when it runs, what it knows and adds, and how it rejects a request. */
import { type AnyEndpoint, basic, bearer, endpoint, errors, int, mount, ok, optional, reply, text } from 'lapidary'
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
          return { tenant, user: user.toUpperCase() }
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
          deep: { two: ({ tenant, user }) => `${tenant.title} of ${user}` },
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
    expect(await send('/acme/one', opal)).toEqual([200, '1 of ANN'])
    expect(events).toEqual([
      'Ann at acme: POST /:tenant/one, {"role":"keeper"}',
      'second of Acme, endpoint,fail,params,user',
      'provider of Acme: POST /:tenant/one',
      'handler with body,cookies,count,fail,headers,params,query,tenant,titles,user',
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

  test.each<[string, unknown, string]>([
    ['false', false, 'a boolean'],
    ['null', null, 'null'],
    ['a text', 'acme', 'a string'],
  ])('that returns %s is a reported 500, since plain JavaScript may mean a rejection', async (_what, result, kind) => {
    const api = { one: endpoint('GET /one', { response: ok(text) }) }
    const reported: unknown[] = []
    const server = serve(
      api,
      guard(api, () => result as undefined, { one: () => 'one' }),
      { onError: (error) => void reported.push(error) },
    )
    expect((await server.fetch(new Request('http://test.invalid/one'))).status).toBe(500)
    expect(String(reported)).toBe(
      `TypeError: The guard of GET /one returned ${kind}. Return an object with what it adds to the input, or nothing. To reject the request, throw an error, such as errors.forbidden().`,
    )
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
    }
  test.each(Object.entries(wrappers))('also stands before its handler behind %s', async (_what, wrap) => {
    const requireCalm = async ({ params }: { readonly params: { readonly tenant: string } }) => {
      events.push(`quota of ${params.tenant}`)
      if (params.tenant === 'busy') throw errors.tooManyRequests()
    }
    const api = { two: endpoint('GET /:tenant/two', { response: ok(text) }) }
    const guarded = guard(
      api,
      () => void events.push('first'),
      guard(api, requireCalm, {
        two: () => {
          events.push('handler')
          return 'two'
        },
      }),
    )
    const handlers = { two: wrap(guarded.two as never) as typeof guarded.two }
    for (const all of [handlers, provide(api, async (_input: unknown, next: Next) => next(), handlers)]) {
      const server = serve(api, all, { onError })
      const getStatus = async (tenant: string) => (await server.fetch(new Request(`http://test.invalid/${tenant}/two`))).status
      events.length = 0
      expect([await getStatus('busy'), ...events]).toEqual([429, 'first', 'quota of busy'])
      events.length = 0
      expect([await getStatus('calm'), ...events]).toEqual([200, 'first', 'quota of calm', 'handler'])
    }
  })
})
