/** The readers of the corpus are strict: they detect invalid replies. */
import { expect, test } from 'vitest'
import { flawsOf } from './lint.ts'
import { dice, mutant } from './mutants.ts'
import { repliesIn } from './replies.ts'
import { requestsIn } from './requests.ts'
import { get, post, text } from './row.ts'

const date = 'Date: Sat, 21 Nov 2026 11:00:00 GMT'
const nosniff = 'X-Content-Type-Options: nosniff'
const reply = (status: string, body: string, ...lines: readonly string[]): string =>
  `${[`HTTP/1.1 ${status}`, date, `Content-Length: ${body.length}`, ...lines].join('\r\n')}\r\n\r\n${body}`
const problem = (status: number, more: object = {}): string =>
  JSON.stringify({ type: 'about:blank', title: 'No', status, detail: 'No.', ...more })
const refusal = (status: number, more: object = {}, ...lines: readonly string[]): string =>
  reply(`${status} No`, problem(status, more), 'Content-Type: application/problem+json', nosniff, ...lines)
const greeting = reply('200 OK', '{}', 'Content-Type: application/json', nosniff)

/** Everything that is wrong, in the words of reader and lint. */
const listFlaws = (bytes: string, ...methods: readonly string[]): string => {
  const { replies, flaws } = repliesIn(bytes, methods)
  return [...flaws, ...replies.flatMap((one, index) => flawsOf(one, methods[index]))].join('; ')
}

test.each([
  ['a reply', greeting],
  ['two of them', greeting + greeting],
  ['one behind 100', `HTTP/1.1 100 Continue\r\n\r\n${greeting}`],
  [
    'chunks',
    `HTTP/1.1 200 OK\r\n${date}\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n${nosniff}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
  ['a refusal', refusal(400, { errors: [{ in: 'body', pointer: '/a', detail: 'no' }] })],
])('%s is valid', (_what, bytes) => {
  expect(listFlaws(bytes, 'GET', 'GET')).toBe('')
})

test.each([
  ['bytes behind the last reply', `${greeting}{}`, /bytes that are none/],
  ['a length and chunks', greeting.replace(date, `${date}\r\nTransfer-Encoding: chunked`), /both a length and chunks/],
  ['neither of them', `HTTP/1.1 200 OK\r\n${date}\r\n\r\n`, /neither a length nor chunks/],
  ['a length that is none', greeting.replace(': 2', ': +2'), /a length "\+2"/],
  ['a size of a chunk that is none', `HTTP/1.1 200 OK\r\n${date}\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n`, /a chunk size "x"/],
  ['a body where none may be', reply('204 No Content', ''), /with the framing of a body/],
  ['two lengths', greeting.replace(date, `${date}\r\nContent-Length: 2`), /two lines of content-length/],
  ['a header line that is none', greeting.replace('Date:', 'Date :'), /a header line/],
  ['another protocol', greeting.replace('HTTP/1.1', 'HTTP/1.2'), /a status line/],
  ['no date', greeting.replace('Date', 'Data'), /Date: undefined/],
  ['no JSON', greeting.replace('{}', '{]'), /no JSON/],
  ['no UTF-8', greeting.replace('{}', '\xff\xfe'), /not UTF-8/],
  ['a type that may be guessed', reply('200 OK', '{}', 'Content-Type: application/json'), /may be guessed/],
  ['a text of no charset', reply('200 OK', 'a', 'Content-Type: text/plain'), /no charset/],
  ['401 without a challenge', refusal(401), /no www-authenticate/],
  ['405 without methods', refusal(405), /no allow/],
  ['a problem of another status', refusal(400, { status: 404 }), /another status/],
  ['a problem without a pointer', refusal(400, { errors: [{ in: 'body', detail: 'no' }] }), /malformed list of errors/],
  ['a stack', refusal(500, { detail: 'Error\n    at main' }), /a leak/],
  ['a path', refusal(500, { detail: 'no /home/ann/a' }), /a leak/],
  ['a query', refusal(500, { detail: 'SELECT a FROM b' }), /a leak/],
  ['a secret', refusal(401, { detail: 's3cret-of-ann' }, 'WWW-Authenticate: Basic'), /it holds a secret/],
])('%s is detected', (_what, bytes, flaw) => {
  expect(listFlaws(bytes, 'GET')).toMatch(flaw)
})

test.each([
  ['a request', get('/'), 1],
  ['two, and empty lines', `${get('/')}\r\n\r\n${get('/')}`, 2],
  ['one in a body', post('/', 'a/b', get('/hidden')), 1],
  ['one behind a body', post('/', 'a/b', 'body') + get('/'), 2],
  ['one in a chunk', `${text('Transfer-Encoding: chunked')}1f\r\n${'a'.repeat(31)}\r\n0\r\n\r\n${get('/')}`, 2],
  ['one behind an unreadable one', `nonsense\r\n\r\n${get('/')}`, 1],
  ['one behind a length and chunks', text('Content-Length: 1', 'Transfer-Encoding: chunked') + get('/'), 1],
  ['one behind two lengths', text('Content-Length: 0', 'Content-Length: 0') + get('/'), 1],
  ['one in a body that is cut off', text('Content-Length: 5000') + get('/'), 1],
  ['nothing', '', 0],
])('a strict reader counts %s', (_what, bytes, count) => {
  expect(requestsIn(bytes).most).toBe(count)
})

test('the same seed gives the same mutants, another seed different ones', () => {
  const some = (seed: number): readonly string[] => {
    const random = dice(seed)
    return Array.from({ length: 50 }, () => mutant([get('/hello'), post('/echo', 'a/b', '12345')], random))
  }
  expect(some(1)).toEqual(some(1))
  expect(some(1)).not.toEqual(some(2))
})
