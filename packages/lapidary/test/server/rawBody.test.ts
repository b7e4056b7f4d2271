/** `rawBody`: the bytes of a body as they arrived, for handlers, providers and the authenticator that verifies their signature. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkServer, diff, manifest } from '@lapidary/testing'
import {
  apiKey,
  authScheme,
  bearer,
  both,
  byteStream,
  content,
  endpoint,
  file,
  form,
  json,
  mount,
  multipart,
  ndjson,
  ok,
  operations,
  optional,
  text,
} from 'lapidary'
import { listen, toNodeListener } from 'lapidary/node'
import { openapi } from 'lapidary/openapi'
import { authenticate, type Next, provide, serve } from 'lapidary/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter, testRows } from '../support/matrix/eachAdapter.ts'
import {
  buildRequest,
  expectResponse,
  post,
  postJson,
  type Row,
  refuses,
  respondsWith,
  json as respondsWithJson,
} from '../support/matrix/row.ts'

const Delivery = z.object({ event: z.literal('added'), count: z.int().default(1) })
const signature = apiKey<{ readonly name: string }>({ in: 'header', name: 'X-Signature' })
const keys = authScheme<string, string>({
  name: 'keys',
  challenge: 'Key',
  credentials: (header) => header('x-key'),
  headers: (key) => ({ 'X-Key': key }),
  openapi: { type: 'apiKey', in: 'header', name: 'X-Key' },
})

const api = {
  plain: endpoint('POST /plain', { body: content(Delivery, json, form), rawBody: true, response: ok(json) }),
  signed: endpoint('POST /signed', { auth: signature, body: Delivery, rawBody: true, response: ok(json), maxBodySize: 100 }),
  twice: endpoint('POST /twice', { auth: both(keys, signature), body: Delivery, rawBody: true, response: ok(json) }),
  optional: endpoint('POST /optional', { body: optional(Delivery), rawBody: true, response: ok(json) }),
  paid: endpoint('POST /paid', { body: Delivery, rawBody: true, idempotent: 'required', response: ok(json) }),
  note: {
    read: endpoint('GET /note', { etag: true, response: ok(text) }),
    write: endpoint('PUT /note', { etag: 'optional', body: text, rawBody: true, response: ok(json) }),
  },
  usual: endpoint('POST /usual', { body: Delivery, response: ok(json) }),
}

const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const sign = (bytes: string | Uint8Array): string => createHmac('sha256', 'opal').update(bytes).digest('hex')
const length = async ({ rawBody }: { readonly rawBody: Uint8Array }, next: Next) => next({ length: rawBody.length })

const server = serve(
  api,
  {
    plain: ({ body, rawBody }) => [body, decode(rawBody)],
    ...provide({ signed: api.signed }, length, { signed: ({ body, user, length: bytes }) => [body, user.name, bytes] }),
    twice: ({ user }) => user,
    optional: ({ body, rawBody }) => [body ?? null, rawBody.length],
    paid: ({ rawBody }) => decode(rawBody),
    note: {
      read: () => 'Open.',
      write: ({ rawBody, precondition }) => {
        precondition?.('Open.')
        return decode(rawBody)
      },
    },
    usual: (input) => Object.keys(input).includes('rawBody'),
  },
  {
    auth: [
      authenticate(signature, (given, _request, rawBody) => (rawBody && given === sign(rawBody) ? { name: 'Ann' } : undefined)),
      authenticate(keys, (key) => (key === 'k' ? key : undefined)),
    ],
  },
)

const spaced = '{ "event" : "added" }'
const withSignature = (body: string, signed = body) => postJson('/signed', body, { 'X-Signature': sign(signed) })
const added = { event: 'added', count: 1 }

const rows: readonly Row[] = [
  ['a handler gets the bytes beside the value', postJson('/plain', spaced), respondsWithJson([added, spaced])],
  [
    'whatever the media type is',
    post('/plain', 'application/x-www-form-urlencoded', 'count=2&event=added'),
    respondsWithJson([{ event: 'added', count: 2 }, 'count=2&event=added']),
  ],
  [
    'a provider gets the bytes, and the authenticator has verified them',
    withSignature(spaced),
    respondsWithJson([added, 'Ann', spaced.length]),
  ],
  ['the signature is that of the bytes, not of the value', withSignature(spaced, '{"event":"added"}'), respondsWith(401)],
  ['a wrong signature comes before the schema', withSignature('{}', 'x'), respondsWith(401)],
  ['and before the syntax', withSignature('{', 'x'), respondsWith(401)],
  ['and before the media type', post('/signed', 'text/plain', spaced, { 'X-Signature': 'x' }), respondsWith(401)],
  ['no signature at all', postJson('/signed', spaced), respondsWith(401)],
  ['a right signature of a wrong value', withSignature('{}'), refuses(400, expect.objectContaining({ in: 'body', pointer: '/event' }))],
  ['a right signature of a wrong media type', post('/signed', 'text/plain', 'a', { 'X-Signature': sign('a') }), respondsWith(415)],
  ['a body that is too large', withSignature(' '.repeat(101)), respondsWith(413)],
  ['two schemes', postJson('/twice', spaced, { 'X-Key': 'k', 'X-Signature': sign(spaced) }), respondsWithJson(['k', { name: 'Ann' }])],
  ['two schemes, the second one wrong', postJson('/twice', spaced, { 'X-Key': 'k', 'X-Signature': 'x' }), respondsWith(401)],
  ['an absent body has no bytes', buildRequest('POST', '/optional'), respondsWithJson([null, 0])],
  ['an optional body has its bytes', postJson('/optional', spaced), respondsWithJson([added, spaced.length])],
  ['with a precondition', buildRequest('PUT', '/note', { 'Content-Type': 'text/plain' }, 'Shut.'), respondsWithJson('Shut.')],
  [
    'with a precondition that fails',
    buildRequest('PUT', '/note', { 'Content-Type': 'text/plain', 'If-Match': '"x"' }, 'Shut.'),
    respondsWith(412),
  ],
  ['an endpoint without the option has no such member', postJson('/usual', spaced), respondsWithJson(false)],
]

describeEachAdapter(server, (running) => {
  testRows(running, rows)
  test('with an idempotency key', async () => {
    // A key belongs to one host.
    await expectResponse(running, postJson('/paid', spaced, { 'Idempotency-Key': `"${crypto.randomUUID()}"` }), respondsWithJson(spaced))
  })
})

describe('clients see nothing of it', () => {
  const { plain } = api
  const described = (rawBody: true | undefined) => ({
    plain: endpoint('POST /plain', { body: content(Delivery, json, form), rawBody, response: ok(json) }),
  })

  test('not in OpenAPI', async () => {
    const options = { title: 'Webhooks', version: '1' }
    expect(await openapi({ plain }, options)).toEqual(await openapi(described(undefined), options))
  })

  test('not in a comparison of two versions', () => {
    expect(diff(manifest(described(undefined)), manifest(described(true)))).toEqual([])
  })

  test('a check of the server has no complaint', async () => {
    const running = await listen(server)
    onTestFinished(() => running.close({ drain: 0, grace: 0 }))
    const { plain, signed, optional } = api
    const report = await checkServer({ plain, signed, optional }, running.url, { seed: 1 })
    expect(report.failures).toEqual([])
  })
})

test.each<[what: string, make: () => object, message: RegExp]>([
  [
    'no body',
    () => endpoint('POST /a', { rawBody: true, response: ok(json) }),
    /^POST \/a: rawBody must be true or absent, and needs a body\. Write rawBody: true and declare a body, or remove the option\.$/,
  ],
  [
    'another value',
    () => endpoint('POST /a', { body: json, rawBody: 'yes' as unknown as true, response: ok(json) }),
    /rawBody must be true or absent/,
  ],
  [
    'a stream',
    () => endpoint('POST /a', { body: byteStream(), rawBody: true, response: ok(json) }),
    /its body application\/octet-stream is not read/,
  ],
  [
    'lines',
    () => endpoint('POST /a', { body: ndjson(Delivery), rawBody: true, response: ok(json) }),
    /its body application\/x-ndjson is not read/,
  ],
  [
    'a form with files',
    () => endpoint('POST /a', { body: multipart({ a: file() }), rawBody: true, response: ok(json) }),
    /its body multipart\/form-data is not read as a whole\. Remove the option, or declare a body such as bytes or json\.$/,
  ],
])('%s is refused', (_what, make, message) => {
  expect(() => operations({ a: make() as never })).toThrow(message)
})

test('a parser of Node that has read the body is told to the programmer, and not to the client', async () => {
  const hooks = bearer<string>('hooks')
  const one = { one: endpoint('POST /one', { auth: hooks, body: json, response: ok(text), rawBody: true }) }
  const reports: unknown[] = []
  const verify = (_token: string, _request: unknown, bytes?: Uint8Array): string | undefined =>
    new TextDecoder().decode(bytes) === '{ "a": 1 }' ? 'ann' : undefined
  const inner = serve(
    one,
    { one: ({ user }) => user },
    { auth: [authenticate(hooks, verify)], onError: (error) => void reports.push(error) },
  )
  // A mount of the same server sees what the adapter knows.
  const listener = toNodeListener(serve({ in: mount('/in') }, { in: inner }))
  const statuses: number[] = []
  for (const keepsBytes of [false, true]) {
    // As express.json() does it; the second time with `verify: (request, _, bytes) => { request.rawBody = bytes }`.
    const running = createServer(async (incoming, outgoing) => {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      listener(Object.assign(incoming, { body: JSON.parse(bytes.toString()), ...(keepsBytes && { rawBody: bytes }) }), outgoing)
    })
    running.listen(0, '127.0.0.1')
    await once(running, 'listening')
    const { port } = running.address() as AddressInfo
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer a' }
    const response = await fetch(`http://127.0.0.1:${port}/in/one`, { method: 'POST', headers, body: '{ "a": 1 }' })
    await response.text()
    statuses.push(response.status)
    running.close()
  }
  expect(statuses).toEqual([500, 200])
  expect(reports).toEqual([
    expect.objectContaining({
      message:
        'POST /one needs the bytes of its body (rawBody), but another parser has already read them. Put toNodeListener() in front of express.json(), or use express.raw({ type: "*/*" }) for this path.',
    }),
  ])
})
