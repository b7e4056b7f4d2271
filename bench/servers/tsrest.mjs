/** ts-rest: a contract with zod schemas, on Fastify. It does not validate what goes out unless it is told to. */
import { Readable } from 'node:stream'
import etag from '@fastify/etag'
import { initContract } from '@ts-rest/core'
import { initServer } from '@ts-rest/fastify'
import Fastify from 'fastify'
import { email, greeting, hundred, many, thousand } from './data.mjs'
import { pageOf } from './pages.mjs'
import { ready } from './ready.mjs'
import { ClientInfo, Colors, Email, Hello, HelloQuery, PageQuery, Position, PositionParams, Users } from './schemas.mjs'
import { rows } from './sqlite.mjs'

const c = initContract()
const contract = c.router({
  hello: { method: 'GET', path: '/hello', query: HelloQuery, responses: { 200: Hello } },
  position: { method: 'GET', path: '/position/:x/:y', pathParams: PositionParams, responses: { 200: Position } },
  marketing: { method: 'POST', path: '/marketing', body: ClientInfo, responses: { 200: Email } },
  hundred: { method: 'GET', path: '/hundred', responses: { 200: Users } },
  thousand: { method: 'GET', path: '/thousand', responses: { 200: Users } },
  stored: { method: 'GET', path: '/stored', responses: { 200: Users } },
  colors: { method: 'GET', path: '/colors', query: PageQuery, responses: { 200: Colors } },
  stream: {
    method: 'GET',
    path: '/stream',
    responses: { 200: c.otherResponse({ contentType: 'application/x-ndjson', body: c.type() }) },
  },
})
const taggedContract = c.router({ tagged: { method: 'GET', path: '/tagged', responses: { 200: Users } } })

const s = initServer()
const ok = (/** @type {unknown} */ body) => ({ status: /** @type {const} */ (200), body })
const router = s.router(contract, {
  hello: async ({ query }) => ok(greeting(query.name)),
  position: async ({ params }) => ok({ xCoord: params.x, yCoord: params.y }),
  marketing: async ({ body }) => ok(email(body)),
  hundred: async () => ok(hundred),
  thousand: async () => ok(thousand),
  stored: async () => ok(rows.users()),
  colors: async ({ query, reply }) => {
    const { items, headers } = pageOf(rows, query.after)
    reply.headers(headers)
    return ok(items)
  },
  stream: async () => {
    const lines = async function* () {
      for await (const user of many()) yield `${JSON.stringify(user)}\n`
    }
    return ok(Readable.from(lines()))
  },
})
const taggedRouter = s.router(taggedContract, { tagged: async () => ok(hundred) })

const app = Fastify()
app.register(s.plugin(router))
app.register(async (scope) => {
  await scope.register(etag)
  await scope.register(s.plugin(taggedRouter))
})
await app.listen({ port: 0, host: '127.0.0.1' })
ready(app.server.address().port)
