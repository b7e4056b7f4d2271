/** Request bodies: their types, and what stands in them. */
import { expect } from 'vitest'
import { buildRequest, json, type MatrixRequest, post, postJson, type Row, refuses, respondsWith } from './row.ts'

const order = '{"item":"tea","tags":["a","b"]}'
const ordered = respondsWith(201, { json: { item: 'tea', count: 1 }, headers: { Location: '/orders/a-b' } })
const accepts = 'application/json, application/x-www-form-urlencoded'
const refusesType = respondsWith(415, { headers: { Accept: accepts, 'Content-Type': 'application/problem+json' } })
const body = (pointer: string, detail: string) => refuses(400, { in: 'body', pointer, detail })
const postForm = (text: string | Uint8Array): MatrixRequest => post('/orders', 'application/x-www-form-urlencoded', text)

export const contentTypes: readonly Row[] = [
  ['no Content-Type', buildRequest('POST', '/orders', {}, order), refusesType],
  ['no Content-Type and no body', buildRequest('POST', '/orders'), refusesType],
  ['an unknown one', post('/orders', 'text/plain', order), refusesType],
  ['a range', post('/orders', 'application/*', order), refusesType],
  ['two in one line', post('/orders', 'application/json, application/json', order), refusesType],
  ['one without its second half', post('/orders', 'application', order), refusesType],
  ['one with a space inside', post('/orders', 'application /json', order), refusesType],
  ['one with text behind it', post('/orders', 'application/json x', order), refusesType],
  ['one with an incomplete parameter', post('/orders', 'application/json; charset', order), refusesType],
  ['one whose charset is not UTF-8', post('/orders', 'application/json; charset=latin1', order), refusesType],
  ['one whose charset is empty', post('/orders', 'application/json; charset=""', order), refusesType],
  ['one with two charsets', post('/orders', 'application/json; charset=utf-8; charset=utf-8', order), refusesType],
  ['one with a charset', post('/orders', 'application/json; charset=utf-8', order), ordered],
  ['one with a charset in another case, quoted', post('/orders', 'Application/JSON ;\tCharset="UTF-8"', order), ordered],
  ['one that ends with a semicolon', post('/orders', 'application/json;', order), ordered],
  ['one with an unknown parameter', post('/orders', 'application/json; version=2', order), ordered],
  ['a longer name', post('/orders', 'application/jsonx', order), refusesType],
  [
    'a compressed body',
    postJson('/orders', order, { 'Content-Encoding': 'gzip' }),
    respondsWith(415, { headers: { 'Accept-Encoding': 'identity' } }),
  ],
  ['a body with Content-Encoding: identity', postJson('/orders', order, { 'Content-Encoding': 'Identity' }), ordered],
]

export const forms: readonly Row[] = [
  ['a form', postForm('item=tea&tags=a&tags=b'), ordered],
  ['a form with an integer', postForm('item=tea&tags=a&count=3'), respondsWith(201, { json: { item: 'tea', count: 3 } })],
  ['a list without a value', postForm('item=tea'), respondsWith(201, { headers: { Location: '/orders/' } })],
  [
    'a plus is a space, and percent-encoding is decoded',
    postForm('item=a+b%2B%C3%84'),
    respondsWith(201, { json: { item: 'a b+Ä', count: 1 } }),
  ],
  ['a scalar with two values', postForm('item=tea&item=tea'), body('/item', 'expected one value, got 2')],
  ['a missing scalar', postForm('tags=a'), body('/item', 'expected a string, got nothing')],
  ['an invalid integer', postForm('item=tea&count=1e3'), body('/count', 'expected an integer such as 42, within ±9007199254740991')],
  ['unknown names are ignored', postForm('item=tea&__proto__=1&nobody=2&item[x]=3'), respondsWith(201)],
  ['a bad percent-encoding', postForm('item=%zz'), body('/item', 'expected percent-encoded UTF-8')],
  ['a bad percent-encoding under an unknown name', postForm('item=tea&x=%C3%28'), body('/x', 'expected percent-encoded UTF-8')],
  ['a bad percent-encoding in a name', postForm('item=tea&%zz=1'), body('', 'expected percent-encoded UTF-8')],
  ['bytes that are not UTF-8', postForm(Uint8Array.of(0x61, 0x3d, 0xff)), body('', 'expected UTF-8 text')],
  ['one byte order mark is skipped', postForm('\ufeffitem=tea'), respondsWith(201)],
  [
    'a form without a schema: each name with its values',
    post('/echo/form', 'application/x-www-form-urlencoded', 'a=1&b=&a=2'),
    json({ a: ['1', '2'], b: [''] }),
  ],
  [
    'a form without a schema keeps every name',
    post('/echo/form', 'application/x-www-form-urlencoded', '__proto__=1&constructor=2'),
    respondsWith(200, { text: '{"__proto__":["1"],"constructor":["2"]}' }),
  ],
]

const echo = (text: string | Uint8Array): MatrixRequest => postJson('/echo/json', text)
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const tooDeep = body('/0'.repeat(64), 'expected JSON nested at most 64 deep')
const inexact = (pointer = '') => body(pointer, 'expected a number within the range and precision of a 64-bit float')
const unread = (pointer: string) => refuses(400, expect.objectContaining({ in: 'body', pointer }))
/** A replacement character that was sent as such, and behind it a byte that is no UTF-8. */
const invalid = Buffer.concat([Buffer.from('{"a":["\ufffd\u00e4",{"b":"'), Uint8Array.of(0xff), Buffer.from('"}]}')])
const order1 = (count: string): MatrixRequest => postJson('/orders', `{"item":"tea","tags":[],"count":${count}}`)
const notCounted = (came: string): Row[2] => body('/count', `expected an integer, got ${came}`)

export const jsonTexts: readonly Row[] = [
  ...['{"a":[1,null,true,"x"]}', '[]', '""', '"a\u2028b"', '0', '-1.5', 'true', 'null'].map(
    (value): Row => [`any JSON value, such as ${value}`, echo(value), json(JSON.parse(value))],
  ),
  ['white space around a value', echo(' \r\n\t1 '), json(1)],
  ['no value', echo(''), body('', 'expected JSON')],
  ['two values', echo('1 2'), refuses(400)],
  ['an incomplete value', echo('{"a":'), refuses(400)],
  ['a trailing comma', echo('[1,]'), refuses(400)],
  ['a comment', echo('1 // one'), refuses(400)],
  ['NaN is not JSON', echo('NaN'), refuses(400)],
  ['one byte order mark is skipped', echo('\ufeff1'), json(1)],
  ['a second byte order mark is not', echo('\ufeff\ufeff1'), refuses(400)],
  ['bytes that are not UTF-8', echo(Uint8Array.of(0x22, 0xc3, 0x28, 0x22)), body('', 'expected UTF-8 text')],
  ['a lone surrogate in UTF-8', echo(Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22)), body('', 'expected UTF-8 text')],
  ['nested 64 deep', echo(nested(64)), json(JSON.parse(nested(64)))],
  ['nested 65 deep', echo(nested(65)), tooDeep],
  ['nested deep and never closed', echo('['.repeat(1_500)), tooDeep],
  ['brackets in a string are not nesting', echo(`"\\"${'['.repeat(100)}"`), json(`"${'['.repeat(100)}`)],
  ['many brackets side by side', echo(`[${nested(1)}${`,${nested(1)}`.repeat(200)}]`), respondsWith(200)],
  ['the largest exact integer', echo('9007199254740991'), json(9007199254740991)],
  ['an integer that a double would round', echo('9007199254740993'), inexact()],
  ['a fraction that a double would make whole', echo('9007199254740990.5'), inexact()],
  ['a number that a double cannot hold', echo('1e400'), inexact()],
  ['a negative one', echo('[-1E+400]'), inexact('/0')],
  ['such a number inside', echo('{"a":[{"b":9007199254740993}]}'), inexact('/a/0/b')],
  ['such a number behind others', echo('{"a":{"b":1,"c":[]},"d":["x",{"y/~":1},-1e400]}'), inexact('/d/2')],
  ['such a number under a name that a pointer escapes', echo('{"a/b":{"~":1e400}}'), inexact('/a~1b/~0')],
  ['such a number under a name that JSON escapes', echo('{"\\u0061\\"":1e400}'), inexact('/a"')],
  ['such a number under no name', echo('{"":1e400}'), inexact('/')],
  [
    'one that is nested too deep, behind others',
    echo(`{"a":[1,${nested(63)}]}`),
    body(`/a/1${'/0'.repeat(62)}`, 'expected JSON nested at most 64 deep'),
  ],
  ['an unknown escape', echo('{"a":["b","\\x"]}'), unread('/a/1')],
  ['an incomplete escape', echo('{"a":1,"b":"\\u12"}'), unread('/b')],
  ['a line break in a string', echo('["a\nb"]'), unread('/0')],
  ['a control character in a string', echo('["a\u001f"]'), unread('/0')],
  ['a string that does not end', echo('{"a":{"b":"c'), unread('/a/b')],
  ['a number with a leading zero', echo('{"a":[0,01]}'), unread('/a/1')],
  ['a decimal point without a digit', echo('{"a":1.}'), unread('/a')],
  ['an invalid escape in a name: the pointer is that of the object', echo('{"a":{"b":1,"\\x":2}}'), unread('/a')],
  ['text that is not JSON has no pointer', echo('{"a":[1 2]}'), unread('')],
  ['bytes that are not UTF-8, inside', echo(invalid), body('/a/1/b', 'expected UTF-8 text')],
  ['bytes that are not UTF-8, behind a value', echo(Uint8Array.of(0x5b, 0x31, 0xff, 0x5d)), body('', 'expected UTF-8 text')],
  ['digits of such a number in a string', echo('"9007199254740993"'), json('9007199254740993')],
  ['a fraction', echo('0.1'), json(0.1)],
  ['1.0 is the integer 1', order1('1.0'), respondsWith(201, { json: { item: 'tea', count: 1 } })],
  ['1e1 is the integer 10', order1('1e1'), respondsWith(201, { json: { item: 'tea', count: 10 } })],
  ['"1" is not an integer', order1('"1"'), notCounted('a string')],
  ['1.5 is not an integer', order1('1.5'), notCounted('a number')],
  ['true is not an integer', order1('true'), notCounted('a boolean')],
  ['a list is not an integer', order1('[1]'), notCounted('an array')],
  ['null is not the default', order1('null'), notCounted('null')],
  ['2^53 is not a safe integer', order1('9007199254740992'), body('/count', 'expected an integer, got a number beyond ±9007199254740991')],
]

export const members: readonly Row[] = [
  ['a default replaces a missing member', postJson('/orders', order), ordered],
  ['a missing member', postJson('/orders', '{"tags":[]}'), body('/item', 'expected a string, got nothing')],
  ['an item of the wrong type', postJson('/orders', '{"item":"tea","tags":["a",2]}'), body('/tags/1', 'expected a string, got an integer')],
  [
    'all errors are reported at once',
    postJson('/orders', '{"item":7}'),
    refuses(
      400,
      { in: 'body', pointer: '/item', detail: 'expected a string, got an integer' },
      { in: 'body', pointer: '/tags', detail: 'expected an array, got nothing' },
    ),
  ],
  ['another top-level value', postJson('/orders', '[]'), body('', 'expected an object, got an array')],
  ['null', postJson('/orders', 'null'), body('', 'expected an object, got null')],
  ['a repeated member: the last one counts', postJson('/orders', '{"item":"milk","item":"tea","tags":["a","b"]}'), ordered],
  ['unknown members are ignored', postJson('/orders', '{"nobody":1,"item":"tea","tags":["a","b"]}'), ordered],
  [
    'the names of Object are unknown members like any other',
    postJson('/orders', '{"__proto__":{"count":5},"constructor":1,"prototype":2,"item":"tea","tags":["a","b"]}'),
    ordered,
  ],
  ['they supply no member', postJson('/orders', '{"__proto__":{"item":"tea","tags":[]}}'), refuses(400)],
  ['any JSON value keeps them', echo('{"__proto__":{"a":1}}'), respondsWith(200, { text: '{"__proto__":{"a":1}}' })],
  [
    'a day that does not exist',
    buildRequest('PUT', '/people/1', { 'Content-Type': 'application/json' }, '{"name":"A","age":1,"born":"2023-02-29"}'),
    body('/born', 'expected a calendar date such as 2024-02-29'),
  ],
  ['a schema of another library', postJson('/jobs', '{"task":"saw","urgent":true}'), respondsWith(202, { json: { ticket: 1 } })],
  [
    'a schema of another library rejects a value',
    postJson('/jobs', '{"task":"saw","urgent":"yes"}'),
    body('/urgent', 'expected true or false, got a string'),
  ],
  ['a schema of another library reports a missing member', postJson('/jobs', '{}'), body('/task', 'expected a string, got nothing')],
]

const text = (bytes: string | Uint8Array): MatrixRequest => post('/echo/text', 'text/plain', bytes)
const everyByte = Uint8Array.from({ length: 256 }, (_, index) => index)

export const others: readonly Row[] = [
  [
    'text',
    text('Änn\0\r\n'),
    respondsWith(200, { text: 'Änn\0\r\n', headers: { 'Content-Type': 'text/plain;charset=utf-8', 'Content-Length': '7' } }),
  ],
  ['empty text', text(''), respondsWith(200, { text: '', headers: { 'Content-Length': '0' } })],
  ['text that is not UTF-8', text(Uint8Array.of(0xff)), body('', 'expected UTF-8 text')],
  [
    'bytes',
    post('/echo/bytes', 'application/octet-stream', everyByte),
    respondsWith(200, { headers: { 'Content-Length': '256', 'Content-Type': 'application/octet-stream' } }),
  ],
  [
    'a byte order mark in bytes is kept',
    post('/echo/bytes', 'application/octet-stream', '\ufeffa'),
    respondsWith(200, { headers: { 'Content-Length': '4' } }),
  ],
  ['a body of exactly the limit', text('a'.repeat(2_000)), respondsWith(200, { headers: { 'Content-Length': '2000' } })],
  ['a body of one byte more', text('a'.repeat(2_001)), refuses(413)],
  ['a body that is too large and invalid', echo('{'.repeat(3_000)), refuses(413)],
  [
    'a body where none is declared is ignored',
    buildRequest('DELETE', '/people/1', { 'Content-Type': 'application/json' }, '{"'),
    respondsWith(204),
  ],
]
