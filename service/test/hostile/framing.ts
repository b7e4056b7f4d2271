/** Rows on framing: the end of a request, invalid requests, and slow ones. */

import type { Reply } from './replies.ts'
import { get, head, hidden, judged, post, type Row, refused, saying, served, text, where } from './row.ts'
import type { Wire } from './wire.ts'

const hello = get('/hello')
const chunks = 'Transfer-Encoding: chunked'
/** A body in one chunk, and the end of it. */
const one = '5\r\nhello\r\n0\r\n\r\n'
/** Answered before its body is read. */
const secret = head('POST /secret', 'Content-Type: application/json', chunks)
/** Something that the service does meanwhile. */
const nextTurn = ({ pause }: Wire): Promise<void> => pause(50)
const halfClose = ({ socket }: Wire): unknown => socket.end()

const lengths = [
  '+5',
  '-5',
  '0x5',
  '5,6',
  '5, 6',
  '5 6',
  '5;',
  '1e1',
  '5.0',
  "'5'",
  '',
  'five',
  '99999999999999999999',
  '18446744073709551621',
]
const unknownCodings = ['gzip', 'identity', 'chunked, gzip', 'xchunked', '"chunked"', 'chunked;a=b', 'chunk', 'chunked, identity', ' ,', '']
const sizes = ['g', '-5', '+5', '0x5', ' 5', '', '5 5', '5.0', 'fffffffffffffffff', '1'.repeat(40), '5\t\x01']
/** More than a name and a port (RFC 9110 §7.2): in a URL they would be its path, its query, its user. */
const notHosts = [
  ...['a/admin/secret?', 'a?b', 'a#b', 'a\\b', 'user@a', 'http://a', 'a b', 'a, b', 'a"b', '<a>', '{a}', 'a%', 'a%zz', '\xe4'],
  ...['a:80:80', 'a:80a', 'a:-1', 'a:65536', ':80', '[::1', '::1', '[::1]a', '[]', '[a/b]', '[::::]', '[1.2.3.4]'],
]
const controls = ['\0', '\x01', '\x0b', '\x1b', '\x7f']

const lengthsAndCodings: readonly Row[] = [
  refused('a length and chunks', text('Content-Length: 5', chunks) + one + hidden, 400),
  refused('chunks and a length', text(chunks, 'Content-Length: 5') + one + hidden, 400),
  refused('two lengths that differ', `${text('Content-Length: 5', 'Content-Length: 6')}hello!${hidden}`, 400),
  refused('two lengths that are alike', `${text('Content-Length: 5', 'Content-Length: 5')}hello${hidden}`, 400),
  ...lengths.map((length) => refused(`a length of ${JSON.stringify(length)}`, `${text(`Content-Length: ${length}`)}hello${hidden}`, 400)),
  refused('a space before the colon of a length', `${text('Content-Length : 5')}hello${hidden}`, 400),
  refused('a space before the colon of a coding', text('Transfer-Encoding : chunked') + one + hidden, 400),
  refused('a tab before a colon', get('/hello', 'X-A\t: b') + hidden, 400),
  refused('a folded line', get('/hello', 'X-A: b', ' c') + hidden, 400),
  refused('a folded coding', text('Transfer-Encoding:', ' chunked') + one + hidden, 400),
  refused('a folded line in front of all', `GET /hello HTTP/1.1\r\n Host: a\r\n\r\n${hidden}`, 400),
  ...unknownCodings.map((coding) =>
    refused(`a coding of ${JSON.stringify(coding)}`, text(`Transfer-Encoding: ${coding}`) + one + hidden, [400, 501]),
  ),
  refused('a coding that we do not know before the chunks', text('Transfer-Encoding: gzip, chunked') + one, [400, 415, 501]),
  refused('chunks twice', text('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked') + one + hidden, [400, 501]),
  saying(served('chunks in any case', text('Transfer-Encoding: ChUnKeD') + one, 200), 'hello'),
  saying(served('an extension of a chunk', text(chunks).concat('5;a="b"\r\nhello\r\n0\r\n\r\n'), 200), 'hello'),
  served('trailers are no credentials', `${secret}0\r\nAuthorization: Bearer token-of-hostile\r\n\r\n`, 401),
  refused('a length among the trailers', `${secret}0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`, [400, 401]),
  refused('what is no chunk behind an answer that came before the body', `${secret}nonsense\r\n${hidden}`, [400, 401]),
  refused('what is no chunk a moment after such an answer', [secret, nextTurn, `nonsense\r\n${hidden}`], [400, 401]),
  ...['', 'Connection: keep-alive\r\n'].map((kept) =>
    refused(
      `chunks for HTTP/1.0, which has none${kept === '' ? '' : ', on a connection that is to stay'}`,
      `POST /echo/text HTTP/1.0\r\nHost: a\r\n${kept}Content-Type: text/plain\r\n${chunks}\r\n\r\n${one}${hidden}`,
      400,
    ),
  ),
]

const chunkRows: readonly Row[] = [
  ...sizes.map((size) =>
    refused(
      `a chunk of the size ${JSON.stringify(size.slice(0, 10))}`,
      `${text(chunks)}${size}\r\nhello\r\n0\r\n\r\n${hidden}`,
      [400, 413],
    ),
  ),
  refused('a chunk size that ends with LF alone', `${text(chunks)}5\nhello\r\n0\r\n\r\n${hidden}`, 400),
  refused('a chunk size that ends with CR alone', `${text(chunks)}5\rhello\r\n0\r\n\r\n${hidden}`, 400),
  refused('a chunk that is longer than its size', `${text(chunks)}5\r\nhello!!\r\n0\r\n\r\n${hidden}`, 400),
  refused('a chunk without an end', `${text(chunks)}5\r\nhello0\r\n\r\n${hidden}`, 400),
  refused('an extension with a line feed', `${text(chunks)}5;a\nb\r\nhello\r\n0\r\n\r\n${hidden}`, 400),
  refused('an extension of 200 KB', `${text(chunks)}5;${'a'.repeat(200_000)}\r\nhello\r\n0\r\n\r\n`, [400, 413, 431]),
  where(served('20,000 chunks of one byte', `${text(chunks)}${'1\r\na\r\n'.repeat(20_000)}0\r\n\r\n`, 200), ([reply]) =>
    reply?.body.length === 20_000 ? undefined : 'not every byte came back',
  ),
  refused('trailers of 200 KB', `${text(chunks)}0\r\n${`X-A: ${'a'.repeat(1_000)}\r\n`.repeat(200)}\r\n`, [200, 400, 413, 431]),
]

const unreadable: readonly Row[] = [
  ...controls.flatMap((sign) => [
    refused(`${JSON.stringify(sign)} in a header`, get('/hello', `X-A: a${sign}b`) + hidden, 400),
    refused(`${JSON.stringify(sign)} in a header’s name`, get('/hello', `X-${sign}A: b`) + hidden, 400),
    refused(`${JSON.stringify(sign)} in a target`, get(`/hello${sign}`) + hidden, 400),
    refused(`${JSON.stringify(sign)} in a method`, `GE${sign}T /hello HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`, 400),
  ]),
  refused('CR alone in a header', get('/hello', 'X-A: a\rX-B: b') + hidden, 400),
  refused('CR alone as the end of a line', `GET /hello HTTP/1.1\rHost: a\r\r${hidden}`, 400),
  refused('a header without a colon', get('/hello', 'X-A') + hidden, 400),
  refused('a header without a name', get('/hello', ': a') + hidden, 400),
  refused('no Host', `GET /hello HTTP/1.1\r\n\r\n${hidden}`, 400),
  ...notHosts.map((host) => refused(`the Host ${JSON.stringify(host)}`, `GET /hello HTTP/1.1\r\nHost: ${host}\r\n\r\n${hidden}`, 400)),
  ...['GET /hello RTSP/1.0', 'GET /hello RTSP/1.1', 'OPTIONS /hello RTSP/1.0', 'DESCRIBE /hello RTSP/1.0', 'GET /hello RTSP/2.0'].map(
    (line) => refused(`another protocol: ${line}`, `${line}\r\nHost: a\r\nCSeq: 1\r\n\r\n${hidden}`, [400, 501, 505]),
  ),
  refused('another protocol behind a request', `${hello}GET /hello RTSP/1.0\r\nHost: a\r\n\r\n${hidden}`, 200, [400, 505]),
  ...['GET /hello ICY/1.0', 'SOURCE /hello ICY/1.0', 'SOURCE /hello ICE/1.0', 'SOURCE /hello ICE/1.1'].map((line) =>
    refused(`another protocol: ${line}`, `${line}\r\nHost: a\r\n\r\n${hidden}`, [400, 501, 505]),
  ),
  refused('two Hosts', get('/hello', 'Host: other.invalid') + hidden, 400),
  refused('two Hosts that are alike', get('/hello', 'Host: hostile.invalid') + hidden, 400),
  refused('two Hosts before a body', text('Host: other.invalid', `Content-Length: ${hidden.length}`) + hidden, 400),
  ...['HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.10', 'HTTP/11', 'HTTP/1', 'http/1.1', 'HTTX/1.1', 'HTTP/1.1a', 'HTTP/ 1.1', ''].map(
    (version) => refused(`the version ${JSON.stringify(version)}`, `GET /hello ${version}\r\nHost: a\r\n\r\n${hidden}`, [400, 505]),
  ),
  refused('the bytes of TLS', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03\r\n\r\n', 400),
  refused('the bytes of SSH', 'SSH-2.0-OpenSSH_9.2p1\r\n', 400),
  refused('the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 505]),
  refused('the start of a proxy’s own protocol', `PROXY TCP4 1.2.3.4 1.2.3.4 1 2\r\n${hidden}`, 400),
  refused('an unknown method', `HACK /hello HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`, [400, 405, 501]),
  refused('a method in lower case', `get /hello HTTP/1.1\r\nHost: a\r\n\r\n${hidden}`, [400, 405, 501]),
  refused('a request for a tunnel', `CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n${hidden}`, 501),
  refused(
    'a request for a tunnel behind others',
    `${get('/users')}${hello}CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n${hidden}`,
    ...[200, 200],
  ),
  served('a wish for another protocol', get('/hello', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: AAAA'), 200),
]

const wish = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__']
const wishing = get('/hello', ...wish)
/** A request as the body of another. */
const enclosing = head('POST /echo/text', 'Content-Type: text/plain', `Content-Length: ${hello.length}`)
/** Its own words, so that it is known from a request that was run. */
const enclosed = (replies: readonly Reply[]): string | undefined =>
  replies.some(({ body }) => body.toString('latin1') === hello) ? undefined : 'the body of a request was not its body'

/** Requests right behind an Upgrade: each is answered in its place. */
const wishes: readonly Row[] = [
  served('a wish for another protocol, and a request in the same packet', wishing + get('/albert'), 200, 200),
  served(
    'a wish for another protocol between others',
    hello + get('/users') + wishing + get('/users') + get('/nowhere'),
    ...[200, 200, 200, 200, 404],
  ),
  served(
    'a wish for another protocol, ten times in one breath',
    (wishing + get('/nowhere')).repeat(10),
    ...Array.from({ length: 10 }, () => [200, 404]).flat(),
  ),
  served(
    'a wish for another protocol, and half a head',
    [wishing + get('/albert').slice(0, 12), nextTurn, get('/albert').slice(12)],
    200,
    200,
  ),
  served('a wish for another protocol with a body, and a request', post('/echo/text', 'text/plain', 'hello', ...wish) + hello, 200, 200),
  served('a wish for another protocol with chunks, and a request', text(chunks, ...wish) + one + hello, 200, 200),
  served(
    'a wish for another protocol with a body in two packets',
    [post('/echo/text', 'text/plain', 'hello', ...wish).slice(0, -2), nextTurn, `lo${hello}`],
    200,
    200,
  ),
  where(
    served('a wish for another protocol, and a request whose body is one, too', [wishing + enclosing, nextTurn, hello], 200, 200),
    enclosed,
  ),
  where(
    served(
      'a wish for another protocol whose body is a request',
      [head('POST /echo/text', 'Content-Type: text/plain', `Content-Length: ${hello.length}`, ...wish), nextTurn, hello + get('/nowhere')],
      200,
      404,
    ),
    enclosed,
  ),
  refused('a wish for another protocol, and what is no request', `${wishing}nonsense\r\n\r\n${hidden}`, 200),
]

/** A head with `Expect: 100-continue`, and the body after 100. */
const expecting = (length: number, ...lines: readonly string[]): string => text(`Content-Length: ${length}`, ...lines)
const waitForContinue = ({ until }: Wire): Promise<void> => until(/^HTTP\/1\.1 100 Continue\r\n\r\n/)

const conversations: readonly Row[] = [
  ...['http://example.org/hello', 'HTTP://EXAMPLE.ORG:80/hello', 'https://user@example.org/hello'].map((target) =>
    saying(served(`the target ${target}`, get(target), 200), '{"msg":"Hello, anonymous coward"}'),
  ),
  served('Expect: 100-continue', [expecting(5, 'Expect: 100-continue'), waitForContinue, 'hello'], 200),
  served('Expect: 100-Continue, in another case', [expecting(5, 'Expect: 100-Continue'), waitForContinue, 'hello'], 200),
  judged('an unknown expectation', text('Content-Length: 0', 'Expect: tea'), 417),
  judged('Expect: 100-continue with a body that is too large', expecting(2_000_000, 'Expect: 100-continue'), 413),
  refused('an unknown expectation, and a body that is cut off', [expecting(2_000_000, 'Expect: tea'), halfClose], 417),
  served('two requests in one breath', hello + get('/albert'), 200, 200),
  served('60 requests in one breath', hello.repeat(60), ...Array.from({ length: 60 }, () => 200)),
  served(
    'quick and slow ones in one breath',
    (hello + get('/users') + get('/nowhere')).repeat(10),
    ...Array.from({ length: 10 }, () => [200, 200, 404]).flat(),
  ),
  refused('what is no request in the middle', `${hello}nonsense\r\n\r\n${hidden}`, 200),
  refused('what is no request behind a slow one', `${get('/users')}nonsense\r\n\r\n${hidden}`, 200),
  served('an unread body, before a good request', get('/hello', `Content-Length: ${hidden.length}`) + hidden + hello, 200, 200),
  served(
    'a body for an unknown path, before a good request',
    head('POST /nowhere', `Content-Length: ${hidden.length}`) + hidden + hello,
    404,
    200,
  ),
  served('a body of the wrong type, before a good request', post('/echo/json', 'image/png', hidden) + hello, 415, 200),
  served(
    'a body for the wrong method, before a good request',
    head('PUT /hello', `Content-Length: ${hidden.length}`) + hidden + hello,
    405,
    200,
  ),
  served('a body without credentials, before a good request', post('/secret', 'application/json', hidden) + hello, 401, 200),
  served(
    'a request in single bytes',
    [...post('/echo/text', 'text/plain', 'hello')].map((byte) => byte),
    200,
  ),
  served('empty lines in front of a request', `\r\n\r\n${hello}`, 200),
  refused('half-closed behind a request', [hello, halfClose], 200),
  refused('half-closed behind one that reads the database', [get('/users'), halfClose], 200),
  refused('half-closed behind a body', [post('/echo/text', 'text/plain', 'hello'), halfClose], 200),
  refused('half-closed behind three requests', [hello + get('/users') + hello, halfClose], 200, 200, 200),
  refused(
    'half-closed in the middle of a body',
    [head('POST /users', 'Content-Type: application/json', 'Content-Length: 99').concat('{"name":"smuggled"'), halfClose],
    400,
  ),
  refused('half-closed in the middle of chunks', [text(chunks).concat('5\r\nhel'), halfClose], 400),
  refused('half-closed in the middle of the headers', ['GET /hello HTTP/1.1\r\nHos', halfClose], 400),
]

/** One byte now and then, until the connection is closed. */
const drip =
  (byte: string) =>
  async (wire: Wire): Promise<void> => {
    for (let count = 0; count < 40 && !wire.isClosed(); count += 1) {
      wire.socket.write(byte)
      await wire.pause(400)
    }
  }

/** These take the whole time that a request may take: they are played all at once. */
export const slow: readonly Row[] = [
  ['a request line', 'GET /hel'],
  ['the headers', 'GET /hello HTTP/1.1\r\nHost: a\r\nX-Sl'],
  ['a body', text('Content-Length: 100').concat('slow')],
  ['a chunk', text(chunks).concat('64\r\nslow')],
  ['a chunk size', text(chunks).concat('0'), '0'],
  ['the trailers', text(chunks).concat('0\r\nX-A')],
].flatMap(([what = '', begun = '', byte = '1']) => [
  refused(`${what} that stalls`, begun, 408),
  refused(`${what} that drips`, [begun, drip(byte)], 408),
])

export const framing: readonly Row[] = [...lengthsAndCodings, ...chunkRows, ...unreadable, ...wishes, ...conversations]
