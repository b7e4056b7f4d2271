/** Changes of what a request may be: it has to become wider to be safe for clients. */
import { array, bool, codec, date, decimal, flag, int, json, oneOf, optional, parseError, text, uuid } from 'lapidary'
import { z } from 'zod'
import { one, type Row, row } from './row.ts'

const captured = (...codecs: readonly [old: unknown, now: unknown]): Row['old'][] =>
  codecs.map((id) => one('GET /a/:id', { params: { id } as never }))
const queried = (...queries: readonly object[]): Row['old'][] => queries.map((query) => one('GET /a', { query: query as never }))
const headed = (...all: readonly object[]): Row['old'][] => all.map((headers) => one('GET /a', { headers: headers as never }))
const withCookies = (...all: readonly object[]): Row['old'][] => all.map((cookies) => one('GET /a', { cookies: cookies as never }))
const two = (apis: readonly Row['old'][]): readonly [Row['old'], Row['old']] => [apis[0] ?? {}, apis[1] ?? {}]

const hex = codec<string>({
  name: 'hex',
  parse: (given) => (/^[0-9a-f]{6}$/.test(given) ? given : parseError('six hexadecimal digits')),
  print: (given) => given,
  schema: { type: 'string', pattern: '^[0-9a-f]{6}$' },
  example: 'ff0000',
})
const pickyText = codec<string>({
  ...hex,
  name: 'picky',
  schema: { type: 'string' },
  example: 'some',
  parse: (given) => (given === 'none' ? parseError('some') : given),
})
const page = (maximum: number) =>
  codec<number>({ ...int, schema: { type: 'integer', minimum: 1, maximum }, example: 1, parse: bounded(maximum) })
const bounded =
  (maximum: number) =>
  (given: string): ReturnType<typeof int.parse> => {
    const value = int.parse(given)
    return typeof value === 'number' && (value < 1 || value > maximum) ? parseError('another page') : value
  }
const unread = { clients: 'It is unknown: the server does not look at it.' }

/** Captures, query parameters and request headers. */
export const parameters: readonly Row[] = [
  row(
    'a default is another one',
    two(queried({ page: int({ default: 1 }) }, { page: int({ default: 2 }) })),
    ['unknown', 'unknown'],
    ['query page', 'changed'],
  ),
  row(
    'a member of an object in the query is new and required',
    two(queried({ filter: z.object({ a: z.string() }) }, { filter: z.object({ a: z.string(), b: z.string() }) })),
    ['breaking', 'unknown'],
    ['query filter[b]', 'added'],
    { servers: unread.clients },
  ),
  row('a capture that was an integer may be any text', two(captured(int, text)), ['safe', 'breaking'], ['capture id', 'changed']),
  row('a capture that was any text is an integer', two(captured(text, int)), ['breaking', 'safe'], ['capture id', 'changed']),
  row('a capture that was a date is an integer', two(captured(date, int)), ['breaking', 'breaking'], ['capture id', 'changed']),
  row(
    'a capture that was one of two names is one of three',
    two(captured(oneOf('a', 'b'), oneOf('a', 'b', 'c'))),
    ['safe', 'breaking'],
    ['capture id', 'changed'],
  ),
  row(
    'a capture that was true or false is a name',
    two(captured(bool, oneOf('true', 'false', 'perhaps'))),
    ['safe', 'breaking'],
    ['capture id', 'changed'],
  ),
  row('a capture that was a date may be any text', two(captured(date, text)), ['safe', 'breaking'], ['capture id', 'changed']),
  row(
    'a capture may be shorter than before',
    two(captured(z.string().min(3), z.string().min(2))),
    ['safe', 'breaking'],
    ['capture id', 'changed'],
  ),
  row(
    'a capture needs one character, as every capture does',
    two(captured(text, z.string().min(1))),
    ['safe', 'safe'],
    ['capture id', 'changed'],
  ),
  row('a capture has a form of its own, and had none', two(captured(text, hex)), ['breaking', 'safe'], ['capture id', 'changed']),
  row(
    'a capture is read by a codec whose schema says less than it knows',
    two(captured(text, pickyText)),
    ['unknown', 'safe'],
    ['capture id', 'changed'],
  ),
  row(
    'a query parameter is new, and may be left out',
    two(queried({}, { limit: optional(int) })),
    ['safe', 'unknown'],
    ['query limit', 'added'],
  ),
  row('a query parameter is new, and needed', two(queried({}, { limit: int })), ['breaking', 'unknown'], ['query limit', 'added']),
  row(
    'a query parameter is gone that could be left out',
    two(queried({ limit: optional(int) }, {})),
    ['unknown', 'safe'],
    ['query limit', 'removed'],
  ),
  row('a query parameter is gone that was needed', two(queried({ limit: int }, {})), ['unknown', 'breaking'], ['query limit', 'removed']),
  row(
    'a query parameter is needed that could be left out',
    two(queried({ limit: optional(int) }, { limit: int })),
    ['breaking', 'safe'],
    ['query limit', 'changed'],
  ),
  row(
    'a query parameter can be left out that was needed',
    two(queried({ limit: int }, { limit: optional(int) })),
    ['safe', 'breaking'],
    ['query limit', 'changed'],
  ),
  row(
    'a choice in the query has lost a name',
    two(queried({ sort: oneOf('a', 'b') }, { sort: oneOf('a') })),
    ['breaking', 'safe'],
    ['query sort', 'changed'],
  ),
  row(
    'a choice in the query has a name more',
    two(queried({ sort: oneOf('a') }, { sort: oneOf('a', 'b') })),
    ['safe', 'breaking'],
    ['query sort', 'changed'],
  ),
  row(
    'a bound in the query is closer',
    two(queried({ page: page(100) }, { page: page(10) })),
    ['breaking', 'safe'],
    ['query page', 'changed'],
  ),
  row(
    'an integer in the query has closer bounds',
    two(queried({ limit: int({ min: 1, max: 100 }) }, { limit: int({ min: 1, max: 10 }) })),
    ['breaking', 'safe'],
    ['query limit', 'changed'],
  ),
  row(
    'a text in the query may be longer',
    two(queried({ name: text({ maxLength: 3 }) }, { name: text({ maxLength: 5 }) })),
    ['safe', 'breaking'],
    ['query name', 'changed'],
  ),
  row(
    'a query parameter has a default that was needed',
    two(queried({ limit: int }, { limit: int({ default: 20 }) })),
    ['safe', 'breaking'],
    ['query limit', 'changed'],
  ),
  row(
    'a single value in the query becomes a list of at least two',
    two(queried({ id: int }, { id: array(int, { minItems: 2 }) })),
    ['breaking', 'breaking'],
    ['query id', 'changed'],
  ),
  row(
    'a choice of texts that look like numbers becomes an integer',
    two(queried({ version: oneOf('1.0', '2.0') }, { version: int })),
    ['breaking', 'breaking'],
    ['query version', 'changed'],
  ),
  row(
    'a text with a leading zero becomes a number',
    two(queried({ version: oneOf('01') }, { version: z.literal(1) })),
    ['breaking', 'breaking'],
    ['query version', 'changed'],
  ),
  row(
    'an integer in the query may be true or false as well',
    two(queried({ depth: int }, { depth: z.union([z.int(), z.boolean()]) })),
    ['safe', 'breaking'],
    ['query depth', 'changed'],
  ),
  row(
    'a header with commas becomes a list, which is split at them',
    two(headed({ 'X-Words': oneOf('a,b', 'c') }, { 'X-Words': array(oneOf('a,b', 'c')) })),
    ['unknown', 'breaking'],
    ['header X-Words', 'changed'],
  ),
  row('a capture that was any text is a UUID', two(captured(text, uuid)), ['breaking', 'safe'], ['capture id', 'changed']),
  row('a capture that was an integer is a decimal number', two(captured(int, decimal)), ['unknown', 'breaking'], ['capture id', 'changed']),
  row(
    'a list in the query is shorter',
    two(queried({ tag: array(text) }, { tag: array(text, { maxItems: 3 }) })),
    ['breaking', 'safe'],
    ['query tag', 'changed'],
  ),
  row(
    'a query parameter may come more than once',
    two(queried({ tag: optional(text) }, { tag: array(text) })),
    ['safe', 'breaking'],
    ['query tag', 'changed'],
  ),
  row(
    'a query parameter may come only once',
    two(queried({ tag: array(text) }, { tag: optional(text) })),
    ['breaking', 'safe'],
    ['query tag', 'changed'],
  ),
  row(
    'the items of a query parameter are integers that were texts',
    two(queried({ tag: array(text) }, { tag: array(int) })),
    ['breaking', 'safe'],
    ['query tag', 'changed'],
  ),
  row(
    'a flag is true or false now',
    two(queried({ loud: flag }, { loud: optional(bool) })),
    ['breaking', 'breaking'],
    ['query loud', 'changed'],
    {
      servers: '"false" is read as a flag that is there: nothing fails, and it means the opposite.',
    },
  ),
  row(
    'a header of requests is new, and may be left out',
    two(headed({}, { 'X-Depth': optional(int) })),
    ['safe', 'unknown'],
    ['header X-Depth', 'added'],
  ),
  row('a header of requests is new, and needed', two(headed({}, { 'X-Depth': int })), ['breaking', 'unknown'], ['header X-Depth', 'added']),
  row(
    'a header of requests is gone',
    two(headed({ 'X-Depth': optional(int) }, {})),
    ['unknown', 'safe'],
    ['header X-Depth', 'removed'],
    unread,
  ),
  row(
    'a header of requests takes integers that took any text',
    two(headed({ 'X-Depth': text }, { 'X-Depth': int })),
    ['breaking', 'safe'],
    ['header X-Depth', 'changed'],
  ),
  row(
    'a cookie is new, and may be left out',
    two(withCookies({}, { visits: optional(int) })),
    ['safe', 'unknown'],
    ['cookie visits', 'added'],
  ),
  row('a cookie is new, and needed', two(withCookies({}, { session: text })), ['breaking', 'unknown'], ['cookie session', 'added']),
  row('a cookie is gone', two(withCookies({ visits: optional(int) }, {})), ['unknown', 'safe'], ['cookie visits', 'removed'], unread),
  row(
    'a cookie takes integers that took any text',
    two(withCookies({ visits: text }, { visits: int })),
    ['breaking', 'safe'],
    ['cookie visits', 'changed'],
  ),
  row(
    'the name of a cookie has another case',
    two(withCookies({ Session: text }, { session: text })),
    ['breaking', 'breaking'],
    ['cookie Session', 'removed'],
  ),
  row(
    'a parameter of any JSON has a body beside it',
    [one('POST /a', {}), one('POST /a', { body: json })],
    ['breaking', 'unknown'],
    ['body', 'added'],
  ),
]
