/** Rows on headers: too large, too many, and headers that other programs trust. */
import { get, head, hidden, judged, post, type Row, refused, served, where } from './row.ts'
import type { Wire } from './wire.ts'

/** Lines without an end: the service has to say stop. */
const endless = async (wire: Wire): Promise<void> => {
  for (let count = 0; count < 2_000 && !wire.isClosed() && wire.received() === ''; count += 1) {
    wire.socket.write(`X-${count}: ${'a'.repeat(200)}\r\n`)
    await new Promise(setImmediate)
  }
}

const long = (length: number, sign = 'a'): string => sign.repeat(length)
const ids = ['a', 'A-b_c.9', '0'.repeat(64)]
const noIds = ['', '0'.repeat(65), 'a b', 'a;b', '<a>', 'é', '../a', 'a,b', '"a"', '{}', 'a\tb']

/** No line of the answer repeats what was sent under the name of a request's identifier, unless it may be one. */
const notEchoed = (row: Row, id: string): Row =>
  where(row, ([reply]) => (id !== '' && [...(reply?.headers.values() ?? [])].includes(id) ? `it repeats ${JSON.stringify(id)}` : undefined))

/** What is no entity tag, or no list of them, and none of what is there. */
const oddTags: readonly (readonly [name: string, value: string])[] = [
  ['nothing', ''],
  ['a tag without quotes', long(32, 'a')],
  ['a quote', '"'],
  ['a tag without an end', `"${long(7_000)}`],
  ['a long tag', `"${long(7_000)}"`],
  ['a weak mark in lower case', 'w/"a"'],
  ['a weak mark alone', 'W/'],
  ['a list of 2,000', long(2_000, '"a",')],
  ['a list of weak ones', long(1_000, 'W/"a", ')],
  ['commas', long(7_000, ',')],
  ['quotes', long(7_000, '"')],
  ['spaces within a tag', '"a b"'],
  ['an escaped quote', '"a\\"b"'],
  ['bytes that are not ASCII', '"\xff\xfe\x80"'],
  ['* among others', '"a", *'],
  ['two stars', '**'],
  ['an object', '{"a":1}'],
]
const removal = (...lines: readonly string[]): string => head('DELETE /users/1', ...lines)

export const headers: readonly Row[] = [
  refused('50 KB of headers', get('/hello', ...Array.from({ length: 50 }, (_, index) => `X-${index}: ${long(1_000)}`)) + hidden, 431),
  refused('a header of 50 KB', get('/hello', `X-A: ${long(50_000)}`) + hidden, 431),
  refused('a header of 100 KB', get('/hello', `X-A: ${long(100_000)}`) + hidden, 431),
  refused('a name of 100 KB', get('/hello', `${long(100_000)}: a`) + hidden, 431),
  refused('a cookie of 100 KB', get('/hello', `Cookie: ${long(100_000)}`) + hidden, 431),
  refused('headers without an end', ['GET /hello HTTP/1.1\r\nHost: a\r\n', endless], 431),
  refused('2,500 headers', get('/hello', ...Array.from({ length: 2_500 }, () => 'a:b')) + hidden, 431),
  refused('1,001 headers', get('/hello', ...Array.from({ length: 1_001 }, () => 'a:b')) + hidden, 431),
  served('900 headers', get('/hello', ...Array.from({ length: 900 }, () => 'a:b')), 200),
  served('a header of 10 KB', get('/hello', `X-A: ${long(10_000)}`), 200),
  served('headers of the names of objects', get('/hello', '__proto__: a', 'constructor: b', 'toString: c', 'hasOwnProperty: d'), 200),
  served('bytes that are not ASCII in a header', get('/hello', 'X-A: \xff\xfe\x80'), 200),
  served('a header without a value', get('/hello', 'X-A:', 'X-B: \t '), 200),
  ...ids.map((id) => served(`${id.slice(0, 10)} as the identifier of a request`, get('/hello', `X-Request-Id: ${id}`), 200)),
  ...noIds.map((id) =>
    notEchoed(served(`${JSON.stringify(id.slice(0, 10))}, which is no identifier`, get('/hello', `X-Request-Id: ${id}`), [200, 400]), id),
  ),
  ...[
    'X-Forwarded-For: 1.2.3.4\x01',
    'X-Forwarded-For: nonsense, "',
    'Forwarded: for="[',
    'X-Forwarded-Host: evil.invalid',
    'X-Forwarded-Proto: evil',
  ].map((line) => judged(`${JSON.stringify(line)}`, get('/hello', line), [200, 400])),
  where(
    judged(
      'X-Forwarded-Host is no part of a Location',
      post('/products', 'application/json', '{"productId":771}', 'X-Forwarded-Host: evil.invalid'),
      [201, 409],
    ),
    ([reply]) => (JSON.stringify([...(reply?.headers ?? [])]).includes('evil') ? 'it believes any sender' : undefined),
  ),
  ...['a\x80', `${long(2_000, ';')}`, `${long(2_000, '"')}`, `${long(2_000, '\\')}`, `a/b;${long(2_000, 'c=')}`].flatMap((value) => [
    served(`an Accept of ${JSON.stringify(value.slice(0, 10))}`, get('/persons', `Accept: ${value}`), [200, 406]),
    served(`a Content-Type of ${JSON.stringify(value.slice(0, 10))}`, post('/echo/json', value, '{}'), 415),
    served(`a Range of ${JSON.stringify(value.slice(0, 10))}`, get('/colors', `Range: ${value}`), [200, 206, 400, 416]),
    served(`a Range of a file of ${JSON.stringify(value.slice(0, 10))}`, get('/static/a.txt', `Range: ${value}`), [200, 416]),
    served(`an If-None-Match of ${JSON.stringify(value.slice(0, 10))}`, get('/static/a.txt', `If-None-Match: ${value}`), [200, 304]),
  ]),
  ...oddTags.flatMap(([name, value]) => [
    served(`${name} as the tag that is known`, get('/users/1', `If-None-Match: ${value}`), 200),
    served(`${name} as the tag that is to be read`, get('/users/1', `If-Match: ${value}`), 412),
    served(`${name} as the tag that is to be removed`, removal(`If-Match: ${value}`), 412),
  ]),
  served('many lines of tags', get('/users/1', ...Array.from({ length: 500 }, () => 'If-None-Match: "a"')), 200),
  served('* in the last of two lines', get('/users/1', 'If-None-Match: "a"', 'If-None-Match: *'), 200),
  refused('a control byte in a tag', get('/users/1', 'If-None-Match: "\x01"') + hidden, 400),
  refused('NUL in a tag', removal('If-Match: "\0"') + hidden, 400),
]
