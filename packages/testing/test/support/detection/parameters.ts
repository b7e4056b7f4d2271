/** Faults of parameters: captures, queries, headers and cookies, and the codecs and schemas that read them. */
import {
  type AnyEndpoint,
  type Api,
  array,
  bool,
  type Codec,
  type CookieRecord,
  codec,
  cookie,
  date,
  dateTime,
  decimal,
  endpoint,
  flag,
  int,
  json,
  noContent,
  ok,
  oneOf,
  optional,
  type ParameterRecord,
  parseError,
  setCookie,
  text,
  uuid,
  withDelimiter,
  withHeaders,
} from 'lapidary'
import { type HttpHandler, serve } from 'lapidary/server'
import { z } from 'zod'
import { type Planted, silent, without } from './planted.ts'

type ListApi = Api & { readonly list: AnyEndpoint }
const listing = (query: unknown): ListApi => ({
  list: endpoint('GET /list', { query: query as ParameterRecord, response: ok(json) }),
})
const serving = (query: unknown, list: (input: { readonly query: Record<string, unknown> }) => unknown = () => ({})): HttpHandler =>
  serve(listing(query), { list } as never, silent)
const fails = (): never => {
  throw new Error('planted')
}

const hex = codec<string>({
  name: 'colour',
  parse: (given) => (/^[0-9a-f]{6}$/.test(given) ? given : parseError('a colour such as ff8800')),
  print: (colour) => colour,
  schema: { type: 'string', pattern: '^[0-9a-f]{6}$' },
  example: 'ff8800',
})

const codecs: Readonly<Record<string, Codec<never>>> = {
  int,
  bool,
  date,
  dateTime,
  decimal,
  uuid,
  oneOf: oneOf('age', 'name'),
  codec: hex,
  text: text({ minLength: 2, maxLength: 3 }),
} as unknown as Readonly<Record<string, Codec<never>>>

/** The faults of every codec that one value is read by. */
const codecFaults = Object.entries(codecs).map(
  ([word, value]): Planted => ({
    words: [word, 'query'],
    api: listing({ value }),
    at: 'list',
    right: [serving({ value })],
    options: { requests: 150 },
    faults: [
      ['any text is read', serving({ value: text }), 'query', /value is ".*": expected 400, got 200/],
      ['it need not be there', serving({ value: optional(value) }), 'query', 'value is left out: expected 400, got 200'],
      ['its values are refused', serving({ value: oneOf('no-such-value') }), 'status', 'got 400'],
      ['one more is needed', serving({ value, other: text }), 'status', 'got 400'],
    ],
  }),
)

const bounded = {
  limit: int({ min: 1, max: 100, default: 20 }),
  code: optional(text({ minLength: 2, maxLength: 4, pattern: /^[a-z]+$/, examples: ['ab', 'abcd'] })),
  id: array(int, { maxItems: 2 }),
}
const withOptions: Planted = {
  words: ['options of codecs'],
  api: listing(bounded),
  at: 'list',
  right: [serving(bounded)],
  options: { requests: 600 },
  faults: [
    ['no bound of an integer', serving({ ...bounded, limit: optional(int) }), 'query', 'limit is "0": expected 400, got 200'],
    ['no length of a text', serving({ ...bounded, code: optional(text) }), 'query', 'code is "": expected 400, got 200'],
    ['any number of values', serving({ ...bounded, id: array(int) }), 'query', 'id is "42", "42", "42": expected 400, got 200'],
    ['no default', serving({ ...bounded, limit: int({ min: 1, max: 100 }) }), 'status', 'got 400'],
  ],
}

const several: readonly Planted[] = [
  {
    words: ['array'],
    api: listing({ size: array(int) }),
    at: 'list',
    right: [serving({ size: array(int) })],
    faults: [
      ['one is needed', serving({ size: int }), 'status', 'got 400'],
      ['several are refused', serving({ size: optional(int) }), 'status', 'got 400'],
      ['any text is read', serving({ size: array(text) }), 'query', /size is ".*": expected 400, got 200/],
    ],
  },
  {
    words: ['withDelimiter'],
    api: listing({ size: withDelimiter(array(int), ',') }),
    at: 'list',
    right: [serving({ size: withDelimiter(array(int), ',') })],
    options: { requests: 150 },
    faults: [
      ['each value is a text of its own', serving({ size: array(int) }), 'status', 'got 400'],
      ['another delimiter', serving({ size: withDelimiter(array(int), '|') }), 'status', 'got 400'],
      ['any text is read', serving({ size: withDelimiter(array(text), ',') }), 'query', /size is ".*": expected 400, got 200/],
    ],
  },
  {
    words: ['optional'],
    api: listing({ size: optional(int) }),
    at: 'list',
    right: [serving({ size: optional(int) })],
    faults: [
      ['it is needed', serving({ size: int }), 'status', 'got 400'],
      [
        'a failure without it',
        serving({ size: optional(int) }, ({ query }) => (query['size'] === undefined ? fails() : {})),
        'no-server-error',
        'got 500',
      ],
      ['any text is read', serving({ size: optional(text) }), 'query', /size is ".*": expected 400, got 200/],
    ],
  },
  {
    words: ['flag'],
    api: listing({ loud: flag }),
    at: 'list',
    right: [serving({ loud: flag })],
    faults: [
      ['it is needed', serving({ loud: text }), 'status', 'got 400'],
      ['a name without a value is refused', serving({ loud: optional(bool) }), 'status', 'got 400'],
      ['a failure with it', serving({ loud: flag }, ({ query }) => (query['loud'] === true ? fails() : {})), 'no-server-error', 'got 500'],
    ],
  },
]

const query = z.object({
  limit: z.int().min(1).max(100).default(20),
  sizes: z.array(z.int()).max(2),
  filter: z.object({ owner: z.uuid(), open: z.boolean().optional() }).optional(),
})
const schemas: Planted = {
  words: ['schemas as parameters'],
  api: listing(query),
  at: 'list',
  right: [serving(query)],
  faults: [
    ['no bound', serving(query.extend({ limit: z.int().optional() })), 'query', 'limit is "0": expected 400, got 200'],
    ['text in place of a number', serving(query.extend({ sizes: z.array(z.string()) })), 'query', 'sizes is "": expected 400, got 200'],
    ['any number of values', serving(query.extend({ sizes: z.array(z.int()) })), 'query', 'expected 400, got 200'],
  ],
}
const filtering = (filter: z.ZodType): z.ZodType => z.object({ filter })
const filter = z.object({ owner: z.uuid(), open: z.boolean().optional() })
const objects: Planted = {
  words: ['deepObject'],
  api: listing(filtering(filter)),
  at: 'list',
  right: [serving(filtering(filter))],
  faults: [
    ['the object is not read', serving({}), 'query', 'expected 400, got 200'],
    ['a member is read as any text', serving(filtering(filter.extend({ owner: z.string() }))), 'query', 'expected 400, got 200'],
    ['an optional member is needed', serving(filtering(filter.required())), 'status', 'got 400'],
    ['the object is one text', serving(z.object({ filter: z.string() })), 'status', 'got 400'],
  ],
}

const Depth = { 'X-Depth': int, 'X-Note': optional(text({ maxLength: 5 })) }
const headersApi = (headers: ParameterRecord): ListApi => ({ list: endpoint('GET /list', { headers, response: ok(json) }) })
const readingHeaders = (headers: ParameterRecord): HttpHandler => serve(headersApi(headers), { list: () => ({}) } as never, silent)
const headers: Planted = {
  words: ['headers'],
  api: headersApi(Depth),
  at: 'list',
  right: [readingHeaders(Depth)],
  faults: [
    ['any text is read', readingHeaders({ ...Depth, 'X-Depth': text }), 'request-headers', /X-Depth is ".*": expected 400, got 200/],
    [
      'it need not be there',
      readingHeaders({ ...Depth, 'X-Depth': optional(int) }),
      'request-headers',
      'X-Depth is left out: expected 400, got 200',
    ],
    [
      'a text of any length',
      readingHeaders({ ...Depth, 'X-Note': optional(text) }),
      'request-headers',
      /X-Note is ".*": expected 400, got 200/,
    ],
    ['an optional one is needed', readingHeaders({ ...Depth, 'X-Note': text }), 'status', 'got 400'],
  ],
}

const capturing = (params: ParameterRecord): ListApi => ({
  list: endpoint('GET /list/:size/:day', { params: params as { size: typeof int; day: typeof date }, response: ok(json) }),
})
const readingCaptures = (params: ParameterRecord): HttpHandler => serve(capturing(params), { list: () => ({}) } as never, silent)
const captured = { size: int({ min: 1 }), day: date }
const params: Planted = {
  words: ['params'],
  api: capturing(captured),
  at: 'list',
  right: [readingCaptures(captured)],
  faults: [
    ['any text is read', readingCaptures({ ...captured, day: text }), 'captures', /:day is ".*": expected 400 or 404, got 200/],
    ['no bound is known', readingCaptures({ ...captured, size: int }), 'captures', ':size is "0": expected 400 or 404, got 200'],
    ['more is refused', readingCaptures({ ...captured, size: int({ min: 1, max: 3 }) }), 'status', 'got 400'],
  ],
}

const described = (changed: ParameterRecord = {}) => ({
  list: endpoint('GET /basket', { cookies: { session: text, visits: optional(int), ...changed }, response: ok(json) }),
})
const basket = (api: ReturnType<typeof described>): HttpHandler => serve(api, { list: ({ cookies }) => cookies }, silent)
const cookies: Planted = {
  words: ['cookies'],
  api: described(),
  at: 'list',
  right: [basket(described())],
  faults: [
    ['any text is read', basket(described({ visits: optional(text) })), 'cookies', 'visits is "": expected 400, got 200'],
    ['no cookie is needed', basket(described({ session: optional(text) })), 'cookies', 'session is left out: expected 400, got 200'],
    ['one more is needed', basket(described({ visits: int })), 'status', 'got 400'],
    [
      'a cache may give the response to others',
      async (request) => without('vary', await basket(described())(request)),
      'vary',
      'expected Vary to name Cookie, got none',
    ],
  ],
}

const setting = (record: CookieRecord) => ({
  list: endpoint('GET /login', { response: noContent({ headers: { 'Set-Cookie': setCookie(record) } }) }),
})
const declared = { session: cookie(text, { maxAge: 60 }), count: int }
const login = (record: CookieRecord, values: object): HttpHandler =>
  serve(setting(record), { list: () => withHeaders({ 'Set-Cookie': values }) } as never, silent)
const attributes = 'expected "Max-Age=60; Path=/; Secure; HttpOnly; SameSite=Lax"'
const setCookies: Planted = {
  words: ['setCookie', 'cookie'],
  api: setting(declared),
  at: 'list',
  right: [{}, { session: 'a', count: 1 }, { session: null }].map((values) => login(declared, values)),
  faults: [
    ['a cookie that is not declared', login({ other: text }, { other: 'a' }), 'set-cookie', 'the cookie other is not declared'],
    ['a cookie that is kept longer', login({ session: cookie(text, { maxAge: 61 }) }, { session: 'a' }), 'set-cookie', attributes],
    [
      'a cookie that scripts can read',
      login({ session: cookie(text, { maxAge: 60, httpOnly: false }) }, { session: 'a' }),
      'set-cookie',
      `the cookie session has the attributes "Max-Age=60; Path=/; Secure; SameSite=Lax", ${attributes}`,
    ],
    [
      'a cookie that is deleted at another path',
      login({ session: cookie(text, { path: '/a' }) }, { session: null }),
      'set-cookie',
      'the cookie session has the attributes "Max-Age=0; Path=/a',
    ],
    ['an invalid value', login({ count: text }, { count: 'many' }), 'headers', 'the header Set-Cookie is not as declared'],
  ],
}

export const parameters: readonly Planted[] = [
  ...codecFaults,
  withOptions,
  ...several,
  schemas,
  objects,
  headers,
  params,
  cookies,
  setCookies,
]
