/** Entity tags of users and products: cached copies, and updates without losses. */

import { isHttpError } from 'lapidary'
import { client, revalidate } from 'lapidary/client'
import { afterAll, describe, expect, test } from 'vitest'
import { main as api } from '../../src/api.ts'
import { service, serviceOfTest } from '../support/service.ts'
import { comparable, item, nothing, problem, specify, tagOf } from './expected.ts'
import { ann, isaac, marie } from './known.ts'
import { type ReceivedResponse, send, withHeaders, withJson } from './send.ts'

const it = await service()
afterAll(it.close)

const [ofIsaac, ofMarie, ofOne] = [tagOf(isaac), tagOf(marie), tagOf({ productId: 1 })]
const unchanged = (etag: string) => nothing(304, { etag })
const ifMatch = (etag: string) => ({ 'If-Match': etag })
const ifNoneMatch = (etag: string) => ({ 'If-None-Match': etag })

specify(it.main, [
  ['GET of a user carries its tag', 'GET /users/1', item(isaac)],
  ['and is 304 for who has it', withHeaders('GET /users/1', ifNoneMatch(ofIsaac)), unchanged(ofIsaac)],
  ['marked as weak, too', withHeaders('GET /users/1', ifNoneMatch(`"x", W/${ofIsaac}`)), unchanged(ofIsaac)],
  ['HEAD as GET', withHeaders('HEAD /users/1', ifNoneMatch('*')), unchanged(ofIsaac)],
  ['the tag of another is no reason', withHeaders('GET /users/1', ifNoneMatch(ofMarie)), item(isaac)],
  ['a user is the same by whichever path', withHeaders('GET /user/1', ifNoneMatch(ofIsaac)), unchanged(ofIsaac)],
  ['so is a product', withHeaders('GET /products/1', ifNoneMatch(ofOne)), unchanged(ofOne)],
  ['GET on the condition of another tag: 412', withHeaders('GET /users/1', ifMatch(ofMarie)), problem(412)],
  ['PUT of a stale user: 412', withJson('PUT /users/1', ann, ifMatch(ofMarie)), problem(412)],
  ['PUT that is not to replace anything: 412', withJson('PUT /users/1', ann, ifNoneMatch('*')), problem(412)],
  ['DELETE of a stale user: 412', withHeaders('DELETE /users/1', ifMatch(ofMarie)), problem(412)],
  ['by its other path as well', withHeaders('DELETE /user/1', ifMatch(ofMarie)), problem(412)],
  ['a weak tag is no condition for a change', withHeaders('DELETE /user/1', ifMatch(`W/${ofIsaac}`)), problem(412)],
  ['PUT of a stale product: 412', withJson('PUT /products/1', { productId: 1 }, ifMatch('"x"')), problem(412)],
  ['DELETE of a stale product: 412', withHeaders('DELETE /products/1', ifMatch('"x"')), problem(412)],
  ['what is not there is not stale: 404', withHeaders('DELETE /users/99', ifMatch('"x"')), problem(404)],
  ['nor does * find it', withJson('PUT /products/99', { productId: 99 }, ifMatch('*')), problem(404)],
  ['what is wrong by itself is said first', withJson('PUT /products/1', { productId: 2 }, ifMatch('"x"')), problem(409)],
  ['and so nothing has changed', 'GET /users/1', item(isaac)],
])

/** What a collection keeps at one path, what may take its place, and which of these it was. */
const kept = [
  { path: '/users/1', other: (number: number): object => ({ ...ann, age: number }), numberOf: ({ age }: Kept) => Number(age) },
  {
    path: '/products/2',
    other: (number: number): object => ({ productId: 2, name: `${number}` }),
    numberOf: ({ name }: Kept) => Number(name),
  },
]
interface Kept {
  readonly age?: number
  readonly name?: string
}

describe.each(kept)('$path', ({ path, other, numberOf }) => {
  const tag = ({ headers }: ReceivedResponse): string => headers['etag'] ?? ''

  test('an entity tag is valid until the next change, which gives another one', async () => {
    const { main } = await serviceOfTest()
    const first = tag(await send(main, `GET ${path}`))
    expect(comparable(await send(main, withJson(`PUT ${path}`, other(1), ifMatch(first))))).toEqual(nothing(204))
    expect(comparable(await send(main, withJson(`PUT ${path}`, other(2), ifMatch(first))))).toEqual(problem(412))
    const second = await send(main, `GET ${path}`)
    expect(comparable(second)).toEqual(item(other(1)))
    expect(comparable(await send(main, withHeaders(`DELETE ${path}`, ifMatch(first))))).toEqual(problem(412))
    expect(comparable(await send(main, withHeaders(`DELETE ${path}`, ifMatch(tag(second)))))).toEqual(nothing(204))
    expect(comparable(await send(main, withHeaders(`DELETE ${path}`, ifMatch(tag(second)))))).toEqual(problem(404))
  })

  test('of many parallel changes with one entity tag, in one process or another, one succeeds', async () => {
    const { main, database } = await serviceOfTest()
    const replica = await serviceOfTest({ environment: { DATABASE_URL: database.url } })
    for (let round = 0; round < 3; round += 1) {
      // Asked of each service alone, without its twin: who is the first is not the same twice.
      const headers = { 'Content-Type': 'application/json', ...ifMatch((await fetch(main + path)).headers.get('ETag') ?? '') }
      const responses = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => {
          const value = other(100 * round + index)
          const url = (index % 2 === 0 ? main : replica.main) + path
          return { value, status: (await fetch(url, { method: 'PUT', headers, body: JSON.stringify(value) })).status }
        }),
      )
      const winners = responses.filter(({ status }) => status === 204)
      expect(responses.map(({ status }) => status).toSorted()).toEqual([204, ...Array<number>(19).fill(412)])
      expect(await (await fetch(main + path)).json()).toEqual(winners[0]?.value)
    }
  })

  test('of a parallel replacement and removal, one succeeds', async () => {
    const { main } = await serviceOfTest()
    const headers = { 'Content-Type': 'application/json', ...ifMatch((await fetch(main + path)).headers.get('ETag') ?? '') }
    const [put, removed] = await Promise.all([
      fetch(main + path, { method: 'PUT', headers, body: JSON.stringify(other(1)) }),
      fetch(main + path, { method: 'DELETE', headers }),
    ])
    // After a removal there is nothing.
    expect(put.ok ? [put.status, removed.status] : [removed.status, put.status]).toEqual([204, put.ok ? 412 : 404])
    expect((await fetch(main + path)).status).toBe(put.ok ? 200 : 404)
  })

  test('many clients that increment a value with If-Match lose no increment', async () => {
    const { main } = await serviceOfTest()
    const asJson = { 'Content-Type': 'application/json' }
    const put = async (number: number, headers = {}): Promise<number> =>
      (await fetch(main + path, { method: 'PUT', headers: { ...asJson, ...headers }, body: JSON.stringify(other(number)) })).status
    const countOn = async (): Promise<void> => {
      const response = await fetch(main + path)
      const number = numberOf((await response.json()) as Kept)
      const status = await put(number + 1, ifMatch(response.headers.get('ETag') ?? ''))
      if (status === 412) return countOn()
      expect(status).toBe(204)
    }
    await put(0)
    await Promise.all(Array.from({ length: 10 }, countOn))
    expect(await (await fetch(main + path)).json()).toEqual(other(10))
  })
})

test('the typed client sends the entity tag that it received', async () => {
  const { main } = await serviceOfTest()
  const call = client(api, main)
  const one = { params: { userid: 1 } }
  const user = await call.users.item(one)
  expect(user).toEqual({ body: isaac, headers: { ETag: ofIsaac } })
  expect(await revalidate(user, (headers) => call.users.item({ ...one, headers }))).toBe(user)
  await call.users.replace({ ...one, body: ann, headers: ifMatch(user.headers.ETag) })
  const late = await call.user.remove({ params: { userid: 1 }, headers: ifMatch(user.headers.ETag) }).catch((error: unknown) => error)
  expect(late).toSatisfy((error) => isHttpError(error, 412))
  expect((await revalidate(user, (headers) => call.users.item({ ...one, headers }))).body).toEqual(ann)
})
