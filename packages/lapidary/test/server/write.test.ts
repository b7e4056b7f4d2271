/** Several responses of success: which one is sent, in which media type, and what a client makes of it. */
import {
  type AnyReply,
  content,
  created,
  endpoint,
  html,
  int,
  json,
  ndjson,
  noContent,
  ok,
  optional,
  partialContent,
  reply,
  respond,
  seeOther,
  text,
  withHeaders,
} from 'lapidary'
import { client, UnexpectedResponseError } from 'lapidary/client'
import { type ApiServer, type Handlers, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { thrown } from '../support/client/thrownError.ts'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import { buildRequest, expectResponse, get, postJson, type Row, refuses, respondsWith } from '../support/matrix/row.ts'

const Order = z.object({ stone: z.string(), count: z.int() })
const Job = z.object({ progress: z.number() })
const page = html<z.infer<typeof Job>>(({ progress }) => `<p>${progress}`)
const isJson = 'application/json;charset=utf-8'
const isHtml = 'text/html; charset=utf-8'

const api = {
  order: endpoint('POST /orders', {
    body: Order,
    response: [
      created(Order),
      reply(202, content(Job, json, page), { headers: { 'X-Queue': int } }),
      seeOther,
      noContent,
      reply(203, ndjson(Job)),
    ],
  }),
  note: endpoint('GET /note', { response: [noContent, ok(content(Job, json, page))] }),
  tagged: endpoint('GET /tagged/:which', { response: [ok(Job), reply(202, Job)], etag: true }),
}

const reports: unknown[] = []

const handlers: Handlers<typeof api> = {
  order: async ({ body }) => {
    const { stone, count } = body
    if (stone === 'later') return respond(202, withHeaders({ progress: count }, { 'X-Queue': count }))
    if (stone === 'exists') return respond(303, withHeaders({ Location: '/orders/1' }))
    if (stone === 'nothing') return respond(204)
    if (stone === 'stream') return respond(203, [{ progress: 1 }, { progress: 2 }])
    if (stone === 'named') return respond(201, withHeaders(body, { Location: '/orders/3' }))
    if (stone === 'undeclared') return respond(200 as 204)
    if (stone === 'wrong') return respond(202, withHeaders({ progress: 'half' as never }, { 'X-Queue': count }))
    if (stone === 'headless') return respond(202, { progress: 1 } as never)
    return withHeaders(body, { Location: '/orders/2' })
  },
  note: () => respond(200, { progress: 1 }),
  tagged: ({ params }) => (params.which === 'usual' ? { progress: 1 } : respond(202, { progress: 2 })),
}

const server: ApiServer = serve(api, handlers, { onError: (error) => void reports.push(error) })

const order = (stone: string, headers: Readonly<Record<string, string>> = {}) =>
  postJson('/orders', JSON.stringify({ stone, count: 3 }), headers)

const rows: readonly Row[] = [
  [
    'the value of the first response is returned as it is',
    order('opal'),
    respondsWith(201, { json: { stone: 'opal', count: 3 }, headers: { Location: '/orders/2' } }),
  ],
  ['the first response can be named, too', order('named'), respondsWith(201, { headers: { Location: '/orders/3' } })],
  [
    'another one has its own body and headers',
    order('later'),
    respondsWith(202, { json: { progress: 3 }, headers: { 'X-Queue': '3', Location: null, Vary: 'Accept' } }),
  ],
  ['one without a body', order('exists'), respondsWith(303, { text: '', headers: { Location: '/orders/1', 'Content-Type': null } })],
  ['one without body and headers', order('nothing'), respondsWith(204, { text: '' })],
  ['one that is a stream', order('stream'), respondsWith(203, { text: '{"progress":1}\n{"progress":2}\n' })],
  [
    'Accept chooses the type of another response',
    order('later', { Accept: `${isJson};q=0.5, text/html` }),
    respondsWith(202, { text: '<p>3', headers: { 'Content-Type': isHtml } }),
  ],
  [
    'a type that another response does not have gets its first: the work is done',
    order('stream', { Accept: 'application/json' }),
    respondsWith(203, { text: '{"progress":1}\n{"progress":2}\n' }),
  ],
  ['Accept is decided by the usual response, before the handler runs', order('later', { Accept: 'text/html' }), refuses(406)],
  [
    'where the usual response has no body, Accept rejects nothing',
    get('/note', { Accept: 'image/png' }),
    respondsWith(200, { json: { progress: 1 } }),
  ],
  ['and it chooses the type of the other', get('/note', { Accept: 'text/html' }), respondsWith(200, { text: '<p>1' })],
  [
    'HEAD has the headers of the response that GET has',
    buildRequest('HEAD', '/note'),
    respondsWith(200, { text: '', headers: { 'Content-Type': isJson } }),
  ],
  ['the usual response has the ETag', get('/tagged/usual'), respondsWith(200, { headers: { ETag: expect.stringMatching(/^"/) } })],
  ['another response has none', get('/tagged/other'), respondsWith(202, { headers: { ETag: null } })],
  ['and no condition applies to it', get('/tagged/other', { 'If-None-Match': '*' }), respondsWith(202, { json: { progress: 2 } })],
  ['as it does to the usual one', get('/tagged/usual', { 'If-None-Match': '*' }), respondsWith(304)],
]

describeEachAdapter(server, (running) => {
  testRows(running, rows)

  test.each([
    [
      'a status that is not declared',
      'undeclared',
      'The handler of POST /orders returned respond(200), but the endpoint declares 201, 202, 303, 204, 203. Add reply(200) to its "response", or return another status.',
    ],
    ['a body that its schema does not allow', 'wrong', /POST \/orders.*progress/],
    [
      'no headers where they are declared',
      'headless',
      "POST /orders declares the response header X-Queue: return withHeaders(body, { 'X-Queue': … }).",
    ],
  ])('%s is a reported 500', async (_what, stone, message) => {
    reports.length = 0
    await expectResponse(running, order(stone), refuses(500))
    expect(reports).toEqual([expect.objectContaining({ message: typeof message === 'string' ? message : expect.stringMatching(message) })])
  })
})

describe('a client', () => {
  const call = client(api, 'http://test.invalid', { fetch: server.fetch })
  const send = (stone: string) => call.order({ body: { stone, count: 3 } })

  test('gets a union by status', async () => {
    expect(await send('opal')).toEqual({ status: 201, body: { stone: 'opal', count: 3 }, headers: { Location: '/orders/2' } })
    expect(await send('later')).toEqual({ status: 202, body: { progress: 3 }, headers: { 'X-Queue': 3 } })
    expect(await send('exists')).toEqual({ status: 303, body: undefined, headers: { Location: '/orders/1' } })
    expect(await send('nothing')).toEqual({ status: 204, body: undefined })
  })

  test('gets a stream in it', async () => {
    const response = await send('stream')
    if (response.status !== 203) throw new Error(`got ${response.status}`)
    const items: unknown[] = []
    for await (const item of response.body) items.push(item)
    expect(items).toEqual([{ progress: 1 }, { progress: 2 }])
  })

  test('does not take an undeclared success for a declared one', async () => {
    const other = client(api, 'http://test.invalid', { fetch: async () => new Response(null, { status: 205 }) })
    const error = await thrown(() => other.note())
    expect(error).toBeInstanceOf(UnexpectedResponseError)
    expect(String(error)).toContain('the API declares 204, 200')
  })
})

describe('a definition', () => {
  test('of one response in a list is that of the response', async () => {
    const single = { one: endpoint('GET /one', { response: [ok(text)] }) }
    const fetch = serve(single, { one: () => 'one' }).fetch
    expect(await client(single, 'http://test.invalid', { fetch }).one()).toBe('one')
  })

  test.each<[string, unknown, string]>([
    ['no response', [], 'GET /a: response is an empty list, expected a reply'],
    ['a schema among the responses', [ok(text), Job], 'GET /a: response[1] is a schema, expected a reply'],
    ['two responses of one status', [ok(text), ok(json)], 'GET /a: two of its responses have the status 200'],
    ['an error with the status of a response', [ok(text), reply(409)], 'GET /a: its response and one of its errors have the status 409'],
  ])('with %s is rejected', (_what, response, message) => {
    expect(() => endpoint('GET /a', { response: response as never, errors: [reply(409)] })).toThrow(message)
  })
})

describe('created and seeOther', () => {
  test.each<[string, { readonly status: number; readonly headers: object; readonly content: unknown }, number, readonly string[]]>([
    ['created', created, 201, ['Location']],
    ['created with a body', created(Job), 201, ['Location']],
    ['created with headers', created({ headers: { 'X-Queue': int } }), 201, ['X-Queue', 'Location']],
    ['created with a body and headers', created(Job, { headers: { 'X-Queue': int } }), 201, ['X-Queue', 'Location']],
    ['created with a Location of its own', created({ headers: { location: optional(text) } }), 201, ['location']],
    ['seeOther', seeOther, 303, ['Location']],
  ])('%s', (_what, { status, headers }, expectedStatus, names) => {
    expect([status, Object.keys(headers)]).toEqual([expectedStatus, names])
  })

  test.each<[what: string, response: AnyReply, result: unknown, message: string]>([
    [
      'a body without headers',
      created(Job),
      { progress: 1 },
      "POST /jobs declares the response header Location: return withHeaders(body, { Location: '/stones/7' }).",
    ],
    ['nothing', created, undefined, "POST /jobs declares the response header Location: return withHeaders({ Location: '/stones/7' })."],
    [
      'headers without Location',
      created({ headers: { 'X-Queue': int } }),
      withHeaders({ 'X-Queue': 1 }),
      "POST /jobs returned no header Location, which its reply declares. Add it to withHeaders(), such as { Location: '/stones/7' }, or declare it with optional().",
    ],
    [
      'Location in lower case',
      seeOther,
      withHeaders({ location: '/jobs/7' }),
      "POST /jobs returned no header Location, which its reply declares. Add it to withHeaders(), such as { Location: '/stones/7' }, or declare it with optional().",
    ],
    [
      'a Location that is no text',
      created,
      withHeaders({ Location: 7 }),
      'POST /jobs returned the header Location, which its reply does not allow. 7 cannot be written: expected a text. Correct the handler or the codec.',
    ],
  ])('a handler that returns %s is a sentence that says what to return', async (_what, response, result, message) => {
    const jobs = { add: endpoint('POST /jobs', { response }) }
    const errors: unknown[] = []
    const { fetch } = serve(jobs, { add: () => result as never }, { onError: (error) => void errors.push(error) })
    expect((await fetch(new Request('http://test.invalid/jobs', { method: 'POST' }))).status).toBe(500)
    expect(errors).toEqual([expect.objectContaining({ message })])
  })
})

interface Made {
  readonly status: number
  readonly content: { readonly media: readonly { readonly types: readonly string[] }[] } | undefined
  readonly description: string | undefined
}

describe('what a reply is made of', () => {
  const description = 'It is there.'
  const headers = { 'X-Queue': int }
  test.each<[string, Made, object]>([
    ['reply of a schema', reply(203, Job), { status: 203, media: 'application/json;charset=utf-8' }],
    ['reply with a description', reply(203, undefined, { description }), { status: 203, description }],
    ['ok of a media type', ok(text), { status: 200, media: 'text/plain;charset=utf-8' }],
    ['ok with a description', ok(text, { headers, description }), { status: 200, media: 'text/plain;charset=utf-8', description }],
    ['created without a body', created, { status: 201 }],
    ['created of a media type', created(text), { status: 201, media: 'text/plain;charset=utf-8' }],
    ['created of a schema', created(Job), { status: 201, media: 'application/json;charset=utf-8' }],
    ['created with a description', created({ headers, description }), { status: 201, description }],
    ['created with both', created(Job, { description }), { status: 201, media: 'application/json;charset=utf-8', description }],
    ['partialContent', partialContent(text, { headers, description }), { status: 206, media: 'text/plain;charset=utf-8', description }],
    ['noContent with a description', noContent({ headers, description }), { status: 204, description }],
  ])('%s', (_what, { status, content, description: sentence }, expected) => {
    const media = content?.media[0]?.types[0]
    expect({ status, ...(media && { media }), ...(sentence && { description: sentence }) }).toEqual(expected)
  })

  test('a body of null is a value like any other beside several responses', async () => {
    const one = endpoint('GET /one', { response: [ok(json), reply(202, json)] })
    const { fetch } = serve({ one }, { one: () => null })
    const response = await fetch(new Request('http://test.invalid/one'))
    expect([response.status, await response.text()]).toEqual([200, 'null'])
  })
})
