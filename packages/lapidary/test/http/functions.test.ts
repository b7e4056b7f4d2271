/** Functions that a program gives: what plain JavaScript gives in place of one is refused at once, not at the first request. */

import { listen as listenWithLlhttp } from '@lapidary/llhttp'
import { mock } from '@lapidary/testing'
import { type AnyAuthScheme, authScheme, bearer, codec, endpoint, mount, ok, text } from 'lapidary'
import { client, resume } from 'lapidary/client'
import { kyselySource } from 'lapidary/kysely'
import { loadShedding, requestId, timeout } from 'lapidary/middleware'
import { fromNodeListener, listen as listenOnNode, toNodeListener } from 'lapidary/node'
import { openapi } from 'lapidary/openapi'
import { tracedFetch } from 'lapidary/opentelemetry'
import { cursorPagination, paginate, rangePagination } from 'lapidary/pagination'
import { authenticate, chain, fromFetch, guard, type HttpHandler, memoryIdempotencyStore, provide, serve, toFetch } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

/** What plain JavaScript gives, to a parameter of any type. */
type Given = never

const api = { hello: endpoint('GET /hello', { response: ok(text) }) }
const handlers = { hello: () => 'Hello!' }
const handler: HttpHandler = () => ({ status: 204, headers: [], body: null })
const people = bearer<string, 'read'>('people')
const Color = z.object({ name: z.string() })
const name = { codec: text, get: ({ name }: { readonly name: string }) => name }
const scheme = { name: 'keys', challenge: 'Key', credentials: () => undefined, openapi: {} }
const number = { name: 'number', parse: Number, print: String, schema: {}, example: 1 }

type Row = readonly [place: string, call: (given: Given) => unknown]

const required: readonly Row[] = [
  ['authenticate("people"): verify', (given) => authenticate(people as AnyAuthScheme, given)],
  ['authScheme("keys"): credentials', (credentials) => authScheme({ ...scheme, credentials })],
  ['codec("number"): parse', (parse) => codec({ ...number, parse })],
  ['codec("number"): print', (print) => codec({ ...number, print })],
  ['provide(): provider', (given) => provide(api, given, handlers)],
  ['guard(): check', (given) => guard(api, given, handlers)],
  ['chain(): outer', (given) => chain(given, ((_input: unknown, next: () => unknown) => next()) as never)],
  ['chain(): inner', (given) => chain(((_input: unknown, next: () => unknown) => next()) as never, given)],
  ['toFetch(): handler', (given) => toFetch(given)],
  ['fromFetch(): fetchHandler', (given) => fromFetch(given)],
  ['listen(): handler', (given) => listenOnNode(given)],
  ['listen(): handler', (given) => listenWithLlhttp(given)],
  ['toNodeListener(): handler', (given) => toNodeListener(given)],
  ['fromNodeListener(): listener', (given) => fromNodeListener(given)],
  ['resume(): connect', (given) => resume(given)],
  ['paginate(): call', (given) => paginate(given).next()],
  ['rangePagination(): name.get', (get) => rangePagination(Color, { name: { codec: text, get } }, { key: name.get, default: 'name' })],
  ['cursorPagination(): name.get', (get) => cursorPagination(Color, { name: { codec: text, get } }, { key: name.get, default: 'name' })],
  ['cursorPagination(): options.key.get', (get) => cursorPagination(Color, { name }, { key: { codec: text, get }, default: 'name' })],
  ['rangePagination(): options.key.get', (get) => rangePagination(Color, { name }, { key: { codec: text, get }, default: 'name' })],
]

const pages = rangePagination(Color, { name }, { key: name.get, default: 'name' })

const optional: readonly Row[] = [
  ['authenticate("people"): scopes', (scopes) => authenticate(people, () => 'ann', { scopes })],
  ['authScheme("keys"): headers', (headers) => authScheme({ ...scheme, headers })],
  ['authScheme("keys"): query', (query) => authScheme({ ...scheme, query })],
  ...['fallback', 'format', 'mapError', 'onError'].map(
    (option): Row => [`serve(): ${option}`, (given) => serve(api, handlers, { [option]: given })],
  ),
  ['serve(): idempotency.identify', (identify) => serve(api, handlers, { idempotency: { identify } })],
  ...['begin', 'complete', 'release'].map(
    (method): Row => [
      `serve(): idempotency.store.${method}`,
      (given) => serve(api, handlers, { idempotency: { store: { ...memoryIdempotencyStore(), [method]: given } } }),
    ],
  ),
  ['serve(): onError', (onError) => mock(api, { onError })],
  ['mock(): handlers: hello', (hello) => mock(api, { handlers: { hello } })],
  ['mock(): mounts: files', (files) => mock({ files: mount('/files') }, { mounts: { files } })],
  ['toFetch(): onError', (onError) => toFetch(handler, { onError })],
  ['listen(): onError', (onError) => listenOnNode(handler, { onError })],
  ['listen(): onError', (onError) => listenWithLlhttp(handler, { onError })],
  ['toNodeListener(): onError', (onError) => toNodeListener(handler, { onError })],
  ...['except', 'onReject', 'format'].map((option): Row => [`loadShedding(): ${option}`, (given) => loadShedding({ [option]: given })]),
  ['timeout(): format', (format) => timeout(5_000, { format })],
  ['requestId(): generate', (generate) => requestId({ generate })],
  ['tracedFetch(): fetch', (given) => tracedFetch(given)],
  ['client(): fetch', (fetch) => client(api, 'http://a.test', { fetch })],
  ['page(): link', (link) => pages.page({ query: {}, headers: {} } as never, [], { link })],
  ['kyselySource(): count', (count) => kyselySource({} as never, {} as never, count)],
  ['openapi(): tags', (tags) => openapi(api, { title: 'A', version: '1', tags })],
]

const kinds: readonly (readonly [kind: string, value: unknown])[] = [
  ['null', null],
  ['a string', 'secret'],
  ['a boolean', true],
  ['an array', [() => {}]],
  ['an object', { secret: 1 }],
  ['a promise', Promise.resolve(() => {})],
]

/** The message of the error that a call throws, or that its promise rejects with. */
async function readError(call: () => unknown): Promise<string> {
  try {
    await call()
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError)
    return (error as TypeError).message
  }
  return 'no error'
}

describe.each(required)('%s', (place, call) => {
  test.each<(typeof kinds)[number]>([['undefined', undefined], ...kinds])('is %s', async (kind, value) => {
    expect(await readError(() => call(value as Given))).toBe(`${place} is ${kind}, expected a function. Write one.`)
  })
})

describe.each(optional)('%s', (place, call) => {
  test.each(kinds)('is %s', async (kind, value) => {
    const cure = /store/.test(place) ? 'Write one.' : 'Write one, or remove the option.'
    expect(await readError(() => call(value as Given))).toBe(`${place} is ${kind}, expected a function. ${cure}`)
  })
})

test('the key of a pagination is a function, or an object with one', () => {
  for (const key of [undefined, null, 'name', 1] as Given[])
    expect(() => rangePagination(Color, { name }, { key, default: 'name' })).toThrow(
      /^rangePagination\(\): options\.key is .*expected a function\./,
    )
})
