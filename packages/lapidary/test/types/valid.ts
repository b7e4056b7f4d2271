/** What must compile, and what the types then say: read by the compiler alone. */
import {
  type AnyEndpoint,
  type Api,
  array,
  basic,
  collection,
  content,
  created,
  endpoint,
  flag,
  form,
  html,
  int,
  json,
  list,
  mount,
  ndjson,
  noContent,
  ok,
  oneOf,
  optional,
  type ParameterRecord,
  prefix,
  reply,
  type Schema,
  text,
  withHeaders,
} from 'lapidary'
import { link, type Matches, match } from 'lapidary/links'
import { authenticate, type Handlers, serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const Person = z.object({ name: z.string(), age: z.int() })
/** What is written and what is read differ: the size may be left out, and the day becomes a Date. */
const Order = z.object({ item: z.string(), size: z.int().default(1), day: z.string().transform((day) => new Date(day)) })
const people = basic<{ readonly name: string; readonly admin: boolean }>('people')

const api = {
  point: endpoint('GET /points/:x/:name', { params: { x: int }, response: ok(Person) }),
  search: endpoint('GET /search', {
    query: { word: text, limit: optional(int), sort: oneOf('age', 'name'), tags: array(int), loud: flag },
    headers: { 'X-Depth': int, 'X-Note': optional(text) },
    response: ok(json),
  }),
  order: endpoint('POST /orders', { body: content(Order, json, form), response: created({ headers: { Location: text } }) }),
  echo: endpoint('POST /echo', { body: json, response: ok(json) }),
  me: endpoint('GET /me', { auth: people, response: ok(Person) }),
  counted: endpoint('GET /counted', { response: ok(list(Person), { headers: { 'X-Count': int, 'X-Day': optional(text) } }) }),
  page: endpoint('GET /page', {
    response: ok(
      content(
        list(Person),
        json,
        html((persons) => persons.map(({ name }) => name).join()),
      ),
    ),
  }),
  stream: endpoint('GET /stream', { response: ok(ndjson(Person)) }),
  listed: endpoint('GET /listed', { response: ok(list(Person)) }),
  transformed: endpoint('GET /transformed', { response: ok(Order) }),
  nothing: endpoint('DELETE /nothing', { response: noContent }),
  persons: prefix('/persons', collection(Person)),
  raw: mount('/raw'),
  empty: {},
}

const ann = { name: 'Ann', age: 36 }

export const handlers: Handlers<typeof api> = {
  point: ({ params }) => {
    yes<Same<typeof params, { readonly x: number; readonly name: string }>>()
    return ann
  },
  search: ({ query, headers, ...others }) => {
    yes<Same<(typeof query)['word'], string>>()
    yes<Same<(typeof query)['limit'], number | undefined>>()
    yes<Same<(typeof query)['sort'], 'age' | 'name'>>()
    yes<Same<(typeof query)['tags'], readonly number[]>>()
    yes<Same<(typeof query)['loud'], boolean>>()
    yes<Same<(typeof headers)['X-Depth'], number>>()
    yes<Same<(typeof headers)['X-Note'], string | undefined>>()
    // Of the parts that an endpoint does not declare, nothing is there.
    yes<Same<keyof typeof others, never>>()
    return query
  },
  order: ({ body }) => {
    yes<Same<typeof body, { item: string; size: number; day: Date }>>()
    return withHeaders(undefined, { Location: '/orders/1' })
  },
  echo: ({ body }) => {
    yes<Same<typeof body, unknown>>()
    return body
  },
  me: ({ user }) => {
    yes<Same<typeof user, { readonly name: string; readonly admin: boolean }>>()
    return { name: user.name, age: 1 }
  },
  counted: async () => withHeaders([ann], { 'X-Count': 1, 'X-Day': undefined }),
  page: () => [ann],
  // A stream takes an array, a generator, an asynchronous one, and a promise of one.
  stream: async function* () {
    yield ann
  },
  listed: function* () {
    yield ann
  },
  // What a handler gives is what stands on the wire, before the schema transforms it.
  transformed: () => ({ item: 'tea', day: '2024-02-29' }),
  nothing: () => {},
  persons: {
    list: () => new Set([ann]),
    create: ({ body }) => withHeaders(undefined, { Location: `/persons/${body.age.toFixed()}` }),
    item: ({ params }) => ({ ...ann, age: params.id }),
    replace: async ({ body, params }) => {
      body.name.at(params.id)
    },
    remove: () => {},
  },
  raw: (incoming) => ({ status: 200, headers: [], body: incoming.target }),
  empty: {},
}

export const others: Pick<Handlers<typeof api>, 'stream' | 'listed' | 'page'> = {
  stream: () => [ann],
  listed: async () => [ann] as const,
  page: async () =>
    (async function* () {
      yield ann
    })(),
}

serve(api, handlers, {
  auth: [
    authenticate(people, async ({ username, password }) => {
      yes<Same<typeof username, string>>()
      return password === '' ? undefined : { name: username, admin: false }
    }),
  ],
})

// Handlers that stand where they are used are inferred, too.
serve({ point: api.point }, { point: ({ params }) => ({ name: params.name, age: params.x }) })

// A URL's way back: the endpoint is known by its name, and with it what the URL says.
const found = match(api, 'https://example.org/points/1/a', { base: 'https://example.org' })
if (found?.name === 'point') yes<Same<(typeof found)['params']['x'], number>>()
if (found?.name === 'persons.item') {
  yes<Same<(typeof found)['params'], { readonly id: number }>>()
  link(found.endpoint, found)
}
switch (found?.name) {
  case 'search':
    yes<Same<(typeof found)['query']['limit'], number | undefined>>()
    yes<Same<(typeof found)['query']['tags'], readonly number[]>>()
    break
  case undefined:
    yes<Same<typeof found, undefined>>()
}
yes<Same<Extract<Matches<typeof api>['name'], `persons.${string}` | 'raw'>, `persons.${keyof (typeof api)['persons']}`>>()
// Mounts and records are no endpoints.
yes<Same<Extract<Matches<typeof api>['name'], 'raw' | 'persons' | 'empty'>, never>>()
yes<Same<Matches<(typeof api)['empty']>, never>>()

const searched = match(api.search, new URL('https://example.org/search'))
if (searched !== undefined) {
  yes<Same<(typeof searched)['query']['sort'], 'age' | 'name'>>()
  link(api.search, searched)
}

// Of an API that is known only as such, the names are any.
export const nameOf = (any: Api, url: string): string | undefined => match(any, url)?.name

// Nothing is raised but what is declared, wherever an endpoint stands.
const moved = prefix('/moved', {
  silent: endpoint('GET /silent', { response: ok(text) }),
  raising: endpoint('GET /raising', { response: ok(text), errors: [reply(404), reply(409, Person)] }),
})
type Types<E extends AnyEndpoint> = NonNullable<E['~types']>
yes<Same<Types<typeof moved.silent>['errors'], never>>()
yes<Same<Types<typeof moved.raising>['errors']['status'], 404 | 409>>()

// A function can be generic over what its endpoints hold.
const stored = <Input, Output>(item: Schema<Input, Output>) =>
  endpoint('PUT /items/:id', { params: { id: int }, body: item, response: ok(list(item)) })
const paged = <Query extends ParameterRecord>(query: Query) =>
  endpoint('GET /items', { query: { ...query, page: int }, response: noContent })
serve(
  { stored: stored(Order), paged: paged({ word: optional(text) }) },
  {
    stored: ({ params, body }) => {
      yes<Same<typeof params.id, number>>()
      yes<Same<typeof body, { item: string; size: number; day: Date }>>()
      return [{ item: body.item, day: '2024-02-29' }]
    },
    paged: ({ query }) => {
      yes<Same<typeof query.word, string | undefined>>()
      yes<Same<typeof query.page, number>>()
    },
  },
)
