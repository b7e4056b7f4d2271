/**
 * Every reader of text that a client may send, each with the worst inputs that we could think of. A case makes an input of `length` characters, and
 * reads it. The test of linearity in the toolkit goes through the same ones.
 */
import { array, basic, bearer, bool, content, date, form, int, json, list, oneOf, text } from 'lapidary'
import { compose, requestId, trustProxy } from 'lapidary/middleware'
import { paginate } from 'lapidary/pagination'
import { z } from 'zod'
import { toOriginForm } from '../../packages/lapidary/dist/adapters/node/requestFraming.js'
import { splitLines } from '../../packages/lapidary/dist/contract/media/itemStreams.js'
import { createQueryReader } from '../../packages/lapidary/dist/contract/parameters/readers.js'
import { decodeUtf8 } from '../../packages/lapidary/dist/http/encodings.js'
import { parseByteRange } from '../../packages/lapidary/dist/http/fileResponse.js'
import { getHeader, splitHeaderList } from '../../packages/lapidary/dist/http/headerFields.js'
import { parseMediaType } from '../../packages/lapidary/dist/http/mediaTypes.js'
import { createNegotiator } from '../../packages/lapidary/dist/http/negotiation.js'
import { percentDecode } from '../../packages/lapidary/dist/http/percentEncoding.js'
import { hasEntityTag, parseHttpDate } from '../../packages/lapidary/dist/http/preconditions.js'
import { createRouter } from '../../packages/lapidary/dist/http/router.js'
import { parseJsonBytes } from '../../packages/lapidary/dist/json-schema/jsonText.js'
import { parseTraceparent } from '../../packages/lapidary/dist/opentelemetry/traceId.js'
import { parseRange } from '../../packages/lapidary/dist/pagination/range.js'
import { createRangeTokens } from '../../packages/lapidary/dist/pagination/token.js'
import { createBodyReaderSelector } from '../../packages/lapidary/dist/server/readBody.js'
import { openFile } from '../../packages/lapidary/dist/static/openFile.js'
import { redactTarget } from '../../service/dist/redact.js'

/** @typedef {readonly [reader: string, what: string, input: (length: number) => unknown, read: (input: any) => unknown]} Case */

const encoder = new TextEncoder()
/** Creates an input of so many characters: one text, repeated. @param {string} one */
const repeat =
  (one, start = '', end = '') =>
  (/** @type {number} */ length) =>
    `${start}${one.repeat(Math.ceil(length / one.length))}${end}`
/** The same, with a text that contains the number of its repetition. @param {(index: number) => string} one */
const repeatNumbered =
  (one, start = '', end = '') =>
  (/** @type {number} */ length) => {
    const size = one(100_000).length
    return `${start}${Array.from({ length: Math.ceil(length / size) }, (_, index) => one(index)).join('')}${end}`
  }
/** @param {(length: number) => string} input */
const encodeInput = (input) => (/** @type {number} */ length) => encoder.encode(input(length))

/** Creates a reader of bodies. Its errors are ignored. @param {Parameters<typeof createBodyReaderSelector>[0]} body @param {string} type */
function createBodyReader(body, type = 'application/json') {
  const read = createBodyReaderSelector(body)({ header: (name) => (name === 'content-type' ? type : undefined) })
  return (/** @type {Uint8Array} */ bytes) => {
    try {
      // The bytes are there at once, so that nothing but the reader is measured.
      // biome-ignore lint/suspicious/noThenProperty: a promise would resolve later
      const request = { body: () => ({ then: (/** @type {(bytes: Uint8Array) => unknown} */ decode) => decode(bytes) }) }
      return read(/** @type {any} */ (request), bytes.length, /** @type {any} */ ((/** @type {unknown} */ value) => value))
    } catch (error) {
      return error
    }
  }
}

const anyJson = createBodyReader(json)
const anyForm = createBodyReader(form, 'application/x-www-form-urlencoded')
const names = createBodyReader(content(z.object({ names: z.array(z.string()), ages: z.array(z.int()) }), json))
const lists = createBodyReader(content(z.record(z.string(), z.array(z.string())), json))
const own = createBodyReader(content(list(z.string()), json))
const objects = createBodyReader(content(z.array(z.object({ a: z.int(), b: z.int(), c: z.int(), d: z.int() })), json))
const either = createBodyReader(content(z.array(z.union([z.object({ x: z.int() }), z.object({ y: z.int() })])), json))
/** @type {z.ZodType} */
const Tree = z.object({ v: z.int(), kids: z.array(z.lazy(() => Tree)) })
const tree = createBodyReader(content(Tree, json))
const ages = createBodyReader(content(z.object({ age: z.array(z.int()) }), form), 'application/x-www-form-urlencoded')

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
const createCredentialsReader = (scheme) => (/** @type {string} */ value) =>
  scheme.credentials((name) => (name === 'authorization' ? value : undefined))
/** @type {import('lapidary/middleware').HttpHandler} */
const respond = () => ({ status: 204, headers: [], body: null })
const behindProxy = compose([trustProxy(['10.0.0.0/8'])], respond)
const withId = compose([requestId()], respond)
/** Calls middleware that reads one header. @param {import('lapidary/middleware').HttpHandler} handler @param {string} value */
const callWith = (handler, value) =>
  handler(/** @type {import('lapidary/server').HttpRequest} */ ({ remoteAddress: '10.0.0.1', header: () => value }))

/** The next page that a server's Link names. @param {string} Link */
const readNextPage = async (Link) => {
  for await (const _ of paginate(async ({ query: { range } }) => ({ body: [], headers: range === undefined ? { Link } : {} }), {})) break
}
/** @param {Uint8Array} bytes */
const readLines = async (bytes) => {
  const pieces = async function* () {
    for (let start = 0; start < bytes.length; start += 1_024) yield bytes.subarray(start, start + 1_024)
  }
  for await (const line of splitLines(pieces())) parseJsonBytes(line)
}

/** Pieces of JSON, by what is odd about them. */
const inJson = {
  'brackets that open': repeat('['),
  'empty lists': repeat('[],', '[', '1]'),
  quotes: repeat('"'),
  'empty texts': repeat('"",', '[', '1]'),
  backslashes: repeat('\\\\', '"', '"'),
  'escaped quotes that do not end': repeat('\\"', '"'),
  escapes: repeat('\\u0041', '"', '"'),
  'numbers with exponents (1e5)': repeat('1e5,', '[', '1]'),
  'large ones (1e307)': repeat('1e307,', '[', '1]'),
  'nought with exponents': repeat('0e99999,', '[', '1]'),
  'numbers of 16 digits': repeat('1234567890123456,', '[', '1]'),
  'numbers of 20 digits': repeat('12345678901234567000,', '[', '1]'),
  'fractions of 17 digits': repeat('9007199254740990.0,', '[', '1]'),
  'one number': repeat('1'),
  'noughts behind a point': repeat('0', '1.'),
  'an exponent': repeat('0', '1e', '1'),
  'signs of numbers': repeat('1-e+.', '['),
  'names that differ': repeatNumbered((index) => `"k${index}":1,`, '{', '"a":1}'),
  'names like indexes': repeatNumbered((index) => `"${index}":1,`, '{', '"a":1}'),
  'one name': repeat('"a":1,', '{', '"a":1}'),
  spaces: repeat(' ', '', '1'),
  'a number at the end that is not kept': repeat('1,', '[', '1e400]'),
  'an escape at the end that there is not': repeat('"a",', '[', '"\\x"]'),
  'a name that is long, and a number that is not kept': repeat('a', '{"', '":1e400}'),
}

/** Pieces of a query or a form. */
const inPairs = {
  'names alone (a&)': repeat('a&'),
  ampersands: repeat('&'),
  'equals signs': repeat('='),
  pairs: repeat('a=1&'),
  'one name': repeat('a'),
  'one value': repeat('a', 'b='),
  pluses: repeat('+', 'b='),
  escapes: repeat('%61', 'b='),
  'an escape at the end that is not UTF-8': repeat('%61', 'b=', '%C3%28'),
  'equals signs behind names': repeat('a&', '', '='),
  'names that differ': repeatNumbered((index) => `k${index}=1&`),
}

/** @type {readonly Case[]} */
export const cases = [
  ...Object.entries(inJson).map(([what, input]) => /** @type {Case} */ (['JSON', what, encodeInput(input), anyJson])),
  [
    'JSON',
    'replacement characters, and a byte that is no UTF-8',
    (length) => new Uint8Array([0x22, ...encoder.encode('\ufffd'.repeat(length / 3)), 0xff, 0x22]),
    anyJson,
  ],
  ['JSON of a schema', 'numbers for texts', encodeInput(repeat('1,', '{"names":[', '1],"ages":[]}')), names],
  ['JSON of a schema', 'the last is wrong', encodeInput(repeat('"",', '{"names":[', '1],"ages":[]}')), names],
  ['JSON of a schema', 'a record of lists of numbers for texts', encodeInput(repeat('1,', `{"${'k'.repeat(2_000)}":[`, '1]}')), lists],
  ['JSON of a schema', 'many names, of numbers for lists', encodeInput(repeatNumbered((index) => `"k${index}":1,`, '{', '"a":1}')), lists],
  ['JSON of a schema', 'a list of the toolkit', encodeInput(repeat('1,', '[', '1]')), own],
  ['JSON of a schema', 'objects without members', encodeInput(repeat('{},', '[', '{}]')), objects],
  ['JSON of a schema', 'objects that are none of two', encodeInput(repeat('{"x":"y"},', '[', '{}]')), either],
  ['JSON of a schema', 'a tree of wrong leaves', encodeInput(repeat('{"kids":[]},', '{"v":1,"kids":[', '{}]}')), tree],
  ...Object.entries(inPairs).map(([what, input]) => /** @type {Case} */ (['form', what, encodeInput(input), anyForm])),
  ['form of a schema', 'texts for numbers', encodeInput(repeat('age=x&')), ages],
  ...Object.entries(inPairs).map(([what, input]) => /** @type {Case} */ (['query', what, input, query])),
  ['query for the log', 'names alone', repeat('a&', '/?'), redactTarget],
  ['percent-decoding', 'escapes', repeat('%61'), percentDecode],
  ['percent-decoding', 'percent signs', repeat('%'), percentDecode],
  ['percent-decoding', 'no UTF-8 at its end', repeat('%C3%A4', '', '%C3'), percentDecode],
  ['UTF-8', 'no UTF-8 at its end', encodeInput(repeat('ä')), (bytes) => decodeUtf8(bytes.subarray(0, -1))],
  ['target', 'bytes beyond ASCII', repeat('\xe4', '/'), toOriginForm],
  ['target', 'an absolute one', repeat('a', 'http://'), toOriginForm],
  ['createRouter', 'segments', repeat('/a'), (path) => [paths.find(path), paths.findPrefix(path)]],
  ['createRouter', 'slashes', repeat('/'), (path) => [paths.find(path), paths.findPrefix(path)]],
  ['createRouter', 'escapes', repeat('%61', '/'), (path) => [paths.find(path), paths.findPrefix(path)]],
  ['static file', 'segments', repeat('/a', '', '/..'), (target) => openFile('/', target, 'index.html')],
  ['static file', 'escapes', repeat('%61', '/', '/..'), (target) => openFile('/', target, 'index.html')],
  ['integer', 'digits', repeat('1'), (value) => int.parse(value)],
  ['integer', 'digits, and a letter', repeat('1', '', 'x'), (value) => int.parse(value)],
  ['date', 'digits', repeat('1'), (value) => date.parse(value)],
  [
    'header lines',
    'of one name',
    (length) => Array.from({ length }, (_, index) => (index % 2 === 0 ? 'X-A' : 'b')),
    (lines) => getHeader(lines, 'x-a'),
  ],
  ['list in a header', 'commas', repeat(','), splitHeaderList],
  ['list in a header', 'spaces', repeat(' ', 'a,', ',b'), splitHeaderList],
  ['Accept', 'commas', repeat(','), negotiate],
  ['Accept', 'ranges', repeat('a/b,'), negotiate],
  ['Accept', 'parameters', repeatNumbered((index) => `;p${index}=1`, 'text/html'), negotiate],
  ['Accept', 'semicolons', repeat(';', 'text/html'), negotiate],
  ['Accept', 'spaces', repeat(' ', 'text/html', ';q=1'), negotiate],
  ['Accept', 'escapes in a quoted text that does not end', repeat('\\"', 'text/html;a="'), negotiate],
  ['Content-Type', 'parameters', repeatNumbered((index) => `;p${index}=1`, 'text/html'), parseMediaType],
  ['Content-Type', 'a quoted text', repeat('\\a', 'text/html;a="', '"'), parseMediaType],
  ['Content-Type', 'one token', repeat('a'), parseMediaType],
  ['If-Match', 'tags', repeat('W/"a",'), (value) => hasEntityTag(value, '"b"', false)],
  ['If-Match', 'quotes', repeat('"'), (value) => hasEntityTag(value, '"b"', false)],
  ['If-Match', 'spaces and commas', repeat(' ,', '', 'x'), (value) => hasEntityTag(value, '"b"', true)],
  ['If-Match', 'a tag that does not end', repeat('a', '"'), (value) => hasEntityTag(value, '"b"', true)],
  ['If-Match', 'spaces behind a tag', repeat(' ', '"a"', 'x'), (value) => hasEntityTag(value, '"b"', true)],
  ['Authorization', 'Basic: letters', repeat('A', 'Basic '), createCredentialsReader(people)],
  ['Authorization', 'Basic: equals signs', repeat('=', 'Basic '), createCredentialsReader(people)],
  ['Authorization', 'Basic: spaces', repeat(' ', 'Basic '), createCredentialsReader(people)],
  ['Authorization', 'Basic: colons', repeat('Ojo6', 'Basic '), createCredentialsReader(people)],
  ['Authorization', 'Bearer: letters and equals signs', repeat('=', 'Bearer a', 'a'), createCredentialsReader(secret)],
  ['Authorization', 'Bearer: letters, and what is none', repeat('a', 'Bearer ', '"'), createCredentialsReader(secret)],
  ['Range', 'bytes: digits', repeat('1', 'bytes=', 'x'), (value) => parseByteRange(value, 1_000)],
  ['Range', 'bytes: spaces', repeat(' ', 'bytes=', 'x'), (value) => parseByteRange(value, 1_000)],
  ['Range', 'bytes: ranges', repeat('0-,', 'bytes='), (value) => parseByteRange(value, 1_000)],
  ['Range', 'of a field: semicolons', repeat(';', 'name'), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['Range', 'of a field: options', repeat('; limit 1', 'name'), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['Range', 'of a field: spaces', repeat(' ', 'name', 'a'), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['Range', 'of a field: an escaped value', repeat('%61', 'name '), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['Range', 'of a field: another unit', repeat('a'), (value) => parseRange(value, /** @type {any} */ (fields))],
  ['token of a range', 'letters', repeat('A'), (value) => places.read('name', value)],
  ['token of a range', 'spaces, encoded', repeat('ICAg'), (value) => places.read('name', value)],
  ['token of a range', 'a long key', (length) => btoa(`abcd0 asc 0 * * ${'a'.repeat(length)}`), (value) => places.read('name', value)],
  ['If-Modified-Since', 'spaces', repeat(' ', 'Sun Nov'), parseHttpDate],
  ['If-Modified-Since', 'letters', repeat('a', 'S'), parseHttpDate],
  ['X-Forwarded-For', 'proxies', repeat('10.0.0.1,'), (value) => callWith(behindProxy, value)],
  ['X-Forwarded-For', 'commas', repeat(','), (value) => callWith(behindProxy, value)],
  ['X-Forwarded-For', 'colons', repeat(':'), (value) => callWith(behindProxy, value)],
  ['X-Request-Id', 'letters', repeat('a'), (value) => callWith(withId, value)],
  ['traceparent', 'digits', repeat('0', '00-'), parseTraceparent],
  ['client: Link', 'signs that open', repeat('<'), readNextPage],
  ['client: Link', 'semicolons and spaces', repeat('; ', '<a>'), readNextPage],
  ['client: Link', 'spaces', repeat(' ', '<a>;'), readNextPage],
  ['client: Link', 'parameters', repeat(';a="\\""', '<a>'), readNextPage],
  ['client: Link', 'a quoted text that does not end', repeat('\\"', '<a>;b="'), readNextPage],
  ['client: Link', 'links', repeat('<a>;rel=a,'), readNextPage],
  ['client: lines', 'line feeds', encodeInput(repeat('1\n')), readLines],
  ['client: lines', 'one line in many pieces', encodeInput(repeat('1,', '[', '1]\n')), readLines],
]
