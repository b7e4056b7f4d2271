/** Accept, Content-Type and bodies, and the order of failures. */

import { afterAll, describe, expect, test } from 'vitest'
import { service, serviceOfTest } from '../support/service.ts'
import { comparable, item, json, nothing, ofPersons, plain, problem, specify, streamed } from './expected.ts'
import { albert, client, email, isaac, persons, users } from './known.ts'
import { type Sent, send, withBody, withHeaders, withJson } from './send.ts'

const token = 's3cret'
const it = await service({ environment: { SECRET_TOKEN: token, MAX_BODY_BYTES: '1000' } })
afterAll(it.close)

const hello = (name: string) => json({ msg: `Hello, ${name}` })
const anonymous = hello('anonymous coward')
const basic = { 'www-authenticate': 'Basic realm="people", charset="UTF-8"' }
const bearer = { 'www-authenticate': 'Bearer realm="secret"' }
const readable = { allow: 'GET, HEAD, OPTIONS' }

describe('Accept', () => {
  const varied = ofPersons
  const asJson = json(persons, varied)
  const refused = problem(406, varied)
  const accepting = (accept: string | string[], path = '/persons'): Sent => withHeaders(`GET ${path}`, { Accept: accept })
  const type = async (sent: Sent): Promise<string> => {
    const { status, headers } = await send(it.main, sent)
    expect({ status, vary: headers['vary'] }).toEqual({ status: 200, vary: 'Accept' })
    return headers['content-type'] ?? ''
  }

  specify(it.main, [
    ['no Accept: the first type', 'GET /persons', asJson],
    ['an empty Accept: the first type', accepting(''), asJson],
    ['anything: the first type', accepting('*/*'), asJson],
    ['one that cannot be parsed (q=2): the first type', accepting('text/html;q=2'), asJson],
    ['one that cannot be parsed (no slash): the first type', accepting('html'), asJson],
    ['one that cannot be parsed (*/html): the first type', accepting('*/html'), asJson],
    ['one that cannot be parsed in part: the first type', accepting('text/html, application'), asJson],
    ['nothing offered matches: 406', accepting('image/png'), refused],
    ['everything offered is excluded: 406', accepting('application/json;q=0, text/html;q=0, */*'), refused],
    ['q=0.000 excludes as well', accepting('*/*;q=0.000'), refused],
    ['level=1 is not carried by HTML', accepting('text/html;level=1'), refused],
    ['a charset that is not carried: 406', accepting('text/html;charset=utf-16'), refused],
    ['an endpoint with one type refuses others too', accepting('text/html', '/hello'), problem(406, { vary: 'Accept' })],
    ['an endpoint with one type is happy with a wider range', accepting('application/*;q=0.1', '/hello'), anonymous],
    [
      'an endpoint without a body in its answer does not look at Accept',
      { ...withJson('PUT /users/3', users[2]), headers: { 'Content-Type': 'application/json', Accept: 'image/png' } },
      nothing(204),
    ],
  ])

  test('406 lists the offered types', async () => {
    const { body } = comparable(await send(it.main, accepting('image/png')))
    expect((body as { detail: string }).detail).toMatch(/application\/json.*text\/html/)
  })

  test.each([
    ['text/html', 'the one that is asked for'],
    ['TEXT/HTML', 'types have no case'],
    ['text/*', 'a range of types'],
    ['text/html;charset=utf-8', 'charset=utf-8 counts as carried'],
    ['text/html; Charset="UTF-8"', 'in any case'],
    ['application/json;q=0.4, text/html;q=0.5', 'the higher quality'],
    ['text/html, application/json;q=0.999', 'the quality 1 is understood'],
    ['application/json;q=0, */*;q=0.1', 'the more specific range excludes JSON'],
    ['*/*;q=0.9, application/*;q=0.2', 'the more specific range lowers JSON'],
    ['application/json;charset=utf-8;q=0.1, application/json;q=0.2, text/html;q=0.3', 'parameters are more specific than none'],
    ['text/html;q=0.5, application/xml', 'what is not offered does not count'],
    [['image/png', 'text/html'], 'several lines are one list'],
  ] as const)('%j: HTML (%s)', async (accept, _why) => {
    expect(await type(accepting(typeof accept === 'string' ? accept : [...accept]))).toBe('text/html; charset=utf-8')
  })

  test.each([
    ['text/html, application/json', 'ties go to the order in which the endpoint offers its types'],
    ['*/*;q=0.5', 'a low quality is a quality'],
    ['application/json; charset="utf-8", text/html;q=0.9', 'charset=utf-8 counts as carried'],
    ['text/html;q=0.5, application/*', 'a range of types with a higher quality'],
    ['text/html;level=1, application/json;q=0.1', 'a range with parameters that are not carried matches nothing'],
    ['text/html;q=0, */*', 'what is excluded stays excluded'],
  ])('%j: JSON (%s)', async (accept, _why) => {
    expect(await type(accepting(accept))).toBe('application/json;charset=utf-8')
  })

  test('endpoints that offer several types send Vary: Accept, others do not', async () => {
    const sent = await Promise.all(
      ['/persons', '/userStream', '/hello', '/users', '/colors'].map(async (path) => (await send(it.main, `GET ${path}`)).headers['vary']),
    )
    expect(sent).toEqual(['Accept', 'Accept', undefined, undefined, undefined])
  })
})

describe('Content-Type and bodies', () => {
  const accepted = { accept: 'application/json' }
  const ofMarketing = { accept: 'application/json, application/x-www-form-urlencoded' }
  const bytes = (...list: number[]): Uint8Array => Uint8Array.from(list)
  const whole = { in: 'body', pointer: '' } as const
  const latin1 = bytes(0x22, 0xe9, 0x22)

  specify(it.main, [
    ['a body endpoint without Content-Type: 415', { line: 'POST /echo/json', body: '1' }, problem(415, accepted)],
    ['without Content-Type and without a body: 415', 'POST /echo/json', problem(415, accepted)],
    ['another Content-Type: 415', withBody('POST /echo/json', 'text/plain', '1'), problem(415, accepted)],
    ['415 says which are accepted', withBody('POST /marketing', 'text/plain', '1'), problem(415, ofMarketing)],
    ['a Content-Type that is none: 415', withBody('POST /echo/json', 'json', '1'), problem(415, accepted)],
    [
      'two Content-Types: 415',
      { line: 'POST /echo/json', headers: { 'Content-Type': ['application/json', 'application/json'] }, body: '1' },
      problem(415, accepted),
    ],
    ['a Content-Type has no case', withBody('POST /echo/json', 'Application/JSON', '1'), json(1)],
    ['parameters of the media type are ignored', withBody('POST /echo/json', 'application/json; version=2', '1'), json(1)],
    ['charset=utf-8 is what bodies are in', withBody('POST /echo/json', 'application/json;charset=UTF-8', '"é"'), json('é')],
    ['a charset other than UTF-8: 415', withBody('POST /echo/json', 'application/json;charset=iso-8859-1', '1'), problem(415, accepted)],
    [
      'a charset other than UTF-8: 415 for text',
      withBody('POST /echo/text', 'text/plain;charset=utf-16', '1'),
      problem(415, { accept: 'text/plain' }),
    ],
    [
      'Content-Encoding: identity is no encoding',
      withBody('POST /echo/json', 'application/json', '1', { 'Content-Encoding': 'identity' }),
      json(1),
    ],
    [
      'Content-Encoding other than identity: 415',
      withBody('POST /echo/json', 'application/json', '1', { 'Content-Encoding': 'gzip' }),
      problem(415, { 'accept-encoding': 'identity' }),
    ],
    ['invalid UTF-8 in JSON: 400', withBody('POST /echo/json', 'application/json', latin1), problem(400, {}, whole)],
    ['invalid UTF-8 in text: 400', withBody('POST /echo/text', 'text/plain', bytes(0xff)), problem(400, {}, whole)],
    [
      'invalid UTF-8 in a form: 400',
      withBody('POST /echo/form', 'application/x-www-form-urlencoded', bytes(0x61, 0x3d, 0xff)),
      problem(400, {}, whole),
    ],
    [
      'percent-encoded invalid UTF-8 in a form: 400',
      withBody('POST /echo/form', 'application/x-www-form-urlencoded', 'a=%ff'),
      problem(400, {}, { in: 'body', pointer: '/a' }),
    ],
    [
      'bad percent-encoding in a form: 400',
      withBody('POST /echo/form', 'application/x-www-form-urlencoded', 'a=%'),
      problem(400, {}, { in: 'body', pointer: '/a' }),
    ],
    ['one leading BOM is skipped in JSON', withBody('POST /echo/json', 'application/json', bytes(0xef, 0xbb, 0xbf, 0x31)), json(1)],
    ['one leading BOM is skipped in text', withBody('POST /echo/text', 'text/plain', bytes(0xef, 0xbb, 0xbf, 0x31)), plain('1')],
    [
      'one leading BOM is skipped in a form',
      withBody('POST /echo/form', 'application/x-www-form-urlencoded', '\ufeffa=1'),
      json({ a: ['1'] }),
    ],
    // The reader of the response skips one byte order mark as well. The second one is for it.
    ['a second BOM is a character', withBody('POST /echo/text', 'text/plain', '\ufeff\ufeff1'), plain('\ufeff\ufeff1')],
    ['Content-Type where no body is expected is ignored', withBody('GET /hello', 'image/png', ''), anonymous],
  ])
})

describe('forms', () => {
  const posted = (form: string): Sent => withBody('POST /marketing', 'application/x-www-form-urlencoded', form)
  const start = 'clientName=Alp&clientEmail=alp%40foo.com'
  const list = '&clientInterestedIn=haskell&clientInterestedIn=mathematics'
  specify(it.main, [
    [
      'a scalar given twice: 400',
      posted(`${start}&clientAge=26&clientAge=27${list}`),
      problem(400, {}, { in: 'body', pointer: '/clientAge' }),
    ],
    ['a scalar that is missing: 400', posted(`${start}${list}`), problem(400, {}, { in: 'body', pointer: '/clientAge' })],
    ['an integer that is none: 400', posted(`${start}&clientAge=26.5${list}`), problem(400, {}, { in: 'body', pointer: '/clientAge' })],
    ['a list is the values in order', posted(`${start}&clientAge=26${list}`), json(email)],
    [
      'none given is the empty list',
      posted(`${start}&clientAge=26`),
      json({ ...email, body: "Hi Alp,\n\nSince you've recently turned 26, have you checked out our latest  products? Give us a visit!" }),
    ],
    ['unknown names are ignored', posted(`${start}&clientAge=26${list}&other=1&__proto__=2&other=3`), json(email)],
    [
      'names like those of prototypes are names',
      withBody('POST /echo/form', 'application/x-www-form-urlencoded', '__proto__=1&constructor=2'),
      json(JSON.parse('{"__proto__":["1"],"constructor":["2"]}')),
    ],
  ])
})

describe('JSON', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  const sent = (text: string): Sent => withBody('POST /echo/json', 'application/json', text)
  const refused = problem(400, {}, { in: 'body', pointer: '' })
  const posted = (text: string): Sent => withBody('POST /marketing', 'application/json', text)
  const alp = JSON.stringify(client)

  specify(it.main, [
    ['9007199254740991 is kept', sent('9007199254740991'), json(9007199254740991)],
    ['9007199254740993 is refused, never rounded', sent('9007199254740993'), refused],
    ['9007199254740990.5 is refused, never rounded', sent('9007199254740990.5'), refused],
    ['1e400 is refused', sent('1e400'), refused],
    ['a number is refused deep inside too', sent('{"a":[1,{"b":-1e400}]}'), problem(400, {}, { in: 'body', pointer: '/a/1/b' })],
    ['digits in a text are a text', sent('"9007199254740993"'), json('9007199254740993')],
    ['0.1 is kept as everywhere', sent('0.1'), json(0.1)],
    ['nested 64 deep', sent(nested(64)), json(JSON.parse(nested(64)))],
    ['nested deeper than 64: 400', sent(nested(65)), problem(400, {}, { in: 'body', pointer: '/0'.repeat(64) })],
    ['brackets in a text do not count', sent(JSON.stringify(nested(65))), json(nested(65))],
    ['unknown members are ignored', posted(alp.replace('{', '{"other":1,')), json(email)],
    [
      '__proto__, constructor and prototype are ordinary unknown members',
      posted(alp.replace('{', '{"__proto__":{"clientAge":1},"constructor":1,"prototype":2,')),
      json(email),
    ],
    ['a repeated member: the last one counts', posted(alp.replace('{', '{"clientAge":"x",')), json(email)],
    ['__proto__ is echoed like any other member', sent('{"__proto__":1}'), json(JSON.parse('{"__proto__":1}'))],
    ['1.0 is the integer 1', posted(alp.replace('26', '26.0')), json(email)],
    ['"1" is not', posted(alp.replace('26', '"26"')), problem(400, {}, { in: 'body', pointer: '/clientAge' })],
  ])
})

describe('of several faults, the first of these is reported', () => {
  const png = { Accept: 'image/png' }
  const typed = { 'Content-Type': 'application/json' }
  const authorized = { Authorization: `Bearer ${token}` }
  const large = 'x'.repeat(1001)
  const varied = { vary: 'Accept' }
  const bad = { in: 'query', name: 'x' } as const
  specify(it.main, [
    ['404 path, before everything else', { line: 'PATCH /nothing?x=%ff', headers: png }, problem(404)],
    ['400 capture, before 405', 'PATCH /user/x', problem(400, {}, { in: 'path', name: 'userid' })],
    ['400 capture, before 406', withHeaders('GET /user/x', png), problem(400, {}, { in: 'path', name: 'userid' })],
    ['405 method, before 401', 'POST /list-all/users', problem(405, readable)],
    ['405 method, where a capture of another path would take it', 'PUT /users/list-all', problem(405, readable)],
    ['401 credentials, before 406', withHeaders('GET /users/list-all', png), problem(401, basic)],
    ['401 credentials, before 415', { line: 'POST /secret', body: large }, problem(401, bearer)],
    ['401 credentials, before 400 query', 'GET /secret?x=%ff', problem(401, bearer)],
    ['406 Accept, before 415', { line: 'POST /marketing', headers: png }, problem(406, varied)],
    ['406 Accept, before 400 query', withHeaders('GET /users?sortby=x', png), problem(406, varied)],
    ['415 Content-Type, before 400 query', { line: 'POST /echo/json?x=%ff', body: large }, problem(415, { accept: 'application/json' })],
    ['400 query, before 413', { line: 'POST /echo/json?x=%ff', headers: typed, body: large }, problem(400, {}, bad)],
    ['400 query, before 400 body', { line: 'POST /echo/json?x=%ff', headers: typed, body: '{' }, problem(400, {}, bad)],
    ['413, before 400 body', { line: 'POST /echo/json', headers: typed, body: large }, problem(413)],
    [
      '400 body, before 404 no such item',
      { line: 'PUT /users/999', headers: typed, body: '{' },
      problem(400, {}, { in: 'body', pointer: '' }),
    ],
    ['400 body, before 409', withJson('POST /products', { productId: 1, name: 1 }), problem(400, {}, { in: 'body', pointer: '/name' })],
    [
      '415 Content-Type, where the credentials are right',
      { line: 'POST /secret', headers: authorized, body: large },
      problem(415, { accept: 'application/json' }),
    ],
  ])

  test('400 query, before 400 header', async () => {
    const { status, body } = comparable(await send(it.main, withHeaders('GET /colors?other=%ff', { Range: 'name;' })))
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ in: 'query' }] } })
  })

  test('429 has the place of 401', async () => {
    const { main } = await serviceOfTest()
    const guess = (headers: Record<string, string>) =>
      send(main, withHeaders('GET /list-all/users?x=%ff', { Authorization: `Basic ${btoa('ann:wrong')}`, ...headers }))
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await guess(png)).status).toBe(401)
    expect((await guess(png)).status).toBe(429)
    expect((await send(main, withHeaders('POST /list-all/users', { Authorization: `Basic ${btoa('ann:wrong')}` }))).status).toBe(405)
  })
})

describe('responses', () => {
  specify(it.main, [
    ['JSON is application/json;charset=utf-8 with its length', 'GET /albert', json(albert)],
    ['a list from the database is streamed', 'GET /products', streamed([{ productId: 1 }, { productId: 2 }, { productId: 3 }])],
    ['one item is not', 'GET /users/1', item(isaac)],
    ['text is text/plain;charset=utf-8', withBody('POST /echo/text', 'text/plain', 'x'), plain('x')],
  ])
})
