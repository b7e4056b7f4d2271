/** The specification's "Errors". */

import { request } from 'node:http'
import { request as requestHttps } from 'node:https'
import { afterAll, describe, expect, test } from 'vitest'
import { service, serviceOfTest } from '../support/service.ts'
import { comparable, json, ofPersons, plain, problem, specify } from './expected.ts'
import { ann, client } from './known.ts'
import { exchange, send, withBody, withHeaders, withJson } from './send.ts'

const it = await service()
/** As a service is by default, which does not wait long for its database. */
const impatient = { environment: { DATABASE_TIMEOUT_MS: '900' } }
afterAll(it.close)

const apology = 'Sorry, this is not available right now. Please try again in a moment.'
const badBody = problem(400, {}, { in: 'body', pointer: '' })

describe('conditions and their statuses', () => {
  specify(it.main, [
    ['request body cannot be decoded for the declared content type: 400', withBody('POST /marketing', 'application/json', '{'), badBody],
    [
      'request Content-Type not among those the endpoint accepts: 415',
      withBody('POST /users', 'text/plain', 'x'),
      problem(415, { accept: 'application/json' }),
    ],
    ['requested static file does not exist: 404', 'GET /static/nothing.txt', problem(404)],
    [
      'requested file-content file does not exist: 404 with a descriptive body',
      'GET /myfile.txt',
      plain(expect.stringContaining('myfile.txt'), {}, 404),
    ],
    ['request reaches an empty API slot: 404', 'GET /empty/slot', problem(404)],
    [
      'handler-raised error: status, body and headers exactly as set in the error record',
      'GET /echo/unavailable',
      plain(apology, { 'retry-after': '1' }, 503),
    ],
    [
      'an error is not negotiated: who accepts something else can still read it',
      withHeaders('GET /myfile.txt', { Accept: 'application/json' }),
      plain(expect.any(String), {}, 404),
    ],
    ['a handler-raised error to HEAD has no body', 'HEAD /echo/unavailable', plain('', { 'retry-after': '1' }, 503)],
  ])

  test('the reason phrase is exactly as set', async () => {
    const response = await exchange(it.main, 'GET /echo/unavailable HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(response).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    expect(response.endsWith(`\r\n\r\n${apology}`)).toBe(true)
  })
})

describe('problem details name the parameter or the JSON pointer and what was expected', () => {
  const getProblem = async (sent: Parameters<typeof send>[1]) =>
    comparable(await send(it.main, sent)).body as { detail: string; errors: unknown }
  const integer = 'expected an integer such as 42, within ±9007199254740991'

  test.each([
    ['a capture', 'GET /user/x', { in: 'path', name: 'userid', detail: integer }],
    ['a query parameter', 'GET /users?sortby=email', { in: 'query', name: 'sortby', detail: 'expected one of age, name' }],
    ['a parameter given twice', 'GET /hello?name=a&name=b', { in: 'query', name: 'name', detail: 'expected one value, got 2' }],
    [
      'a member',
      withJson('POST /marketing', { ...client, clientAge: 'old' }),
      { in: 'body', pointer: '/clientAge', detail: 'expected an integer, got a string' },
    ],
    [
      'a missing member',
      withJson('POST /users', { ...ann, email: undefined }),
      { in: 'body', pointer: '/email', detail: 'expected a string, got nothing' },
    ],
    [
      'an item',
      withJson('POST /marketing', { ...client, clientInterestedIn: ['a', null] }),
      { in: 'body', pointer: '/clientInterestedIn/1', detail: 'expected a string, got null' },
    ],
    [
      'a date',
      withJson('POST /users', { ...ann, registration_date: '2023-02-29' }),
      { in: 'body', pointer: '/registration_date', detail: 'expected a calendar date such as 2024-02-29' },
    ],
    [
      'a header',
      withHeaders('GET /colors', { Range: 'name; limit x' }),
      { in: 'header', name: 'Range', detail: 'expected limit as a whole number from 0' },
    ],
  ] as const)('%s', async (_what, sent, error) => {
    expect((await getProblem(sent)).errors).toEqual([error])
  })

  test.each([
    ['404', 'GET /user/99', /\b99\b/],
    ['405', 'PUT /hello', /GET, HEAD, OPTIONS/],
    ['406', withHeaders('GET /persons', { Accept: 'image/png' }), /application\/json.*text\/html/],
    ['409', withJson('POST /products', { productId: 1 }), /\b1\b/],
    ['415', withBody('POST /marketing', 'text/plain', 'x'), /application\/json, application\/x-www-form-urlencoded/],
  ] as const)('the detail of %s names the expected value', async (_status, sent, words) => {
    expect((await getProblem(sent)).detail).toMatch(words)
  })

  test('values of a client are never sent back', async () => {
    const secret = 'aVerySecretText'
    for (const sent of [
      `GET /user/${secret}`,
      `GET /users?sortby=${secret}`,
      `GET /${secret}`,
      withHeaders('GET /persons', { Accept: `image/${secret}` }),
      withHeaders('GET /colors', { Range: `name; ${secret} 1` }),
      withHeaders('GET /colors', { Range: secret }),
      withBody('POST /marketing', `text/${secret}`, secret),
      withBody('POST /marketing', 'application/json', `{${secret}`),
      withJson('POST /marketing', { ...client, clientAge: secret }),
      withJson('POST /users', { ...ann, registration_date: secret }),
    ]) {
      const { status, text } = await send(it.main, sent)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(text).not.toContain(secret)
    }
  })
})

describe('unexpected failures', () => {
  // When another attempt is worth making, a busy machine sees differently.
  const unavailable = problem(503, { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) })

  test('an unexpected failure: 500 with a request id, and nothing about the error', async () => {
    const { main, database } = await serviceOfTest(impatient)
    await database.run('DROP TABLE persons')
    const { vary: _, ...policy } = ofPersons
    const expected = problem(500, policy)
    const responses = await Promise.all([send(main, 'GET /persons'), send(main, 'GET /persons')])
    const ids = responses.map((response) => {
      const { status, headers, body } = comparable(response)
      const { requestId, ...details } = body as { requestId: string }
      expect({ status, headers, body: details }).toEqual(expected)
      expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
      expect(response.text).not.toMatch(/persons|sqlite|table|\bat /i)
      return requestId
    })
    expect(new Set(ids).size).toBe(2)
    expect(comparable(await send(main, 'GET /hello'))).toEqual(json({ msg: 'Hello, anonymous coward' }))
  })

  test('the database is unavailable: 503 with Retry-After, not ready, but live', async () => {
    const { main, database } = await serviceOfTest(impatient)
    const back = await database.takeAway()
    expect(comparable(await send(main, withJson('POST /users', ann)))).toEqual(unavailable)
    expect(comparable(await send(main, 'GET /health/ready'))).toEqual(unavailable)
    expect(comparable(await send(main, 'GET /health/live'))).toEqual(json({ status: 'up' }))
    await back()
    expect(comparable(await send(main, 'GET /health/ready'))).toEqual(json({ status: 'ready' }))
  })

  test('the database is locked by another process: 503 until it is released', async () => {
    const { main, database } = await serviceOfTest(impatient)
    const unlock = await database.lock()
    expect(comparable(await send(main, withJson('POST /users', ann)))).toEqual(unavailable)
    expect((await send(main, 'GET /users/1')).status).toBe(200)
    await unlock()
    expect((await send(main, withJson('POST /users', ann))).status).toBe(201)
  })

  test('a stream that fails later ends the connection without the last chunk, after the items before the failure', async () => {
    const { main, database } = await serviceOfTest(impatient)
    const emails = Array.from({ length: 2_000 }, () => ['x'.repeat(10_000)])
    await database.run("INSERT INTO users (name, age, email, registration_date) VALUES ('x', 1, ?, '2024-02-29')", emails)
    let dropped: Promise<void> | undefined
    const { received, complete } = await new Promise<{ received: string; complete: boolean }>((resolve, reject) => {
      const begin = main.startsWith('https:') ? requestHttps : request
      const sending = begin(`${main}/users`, { agent: false, rejectUnauthorized: false }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          if (text === '') dropped = database.run('DROP TABLE users')
          text += chunk
        })
        // A body that was cut is an error to node; what it has got before is what counts here.
        response.on('error', () => {})
        response.on('close', () => resolve({ received: text, complete: response.complete }))
      })
      sending.on('error', reject)
      sending.end()
    })
    await dropped
    expect(complete).toBe(false)
    expect(received.startsWith('[{"name":"Isaac Newton","age":372,')).toBe(true)
    expect(received.endsWith(']')).toBe(false)
    expect((await send(main, 'GET /hello')).status).toBe(200)
  })

  test('a list that fails before its first item has an error status', async () => {
    const { main, database } = await serviceOfTest(impatient)
    await database.run('DROP TABLE products')
    expect((await send(main, 'GET /products')).status).toBe(500)
  })
})

describe('invalid HTTP is rejected with problem details too', () => {
  test.each([
    ['a line of nonsense', 'nonsense\r\n\r\n', 400],
    ['a method that there is not', 'BREW /hello HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a header without a colon', 'GET /hello HTTP/1.1\r\nHost x\r\n\r\n', 400],
    ['a length that is no number', 'POST /echo/json HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n', 400],
    [
      'both a length and chunks',
      'POST /echo/json HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers that are too large', `GET /hello HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s', async (_what, sent, status) => {
    const response = await exchange(it.main, sent)
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(response.toLowerCase()).toContain('\r\ncontent-type: application/problem+json\r\n')
    expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n') + 4))).toMatchObject({ type: 'about:blank', status })
  })
})
