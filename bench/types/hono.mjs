/** The program with Hono: an app for each part, chained, and its RPC client, as the guide for larger applications shows. */
import { ann, each, schemas, texts } from './parts.mjs'

const apps = (/** @type {number} */ n) => `
const app${n} = new Hono()
  .get('/points/:x/:y', zValidator('param', At), (c) => {
    const { x, y } = c.req.valid('param')
    return c.json({ x, y })
  })
  .get('/users', zValidator('query', Sorting), (c) => c.json([{ ...ann, age: c.req.valid('query').sortby === 'age' ? ${n} : 0 }]))
  .post('/marketing', zValidator('json', Info), (c) => {
    const { interests, nick } = c.req.valid('json')
    return c.json({ x: interests.length, y: nick.length })
  })
  .put('/users/:id', zValidator('param', Id), zValidator('json', User), (c) => c.json({ ...c.req.valid('json'), age: c.req.valid('param').id }))
  .get('/hello/:name', (c) => c.json({ msg: c.req.param('name') }))`

const calls = (/** @type {number} */ n) => `
export async function part${n}() {
  const point = await call.part${n}.points[':x'][':y'].$get({ param: { x: '1', y: '2' } })
  const users = await call.part${n}.users.$get({ query: { sortby: 'age' } })
  const marketing = await call.part${n}.marketing.$post({ json: { name: 'Ann', interests: [] } })
  const replaced = await call.part${n}.users[':id'].$put({ param: { id: '1' }, json: ann })
  const greeting = await call.part${n}.hello[':name'].$get({ param: { name: 'Ann' } })
  if (!point.ok || !users.ok || !marketing.ok || !replaced.ok || !greeting.ok) return []
  const { x } = await point.json()
  const [user] = await users.json()
  const { y } = await marketing.json()
  const { age } = await replaced.json()
  const { msg } = await greeting.json()
  return [x.toFixed(), user?.age.toFixed(), y.toFixed(), age.toFixed(), msg.at(0)]
}`

/** @param {number} parts */
export const program = (parts) => `import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { hc } from 'hono/client'
${schemas}${texts}${ann}${each(parts, apps)}
const app = new Hono()${each(parts, (n) => `\n  .route('/part${n}', app${n})`)}
export const call = hc<typeof app>('http://127.0.0.1')
${each(parts, calls)}
void [zValidator, At, Sorting, Id, Name, Point, User, Info, Greeting, ann]
`
