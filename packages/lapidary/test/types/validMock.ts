/** What must compile of a mock: answers by the names of their endpoints, typed as handlers are. Read by the compiler alone. */

import { type EndpointNames, type MockOptions, type MountNames, mock } from '@lapidary/testing'
import {
  type Api,
  basic,
  collection,
  endpoint,
  errors,
  flag,
  int,
  list,
  mount,
  ndjson,
  ok,
  optional,
  prefix,
  text,
  withHeaders,
} from 'lapidary'
import { authenticate, type HttpHandler } from 'lapidary/server'
import { z } from 'zod'

type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : never

const User = z.object({ name: z.string(), age: z.int().default(1) })
const people = basic<{ readonly name: string }>('people')

const api = {
  hello: endpoint('GET /hello/:name', { query: { loud: flag }, response: ok(text) }),
  users: {
    ...prefix('/users', collection(User, { etag: 'required' })),
    all: endpoint('GET /all', { auth: people, response: ok(list(User), { headers: { 'X-Count': int, 'X-Note': optional(text) } }) }),
    deep: { stream: endpoint('GET /stream', { response: ok(ndjson(User)) }) },
  },
  raw: { files: mount('/files') },
  empty: {},
}

const names: Same<
  EndpointNames<typeof api>,
  'hello' | 'users.list' | 'users.create' | 'users.item' | 'users.replace' | 'users.remove' | 'users.all' | 'users.deep.stream'
> = true
const mounts: Same<MountNames<typeof api>, 'raw.files'> = true

const kernel: HttpHandler = mock(api, {
  seed: 7,
  handlers: {
    hello: ({ params, query }, incoming) => params.name.concat(query.loud ? '!' : '', incoming.remoteAddress),
    'users.item': async ({ params }) => ({ name: params.id.toFixed() }),
    'users.create': () => {
      throw errors.conflict()
    },
    'users.replace': ({ body, precondition }) => precondition({ name: body.name, age: body.age.toFixed() }),
    'users.all': ({ user }) => withHeaders([{ name: String(user) }], { 'X-Count': 1, 'X-Note': undefined }),
    'users.deep.stream': async function* () {
      yield { name: 'Ann', age: 36 }
    },
  },
  mounts: { 'raw.files': () => ({ status: 200, headers: [], body: null }) },
  delay: { min: 1, max: 2 },
  faults: { unavailable: 0.1, at: { hello: { cut: 1 } } },
  auth: [authenticate(people, ({ username }) => ({ name: username }))],
  maxBodySize: 100,
})

/** Of any API. */
const any = (given: Api, options: MockOptions): HttpHandler => mock(given, options)

export { any, kernel, mounts, names }
