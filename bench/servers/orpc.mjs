/** oRPC: a contract with zod schemas, served by its OpenAPI handler on node:http. Without an output there would be no typed client. */
import { createServer } from 'node:http'
import { oc } from '@orpc/contract'
import { OpenAPIHandler } from '@orpc/openapi/node'
import { implement } from '@orpc/server'
import { z } from 'zod'
import { email, greeting, hundred, thousand } from './data.mjs'
import { pageOf } from './pages.mjs'
import { ready } from './ready.mjs'
import { ClientInfo, Colors, Email, Hello, HelloQuery, PageQuery, Position, PositionParams, Users } from './schemas.mjs'
import { rows } from './sqlite.mjs'

const get = (/** @type {`/${string}`} */ path) => oc.route({ method: 'GET', path })
const Page = z.object({ headers: z.object({ 'Total-Count': z.string(), Link: z.string().optional() }), body: Colors })
const contract = {
  hello: get('/hello').input(HelloQuery).output(Hello),
  position: get('/position/{x}/{y}').input(PositionParams).output(Position),
  marketing: oc.route({ method: 'POST', path: '/marketing' }).input(ClientInfo).output(Email),
  hundred: get('/hundred').output(Users),
  thousand: get('/thousand').output(Users),
  stored: get('/stored').output(Users),
  colors: oc.route({ method: 'GET', path: '/colors', outputStructure: 'detailed' }).input(PageQuery).output(Page),
}

const os = implement(contract)
const router = os.router({
  hello: os.hello.handler(({ input }) => greeting(input.name)),
  position: os.position.handler(({ input }) => ({ xCoord: input.x, yCoord: input.y })),
  marketing: os.marketing.handler(({ input }) => email(input)),
  hundred: os.hundred.handler(() => hundred),
  thousand: os.thousand.handler(() => thousand),
  stored: os.stored.handler(() => rows.users()),
  colors: os.colors.handler(({ input }) => {
    const { items, headers } = pageOf(rows, input.after)
    return { headers, body: items }
  }),
})

const handler = new OpenAPIHandler(router)
const server = createServer(async (request, response) => {
  const { matched } = await handler.handle(request, response)
  if (matched) return
  response.statusCode = 404
  response.end('No procedure matched')
})
server.listen(0, '127.0.0.1', () => ready(server.address().port))
