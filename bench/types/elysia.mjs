/** The program with Elysia: an app for each part, ten of them in one, since a longer chain is too deep for the compiler, and Eden's treaty as the client. */
import { ann, each } from './parts.mjs'

const apps = (/** @type {number} */ n) => `
const app${n} = new Elysia({ prefix: '/part${n}' })
  .get('/points/:x/:y', ({ params }) => ({ x: params.x, y: params.y }), { params: At, response: Point })
  .get('/users', ({ query }) => [{ ...ann, age: query.sortby === 'age' ? ${n} : 0 }], { query: Sorting, response: t.Array(User) })
  .post('/marketing', ({ body }) => ({ x: body.interests.length, y: body.nick.length }), { body: Info, response: Point })
  .put('/users/:id', ({ params, body }) => ({ ...body, age: params.id }), { params: Id, body: User, response: User })
  .get('/hello/:name', ({ params }) => ({ msg: params.name }), { params: Name, response: Greeting })`

const calls = (/** @type {number} */ n) => `
export async function part${n}() {
  const point = await call.part${n}.points({ x: 1 })({ y: 2 }).get()
  const users = await call.part${n}.users.get({ query: { sortby: 'age' } })
  const marketing = await call.part${n}.marketing.post({ name: 'Ann', interests: [], nick: 'x' })
  const replaced = await call.part${n}.users({ id: 1 }).put(ann)
  const greeting = await call.part${n}.hello({ name: 'Ann' }).get()
  return [point.data?.x.toFixed(), users.data?.[0]?.age.toFixed(), marketing.data?.y.toFixed(), replaced.data?.age.toFixed(), greeting.data?.msg.at(0)]
}`

const tens = (/** @type {number} */ parts) => Math.ceil(parts / 10)
const ten = (/** @type {number} */ parts) => (/** @type {number} */ n) =>
  `
const ten${n} = new Elysia()${each(Math.min(10, parts - 10 * n), (index) => `\n  .use(app${10 * n + index})`)}`

/** @param {number} parts */
export const program = (parts) => `import { treaty } from '@elysiajs/eden'
import { Elysia, t } from 'elysia'
const Point = t.Object({ x: t.Integer(), y: t.Integer() })
const User = t.Object({ name: t.String(), age: t.Integer(), email: t.String(), registered: t.String() })
const Info = t.Object({ name: t.String(), interests: t.Array(t.String()), nick: t.String({ default: 'x' }) })
const Greeting = t.Object({ msg: t.String() })
const At = t.Object({ x: t.Integer(), y: t.Integer() })
const Sorting = t.Object({ sortby: t.Optional(t.UnionEnum(['age', 'name'])) })
const Id = t.Object({ id: t.Integer() })
const Name = t.Object({ name: t.String() })
${ann}${each(parts, apps)}
${each(tens(parts), ten(parts))}
const app = new Elysia()${each(tens(parts), (n) => `\n  .use(ten${n})`)}
export const call = treaty<typeof app>('http://127.0.0.1')
${each(parts, calls)}
void [At, Sorting, Id, Name, Point, User, Info, Greeting, ann]
`
