/** Rows on bodies: invalid ones are rejected with a pointer, too large ones so that the client can read the response. */
import { get, head, judged, post, type Row, refused, saying, served, text, utf8, where } from './row.ts'
import type { Wire } from './wire.ts'

const json = 'application/json'
const user = '{"name":"Ann","age":1,"email":"a@b.org","registration_date":"2024-02-29"}'

/** The value that was sent is no part of the answer, and the answer says where it stood. */
const pointing = (row: Row, pointer: string, secret: string): Row =>
  where(row, ([reply]) => {
    const body = reply?.body.toString() ?? ''
    if (body.includes(secret)) return 'it repeats the value'
    return body.includes(`"pointer":"${pointer}"`) ? undefined : `no pointer ${JSON.stringify(pointer)}: ${body.slice(0, 200)}`
  })

const malformed = ['{', '}', '{"a"', '{"a":}', '[1,]', '{"a":1,}', "{'a':1}", '{a:1}', 'undefined', 'NaN', '01', '1.', '.5', '+1', '1 2', '{}{}', '"\n"', '"\\x"', '"\\u12"', '"', '', ' ', '\0', '//a', '/**/1', 'tru', '\xa0', '{"a":1}\0'] // biome-ignore format: short words
const noUtf8 = ['\xff', '\xc0\xaf', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xe2\x82', '\x80', 'a\xffb']
const wrong: readonly (readonly [body: string, pointer: string])[] = [
  ['"s3cretive"', ''],
  ['["s3cretive"]', ''],
  ['null', ''],
  ['{"name":"s3cretive"}', '/age'],
  [user.replace('1', '"s3cretive"'), '/age'],
  [user.replace('"Ann"', '["s3cretive"]'), '/name'],
  [user.replace('2024-02-29', 's3cretive'), '/registration_date'],
  [user.replace('2024-02-29', '2023-02-29'), '/registration_date'],
  ['{"__proto__":{"name":"s3cretive","age":1,"email":"a","registration_date":"2024-02-29"}}', '/name'],
  ['{"constructor":{"prototype":{"name":"s3cretive"}}}', '/name'],
  [user.replace('"name"', '"__proto__"'), '/name'],
]

/** Types that are almost the right one. */
const nearMisses: readonly (readonly [type: string, ...statuses: number[]])[] = [
  ['application/json;', 200, 415],
  ['application/json ;charset=utf-8', 200, 415],
  ['application/json; charset="utf-8"', 200, 415],
  ['APPLICATION/JSON', 200],
  ['application/json;charset=UTF-8', 200],
  ['application/json;charset=utf-16', 415],
  ['application/json;charset=utf-8;charset=utf-16', 400, 415],
  ['application/json\t', 200, 415],
  ['application/json,', 415],
  ['application/json, text/plain', 415],
  ['text/plain, application/json', 415],
  ['application/ json', 415],
  ['application /json', 415],
  ['application/jsonp', 415],
  ['application/json+x', 415],
  ['application/problem+json', 415],
  ['application', 415],
  ['/json', 415],
  ['application/', 415],
  ['*/*', 415],
  ['application/*', 415],
  ['"application/json"', 415],
  ['application/json\xa0', 415],
  ['application/json;"', 200, 415],
  ['application\\json', 415],
  ['', 415],
]
const bad = '{"productId":"s3cretive"}'

const kilobyte = 'a'.repeat(1_024)
/** 32 MB, until the service has closed the connection. */
const flood =
  (piece: string, end = '') =>
  async ({ isClosed, write }: Wire): Promise<void> => {
    const bytes = Buffer.from(piece.repeat(1_024), 'latin1')
    for (let count = 0; count < 32 && !isClosed(); count += 1) await write(bytes)
    await write(end)
  }
const sized = `Content-Length: ${32 * 1_048_576}`
const chunked = 'Transfer-Encoding: chunked'
const last = '0\r\n\r\n'
const chunk = `400\r\n${kilobyte}\r\n`

const large: readonly Row[] = [
  judged('32 MB with a length', [text(sized), flood(kilobyte)], 413),
  judged('32 MB in chunks', [text(chunked), flood(chunk, last)], 413),
  judged('32 MB of the wrong type', [head('POST /echo/json', 'Content-Type: image/png', sized), flood(kilobyte)], 415),
  judged('32 MB of the wrong type, in chunks', [head('POST /echo/json', 'Content-Type: image/png', chunked), flood(chunk, last)], 415),
  judged('32 MB to an unknown path', [head('POST /nowhere', 'Content-Type: text/plain', sized), flood(kilobyte)], 404),
  judged('32 MB to an unknown path, in chunks', [head('POST /nowhere', 'Content-Type: text/plain', chunked), flood(chunk, last)], 404),
  judged('32 MB without credentials', [head('POST /secret', `Content-Type: ${json}`, sized), flood(kilobyte)], 401),
  judged('one byte too many', text('Content-Length: 1048577') + 'a'.repeat(1_048_577), 413),
  judged('one byte too many, in chunks', `${text(chunked)}100000\r\n${'a'.repeat(1_048_576)}\r\n1\r\na\r\n0\r\n\r\n`, 413),
  where(served('as many bytes as may be, in chunks', `${text(chunked)}100000\r\n${'a'.repeat(1_048_576)}\r\n0\r\n\r\n`, 200), ([reply]) =>
    reply?.body.length === 1_048_576 ? undefined : 'not every byte came back',
  ),
  served('an encoding that we do not know', post('/echo/json', json, '{}', 'Content-Encoding: gzip'), 415),
  served('an encoding of no name', post('/echo/json', json, '{}', 'Content-Encoding: nonsense'), 415),
  served('two encodings', post('/echo/json', json, '{}', 'Content-Encoding: identity', 'Content-Encoding: gzip'), 415),
  served('a body for GET, which has none', head('GET /hello', 'Content-Length: 5').concat('hello'), 200),
]

/** Each of these has blocked the event loop of some server. They run alone, while the event loop is measured. */
export const heavy: readonly Row[] = [
  served('100,000 brackets', post('/echo/json', json, '['.repeat(100_000)), 400),
  served('100,000 arrays in each other', post('/echo/json', json, '['.repeat(100_000) + ']'.repeat(100_000)), 400),
  served('a megabyte of brackets', post('/echo/json', json, '['.repeat(1_048_576)), 400),
  served('100,000 objects in each other', post('/echo/json', json, '{"a":'.repeat(100_000)), 400),
  served('20,000 keys', post('/marketing', json, `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join()}}`), 400),
  served(
    '20,000 keys that look like integers',
    post('/echo/json', json, `{${Array.from({ length: 20_000 }, (_, index) => `"${index * 7}":1`).join()}}`),
    200,
  ),
  served('20,000 keys that are alike', post('/echo/json', json, `{${'"a":1,'.repeat(20_000)}"a":2}`), 200),
  served('a number of 80,000 digits', post('/echo/json', json, '1'.repeat(80_000)), 400),
  served('a fraction of 80,000 digits', post('/echo/json', json, `0.${'1'.repeat(80_000)}`), [200, 400]),
  served('an exponent of 80,000 digits', post('/echo/json', json, `1e${'1'.repeat(80_000)}`), 400),
  served('a megabyte of escapes', post('/echo/json', json, `"${'\\u0041'.repeat(170_000)}"`), 200),
  served('a megabyte of backslashes', post('/echo/json', json, `"${'\\\\'.repeat(500_000)}"`), 200),
  served('a megabyte of quotes', post('/echo/json', json, `[${'"",'.repeat(340_000)}""]`), 200),
  served('100,000 pairs of a form', post('/echo/form', 'application/x-www-form-urlencoded', 'a=b&'.repeat(100_000)), [200, 400, 413]),
  served(
    '20,000 names of a form',
    post('/echo/form', 'application/x-www-form-urlencoded', Array.from({ length: 20_000 }, (_, index) => `k${index}=b`).join('&')),
    [200, 400, 413],
  ),
  served('names of a form alone', post('/echo/form', 'application/x-www-form-urlencoded', 'a&'.repeat(520_000)), 400),
  served('a megabyte of numbers with exponents', post('/echo/json', json, `[${'1e5,'.repeat(260_000)}1]`), 200),
  served('half a million numbers where texts belong', post('/marketing', json, `{"clientInterestedIn":[${'1,'.repeat(510_000)}1]}`), 400),
  served('a megabyte, and at its end a number that is not kept', post('/echo/json', json, `[${'1,'.repeat(520_000)}1e400]`), 400),
  served('a megabyte of percent signs', post('/echo/form', 'application/x-www-form-urlencoded', `a=${'%41'.repeat(340_000)}`), 200),
]

export const bodies: readonly Row[] = [
  ...malformed.map((body) => served(`${JSON.stringify(body)} is no JSON`, post('/echo/json', json, body), 400)),
  ...noUtf8.flatMap((bytes) => [
    served(`${JSON.stringify(bytes)} is no UTF-8, in JSON`, post('/echo/json', json, `"${bytes}"`), 400),
    served(`${JSON.stringify(bytes)} is no UTF-8, in a text`, post('/echo/text', 'text/plain', bytes), 400),
    served(`${JSON.stringify(bytes)} is no UTF-8, in a form`, post('/echo/form', 'application/x-www-form-urlencoded', `a=${bytes}`), 400),
    saying(
      served(`${JSON.stringify(bytes)} is bytes`, post('/echo/bytes', 'application/octet-stream', bytes), 200),
      Buffer.from(bytes, 'latin1').toString('utf8'),
    ),
  ]),
  ...wrong.map(([body, pointer]) =>
    pointing(served(`${body} is refused at ${JSON.stringify(pointer)}`, post('/users', json, body), 400), pointer, 's3cretive'),
  ),
  saying(served('a byte order mark', post('/echo/json', json, utf8('\ufeff1')), 200), '1'),
  ...nearMisses.map(([type, ...statuses]) => served(`the type ${JSON.stringify(type)}`, post('/echo/json', type, '{}'), statuses)),
  ...nearMisses.map(([type]) =>
    served(`the type ${JSON.stringify(type)} lets nothing past the schema`, post('/products', type, bad), [400, 415]),
  ),
  served('two types', post('/products', json, bad, 'Content-Type: text/plain'), 415),
  served('two types that are alike', post('/products', json, bad, `Content-Type: ${json}`), 415),
  served('no type', head('POST /products', `Content-Length: ${bad.length}`) + bad, 415),
  served('nothing was added by those', get('/products/s3cretive'), 400),
  refused('a body that is shorter than its length', [`${text('Content-Length: 10')}hello`, ({ socket }) => socket.end()], 400),
  ...large,
]
