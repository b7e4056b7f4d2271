/** `requestValidationErrorHandler`: the responses of ts-rest to invalid requests, over sockets. */
import { implement, type RequestValidationError, type RequestValidationErrorHandler } from '@lapidary/ts-rest'
import { initContract } from '@ts-rest/core'
import { listen } from 'lapidary/node'
import { afterAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { z as zod3 } from 'zod3'
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

/** The status and the value of a response of JSON. */
async function read(response: Response): Promise<readonly [number, unknown]> {
  return [response.status, await response.json()]
}

const json = (body: unknown, method = 'POST'): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

describe.each(versions)('$name', ({ name: version, gallery, initClient }) => {
  const contract: typeof galleryContract = gallery.contract
  const name = version.endsWith('zod 3') ? 'ZodError' : 'ValidationError'
  const open = (requestValidationErrorHandler: RequestValidationErrorHandler) =>
    start(implement(contract, handlers, { requestValidationErrorHandler }))

  test('the first part with errors is the body', async () => {
    const url = await open('default')
    const capture = await read(await fetch(`${url}/works/one`))
    expect(capture).toMatchObject([400, { name, issues: [{ code: 'invalid_type', expected: 'number', path: ['id'] }] }])
    const both = await read(await fetch(`${url}/works/one`, json({ title: '' }, 'PUT')))
    expect(both).toMatchObject([400, { issues: [{ path: ['id'] }] }])
    const query = await read(await fetch(`${url}/works?page=0&size=101`))
    expect(query).toMatchObject([
      400,
      {
        name,
        issues: [
          { code: 'too_small', path: ['page'] },
          { code: 'too_big', path: ['size'] },
        ],
      },
    ])
    const header = await read(await fetch(`${url}/admin/audit`, { headers: { 'X-Trace': 't', 'X-Level': 'high' } }))
    expect(header).toMatchObject([400, { name, issues: [{ path: ['x-level'] }] }])
    const body = await read(await fetch(`${url}/notes`, json({ type: 'score', score: 6 })))
    expect(body).toMatchObject([400, { name, issues: [{ code: 'too_big', path: ['score'] }] }])
    const form = await read(await fetch(`${url}/visitors/subscribe`, { method: 'POST', body: new URLSearchParams({ weekly: 'yes' }) }))
    expect(form).toMatchObject([400, { name, issues: [{ path: ['email'] }] }])
  })

  test('the old client sees it', async () => {
    const baseUrl = await open('default')
    const client = initClient(contract, { baseUrl })
    const { status, body, headers } = await client.visitors.create({ body: { email: 'b', name: 'Ben' } })
    expect([status, headers.get('content-type')]).toEqual([400, 'application/json'])
    expect(body).toMatchObject({ name, issues: [{ path: ['email'] }] })
    expect(await client.works.get({ params: { id: 1 } })).toMatchObject({ status: 200 })
    expect(await client.works.get({ params: { id: 7 } })).toMatchObject({ status: 404, body: { message: 'There is no work 7.' } })
  })

  test('all parts with errors are in a combined body', async () => {
    const url = await open('combined')
    expect(await read(await fetch(`${url}/works/one`, json({ title: '' }, 'PUT')))).toMatchObject([
      400,
      {
        pathParameterErrors: { name, issues: [{ path: ['id'] }] },
        headerErrors: null,
        queryParameterErrors: null,
        bodyErrors: { name, issues: [{ path: ['title'] }, { path: ['kind'] }, { path: ['year'] }, { path: ['tags'] }] },
      },
    ])
    expect(await read(await fetch(`${url}/works/one`))).toMatchObject([400, { bodyErrors: null }])
  })

  test('a function makes the response', async () => {
    const seen: RequestValidationError[] = []
    const url = await open(async (error, { target }) => {
      seen.push(error)
      return { status: 422, body: { at: target } }
    })
    expect(await read(await fetch(`${url}/works?page=x`))).toEqual([422, { at: '/works?page=x' }])
    expect(seen).toMatchObject([{ pathParams: null, headers: null, query: { issues: [{ path: ['page'] }] }, body: null }])
  })

  test('a header Authorization that is missing is an error of the headers', async () => {
    const url = await open('default')
    const response = await fetch(`${url}/admin/session`)
    expect(response.headers.has('www-authenticate')).toBe(false)
    expect(await read(response)).toMatchObject([400, { name, issues: [{ path: ['authorization'] }] }])
    const judged = await fetch(`${url}/admin/session`, { headers: { Authorization: 'Basic x' } })
    expect(await read(judged)).toEqual([401, { message: 'Who are you?' }])
  })

  test('the parts of a form with files have errors, too', async () => {
    const url = await open('combined')
    const form = new FormData()
    form.set('photo', new Blob(['x']), 'x.png')
    form.set('caption', 'a')
    form.set('order', 'first')
    expect(await read(await fetch(`${url}/works/1/photo`, { method: 'POST', body: form }))).toMatchObject([
      400,
      { bodyErrors: { issues: [{ path: ['order'] }] } },
    ])
  })

  test('without a body there are the errors of none', async () => {
    const url = await open('default')
    expect(await read(await fetch(`${url}/notes`, { method: 'POST' }))).toMatchObject([400, { name, issues: [{ path: [] }] }])
    expect((await fetch(`${url}/notes`, { method: 'POST', body: 'text' })).status).toBe(415)
    expect(await read(await fetch(`${url}/works?page=0x1`))).toMatchObject([400, { name, issues: [{ code: 'custom', path: ['page'] }] }])
  })
})

const c = initContract()
const query = z.object({
  n: z.coerce.number().default(1),
  ids: z.array(z.coerce.number()).max(2).optional(),
  filter: z.object({ owner: z.string().min(2) }).optional(),
})
const contract = c.router({
  get: {
    method: 'GET',
    path: '/get/:name',
    query,
    responses: { 200: z.object({ n: z.number() }), 400: z.object({ own: z.literal(true) }) },
  },
  post: {
    method: 'POST',
    path: '/post',
    headers: { 'X-Key': z.string(), 'x-count': zod3.coerce.number() },
    query: z.object({ at: z.number().optional() }),
    body: z.object({ text: z.string().refine((text) => text.trim() === text, 'has space around it') }),
    responses: { 200: z.object({ text: z.string() }) },
  },
})
const router: Parameters<typeof implement<typeof contract>>[1] = {
  get: ({ params, query: { n } }) => (params.name === 'own' ? { status: 400, body: { own: true } } : { status: 200, body: { n } }),
  post: ({ body }) => ({ status: 200, body }),
}

test('lists and objects of a query have the errors of their places', async () => {
  const url = await start(implement(contract, router, { requestValidationErrorHandler: 'default' }))
  const issues = async (search: string): Promise<readonly string[]> => {
    const [status, body] = await read(await fetch(`${url}/get/a?${search}`))
    expect(status).toBe(400)
    return (body as { readonly issues: readonly { readonly path: readonly string[] }[] }).issues.map(({ path }) => path.join('.'))
  }
  expect(await issues('ids=1&ids=2&ids=3')).toEqual(['ids'])
  expect(await issues('ids[0]=1&ids[1]=x')).toEqual(['ids.1'])
  expect(await issues('filter[owner]=a&n=x')).toEqual(['n', 'filter.owner'])
  expect((await fetch(`${url}/get/a?ids=1&filter[owner]=ann`)).status).toBe(200)
})

test('what the toolkit refuses, and the schema allows, has issues as well', async () => {
  const url = await start(implement(contract, router, { requestValidationErrorHandler: 'default' }))
  expect(await read(await fetch(`${url}/get/a?n=0x10`))).toMatchObject([
    400,
    { name: 'ValidationError', issues: [{ code: 'custom', path: ['n'], message: expect.stringContaining('number') }] },
  ])
})

test('a body that is no JSON has an issue, and a 400 of the handler stays as it is', async () => {
  const url = await start(implement(contract, router, { requestValidationErrorHandler: 'default' }))
  const headers = { 'Content-Type': 'application/json', 'X-Key': 'k', 'X-Count': '1' }
  const response = await fetch(`${url}/post`, { method: 'POST', headers, body: '{"text":"a"' })
  expect(await read(response)).toMatchObject([400, { issues: [{ code: 'custom', path: [], message: expect.stringContaining('JSON') }] }])
  expect(await read(await fetch(`${url}/get/own`))).toEqual([400, { own: true }])
})

test('headers of a record, and a query of JSON', async () => {
  const options = { requestValidationErrorHandler: 'combined', jsonQuery: true } as const
  const url = await start(implement(contract, router, options))
  expect(await read(await fetch(`${url}/post?at="x"`, json({ text: ' a' })))).toMatchObject([
    400,
    {
      pathParameterErrors: null,
      headerErrors: { issues: [{ path: ['X-Key'] }, { path: ['x-count'] }] },
      queryParameterErrors: { issues: [{ path: ['at'], expected: 'number' }] },
      bodyErrors: { issues: [{ path: ['text'], message: 'has space around it' }] },
    },
  ])
})

test('a wrong path, a wrong method and a large body keep their problems', async () => {
  const url = await start(implement(contract, router, { requestValidationErrorHandler: 'default', maxBodySize: 64 }))
  expect((await fetch(`${url}/nowhere`)).headers.get('content-type')).toContain('problem')
  expect((await fetch(`${url}/get/a`, { method: 'PUT' })).status).toBe(405)
  const headers = { 'Content-Type': 'application/json', 'X-Key': 'k', 'X-Count': '1' }
  const body = JSON.stringify({ text: 'a'.repeat(65) })
  expect((await fetch(`${url}/post`, { method: 'POST', headers, body })).status).toBe(413)
  expect((await fetch(`${url}/post`, { method: 'POST', headers: { ...headers, 'X-Count': 'x' }, body })).status).toBe(400)
})

test('another value of the option is refused', () => {
  expect(() => implement(contract, router, { requestValidationErrorHandler: 'all' as never })).toThrow(
    new TypeError(`implement(): the option requestValidationErrorHandler is all. Give it 'default', 'combined' or a function.`),
  )
})

describe('of one route', () => {
  const c = initContract()
  const contract = c.router({
    add: {
      method: 'POST',
      path: '/stones',
      query: z.object({ weight: z.coerce.bigint().min(5n).optional(), ids: z.array(z.coerce.number()).optional() }),
      body: z.object({ name: z.string(), at: z.date() }),
      responses: { 200: z.object({}) },
    },
  })
  const { fetch } = implement(contract, { add: async () => ({ status: 200, body: {} }) }, { requestValidationErrorHandler: 'combined' })
  const add = (search: string, body: unknown) =>
    fetch(new Request(`http://stones.test/stones${search}`, json(body))).then((response) => read(response))
  const stone = { name: 'opal', at: '1923-05-01T00:00:00.000Z' }

  test('an issue with a bigint is sent', async () => {
    expect(await add('?weight=1', stone)).toMatchObject([400, { queryParameterErrors: { issues: [{ minimum: '5', path: ['weight'] }] } }])
  })

  test('the text of a date is no issue', async () => {
    expect(await add('', { ...stone, name: 1 })).toMatchObject([400, { bodyErrors: { issues: [{ path: ['name'] }] } }])
    expect(await add('?weight=x', stone)).toMatchObject([400, { bodyErrors: null }])
    const [, errors] = await add('', { ...stone, name: 1 })
    expect((errors as { bodyErrors: { issues: unknown[] } }).bodyErrors.issues).toHaveLength(1)
  })

  test('very many values of a list are judged in a short time', async () => {
    const getTime = startCpuTime()
    expect((await add(`?${'ids=1&'.repeat(20_000)}`, stone))[0]).toBe(400)
    expect(getTime()).toBeLessThan(1_500)
  })
})
