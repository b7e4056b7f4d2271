/** The specification's "Secret data (header-guarded)". */

import { afterAll, describe, expect, test } from 'vitest'
import { service, serviceOfTest } from '../support/service.ts'
import { comparable, nothing, problem, specify, streamed } from './expected.ts'
import { type Sent, send, withBody, withHeaders, withJson } from './send.ts'

const token = 'correct-Horse.battery~staple_1+2/3=='
const authorized = { Authorization: `Bearer ${token}` }
const challenge = { 'www-authenticate': 'Bearer realm="secret"' }
/** For a token that is none of ours (RFC 6750 §3.1). */
const rejection = { 'www-authenticate': 'Bearer realm="secret", error="invalid_token"' }
const it = await service({ environment: { SECRET_TOKEN: token } })
afterAll(it.close)
const without = await service()
afterAll(without.close)

specify(it.main, [
  ['a GET returns secret data: at first there is none', withHeaders('GET /secret', authorized), streamed([])],
  ['the scheme has no case', withHeaders('GET /secret', { Authorization: `bearer ${token}` }), streamed([])],
  ['a POST without authorization adds nothing', withJson('POST /secret', { secret: 'x' }), problem(401, challenge)],
  [
    'a body that cannot be decoded: 400',
    withBody('POST /secret', 'application/json', '{', authorized),
    problem(400, {}, { in: 'body', pointer: '' }),
  ],
  ['secret is a string', withJson('POST /secret', { secret: 1 }, authorized), problem(400, {}, { in: 'body', pointer: '/secret' })],
  ['secret is required', withJson('POST /secret', {}, authorized), problem(400, {}, { in: 'body', pointer: '/secret' })],
  ['the POST takes JSON', withBody('POST /secret', 'text/plain', 'x', authorized), problem(415, { accept: 'application/json' })],
])

describe('only when authorized', () => {
  const attempts: [what: string, headers: Sent['headers'], expected?: Readonly<Record<string, string>>][] = [
    ['no Authorization', {}],
    ['an empty one', { Authorization: '' }],
    ['the scheme alone', { Authorization: 'Bearer' }],
    ['the scheme and a space', { Authorization: 'Bearer ' }],
    ['the token alone', { Authorization: token }],
    ['another scheme', { Authorization: `Basic ${btoa(`x:${token}`)}` }],
    ['another token', { Authorization: 'Bearer wrong' }, rejection],
    ['the beginning of the token', { Authorization: `Bearer ${token.slice(0, -1)}` }, rejection],
    ['the token and more', { Authorization: `Bearer ${token}x` }],
    ['the token in another case', { Authorization: `Bearer ${token.toLowerCase()}` }, rejection],
    ['two tokens', { Authorization: [`Bearer ${token}`, `Bearer ${token}`] }],
    ['the token behind another', { Authorization: `Bearer wrong ${token}` }],
    ['the token in another header', { 'X-Authorization': `Bearer ${token}` }],
  ]

  test.each(attempts)(
    '%s: 401 for GET and POST alike',
    async (_what, headers = {}, expected: Readonly<Record<string, string>> = challenge) => {
      expect(comparable(await send(it.main, withHeaders('GET /secret', headers)))).toEqual(problem(401, expected))
      expect(comparable(await send(it.main, withJson('POST /secret', { secret: 'x' }, headers)))).toEqual(problem(401, expected))
      expect(comparable(await send(it.main, withHeaders('GET /secret', authorized)))).toEqual(streamed([]))
    },
  )

  test('a token in the query is not accepted', async () => {
    expect(comparable(await send(it.main, `GET /secret?access_token=${token}`))).toEqual(problem(401, challenge))
  })
})

test('what a POST adds, a GET returns, in order', async () => {
  const { main } = await serviceOfTest({ environment: { SECRET_TOKEN: token } })
  const secrets = [{ secret: 'one' }, { secret: 'zwei 🌍' }, { secret: '' }, { secret: 'one' }]
  for (const secret of secrets)
    expect(comparable(await send(main, withJson('POST /secret', { ...secret, more: 1 }, authorized)))).toEqual(nothing(204))
  expect(comparable(await send(main, withHeaders('GET /secret', authorized)))).toEqual(streamed(secrets))
})

describe('without a SECRET_TOKEN', () => {
  specify(without.main, [
    ['GET: 401', 'GET /secret', problem(401, challenge)],
    ['GET with some token: 401', withHeaders('GET /secret', authorized), problem(401, rejection)],
    ['GET with the text undefined: 401', withHeaders('GET /secret', { Authorization: 'Bearer undefined' }), problem(401, rejection)],
    ['POST: 401', withJson('POST /secret', { secret: 'x' }, authorized), problem(401, rejection)],
    ['another method: 405 still', 'DELETE /secret', problem(405, { allow: 'GET, HEAD, POST, OPTIONS' })],
    ['OPTIONS: 204 still', 'OPTIONS /secret', nothing(204, { allow: 'GET, HEAD, POST, OPTIONS' })],
  ])
})
