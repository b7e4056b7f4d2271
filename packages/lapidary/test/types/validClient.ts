/** What must compile of a client, and what its types then say: read by the compiler alone. */
import {
  array,
  basic,
  bytes,
  collection,
  content,
  created,
  type ErrorHeaders,
  endpoint,
  flag,
  form,
  type HttpError,
  int,
  json,
  list,
  mount,
  type NoArguments,
  ndjson,
  noContent,
  ok,
  oneOf,
  optional,
  prefix,
  reply,
  text,
  type WithHeaders,
} from 'lapidary'
import { type CallInput, type CallOptions, type Client, client, credentials, isDeclaredError } from 'lapidary/client'
import { paginate, rangePagination } from 'lapidary/pagination'
import { serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const Person = z.object({ name: z.string(), age: z.int() })
type Person = z.infer<typeof Person>
/** What is written and what is read differ: the size may be left out, and the day becomes a Date. */
const Order = z.object({ item: z.string(), size: z.int().default(1), day: z.string().transform((day) => new Date(day)) })
const SoldOut = z.object({ item: z.string(), again: z.string().nullable() })
const people = basic<{ readonly name: string }>('people')
const personRanges = rangePagination(Person, { age: { codec: int, get: ({ age }) => age } }, { key: ({ name }) => name, default: 'age' })

const api = {
  point: endpoint('GET /points/:x/:name', { params: { x: int }, response: ok(Person) }),
  search: endpoint('GET /search', {
    query: { word: text, limit: optional(int), sort: optional(oneOf('age', 'name')), tags: array(int), loud: flag },
    headers: { 'X-Depth': int, 'X-Note': optional(text) },
    response: ok(json),
  }),
  loose: endpoint('GET /loose', { query: { limit: optional(int) }, headers: { 'X-Note': optional(text) }, response: ok(text) }),
  order: endpoint('POST /orders', {
    body: content(Order, json, form),
    response: created(Order, { headers: { Location: text, 'X-Day': optional(text) } }),
    errors: [reply(404), reply(409, SoldOut), reply(410, text, { headers: { 'X-Since': int } })],
  }),
  maybe: endpoint('PUT /maybe', { body: z.string().optional(), response: noContent }),
  upload: endpoint('POST /upload', { body: bytes, response: created({ headers: { Location: text } }) }),
  me: endpoint('GET /me', { auth: people, response: ok(Person) }),
  listed: endpoint('GET /listed', { response: ok(list(Person)) }),
  stream: endpoint('GET /stream', { response: ok(ndjson(Order)) }),
  page: endpoint('GET /page', { ...personRanges.declaration }),
  persons: prefix('/persons', collection(Person)),
  raw: mount('/raw'),
  empty: {},
}

const call = client(api, new URL('http://127.0.0.1:8081'), {
  fetch: (request) => fetch(request),
  headers: async () => ({ 'X-Trace': '1' }),
  auth: [credentials(people, async () => ({ username: 'ann', password: 'secret' }))],
  signal: AbortSignal.timeout(1),
  timeout: 1,
})

// A client of an API can be named, at the top level and below.
export const named: Client<typeof api> = call
export const persons: Client<typeof api.persons> = call.persons
yes<Same<keyof typeof call, Exclude<keyof typeof api, 'raw'>>>()
yes<Same<keyof typeof call.empty, never>>()

/** What a call takes. */
type Taken<Function extends (...input: never[]) => unknown> = Parameters<Function>[0]

yes<Same<Taken<typeof call.me>, NoArguments | undefined>>()
yes<Same<Taken<typeof call.upload>, { readonly body: Uint8Array }>>()
yes<Same<Taken<typeof call.point>['params'], { readonly x: number; readonly name: string }>>()
yes<Same<keyof Taken<typeof call.search>, 'query' | 'headers'>>()
yes<Same<Taken<typeof call.order>['body'], { item: string; size?: number | undefined; day: string }>>()
yes<Same<CallInput<typeof api.me>, NoArguments>>()
yes<Same<CallInput<typeof api.upload>, { readonly body: Uint8Array }>>()

/** What a call resolves to. */
type Got<Function extends (...input: never[]) => unknown> = Awaited<ReturnType<Function>>

yes<Same<Got<typeof call.point>, Person>>()
yes<Same<Got<typeof call.search>, unknown>>()
yes<Same<Got<typeof call.loose>, string>>()
yes<Same<Got<typeof call.maybe>, void>>()
yes<Same<Got<typeof call.me>, Person>>()
yes<Same<Got<typeof call.listed>, Person[]>>()
yes<Same<Got<typeof call.stream>, AsyncIterable<{ item: string; size: number; day: Date }>>>()
yes<Same<Got<typeof call.upload>, WithHeaders<undefined, { Location: string }>>>()
yes<Same<Got<typeof call.order>['body'], { item: string; size: number; day: Date }>>()
yes<Same<Got<typeof call.order>['headers'], { Location: string; 'X-Day': string | undefined }>>()
yes<Same<Got<typeof call.persons.list>, Person[]>>()
yes<Same<Got<typeof call.persons.item>, Person>>()
yes<Same<Got<typeof call.persons.remove>, void>>()

export async function calls(options: CallOptions): Promise<void> {
  // Everything that may be left out is left out.
  await call.loose()
  await call.loose({})
  await call.loose({ query: {} })
  await call.loose({ query: { limit: undefined }, headers: { 'X-Note': undefined } }, options)
  await call.me({}, { signal: AbortSignal.timeout(1), timeout: Number.POSITIVE_INFINITY, headers: {} })
  await call.search({ query: { word: 'a', tags: [], loud: false }, headers: { 'X-Depth': 1 } })
  // A list may be left out where it is empty, a flag where it is not meant.
  await call.search({ query: { word: 'a' }, headers: { 'X-Depth': 1 } })
  await call.point({ params: { x: 1, name: 'ann' } })
  await call.maybe({ body: undefined })
  await call.upload({ body: Uint8Array.of(1) })
  // What stands on the wire, before the schema reads it.
  await call.order({ body: { item: 'tea', day: '2024-02-29' } }, { contentType: 'application/json' })
  await call.persons.create({ body: { name: 'Ann', age: 36 } })
  await call.persons.item({ params: { id: 1 } })

  const { body, headers } = await call.order({ body: { item: 'tea', size: 2, day: '2024-02-29' } })
  body.day.getTime()
  headers.Location.at(0)

  for await (const item of await call.stream()) {
    yes<Same<typeof item, { item: string; size: number; day: Date }>>()
  }
  for await (const person of paginate(call.page, { range: 'age; limit 50' })) {
    yes<Same<typeof person, Person>>()
  }
}

export function describeError(error: unknown): string {
  if (!isDeclaredError(api.order, error)) return 'something else'
  yes<
    Same<
      typeof error,
      HttpError<404, undefined> | HttpError<409, z.infer<typeof SoldOut>> | HttpError<410, string, { 'X-Since': number } & ErrorHeaders>
    >
  >()
  switch (error.status) {
    case 404:
      yes<Same<typeof error.body, undefined>>()
      return error.detail ?? error.reason
    case 409:
      yes<Same<typeof error.body, { item: string; again: string | null }>>()
      return error.body.again ?? 'never'
    case 410:
      return error.body
  }
}

// An endpoint that declares no errors raises none.
export function never(error: unknown): void {
  if (isDeclaredError(api.point, error)) yes<Same<typeof error, never>>()
}

// A server in this process is a fetch, and a handler may call.
const server = serve({ loose: api.loose }, { loose: () => 'hello' })
serve({ loose: api.loose }, { loose: () => client({ loose: api.loose }, 'http://test.invalid', { fetch: server.fetch }).loose() })
