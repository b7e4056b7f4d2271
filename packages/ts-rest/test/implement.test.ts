/** `implement`: the old handlers behind the old client, over sockets. */
import { Readable } from 'node:stream'
import { checkServer, formatReport } from '@lapidary/testing'
import { fromTsRest, type ImplementOptions, implement, type RouteHandler } from '@lapidary/ts-rest'
import { initContract, TsRestResponseError } from '@ts-rest/core'
import { listen } from 'lapidary/node'
import { afterAll, describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { startCpuTime } from '../../lapidary/test/support/cpuTime.ts'
import type { contract as galleryContract } from './support/gallery.ts'
import { handlers } from './support/handlers.ts'
import { versions } from './support/versions.ts'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

async function start(server: Parameters<typeof listen>[0]): Promise<string> {
  const { url, close } = await listen(server, { port: 0 })
  closers.push(close)
  return url
}

describe.each(versions)('$name', ({ gallery, initClient }) => {
  const contract: typeof galleryContract = gallery.contract
  const open = async () => {
    const baseUrl = await start(implement(contract, handlers, { onError: () => {} }))
    return { baseUrl, client: initClient(contract, { baseUrl }) }
  }

  test('its client goes on', async () => {
    const { client } = await open()
    const { works, visitors, notes, admin } = client
    const list = await works.list({ query: { page: 3, tag: ['blue', 'red'] } })
    expect(list).toMatchObject({ status: 200, body: { total: 3, works: [{ tags: ['blue', 'red'] }] } })
    expect(await works.list({ query: {} })).toMatchObject({ body: { total: 1, works: [{ tags: [] }] } })
    expect(await works.get({ params: { id: 1 } })).toMatchObject({ status: 200, body: { title: 'Dawn' } })
    expect(await works.get({ params: { id: 7 } })).toMatchObject({ status: 404, body: { message: 'There is no work 7.' } })
    const given = { title: 'Dusk', kind: 'print', year: null, tags: [] } as const
    const body = { ...given, tags: [] }
    expect(await works.create({ body })).toMatchObject({ status: 201, body: { id: 2, title: 'Dusk' } })
    expect(await works.create({ body: { ...body, title: 'Dawn' } })).toMatchObject({ status: 409, body: { message: 'It is there.' } })
    expect(await works.replace({ params: { id: 1 }, body })).toMatchObject({ status: 200, body: { id: 1 } })
    expect(await works.replace({ params: { id: 4 }, body })).toMatchObject({ status: 201, body: { id: 4 } })
    expect(await works.change({ params: { id: 4 }, body: { title: 'Noon' } })).toMatchObject({ status: 200, body: { title: 'Noon' } })
    expect(await works.remove({ params: { id: 1 } })).toMatchObject({ status: 204 })
    expect(await works.remove({ params: { id: 2 } })).toMatchObject({ status: 404 })
    expect(await works.label({ params: { id: '5' } })).toMatchObject({ status: 200, body: '<h1>5</h1>' })
    expect(await works.csv()).toMatchObject({ status: 200, body: 'id,title\n1,Dawn\n' })
    const thumbnail = await works.thumbnail({ params: { id: '5' } })
    expect(thumbnail.headers.get('content-type')).toBe('image/png')
    const photo = new File(['stone'], 'stone.png', { type: 'image/png' })
    expect(await works.photo({ params: { id: '1' }, body: { caption: 'A "stone"', order: 2, photo } })).toMatchObject({
      status: 200,
      body: { size: 5, caption: 'A "stone"', order: 2 },
    })
    const form = new FormData()
    form.set('caption', 'plain')
    form.set('photo', photo)
    expect(await works.photo({ params: { id: '1' }, body: form })).toMatchObject({ status: 200, body: { size: 5, caption: 'plain' } })

    expect(await visitors.list({ query: { search: 'none' } })).toMatchObject({ status: 200, body: [] })
    expect(await visitors.get({ params: { id: '7d444840-9dc0-4d1b-b245-5ffdce74fad1' } })).toMatchObject({ status: 404, body: null })
    expect(await visitors.create({ body: { email: 'b@example.org', name: 'Ben' } })).toMatchObject({
      status: 201,
      body: { language: 'en' },
    })
    const subscription = { email: 'b@example.org', weekly: 'no' } as const
    expect(await visitors.subscribe({ body: subscription })).toMatchObject({ status: 200, body: subscription })
    const at = new Date('2024-03-01T10:00:00.000Z')
    const id = 'x'
    expect(await visitors.visits({ params: { id }, query: { from: at } })).toMatchObject({
      status: 200,
      body: { visits: [{ at: at.toISOString(), room: 'A' }] },
    })
    const visit = await visitors.visit({ params: { id }, body: { at, room: 'hall' } })
    expect(visit).toMatchObject({ status: 201, body: { at: at.toISOString() } })
    expect(visit.headers.get('x-room')).toBe('hall')

    expect(await notes.create({ body: { type: 'score', score: 4 } })).toMatchObject({ status: 201, body: { score: 4 } })
    expect(await notes.trimmed({ body: { text: ' a ' } })).toMatchObject({ status: 200, body: { text: 'a' } })
    expect(await notes.search({ query: { ids: [1, 2], filter: { owner: 'ann' } } })).toMatchObject({
      status: 200,
      body: { ids: [1, 2], owner: 'ann' },
    })
    expect(await notes.counts()).toMatchObject({ status: 200, body: { text: 2 } })
    expect(await notes.position()).toMatchObject({ status: 200, body: [1, 2] })
    expect(await notes.strict({ body: { a: 'a' } })).toMatchObject({ status: 200, body: { a: 'a', more: 1 } })
    expect(await notes.any({ body: { free: 'yes' } })).toMatchObject({ status: 200, body: { free: 'yes' } })
    expect(await notes.any({ body: { free: 'no' } })).toMatchObject({ status: 500, body: { why: 'no' } })

    expect(await admin.session({ headers: { authorization: 'Bearer 42' } })).toMatchObject({ status: 200, body: { token: 'Bearer 42' } })
    expect(await admin.audit({ headers: { 'x-trace': 't', 'x-level': 2 } })).toMatchObject({ status: 200, body: { trace: 't', level: 2 } })
    expect(await admin.reset({ body: undefined })).toMatchObject({ status: 202, body: { hard: false } })
    expect(await admin.reset({ body: { hard: true } })).toMatchObject({ status: 202, body: { hard: true } })
    expect(await admin.health()).toMatchObject({ status: 200, body: 'yes' })
    expect(await admin.pets({ params: { kind: 'cat', name: 'Tom' } })).toMatchObject({ status: 200, body: { kind: 'cat', name: 'Tom' } })
    expect(await admin.intersection()).toMatchObject({ status: 200, body: { a: 'a', b: 'b' } })
  })

  test('it gets problem details, 405 and OPTIONS', async () => {
    const { baseUrl } = await open()
    const invalid = await fetch(`${baseUrl}/works/one`)
    expect(invalid.status).toBe(400)
    expect(invalid.headers.get('content-type')).toContain('application/problem+json')
    expect(await invalid.json()).toMatchObject({ status: 400, errors: [{ in: 'path', name: 'id' }] })
    const body = await fetch(`${baseUrl}/notes`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"type":"score"}',
    })
    expect(await body.json()).toMatchObject({ status: 400, errors: [{ in: 'body', pointer: '/score' }] })
    const method = await fetch(`${baseUrl}/notes`, { method: 'PUT' })
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, OPTIONS'])
    expect((await fetch(`${baseUrl}/nowhere`)).status).toBe(404)
    expect((await fetch(`${baseUrl}/admin/session`)).status).toBe(401)
    const judged = await fetch(`${baseUrl}/admin/session`, { headers: { Authorization: 'Basic x' } })
    expect([judged.status, await judged.json()]).toEqual([401, { message: 'Who are you?' }])
    expect(judged.headers.get('www-authenticate')).toBeTruthy()
    expect((await fetch(`${baseUrl}/admin/audit`)).status).toBe(400)
  })
})

test.each([
  { version: versions[0], requests: 400 },
  { version: versions[1], requests: process.env['SAMPLES'] === 'whole' ? 2_500 : 400 },
])(
  '$version.name: the checker finds nothing in $requests requests',
  async ({ version: { gallery }, requests }) => {
    const baseUrl = await start(implement(gallery.contract as typeof galleryContract, handlers))
    const credentials = { Authorization: 'Bearer 42' }
    // The handlers keep nothing, so what they delete is still there.
    const options = { requests, seconds: 120, time: 60_000, seed: 1, write: true, credentials, except: ['works.remove'] }
    const report = await checkServer(fromTsRest(gallery.contract), baseUrl, options)
    expect(report.failures.length === 0 ? '' : formatReport(report)).toBe('')
  },
  120_000,
)

const c = initContract()
const one = c.router({
  get: {
    method: 'GET',
    path: '/one',
    query: z.object({
      n: z.number(),
      name: z.string(),
      ids: z.array(z.number()).optional(),
      filter: z.object({ owner: z.string() }).optional(),
    }),
    responses: {
      200: z.object({
        n: z.number(),
        name: z.string(),
        ids: z.array(z.number()),
        owner: z.string().optional(),
        more: z.string().default('x'),
      }),
      404: z.object({ message: z.string() }),
    },
  },
})
type One = Parameters<typeof implement<typeof one>>[1]
const getOne: One = {
  get: ({ query: { ids = [], filter, n, name } }) => ({ status: 200, body: { ids, n, name, ...filter } }),
}

test('with jsonQuery each value of a query is JSON', async () => {
  const url = await start(implement(one, getOne, { jsonQuery: true }))
  const query = new URLSearchParams({ n: '1', name: '"12"', ids: '[1,2]', filter: '{"owner":"ann"}' })
  expect(await (await fetch(`${url}/one?${query}`)).json()).toEqual({ n: 1, name: '12', ids: [1, 2], owner: 'ann', more: 'x' })
  expect(await (await fetch(`${url}/one?n=1&name=opal`)).json()).toMatchObject({ name: 'opal' })
  expect((await fetch(`${url}/one?n=x&name=opal`)).status).toBe(400)
})

test.each([
  ['half of a surrogate pair', 'name="\\ud800"', 200],
  ['a name with half of a surrogate pair', 'filter={"\\ud800":"x"}', 200],
  ['a very deep list', `ids=${'['.repeat(3500)}${']'.repeat(3500)}`, 400],
  ['a very deep object', `filter=${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`, 200],
])('with jsonQuery, a value with %s is no error of the server', async (_, search, status) => {
  const query = z.object({
    name: z.string().optional(),
    ids: z.array(z.number()).optional(),
    filter: z.object({ a: z.string().optional() }).optional(),
  })
  const contract = c.router({ find: { method: 'GET', path: '/stones', query, responses: { 200: z.object({}) } } })
  const { fetch } = implement(contract, { find: async () => ({ status: 200, body: {} }) }, { jsonQuery: true })
  const [name = '', value = ''] = search.split('=')
  const getTime = startCpuTime()
  expect((await fetch(new Request(`http://stones.test/stones?${name}=${encodeURIComponent(value)}`))).status).toBe(status)
  expect(getTime()).toBeLessThan(500)
})

test('with responseValidation the schema of a response parses it', async () => {
  const errors: string[] = []
  const strict = c.router({ get: { ...one.get, responses: { 200: z.object({ n: z.number().refine((n) => n > 0, 'too small') }) } } })
  const handler = { get: ({ query: { n } }: { readonly query: { readonly n: number } }) => ({ status: 200 as const, body: { n } }) }
  const url = await start(implement(strict, handler, { responseValidation: true, onError: (error) => errors.push(String(error)) }))
  expect((await fetch(`${url}/one?n=1&name=a`)).status).toBe(200)
  expect((await fetch(`${url}/one?n=-1&name=a`)).status).toBe(500)
  expect(errors.join()).toContain('The handler of get returned a body that the contract does not allow for 200: too small.')
})

test('with responseValidation false a handler sends what it returns', async () => {
  const get = ({ query: { n } }: { readonly query: { readonly n: number } }) => ({ status: 200, body: { n, secret: 1 } })
  const read = async (options: ImplementOptions): Promise<unknown> => {
    const url = await start(implement(one, { get } as never, { onError: () => {}, ...options }))
    const response = await fetch(`${url}/one?n=1&name=a`)
    return response.ok ? response.json() : response.status
  }
  expect(await read({ responseValidation: false })).toEqual({ n: 1, secret: 1 })
  expect(await read({})).toBe(500)
  expect(await read({ responseValidation: true })).toBe(500)
})

test('a thrown TsRestResponseError is the response, and so is a status that the contract does not declare', async () => {
  const url = await start(
    implement(one, {
      get: ({ query: { n } }) => {
        if (n === 404) throw new TsRestResponseError(one.get, { status: 404, body: { message: 'no' } })
        return { status: 418, body: { tea: n } }
      },
    }),
  )
  const missing = await fetch(`${url}/one?n=404&name=a`)
  expect([missing.status, await missing.json()]).toEqual([404, { message: 'no' }])
  const tea = await fetch(`${url}/one?n=2&name=a`)
  expect([tea.status, await tea.json()]).toEqual([418, { tea: 2 }])
})

const download = c.router({
  get: {
    method: 'GET',
    path: '/download/:kind',
    responses: {
      200: c.otherResponse({ contentType: 'text/csv', body: c.type<unknown>() }),
      202: c.otherResponse({ contentType: 'application/pdf', body: c.type<unknown>() }),
      203: z.unknown(),
      404: c.otherResponse({ contentType: 'text/html', body: z.string() }),
      409: z.string(),
      410: c.noBody(),
    },
  },
})

test('a body that is no JSON is a text, bytes, a Blob or a stream', async () => {
  const sources: Record<string, () => unknown> = {
    text: () => 'a;b',
    bytes: () => Buffer.from('a;b'),
    buffer: () => new Uint8Array([97, 59, 98]).buffer,
    blob: () => new Blob(['a;b']),
    node: () => Readable.from([Buffer.from('a;'), Buffer.from('b')]),
    web: () => new Blob(['a;b']).stream(),
  }
  const get: RouteHandler<typeof download.get> = ({ params: { kind } }) => ({ status: 200, body: sources[kind]?.() })
  const url = await start(implement(download, { get }))
  for (const kind of Object.keys(sources)) {
    const response = await fetch(`${url}/download/${kind}`)
    expect([kind, response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      kind,
      200,
      'text/csv;charset=utf-8',
      'a;b',
    ])
  }
})

test('bodies of errors have their media types, and none has no body', async () => {
  const errors: string[] = []
  const get: RouteHandler<typeof download.get> = ({ params: { kind } }) => {
    if (kind === 'gone') return { status: 410, body: undefined }
    if (kind === 'pdf') return { status: 202, body: '%PDF' }
    if (kind === 'tea') return { status: 418, body: undefined }
    if (kind === 'taken') return { status: 409, body: 'taken' }
    if (kind === 'busy') return { status: 503, body: 'busy' }
    return kind === 'stream' ? { status: 203, body: new Blob(['x']) } : { status: 404, body: '<p>none' }
  }
  const url = await start(implement(download, { get }, { onError: (error) => errors.push(String(error)) }))
  const read = async (kind: string): Promise<readonly unknown[]> => {
    const response = await fetch(`${url}/download/${kind}`)
    return [response.status, response.headers.get('content-type'), await response.text()]
  }
  expect(await read('pdf')).toEqual([202, 'application/pdf', '%PDF'])
  expect(await read('none')).toEqual([404, 'text/html;charset=utf-8', '<p>none'])
  expect(await read('gone')).toEqual([410, null, ''])
  expect(await read('tea')).toEqual([418, null, ''])
  expect(await read('taken')).toEqual([409, expect.stringContaining('application/json'), '"taken"'])
  expect(await read('busy')).toEqual([503, 'application/json', '"busy"'])
  expect((await read('stream'))[0]).toBe(500)
  expect(errors).toEqual([
    'TypeError: The handler of get returned a stream or a Blob as JSON for 203. Declare its media type: c.otherResponse({ contentType, body }).',
  ])
})

test('a form without named parts gives its handler all parts', async () => {
  const isForm = (value: unknown): boolean => typeof value === 'object' && value !== null && 'name' in value
  const upload = c.router({
    any: { method: 'POST', path: '/any', contentType: 'multipart/form-data', body: z.any(), responses: { 200: z.array(z.string()) } },
    custom: {
      method: 'POST',
      path: '/custom',
      contentType: 'multipart/form-data',
      body: z.custom<{ readonly name: string }>(isForm, 'a name is missing'),
      responses: { 200: z.array(z.string()) },
    },
  })
  const keys = ({ body }: { readonly body: object }) => ({ status: 200 as const, body: Object.keys(body) })
  const url = await start(implement(upload, { any: keys, custom: keys }))
  const form = new FormData()
  form.set('photo', new Blob(['x']), 'x.png')
  const post = (path: string): Promise<Response> => fetch(`${url}${path}`, { method: 'POST', body: form })
  expect(await (await post('/any')).json()).toEqual(['photo'])
  expect(await (await post('/custom')).json()).toMatchObject({ status: 400, errors: [{ detail: 'a name is missing' }] })
  form.set('name', 'opal')
  expect(await (await post('/custom')).json()).toEqual(['photo', 'name'])
})

test('a server is the fallback of the one that takes its place, endpoint by endpoint', async () => {
  const old = implement(one, getOne)
  const two = c.router({ two: { method: 'GET', path: '/two', responses: { 200: z.object({ two: z.literal(2) }) } } })
  const url = await start(implement(two, { two: () => ({ status: 200, body: { two: 2 } }) }, { fallback: old }))
  expect(await (await fetch(`${url}/two`)).json()).toEqual({ two: 2 })
  expect(await (await fetch(`${url}/one?n=1&name=a`)).json()).toMatchObject({ n: 1 })
})

test.each<readonly [string, unknown, string]>([
  ['a missing handler', {}, 'implement(): there is no handler for get. Add a function under this name.'],
  ['a stray handler', { ...getOne, put: () => {} }, 'implement(): the contract has no route put. Remove the handler, or correct its name.'],
  [
    'middleware of Express',
    { get: { middleware: [], handler: () => {} } },
    'implement(): the handler of get is an object, and not a function. Middleware of Express stays outside: give it to the option "middleware".',
  ],
])('%s is refused', (_name, router, message) => {
  expect(() => implement(one, router as never)).toThrow(new TypeError(message))
})

test('a thrown error of an HTTP client is no response', async () => {
  const contract = c.router({ stone: { method: 'GET', path: '/stone', responses: { 200: z.object({}) } } })
  // As undici throws it.
  const error = Object.assign(new Error('Response status code 403'), {
    name: 'ResponseStatusCodeError',
    code: 'UND_ERR_RESPONSE_STATUS_CODE',
    statusCode: 403,
    body: { secret: 'of another server' },
    headers: {},
  })
  const errors: unknown[] = []
  const { fetch } = implement(contract, { stone: () => Promise.reject(error) }, { onError: (thrown) => void errors.push(thrown) })
  const response = await fetch(new Request('http://stones.test/stone'))
  expect([response.status, errors]).toEqual([500, [error]])
  expect(await response.text()).not.toContain('secret')
})

test('a body of JSON can have a member that is named pipe', async () => {
  const contract = c.router({ tool: { method: 'GET', path: '/tool', responses: { 200: z.object({ pipe: z.string() }) } } })
  const { fetch } = implement(contract, { tool: async () => ({ status: 200, body: { pipe: 'copper' } }) })
  expect(await (await fetch(new Request('http://stones.test/tool'))).json()).toEqual({ pipe: 'copper' })
})

test('a part of a form can be a date', async () => {
  const body = z.object({ at: z.date(), photo: z.instanceof(File) })
  const contract = c.router({
    add: { method: 'POST', path: '/photos', contentType: 'multipart/form-data', body, responses: { 200: z.object({ year: z.number() }) } },
  })
  const { fetch } = implement(contract, { add: async ({ body: { at } }) => ({ status: 200, body: { year: (at as Date).getFullYear() } }) })
  const form = new FormData()
  form.set('at', '1923-05-01T00:00:00.000Z')
  form.set('photo', new File(['x'], 'x.png'))
  const response = await fetch(new Request('http://stones.test/photos', { method: 'POST', body: form }))
  expect(await response.json()).toEqual({ year: 1923 })
})

test('a handler gets the files of a form, with and without a schema', async () => {
  const contentType = 'multipart/form-data'
  const responses = { 200: z.object({ size: z.number() }) }
  interface Upload {
    readonly photo: File
    readonly more?: File[]
    readonly note: string
  }
  const contract = c.router({
    typed: { method: 'POST', path: '/typed', contentType, body: c.type<Upload>(), responses },
    described: {
      method: 'POST',
      path: '/described',
      contentType,
      body: z.object({ photo: z.instanceof(File), note: z.string() }),
      responses,
    },
  })
  const { fetch } = implement(contract, {
    typed: async ({ body }) => {
      expectTypeOf(body).toEqualTypeOf<Upload>()
      return { status: 200, body: { size: body.photo.size + body.note.length } }
    },
    described: async ({ body }) => {
      expectTypeOf(body.photo).toEqualTypeOf<File>()
      return { status: 200, body: { size: body.photo.size + body.note.length } }
    },
  })
  for (const path of ['typed', 'described']) {
    const form = new FormData()
    form.set('photo', new File(['stone'], 'stone.png'))
    form.set('note', 'wet')
    const response = await fetch(new Request(`http://stones.test/${path}`, { method: 'POST', body: form }))
    expect(await response.json()).toEqual({ size: 8 })
  }
})

test('a result without a status, and a success that is not declared, are errors of the handler', async () => {
  const errors: string[] = []
  const onError = (error: unknown): void => void errors.push(String(error))
  const url = await start(
    implement(
      one,
      { get: (({ query: { n } }: { query: { n: number } }) => (n === 1 ? {} : { status: 201, body: 1 })) as never },
      { onError },
    ),
  )
  expect((await fetch(`${url}/one?n=1&name=a`)).status).toBe(500)
  expect((await fetch(`${url}/one?n=2&name=a`)).status).toBe(500)
  expect(errors).toEqual([
    'TypeError: The handler of get did not return { status, body }. Return both, such as { status: 200, body: post }.',
    'TypeError: The handler of get returned the status 201, which the contract does not declare. Add it to the responses.',
  ])
})

test('a handler has the types of its route', () => {
  type Works = (typeof galleryContract)['works']
  type Input = Parameters<RouteHandler<Works['replace']>>[0]
  expectTypeOf<Input['params']>().toEqualTypeOf<{ id: number }>()
  expectTypeOf<Input['body']['kind']>().toEqualTypeOf<'painting' | 'sculpture' | 'print'>()
  type Result = Awaited<ReturnType<RouteHandler<Works['get']>>>
  expectTypeOf<Result['status']>().toEqualTypeOf<200 | 403 | 404>()
  const get: RouteHandler<Works['get']> = ({ params: { id } }) => ({ status: 404, body: { message: `${id}` } })
  // @ts-expect-error: a contract with strict status codes has no such one
  const teapot: RouteHandler<Works['get']> = () => ({ status: 418, body: {} })
  // @ts-expect-error: the body of a 404 has a message
  const silent: RouteHandler<Works['get']> = () => ({ status: 404, body: {} })
  expect([get, teapot, silent]).toHaveLength(3)
})
