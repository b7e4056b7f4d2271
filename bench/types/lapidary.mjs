/** The program with Lapidary. */
import { ann, each, schemas } from './parts.mjs'

const endpoints = (/** @type {number} */ n) => `
  part${n}: {
    point: endpoint('GET /part${n}/points/:x/:y', { params: { x: int, y: int }, response: ok(Point) }),
    users: endpoint('GET /part${n}/users', { query: { sortby: optional(oneOf('age', 'name')) }, response: ok(list(User)) }),
    marketing: endpoint('POST /part${n}/marketing', { body: Info, response: ok(Point) }),
    replace: endpoint('PUT /part${n}/users/:id', { params: { id: int }, body: User, response: ok(User) }),
    greet: endpoint('GET /part${n}/hello/:name', { response: ok(Greeting) }),
  },`

const handlers = (/** @type {number} */ n) => `
  part${n}: {
    point: ({ params }) => ({ x: params.x, y: params.y }),
    users: ({ query }) => [{ ...ann, age: query.sortby === 'age' ? ${n} : 0 }],
    marketing: ({ body }) => ({ x: body.interests.length, y: body.nick.length }),
    replace: ({ params, body }) => ({ ...body, age: params.id }),
    greet: ({ params }) => ({ msg: params.name }),
  },`

const calls = (/** @type {number} */ n) => `
export async function part${n}() {
  const { x } = await call.part${n}.point({ params: { x: 1, y: 2 } })
  const [user] = await call.part${n}.users({ query: { sortby: 'age' } })
  const { y } = await call.part${n}.marketing({ body: { name: 'Ann', interests: [] } })
  const { age } = await call.part${n}.replace({ params: { id: 1 }, body: ann })
  const { msg } = await call.part${n}.greet({ params: { name: 'Ann' } })
  return [x.toFixed(), user?.age.toFixed(), y.toFixed(), age.toFixed(), msg.at(0)]
}`

/** @param {number} parts */
export const program = (parts) => `import { endpoint, int, list, ok, oneOf, optional } from 'lapidary'
import { client } from 'lapidary/client'
import { serve } from 'lapidary/server'
${schemas}${ann}
const api = {${each(parts, endpoints)}
}
export const server = serve(api, {${each(parts, handlers)}
})
export const call = client(api, 'http://127.0.0.1')
${each(parts, calls)}
void [endpoint, int, list, ok, oneOf, optional, Point, User, Info, Greeting, ann]
`
