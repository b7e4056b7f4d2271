/** Fastify 5 with its own log, ids and time limit, and its plugins for CORS and security headers. */
import cors from '@fastify/cors'
import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import { greeting, hundred } from '../servers/data.mjs'
import { ready } from '../servers/ready.mjs'
import { hasMiddleware, openLog, origin, timeLimit } from './usual.mjs'

const text = { type: 'string' }
const members = (/** @type {Record<string, object>} */ properties) => ({ type: 'object', properties, required: Object.keys(properties) })
const respondWith = (/** @type {object} */ schema) => ({ response: { 200: schema } })
const User = members({ name: text, age: { type: 'integer' }, email: text, registration_date: text })

const app = Fastify(
  hasMiddleware
    ? { logger: { stream: openLog() }, requestIdHeader: 'x-request-id', genReqId: () => crypto.randomUUID(), handlerTimeout: timeLimit }
    : {},
)
if (hasMiddleware) {
  await app.register(helmet)
  await app.register(cors, { origin: [origin] })
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
}
const hello = { querystring: { type: 'object', properties: { name: text } }, ...respondWith(members({ msg: text })) }
app.get('/hello', { schema: hello }, async ({ query }) => greeting(query.name))
app.get('/hundred', { schema: respondWith({ type: 'array', items: User }) }, async () => hundred)

await app.listen({ port: 0, host: '127.0.0.1' })
ready(app.server.address().port)
