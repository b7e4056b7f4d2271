/** The specification's "General behaviours". */

import { assert, asyncProperty, jsonValue } from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { readSettings } from '../../src/settings.ts'
import { service } from '../support/service.ts'
import { comparable, json, ofPersons, plain, problem, specify } from './expected.ts'
import { client, email, persons } from './known.ts'
import { send, withBody, withHeaders, withJson } from './send.ts'

const it = await service()
afterAll(it.close)

const varied = ofPersons

describe('1. static path fragments and captures', () => {
  specify(it.main, [
    ['static path fragments are matched literally', 'GET /hello', json({ msg: 'Hello, anonymous coward' })],
    ['another case is another fragment', 'GET /Hello', problem(404)],
    ['a part of a fragment is not the fragment', 'GET /hell', problem(404)],
    [
      'static path fragments are matched in order',
      'GET /users/list-all/',
      problem(401, { 'www-authenticate': 'Basic realm="people", charset="UTF-8"' }),
    ],
    ['fragments in another order are another path', 'GET /int/headers', problem(404)],
    ['a path that goes on behind its endpoint is another path', 'GET /hello/world', problem(404)],
    ['a path that ends before its captures is another path', 'GET /position/1', problem(404)],
    ['a captured segment is converted to the declared type, an integer', 'GET /position/7/-12', json({ xCoord: 7, yCoord: -12 })],
    ['a captured segment that does not convert is refused', 'GET /position/7/seven', problem(400, {}, { in: 'path', name: 'y' })],
    [
      'each captured segment that does not convert is named',
      'GET /position/x/y',
      problem(400, {}, { in: 'path', name: 'x' }, { in: 'path', name: 'y' }),
    ],
  ])
})

describe('2. query parameters', () => {
  const echo = (tag: readonly string[], loud: boolean) => json({ tag, loud })
  specify(it.main, [
    ['a query parameter that is absent has no value', 'GET /hello', json({ msg: 'Hello, anonymous coward' })],
    ['a flag is false when its name is not in the query string', 'GET /echo/query', echo([], false)],
    ['a flag is true when its name is present', 'GET /echo/query?loud', echo([], true)],
    ['a flag is true with any value', 'GET /echo/query?loud=false', echo([], true)],
    ['a flag is true with an empty value', 'GET /echo/query?loud=', echo([], true)],
    ['a flag is true when its name stands there twice', 'GET /echo/query?loud&loud=no', echo([], true)],
    ['a name that only begins like the flag is another name', 'GET /echo/query?louder', echo([], false)],
    ['a list parameter is given by repeating the name', 'GET /echo/query?tag=value1&tag=value2', echo(['value1', 'value2'], false)],
    ['a list keeps its order and what is in it twice', 'GET /echo/query?tag=b&tag=a&tag=b', echo(['b', 'a', 'b'], false)],
    ['a list with one value is a list', 'GET /echo/query?tag=a', echo(['a'], false)],
    ['a list that is absent is empty', 'GET /echo/query?loud', echo([], true)],
    ['an empty value belongs to the list', 'GET /echo/query?tag=&tag=a', echo(['', 'a'], false)],
    ['a list and a flag may be mixed', 'GET /echo/query?tag=a&loud&tag=b', echo(['a', 'b'], true)],
  ])
})

describe('3. the request body by Content-Type, the response by Accept', () => {
  const form = 'clientName=Alp&clientEmail=alp%40foo.com&clientAge=26&clientInterestedIn=haskell&clientInterestedIn=mathematics'
  specify(it.main, [
    ['a body of application/json is decoded as JSON', withJson('POST /marketing', client), json(email)],
    [
      'a body of application/x-www-form-urlencoded is decoded as a form',
      withBody('POST /marketing', 'application/x-www-form-urlencoded', form),
      json(email),
    ],
    [
      'a form that is called JSON is not decoded',
      withBody('POST /marketing', 'application/json', form),
      problem(400, {}, { in: 'body', pointer: '' }),
    ],
    ['the response content type is driven by Accept', withHeaders('GET /persons', { Accept: 'application/json' }), json(persons, varied)],
  ])

  test('the response content type is one that the endpoint offers', async () => {
    const { status, headers } = comparable(await send(it.main, withHeaders('GET /persons', { Accept: 'text/html' })))
    expect({ status, headers }).toEqual({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8', ...varied } })
  })
})

describe('4. supported content types', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)

  specify(it.main, [
    ['JSON (application/json)', withBody('POST /echo/json', 'application/json', '{"a":[1,"é",null]}'), json({ a: [1, 'é', null] })],
    ['plain text (text/plain)', withBody('POST /echo/text', 'text/plain', 'Grüße,\r\n世界 🌍'), plain('Grüße,\r\n世界 🌍')],
    ['plain text may be empty', withBody('POST /echo/text', 'text/plain', ''), plain('')],
    [
      'form-urlencoded (application/x-www-form-urlencoded): every value an array',
      withBody('POST /echo/form', 'application/x-www-form-urlencoded', 'a=1&b=x+y&a=%C3%A9&c=&d'),
      json({ a: ['1', 'é'], b: ['x y'], c: [''], d: [''] }),
    ],
    ['an empty form has no pairs', withBody('POST /echo/form', 'application/x-www-form-urlencoded', ''), json({})],
  ])

  test.each([
    ['every byte', bytes],
    ['no bytes', new Uint8Array()],
    ['a byte order mark, which is never touched', Uint8Array.of(0xef, 0xbb, 0xbf, 0x41)],
    ['what is not UTF-8', Uint8Array.of(0xff, 0xfe, 0x00)],
  ])('octet stream: %s is returned', async (_what, sent) => {
    const response = await send(it.main, withBody('POST /echo/bytes', 'application/octet-stream', sent))
    expect({ status: response.status, type: response.headers['content-type'], bytes: [...response.bytes] }).toEqual({
      status: 200,
      type: 'application/octet-stream',
      bytes: [...sent],
    })
  })

  test('HTML (text/html; charset=utf-8) is offered by the persons endpoint only', async () => {
    const offers = await Promise.all(
      ['/persons', '/users', '/hello', '/colors', '/userStream', '/albert'].map(
        async (path) => (await send(it.main, withHeaders(`GET ${path}`, { Accept: 'text/html' }))).status,
      ),
    )
    expect(offers).toEqual([200, 406, 406, 406, 406, 406])
  })
})

describe('5. JSON request bodies accept any JSON value at the top level', () => {
  test.each([
    '{}',
    '{"a":{"b":[]}}',
    '{"~status":302,"value":1,"then":2}',
    '[]',
    '[1,[2,[3]]]',
    '"text"',
    '""',
    '0',
    '-1.5',
    '1e2',
    'true',
    'false',
    'null',
    ' \t\r\n null \n',
  ])('%s', async (text) => {
    expect(comparable(await send(it.main, withBody('POST /echo/json', 'application/json', text)))).toEqual(json(JSON.parse(text)))
  })

  // Made before there is a connection: it takes longer than an idle one is kept, and its server runs in this process.
  const value = jsonValue({ noUnicodeString: false, maxDepth: 4 })

  test('every value is returned unchanged', async () => {
    await assert(
      asyncProperty(value, async (sent) => {
        // -0 is 0 in JSON.
        const same: unknown = JSON.parse(JSON.stringify(sent))
        expect(comparable(await send(it.main, withJson('POST /echo/json', sent)))).toEqual(json(same))
      }),
      { numRuns: 200 },
    )
  })

  test.each(['', '{', '[1,]', "{'a':1}", '01', '+1', 'NaN', 'undefined', '"\t"', '{"a":1}}', 'nul', '1 2'])(
    '%j is not a JSON value',
    async (text) => {
      expect(comparable(await send(it.main, withBody('POST /echo/json', 'application/json', text)))).toEqual(
        problem(400, {}, { in: 'body', pointer: '' }),
      )
    },
  )
})

test('6. example deployments listen on port 8081; the pagination deployment listens on port 1442', () => {
  expect(readSettings({}).ports).toEqual({ main: 8081, pagination: 1442, docs: 8082 })
  expect(readSettings({}, {}, ['docs']).ports.docs).toBe(8081)
})
