/** The program with ts-rest: a contract, its router on Fastify and its client. */
import { ann, each, schemas, texts } from './parts.mjs'

const routes = (/** @type {number} */ n) => `
  part${n}: {
    point: { method: 'GET', path: '/part${n}/points/:x/:y', pathParams: At, responses: { 200: Point } },
    users: { method: 'GET', path: '/part${n}/users', query: Sorting, responses: { 200: z.array(User) } },
    marketing: { method: 'POST', path: '/part${n}/marketing', body: Info, responses: { 200: Point } },
    replace: { method: 'PUT', path: '/part${n}/users/:id', pathParams: Id, body: User, responses: { 200: User } },
    greet: { method: 'GET', path: '/part${n}/hello/:name', responses: { 200: Greeting } },
  },`

const handlers = (/** @type {number} */ n) => `
  part${n}: {
    point: async ({ params }) => ({ status: 200, body: { x: params.x, y: params.y } }),
    users: async ({ query }) => ({ status: 200, body: [{ ...ann, age: query.sortby === 'age' ? ${n} : 0 }] }),
    marketing: async ({ body }) => ({ status: 200, body: { x: body.interests.length, y: body.nick.length } }),
    replace: async ({ params, body }) => ({ status: 200, body: { ...body, age: params.id } }),
    greet: async ({ params }) => ({ status: 200, body: { msg: params.name } }),
  },`

const calls = (/** @type {number} */ n) => `
export async function part${n}() {
  const point = await call.part${n}.point({ params: { x: '1', y: '2' } })
  const users = await call.part${n}.users({ query: { sortby: 'age' } })
  const marketing = await call.part${n}.marketing({ body: { name: 'Ann', interests: [] } })
  const replaced = await call.part${n}.replace({ params: { id: '1' }, body: ann })
  const greeting = await call.part${n}.greet({ params: { name: 'Ann' } })
  if (point.status !== 200 || users.status !== 200 || marketing.status !== 200 || replaced.status !== 200 || greeting.status !== 200) return []
  return [point.body.x.toFixed(), users.body[0]?.age.toFixed(), marketing.body.y.toFixed(), replaced.body.age.toFixed(), greeting.body.msg.at(0)]
}`

/** @param {number} parts */
export const program = (parts) => `import { initClient, initContract } from '@ts-rest/core'
import { initServer } from '@ts-rest/fastify'
${schemas}${texts}${ann}
const contract = initContract().router({${each(parts, routes)}
})
export const router = initServer().router(contract, {${each(parts, handlers)}
})
export const call = initClient(contract, { baseUrl: 'http://127.0.0.1' })
${each(parts, calls)}
void [At, Sorting, Id, Name, Point, User, Info, Greeting, ann]
`
