/** The specification's "Generic collection layout", the same rows for users and for products. */

import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { type Service, service } from '../support/service.ts'
import { comparable, item, nothing, problem, streamed } from './expected.ts'
import { ann, products, users } from './known.ts'
import { send, withBody, withJson } from './send.ts'

/** A service of each test's own, since all of them write. */
let it: Service
beforeEach(async () => {
  it = await service()
  onTestFinished(it.close)
})

const asJson = { 'Content-Type': 'application/json' }
const bob = { name: 'Bob', age: 30, email: 'bob@example.org', registration_date: '2020-01-01' }

const collections = [
  {
    path: '/users',
    seeds: users as readonly object[],
    added: ann,
    location: '/users/4',
    replaced: '/users/2',
    replacement: bob,
    counted: (count: number) => ({ 'user-count': String(count) }),
    wrong: { ...ann, name: 1 },
    pointer: '/name',
  },
  {
    path: '/products',
    seeds: products as readonly object[],
    added: { productId: 17, name: 'Seventeen' },
    location: '/products/17',
    replaced: '/products/2',
    replacement: { productId: 2, name: 'Two' },
    counted: () => ({}),
    wrong: { productId: '17' },
    pointer: '/productId',
  },
]

describe.each(collections)('$path', ({ path, seeds, added, location, replaced, replacement, counted, wrong, pointer }) => {
  const list = (items: readonly object[]) => streamed(items, counted(items.length))
  const sendComparable = async (request: Parameters<typeof send>[1]) => comparable(await send(it.main, request))

  test('GET: JSON array', async () => {
    expect(await sendComparable(`GET ${path}`)).toEqual(list(seeds))
  })

  test('POST: 201, empty body, Location of the new item, which is then found and listed', async () => {
    expect(await sendComparable(withJson(`POST ${path}`, added))).toEqual(nothing(201, { location }))
    expect(await sendComparable(`GET ${location}`)).toEqual(item(added))
    expect(await sendComparable(`GET ${path}`)).toEqual(list([...seeds, added]))
  })

  test('GET of an item', async () => {
    expect(await sendComparable(`GET ${path}/1`)).toEqual(item(seeds[0]))
    expect(await sendComparable(`GET ${path}/99`)).toEqual(problem(404))
  })

  test('PUT: 204, empty body; the item is replaced and keeps its place in the list', async () => {
    expect(await sendComparable(withJson(`PUT ${replaced}`, replacement))).toEqual(nothing(204))
    expect(await sendComparable(`GET ${replaced}`)).toEqual(item(replacement))
    expect(await sendComparable(`GET ${path}`)).toEqual(list([seeds[0] ?? {}, replacement, seeds[2] ?? {}]))
    expect(await sendComparable(withJson(`PUT ${replaced}`, replacement))).toEqual(nothing(204))
  })

  test('PUT replaces the whole item: it is not a patch', async () => {
    expect(await sendComparable(withJson(`PUT ${replaced}`, {}))).toMatchObject({ status: 400 })
    expect(await sendComparable(`GET ${replaced}`)).toEqual(item(seeds[1]))
  })

  test('PUT: 404 if there is no such item, and none is created', async () => {
    expect(await sendComparable(withJson(`PUT ${location}`, added))).toEqual(problem(404))
    expect(await sendComparable(`GET ${path}`)).toEqual(list(seeds))
  })

  test('DELETE: 204, empty body; then 404', async () => {
    expect(await sendComparable(`DELETE ${path}/1`)).toEqual(nothing(204))
    expect(await sendComparable(`GET ${path}/1`)).toEqual(problem(404))
    expect(await sendComparable(`DELETE ${path}/1`)).toEqual(problem(404))
    expect(await sendComparable(`GET ${path}`)).toEqual(list(seeds.slice(1)))
  })

  test.each(['POST', 'PUT'])('%s: a request body that cannot be decoded yields 400, and nothing changes', async (method) => {
    const line = method === 'POST' ? `POST ${path}` : `PUT ${replaced}`
    expect(await sendComparable(withBody(line, 'application/json', '{'))).toEqual(problem(400, {}, { in: 'body', pointer: '' }))
    expect(await sendComparable(withBody(line, 'application/json', ''))).toEqual(problem(400, {}, { in: 'body', pointer: '' }))
    expect(await sendComparable(withJson(line, [added]))).toEqual(problem(400, {}, { in: 'body', pointer: '' }))
    expect(await sendComparable(withJson(line, wrong))).toEqual(problem(400, {}, { in: 'body', pointer }))
    expect(await sendComparable(`GET ${path}`)).toEqual(list(seeds))
  })

  test.each(['POST', 'PUT'])('%s: a request Content-Type that is not accepted yields 415, and nothing changes', async (method) => {
    const line = method === 'POST' ? `POST ${path}` : `PUT ${replaced}`
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'application/xml']) {
      expect(await sendComparable(withBody(line, type, JSON.stringify(added)))).toEqual(problem(415, { accept: 'application/json' }))
    }
    expect(await sendComparable({ line, body: JSON.stringify(added) })).toEqual(problem(415, { accept: 'application/json' }))
    expect(await sendComparable(`GET ${path}`)).toEqual(list(seeds))
  })

  test.each(['GET', 'PUT', 'DELETE'])('%s: an identifier that is not an integer yields 400', async (method) => {
    for (const id of ['x', '1.0', '9007199254740992', '+1']) {
      expect(await sendComparable(withJson(`${method} ${path}/${id}`, added))).toMatchObject({
        status: 400,
        body: { errors: [{ in: 'path' }] },
      })
    }
  })

  test('many items at once: each has its own Location', async () => {
    const items = Array.from({ length: 50 }, (_, index) => ('productId' in added ? { productId: 100 + index } : { ...ann, age: index }))
    // Asked of one service alone: which of them comes first is not the same twice.
    const post = async (item: object): Promise<string> =>
      String((await fetch(`${it.main}${path}`, { method: 'POST', body: JSON.stringify(item), headers: asJson })).headers.get('Location'))
    const made = await Promise.all(items.map(async (item) => [item, await post(item)] as const))
    expect(new Set(made.map(([, place]) => place)).size).toBe(items.length)
    for (const [item, place] of made) expect(await (await fetch(`${it.main}${place}`)).json()).toEqual(item)
  })
})

test('identifiers of users are never reused', async () => {
  const post = async () => (await send(it.main, withJson('POST /users', ann))).headers['location']
  expect(await post()).toBe('/users/4')
  expect(await post()).toBe('/users/5')
  expect(comparable(await send(it.main, 'DELETE /users/5'))).toEqual(nothing(204))
  expect(comparable(await send(it.main, 'DELETE /user/4'))).toEqual(nothing(204))
  expect(await post()).toBe('/users/6')
})

test('GET /user/{userid} and GET /users/{userid} return the same user', async () => {
  expect(comparable(await send(it.main, withJson('PUT /users/3', bob)))).toEqual(nothing(204))
  expect(comparable(await send(it.main, 'GET /user/3'))).toEqual(item(bob))
})

describe('the client chooses the identifier of a product', () => {
  const sendComparable = async (request: Parameters<typeof send>[1]) => comparable(await send(it.main, request))

  test('it is required', async () => {
    expect(await sendComparable(withJson('POST /products', { name: 'Nameless' }))).toEqual(
      problem(400, {}, { in: 'body', pointer: '/productId' }),
    )
  })

  test('one in use: 409, and the product does not change', async () => {
    expect(await sendComparable(withJson('POST /products', { productId: 2, name: 'Other' }))).toEqual(problem(409))
    expect(await sendComparable('GET /products/2')).toEqual(item({ productId: 2 }))
  })

  test('PUT with another one in the body: 409, and neither changes', async () => {
    expect(await sendComparable(withJson('PUT /products/1', { productId: 2, name: 'Other' }))).toEqual(problem(409))
    expect(await sendComparable('GET /products')).toEqual(streamed(products))
  })

  test('after a DELETE it can be posted again', async () => {
    expect(await sendComparable('DELETE /products/3')).toEqual(nothing(204))
    expect(await sendComparable(withJson('POST /products', { productId: 3, name: 'Again' }))).toEqual(
      nothing(201, { location: '/products/3' }),
    )
    expect(await sendComparable('GET /products/3')).toEqual(item({ productId: 3, name: 'Again' }))
  })

  test.each([0, -7, 9007199254740991, -9007199254740991])('it may be %d', async (productId) => {
    expect(await sendComparable(withJson('POST /products', { productId }))).toEqual(nothing(201, { location: `/products/${productId}` }))
    expect(await sendComparable(`GET /products/${productId}`)).toEqual(item({ productId }))
    expect(((await sendComparable('GET /products')).body as unknown[]).length).toBe(4)
  })

  test('PUT without a name removes the name', async () => {
    expect(await sendComparable(withJson('PUT /products/1', { productId: 1, name: 'One' }))).toEqual(nothing(204))
    expect(await sendComparable(withJson('PUT /products/1', { productId: 1 }))).toEqual(nothing(204))
    expect(await sendComparable('GET /products/1')).toEqual(item({ productId: 1 }))
  })
})
