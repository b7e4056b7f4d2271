/** The specification's "Users". */

import { afterAll, describe, expect, test } from 'vitest'
import { service, serviceOfTest } from '../support/service.ts'
import { comparable, item, json, nothing, problem, specify, streamed } from './expected.ts'
import { albert, ann, isaac, marie, users } from './known.ts'
import { send, withJson } from './send.ts'

const it = await service()
afterAll(it.close)

const counted = { 'user-count': '3' }
const asJson = { 'Content-Type': 'application/json' }
const noSort = problem(400, {}, { in: 'query', name: 'sortby' })
const noId = problem(400, {}, { in: 'path', name: 'userid' })

specify(it.main, [
  ['GET /users: 200, JSON array of User, by identifier', 'GET /users', streamed(users, counted)],
  ['sortby=age sorts ascending', 'GET /users?sortby=age', streamed([albert, marie, isaac], counted)],
  ['sortby=name sorts ascending', 'GET /users?sortby=name', streamed([albert, isaac, marie], counted)],
  ['any other value: 400', 'GET /users?sortby=email', noSort],
  ['the values are case-sensitive', 'GET /users?sortby=Age', noSort],
  ['the empty value is another value', 'GET /users?sortby=', noSort],
  ['sortby twice: 400', 'GET /users?sortby=age&sortby=name', noSort],
  ['sortby without = is absent', 'GET /users?sortby', streamed(users, counted)],
  ['a fixed-path endpoint: GET /albert', 'GET /albert', json(albert)],
  ['another fixed-path endpoint: GET /isaac', 'GET /isaac', json(isaac)],
  ['GET /user/{userid}: 200, User', 'GET /user/3', item(marie)],
  ['userid is an integer, however it is written', 'GET /user/003', item(marie)],
  ['a user that is not there: 404', 'GET /user/4', problem(404)],
  ['no user has the identifier 0', 'GET /user/0', problem(404)],
  ['no user has a negative identifier', 'GET /user/-1', problem(404)],
  ['the largest identifier is free', 'GET /user/9007199254740991', problem(404)],
  ['userid that is no integer: 400', 'GET /user/albert', noId],
  ['userid beyond the integers: 400', 'GET /user/9007199254740992', noId],
  ['DELETE with a userid that is no integer: 400', 'DELETE /user/1.0', noId],
  ['DELETE of a user that is not there: 404', 'DELETE /user/99', problem(404)],
])

describe('DELETE /user/{userid}', () => {
  test('204, empty body; then the user is 404 at both paths', async () => {
    const { main } = await serviceOfTest()
    expect(comparable(await send(main, 'DELETE /user/2'))).toEqual(nothing(204))
    expect(comparable(await send(main, 'GET /user/2'))).toEqual(problem(404))
    expect(comparable(await send(main, 'GET /users/2'))).toEqual(problem(404))
    expect(comparable(await send(main, 'DELETE /user/2'))).toEqual(problem(404))
    expect(comparable(await send(main, 'GET /users'))).toEqual(streamed([isaac, marie], { 'user-count': '2' }))
  })

  test('the two users of fixed paths and the three of the stream remain when users are deleted', async () => {
    const { main } = await serviceOfTest()
    for (const id of [1, 2, 3]) expect(comparable(await send(main, `DELETE /user/${id}`))).toEqual(nothing(204))
    expect(comparable(await send(main, 'GET /isaac'))).toEqual(json(isaac))
    expect(comparable(await send(main, 'GET /albert'))).toEqual(json(albert))
    expect((await send(main, 'GET /userStream')).text).toBe(users.map((user) => `${JSON.stringify(user)}\n`).join(''))
    expect(comparable(await send(main, 'GET /users'))).toEqual(streamed([], { 'user-count': '0' }))
  })
})

test('users of equal age or name are ordered by identifier', async () => {
  const { main } = await serviceOfTest()
  const twins = ['b', 'a', 'c', 'a'].map((name, index) => ({ ...ann, name, age: 136, email: `${index}@example.org` }))
  for (const twin of twins) expect((await send(main, withJson('POST /users', twin))).status).toBe(201)
  expect(comparable(await send(main, 'GET /users?sortby=age')).body).toEqual([albert, ...twins, marie, isaac])
  const [b, first, c, second] = twins
  expect(comparable(await send(main, 'GET /users?sortby=name')).body).toEqual([albert, isaac, marie, first, second, b, c])
})

test('names are ordered by code point', async () => {
  const { main } = await serviceOfTest()
  const names = ['', 'B', 'Zoë', 'a', 'b', 'é', '\uffee', '🌍']
  for (const name of names.toReversed()) await send(main, withJson('POST /users', { ...ann, name }))
  const { body } = comparable(await send(main, 'GET /users?sortby=name'))
  const others = new Set(users.map(({ name }) => name))
  expect((body as { name: string }[]).map(({ name }) => name).filter((name) => !others.has(name))).toEqual(names)
})

test('after parallel replacements a user is entirely that of one request', async () => {
  const { main } = await serviceOfTest()
  const sent = Array.from({ length: 40 }, (_, index) => ({ ...ann, name: `User ${index}`, age: index, email: `${index}@example.org` }))
  // Asked of one service alone: which of them is the last is not the same twice.
  const responses = await Promise.all(
    sent.map((user) => fetch(`${main}/users/1`, { method: 'PUT', body: JSON.stringify(user), headers: asJson })),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([204]))
  expect(sent).toContainEqual(await (await fetch(`${main}/users/1`)).json())
})

test('User-Count is the number of users in the list, for any number', async () => {
  const { main, database } = await serviceOfTest()
  await database.run(
    'INSERT INTO users (name, age, email, registration_date) VALUES (?, ?, ?, ?)',
    Array.from({ length: 1200 }, (_, index) => [`User ${index % 5}`, index % 7, 'x', '2024-02-29']),
  )
  for (const target of ['/users', '/users?sortby=age', '/users?sortby=name']) {
    const { headers, body } = comparable(await send(main, `GET ${target}`))
    expect([headers['user-count'], (body as unknown[]).length]).toEqual(['1203', 1203])
  }
})
