/** Rows on values: text that is not an integer is rejected everywhere, and other text is returned unchanged or rejected. */
import { get, post, type Row, saying, served, utf8, where } from './row.ts'

/** Texts that are no integers (§4: `-?[0-9]+` within 2^53 − 1), although some parser accepts each. */
const notIntegers: readonly string[] = [
  '', ' ', '+1', '--1', '-', '+', '1.0', '1.', '.1', '1e3', '1E3', '1e', '0x10', '0X1F', '0b1', '0o7', '1n', '1_000', '1,000', '1;0',
  ' 1', '1 ', '\t1', '1\n', '1\r\n', '\0', '1\0', '\ufeff1', '\u00a01', '1\u2028', '١', '１', '²', '½', 'Ⅷ', '一', '𝟏', '1\u0301',
  'NaN', 'Infinity', '-Infinity', 'null', 'undefined', 'true', 'false', '[1]', '{}', '"1"', "'1'", '1a', 'a1', '1/1', '1%', '$1', '1-1',
  '9007199254740992', '9007199254740993', '-9007199254740992', '18446744073709551616', '9'.repeat(400), '__proto__', 'constructor',
] // biome-ignore format: a table of short words

const jsonNotIntegers: readonly string[] = [
  '"26"', 'true', 'false', 'null', '[26]', '{}', '[]', '""', '26.5', '1e-1', '1e400', '-1e400', '9007199254740993', '9007199254740992',
  '9007199254740990.5', '-9007199254740993', '2.6e0', '1e16', '{"valueOf":26}', '0.1',
] // biome-ignore format: the same

const client = (age: string): string => `{"clientName":"Ann","clientEmail":"ann@example.org","clientAge":${age},"clientInterestedIn":[]}`
const form = (age: string): string => `clientName=Ann&clientEmail=ann%40example.org&clientAge=${encodeURIComponent(age)}`
const tag = (written: string): string => get(`/echo/query?tag=${written}`)
const quoted = (text: string): string => JSON.stringify(text)

/** Texts that each pass through some other parser on their way, and have to come out as they went in. */
const texts: readonly string[] = [
  '\0', '\r\n', 'a\r\nSet-Cookie: b=c', '\n\n', '🌍', '👩‍👩‍👧', 'e\u0301', 'é', '\u2028\u2029', '\ufeff', '\u202e', '\ufffd', '\uffff', '"', "'", '\\',
  '</script>', '<!--', '#{7*7}', '{{7*7}}', '%', '%25', '%%', '+', '&', '=', ';', '#', '?', '/', '../..', "' OR 1=1 --", '$ne', '\x1b[31m',
  '__proto__', 'constructor', 'toString', 'null', '[object Object]', 'true', '0', ' ', '  a  ', '\t', 'a'.repeat(10_000),
] // biome-ignore format: the same

/** Names that other parsers of queries make objects of; here they are names like any other, and unknown. */
const names = [
  '__proto__[x]',
  '__proto__.x',
  'constructor[prototype][x]',
  'tag[]',
  'tag[0]',
  'tag[__proto__]',
  'tag[length]',
  'tag.a',
  '[tag]',
  '__proto__',
  'hasOwnProperty',
  'tag%00',
]

const noNewHeader = (row: Row): Row =>
  where(row, ([reply]) => (reply?.headers.has('set-cookie') ? 'a header that was sent as a value' : undefined))

const echoed: readonly Row[] = [
  ...texts.flatMap((text) => [
    noNewHeader(
      saying(
        served(`${quoted(text).slice(0, 40)} in a query`, tag(encodeURIComponent(text)), 200),
        JSON.stringify({ tag: [text], loud: false }),
      ),
    ),
    saying(
      served(`${quoted(text).slice(0, 40)} in JSON`, post('/echo/json', 'application/json', utf8(JSON.stringify({ a: text }))), 200),
      JSON.stringify({ a: text }),
    ),
    saying(
      served(
        `${quoted(text).slice(0, 40)} in a form`,
        post('/echo/form', 'application/x-www-form-urlencoded', `a=${encodeURIComponent(text)}`),
        200,
      ),
      JSON.stringify({ a: [text] }),
    ),
  ]),
  ...names.map((name) => saying(served(`the parameter ${name}`, get(`/echo/query?${name}=1`), 200), '{"tag":[],"loud":false}')),
  ...names
    .slice(0, 6)
    .map((name) =>
      saying(
        served(`the parameter ${name} of a form`, post('/echo/form', 'application/x-www-form-urlencoded', `${name}=1`), 200),
        `{${JSON.stringify(name)}:["1"]}`,
      ),
    ),
  served('nothing was polluted by those', get('/echo/query'), 200),
  where(served('1,500 parameters', get(`/echo/query?${'tag=a&'.repeat(1_500)}`), 200), ([reply]) =>
    (JSON.parse(reply?.body.toString() ?? '{}') as { readonly tag: readonly string[] }).tag.length === 1_500
      ? undefined
      : 'not all came back',
  ),
  served('1,500 unknown parameters', get(`/echo/query?${Array.from({ length: 1_500 }, (_, index) => `${index}=a&`).join('')}`), 200),
  ...['%', '%2', '%zz', '%ff', '%c0%80', '%ed%a0%80', '%f4%90%80%80', '%e2%82', '%80'].map((written) =>
    served(`${written}, which is no UTF-8, in a query`, tag(written), 400),
  ),
  served('a parameter without a name, which is no UTF-8', get('/echo/query?=%'), 400),
  ...['%', '%zz', '%ff', '%ed%a0%80'].map((written) =>
    served(`${written}, which is no UTF-8, in a form`, post('/echo/form', 'application/x-www-form-urlencoded', `a=${written}`), 400),
  ),
]

const user = (name: string): string => `{"name":${name},"age":1,"email":"a@b.org","registration_date":"2024-02-29"}`
/** What one of the databases would not keep as it is: refused before either sees it. */
const unstorable = ['"\\ud800"', '"a\\udc00b"', '"\\udc00\\ud800"', '"\\u0000"', '"a\\u0000b"'].flatMap((name) => [
  served(`${name} as the name of a user`, post('/users', 'application/json', user(name)), 400),
  served(`${name} as the name of a product`, post('/products', 'application/json', `{"productId":77,"name":${name}}`), 400),
])

export const values: readonly Row[] = [
  ...notIntegers
    .filter((text) => text !== '')
    .map((text) =>
      served(`${quoted(text).slice(0, 30)} is no integer in a path`, get(`/position/${encodeURIComponent(text)}/1`), [400, 404]),
    ),
  ...notIntegers.map((text) =>
    served(
      `${quoted(text).slice(0, 30)} is no integer in a form`,
      post('/marketing', 'application/x-www-form-urlencoded', form(text)),
      400,
    ),
  ),
  ...jsonNotIntegers.map((text) => served(`${text} is no integer in JSON`, post('/marketing', 'application/json', client(text)), 400)),
  ...['1.0', '10e-1', '1E0', '-0', '9007199254740991', '-9007199254740991'].map((text) =>
    served(`${text} is an integer in JSON`, post('/marketing', 'application/json', client(text)), 200),
  ),
  ...echoed,
  ...unstorable,
]
