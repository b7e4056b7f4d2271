/**
 * Every reader of text that a stranger may send, each with the worst inputs that we could think of. A case makes an input of `length` characters, and
 * reads it. The test of linearity in the toolkit goes through the same ones.
 */
import { array, basic, bearer, bool, content, date, form, int, json, list, oneOf, text } from 'lapidary'
import { compose, requestId, trustProxy } from 'lapidary/middleware'
import { paginate } from 'lapidary/pagination'
import { z } from 'zod'
import { toOriginForm } from '../../packages/lapidary/dist/adapters/node/requestFraming.js'
import { splitLines } from '../../packages/lapidary/dist/contract/media/itemStreams.js'
import { createQueryReader } from '../../packages/lapidary/dist/contract/parameters/readers.js'
import { parseByteRange } from '../../packages/lapidary/dist/http/byteRange.js'
import { hasEntityTag } from '../../packages/lapidary/dist/http/entityTags.js'
import { getHeader, splitHeaderList } from '../../packages/lapidary/dist/http/headerFields.js'
import { parseHttpDate } from '../../packages/lapidary/dist/http/httpDate.js'
import { parseMediaType } from '../../packages/lapidary/dist/http/mediaTypeParser.js'
import { createNegotiator } from '../../packages/lapidary/dist/http/negotiation.js'
import { percentDecode } from '../../packages/lapidary/dist/http/percentEncoding.js'
import { createRouter } from '../../packages/lapidary/dist/http/router.js'
import { decodeUtf8 } from '../../packages/lapidary/dist/http/utf8.js'
import { parseJsonBytes } from '../../packages/lapidary/dist/json-schema/jsonText.js'
import { parseTraceparent } from '../../packages/lapidary/dist/opentelemetry/traceId.js'
import { parseRange } from '../../packages/lapidary/dist/pagination/range.js'
import { createRangeTokens } from '../../packages/lapidary/dist/pagination/token.js'
import { createBodyReaderSelector } from '../../packages/lapidary/dist/server/readBody.js'
import { openFile } from '../../packages/lapidary/dist/static/openFile.js'
import { redactTarget } from '../../service/dist/redact.js'

/** @typedef {readonly [reader: string, what: string, input: (length: number) => unknown, read: (input: any) => unknown]} Case */

const bytesOf = new TextEncoder()
/** So many characters of one and the same. @param {string} one */
const all =
  (one, start = '', end = '') =>
  (/** @type {number} */ length) =>
    `${start}${one.repeat(Math.ceil(length / one.length))}${end}`
/** The same, each with a number. @param {(index: number) => string} one */
const each =
  (one, start = '', end = '') =>
  (/** @type {number} */ length) => {
    const size = one(100_000).length
    return `${start}${Array.from({ length: Math.ceil(length / size) }, (_, index) => one(index)).join('')}${end}`
  }
/** @param {(length: number) => string} input */
const encoded = (input) => (/** @type {number} */ length) => bytesOf.encode(input(length))

/** A reader of bodies; that it refuses one is no concern here. @param {Parameters<typeof createBodyReaderSelector>[0]} body @param {string} type */
function body(body, type = 'application/json') {
  const read = createBodyReaderSelector(body)({ header: (name) => (name === 'content-type' ? type : undefined) })
  return (/** @type {Uint8Array} */ bytes) => {
    try {
      // The bytes are there at once, so that nothing but the reader is measured.
      // biome-ignore lint/suspicious/noThenProperty: a promise would answer later
      const request = { body: () => ({ then: (/** @type {(bytes: Uint8Array) => unknown} */ decode) => decode(bytes) }) }
      return read(/** @type {any} */ (request), bytes.length, /** @type {any} */ ((/** @type {unknown} */ value) => value))
    } catch (error) {
      return error
    }
  }
}

const anyJson = body(json)
const anyForm = body(form, 'application/x-www-form-urlencoded')
const names = body(content(z.object({ names: z.array(z.string()), ages: z.array(z.int()) }), json))
const lists = body(content(z.record(z.string(), z.array(z.string())), json))
const own = body(content(list(z.string()), json))
const objects = body(content(z.array(z.object({ a: z.int(), b: z.int(), c: z.int(), d: z.int() })), json))
const either = body(content(z.array(z.union([z.object({ x: z.int() }), z.object({ y: z.int() })])), json))
/** @type {z.ZodType} */
const Tree = z.object({ v: z.int(), kids: z.array(z.lazy(() => Tree)) })
const tree = body(content(Tree, json))
const ages = body(content(z.object({ age: z.array(z.int()) }), form), 'application/x-www-form-urlencoded')

const query = createQueryReader({ a: array(int), b: text, c: oneOf('x', 'y'), d: bool })
const negotiate = createNegotiator(['application/json;charset=utf-8', 'text/html', 'text/csv'])
const paths = createRouter()
for (const path of [['a'], ['a', 'a', 'a', 'b'], ['*', 'a', '*', 'a'], ['a', '*', '*', '*']]) {
  paths.getOrInsert(
    path.map((name) => (name === '*' ? { capture: name } : { literal: name })),
    () => path.join(),
  )
}
const fields = { name: { codec: text, options: { offset: 0, limit: 100, order: 'desc' } } }
const places = createRangeTokens(/** @type {any} */ (fields), text)
const people = basic('people')
const secret = bearer('secret')
/** @param {typeof people | typeof secret} scheme */
const credentials = (scheme) => (/** @type {string} */ value) =>
  scheme.credentials((name) => (name === 'authorization' ? value : undefined))
/** @type {import('lapidary/middleware').HttpHandler} */
const respond = () => ({ status: 204, headers: [], body: null })
const behindProxy = compose([trustProxy(['10.0.0.0/8'])], respond)
const withId = compose([requestId()], respond)
/** Calls middleware that reads one header. @param {import('lapidary/middleware').HttpHandler} handler @param {string} value */
const callWith = (handler, value) =>
  handler(/** @type {import('lapidary/server').HttpRequest} */ ({ remoteAddress: '10.0.0.1', header: () => value }))

/** The next page that a server's Link names. @param {string} Link */
const nextPage = async (Link) => {
  for await (const _ of paginate(async ({ query: { range } }) => ({ body: [], headers: range === undefined ? { Link } : {} }), {})) break
}
/** @param {Uint8Array} bytes */
const lineByLine = async (bytes) => {
  const pieces = async function* () {
    for (let start = 0; start < bytes.length; start += 1_024) yield bytes.subarray(start, start + 1_024)
  }
  for await (const line of splitLines(pieces())) parseJsonBytes(line)
}

/** Pieces of JSON, by what is odd about them. */
const inJson = {
  'brackets that open': all('['),
  'empty lists': all('[],', '[', '1]'),
  quotes: all('"'),
  'empty texts': all('"",', '[', '1]'),
  backslashes: all('\\\\', '"', '"'),
  'escaped quotes that do not end': all('\\"', '"'),
  escapes: all('\\u0041', '"', '"'),
  'numbers with exponents (1e5)': all('1e5,', '[', '1]'),
  'large ones (1e307)': all('1e307,', '[', '1]'),
  'nought with exponents': all('0e99999,', '[', '1]'),
  'numbers of 16 digits': all('1234567890123456,', '[', '1]'),
  'numbers of 20 digits': all('12345678901234567000,', '[', '1]'),
  'fractions of 17 digits': all('9007199254740990.0,', '[', '1]'),
  'one number': all('1'),
  'noughts behind a point': all('0', '1.'),
  'an exponent': all('0', '1e', '1'),
  'signs of numbers': all('1-e+.', '['),
  'names that differ': each((index) => `"k${index}":1,`, '{', '"a":1}'),
  'names like indexes': each((index) => `"${index}":1,`, '{', '"a":1}'),
  'one name': all('"a":1,', '{', '"a":1}'),
  spaces: all(' ', '', '1'),
  'a number at the end that is not kept': all('1,', '[', '1e400]'),
  'an escape at the end that there is not': all('"a",', '[', '"\\x"]'),
  'a name that is long, and a number that is not kept': all('a', '{"', '":1e400}'),
}

/** Pieces of a query or a form. */
const inPairs = {
  'names alone (a&)': all('a&'),
  ampersands: all('&'),
  'equals signs': all('='),
  pairs: all('a=1&'),
  'one name': all('a'),
  'one value': all('a', 'b='),
  pluses: all('+', 'b='),
  escapes: all('%61', 'b='),
  'an escape at the end that is not UTF-8': all('%61', 'b=', '%C3%28'),
  'equals signs behind names': all('a&', '', '='),
  'names that differ': each((index) => `k${index}=1&`),
}

/** @type {readonly Case[]} */
export const cases = [
  ...Object.entries(inJson).map(([what, input]) => /** @type {Case} */ (['JSON', what, encoded(input), anyJson])),
  [
    'JSON',
    'replacement characters, and a byte that is no UTF-8',
    (length) => new Uint8Array([0x22, ...bytesOf.encode('\ufffd'.repeat(length / 3)), 0xff, 0x22]),
    anyJson,
  ],
  ['JSON of a schema', 'numbers for texts', encoded(all('1,', '{"names":[', '1],"ages":[]}')), names],
  ['JSON of a schema', 'the last is wrong', encoded(all('"",', '{"names":[', '1],"ages":[]}')), names],
  ['JSON of a schema', 'a record of lists of numbers for texts', encoded(all('1,', `{"${'k'.repeat(2_000)}":[`, '1]}')), lists],
  ['JSON of a schema', 'many names, of numbers for lists', encoded(each((index) => `"k${index}":1,`, '{', '"a":1}')), lists],
  ['JSON of a schema', 'a list of the toolkit', encoded(all('1,', '[', '1]')), own],
  ['JSON of a schema', 'objects without members', encoded(all('{},', '[', '{}]')), objects],
  ['JSON of a schema', 'objects that are none of two', encoded(all('{"x":"y"},', '[', '{}]')), either],
  ['JSON of a schema', 'a tree of wrong leaves', encoded(all('{"kids":[]},', '{"v":1,"kids":[', '{}]}')), tree],
  ...Object.entries(inPairs).map(([what, input]) => /** @type {Case} */ (['form', what, encoded(input), anyForm])),
  ['form of a schema', 'texts for numbers', encoded(all('age=x&')), ages],
  ...Object.entries(inPairs).map(([what, input]) => /** @type {Case} */ (['query', what, input, query])),
  ['query for the log', 'names alone', all('a&', '/?'), redactTarget],
  ['percent-decoding', 'escapes', all('%61'), percentDecode],
  ['percent-decoding', 'percent signs', all('%'), percentDecode],
  ['percent-decoding', 'no UTF-8 at its end', all('%C3%A4', '', '%C3'), percentDecode],
  ['UTF-8', 'no UTF-8 at its end', encoded(all('ä')), (bytes) => decodeUtf8(bytes.subarray(0, -1))],
  ['target', 'bytes beyond ASCII', all('\xe4', '/'), toOriginForm],
  ['target', 'an absolute one', all('a', 'http://'), toOriginForm],
  ['createRouter', 'segments', all('/a'), (path) => [paths.find(path), paths.findPrefix(path)]],
  ['createRouter', 'slashes', all('/'), (path) => [paths.find(path), paths.findPrefix(path)]],
  ['createRouter', 'escapes', all('%61', '/'), (path) => [paths.find(path), paths.findPrefix(path)]],
  ['static file', 'segments', all('/a', '', '/..'), (target) => openFile('/', target, 'index.html')],
  ['static file', 'escapes', all('%61', '/', '/..'), (target) => openFile('/', target, 'index.html')],
  ['integer', 'digits', all('1'), (value) => int.parse(value)],
  ['integer', 'digits, and a letter', all('1', '', 'x'), (value) => int.parse(value)],
  ['date', 'digits', all('1'), (value) => date.parse(value)],
  [
    'header lines',
    'of one name',
    (length) => Array.from({ length }, (_, index) => (index % 2 === 0 ? 'X-A' : 'b')),
    (lines) => getHeader(lines, 'x-a'),
  ],
  ['list in a header', 'commas', all(','), splitHeaderList],
  ['list in a header', 'spaces', all(' ', 'a,', ',b'), splitHeaderList],
  ['Accept', 'commas', all(','), negotiate],
  ['Accept', 'ranges', all('a/b,'), negotiate],
  ['Accept', 'parameters', each((index) => `;p${index}=1`, 'text/html'), negotiate],
  ['Accept', 'semicolons', all(';', 'text/html'), negotiate],
  ['Accept', 'spaces', all(' ', 'text/html', ';q=1'), negotiate],
  ['Accept', 'escapes in a quoted text that does not end', all('\\"', 'text/html;a="'), negotiate],
  ['Content-Type', 'parameters', each((index) => `;p${index}=1`, 'text/html'), parseMediaType],
  ['Content-Type', 'a quoted text', all('\\a', 'text/html;a="', '"'), parseMediaType],
  ['Content-Type', 'one token', all('a'), parseMediaType],
  ['If-Match', 'tags', all('W/"a",'), (value) => hasEntityTag(value, '"b"', false)],
  ['If-Match', 'quotes', all('"'), (value) => hasEntityTag(value, '"b"', false)],
  ['If-Match', 'spaces and commas', all(' ,', '', 'x'), (value) => hasEntityTag(value, '"b"', true)],
  ['If-Match', 'a tag that does not end', all('a', '"'), (value) => hasEntityTag(value, '"b"', true)],
  ['If-Match', 'spaces behind a tag', all(' ', '"a"', 'x'), (value) => hasEntityTag(value, '"b"', true)],
  ['Authorization', 'Basic: letters', all('A', 'Basic '), credentials(people)],
  ['Authorization', 'Basic: equals signs', all('=', 'Basic '), credentials(people)],
  ['Authorization', 'Basic: spaces', all(' ', 'Basic '), credentials(people)],
  ['Authorization', 'Basic: colons', all('Ojo6', 'Basic '), credentials(people)],
  ['Authorization', 'Bearer: letters and equals signs', all('=', 'Bearer a', 'a'), credentials(secret)],
  ['Authorization', 'Bearer: letters, and what is none', all('a', 'Bearer ', '"'), credentials(secret)],
  ['Range', 'bytes: digits', all('1', 'bytes=', 'x'), (value) => parseByteRange(value, 1_000)],
  ['Range', 'bytes: spaces', all(' ', 'bytes=', 'x'), (value) => parseByteRange(value, 1_000)],
  ['Range', 'bytes: ranges', all('0-,', 'bytes='), (value) => parseByteRange(value, 1_000)],
  ['Range', 'of a field: semicolons', all(';', 'name'), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['Range', 'of a field: options', all('; limit 1', 'name'), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['Range', 'of a field: spaces', all(' ', 'name', 'a'), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['Range', 'of a field: an escaped value', all('%61', 'name '), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['Range', 'of a field: another unit', all('a'), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['token of a range', 'letters', all('A'), (value) => places.read('name', value)],
  ['token of a range', 'spaces, encoded', all('ICAg'), (value) => places.read('name', value)],
  ['token of a range', 'a long key', (length) => btoa(`abcd0 asc 0 * * ${'a'.repeat(length)}`), (value) => places.read('name', value)],
  ['If-Modified-Since', 'spaces', all(' ', 'Sun Nov'), parseHttpDate],
  ['If-Modified-Since', 'letters', all('a', 'S'), parseHttpDate],
  ['X-Forwarded-For', 'proxies', all('10.0.0.1,'), (value) => callWith(behindProxy, value)],
  ['X-Forwarded-For', 'commas', all(','), (value) => callWith(behindProxy, value)],
  ['X-Forwarded-For', 'colons', all(':'), (value) => callWith(behindProxy, value)],
  ['X-Request-Id', 'letters', all('a'), (value) => callWith(withId, value)],
  ['traceparent', 'digits', all('0', '00-'), parseTraceparent],
  ['client: Link', 'signs that open', all('<'), nextPage],
  ['client: Link', 'semicolons and spaces', all('; ', '<a>'), nextPage],
  ['client: Link', 'spaces', all(' ', '<a>;'), nextPage],
  ['client: Link', 'parameters', all(';a="\\""', '<a>'), nextPage],
  ['client: Link', 'a quoted text that does not end', all('\\"', '<a>;b="'), nextPage],
  ['client: Link', 'links', all('<a>;rel=a,'), nextPage],
  ['client: lines', 'line feeds', encoded(all('1\n')), lineByLine],
  ['client: lines', 'one line in many pieces', encoded(all('1,', '[', '1]\n')), lineByLine],
]
