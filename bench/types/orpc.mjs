/** The program with oRPC: a contract, its router and its client. */
import { ann, each, schemas, texts } from './parts.mjs'

const routes = (/** @type {number} */ n) => `
  part${n}: {
    point: oc.route({ method: 'GET', path: '/part${n}/points/{x}/{y}' }).input(At).output(Point),
    users: oc.route({ method: 'GET', path: '/part${n}/users' }).input(Sorting).output(z.array(User)),
    marketing: oc.route({ method: 'POST', path: '/part${n}/marketing' }).input(Info).output(Point),
    replace: oc.route({ method: 'PUT', path: '/part${n}/users/{id}' }).input(User.extend({ id: int })).output(User),
    greet: oc.route({ method: 'GET', path: '/part${n}/hello/{name}' }).input(Name).output(Greeting),
  },`

const handlers = (/** @type {number} */ n) => `
  part${n}: {
    point: os.part${n}.point.handler(({ input }) => ({ x: input.x, y: input.y })),
    users: os.part${n}.users.handler(({ input }) => [{ ...ann, age: input.sortby === 'age' ? ${n} : 0 }]),
    marketing: os.part${n}.marketing.handler(({ input }) => ({ x: input.interests.length, y: input.nick.length })),
    replace: os.part${n}.replace.handler(({ input: { id, ...user } }) => ({ ...user, age: id })),
    greet: os.part${n}.greet.handler(({ input }) => ({ msg: input.name })),
  },`

const calls = (/** @type {number} */ n) => `
export async function part${n}() {
  const { x } = await call.part${n}.point({ x: '1', y: '2' })
  const [user] = await call.part${n}.users({ sortby: 'age' })
  const { y } = await call.part${n}.marketing({ name: 'Ann', interests: [] })
  const { age } = await call.part${n}.replace({ id: '1', ...ann })
  const { msg } = await call.part${n}.greet({ name: 'Ann' })
  return [x.toFixed(), user?.age.toFixed(), y.toFixed(), age.toFixed(), msg.at(0)]
}`

const imports = `import { createORPCClient } from '@orpc/client'
import { type ContractRouterClient, oc } from '@orpc/contract'
import type { JsonifiedClient } from '@orpc/openapi-client'
import { OpenAPILink } from '@orpc/openapi-client/fetch'
import { implement } from '@orpc/server'
`

/** @param {number} parts @param {string} from  the imports of a version @param {string} [at]  the option with the server's address */
export const write = (parts, from, at = "url: 'http://127.0.0.1'") => `${from}${schemas}${texts}${ann}
const contract = {${each(parts, routes)}
}
const os = implement(contract)
export const router = os.router({${each(parts, handlers)}
})
export const call: JsonifiedClient<ContractRouterClient<typeof contract>> = createORPCClient(new OpenAPILink(contract, { ${at} }))
${each(parts, calls)}
void [oc, At, Sorting, Id, Name, Point, User, Info, Greeting, ann]
`

/** @param {number} parts */
export const program = (parts) => write(parts, imports)
