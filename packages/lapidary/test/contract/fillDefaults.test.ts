/** Members that have a default are left out, and `schemaCodec` fills them in before it encodes. */
import { endpoint, list, noContent, ok, reply, type Schema, schemaCodec } from 'lapidary'
import { client } from 'lapidary/client'
import { link } from 'lapidary/links'
import { serve } from 'lapidary/server'
import { expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'

const dateTime = z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
const number = z.codec(z.string(), z.bigint(), { decode: BigInt, encode: String })
const day = new Date('2026-05-01T10:00:00.000Z')
const later = new Date('2027-05-01T10:00:00.000Z')

interface Tree {
  readonly at?: Date | undefined
  readonly children?: readonly Tree[] | undefined
}
const Tree: z.ZodType<Tree> = z.object({
  at: dateTime.default(day),
  get children() {
    return z.array(Tree).default([])
  },
}) as never
const Member = z.object({ a: z.string(), p: z.string().default('x') })

test.each<[what: string, schema: z.ZodType, given: unknown, wire: unknown]>([
  ['a default', Member, { a: 'a' }, { a: 'a', p: 'x' }],
  ['a default of a codec', z.object({ at: dateTime.default(day) }), {}, { at: day.toISOString() }],
  ['a prefault', z.object({ n: number.prefault('7') }), {}, { n: '7' }],
  ['a default that is null', z.object({ at: dateTime.nullable().default(null) }), {}, { at: null }],
  ['a default that is made', z.object({ at: dateTime.default(() => day) }), {}, { at: day.toISOString() }],
  ['a member that is undefined', Member, { a: 'a', p: undefined }, { a: 'a', p: 'x' }],
  ['a member that is given', Member, { a: 'a', p: 'y' }, { a: 'a', p: 'y' }],
  ['a member that is null', z.object({ p: z.string().nullable().default('x') }), { p: null }, { p: null }],
  [
    'a member that is optional',
    Member.extend({ q: z.string().default('x').optional(), r: dateTime.optional() }),
    { a: 'a' },
    { a: 'a', p: 'x' },
  ],
  ['a member of a member', z.object({ m: Member.nullable(), o: Member.optional() }), { m: { a: 'a' } }, { m: { a: 'a', p: 'x' } }],
  ['a member of the default of a prefault', z.object({ m: Member.prefault({ a: 'a' }) }), {}, { m: { a: 'a', p: 'x' } }],
  [
    'members of items',
    z.array(Member),
    [{ a: 'a' }, { a: 'b', p: 'y' }],
    [
      { a: 'a', p: 'x' },
      { a: 'b', p: 'y' },
    ],
  ],
  ['members of a record', z.record(z.string(), Member), { k: { a: 'a' } }, { k: { a: 'a', p: 'x' } }],
  [
    'members of any other member',
    z.object({ a: z.string() }).catchall(Member),
    { a: 'a', k: { a: 'a' } },
    { a: 'a', k: { a: 'a', p: 'x' } },
  ],
  ['items of a tuple', z.tuple([Member, dateTime.default(day)]).rest(Member), [{ a: 'a' }], [{ a: 'a', p: 'x' }, day.toISOString()]],
  ['the other items of a tuple', z.tuple([z.string()]).rest(Member), ['s', { a: 'a' }], ['s', { a: 'a', p: 'x' }]],
  ['a part of an intersection', Member.and(z.object({ at: dateTime.default(day) })), { a: 'a' }, { a: 'a', p: 'x', at: day.toISOString() }],
  ['an option', z.union([z.object({ n: z.number(), q: z.string().default('q') }), Member]), { a: 'a' }, { a: 'a', p: 'x' }],
  ['no option', z.union([dateTime, Member]), day, day.toISOString()],
  [
    'an option by its kind',
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('a'), n: z.int().default(1) }),
      z.object({ kind: z.literal('b'), at: dateTime.default(day) }),
    ]),
    { kind: 'b' },
    { kind: 'b', at: day.toISOString() },
  ],
  [
    'a schema that refers to itself',
    Tree,
    { children: [{ at: later }] },
    { at: day.toISOString(), children: [{ at: later.toISOString(), children: [] }] },
  ],
  ['a lazy schema', z.lazy(() => Member), { a: 'a' }, { a: 'a', p: 'x' }],
  ['a schema that nothing changes', Member.readonly(), { a: 'a' }, { a: 'a', p: 'x' }],
  ['a check of the whole object, which sees the default', Member.refine(({ p }) => p.length === 1), { a: 'a' }, { a: 'a', p: 'x' }],
  [
    'the output of a codec',
    z.codec(z.string(), Member, { decode: (text) => ({ a: text, p: 'y' }), encode: ({ a, p }) => a + p }),
    { a: 'a' },
    'ax',
  ],
])('%s is filled in', async (_what, schema, given, wire) => {
  const bodies: unknown[] = []
  const api = { send: endpoint('POST /send', { body: schemaCodec(schema), response: noContent }) }
  const call = client(api, 'http://test.invalid', {
    fetch: async (request) => {
      bodies.push(await request.json())
      return new Response(null, { status: 204 })
    },
  })
  const before = structuredClone(given)
  await call.send({ body: given })
  expect(bodies).toEqual([wire])
  // The value of the caller stays as it is.
  expect(given).toEqual(before)
})

const Source = z.object({
  title: z.string(),
  at: dateTime,
  p: z.string().default('x'),
  m: z.object({ n: number.prefault('1') }).optional(),
})
const Ticket = schemaCodec(Source)
interface Written {
  title: string
  at: Date
  p?: string | undefined
  m?: { n?: bigint | undefined } | undefined
}

test('callers and handlers may leave out what has a default, and get it', async () => {
  const api = {
    add: endpoint('POST /tickets', { body: Ticket, response: ok(list(Ticket)), errors: [reply(409, Ticket)] }),
    all: endpoint('GET /tickets', { query: schemaCodec(z.object({ since: dateTime.default(day), n: number })), response: ok(Ticket) }),
    one: endpoint('GET /tickets/:n', { query: { since: schemaCodec(dateTime.default(day)) }, response: noContent }),
  }
  const { fetch } = serve(api, {
    add: ({ body }) => {
      expectTypeOf(body).toEqualTypeOf<z.output<typeof Source>>()
      return [body, { title: 'b', at: day }]
    },
    all: ({ query }) => ({ title: `${query.n}`, at: query.since }),
    one: () => undefined,
  })
  const call = client(api, 'http://test.invalid', { fetch })
  expectTypeOf<Parameters<typeof call.add>[0]['body']>().toEqualTypeOf<Written>()
  expectTypeOf<Awaited<ReturnType<typeof call.all>>>().toEqualTypeOf<z.output<typeof Source>>()
  expect(await call.add({ body: { title: 'a', at: later, m: {} } })).toEqual([
    { title: 'a', at: later, p: 'x', m: { n: 1n } },
    { title: 'b', at: day, p: 'x' },
  ])
  expect(await call.all({ query: { n: 2n } })).toEqual({ title: '2', at: day, p: 'x' })
  expect(link(api.one, { params: { n: '1' } })).toBe('/tickets/1')
})

test('a member without a default cannot be left out', async () => {
  const api = { add: endpoint('POST /tickets', { body: Ticket, response: noContent }) }
  const call = client(api, 'http://test.invalid', { fetch: () => Promise.reject(new Error('sent')) })
  // @ts-expect-error at is missing
  await expect(call.add({ body: { title: 'a' } })).rejects.toThrow('at /at: Invalid input: expected date')
})

test('a getter of an instance is read', async () => {
  class Row {
    get title() {
      return 'a'
    }
    get at() {
      return day
    }
  }
  const { fetch } = serve({ one: endpoint('GET /one', { response: ok(Ticket) }) }, { one: () => new Row() })
  expect(await (await fetch(new Request('http://test.invalid/one'))).json()).toEqual({ title: 'a', at: day.toISOString(), p: 'x' })
})

test('the types of what is written', () => {
  const written = <Input>(_schema: Schema<Input, unknown>): Input => undefined as Input
  const Both = z.object({ at: dateTime, p: z.string().default('x') })
  expectTypeOf(written(schemaCodec(z.array(Both)))).toEqualTypeOf<{ at: Date; p?: string | undefined }[]>()
  expectTypeOf(written(schemaCodec(Both.nullable()))).toEqualTypeOf<{ at: Date; p?: string | undefined } | null>()
  expectTypeOf(written(schemaCodec(z.record(z.string(), Both)))).toEqualTypeOf<Record<string, { at: Date; p?: string | undefined }>>()
  expectTypeOf(written(schemaCodec(dateTime))).toEqualTypeOf<Date>()
  expectTypeOf(written(schemaCodec(dateTime.nullable().default(null)))).toEqualTypeOf<Date | null | undefined>()
  expectTypeOf(written(schemaCodec(z.object({ at: dateTime.nullable() })))).toEqualTypeOf<{ at: Date | null }>()
  const Node = z.object({
    at: dateTime.default(day),
    get children() {
      return z.array(Node)
    },
  })
  interface WrittenNode {
    at?: Date | undefined
    children: WrittenNode[]
  }
  expectTypeOf(written(schemaCodec(Node))).toEqualTypeOf<WrittenNode>()
  // A union of objects is written as a whole.
  expectTypeOf(written(schemaCodec(z.union([Both, z.object({ n: number })])))).toEqualTypeOf<{ at: Date; p: string } | { n: bigint }>()
  // So is the value of a function that encodes.
  expectTypeOf(written(schemaCodec(Both, { encode: (value) => z.encode(Both, value) }))).toEqualTypeOf<{ at: Date; p: string }>()
})

test('of nested unions each part is filled in once, whatever the options before the right one are', async () => {
  const createOption = (type: string) =>
    z.object({
      type: z.literal(type),
      mark: z.string().default('x'),
      get child(): z.ZodType {
        return Nested.optional()
      },
    })
  const Nested: z.ZodType = z.discriminatedUnion('type', [createOption('a'), createOption('b'), createOption('c')])
  let value: object = { type: 'c' }
  // Tried again for each option around it, a part would be filled in 3 ** 60 times.
  for (let depth = 0; depth < 60; depth += 1) value = { type: 'c', child: value }
  const api = { one: endpoint('GET /one', { response: ok(schemaCodec(Nested)) }) }
  const response = await serve(api, { one: () => value }).fetch(new Request('http://test.invalid/one'))
  expect((await response.text()).match(/"mark":"x"/g)).toHaveLength(61)
})
