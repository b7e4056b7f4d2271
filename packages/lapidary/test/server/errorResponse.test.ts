/** The limits of problem details: 20 errors, 16 KB, and the number of those left out. */
import fc from 'fast-check'
import { array, codec, content, endpoint, form, int, isParseError, json, list, noContent, ParseError, text } from 'lapidary'
import { serve } from 'lapidary/server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createEarlyRejecter } from '../../src/json-schema/earlyRejection.ts'
import { adapters, type RunningAdapter } from '../support/matrix/adapters.ts'

const Tree: z.ZodType = z.object({ v: z.int(), kids: z.array(z.lazy(() => Tree)) })
const Seven = z.object({ a: z.int(), b: z.int(), c: z.int(), d: z.int(), e: z.int(), f: z.int(), g: z.int() })

/** Bodies by the last part of their path. */
const bodies = {
  names: z.object({ names: z.array(z.string()) }),
  lists: z.record(z.string(), z.array(z.string())),
  numbers: z.record(z.string(), z.int()),
  own: list(z.string()),
  emails: z.object({ emails: z.array(z.email()).nullable() }),
  tree: Tree,
  seven: z.array(Seven),
  either: z.array(z.union([z.object({ x: z.int() }), z.object({ y: z.int() })])),
  kinds: z.array(
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), x: z.int() }), z.object({ kind: z.literal('b'), y: z.int() })]),
  ),
  both: z.intersection(z.object({ a: z.array(z.string()) }), z.object({ b: z.int().optional() })),
  few: z.object({ few: z.array(z.string().refine(() => false, 'never')).max(10) }),
  strict: z.strictObject({ a: z.int().optional() }),
  coerced: z.array(z.coerce.number()),
  caught: z.array(z.int().catch(0)),
} as const

/** A codec whose message repeats its text many times. */
const talkative = codec<string>({
  name: 'talkative',
  parse: (given) => new ParseError(Array.from({ length: 5_000 }, () => ({ pointer: '', detail: `not ${given.repeat(50)}` }))),
  print: (value) => value,
  schema: { type: 'string' },
  example: 'a',
})

const api = {
  ...Object.fromEntries(
    Object.entries(bodies).map(([name, body]) => [name, endpoint(`POST /${name}`, { body: body as z.ZodType, response: noContent })]),
  ),
  form: endpoint('POST /form', { body: content(z.object({ age: z.array(z.int()) }), json, form), response: noContent }),
  query: endpoint('GET /query', { query: { a: talkative, ages: array(int) }, response: noContent }),
  header: endpoint('GET /header', { headers: { 'X-A': talkative }, response: noContent }),
  path: endpoint('GET /path/:a', { params: { a: talkative }, response: noContent }),
  other: endpoint('GET /other/:a', { params: { a: text }, response: noContent }),
}
const handlers = Object.fromEntries(Object.keys(api).map((name) => [name, () => {}]))

interface Problem {
  readonly errors: readonly { readonly name?: string; readonly pointer?: string; readonly detail: string }[]
  readonly more?: number
}

describe.each(adapters)('$name', ({ startAdapter }) => {
  let adapter: RunningAdapter
  beforeAll(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the endpoints are made of a table
    adapter = await startAdapter(serve(api as any, handlers as any))
  })
  afterAll(() => adapter.close())

  /** The problem that comes of it, once its bounds are seen to. */
  async function refused(target: string, init: RequestInit = {}): Promise<Problem> {
    const response = await adapter.fetch(target, init)
    const body = await response.text()
    expect({ status: response.status, start: body.slice(0, 200) }).toEqual({ status: 400, start: expect.anything() })
    expect(new TextEncoder().encode(body).length).toBeLessThanOrEqual(16_384)
    const problem = JSON.parse(body) as Problem
    expect(problem.errors.length).toBeLessThanOrEqual(20)
    expect(problem.errors.length).toBeGreaterThan(0)
    for (const { pointer = '', name = '', detail } of problem.errors) {
      expect(pointer.length).toBeLessThanOrEqual(512)
      expect(name.length).toBeLessThanOrEqual(256)
      expect(detail.length).toBeLessThanOrEqual(1_024)
    }
    return problem
  }
  const post = (name: string, body: string, type = 'application/json'): Promise<Problem> =>
    refused(`/${name}`, { method: 'POST', headers: { 'Content-Type': type }, body })
  const times = (count: number, one: string): string => Array.from({ length: count }, () => one).join()

  test('20 errors are all listed, of 21 one is left out, and of 5,000 only those that were found are counted', async () => {
    const all = await post('names', `{"names":[${times(20, '1')}]}`)
    expect(all.errors.map(({ pointer }) => pointer)).toEqual(Array.from({ length: 20 }, (_, index) => `/names/${index}`))
    expect(all.more).toBe(undefined)
    expect((await post('names', `{"names":[${times(21, '1')}]}`)).more).toBe(1)
    expect((await post('names', `{"names":["a",${times(999, '1')}]}`)).more).toBe(979)
    expect((await post('names', `{"names":[${times(5_000, '1')}]}`)).more).toBe(980)
  })

  test.each<[name: string, body: string, first: string]>([
    ['names', `{"names":["a",${times(100_000, '1')}]}`, '/names/1'],
    ['lists', `{"a":["b"],"c":[${times(100_000, '1')}]}`, '/c/0'],
    ['numbers', `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":"s3cret"`)}}`, '/k0'],
    ['own', `[${times(100_000, '1')}]`, '/0'],
    ['emails', `{"emails":[${times(100_000, '"s3cret"')}]}`, '/emails/0'],
    ['tree', `{"v":1,"kids":[{"v":1,"kids":[]},{"v":1,"kids":[${times(30_000, '{"v":"s3cret","kids":[]}')}]}]}`, '/kids/1/kids/0/v'],
    ['seven', `[${times(50_000, '{}')}]`, '/0/a'],
    ['either', `[${times(50_000, '{"x":"s3cret"}')}]`, '/0'],
    ['kinds', `[{"kind":"a","x":1},${times(50_000, '{"kind":"b","x":1}')}]`, '/1/y'],
    ['both', `{"b":1,"a":[${times(100_000, '1')}]}`, '/a/0'],
    ['coerced', `[${times(50_000, '"s3cret"')}]`, '/0'],
  ])('a large body with an error in every part: %s', async (name, body, first) => {
    const { errors, more } = await post(name, body)
    expect(errors).toHaveLength(20)
    expect(errors[0]?.pointer).toBe(first)
    expect(more).toBe(980)
    expect(JSON.stringify(errors)).not.toContain('s3cret')
  })

  test('a list that is too long is rejected without a check of all its items', async () => {
    const { errors } = await post('few', `{"few":[${times(100_000, '""')}]}`)
    expect(errors[0]?.pointer).toMatch(/^\/few/)
  })

  test.each(['coerced', 'caught'])('a value that the schema accepts is accepted, although its JSON Schema does not: %s', async (name) => {
    const body = `[${times(50_000, '"7"')}]`
    const response = await adapter.fetch(`/${name}`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    expect(response.status).toBe(204)
  })

  test('a pointer that is too long ends at the last step that fits', async () => {
    const key = 'k'.repeat(400)
    expect((await post('lists', JSON.stringify({ [key]: [1] }))).errors[0]?.pointer).toBe(`/${key}/0`)
    expect((await post('lists', JSON.stringify({ ['k'.repeat(600)]: [1] }))).errors[0]?.pointer).toBe('')
    expect((await post('lists', JSON.stringify({ ['/'.repeat(300)]: [1] }))).errors[0]?.pointer).toBe('')
    const deep = '{"v":1,"kids":['.repeat(30) + ']}'.repeat(30).replace(']}', '{"v":"x","kids":[]}]}')
    expect((await post('tree', deep)).errors[0]?.pointer).toBe(`${'/kids/0'.repeat(30)}/v`)
  })

  test.each([
    ['escapes of JSON, of six bytes each,', '\u0001'],
    ['characters of three bytes', '\u20ac'],
  ])('%s count with their length', async (_what, character) => {
    const keys = Array.from({ length: 30 }, (_, index) => `${character.repeat(400)}${index}`)
    const { errors, more = 0 } = await post('numbers', JSON.stringify(Object.fromEntries(keys.map((key) => [key, 'x']))))
    expect(errors.length + more).toBe(30)
    expect(errors.length).toBeLessThan(20)
  })

  test('a message of a schema that quotes the names of all members', async () => {
    const { errors } = await post(
      'strict',
      JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, 1]))),
    )
    expect(errors).toHaveLength(1)
  })

  test('a form', async () => {
    const type = 'application/x-www-form-urlencoded'
    expect(
      (await adapter.fetch('/form', { method: 'POST', headers: { 'Content-Type': type }, body: `age=1${'&a'.repeat(9_999)}` })).status,
    ).toBe(204)
    const { errors, more } = await post('form', Array.from({ length: 9_000 }, () => 'age=x').join('&'), type)
    expect(errors).toHaveLength(20)
    expect(more).toBe(980)
    expect((await post('form', 'a&'.repeat(500_000), type)).errors).toEqual([
      { in: 'body', pointer: '', detail: 'expected at most 10000 pairs of a name and a value' },
    ])
  })

  test('a query, a header and a path, of a codec that repeats what it was given', async () => {
    const long = 'x'.repeat(1_000)
    for (const [target, init] of [
      [`/query?a=${long}&ages=1`, {}],
      ['/header', { headers: { 'X-A': long } }],
      [`/path/${long}`, {}],
      [`/path/${long}`, { method: 'PATCH' }],
    ] as const) {
      const { errors, more = 0 } = await refused(target, init)
      expect(errors.length + more).toBe(5_000)
    }
  })
})

/** Schemas with valid and invalid values, by rules that their JSON Schema expresses and by others. */
const schemas = fc.constantFrom<z.ZodType>(
  z.string(),
  z.int(),
  z.coerce.number(),
  z.int().catch(0),
  z.string().min(2),
  z.string().refine((value) => value !== 'no'),
  z.string().nullable(),
  z.union([z.int(), z.string()]),
  z.union([z.object({ x: z.int() }), z.object({ y: z.int() })]),
  z.object({ x: z.int(), y: z.string().optional() }),
  z.strictObject({ x: z.int().default(1) }),
  z.record(z.string(), z.int()),
  z.tuple([z.int(), z.string()]),
  z.array(z.int()).max(2),
  z.enum(['a', 'b']),
  z.preprocess((value) => JSON.stringify(value), z.string()),
)
const values = fc.oneof(
  fc.constantFrom<unknown>('', 'no', 'a', '7', 7, 7.5, null, true, [], [1], [1, 'a'], [1, 2, 3], {}),
  fc.record({ x: fc.constantFrom<unknown>(1, 'x'), y: fc.constantFrom<unknown>(1, 'y'), z: fc.constant(1) }, { requiredKeys: [] }),
)

test('an early rejection is never of a value that the schema accepts, and names a place that the schema rejects as well', () => {
  fc.assert(
    fc.property(schemas, fc.array(values, { minLength: 1, maxLength: 4 }), fc.boolean(), (item, kinds, isInside) => {
      const items = Array.from({ length: 1_200 }, (_, index) => kinds[index % kinds.length])
      const schema = isInside ? z.object({ items: z.array(item), more: z.int() }) : z.array(item)
      const value = isInside ? { items, more: 1 } : items
      const early = createEarlyRejecter(schema)(value, Number.POSITIVE_INFINITY)
      const verdict = schema.safeParse(value)
      if (verdict.success) expect(early).toBe(value)
      else if (isParseError(early)) {
        const places = new Set(verdict.error.issues.map(({ path }) => path.map((step) => `/${String(step)}`).join('')))
        for (const { pointer } of early.issues) expect([...places].some((place) => pointer.startsWith(place))).toBe(true)
      } else expect(early).toBe(value)
    }),
    { numRuns: 100 },
  )
}, 120_000)
