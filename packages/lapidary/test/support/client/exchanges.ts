/** For each endpoint of the `everything` API: any input of a call, and any result of its handler. */
import fc from 'fast-check'
import type { AnyEndpoint, WithHeaders } from 'lapidary'
import type { Call, CallInput, DeclaredErrorOf } from 'lapidary/client'
import { api } from '../everything.ts'

/** What is put in on one side, and must come out on the other. */
export interface Exchange {
  readonly input: fc.Arbitrary<object>
  readonly output: fc.Arbitrary<unknown>
  /** The body of each declared error, by its status. */
  readonly errors: Readonly<Record<number, fc.Arbitrary<unknown>>>
  /** The media types to send its body in; undefined: the first that it takes. */
  readonly types: readonly (string | undefined)[]
}

/** What a handler gives and a caller gets. A stream is a list, whose items come one after the other. */
type Given<Got> =
  Got extends WithHeaders<infer Body, infer Headers>
    ? WithHeaders<Given<Body>, Partial<Headers>>
    : Got extends AsyncIterable<infer Item>
      ? readonly Item[]
      : Got

type ErrorsOf<E extends AnyEndpoint> = NonNullable<E['~types']>['errors']

/** What an exchange may have besides. */
interface More<Raised> {
  readonly errors?: { readonly [One in DeclaredErrorOf<Raised> as One['status']]: fc.Arbitrary<One['body']> }
  readonly types?: readonly string[]
}

/** The compiler sees to it that the values are those of the endpoint. */
function exchange<E extends AnyEndpoint>(
  _endpoint: E,
  input: fc.Arbitrary<CallInput<E>>,
  output: fc.Arbitrary<Given<Awaited<ReturnType<Call<E>>>>>,
  { errors = {} as NonNullable<More<ErrorsOf<E>>['errors']>, types }: More<ErrorsOf<E>> = {},
): Exchange {
  // An input is always an object, but the compiler has not computed it here.
  return { input: input as fc.Arbitrary<object>, output, errors, types: types ?? [undefined] }
}

/** Zero alone has two of its kind, and neither JSON nor a codec tells them apart. */
const unsigned = (number: number): number => number + 0
const integers = fc.oneof(fc.maxSafeInteger(), fc.constantFrom(0, -1, 2 ** 53 - 1, 1 - 2 ** 53)).map(unsigned)
const days = fc.oneof(
  fc
    .date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T00:00:00Z'), noInvalidDate: true })
    .map((day) => day.toISOString().slice(0, 10)),
  fc.constantFrom('0000-01-01', '2000-02-29', '9999-12-31'),
)
const instants = fc.date({ min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
const decimals = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?$/)
/** Any text that has UTF-8, with a liking for what paths, queries and forms are made of. */
const texts = fc
  .oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom(...'/\\?#&=+%;., ~:@"\'\0\r\n\t\ufeff\u2028é💎') }))
  .filter((text) => text.isWellFormed())
const segments = texts.filter((text) => text !== '' && text !== '.' && text !== '..')
const rests = fc
  .array(texts, { minLength: 1, maxLength: 4 })
  .map((all) => all.join('/'))
  .filter((path) => path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..'))
/** Any text at all, halves of surrogate pairs too, which JSON can escape. */
const anyTexts = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) })
/** What a header can hold: Latin-1 without control characters, and without spaces at its ends. */
const latin = fc.integer({ min: 0x09, max: 0xff }).filter((code) => code === 9 || (code >= 32 && code !== 127))
const headerTexts = fc.string({ unit: latin.map((code) => String.fromCharCode(code)) }).map((text) => text.trim())
const elements = headerTexts.map((text) => text.replaceAll(',', '').trim()).filter((text) => text !== '')
const lists = <T>(items: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 9, arbitrary: fc.array(items) }, { weight: 1, arbitrary: fc.array(items, { minLength: 100, maxLength: 150 }) })
const maybe = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(values, { nil: undefined })
const jsonValues = fc.jsonValue({ stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const nothing = fc.constant(undefined)
const noInput = fc.constant({})

/** The same lists, and iterables that give their items one by one; `fast-check` sends a value more than once. */
const streams = <T>(values: fc.Arbitrary<T[]>): fc.Arbitrary<T[] | AsyncIterable<T>> =>
  fc.oneof(
    values,
    values.map((items) => ({
      async *[Symbol.asyncIterator](): AsyncGenerator<T> {
        yield* items
      },
    })),
  )

/** An error without a body of its own has problem details, which stand in the error itself. */
const absent = { errors: { 404: nothing } }
const overLimit = fc.record({
  type: fc.constant('/problems/over-limit' as const),
  title: fc.constant('The amount is above the limit.'),
  status: fc.constant(402 as const),
  limit: fc.integer(),
})
const soldOut = fc.record({ item: anyTexts, again: fc.option(days) })

/** Conditions that any resource meets. */
const kept = fc.constant('*')
const gone = fc.constantFrom('"x"', 'W/"x", "y,z"', 'nonsense', '')

const points = fc.record({ x: integers, y: integers })
const hexes = fc.stringMatching(/^[0-9a-f]{6}$/)
const colours = fc.record({ hex: anyTexts, name: anyTexts }, { requiredKeys: ['hex'] })
const shades = fc.nat(255)
const persons = fc.record({ name: anyTexts, age: integers, born: days })
const eventFields = { id: texts.filter((id) => !/[\0\r\n]/.test(id)), retry: fc.maxSafeNat() }
const ids = fc.record({ params: fc.record({ id: integers }) })
const located = fc.record({ body: nothing, headers: fc.record({ Location: headerTexts }) })
/** Of well-formed text alone, as a form has no other. */
const orders = fc.record({ item: texts, count: integers, tags: lists(texts) }, { requiredKeys: ['item', 'tags'] })

const receipts = fc.record({ item: texts, count: integers })
/** The union of the responses of `checkout`. */
const checkouts = fc.oneof(
  fc.record({ status: fc.constant(201 as const), body: receipts, headers: fc.record({ Location: headerTexts }) }),
  fc.record({ status: fc.constant(202 as const), body: fc.record({ ticket: integers }) }),
  fc.record({ status: fc.constant(303 as const), body: nothing, headers: fc.record({ Location: headerTexts }) }),
)

/** By the names of the endpoints. */
export const exchanges: Readonly<Record<string, Exchange>> = {
  point: exchange(api.point, fc.record({ params: points }), points),
  colour: exchange(api.colour, fc.record({ params: fc.record({ hex: hexes }) }), colours, absent),
  newest: exchange(api.newest, noInput, colours),
  paint: exchange(api.paint, fc.record({ params: fc.record({ hex: hexes }), body: colours }), nothing),
  mix: exchange(
    api.mix,
    fc.record({ body: fc.record({ red: shades, blue: shades, name: fc.option(anyTexts) }, { requiredKeys: [] }) }),
    fc.record({ red: fc.nat(99), blue: fc.nat(99), name: anyTexts }, { requiredKeys: ['red', 'blue'] }),
    { errors: { 422: nothing } },
  ),
  greeting: exchange(api.greeting, fc.record({ params: fc.record({ name: segments }) }), texts),
  welcome: exchange(api.welcome, noInput, texts),
  file: exchange(api.file, fc.record({ params: fc.record({ path: rests }) }), texts),
  tally: exchange(api.tally, noInput, texts),
  day: exchange(api.day, fc.record({ params: fc.record({ day: days }) }), texts),
  search: exchange(
    api.search,
    fc.record({
      query: fc.record({
        word: texts,
        limit: maybe(integers),
        since: maybe(days),
        sort: maybe(fc.constantFrom('age', 'name')),
        deep: maybe(fc.boolean()),
        loud: fc.boolean(),
        tag: lists(texts),
        size: lists(integers),
      }),
    }),
    jsonValues,
  ),
  almanac: exchange(
    api.almanac,
    fc.record({
      params: fc.record({ region: fc.constantFrom('north', 'south'), year: fc.integer({ min: 1900, max: 2100 }) }),
      query: fc.record({
        page: fc.integer({ min: 1, max: 1000 }),
        word: maybe(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 20 })),
        tags: fc.array(fc.string({ maxLength: 20 })),
        level: maybe(fc.constantFrom('all' as const, 0, 9)),
        price: maybe(fc.double({ min: 0, max: 1e6, noNaN: true }).map((price) => price + 0)),
        open: maybe(fc.boolean()),
        filter: maybe(fc.record({ owner: fc.uuid({ version: 4 }), sizes: fc.array(fc.integer({ min: 0, max: 99 })) })),
      }),
      headers: fc.record({ 'X-Depth': fc.integer({ min: 0, max: 9 }) }),
    }),
    jsonValues,
  ),
  ledger: exchange(
    api.ledger,
    fc.record({
      params: fc.record({ tenant: fc.uuid() }),
      query: fc.record({
        account: fc.array(fc.integer({ min: 1 }), { minLength: 1, maxLength: 3 }),
        limit: fc.integer({ min: 1, max: 100 }),
        currency: fc.constantFrom('EUR', 'USD'),
        open: fc.boolean(),
        code: maybe(fc.stringMatching(/^[A-Z]{2,4}$/)),
        above: maybe(decimals),
        since: instants,
        all: fc.boolean(),
      }),
      headers: fc.record({ 'X-Day': days }),
    }),
    fc.record({
      body: jsonValues,
      headers: fc.record({ 'X-Total': decimals, 'X-Until': instants, 'X-Pages': fc.integer({ min: 1 }) }),
    }),
  ),
  survey: exchange(api.survey, fc.record({ body: points }), lists(points), absent),
  'halls.seat': exchange(
    api.halls.seat,
    fc.record({ params: fc.record({ hall: integers, seat: segments }) }),
    fc.record({ hall: integers, seat: anyTexts }),
  ),
  depth: exchange(
    api.depth,
    fc.record({ headers: fc.record({ 'X-Depth': integers, 'X-Tag': lists(elements), 'X-Note': maybe(headerTexts) }) }),
    jsonValues,
  ),
  basket: exchange(
    api.basket,
    fc.record({
      cookies: fc.record({
        session: texts.filter((text) => text !== ''),
        currency: fc.constantFrom('EUR' as const, 'USD' as const),
        visits: maybe(integers),
      }),
    }),
    fc.record({
      body: jsonValues,
      headers: fc.record({
        'Set-Cookie': fc.record({ visits: fc.option(integers), theme: fc.option(texts) }, { requiredKeys: [], noNullPrototype: true }),
      }),
    }),
  ),
  visitors: exchange(
    api.visitors,
    noInput,
    fc.record({
      body: lists(persons),
      headers: fc.record({ 'X-Count': integers, 'X-Names': lists(elements), 'X-Day': maybe(days) }),
    }),
  ),
  'people.list': exchange(api.people.list, noInput, lists(persons)),
  'people.create': exchange(api.people.create, fc.record({ body: persons }), located),
  'people.item': exchange(api.people.item, ids, persons, absent),
  'people.replace': exchange(api.people.replace, fc.record({ params: fc.record({ id: integers }), body: persons }), nothing, absent),
  'people.remove': exchange(api.people.remove, ids, nothing, absent),
  stream: exchange(api.stream, noInput, lists(persons)),
  changes: exchange(
    api.changes,
    fc.record({ headers: fc.record({ 'Last-Event-ID': maybe(integers) }) }),
    lists(
      fc.oneof(
        fc.record({ event: fc.constant('joined' as const), data: persons, ...eventFields }, { requiredKeys: ['event', 'data'] }),
        fc.record({ event: fc.constant('painted' as const), data: colours, ...eventFields }, { requiredKeys: ['event', 'data'] }),
      ),
    ),
  ),
  part: exchange(
    api.part,
    fc.record({ headers: fc.record({ Range: maybe(headerTexts) }) }),
    fc.record({ body: lists(persons), headers: fc.record({ 'Content-Range': headerTexts }) }),
  ),
  page: exchange(
    api.page,
    fc.record({ headers: fc.record({ Range: maybe(headerTexts) }), query: fc.record({ range: maybe(texts) }) }),
    fc.record({
      body: lists(persons),
      headers: fc.record({
        'Total-Count': integers,
        'Content-Range': maybe(headerTexts),
        'Next-Range': maybe(headerTexts),
        Link: maybe(headerTexts),
      }),
    }),
    { errors: { 416: nothing } },
  ),
  cursorPage: exchange(
    api.cursorPage,
    fc.record({
      query: fc.record({
        cursor: maybe(fc.stringMatching(/^[A-Za-z0-9_-]{1,9}$/)),
        limit: fc.integer({ min: 1, max: 10 }),
        sort: fc.constantFrom('name' as const, '-name' as const, 'age' as const, '-age' as const),
      }),
    }),
    fc.record({
      body: fc.record({ people: lists(persons), next: texts }, { requiredKeys: ['people'] }),
      headers: fc.record({ Link: maybe(headerTexts) }),
    }),
  ),
  numberedPage: exchange(
    api.numberedPage,
    fc.record({ query: fc.record({ page: fc.integer({ min: 1 }), limit: fc.integer({ min: 1, max: 1_000 }) }) }),
    fc.record({ body: fc.record({ people: lists(persons), total: fc.nat() }), headers: fc.record({ Link: headerTexts }) }),
  ),
  order: exchange(
    api.order,
    fc.record({ body: orders }),
    fc.record({ body: fc.record({ item: anyTexts, count: integers }), headers: fc.record({ Location: headerTexts }) }),
    { errors: { 409: soldOut }, types: ['application/json', 'application/x-www-form-urlencoded'] },
  ),
  checkout: exchange(api.checkout, fc.record({ body: orders }), checkouts, { errors: { 404: nothing, 409: soldOut } }),
  scan: exchange(
    api.scan,
    fc.record({
      body: fc.oneof(fc.uint8Array({ minLength: 1 }), streams(fc.array(fc.uint8Array({ minLength: 1 }), { minLength: 1, maxLength: 9 }))),
    }),
    lists(fc.uint8Array({ minLength: 1 })),
  ),
  report: exchange(
    api.report,
    fc.record({ params: fc.record({ name: segments }) }),
    fc.uint8Array({ maxLength: 2_000 }).map((bytes) => new Blob([bytes], { type: 'text/plain' })),
    absent,
  ),
  picture: exchange(
    api.picture,
    fc.record({ params: fc.record({ name: segments }) }),
    fc
      .tuple(fc.uint8Array({ maxLength: 2_000 }), fc.constantFrom('image/png', 'image/svg+xml', 'image/x; a=b'))
      .map(([bytes, type]) => new Blob([bytes], { type })),
    absent,
  ),
  gallery: exchange(api.gallery, fc.record({ body: fc.record({ title: texts, notes: lists(texts) }) }), texts),
  film: exchange(
    api.film,
    fc.record({ body: fc.record({ title: texts, year: fc.option(integers, { nil: undefined }), notes: lists(texts) }) }),
    texts,
  ),
  remind: exchange(api.remind, fc.oneof(fc.constant({}), fc.record({ body: fc.record({ note: texts }) })), texts, {
    types: ['application/json', 'application/x-www-form-urlencoded'],
  }),
  census: exchange(api.census, fc.record({ body: streams(lists(persons)) }), texts),
  'stock.read': exchange(api.stock.read, noInput, jsonValues),
  'stock.look': exchange(api.stock.look, noInput, jsonValues, { errors: { 410: nothing } }),
  'stock.count': exchange(api.stock.count, noInput, jsonValues),
  payment: exchange(
    api.payment,
    fc.record({ body: fc.record({ amount: fc.integer({ min: 1, max: 100 }) }) }),
    fc.record({ body: fc.record({ amount: fc.integer({ min: 1, max: 100 }) }), headers: fc.record({ Location: headerTexts }) }),
    { errors: { 402: overLimit } },
  ),
  photo: exchange(
    api.photo,
    fc.record({ body: fc.uint8Array() }),
    fc.record({ body: nothing, headers: fc.record({ 'X-Size': integers }) }),
  ),
  job: exchange(
    api.job,
    fc.record({ body: fc.record({ task: anyTexts, urgent: fc.boolean() }, { requiredKeys: ['task'] }) }),
    fc.record({ ticket: integers }),
  ),
  account: exchange(api.account, noInput, fc.record({ name: anyTexts })),
  partner: exchange(api.partner, noInput, jsonValues),
  machine: exchange(api.machine, noInput, texts),
  'notice.read': exchange(
    api.notice.read,
    fc.record({ headers: fc.record({ 'If-Match': maybe(kept), 'If-None-Match': maybe(gone) }) }),
    fc.record({ body: texts, headers: noInput }),
    { errors: { 304: nothing, 412: nothing } },
  ),
  'notice.write': exchange(
    api.notice.write,
    fc.record({ headers: fc.record({ 'If-Match': maybe(kept), 'If-None-Match': maybe(gone) }), body: texts }),
    nothing,
    { errors: { 412: nothing } },
  ),
  'notice.clear': exchange(
    api.notice.clear,
    fc.record({ headers: fc.record({ 'If-Match': kept, 'If-None-Match': maybe(gone) }) }),
    nothing,
    { errors: { 412: nothing, 428: nothing } },
  ),
  'echo.json': exchange(api.echo.json, fc.record({ body: jsonValues }), jsonValues),
  'echo.text': exchange(api.echo.text, fc.record({ body: texts }), texts),
  // A form has names with values; a name without any is not there.
  'echo.form': exchange(
    api.echo.form,
    fc.record({ body: fc.dictionary(texts, fc.array(texts, { minLength: 1 }), { noNullPrototype: true }) }),
    jsonValues,
  ),
  'echo.bytes': exchange(api.echo.bytes, fc.record({ body: fc.uint8Array({ maxLength: 2_000 }) }), fc.uint8Array({ maxLength: 2_000 })),
}
