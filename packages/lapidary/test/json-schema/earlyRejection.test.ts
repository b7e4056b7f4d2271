/** What is wrong throughout is rejected before its schema validates it: lines and events as bodies are, for clients as for servers. */
import { endpoint, events, int, ndjson, ok, type Problem, type Schema, text } from 'lapidary'
import { client, UnexpectedResponseError } from 'lapidary/client'
import { serve } from 'lapidary/server'
import { expect, test } from 'vitest'
import { z } from 'zod'

/** A schema that counts the items of the longest list that it validates. */
function counting<Input, Output>(
  schema: Schema<Input, Output>,
): { readonly schema: Schema<Input, Output>; readonly longest: () => number } {
  let longest = 0
  const countItems = (value: unknown): void => {
    if (Array.isArray(value)) longest = Math.max(longest, value.length)
    if (typeof value === 'object' && value !== null) Object.values(value).slice(0, 9).forEach(countItems)
  }
  const validate: Schema<Input, Output>['~standard']['validate'] = (value) => {
    countItems(value)
    return schema['~standard'].validate(value)
  }
  return { schema: { '~standard': { ...schema['~standard'], validate } } as Schema<Input, Output>, longest: () => longest }
}

const Names = z.object({ names: z.array(z.string()) })
const numbers = (count: number): string => `{"names":[${'1,'.repeat(count - 1)}1]}`

test('a line of a request', async () => {
  const { schema, longest } = counting(Names)
  const server = serve(
    { add: endpoint('POST /', { body: ndjson(schema), response: ok(text) }) },
    {
      add: async ({ body }) => {
        let lines = 0
        for await (const _ of body) lines += 1
        return `${lines}`
      },
    },
  )
  const send = (body: string): Promise<Response> =>
    Promise.resolve(
      server.fetch(new Request('http://lines.test/', { method: 'POST', headers: { 'Content-Type': 'application/x-ndjson' }, body })),
    )
  const response = await send(`{"names":["a"]}\n${numbers(40_000)}\n`)
  const problem = (await response.json()) as Problem & { readonly more?: number }
  expect(problem).toMatchObject({ status: 400, detail: expect.stringContaining('2'), more: 980 })
  expect(problem.errors?.slice(0, 2)).toEqual([
    { in: 'body', pointer: '/names/0', detail: 'expected a string, got an integer' },
    { in: 'body', pointer: '/names/1', detail: 'expected a string, got an integer' },
  ])
  expect(longest()).toBeLessThan(100)
  // A long line that is right is validated as a whole.
  expect(await (await send(numbers(40_000).replaceAll('1', '"x"'))).text()).toBe('1')
  expect(longest()).toBe(40_000)
})

const response = (type: string, body: string): Response => new Response(body, { headers: { 'Content-Type': type } })

test.each<readonly [string, string, string, (schema: Schema<unknown>) => Parameters<typeof ok>[0], string]>([
  ['a body', 'application/json', numbers(100_000), (schema) => schema, '/names/0'],
  ['a line', 'application/x-ndjson', `${numbers(100_000)}\n`, (schema) => ndjson(schema), '/0/names/0'],
  ['an event', 'text/event-stream', `data: ${numbers(100_000)}\n\n`, (schema) => events(schema), '/0/data/names/0'],
])('%s of a response', async (_name, type, body, toBody, pointer) => {
  const { schema, longest } = counting(Names)
  const api = { get: endpoint('GET /', { response: ok(toBody(schema as Schema<unknown>) as Schema<unknown>) }) }
  const call = client(api, 'http://items.test', { fetch: async () => response(type, body) })
  const read = async (): Promise<void> => {
    const value: unknown = await call.get()
    for await (const _ of value as AsyncIterable<unknown>);
  }
  const error = await read().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UnexpectedResponseError)
  expect(String(error)).toContain(`${pointer}`)
  expect(longest()).toBeLessThan(100)
})

test('what a coercing schema accepts, a client gets', async () => {
  const api = { get: endpoint('GET /', { query: { n: int }, response: ok(z.array(z.coerce.number())) }) }
  const call = client(api, 'http://items.test', {
    fetch: async () => response('application/json', `[${'"1",'.repeat(40_000)}"1"]`),
  })
  expect((await call.get({ query: { n: 1 } })).length).toBe(40_001)
})

const CoercedA = z.object({ kind: z.literal('a'), n: z.coerce.number(), tags: z.array(z.string()).min(1) })
const CoercedB = z.object({ n: z.coerce.number(), at: z.object({ list: z.array(z.coerce.number()).min(1) }) })
const repeat = (item: unknown, count: number): readonly unknown[] => Array.from({ length: count }, () => item)

test.each<readonly [string, Schema<unknown>, unknown]>([
  ['coerced numbers', z.object({ all: z.array(z.coerce.number()) }), { all: repeat('1', 22_000) }],
  [
    'coerced members',
    z.array(z.object({ n: z.coerce.number(), list: z.array(z.string()).min(1) })),
    repeat({ n: '1', list: ['x'] }, 22_000),
  ],
  ['a union of coerced objects', z.array(z.union([CoercedA, CoercedB])), repeat({ n: '1', at: { list: ['1'] } }, 3_000)],
  ['its other branch', z.array(z.union([CoercedA, CoercedB])), repeat({ kind: 'a', n: '1', tags: ['x'] }, 3_000)],
  [
    'a discriminated union',
    z.array(z.discriminatedUnion('kind', [CoercedA, CoercedB.extend({ kind: z.literal('b') })])),
    repeat({ kind: 'a', n: '1', tags: ['x'] }, 3_000),
  ],
  ['coerced tuples', z.array(z.tuple([z.coerce.number(), z.array(z.string()).min(1)])), repeat(['1', ['x']], 3_000)],
  ['a union of a text and coerced lists', z.union([z.string(), z.array(z.coerce.number()).min(1_500)]), repeat('1', 22_000)],
  [
    'a record of coerced lists',
    z.record(z.string(), z.array(z.coerce.number()).min(2)),
    Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`k${at}`, ['1', '2']])),
  ],
  [
    'deep members beside coerced ones',
    z.array(z.object({ n: z.coerce.number(), a: z.object({ b: z.object({ c: z.object({ d: z.object({ e: z.string() }) }) }) }) })),
    repeat({ n: '1', a: { b: { c: { d: { e: 'x' } } } } }, 3_000),
  ],
  [
    'a list of distinct items',
    z.array(z.coerce.number()).refine((all) => new Set(all).size === all.length),
    Array.from({ length: 22_000 }, (_, at) => `${at}`),
  ],
])('what its schema accepts is accepted: %s', async (_name, schema, value) => {
  const server = serve({ add: endpoint('POST /', { body: schema, response: ok(text) }) }, { add: () => 'taken' })
  const response = await server.fetch(
    new Request('http://items.test/', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value) }),
  )
  expect(await response.text()).toBe('taken')
})
