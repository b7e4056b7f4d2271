/** The module of routes for the light client: what it has, and which endpoints it refuses. */

import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import {
  type AnyEndpoint,
  array,
  authScheme,
  codec,
  content,
  dateTime,
  endpoint,
  events,
  form,
  json,
  list,
  mediaType,
  ndjson,
  noContent,
  ok,
  problem,
  reply,
  schemaCodec,
  text,
  webhook,
  withDelimiter,
} from 'lapidary'
import { pagePagination } from 'lapidary/pagination'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { printLightRoutes } from '../src/lightRoutes.ts'

const date = z.codec(z.iso.datetime(), z.date(), { decode: (given) => new Date(given), encode: (given) => given.toISOString() })
const Decoded = z.object({ name: z.string(), cut: date })
const Trimmed = z.object({ name: z.string().trim(), count: z.int().default(1), note: z.string().optional() })
const hex = codec<number>({
  name: 'hex',
  parse: (given) => Number.parseInt(given, 16),
  print: (value) => value.toString(16),
  schema: { type: 'string' },
  example: 255,
})
const csv = mediaType<string>({ types: ['text/csv'], reader: () => () => [], writer: () => () => 'a;b' })
const advice = 'The light client has no schema to do that. Describe the value as it is on the wire, or leave the endpoint out: --except.'

const print = (one: AnyEndpoint): string => printLightRoutes({ one })
const routeOf = (one: AnyEndpoint): string => / {2}one: (.*),\n/.exec(print(one))?.[1] ?? ''

describe('what is on the wire is what the type says', () => {
  test.each<[what: string, one: AnyEndpoint]>([
    ['defaults and checks of zod', endpoint('GET /a', { response: ok(Trimmed) })],
    ['a list', endpoint('GET /a', { response: ok(list(Trimmed)) })],
    ['coercion, of which JSON has nothing', endpoint('GET /a', { response: ok(z.object({ count: z.coerce.number() })) })],
    ['ArkType', endpoint('GET /a', { response: ok(type({ name: 'string', 'count?': 'number.integer' })) })],
    ['Valibot', endpoint('GET /a', { response: ok(toStandardJsonSchema(v.object({ name: v.pipe(v.string(), v.minLength(1)) }))) })],
    ['a body that the server decodes', endpoint('POST /a', { body: z.object({ n: z.string().transform(Number) }), response: ok(json) })],
  ])('%s', (_what, one) => {
    expect(routeOf(one)).toContain('responses: [[200, json]]')
  })
})

describe('an endpoint is refused', () => {
  const place = 'GET /a: the response 200'
  test.each<[what: string, one: AnyEndpoint, message: string]>([
    [
      'a schemaCodec',
      endpoint('GET /a', { response: ok(schemaCodec(Decoded)) }),
      `${place}: schemaCodec() encodes and decodes its value. ${advice}`,
    ],
    ['a codec of zod', endpoint('GET /a', { response: ok(Decoded) }), `${place}: its schema decodes the member cut. ${advice}`],
    [
      'a transform of zod in a list',
      endpoint('GET /a', { response: ok(list(z.string().transform((given) => given.length))) }),
      `${place}: its schema decodes the value. ${advice}`,
    ],
    [
      'a transform in an event',
      endpoint('GET /a', { response: ok(events({ cut: z.int(), sold: z.object({ at: z.string().transform(Number) }) })) }),
      `${place}: its schema decodes the member at. ${advice}`,
    ],
    ['a transform in a line', endpoint('GET /a', { response: ok(ndjson(z.string().transform(Number))) }), 'its schema decodes the value'],
    [
      'a transform in a page',
      endpoint('GET /a', { ...pagePagination(Decoded, { body: { items: 'all', total: 'total' } }).declaration }),
      'decodes the member cut',
    ],
    [
      'a transform in a problem',
      endpoint('GET /a', { response: noContent, errors: [problem(409, '/x', z.object({ left: z.string().transform(Number) }))] }),
      'GET /a: the response 409: its schema decodes the member left',
    ],
    ['a morph of ArkType', endpoint('GET /a', { response: ok(type({ n: 'string.numeric.parse' })) }), `${place}: its schema`],
    [
      'a transform of Valibot',
      endpoint('GET /a', { response: ok(toStandardJsonSchema(v.object({ n: v.pipe(v.string(), v.transform(Number)) }))) }),
      `${place}: its schema`,
    ],
    [
      'a schemaCodec in a request',
      endpoint('POST /a', { body: schemaCodec(Decoded), response: noContent }),
      'POST /a: the body: schemaCodec() encodes and decodes its value.',
    ],
    [
      'a schemaCodec in the query',
      endpoint('GET /a', { query: { at: schemaCodec(date) }, response: noContent }),
      'the query parameter at: a schemaCodec()',
    ],
    [
      'a schemaCodec of the whole query',
      endpoint('GET /a', { query: schemaCodec(z.object({ at: date })), response: noContent }),
      'GET /a: a schemaCodec()',
    ],
    [
      'a codec of one’s own',
      endpoint('GET /a/:hex', { params: { hex }, response: noContent }),
      'GET /a/:hex: the capture hex: the codec "hex" has functions of its own.',
    ],
    [
      'a codec of one’s own in a header',
      endpoint('GET /a', { response: noContent({ headers: { 'X-Hex': hex } }) }),
      'the header X-Hex: the codec "hex"',
    ],
    [
      'a media type of one’s own',
      endpoint('GET /a', { response: ok(csv) }),
      'GET /a: the response 200: the media type text/csv has functions of its own',
    ],
    [
      'a media type of one’s own in a request',
      endpoint('POST /a', { body: csv, response: noContent }),
      'POST /a: the body: the media type text/csv',
    ],
    [
      'a form as a response',
      endpoint('GET /a', { response: ok(content(z.object({}), form)) }),
      'the media type application/x-www-form-urlencoded',
    ],
  ])('%s', (_what, one, message) => {
    expect(() => print(one)).toThrow(message)
  })
})

test('a date-time is a Date on both sides', () => {
  const one = endpoint('GET /a', { query: { since: dateTime }, response: noContent({ headers: { 'X-Until': dateTime } }) })
  expect(routeOf(one)).toBe(
    "{ route: 'GET /a', query: { since: dateTime }, responses: [[204, withHeaders(none, { 'X-Until': dateTime })]] }",
  )
})

test('a list in one text of the query has its delimiter', () => {
  const one = endpoint('GET /a', {
    query: { tags: withDelimiter(array(text)), sizes: withDelimiter(z.array(z.int()), '|'), days: withDelimiter(array(dateTime), ' ') },
    response: noContent,
    errors: [reply('4XX', text)],
  })
  expect(routeOf(one)).toBe(
    "{ route: 'GET /a', query: { tags: { delimiter: ',' }, sizes: { delimiter: '|' }, days: { ...dateTime, delimiter: ' ' } }, responses: [[204, none]], errors: [['4XX', text]] }",
  )
})

test('a slash at the end of a route is sent, as by the other client', () => {
  expect(routeOf(endpoint('GET /a/', { response: noContent }))).toContain("route: 'GET /a/'")
  expect(routeOf(endpoint('GET /', { response: noContent }))).toContain("route: 'GET /'")
})

test('a group of webhooks alone is an empty one, as its type says; what is left out is not there', () => {
  const api = {
    one: endpoint('GET /a', { response: noContent }),
    hooks: { paid: webhook('paid', { body: z.object({}) }) },
    inner: { two: endpoint('GET /b', { response: noContent }) },
  }
  expect(printLightRoutes(api, { except: ['inner.two'] })).toContain(
    "{\n  one: { route: 'GET /a', responses: [[204, none]] },\n  hooks: {},\n} as const",
  )
  expect(printLightRoutes(api, { only: ['one'] })).not.toMatch(/hooks|inner/)
})

test('names that are no identifiers, and schemes of one name', () => {
  const key = (header: string) =>
    authScheme<string, string>({
      name: 'the key',
      challenge: 'Key',
      credentials: () => 'k',
      headers: (given) => ({ [header]: given }),
      openapi: {},
    })
  const printed = printLightRoutes({
    'a-b': endpoint('GET /caf\u00e9/:id', { auth: key('A'), response: ok(text), errors: [reply(404, text)] }),
    c: endpoint('GET /c', { auth: key('B'), query: { "it's": text }, response: noContent }),
  })
  expect(printed).toBe(`// Written by \`lapidary routes --client\`. \`--check\` says whether it is up to date.
import { customScheme, either, none, plain, text } from 'lapidary/light'

export const auth = {
  'the key': customScheme('the key'),
  'the key2': customScheme('the key'),
}

export const routes = {
  'a-b': { route: 'GET /caf%C3%A9/:id', auth: either([auth['the key']]), responses: [[200, text]], errors: [[404, text]] },
  c: { route: 'GET /c', query: { 'it\\'s': plain }, auth: either([auth['the key2']]), responses: [[204, none]] },
} as const
`)
})
