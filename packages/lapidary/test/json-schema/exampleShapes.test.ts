/** Every example that documents make of a schema is one that the schema accepts: a table of what three libraries can describe. */
import { mock } from '@lapidary/testing'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Type, type } from 'arktype'
import { endpoint, ok, type Schema } from 'lapidary'
import { outline } from 'lapidary/docs'
import { openapi } from 'lapidary/openapi'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { getJsonSchema } from '../../src/json-schema/standardSchema.ts'

const text = z.string()

const zodShapes: Readonly<Record<string, z.ZodType>> = {
  email: z.email(),
  'email of HTML': z.email({ pattern: z.regexes.html5Email }),
  guid: z.guid(),
  uuid: z.uuid(),
  uuidv4: z.uuidv4(),
  uuidv6: z.uuidv6(),
  uuidv7: z.uuidv7(),
  url: z.url(),
  httpUrl: z.httpUrl(),
  'url of a host': z.url({ hostname: /^example\.com$/ }),
  emoji: z.emoji(),
  nanoid: z.nanoid(),
  cuid: z.cuid(),
  cuid2: z.cuid2(),
  ulid: z.ulid(),
  xid: z.xid(),
  ksuid: z.ksuid(),
  ipv4: z.ipv4(),
  ipv6: z.ipv6(),
  mac: z.mac(),
  'mac with dashes': z.mac({ delimiter: '-' }),
  cidrv4: z.cidrv4(),
  cidrv6: z.cidrv6(),
  base64: z.base64(),
  base64url: z.base64url(),
  e164: z.e164(),
  creditCard: z.creditCard(),
  iban: z.iban(),
  jwt: z.jwt(),
  hostname: z.hostname(),
  hex: z.hex(),
  'sha256 in hex': z.hash('sha256'),
  'md5 in base64': z.hash('md5', { enc: 'base64' }),
  'sha1 in base64url': z.hash('sha1', { enc: 'base64url' }),
  currencyCode: z.currencyCode(),
  'iso.date': z.iso.date(),
  'iso.time': z.iso.time(),
  'iso.time of minutes': z.iso.time({ precision: -1 }),
  'iso.time of milliseconds': z.iso.time({ precision: 3 }),
  'iso.datetime': z.iso.datetime(),
  'iso.datetime with an offset': z.iso.datetime({ offset: true }),
  'iso.datetime, local': z.iso.datetime({ local: true }),
  'iso.datetime of minutes': z.iso.datetime({ precision: -1 }),
  'iso.datetime of seconds': z.iso.datetime({ precision: 0 }),
  'iso.datetime of milliseconds': z.iso.datetime({ precision: 3 }),
  'iso.datetime of microseconds': z.iso.datetime({ precision: 6 }),
  'iso.duration': z.iso.duration(),
  startsWith: text.startsWith('stone-'),
  endsWith: text.endsWith('.png'),
  includes: text.includes('@@'),
  'startsWith and endsWith': text.startsWith('a-').endsWith('-z'),
  'startsWith, includes and endsWith': text.startsWith('a-').includes('#').endsWith('-z'),
  'startsWith with a length': text.startsWith('stone-').min(12).max(14),
  lowercase: text.lowercase(),
  uppercase: text.uppercase(),
  'uppercase with a length': text.uppercase().length(7),
  regex: text.regex(/^[A-Z]{2}\d{4}-(?:red|green)$/),
  'regex with a lookahead': text.regex(/^(?=.*\d)[a-z\d]{4,8}$/),
  'regex with a class of Unicode': text.regex(/^\p{Lu}\p{Ll}+$/u),
  'two regexes': text.regex(/^[a-z]+-/).regex(/\d{3}$/),
  'a slug': text.regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/),
  'a hexadecimal color': text.regex(/^#[0-9a-f]{6}$/i),
  'a semantic version': text.regex(/^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/),
  min: text.min(10),
  max: text.max(2),
  length: text.length(30),
  nonempty: text.nonempty(),
  'a trimmed text': text.trim().min(1),
  'a text in lower case': text.toLowerCase(),
  'a refined text': text.refine((value) => value.length === 4),
  'a refined text that none is': text.refine((value) => value === 'opal'),
  int: z.int(),
  int32: z.int32(),
  uint32: z.uint32(),
  float32: z.float32(),
  float64: z.float64(),
  positive: z.number().positive(),
  negative: z.number().negative(),
  nonnegative: z.number().nonnegative(),
  nonpositive: z.number().nonpositive(),
  gt: z.number().gt(99),
  lt: z.int().lt(-5),
  'between two numbers': z.number().gt(0).lt(1),
  multipleOf: z.number().multipleOf(7).min(100),
  'multipleOf of cents': z.number().multipleOf(0.01),
  'multipleOf of cents, above': z.number().multipleOf(0.01).gt(0.1).lt(0.5),
  boolean: z.boolean(),
  null: z.null(),
  literal: z.literal('opal'),
  'literals of several types': z.literal(['opal', 7, true, null]),
  enum: z.enum(['opal', 'ruby']),
  'a template literal': z.templateLiteral(['stone-', z.int(), '-', z.enum(['red', 'green'])]),
  'a template literal with a uuid': z.templateLiteral(['/', z.uuid()]),
  'a template literal with a number': z.templateLiteral([z.number(), 'px']),
  array: z.array(text),
  'array with bounds': z.array(z.int()).min(3).max(4),
  'array of formats': z.array(z.ulid()).length(2),
  tuple: z.tuple([text, z.int()]),
  'tuple with a rest': z.tuple([text], z.boolean()),
  object: z.object({ id: z.ulid(), at: z.iso.datetime({ precision: 3 }) }),
  strictObject: z.strictObject({ id: z.cuid2().optional() }),
  looseObject: z.looseObject({ id: z.nanoid() }),
  catchall: z.object({ id: text }).catchall(z.int()),
  record: z.record(text, z.int()),
  'record with formats as names': z.record(z.uuid(), z.int()),
  'record with names that begin alike': z.record(text.startsWith('x-'), z.boolean()),
  'record of an enum': z.record(z.enum(['a', 'b']), z.int()),
  partialRecord: z.partialRecord(z.enum(['a', 'b']), z.int()),
  union: z.union([z.ulid(), z.int()]),
  discriminatedUnion: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('cut'), id: z.xid() }),
    z.object({ kind: z.literal('raw'), carat: z.number().positive() }),
  ]),
  intersection: z.intersection(z.object({ a: text.uppercase() }), z.object({ b: z.int().min(50) })),
  nullable: z.ksuid().nullable(),
  default: z.ulid().default('01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  'with an example of its own': text.meta({ examples: ['opal'] }),
  codec: z.codec(z.iso.datetime(), z.date(), { decode: (value) => new Date(value), encode: (value) => value.toISOString() }),
  stringbool: z.stringbool(),
  pipe: z.pipe(
    text,
    z.transform((value) => value.length),
  ),
  json: z.json(),
  any: z.any(),
  'an object that is refined': z.object({ from: z.int(), to: z.int() }).refine(({ from, to }) => from < to),
  'a refined list': z.array(z.int()).refine((values) => new Set(values).size === values.length),
}

const of = (...actions: readonly v.GenericPipeAction<string, string>[]): v.GenericSchema =>
  actions.reduce<v.GenericSchema<string>>((schema, action) => v.pipe(schema, action), v.string())

const valibotShapes: Readonly<Record<string, v.GenericSchema>> = {
  email: of(v.email()),
  rfcEmail: of(v.rfcEmail()),
  url: of(v.url()),
  uuid: of(v.uuid()),
  ulid: of(v.ulid()),
  nanoid: of(v.nanoid()),
  cuid2: of(v.cuid2()),
  ip: of(v.ip()),
  ipv4: of(v.ipv4()),
  ipv6: of(v.ipv6()),
  mac: of(v.mac()),
  base64: of(v.base64()),
  bic: of(v.bic()),
  creditCard: of(v.creditCard()),
  decimal: of(v.decimal()),
  digits: of(v.digits()),
  emoji: of(v.emoji()),
  hash: of(v.hash(['md5'])),
  hexColor: of(v.hexColor()),
  hexadecimal: of(v.hexadecimal()),
  imei: of(v.imei()),
  isbn: of(v.isbn()),
  isoDate: of(v.isoDate()),
  isoDateTime: of(v.isoDateTime()),
  isoTime: of(v.isoTime()),
  isoTimeSecond: of(v.isoTimeSecond()),
  isoTimestamp: of(v.isoTimestamp()),
  isoWeek: of(v.isoWeek()),
  octal: of(v.octal()),
  slug: of(v.slug()),
  domain: of(v.domain()),
  startsWith: of(v.startsWith('stone-')),
  endsWith: of(v.endsWith('.png')),
  includes: of(v.includes('@@')),
  regex: of(v.regex(/^[A-Z]{3}-\d{2}$/)),
  'two regexes': of(v.regex(/^[a-z]+/), v.regex(/\d$/)),
  length: of(v.length(9)),
  nonEmpty: of(v.nonEmpty()),
  'minLength and maxLength': of(v.minLength(5), v.maxLength(6)),
  integer: v.pipe(v.number(), v.integer()),
  'minValue and maxValue': v.pipe(v.number(), v.minValue(50), v.maxValue(51)),
  multipleOf: v.pipe(v.number(), v.multipleOf(9)),
  gtValue: v.pipe(v.number(), v.gtValue(100)),
  picklist: v.picklist(['opal', 'ruby']),
  literal: v.literal(7),
  tuple: v.tuple([v.string(), v.number()]),
  strictTuple: v.strictTuple([v.string(), v.boolean()]),
  array: v.pipe(v.array(v.string()), v.minLength(2)),
  record: v.record(v.string(), v.number()),
  object: v.object({ id: v.pipe(v.string(), v.ulid()), note: v.optional(v.string()) }),
  strictObject: v.strictObject({ id: v.string() }),
  variant: v.variant('kind', [v.object({ kind: v.literal('a'), n: v.number() }), v.object({ kind: v.literal('b') })]),
  nullable: v.nullable(v.pipe(v.string(), v.isoDate())),
  check: v.pipe(
    v.string(),
    v.check((value) => value === 'opal'),
  ),
}

const arkShapes: Readonly<Record<string, Type>> = Object.fromEntries(
  [
    'string',
    'string.alpha',
    'string.alphanumeric',
    'string.base64',
    'string.base64.url',
    'string.creditCard',
    'string.date',
    'string.date.iso',
    'string.digits',
    'string.email',
    'string.hex',
    'string.integer',
    'string.ip',
    'string.ip.v4',
    'string.ip.v6',
    'string.json',
    'string.lower',
    'string.numeric',
    'string.regex',
    'string.semver',
    'string.upper',
    'string.url',
    'string.uuid',
    'string.uuid.v4',
    'string.uuid.v7',
    'string > 12',
    'string <= 3',
    '/^[a-z]{3}-\\d+$/',
    'number.integer',
    'number > 100',
    '0 < number < 1',
    'number % 7',
    'string[]',
    'string[] >= 2',
    "'opal' | 'ruby'",
    'boolean | null',
    'string.uuid | number',
  ].map((definition) => [definition, type.raw(definition) as Type]),
)

const isDay = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value) && new Date(value).toISOString().startsWith(value)
const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(?:\\.\\d+)?'

/** JSON Schema with the formats that it defines (Validation §7.3). Others say nothing. */
const ajv = new Ajv2020({ strict: false, logger: false })
  .addFormat('date', isDay)
  .addFormat('date-time', (value) => isDay(value.slice(0, 10)) && new RegExp(`^.{10}T${clock}(?:Z|[+-]\\d{2}:\\d{2})$`).test(value))
  .addFormat('time', new RegExp(`^${clock}(?:Z|[+-]\\d{2}:\\d{2})?$`))
  .addFormat('email', /^[^\s@]+@[^\s@]+$/)
  .addFormat('uri', (value) => URL.canParse(value))
  .addFormat('uuid', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i)
  .addFormat('ipv4', /^(?:\d{1,3}\.){3}\d{1,3}$/)
  .addFormat('ipv6', /^[\da-f:.]+$/i)
  .addFormat('hostname', /^[a-z\d.-]+$/i)
  .addFormat('duration', /^P(?=.)/)

/** What has no example: rules that its JSON Schema does not have. */
const withoutExample: readonly string[] = [
  'zod url of a host',
  'zod a refined text that none is',
  'zod stringbool',
  'zod an object that is refined',
  'Valibot emoji',
  'Valibot isoDateTime',
  'Valibot isoTime',
  'ArkType string.date',
  'ArkType string.json',
]

/** What a mock finds no value of: it tries more than one value, so that it finds one of the refined object. */
const withoutMockedValue: readonly string[] = withoutExample.filter((name) => name !== 'zod an object that is refined')

/** What has no JSON Schema, as its library says. */
const withoutJsonSchema: readonly string[] = ['ip', 'creditCard', 'imei', 'isbn', 'two regexes', 'check']

/** The examples of a schema in OpenAPI and in the outline, which `markdown` prints. */
async function listShapeExamples(schema: Schema): Promise<readonly unknown[]> {
  const api = { one: endpoint('GET /one', { response: ok(schema) }) }
  const { paths } = await openapi(api, { title: 'Shapes', version: '1' })
  const reply = paths['/one']?.get?.responses?.['200']
  const { example } = (reply !== undefined && 'content' in reply ? reply.content?.['application/json'] : undefined) ?? {}
  const { sections } = await outline(api)
  const texts = sections[0]?.responses[0]?.encodings.flatMap(({ examples }) => examples.map(({ text: written }) => written)) ?? []
  return [...(example === undefined ? [] : [example]), ...texts.map((written) => JSON.parse(written) as unknown)]
}

describe.each<[string, Readonly<Record<string, Schema>>]>([
  ['zod', zodShapes as unknown as Readonly<Record<string, Schema>>],
  [
    'Valibot',
    Object.fromEntries(Object.entries(valibotShapes).map(([name, schema]) => [name, toStandardJsonSchema(schema) as unknown as Schema])),
  ],
  ['ArkType', arkShapes as unknown as Readonly<Record<string, Schema>>],
])('%s', (library, shapes) => {
  test.each(Object.entries(shapes))('%s', async (name, schema) => {
    if (library === 'Valibot' && withoutJsonSchema.includes(name)) {
      await expect(listShapeExamples(schema)).rejects.toThrow(
        /^GET \/one: response 200: This valibot schema cannot produce its JSON Schema/,
      )
      return
    }
    const isRight = ajv.compile(getJsonSchema(schema) as object)
    const values = await listShapeExamples(schema)
    for (const value of values) {
      expect([value, await schema['~standard'].validate(value)]).toEqual([
        value,
        expect.not.objectContaining({ issues: expect.anything() }),
      ])
      expect([value, isRight(value)]).toEqual([value, true])
    }
    expect(values.length).toBe(withoutExample.includes(`${library} ${name}`) ? 0 : 2)
  })

  test('a mock sends a value of each shape, or says which endpoint needs an example', async () => {
    const refused: string[] = []
    for (const [name, schema] of Object.entries(shapes)) {
      if (library === 'Valibot' && withoutJsonSchema.includes(name)) continue
      const response = await mock({ one: endpoint('GET /one', { response: ok(schema) }) }).fetch(new Request('http://test.invalid/one'))
      const value: unknown = await response.json()
      if (response.status === 501) {
        refused.push(`${library} ${name}`)
        expect(value).toMatchObject({
          detail: expect.stringMatching(/^The mock found no value .* GET \/one\. Give the endpoint an example/),
        })
      } else {
        expect([name, response.status, value, await schema['~standard'].validate(value)]).toEqual([
          name,
          200,
          value,
          expect.not.objectContaining({ issues: expect.anything() }),
        ])
      }
    }
    expect(refused).toEqual(withoutMockedValue.filter((name) => name.startsWith(library)))
  })
})
