/** Subtle faults: the check finds each, and names the rule that fails. */

import { type CheckServerOptions, checkServer, mock, rules } from '@lapidary/testing'
import {
  type AnyEndpoint,
  type Api,
  apiKey,
  array,
  bearer,
  both,
  type CookieRecord,
  content,
  cookie,
  created,
  download,
  either,
  endpoint,
  events,
  file,
  html,
  int,
  json,
  multipart,
  noContent,
  ok,
  optional,
  type ParameterRecord,
  prefix,
  reply,
  respond,
  seeOther,
  setCookie,
  text,
  withHeaders,
} from 'lapidary'

import { listen } from 'lapidary/node'
import {
  type Handlers,
  type HttpHandler,
  type HttpResponse,
  type IdempotencyOptions,
  type IdempotencyStore,
  memoryIdempotencyStore,
  serve,
} from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'

const Stone = z.object({ name: z.string().min(1).max(40), hardness: z.int().min(1).max(10) })
type Stone = z.infer<typeof Stone>

const one = { params: { id: int }, errors: [] }
const api = {
  shown: endpoint('GET /shown', {
    response: ok(
      content(
        Stone,
        json,
        html(({ name }) => name.replace(/[<&]/g, '')),
      ),
    ),
  }),
  stones: prefix('/stones', {
    read: endpoint('GET /:id', { ...one, response: ok(Stone), etag: true }),
    replace: endpoint('PUT /:id', { ...one, body: Stone, response: noContent, etag: 'required' }),
  }),
}

/** What is there; `lenient` changes it without a look at what the request names. */
function shelf() {
  let agate: Stone = { name: 'Agate', hardness: 7 }
  const kernel = serve(
    api,
    {
      shown: () => agate,
      stones: {
        read: () => agate,
        replace: async ({ body, precondition }) => {
          await precondition(agate)
          agate = body
        },
      },
    },
    { onError: () => {} },
  )
  const put = (next: Stone): void => {
    agate = next
  }
  return { kernel, put }
}

async function failuresOf(
  kernel: HttpHandler,
  described: Api = api,
  options: CheckServerOptions = {},
): Promise<readonly (readonly [endpoint: string, rule: string, violation: string])[]> {
  const { url, close } = await listen(kernel)
  onTestFinished(() => close({ drain: 0, grace: 0 }))
  const { failures } = await checkServer(described, url, { requests: 600, seconds: 30, seed: 1, write: true, ...options })
  return failures.map(({ endpoint: name, rule, violation }) => [name, rule, violation])
}

const without = (name: string, outgoing: HttpResponse): HttpResponse => ({
  ...outgoing,
  headers: outgoing.headers.filter((_, index, all) => all[index - (index % 2)]?.toLowerCase() !== name),
})

test('a correct server has no failures', async () => {
  expect(await failuresOf(shelf().kernel)).toEqual([])
})

describe('a negotiated response without Vary', () => {
  test.each([
    ['406', 406],
    ['success', 200],
  ])('in a %s alone', async (_what, status) => {
    const { kernel } = shelf()
    const failures = await failuresOf(async (incoming) => {
      const outgoing = await kernel(incoming)
      return outgoing.status === status ? without('vary', outgoing) : outgoing
    })
    expect(failures).toEqual([['shown', 'vary', 'expected Vary to name Accept, got none']])
  })
})

test('a change that is refused with 412 is made nevertheless', async () => {
  const { kernel, put } = shelf()
  let made = 0
  const failures = await failuresOf(async (incoming) => {
    const outgoing = await kernel(incoming)
    if (incoming.method === 'PUT' && outgoing.status === 412) {
      made += 1
      put({ name: `Opal ${made}`, hardness: 6 })
    }
    return outgoing
  })
  expect(failures).toEqual([['stones.replace', 'lost-updates', 'a refused change has changed the resource']])
})

test('a change is made without its required condition', async () => {
  const { kernel } = shelf()
  const failures = await failuresOf(async (incoming) => {
    const outgoing = await kernel(incoming)
    return outgoing.status === 428 ? { status: 204, headers: [], body: null } : outgoing
  })
  expect(failures).toContainEqual(['stones.replace', 'lost-updates', 'there is no If-Match: expected 428, got 204'])
})

describe('of the credentials', () => {
  const session = apiKey<string>({ in: 'cookie', name: 'session' })
  const token = bearer<string>('market')
  const staff = apiKey<string>({ in: 'query', name: 'staff' })
  const guarded = {
    either: endpoint('GET /either', { auth: either(session, token), response: ok(text) }),
    both: endpoint('GET /both', { auth: both(session, staff), response: ok(text) }),
    maybe: endpoint('GET /maybe', { auth: optional(token), response: ok(text) }),
  }
  const auth = [session, token, staff].map((scheme) => ({ scheme, verify: (shown: unknown) => (shown === 'right' ? shown : undefined) }))
  const kernel = serve(guarded, { either: () => 'a', both: () => 'b', maybe: () => 'c' }, { auth })
  const credentials = { session: 'right', market: 'right', staff: 'right' }
  const served: HttpResponse = { status: 200, headers: ['Content-Type', 'text/plain;charset=utf-8'], body: 'a' }
  const failures = (handler: HttpHandler) => failuresOf(handler, guarded, { credentials })

  test('a correct server has no failures, with and without them', async () => {
    expect(await failures(kernel)).toEqual([])
    expect(await failuresOf(kernel, guarded)).toEqual([])
  })

  test('an alternative is not accepted', async () => {
    const found = await failures((request) =>
      kernel(
        request.header('authorization') === undefined || !request.target.startsWith('/either')
          ? request
          : { ...request, header: () => undefined },
      ),
    )
    expect(found).toContainEqual([
      'either',
      'credentials',
      'the credentials are those of market: expected the request to be served, got 401',
    ])
  })

  test('a part of both is enough', async () => {
    const found = await failures((request) => (request.target === '/both?staff=right' ? served : kernel(request)))
    expect(found).toContainEqual(['both', 'credentials', 'the credentials are those of staff, without session: expected 401, got 200'])
  })

  test('optional credentials are required', async () => {
    const found = await failures(async (request) =>
      request.target === '/maybe' && request.header('authorization') === undefined
        ? { status: 401, headers: ['WWW-Authenticate', 'Bearer'], body: null }
        : kernel(request),
    )
    expect(found.map(([name, rule]) => [name, rule])).toContainEqual(['maybe', 'credentials'])
  })

  test('wrong optional credentials are ignored', async () => {
    const found = await failures((request) => {
      const isWrong = request.target === '/maybe' && request.header('authorization') !== 'Bearer right'
      return isWrong ? served : kernel(request)
    })
    expect(found).toContainEqual(['maybe', 'credentials', 'Authorization has another scheme: expected 401, got 200'])
  })

  test('a challenge is missing', async () => {
    const found = await failures(async (request) => {
      const response = await kernel(request)
      if (response.status !== 401 || !request.target.startsWith('/either')) return response
      return { ...response, headers: [...without('www-authenticate', response).headers, 'WWW-Authenticate', 'ApiKey in="cookie, Bearer"'] }
    })
    expect(found).toEqual([
      ['either', 'challenge', 'expected WWW-Authenticate to name Bearer realm="market", got ApiKey in="cookie, Bearer"'],
    ])
  })
})

describe('of a deprecated endpoint', () => {
  const old = {
    old: endpoint('GET /old/:size', {
      params: { size: int },
      response: ok(Stone),
      deprecated: { since: new Date('2026-01-01'), sunset: new Date('2027-01-01'), link: '/news' },
    }),
  }
  const kernel = serve(old, { old: () => ({ name: 'Agate', hardness: 7 }) })
  const change =
    (replace: (response: HttpResponse) => HttpResponse): HttpHandler =>
    async (request) =>
      replace(await kernel(request))

  test('a correct server has no failures', async () => {
    expect(await failuresOf(kernel, old)).toEqual([])
  })

  test.each<[string, HttpHandler, string]>([
    [
      'a response without Deprecation',
      change((response) => without('deprecation', response)),
      'expected Deprecation to be "@1767225600", got none',
    ],
    [
      'an error without Sunset',
      change((response) => (response.status >= 400 ? without('sunset', response) : response)),
      'expected Sunset to be "Fri, 01 Jan 2027 00:00:00 GMT", got none',
    ],
    [
      'another link',
      change((response) => ({
        ...without('link', response),
        headers: [...without('link', response).headers, 'Link', '</old>; rel="self"'],
      })),
      'expected Link to be "</news>; rel="deprecation"", got "</old>; rel="self""',
    ],
  ])('%s is found', async (_what, faulty, violation) => {
    expect(await failuresOf(faulty, old)).toContainEqual(['old', 'headers', violation])
  })
})

describe('of several responses', () => {
  const Job = z.object({ progress: z.int() })
  const several = {
    jobs: endpoint('GET /jobs/:size', {
      params: { size: int },
      response: [ok(Stone), reply(202, Job, { headers: { 'X-Queue': int } }), seeOther],
      errors: [reply(404)],
    }),
  }
  const handlers: Handlers<typeof several> = {
    jobs: ({ params: { size }, fail }) => {
      if (size < 0) return fail(404)
      if (size === 0) return respond(303, withHeaders({ Location: '/jobs/1' }))
      return size > 9 ? respond(202, withHeaders({ progress: 0 }, { 'X-Queue': 1 })) : { name: 'Agate', hardness: 7 }
    },
  }
  const kernel = serve(several, handlers)

  /** The same server, with another response in place of those with a status. */
  const replace =
    (status: number, change: (response: HttpResponse) => HttpResponse): HttpHandler =>
    async (request) => {
      const response = await kernel(request)
      return response.status === status ? change(response) : response
    }

  test('a correct server has no failures', async () => {
    expect(await failuresOf(kernel, several)).toEqual([])
  })

  test.each<[string, HttpHandler, string, string]>([
    [
      'a status that is none of them',
      replace(303, (response) => ({ ...response, status: 302 })),
      'status',
      'expected one of the declared statuses (200, 202, 303, 404), got 302',
    ],
    [
      'a body of another one',
      replace(202, (response) => ({ ...response, body: '{"name":"Agate","hardness":7}' })),
      'body',
      'the body is not as declared: at "/progress" expected an integer, got nothing',
    ],
    [
      'a missing header of one',
      replace(202, (response) => without('x-queue', response)),
      'headers',
      'the header X-Queue is not as declared',
    ],
    ['a missing Location', replace(303, (response) => without('location', response)), 'headers', 'the header Location is not as declared'],
  ])('%s is found', async (_what, faulty, rule, violation) => {
    const failures = await failuresOf(faulty, several)
    expect(failures).toContainEqual(['jobs', rule, expect.stringContaining(violation)])
  })
})

describe('of an optional body', () => {
  const optionally = { put: endpoint('PUT /put', { body: optional(Stone), response: noContent }) }
  const kernel = serve(optionally, { put: () => {} })

  test('a correct server has no failures', async () => {
    expect(await failuresOf(kernel, optionally)).toEqual([])
  })

  test.each<[string, HttpHandler, string, string]>([
    ['a body that is required', serve({ put: { ...optionally.put, body: content(Stone, json) } }, { put: () => {} }), 'status', 'got 415'],
    [
      'a failure without a body',
      serve(
        optionally,
        {
          put: ({ body }) => {
            if (body === undefined) throw new Error('planted')
          },
        },
        { onError: () => {} },
      ),
      'no-server-error',
      'got 500',
    ],
    [
      'a body that is accepted without a type',
      async (request) => {
        const response = await kernel(request)
        return response.status === 415 ? { status: 204, headers: [], body: null } : response
      },
      'content-type',
      'got 204',
    ],
  ])('%s is found', async (_what, faulty, rule, violation) => {
    const failures = await failuresOf(faulty, optionally)
    expect(failures).toContainEqual(['put', rule, expect.stringContaining(violation)])
  })
})

describe('of a limit of the body', () => {
  const limited = { put: endpoint('PUT /put', { body: Stone, response: noContent, maxBodySize: '1 kB' }) }
  const kernel = serve(limited, { put: () => {} })

  test('a correct server has no failures', async () => {
    expect(await failuresOf(kernel, limited)).toEqual([])
  })

  test.each<[string, HttpHandler, string]>([
    ['no limit', serve({ put: { ...limited.put, maxBodySize: undefined } }, { put: () => {} }), 'got 400'],
    ['a larger limit', serve({ put: { ...limited.put, maxBodySize: 1_001 } }, { put: () => {} }), 'got 400'],
    [
      'another status',
      async (request) => {
        const response = await kernel(request)
        return response.status === 413 ? { ...response, status: 422 } : response
      },
      'got 422',
    ],
  ])('%s is found', async (_what, faulty, violation) => {
    const failures = await failuresOf(faulty, limited)
    expect(failures).toContainEqual(['put', 'body-size', `the body has 1001 bytes: expected 413, ${violation}`])
  })
})

describe('of a form', () => {
  const photo = file({ maxSize: 1_000, types: ['image/*'] })
  const forms = { put: endpoint('PUT /put', { body: multipart({ title: text, photo }), response: noContent }) }
  const takingForm = (parts: Parameters<typeof multipart>[0]): HttpHandler =>
    serve({ put: endpoint('PUT /put', { body: multipart(parts), response: noContent }) }, { put: () => {} })

  test('a correct server has no failures', async () => {
    expect(await failuresOf(takingForm({ title: text, photo }), forms)).toEqual([])
  })

  test.each<[string, HttpHandler, string]>([
    ['a part that need not be there', takingForm({ title: optional(text), photo }), 'there is no part "title": expected 400, got 204'],
    [
      'files of any size',
      takingForm({ title: text, photo: file({ types: ['image/*'] }) }),
      '"photo" has 1001 bytes: expected 413, got 204',
    ],
    [
      'files of any type',
      takingForm({ title: text, photo: file({ maxSize: 1_000 }) }),
      '"photo" is of type application/x-no-such-type: expected 415, got 204',
    ],
  ])('%s is found', async (_what, faulty, violation) => {
    expect(await failuresOf(faulty, forms)).toContainEqual(['put', 'form', violation])
  })
})

describe('of the rest of a path', () => {
  const files = { file: endpoint('GET /files/*path', { response: ok(text) }) }
  const kernel = serve(files, { file: ({ params }) => params.path })

  /** The same server, with another response to some targets. */
  const answering =
    (isFaulty: (target: string) => boolean, status: number): HttpHandler =>
    (request) =>
      isFaulty(request.target) ? { status, headers: ['Content-Type', 'text/plain;charset=utf-8'], body: 'text' } : kernel(request)

  test('a correct server has no failures', async () => {
    expect(await failuresOf(kernel, files)).toEqual([])
  })

  test('nor one with other endpoints at some of its paths', async () => {
    const several = { ...files, one: endpoint('GET /files/:id', { response: ok(text) }) }
    const server = serve(several, { file: ({ params }) => params.path, one: ({ params }) => params.id })
    expect(await failuresOf(server, several)).toEqual([])
  })

  test.each<[string, HttpHandler, string, RegExp]>([
    ['an encoded slash that is read', answering((target) => /%2f/i.test(target), 200), 'captures', /\*path contains %2F/],
    ['a second segment that is not read', answering((target) => /^\/files\/[^/]+\/./.test(target), 404), 'status', /404/],
    ['an encoded segment that is not read', answering((target) => /%(?!2f)/i.test(target), 500), 'status', /500/],
  ])('%s is found', async (_what, faulty, rule, violation) => {
    const failures = await failuresOf(faulty, files)
    expect(failures).toContainEqual(['file', rule, expect.stringMatching(violation)])
  })
})

describe('of cookies', () => {
  const described = (changed: ParameterRecord = {}) => ({
    basket: endpoint('GET /basket', { cookies: { session: text, visits: optional(int), ...changed }, response: ok(json) }),
  })
  const basket = described()
  const serving = (api: ReturnType<typeof described>): HttpHandler =>
    serve(api, { basket: ({ cookies }) => cookies }, { onError: () => {} })

  test('a correct server has no failures', async () => {
    expect(await failuresOf(serving(basket), basket)).toEqual([])
  })

  test.each<[string, HttpHandler, string, string]>([
    ['a server that reads any text', serving(described({ visits: optional(text) })), 'cookies', 'visits is "": expected 400, got 200'],
    [
      'a server that needs no cookie',
      serving(described({ session: optional(text) })),
      'cookies',
      'session is left out: expected 400, got 200',
    ],
    ['a server that requires one more', serving(described({ visits: int })), 'status', 'got 400'],
    [
      'a response that a cache may give to others',
      async (request) => without('vary', await serving(basket)(request)),
      'vary',
      'expected Vary to name Cookie, got none',
    ],
  ])('%s is found', async (_what, faulty, rule, violation) => {
    expect(await failuresOf(faulty, basket)).toContainEqual(['basket', rule, expect.stringContaining(violation)])
  })
})

describe('of parameters by schemas', () => {
  const query = z.object({
    limit: z.int().min(1).max(100).default(20),
    sizes: z.array(z.int()).max(2),
    filter: z.object({ owner: z.uuid(), open: z.boolean().optional() }).optional(),
  })
  const listing = (changed: object): Api & { readonly list: AnyEndpoint } => ({
    list: endpoint('GET /list', { query: query.extend(changed), response: ok(json) }),
  })
  const serving = (changed: object): HttpHandler => serve(listing(changed), { list: () => ({}) } as never, { onError: () => {} })

  test('a correct server has no failures', async () => {
    expect(await failuresOf(serving({}), listing({}))).toEqual([])
  })

  test.each<[string, object, string, string]>([
    ['a server that knows no bound', { limit: z.int().optional() }, 'query', 'limit is "0": expected 400, got 200'],
    ['a server that takes text for a number', { sizes: z.array(z.string()) }, 'query', 'sizes is "": expected 400, got 200'],
    ['a server that takes any number of values', { sizes: z.array(z.int()) }, 'query', 'expected 400, got 200'],
    ['a server that does not read the object', { filter: z.int().optional() }, 'query', 'expected 400, got 200'],
  ])('%s is found', async (_what, changed, rule, violation) => {
    expect(await failuresOf(serving(changed), listing({}))).toContainEqual(['list', rule, expect.stringContaining(violation)])
  })
})

describe('of cookies that a response sets', () => {
  const reading = (cookies: CookieRecord) => ({
    login: endpoint('GET /login', { response: noContent({ headers: { 'Set-Cookie': setCookie(cookies) } }) }),
  })
  const declared = { session: cookie(text, { maxAge: 60 }), count: int }
  const login = reading(declared)
  const serving = (cookies: CookieRecord, values: object): HttpHandler =>
    serve(reading(cookies), { login: () => withHeaders({ 'Set-Cookie': values }) } as never, { onError: () => {} })

  test.each([{}, { session: 'a', count: 1 }, { session: null }])('a correct server that sets %j has no failures', async (values) => {
    expect(await failuresOf(serving(declared, values), login)).toEqual([])
  })

  test.each<[string, HttpHandler, string, string]>([
    ['a cookie that is not declared', serving({ other: text }, { other: 'a' }), 'set-cookie', 'the cookie other is not declared'],
    [
      'a cookie that is kept longer',
      serving({ session: cookie(text, { maxAge: 61 }) }, { session: 'a' }),
      'set-cookie',
      'the cookie session has the attributes "Max-Age=61; Path=/; Secure; HttpOnly; SameSite=Lax", expected "Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax"',
    ],
    [
      'a cookie that scripts can read',
      serving({ session: cookie(text, { maxAge: 60, httpOnly: false }) }, { session: 'a' }),
      'set-cookie',
      'the cookie session has the attributes "Max-Age=60; Path=/; Secure; SameSite=Lax"',
    ],
    [
      'a cookie that is deleted at another path',
      serving({ session: cookie(text, { path: '/a' }) }, { session: null }),
      'set-cookie',
      'the cookie session has the attributes "Max-Age=0; Path=/a',
    ],
    ['an invalid value', serving({ count: text }, { count: 'many' }), 'headers', 'the header Set-Cookie is not as declared'],
  ])('%s is found', async (_what, faulty, rule, violation) => {
    expect(await failuresOf(faulty, login)).toContainEqual(['login', rule, expect.stringContaining(violation)])
  })
})

describe('of codecs with options', () => {
  const listing = (query: ParameterRecord): Api & { readonly list: AnyEndpoint } => ({
    list: endpoint('GET /list', { query, response: ok(json) }),
  })
  const bounded = {
    limit: int({ min: 1, max: 100, default: 20 }),
    code: optional(text({ minLength: 2, maxLength: 4, pattern: /^[a-z]+$/, examples: ['ab', 'abcd'] })),
    id: array(int, { maxItems: 2 }),
  }
  const serving = (changed: ParameterRecord): HttpHandler =>
    serve(listing({ ...bounded, ...changed }), { list: () => ({}) } as never, { onError: () => {} })

  test('a correct server has no failures', async () => {
    expect(await failuresOf(serving({}), listing(bounded))).toEqual([])
  })

  test.each<[string, ParameterRecord, string, string]>([
    ['a server that knows no bound of an integer', { limit: optional(int) }, 'query', 'limit is "0": expected 400, got 200'],
    ['a server that knows no length of a text', { code: optional(text) }, 'query', 'code is "": expected 400, got 200'],
    ['a server that takes any number of values', { id: array(int) }, 'query', 'id is "42", "42", "42": expected 400, got 200'],
    ['a server that has no default', { limit: int({ min: 1, max: 100 }) }, 'status', 'got 400'],
  ])('%s is found', async (_what, changed, rule, violation) => {
    const failures = await failuresOf(serving(changed), listing(bounded))
    expect(failures).toContainEqual(['list', rule, expect.stringContaining(violation)])
  })
})

describe('of events', () => {
  const Job = z.object({ progress: z.int() })
  const feed = {
    changes: endpoint('GET /changes', {
      headers: { 'Last-Event-ID': optional(int) },
      response: ok(events({ cut: Stone, sold: Job }, { heartbeat: 20 })),
    }),
    plain: endpoint('GET /plain', { response: ok(events(Job)) }),
  }
  const server = serve(feed, {
    changes: async function* () {
      yield { event: 'cut', data: { name: 'Agate', hardness: 7 }, id: '1', retry: 50 }
      await new Promise((resolve) => setTimeout(resolve, 50))
      yield { event: 'sold', data: { progress: 1 } }
    },
    plain: () => [],
  })
  const cut = 'event: cut\ndata: {"name":"Agate","hardness":7}\n\n'

  /** The same server, with another body of the changes, and another type. */
  const answering =
    (body: string, type = 'text/event-stream'): HttpHandler =>
    async (request) => {
      const response = await server(request)
      if (response.status !== 200 || !request.target.startsWith('/changes')) return response
      return { ...without('content-type', response), headers: ['Content-Type', type], body }
    }

  test('a correct server has no failures, an endless stream neither', async () => {
    expect(await failuresOf(server, feed)).toEqual([])
    const endless = serve(feed, {
      changes: async function* (_input, { signal }) {
        yield { event: 'sold', data: { progress: 1 } }
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
      },
      plain: () => [],
    })
    expect(await failuresOf(endless, feed)).toEqual([])
  })

  test.each<[string, HttpHandler, string, string]>([
    ['wrong data', answering(`${cut}event: sold\ndata: {"progress":0.5}\n\n`), 'body', 'item 1: the body is not as declared: at "/data'],
    [
      'data that is not JSON',
      answering('event: sold\ndata: half\n\n'),
      'body',
      'item 0: the body is not as declared: at "/data" expected JSON',
    ],
    ['an undeclared event', answering(`${cut}event: lost\ndata: {}\n\n`), 'body', 'at "/event" expected the event cut or sold, got "lost"'],
    ['an event without a name', answering('data: {"progress":1}\n\n'), 'body', 'at "/event" expected a value, got nothing'],
    ['another media type', answering(cut, 'application/x-ndjson'), 'body', 'expected Content-Type to be text/event-stream'],
    ['an event that is cut off', answering(cut.slice(0, -1)), 'body', 'the stream ends within item 0'],
    [
      'an undeclared member',
      answering('event: sold\ndata: {"progress":1,"secret":2}\n\n'),
      'undeclared-members',
      'an event has an undeclared member at "/data/secret"',
    ],
  ])('%s is found', async (_what, faulty, rule, violation) => {
    expect(await failuresOf(faulty, feed)).toContainEqual(['changes', rule, expect.stringContaining(violation)])
  })
})

describe('of files', () => {
  const files = { report: endpoint('GET /report', { response: ok(download('text/plain')) }) }
  const report = new Blob(['An agate, and two rubies.'], { type: 'text/plain' })
  const server = serve(files, { report: () => report })
  const getHeaderOf = ({ headers }: HttpResponse, name: string): string => headers[headers.indexOf(name) + 1] ?? ''
  /** The same response with other headers. */
  const having = (response: HttpResponse, headers: Readonly<Record<string, string>>): HttpResponse =>
    Object.entries(headers).reduce((all, [name, value]) => {
      const others = without(name.toLowerCase(), all)
      return { ...others, headers: [...others.headers, name, value] }
    }, response)
  /** The same request without some headers. */
  const ignoring =
    (...names: readonly string[]): HttpHandler =>
    (request) =>
      server({ ...request, signal: request.signal, header: (name) => (names.includes(name) ? undefined : request.header(name)) })
  const changing =
    (status: number, change: (response: HttpResponse) => HttpResponse): HttpHandler =>
    async (request) => {
      const response = await server(request)
      return response.status === status ? change(response) : response
    }
  let count = 0
  const next = (): string => {
    count += 1
    return `${count % 10}`
  }

  test('a correct server has no failures, of any file', async () => {
    expect(await failuresOf(server, files)).toEqual([])
    expect(await failuresOf(mock(files), files)).toEqual([])
    for (const blob of [new Blob([]), new Blob(['a'])]) expect(await failuresOf(serve(files, { report: () => blob }), files)).toEqual([])
    const later = serve(files, { report: () => new Blob([next()], { type: 'text/plain' }) })
    // HEAD would need the next file's length.
    expect(await failuresOf(later, files, { rules: rules.filter(({ name }) => name !== 'head') })).toEqual([])
  })

  test.each<[string, HttpHandler, string]>([
    [
      'a wrong Content-Range',
      changing(206, (response) => having(response, { 'Content-Range': getHeaderOf(response, 'Content-Range').replace('/25', '/24') })),
      'Range is bytes=0-0: expected Content-Range to be bytes 0-0/25, got bytes 0-0/24',
    ],
    [
      'another part than the one that was asked for',
      changing(206, (response) => having({ ...response, body: 'x' }, { 'Content-Length': '1' })),
      'Range is bytes=0-0: the body is not that part of the file',
    ],
    ['ranges that are ignored', ignoring('range'), 'Range is bytes=25-: expected 416, got 200'],
    [
      'a range behind the end that is ignored',
      (request) => server(request.header('range') === 'bytes=25-' ? { ...request, header: () => undefined } : request),
      'Range is bytes=25-: expected 416, got 200',
    ],
    [
      'a 416 without the size',
      changing(416, (response) => having(response, { 'Content-Range': 'bytes */26' })),
      'Range is bytes=25-: expected Content-Range to be bytes */25, got bytes */26',
    ],
    [
      'an ETag that changes between equal requests',
      changing(200, (response) => having(response, { ETag: `"${next()}"` })),
      'the same file again has the ETag',
    ],
    ['a weak ETag', changing(200, (response) => having(response, { ETag: 'W/"1"' })), 'expected a strong ETag, got W/"1"'],
    [
      'another file with the same ETag',
      changing(200, (response) => having({ ...response, body: next() }, { 'Content-Length': '1' })),
      'another file has the same ETag',
    ],
    ['If-None-Match that is ignored', ignoring('if-none-match'), 'expected 304, got 200'],
    ['If-Match that is ignored', ignoring('if-match'), 'expected 412, got 200'],
    ['If-Range that is ignored', ignoring('if-range'), 'If-Range is "no-such-tag": expected 200, got 206'],
  ])('%s is found', async (_what, faulty, violation) => {
    expect(await failuresOf(faulty, files)).toContainEqual(['report', 'download', expect.stringContaining(violation)])
  })
})

describe('of idempotent endpoints', () => {
  const Coin = z.object({ worth: z.int().min(1).max(50) })
  const coins = prefix('/coins', {
    list: endpoint('GET /', { response: ok(z.array(Coin)) }),
    add: endpoint('POST /', { body: Coin, response: created(Coin), idempotent: 'required' }),
  })
  const serveCoins = (
    add: AnyEndpoint = coins.add,
    idempotency: IdempotencyOptions = {},
    worth = (coin: number, _count: number) => coin,
  ) => {
    const all: z.infer<typeof Coin>[] = []
    const handlers = {
      list: () => all,
      add: ({ body }: { readonly body: z.infer<typeof Coin> }) => {
        all.push(body)
        return withHeaders({ worth: worth(body.worth, all.length) }, { Location: '/coins' })
      },
    }
    return serve({ ...coins, add: add as typeof coins.add }, handlers, { idempotency, onError: () => {} })
  }
  const wrap = (change: (store: IdempotencyStore) => Partial<IdempotencyStore>): IdempotencyOptions => {
    const store = memoryIdempotencyStore()
    return { store: { ...store, ...change(store) } }
  }

  test('a correct server has no failures', async () => {
    expect(await failuresOf(serveCoins(), coins)).toEqual([])
  })

  test.each<[string, HttpHandler, string]>([
    [
      'a key that need not be there',
      serveCoins({ ...coins.add, idempotent: 'optional' }),
      'there is no Idempotency-Key: expected 400, got 201',
    ],
    ['a key that is ignored', serveCoins({ ...coins.add, idempotent: undefined }), 'there is no Idempotency-Key: expected 400, got 201'],
    [
      'a second effect',
      serveCoins(
        undefined,
        wrap(({ begin }) => ({ begin: async (claim) => (await begin(claim)) && undefined, complete: () => {} })),
      ),
      'the same request again has a second effect',
    ],
    [
      'another response',
      serveCoins(
        undefined,
        wrap(() => ({ begin: () => undefined })),
        (_, count) => count % 50,
      ),
      'the same request again gets another body',
    ],
    [
      'a body that nothing compares',
      serveCoins(
        undefined,
        wrap(({ begin }) => ({
          begin: async (claim) => {
            const known = await begin(claim)
            return known && { ...known, fingerprint: claim.fingerprint }
          },
        })),
      ),
      'the same key with another body: expected 422, got 201',
    ],
  ])('%s is found', async (_what, faulty, violation) => {
    const failures = await failuresOf(faulty, coins)
    expect(failures).toContainEqual(['add', 'idempotent', violation])
  })
})
