/** `group`: what endpoints have in common is theirs, as if each declared it itself. */
import { manifest } from '@lapidary/testing'
import {
  type Api,
  apiKey,
  basic,
  collection,
  content,
  created,
  download,
  endpoint,
  errors,
  form,
  group,
  int,
  mount,
  ndjson,
  noContent,
  ok,
  optional,
  prefix,
  problem,
  reply,
  text,
} from 'lapidary'
import { client, isDeclaredError } from 'lapidary/client'
import { markdown, outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import { authenticate, guard, serve } from 'lapidary/server'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const people = basic<string>('people')
const session = apiKey<string>({ in: 'cookie', name: 'session' })
const forbidden = reply(403, undefined, { description: 'Not for you.' })
const missing = reply(404, z.object({ id: z.string() }))
const streamed = ndjson(z.int())
const wait = reply(429, undefined, { headers: { 'Retry-After': int } })

const declared = {
  plain: endpoint('GET /plain', { response: ok(text) }),
  own: endpoint('GET /own', {
    auth: session,
    response: ok(text),
    errors: [reply(404), reply(409)],
    tags: ['Own'],
    responseHeaders: { 'x-edition': '2' },
  }),
  inner: group(
    { errors: [reply(403, text), reply(410)], tags: ['Inner'], responseHeaders: { 'X-Inner': 'yes' } },
    {
      read: endpoint('GET /inner', { response: ok(text), etag: true }),
      one: endpoint('PUT /inner', { body: text, response: noContent, etag: 'optional' }),
    },
  ),
}
const options = { auth: people, errors: [forbidden, missing, wait], tags: ['Shop'], responseHeaders: { 'X-Edition': '1' } } as const
const api = group({ ...options, errors: [forbidden, missing, wait] }, declared)

/** The same API, written out. */
const writtenOut = {
  plain: endpoint('GET /plain', {
    response: ok(text),
    auth: people,
    errors: [forbidden, missing, wait],
    tags: ['Shop'],
    responseHeaders: { 'X-Edition': '1' },
  }),
  own: endpoint('GET /own', {
    auth: session,
    response: ok(text),
    errors: [reply(404), reply(409), forbidden, wait],
    tags: ['Own'],
    responseHeaders: { 'x-edition': '2' },
  }),
  inner: {
    read: endpoint('GET /inner', {
      response: ok(text),
      etag: true,
      auth: people,
      errors: [reply(403, text), reply(410), missing, wait],
      tags: ['Inner'],
      responseHeaders: { 'X-Inner': 'yes', 'X-Edition': '1' },
    }),
    one: endpoint('PUT /inner', {
      auth: people,
      body: text,
      response: noContent,
      etag: 'optional',
      errors: [reply(403, text), reply(410), missing, wait],
      tags: ['Inner'],
      responseHeaders: { 'X-Inner': 'yes', 'X-Edition': '1' },
    }),
  },
}

test('the API is that which is written out', async () => {
  expect(manifest(api)).toEqual(manifest(writtenOut))
  const info = { title: 'Shop', version: '1' }
  expect(await openapi(api, info)).toEqual(await openapi(writtenOut, info))
  const [own, other] = [await outline(api, info), await outline(writtenOut, info)]
  expect(markdown(own).split('\n').sort()).toEqual(markdown(other).split('\n').sort())
})

test('the group does not change what it was given', () => {
  expect(declared.plain).toMatchObject({ auth: undefined, errors: [], tags: undefined, responseHeaders: {} })
  expect(Object.isFrozen(api)).toBe(true)
})

describe('requests', () => {
  const reports: unknown[] = []
  const server = serve(
    api,
    guard(api, ({ fail }) => (turned === 'guard' ? fail(429, { headers: { 'Retry-After': 1 } }) : undefined), {
      plain: ({ user, fail }) => {
        if (turned === 'thrown') throw errors.tooManyRequests()
        return turned === 'missing' ? fail(404, { body: { id: 'a' } }) : user
      },
      own: ({ fail }) => fail(404),
      inner: { read: () => 'inner', one: ({ fail }) => fail(410) },
    }),
    {
      auth: [authenticate(people, ({ username }) => (username === 'eve' ? undefined : username)), authenticate(session, (key) => key)],
      onError: (error) => void reports.push(error),
    },
  )
  let turned = ''
  const call = client(api, 'http://a.test', { fetch: server.fetch })
  const as = (name: string) => ({ headers: { Authorization: `Basic ${btoa(`${name}:a`)}` } })

  test('need the credentials of the group', async () => {
    turned = ''
    expect(await call.plain({}, as('ann'))).toBe('ann')
    await expect(call.plain({}, as('eve'))).rejects.toMatchObject({ status: 401, headers: { 'x-edition': '1' } })
  })

  test('an own scheme takes precedence, and so does an own error', async () => {
    const error: unknown = await call.own({}, { headers: { Cookie: 'session=a' } }).catch((thrown: unknown) => thrown)
    expect([isDeclaredError(api.own, error), error]).toEqual([true, expect.objectContaining({ status: 404, body: undefined })])
    expect(error).toMatchObject({ headers: { 'x-edition': '2' } })
  })

  test('errors of the group are declared errors', async () => {
    turned = 'missing'
    const error: unknown = await call.plain({}, as('ann')).catch((thrown: unknown) => thrown)
    expect([isDeclaredError(api.plain, error), error]).toEqual([true, expect.objectContaining({ status: 404, body: { id: 'a' } })])
    turned = 'guard'
    await expect(call.plain({}, as('ann'))).rejects.toMatchObject({ status: 429, headers: { 'retry-after': '1' } })
  })

  test('an error of the group keeps its promise', async () => {
    turned = 'thrown'
    reports.length = 0
    await expect(call.plain({}, as('ann'))).rejects.toMatchObject({ status: 500 })
    expect(reports).toEqual([expect.objectContaining({ message: expect.stringContaining('GET /plain threw an error 429') })])
  })

  test('errors of nested groups add up', async () => {
    turned = ''
    const error: unknown = await call.inner.one({ body: 'a' }, as('ann')).catch((thrown: unknown) => thrown)
    expect([isDeclaredError(api.inner.one, error), error]).toEqual([true, expect.objectContaining({ status: 410 })])
    expect(error).toMatchObject({ headers: { 'x-edition': '1', 'x-inner': 'yes' } })
  })
})

test('a group stands above and below a prefix, and around a collection', () => {
  const list = { one: endpoint('GET /one', { response: ok(text) }), stones: collection(z.object({ name: z.string() })) }
  const above = group({ errors: [forbidden] }, { shop: prefix('/:shop', list) })
  const below = { shop: prefix('/:shop', group({ errors: [forbidden] }, list)) }
  expect(manifest(above)).toEqual(manifest(below))
  expect(above.shop.stones.item.errors.map(({ status }) => status)).toEqual([404, 403])
})

test('optional credentials of a group can take wrong ones as none', () => {
  const { it } = group({ auth: optional(session, { invalid: 'ignore' }) }, { it: endpoint('GET /', { response: noContent }) })
  expect(it.invalidCredentials).toBe('ignore')
  const { own } = group(
    { auth: optional(session, { invalid: 'ignore' }) },
    { own: endpoint('GET /', { auth: session, response: noContent }) },
  )
  expect(own.invalidCredentials).toBe('reject')
})

test('a download in a group has the errors of the group', () => {
  const { file } = group({ errors: [forbidden] }, { file: endpoint('GET /file', { response: ok(download('text/plain')) }) })
  expect(file.download?.errors.map(({ status }) => status)).toEqual([403, 304, 412, 416])
})

test('a mount in a group without credentials stays as it is', () => {
  const files = mount('/files')
  expect(group({ errors: [forbidden] }, { files })).toEqual({ files })
})

describe('a mistake', () => {
  const one = { one: endpoint('GET /one', { response: ok(text) }) }
  const pay = { pay: endpoint('POST /pay', { body: text, response: created, idempotent: 'required' }) }
  test.each<[string, () => unknown, string]>([
    ['an unknown option', () => group({ error: [] } as object, one), 'group()'],
    ['errors that are no list', () => group({ errors: forbidden as never }, one), 'group()'],
    ['a number among the errors', () => group({ errors: [403 as never] }, one), 'errors[0]'],
    ['auth that is no scheme', () => group({ auth: text as never }, one), 'group()'],
    ['tags that are no texts', () => group({ tags: [1 as never] }, one), 'group()'],
    ['a mount in a group with auth', () => group({ auth: people }, { files: mount('/files') }), 'Move the mount out of the group'],
    [
      'an error of the status of a response',
      () => group({ errors: [forbidden] }, { it: endpoint('GET /', { response: [noContent, reply(403)] }) }),
      'GET /',
    ],
    ['a header that a codec cannot be', () => group({ responseHeaders: { 'X A': 'a' } }, one), 'X A'],
    [
      'a key that is a parameter',
      () => group({ auth: session }, { it: endpoint('GET /', { cookies: { session: text }, response: noContent }) }),
      'session',
    ],
    ['a stream among the errors of an idempotent endpoint', () => group({ errors: [reply(409, streamed)] }, pay), 'POST /pay'],
    ['a download among the errors', () => group({ errors: [reply(409, download('text/plain'))] }, one), 'GET /one'],
  ])('%s', (_name, make, message) => {
    expect(make).toThrow(expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(message) }))
  })

  test('indistinguishable errors of one status are reported as they are in an endpoint', () => {
    const short = reply(409, z.object({ by: z.int() }))
    const long = reply(409, z.object({ by: z.int(), price: z.int() }))
    const wrong = group({ errors: [short, long] }, one)
    expect(() => serve(wrong, { one: () => 'a' })).toThrow('GET /one')
  })
})

test('an API in plain JavaScript', () => {
  const nested: Api = group(
    { errors: [problem(409, '/a')] },
    { a: { b: { c: endpoint('POST /', { body: content(z.object({ a: z.string() }), form), response: noContent }) } } },
  )
  expect(Object.keys(manifest(nested).endpoints)).toEqual(['a.b.c'])
})
