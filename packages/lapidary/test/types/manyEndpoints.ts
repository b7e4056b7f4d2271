/** Writes a program with any number of endpoints, to count what the compiler does for each. */

const head = `
import { basic, bool, collection, content, endpoint, flag, form, html, int, json, ndjson, list, array, noContent, errors, ok, oneOf, optional, text, prefix, withHeaders } from 'lapidary'
import { client } from 'lapidary/client'
import { authenticate, serve } from 'lapidary/server'
import { z } from 'zod'

const User = z.object({ name: z.string(), age: z.int(), email: z.string(), registered: z.iso.date() })
const Point = z.object({ x: z.int(), y: z.int() })
const Info = z.object({ name: z.string(), interests: z.array(z.string()), nick: z.string().default('x') })
const people = basic<{ readonly name: string }>('people')
const ann = { name: 'Ann', age: 1, email: 'ann@example.org', registered: '2024-01-01' }
`

/** Ten endpoints that use most of the language, below a prefix of their own. */
const endpoints = (n: number): string => `
  part${n}: {
    point: endpoint('GET /${n}/points/:x/:y', { params: { x: int, y: int }, response: ok(Point) }),
    users: endpoint('GET /${n}/users', {
      query: { sortby: optional(oneOf('age', 'name')), loud: flag, tags: array(text) },
      response: ok(list(User), { headers: { 'User-Count': int, 'X-Bool': optional(bool) } }),
    }),
    marketing: endpoint('POST /${n}/marketing', { body: content(Info, json, form), response: ok(Point) }),
    persons: endpoint('GET /${n}/persons', { response: ok(content(list(User), json, html((users) => users.map(({ name }) => name).join()))) }),
    stream: endpoint('GET /${n}/stream', { response: ok(ndjson(User)) }),
    secret: endpoint('GET /${n}/secret', { auth: people, headers: { 'X-Depth': int }, response: ok(User) }),
    find: endpoint('GET /${n}/users/:id', { params: { id: int }, response: ok(User) }),
    replace: endpoint('PUT /${n}/users/:id', { params: { id: int }, body: User, response: noContent }),
    remove: endpoint('DELETE /${n}/users/:id', { params: { id: int }, response: noContent }),
    greet: endpoint('GET /${n}/hello/:name', { response: ok(text) }),
  },`

const handlers = (n: number): string => `
  part${n}: {
    point: ({ params }) => ({ x: params.x, y: params.y }),
    users: ({ query }) => withHeaders([ann], { 'User-Count': query.tags.length + (query.sortby === 'age' ? ${n} : 0), 'X-Bool': query.loud }),
    marketing: ({ body }) => ({ x: body.interests.length, y: body.nick.length }),
    persons: () => [ann],
    stream: async function* () { yield ann },
    secret: ({ user, headers }) => ({ ...ann, name: user.name, age: headers['X-Depth'] }),
    find: ({ params }) => { if (params.id > 9) throw errors.notFound(); return { ...ann, age: params.id } },
    replace: ({ body }) => { body.age.toFixed() },
    remove: async () => {},
    greet: ({ params }) => params.name,
  },`

const calls = (n: number): string => `
export async function part${n}() {
  const { x } = await call.part${n}.point({ params: { x: 1, y: 2 } })
  const { body, headers } = await call.part${n}.users({ query: { tags: [], loud: true } })
  const { y } = await call.part${n}.marketing({ body: { name: 'Ann', interests: [] } })
  const [person] = await call.part${n}.persons()
  for await (const { name } of await call.part${n}.stream()) name.at(0)
  const { name } = await call.part${n}.secret({ headers: { 'X-Depth': 1 } })
  const { age } = await call.part${n}.find({ params: { id: 1 } })
  await call.part${n}.replace({ params: { id: 1 }, body: ann })
  await call.part${n}.remove({ params: { id: 1 } })
  const greeting = await call.part${n}.greet({ params: { name: 'Ann' } })
  return [x.toFixed(), y.toFixed(), body.length, headers['User-Count'].toFixed(), person?.age, name.at(0), age.toFixed(), greeting.at(0)]
}`

/** The program with ten endpoints in each part, their handlers and a call of each; with no parts, all that it would import and no endpoint. */
export function program(parts: number): string {
  const numbers = Array.from({ length: parts }, (_, n) => n)
  return `${head}
const api = {${numbers.map(endpoints).join('')}
}
serve(api, {${numbers.map(handlers).join('')}
}, { auth: [authenticate(people, ({ username }) => ({ name: username }))] })
export const call = client(api, 'http://127.0.0.1')
${numbers.map(calls).join('')}
void [bool, collection, content, endpoint, flag, form, html, int, json, ndjson, list, array, noContent, errors, ok, oneOf, optional, text, prefix, withHeaders, User, Point, Info, ann]
`
}
