/** A body has one reader. A second one, such as an endpoint behind middleware that checks a signature, gets an error, and never an empty body. */
import { byteStream, endpoint, form, json, list, multipart, ok, optional, type Schema, text } from 'lapidary'
import { type HttpHandler, type HttpRequest, serve, toFetch } from 'lapidary/server'
import { beforeEach, expect, test } from 'vitest'
import { describeEachAdapter } from '../support/matrix/eachAdapter.ts'
import { printedErrors } from '../support/printedErrors.ts'

const types = {
  text: 'text/plain',
  json: 'application/json',
  stream: 'application/octet-stream',
  form: 'application/x-www-form-urlencoded',
  parts: 'multipart/form-data;boundary=b',
}
const api = {
  text: endpoint('POST /text', { body: text, response: ok(text) }),
  json: endpoint('POST /json', { body: optional(json), response: ok(text) }),
  stream: endpoint('POST /stream', { body: byteStream(), response: ok(text) }),
  form: endpoint('POST /form', { body: form, response: ok(text) }),
  parts: endpoint('POST /parts', { body: multipart({ a: optional(text) }), response: ok(text) }),
}

const reports: unknown[] = []
const taken: unknown[] = []
const take = ({ body }: { readonly body: unknown }): string => {
  taken.push(body)
  return 'taken'
}
const takeAll = async ({ body }: { readonly body: AsyncIterable<Uint8Array> }): Promise<string> => {
  let size = 0
  for await (const chunk of body) size += chunk.length
  return take({ body: size })
}
const server = serve(
  api,
  { text: take, json: take, stream: takeAll, form: take, parts: take },
  { onError: (error) => void reports.push((error as Error).message) },
)

const readers: Readonly<Record<string, (request: HttpRequest) => Promise<unknown>>> = {
  body: (request) => request.body(1_000),
  bodyStream: async (request) => {
    for await (const _ of request.bodyStream(1_000));
  },
}
/** `?body` and `?bodyStream` say what reads the body first; with `?twice` all do at once. */
const handler: HttpHandler = async (request) => {
  const [, how = ''] = request.target.split('?')
  if (how === 'twice') {
    const all = await Promise.allSettled([request.body(1_000), request.body(1_000), readers['bodyStream']?.(request)])
    return { status: 200, headers: [], body: all.map((one) => (one.status === 'rejected' ? one.reason.name : 'read')).join() }
  }
  await readers[how]?.(request)
  return server(request)
}

beforeEach(() => {
  reports.length = 0
  taken.length = 0
})

describeEachAdapter(Object.assign(handler.bind(undefined), { fetch: toFetch(handler), hasPath: server.hasPath }), ({ fetch }) => {
  const post = (target: string, type: string, body = '"hello"') =>
    fetch(target, { method: 'POST', headers: { 'Content-Type': type }, body })

  test.each(Object.keys(readers).flatMap((reader) => Object.entries(types).map(([name, type]) => [name, reader, type] as const)))(
    'the handler of /%s is not called behind a reader by %s()',
    async (name, reader, type) => {
      const response = await post(`/${name}?${reader}`, type)
      expect([response.status, taken]).toEqual([500, []])
      expect(reports).toEqual([expect.stringMatching(/^The body of this request was already read.+Read it once/)])
      expect((await post('/text', 'text/plain')).status).toBe(200)
    },
  )

  test('of several readers at once the first gets it', async () => {
    expect(await (await post('/text?twice', 'text/plain')).text()).toBe('read,TypeError,TypeError')
  })

  test('a request without a body can be read often', async () => {
    const response = await fetch('/json?body', { method: 'POST' })
    expect([response.status, taken, reports]).toEqual([200, [undefined], []])
  })

  test('a reader whose limit is too small leaves the body to nothing else', async () => {
    const printed = printedErrors()
    const response = await post('/text?body', 'text/plain', 'x'.repeat(2_000))
    expect(response.status).toBe(500)
    expect(taken).toEqual([])
    expect(printed).toEqual([[expect.objectContaining({ target: '/text?body' }), expect.objectContaining({ status: 413 })]])
  })
})

test('an asynchronous schema refuses in the words of a synchronous one', async () => {
  // What it checks besides its JSON Schema is in its own words, which may repeat the value.
  const issues = [{ message: 'not even 7', path: ['size'] }]
  const check = (value: unknown) => ((value as { readonly size: number }).size % 2 === 0 ? { value } : { issues })
  const jsonSchema = { input: () => ({ type: 'object', properties: { size: { type: 'integer' } }, required: ['size'] }) }
  const even = (validate: Schema<unknown>['~standard']['validate']): Schema<unknown> => ({
    '~standard': { version: 1, vendor: 'own', validate, jsonSchema },
  })
  const stones = {
    sync: endpoint('POST /sync', { body: even(check), response: ok(text) }),
    async: endpoint('POST /async', { body: even(async (value) => check(value)), response: ok(text) }),
  }
  const { fetch } = serve(stones, { sync: () => 'a', async: () => 'a' })
  const post = async (path: string, body: string): Promise<{ readonly status: number; readonly errors?: readonly object[] }> => {
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(new Request(`http://test.invalid${path}`, { method: 'POST', headers, body }))
    return response.status === 200 ? { status: 200 } : response.json()
  }
  expect((await post('/async', '{"size":8}')).status).toBe(200)
  for (const body of ['{"size":7}', '{"size":"large"}', '{}', '[]']) {
    const refused = await post('/async', body)
    expect(refused).toEqual(await post('/sync', body))
    expect(refused.errors).toEqual([expect.objectContaining({ in: 'body', detail: expect.stringContaining('expected') })])
  }
})

test('a list waits for those of its items that are validated later', async () => {
  const item: Schema<number> = {
    '~standard': {
      version: 1,
      vendor: 'own',
      validate: (value) => {
        const result = value === 7 ? { issues: [{ message: 'not 7' }] } : { value: Number(value) * 10 }
        return Number(value) > 5 ? Promise.resolve(result) : result
      },
      jsonSchema: { input: () => ({ type: 'integer' }) },
    },
  }
  const { fetch } = serve({ one: endpoint('POST /', { body: list(item), response: ok(json) }) }, { one: ({ body }) => body })
  const post = async (body: string): Promise<unknown> =>
    (await fetch(new Request('http://test.invalid/', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }))).json()
  expect(await post('[1,6,2]')).toEqual([10, 60, 20])
  expect(await post('[1,7,2]')).toMatchObject({ status: 400, errors: [{ in: 'body', pointer: '/1' }] })
})
