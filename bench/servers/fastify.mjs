/** Fastify 5: schemas for what comes in and for what goes out, as its guides show. */
import { Readable } from 'node:stream'
import etag from '@fastify/etag'
import Fastify from 'fastify'
import { email, greeting, hundred, many, thousand } from './data.mjs'
import { pageOf } from './pages.mjs'
import { ready } from './ready.mjs'
import { rows } from './sqlite.mjs'

const text = { type: 'string' }
const integer = { type: 'integer' }
const list = (/** @type {object} */ items) => ({ type: 'array', items })
const members = (/** @type {Record<string, object>} */ properties) => ({ type: 'object', properties, required: Object.keys(properties) })
const answering = (/** @type {object} */ schema) => ({ response: { 200: schema } })

const Hello = members({ msg: text })
const Position = members({ xCoord: integer, yCoord: integer })
const ClientInfo = members({ clientName: text, clientEmail: text, clientAge: integer, clientInterestedIn: list(text) })
const Email = members({ from: text, to: text, subject: text, body: text })
const Users = list(members({ name: text, age: integer, email: text, registration_date: text }))
const Colors = list(members({ name: text, rgb: list(integer), hex: text }))

const app = Fastify()

const hello = { querystring: { type: 'object', properties: { name: text } }, ...answering(Hello) }
app.get('/hello', { schema: hello }, async ({ query }) => greeting(query.name))
app.get('/position/:x/:y', { schema: { params: members({ x: integer, y: integer }), ...answering(Position) } }, async ({ params }) => ({
  xCoord: params.x,
  yCoord: params.y,
}))
app.post('/marketing', { schema: { body: ClientInfo, ...answering(Email) } }, async ({ body }) => email(body))
app.get('/hundred', { schema: answering(Users) }, async () => hundred)
app.get('/thousand', { schema: answering(Users) }, async () => thousand)
app.get('/stored', { schema: answering(Users) }, async () => rows.users())
app.register(async (scope) => {
  await scope.register(etag)
  scope.get('/tagged', { schema: answering(Users) }, async () => hundred)
})
app.get('/colors', { schema: { querystring: members({ after: text }), ...answering(Colors) } }, async ({ query }, reply) => {
  const { items, headers } = pageOf(rows, query.after)
  reply.headers(headers)
  return items
})
app.get('/stream', async (_, reply) => {
  const lines = async function* () {
    for await (const user of many()) yield `${JSON.stringify(user)}\n`
  }
  return reply.type('application/x-ndjson').send(Readable.from(lines()))
})

await app.listen({ port: 0, host: '127.0.0.1' })
ready(app.server.address().port)
