/** One API that uses each word of the language once: every interpreter is tested with it. */
import { type } from 'arktype'
import {
  apiKey,
  array,
  authScheme,
  basic,
  bearer,
  bool,
  both,
  byteStream,
  bytes,
  codec,
  collection,
  content,
  cookie,
  created,
  date,
  dateTime,
  decimal,
  download,
  either,
  endpoint,
  events,
  file,
  flag,
  form,
  group,
  html,
  htmlTemplate,
  int,
  json,
  list,
  mediaType,
  mergePatch,
  mount,
  multipart,
  multipartStream,
  ndjson,
  noContent,
  ok,
  oneOf,
  optional,
  parseError,
  partialContent,
  prefix,
  problem,
  reply,
  seeOther,
  setCookie,
  text,
  uuid,
  webhook,
} from 'lapidary'
import { cursorPagination, pagePagination, rangePagination } from 'lapidary/pagination'
import { z } from 'zod'

// Schemas: most by zod, two by ArkType.

export const Point = z.object({ x: z.int(), y: z.int() })
export const Colour = z.object({ hex: z.string(), name: z.string().optional() })
export const Person = z.object({ name: z.string(), age: z.int(), born: z.iso.date() })
export const Order = z.object({ item: z.string(), count: z.int().default(1), tags: z.array(z.string()) })
export const Receipt = type({ item: 'string', count: 'number.integer' })
export const Job = type({ task: 'string', 'urgent?': 'boolean' })
const Payment = z.object({ amount: z.int().min(1).max(100) })
const Ticket = z.object({ ticket: z.int() })
const SoldOut = z.object({ item: z.string(), again: z.iso.date().nullable() })
export const Mixture = z
  .object({ red: z.int().min(0).max(255), blue: z.int().min(0).max(255), name: z.string().optional() })
  .refine(({ red, blue }) => red + blue < 256, { message: 'red and blue are more than 255' })
const Seat = z.object({ hall: z.int(), seat: z.string() })
const Account = z.object({ name: z.string() })

// Words of one's own.

/** A colour such as `ff8800`. */
export const hex = codec<string>({
  name: 'colour',
  parse: (given) => (/^[0-9a-f]{6}$/.test(given) ? given : parseError('a colour such as ff8800')),
  print: (colour) => colour,
  schema: { type: 'string', pattern: '^[0-9a-f]{6}$' },
  example: 'ff8800',
})

type People = readonly z.infer<typeof Person>[]
export const csv = mediaType<People>({
  types: ['text/csv'],
  writer: () => (people) => people.map(({ name, age, born }) => `${name},${age},${born}\n`).join(''),
})
const peoplePage = html<People>((people) => htmlTemplate`<ul>${people.map(({ name }) => htmlTemplate`<li>${name}</li>`)}</ul>`)

/** Pages of people; of the old ones first, one at a time. */
export const peopleRanges = rangePagination(
  Person,
  { name: { codec: text, get: ({ name }) => name }, age: { codec: int, get: ({ age }) => age } },
  { key: ({ name }) => name, default: 'name', options: { age: { limit: 1 } } },
)

/** The same people by cursors, and by numbers. */
export const peopleCursors = cursorPagination(
  Person,
  { name: { codec: text, get: ({ name }) => name }, age: { codec: int, get: ({ age }) => age } },
  { key: ({ name }) => name, default: '-age', limit: 1, maxLimit: 10, body: { items: 'people', next: 'next' } },
)
export const peopleNumbers = pagePagination(Person, { limit: 1, body: { items: 'people', total: 'total' } })

export const members = basic<{ readonly name: string }>('members')
export const partners = bearer<{ readonly id: number }>('partners')
export const machines = authScheme<{ readonly machine: string }, string>({
  name: 'machines',
  challenge: 'Key realm="machines"',
  credentials: (header) => header('x-api-key'),
  headers: (key) => ({ 'X-Api-Key': key }),
  description: 'The key stands as it is.',
  example: 'lathe',
  openapi: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
})

export const visits = apiKey<{ readonly visitor: string }>({ in: 'cookie', name: 'visit' })
export const robots = bearer<{ readonly robot: number; readonly scopes: readonly string[] }, 'stock:read' | 'stock:write'>('robots')
export const counters = apiKey<{ readonly counter: string }>({ in: 'query', name: 'counter' })

const Reminder = z.object({ note: z.string() })

export const api = {
  point: endpoint('GET /points/:x/:y', { params: { x: int, y: int }, response: ok(Point), summary: 'A point.' }),
  colour: endpoint('GET /colours/:hex', { params: { hex }, response: ok(Colour), errors: [reply(404)] }),
  newest: endpoint('GET /colours/newest', { response: ok(Colour) }),
  paint: endpoint('PATCH /colours/:hex', { params: { hex }, body: Colour, response: noContent }),
  mix: endpoint('PATCH /mixture', {
    body: mergePatch(Mixture),
    response: ok(Mixture),
    errors: [reply(422)],
    examples: { body: { red: 7, name: null } },
  }),
  greeting: endpoint('GET /greetings/:name', {
    params: { name: text({ description: 'whom to greet', examples: ['Ann'] }) },
    response: ok(text),
    examples: { response: 'Hello, Ann!' },
  }),
  welcome: endpoint('GET /welcome', {
    response: ok(text),
    deprecated: { since: new Date('2026-01-01'), sunset: new Date('2027-01-01T12:00:00Z'), link: '/news?of=welcome' },
    tags: ['retired'],
    examples: { response: 'Welcome!' },
  }),
  file: endpoint('GET /files/*path', {
    params: { path: text({ description: 'the path of the file', examples: ['a/b c.png'] }) },
    response: ok(text),
  }),
  day: endpoint('GET /days/:day', { params: { day: date }, response: ok(text), timeout: 1_000 }),
  // A request that costs nothing is not limited.
  tally: endpoint('GET /tally', {
    response: ok(text),
    rateLimit: { name: 'tally', quota: 10, window: 60, cost: (request) => Number(request.header('x-cost') ?? 0) },
  }),
  search: endpoint('GET /search', {
    query: {
      word: text,
      limit: optional(int, { description: 'the most to answer', examples: [5] }),
      since: optional(date),
      sort: optional(oneOf('age', 'name')),
      deep: optional(bool),
      loud: flag,
      tag: array(text),
      size: array(int),
    },
    response: ok(json),
  }),
  ledger: endpoint('GET /ledgers/:tenant', {
    params: { tenant: uuid },
    query: {
      limit: int({ min: 1, max: 100, default: 20, description: 'the most to answer', examples: [5, 50] }),
      currency: oneOf(['EUR', 'USD'], { default: 'EUR' }),
      open: bool({ default: true }),
      code: optional(text({ minLength: 2, maxLength: 4, pattern: /^[A-Z]+$/, examples: ['AB', 'ABCD'] })),
      above: optional(decimal),
      since: dateTime({ default: new Date('2024-01-01T00:00:00Z'), description: 'the first instant' }),
      account: array(int({ min: 1 }), { minItems: 1, maxItems: 3, description: 'one to three of them', examples: [[7, 9]] }),
      all: flag({ description: 'closed ones as well' }),
    },
    headers: { 'X-Day': date({ default: '2024-02-29' }) },
    response: ok(json, { headers: { 'X-Total': decimal, 'X-Until': dateTime, 'X-Pages': int({ min: 1, default: 1 }) } }),
  }),
  survey: endpoint('QUERY /survey', { body: Point, response: ok(list(Point)), errors: [reply(404)] }),
  halls: prefix(
    '/halls/:hall',
    { hall: int },
    {
      seat: endpoint('GET /seats/:seat', { params: { seat: text({ examples: ['B7'] }) }, response: ok(Seat) }),
    },
  ),
  almanac: endpoint('GET /almanacs/:region/:year', {
    params: { region: z.enum(['north', 'south']), year: z.int().min(1900).max(2100) },
    query: z.object({
      page: z.int().min(1).max(1000).default(1),
      word: z.string().min(1).max(20).optional(),
      tags: z.array(z.string().max(20)),
      level: z.union([z.literal('all'), z.int().min(0).max(9)]).optional(),
      price: z.number().min(0).max(1e6).optional(),
      open: z.boolean().optional(),
      filter: z.object({ owner: z.uuid(), sizes: z.array(z.int().min(0).max(99)) }).optional(),
    }),
    headers: { 'X-Depth': z.int().min(0).max(9).default(3) },
    response: ok(json),
  }),
  depth: endpoint('GET /depth', {
    headers: { 'X-Depth': int, 'X-Tag': array(text), 'X-Note': optional(text) },
    response: ok(json),
  }),
  basket: endpoint('GET /basket', {
    cookies: {
      session: text({ minLength: 1 }),
      currency: oneOf(['EUR', 'USD'], { default: 'EUR' }),
      visits: optional(int, { description: 'how often the client was here', examples: [3] }),
    },
    response: ok(json, {
      headers: { 'Set-Cookie': setCookie({ visits: cookie(int, { maxAge: 86_400 }), theme: cookie(optional(text)) }) },
    }),
  }),
  visitors: endpoint('GET /visitors', {
    response: ok(content(list(Person), json, peoplePage, csv), {
      headers: { 'X-Count': int, 'X-Names': array(text), 'X-Day': optional(date) },
    }),
  }),
  people: prefix('/people', collection(Person, { one: 'person', all: 'people' })),
  stream: endpoint('GET /stream', { response: ok(ndjson(Person, { aliases: ['application/json;charset=utf-8'] })) }),
  changes: endpoint('GET /changes', {
    headers: { 'Last-Event-ID': optional(int) },
    response: ok(events({ joined: Person, painted: Colour })),
  }),
  part: endpoint('GET /part', {
    headers: { Range: optional(text) },
    response: partialContent(list(Person), { headers: { 'Content-Range': text } }),
  }),
  page: endpoint('GET /page', { ...peopleRanges.declaration }),
  cursorPage: endpoint('GET /cursor-page', { ...peopleCursors.declaration }),
  numberedPage: endpoint('GET /numbered-page', { ...peopleNumbers.declaration }),
  order: endpoint('POST /orders', {
    body: content(Order, json, form),
    response: created(Receipt, { headers: { Location: text } }),
    errors: [reply(409, SoldOut)],
    examples: {
      opal: {
        body: { item: 'opal', tags: ['blue'] },
        response: { body: { item: 'opal', count: 1 }, headers: { Location: '/orders/blue' } },
      },
      rubies: {
        summary: 'Several of them.',
        body: { item: 'ruby', count: 3, tags: ['red', 'gift'] },
        response: { body: { item: 'ruby', count: 3 }, headers: { Location: '/orders/red-gift' } },
      },
    },
  }),
  checkout: endpoint('POST /checkout', {
    body: Order,
    response: [created(Receipt), reply(202, Ticket), seeOther],
    errors: [reply(404), reply(409, SoldOut)],
  }),
  payment: endpoint('POST /payments', {
    body: Payment,
    response: created(Payment),
    errors: [problem(402, '/problems/over-limit', z.object({ limit: z.int() }), { title: 'The amount is above the limit.' })],
    idempotent: 'required',
  }),
  job: endpoint('POST /jobs', { body: Job, rawBody: true, response: reply(202, Ticket) }),
  account: endpoint('GET /account', { auth: members, response: ok(Account) }),
  partner: endpoint('GET /partner', { auth: partners, response: ok(json) }),
  photo: endpoint('PUT /photo', {
    body: bytes,
    response: noContent({ headers: { 'X-Size': int } }),
    maxBodySize: '1 kB',
    examples: { body: Uint8Array.of(255, 216) },
  }),
  scan: endpoint('PUT /scan', {
    body: byteStream('image/webp'),
    response: ok(byteStream('image/webp')),
    maxBodySize: '1 kB',
    examples: { body: Uint8Array.of(137, 80), response: Uint8Array.of(137, 80) },
  }),
  report: endpoint('GET /reports/:name', {
    response: ok(download('text/plain')),
    errors: [reply(404)],
    params: { name: text({ examples: ['may'] }) },
    examples: { response: new Blob(['May: 20 opals, 3 rubies.\n']) },
  }),
  picture: endpoint('GET /pictures/:name', {
    response: ok(download('image/*', { disposition: 'inline' })),
    errors: [reply(404)],
    params: { name: text({ examples: ['may'] }) },
    examples: { response: new Blob(['May: 20 opals, 3 rubies.\n'], { type: 'image/svg+xml' }) },
  }),
  gallery: endpoint('POST /gallery', {
    body: multipart({ title: text, photo: optional(file({ types: ['image/*'] })), notes: array(text) }),
    response: ok(text),
  }),
  film: endpoint('POST /films', {
    body: multipartStream({ title: text, year: optional(int), film: optional(file({ types: ['video/*'] })), notes: array(text) }),
    response: ok(text),
  }),
  remind: endpoint('POST /remind', { body: optional(content(Reminder, json, form)), response: ok(text) }),
  census: endpoint('POST /census', { body: ndjson(Person), response: ok(text), examples: { response: '1 people' } }),
  machine: endpoint('DELETE /machine', { auth: machines, response: ok(text) }),
  stock: prefix('/stock', {
    read: endpoint('GET /', { auth: optional(either(visits, robots.scopes('stock:read'))), response: ok(json) }),
    ...group(
      { auth: optional(visits, { invalid: 'ignore' }), errors: [reply(410)], responseHeaders: { 'X-Shelf': 'stock' } },
      { look: endpoint('GET /look', { response: ok(json) }) },
    ),
    count: endpoint('POST /', { auth: both(counters, robots.scopes('stock:read', 'stock:write')), response: ok(json) }),
  }),
  notice: prefix('/notice', {
    read: endpoint('GET /', { response: ok(text), etag: true, examples: { response: 'Closed on Mondays.' } }),
    write: endpoint('PUT /', { body: text, response: noContent, etag: 'optional', examples: { body: 'Open on Mondays.' } }),
    clear: endpoint('DELETE /', { response: noContent, etag: 'required' }),
  }),
  echo: prefix('/echo', {
    json: endpoint('POST /json', { body: json, response: ok(json), examples: { body: [1, null], response: [1, null] } }),
    text: endpoint('POST /text', { body: text, response: ok(text), examples: { body: 'Hello!', response: 'Hello!' } }),
    form: endpoint('POST /form', { body: form, response: ok(json), examples: { body: { a: 'b' }, response: { a: ['b'] } } }),
    bytes: endpoint('POST /bytes', { body: bytes, response: ok(bytes), examples: { body: Uint8Array.of(0, 255) } }),
  }),
  raw: {
    kernel: mount('/raw/kernel'),
    web: mount('/raw/web'),
    node: mount('/raw/node', { description: 'Another server’s pages.' }),
  },
  hooks: {
    jobDone: webhook('job.done', {
      body: Ticket,
      summary: 'A job is done.',
      description: 'It is sent once for each job, whatever its result is.',
      examples: { body: { ticket: 7 } },
    }),
    soldOut: webhook('item.soldOut', { body: content(SoldOut, form), deprecated: true, tags: ['retired'] }),
  },
  empty: {},
}
