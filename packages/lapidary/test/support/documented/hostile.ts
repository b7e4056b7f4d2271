/** Hostile requests to one endpoint, and some that are nearly right. */
import fc from 'fast-check'
import type { Field, Section } from 'lapidary/docs'
import type { ExchangeRequest } from './exchange.ts'
import { maxBodySize } from './rejections.ts'

/** A path segment of two dots, or of one, would lead elsewhere. */
const odd = fc.oneof(
  fc.constantFrom(
    '0',
    '-1',
    '99',
    '007',
    '1e3',
    '1.5',
    'true',
    'TRUE',
    '2023-02-29',
    'x',
    'a b',
    '+',
    '"',
    "'",
    '\0',
    '\ud800',
    'é',
    '💥',
    '{}',
  ),
  fc.string({ minLength: 1, maxLength: 8, unit: 'binary' }).filter((text) => !/^\.{1,2}$/.test(text)),
)
const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())
const shown = ({ examples }: Field): fc.Arbitrary<string> => (examples.length === 0 ? odd : fc.constantFrom(...examples))
const textOf = (field: Field): fc.Arbitrary<string> => fc.oneof(shown(field), odd)

const pathOf = ({ path, captures }: Section): fc.Arbitrary<string> =>
  fc
    .tuple(...captures.map(textOf))
    .map((texts) => captures.reduce((whole, { name }, index) => whole.replace(`:${name}`, () => encoded(texts[index] ?? '')), path))

const queryOf = ({ query }: Section): fc.Arbitrary<string> => {
  const pair = (name: fc.Arbitrary<string>, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(name, value).map((both) => both.map(encoded).join('='))
  const known = query.flatMap((field) => [pair(fc.constant(field.name), textOf(field)), fc.constant(encoded(field.name))])
  const pairs = fc.array(fc.oneof(...known, pair(odd, odd), fc.constantFrom('', '=', '&&', '%', '%ff', 'a=%zz', '?')), { maxLength: 4 })
  return pairs.map((all) => (all.length === 0 ? '' : `?${all.join('&')}`))
}

/** What a header may hold; spaces around it would not arrive. */
const oddHeader = fc.string({ maxLength: 20, unit: fc.constantFrom(...'aZ09 ;=,/*%"\\.-é'.split('')) }).map((text) => text.trim())
const maybe = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<ExchangeRequest['headers']> =>
  fc.option(value, { nil: undefined }).map((text) => (text === undefined ? {} : { [name]: text }))

const accepts = ['', '*/*', 'application/json', 'text/html', 'text/*;q=0.5', 'image/png', 'application/json;q=0, */*', 'q=2', ';']
const types = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/octet-stream',
  'text/plain;charset=latin1',
  'json',
]

/** Any of the cookies, and what is none; of an endpoint without cookies, now and then one. */
const cookiesOf = ({ cookies }: Section): fc.Arbitrary<ExchangeRequest['headers']> => {
  const known = cookies.map((field) => fc.oneof(shown(field), oddHeader).map((text) => `${field.name}=${text}`))
  const pairs = fc.array(fc.oneof(...known, oddHeader, fc.constantFrom('', '=', 'a="', '__proto__=1', '__Host-a=%', 'a=%00')), {
    maxLength: cookies.length + 2,
  })
  return maybe(
    'Cookie',
    pairs.map((all) => all.join('; ').trim()),
  )
}

function headersOf(section: Section, right: ExchangeRequest): fc.Arbitrary<ExchangeRequest['headers']> {
  const credentials = (section.auth?.alternatives ?? []).flat().flatMap(({ headers }) => Object.keys(headers))
  const own = section.headers.map((field) => maybe(field.name, fc.oneof(shown(field), oddHeader)))
  return fc
    .tuple(
      maybe('Accept', fc.oneof(fc.constantFrom(...accepts), oddHeader)),
      maybe(
        'Content-Type',
        fc.oneof({ weight: 3, arbitrary: fc.constant(right.headers['Content-Type'] ?? 'x') }, fc.constantFrom(...types), oddHeader),
      ),
      fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, maybe('Content-Encoding', fc.constantFrom('gzip', 'identity', 'x'))),
      ...credentials.map((name) =>
        fc.oneof({ weight: 9, arbitrary: fc.constant({ [name]: right.headers[name] ?? '' }) }, maybe(name, oddHeader)),
      ),
      ...own,
      cookiesOf(section),
    )
    .map((all) => Object.assign({}, ...all))
}

const bodyOf = ({ body }: ExchangeRequest): fc.Arbitrary<ExchangeRequest['body']> =>
  body === null
    ? fc.constant(null)
    : fc.oneof(
        fc.constant(body),
        fc.nat(body.length).map((length) => body.slice(0, length)),
        fc.json({ maxDepth: 2 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.constantFrom('', '%', 'a=b&a=c', '{"__proto__":1}', '9007199254740993', '['.repeat(100), ' '.repeat(maxBodySize + 1)),
      )

/** Variations of a right request to the endpoint of this section. */
export const hostile = (section: Section, right: ExchangeRequest): fc.Arbitrary<ExchangeRequest> =>
  fc.record({
    method: right.method === 'GET' ? fc.constantFrom('GET', 'HEAD') : fc.constant(right.method),
    target: fc.tuple(pathOf(section), queryOf(section)).map((parts) => parts.join('')),
    headers: headersOf(section, right),
    body: bodyOf(right),
  })
