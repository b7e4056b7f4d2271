/** `optional(body)`: a request can leave its body out. */
import { mock } from '@lapidary/testing'
import {
  byteStream,
  bytes,
  content,
  endpoint,
  form,
  json,
  mergePatch,
  multipart,
  ndjson,
  noContent,
  ok,
  optional,
  reply,
  text,
} from 'lapidary'
import { client } from 'lapidary/client'
import { documentedRequests, markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeEachAdapter } from '../support/matrix/eachAdapter.ts'

const Note = z.object({ note: z.string() })
const Empty = z.object({ note: z.string().optional() })
const api = {
  note: endpoint('POST /note', { body: optional(Note), response: ok(json) }),
  order: endpoint('POST /order', { body: optional(content(Empty, json, form)), response: ok(json) }),
  change: endpoint('PATCH /change', { body: optional(mergePatch(Note)), response: ok(json) }),
  text: endpoint('POST /text', { body: optional(text), query: { word: optional(text) }, response: ok(json) }),
  bytes: endpoint('POST /bytes', { body: optional(bytes), response: ok(json), maxBodySize: 10 }),
  needed: endpoint('POST /needed', { body: Note, response: ok(json) }),
}

/** What a handler got, for JSON. */
const toShown = (body: unknown): unknown => (body === undefined ? 'absent' : body instanceof Uint8Array ? [...body] : { body })
const got = ({ body }: { readonly body: unknown }): unknown => toShown(body)
const server = serve(api, { note: got, order: got, change: got, text: got, bytes: got, needed: got })

/** A stream has no length that the server knows before its end. */
const stream = (value: string): ReadableStream<Uint8Array> => new Blob([value]).stream() as ReadableStream<Uint8Array>

type Given = string | Uint8Array<ArrayBuffer> | undefined

describeEachAdapter(server, (running) => {
  test.each<[string, string, string | undefined, Given, number, unknown]>([
    ['no body', '/note', undefined, undefined, 200, 'absent'],
    ['an empty body without a type', '/note', undefined, new Uint8Array(), 200, 'absent'],
    ['a body', '/note', 'application/json', '{"note":"a"}', 200, { body: { note: 'a' } }],
    ['a wrong body', '/note', 'application/json', '{}', 400, undefined],
    ['a null', '/note', 'application/json', 'null', 400, undefined],
    ['a body without a type', '/note', undefined, new Uint8Array([123, 125]), 415, undefined],
    ['a body of a wrong type', '/note', 'text/plain', '{"note":"a"}', 415, undefined],
    ['a wrong type without a body', '/note', 'text/plain', '', 415, undefined],
    ['an empty JSON body is absent', '/note', 'application/json', '', 200, 'absent'],
    ['white space is no JSON', '/note', 'application/json', ' ', 400, undefined],
    ['an empty form is a form', '/order', 'application/x-www-form-urlencoded', '', 200, { body: {} }],
    ['of several types, JSON', '/order', 'application/json', '', 200, 'absent'],
    ['of several types, none', '/order', undefined, undefined, 200, 'absent'],
    ['an empty merge patch is absent', '/change', 'application/merge-patch+json', '', 200, 'absent'],
    ['no text', '/text', undefined, undefined, 200, 'absent'],
    ['an empty text is a text', '/text', 'text/plain', '', 200, { body: '' }],
    ['a text', '/text?word=a', 'text/plain', 'a', 200, { body: 'a' }],
    ['no bytes', '/bytes', undefined, undefined, 200, 'absent'],
    ['empty bytes are bytes', '/bytes', 'application/octet-stream', new Uint8Array(), 200, []],
    ['too many bytes', '/bytes', 'application/octet-stream', new Uint8Array(11), 413, undefined],
    ['a body that is needed', '/needed', undefined, undefined, 415, undefined],
    ['an empty body that is needed', '/needed', 'application/json', '', 400, undefined],
  ])('%s', async (_sentence, target, type, body, status, expected) => {
    const headers = type === undefined ? {} : { 'Content-Type': type }
    const method = target === '/change' ? 'PATCH' : 'POST'
    const response = await running.fetch(target, { method, headers, ...(body !== undefined && { body }) })
    const value = await response.json()
    expect([response.status, status === 200 ? value : undefined]).toEqual([status, expected])
  })

  test.each<[string, string, number]>([
    ['empty', '', 200],
    ['not empty', '{}', 415],
  ])('a stream without a type, %s', async (_sentence, body, status) => {
    const response = await running.fetch('/note', { method: 'POST', body: stream(body), duplex: 'half' } as RequestInit)
    await response.text()
    expect(response.status).toBe(status)
  })

  test('a large body without a type is not read as a whole', async () => {
    const response = await running.fetch('/bytes', { method: 'POST', body: stream('x'.repeat(1_000)), duplex: 'half' } as RequestInit)
    await response.text()
    expect([413, 415]).toContain(response.status)
  })
})

test('a call can leave it out, and then sends no Content-Type', async () => {
  const sent: (readonly [string | null, string])[] = []
  const call = client(api, 'http://test.invalid', {
    fetch: async (request) => {
      sent.push([request.headers.get('content-type'), await request.clone().text()])
      return server.fetch(request)
    },
  })
  expect(await call.note()).toBe('absent')
  expect(await call.note({})).toBe('absent')
  expect(await call.note({ body: undefined })).toBe('absent')
  expect(await call.note({ body: { note: 'a' } })).toEqual({ body: { note: 'a' } })
  expect(await call.text({ body: '' })).toEqual({ body: '' })
  expect(sent.slice(0, 4)).toEqual([
    [null, ''],
    [null, ''],
    [null, ''],
    ['application/json;charset=utf-8', '{"note":"a"}'],
  ])
})

test('an idempotent endpoint tells the absent body from another', async () => {
  const pay = endpoint('POST /pay', { body: optional(Note), response: ok(json), idempotent: 'required' })
  let calls = 0
  const idempotent = serve({ pay }, { pay: ({ body }) => [toShown(body), ++calls] })
  const send = async (key: string, body?: string): Promise<readonly unknown[]> => {
    const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const headers = { 'Idempotency-Key': `"${key}"`, ...type }
    const response = await idempotent.fetch(new Request('http://test.invalid/pay', { method: 'POST', headers, body: body ?? null }))
    return [response.status, response.status === 200 ? await response.json() : undefined]
  }
  expect(await send('a')).toEqual([200, ['absent', 1]])
  expect(await send('a')).toEqual([200, ['absent', 1]])
  expect(await send('a', '{"note":"b"}')).toEqual([422, undefined])
})

test('a mock answers both, and stores no optional body', async () => {
  const stored = {
    read: endpoint('GET /note', { response: ok(Note) }),
    write: endpoint('PUT /note', { body: optional(Note), response: noContent }),
    clear: endpoint('POST /clear', { body: optional(Note), response: ok(text) }),
  }
  const call = client(stored, 'http://test.invalid', { fetch: mock(stored).fetch })
  const before = await call.read()
  await call.write({ body: { note: 'another' } })
  await call.write()
  expect(await call.read()).toEqual(before)
  expect(await call.clear()).toEqual(expect.any(String))
})

test('documents say that it is optional', async () => {
  const one = { note: api.note, needed: api.needed }
  const document = await openapi(one, { title: 'Notes', version: '1.0.0' })
  const requestBodies = ['/note', '/needed'].map((path) => document.paths?.[path]?.post?.requestBody)
  expect(requestBodies.map((body) => Object(body).required)).toEqual([undefined, true])
  const described = await outline(one)
  expect(described.sections.map(({ requestOptional }) => requestOptional)).toEqual([true, undefined])
  expect(markdown(described).match(/The body is optional\./g)).toHaveLength(1)
  expect(described.sections.map((section) => documentedRequests(section).filter(({ body }) => body === null).length)).toEqual([1, 0])
})

test.each([
  ['a stream of bytes', () => optional(byteStream('image/png')), 'a body of type image/png can be empty'],
  ['lines', () => optional(ndjson(Note)), 'a body of type application/x-ndjson can be empty'],
  ['a form with files', () => optional(multipart({ name: text })), 'a body of type multipart/form-data can be empty'],
  ['a response', () => ok(optional(Note)), 'The body of the reply 200 is optional'],
  ['an error', () => reply(409, optional(Note)), 'The body of the reply 409 is optional'],
])('%s cannot be optional', (_sentence, declare, message) => {
  expect(declare).toThrow(message)
})
