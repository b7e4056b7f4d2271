/** Paths, parameters and methods of requests. */

import { afterAll, describe, expect, test } from 'vitest'
import { service } from '../support/service.ts'
import { comparable, item, json, nothing, ofPersons, problem, specify } from './expected.ts'
import { albert, allowed } from './known.ts'
import { accepted } from './partial.ts'
import { exchange, type ReceivedResponse, send } from './send.ts'

const it = await service({ files: { 'myfile.txt': 'text' } })
afterAll(it.close)

const hello = (name: string) => json({ msg: `Hello, ${name}` })
const anonymous = hello('anonymous coward')
const basic = { 'www-authenticate': 'Basic realm="people", charset="UTF-8"' }

describe('paths', () => {
  specify(it.main, [
    ['paths are case-sensitive', 'GET /HELLO', problem(404)],
    ['a path is percent-decoded', 'GET /%68ello', anonymous],
    ['a path is percent-decoded once', 'GET /%2568ello', problem(404)],
    ['a capture is percent-decoded', 'GET /position/%31%32/-%33', json({ xCoord: 12, yCoord: -3 })],
    ['one trailing slash is accepted', 'GET /hello/', anonymous],
    ['one trailing slash is accepted behind a capture', 'GET /user/2/', item(albert)],
    ['two trailing slashes are not', 'GET /hello//', problem(404)],
    ['an empty segment in front matches nothing', 'GET //hello', problem(404)],
    ['an empty segment in the middle matches nothing', 'GET /position//1/2', problem(404)],
    ['an empty segment is no capture', 'GET /position//2', problem(404)],
    ['an encoded slash stays inside its segment', 'GET /users%2F1', problem(404)],
    ['an encoded slash stays inside its capture', 'GET /position/1%2F2/3', problem(400, {}, { in: 'path', name: 'x' })],
    ['dots in a path are segments like any other', 'GET /users/../hello', problem(404)],
    ['encoded dots are segments like any other', 'GET /users/%2e%2e/hello', problem(404)],
    ['bad percent-encoding is refused', 'GET /hello%', problem(400)],
    ['percent-encoding with other digits is refused', 'GET /hell%zz', problem(400)],
    ['bad percent-encoding is refused before the path is looked for', 'GET /nothing/%', problem(400)],
    ['bytes that are not UTF-8 after decoding are refused', 'GET /position/%FF/1', problem(400)],
    ['a surrogate in UTF-8 is refused', 'GET /position/%ED%A0%80/1', problem(400)],
    ['an overlong form is refused', 'GET /position/%C0%AF/1', problem(400)],
    ['a static segment wins over a capture', 'GET /users/list-all', problem(401, basic)],
    ['an absolute target is the same resource', 'GET http://example.org/hello?name=Ann', hello('Ann')],
    ['an asterisk is no path', 'GET *', problem(404)],
  ])

  test.each(allowed.filter(([, allow]) => allow.startsWith('GET')))('one trailing slash is accepted on %s', async (path) => {
    const [plain, slashed] = await Promise.all([send(it.main, `GET ${path}`), send(it.main, `GET ${path}/`)])
    expect(comparable(slashed)).toEqual(comparable(plain))
  })

  test('raw bytes that are not UTF-8 are rejected', async () => {
    expect(await exchange(it.main, 'GET /hello?name=\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await exchange(it.main, 'GET /hello/\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  })
})

describe('integers and booleans in text', () => {
  test.each([
    ['0', 0],
    ['-0', 0],
    ['007', 7],
    ['-5', -5],
    ['9007199254740991', 9007199254740991],
    ['-9007199254740991', -9007199254740991],
  ])('an integer is -?[0-9]+: %s', async (text, value) => {
    expect(comparable(await send(it.main, `GET /position/${text}/1`))).toEqual(json({ xCoord: value, yCoord: 1 }))
  })

  test.each([
    'x',
    '1.0',
    '1.5',
    '+1',
    '0x10',
    '1e3',
    '%201',
    '1%20',
    '--1',
    '-',
    '9007199254740992',
    '-9007199254740992',
    '1_000',
    '%D9%A1',
    'NaN',
    '1%00',
  ])('not an integer: %s', async (text) => {
    expect(comparable(await send(it.main, `GET /position/${text}/1`))).toEqual(problem(400, {}, { in: 'path', name: 'x' }))
  })

  test.each(['TRUE', 'True', '1', '0', 'yes', 'on', '%20true', 'truefalse'])('a boolean is true or false, and not %s', async (text) => {
    expect(comparable(await send(it.main, `GET /headers/maybe/${text}`))).toEqual(problem(400, {}, { in: 'path', name: 'withHeader' }))
  })
})

describe('query parameters', () => {
  const refused = (name?: string) => problem(400, {}, { in: 'query', ...(name === undefined ? {} : { name }) })
  specify(it.main, [
    ['?name without = counts as absent for a valued parameter', 'GET /hello?name', anonymous],
    ['?name= is the empty string', 'GET /hello?name=', hello('')],
    [
      'a parameter that takes one value and is given twice is refused',
      'GET /hello?name=a&name=b',
      problem(400, {}, { in: 'query', name: 'name' }),
    ],
    ['the same value twice is twice', 'GET /hello?name=a&name=a', problem(400, {}, { in: 'query', name: 'name' })],
    ['?name=a&name gives name once', 'GET /hello?name=a&name', hello('a')],
    ['?name&name is absent still', 'GET /hello?name&name', anonymous],
    ['+ is a space', 'GET /hello?name=Ann+Lee', hello('Ann Lee')],
    ['%2B is a plus', 'GET /hello?name=1%2B1', hello('1+1')],
    ['%20 is a space', 'GET /hello?name=Ann%20Lee', hello('Ann Lee')],
    ['the first = ends the name', 'GET /hello?name=a=b', hello('a=b')],
    ['& may be encoded', 'GET /hello?name=a%26b', hello('a&b')],
    ['the name may be encoded', 'GET /hello?n%61me=Ann', hello('Ann')],
    ['names are case-sensitive', 'GET /hello?Name=Ann', anonymous],
    ['unknown parameters are ignored', 'GET /hello?other=1&name=Ann&other=2', hello('Ann')],
    ['pairs may be empty', 'GET /hello?&&name=Ann&', hello('Ann')],
    ['a query may be empty', 'GET /hello?', anonymous],
    ['a question mark may stand in a value', 'GET /hello?name=a?b', hello('a?b')],
    ['any character of Unicode may be sent', 'GET /hello?name=%F0%9F%8C%8D', hello('🌍')],
    ['bad percent-encoding is refused', 'GET /hello?name=%', refused('name')],
    ['bad percent-encoding of an unknown parameter is refused', 'GET /hello?other=%zz', refused('other')],
    ['bad percent-encoding of a name is refused', 'GET /hello?%zz=1', refused()],
    ['bytes that are not UTF-8 are refused', 'GET /hello?name=%ff', refused('name')],
    ['bad percent-encoding is refused where no parameter is declared', 'GET /albert?x=%ff', refused('x')],
  ])
})

describe('HEAD, OPTIONS and other methods', () => {
  const got = allowed.filter(([, allow]) => allow.startsWith('GET'))
  /** What HEAD cannot know of a body that is made while it is sent. */
  const headersOf = ({ headers: { date: _, 'transfer-encoding': __, 'x-request-id': ___, ...headers } }: ReceivedResponse) => headers

  test.each(got)('HEAD %s is like GET, with the same headers and no body', async (path) => {
    const [get, head] = await Promise.all([send(it.main, `GET ${path}`), send(it.main, `HEAD ${path}`)])
    expect({ status: head.status, headers: headersOf(head), body: head.text }).toEqual({
      status: get.status,
      headers: headersOf(get),
      body: '',
    })
  })

  /** The headers of every response of a path, for all methods. */
  const { vary: _, ...policy } = ofPersons
  const constant: Readonly<Record<string, typeof policy>> = { '/colors': accepted, '/persons': policy }

  test.each(allowed)('OPTIONS %s: 204 with Allow: %s, without credentials too', async (path, allow) => {
    expect(comparable(await send(it.main, `OPTIONS ${path}`))).toEqual(nothing(204, { allow, ...constant[path] }))
  })

  test.each(allowed)('%s with another method: 405 with Allow: %s, HEAD and OPTIONS included', async (path, allow) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].filter((one) => !allow.includes(one))) {
      expect(comparable(await send(it.main, `${method} ${path}`))).toEqual(problem(405, { allow, ...constant[path] }))
    }
  })

  specify(it.main, [
    ['HEAD of a path that cannot be got: 405', 'HEAD /marketing', { ...problem(405, { allow: 'POST, OPTIONS' }), body: '' }],
    ['an unknown path: 404', 'GET /nothing', problem(404)],
    ['an unknown path: 404 for OPTIONS too', 'OPTIONS /nothing', problem(404)],
    ['an unknown path: 404 for HEAD too', 'HEAD /nothing', { ...problem(404), body: '' }],
    ['OPTIONS with a capture that does not convert: 400', 'OPTIONS /user/x', problem(400, {}, { in: 'path', name: 'userid' })],
  ])
})
