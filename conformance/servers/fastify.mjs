// A shelf of stones on Fastify with @fastify/swagger, as their documentation shows it.
import swagger from '@fastify/swagger'
import Fastify from 'fastify'
import { createShelf } from './shelf.mjs'

const Stone = {
  $id: 'Stone',
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 40 },
    hardness: { type: 'integer', minimum: 1, maximum: 10 },
    note: { type: 'string', nullable: true },
  },
  required: ['name', 'hardness'],
}
const StoredStone = {
  $id: 'StoredStone',
  type: 'object',
  properties: { id: { type: 'integer' }, ...Stone.properties },
  required: ['id', 'name', 'hardness'],
}
const Failure = {
  $id: 'Failure',
  type: 'object',
  properties: { statusCode: { type: 'integer' }, code: { type: 'string' }, error: { type: 'string' }, message: { type: 'string' } },
  required: ['statusCode', 'error', 'message'],
}

const shelf = createShelf()
const app = Fastify()
await app.register(swagger, { openapi: { openapi: '3.1.0', info: { title: 'Stones', version: '1.0.0' } } })
for (const schema of [Stone, StoredStone, Failure]) app.addSchema(schema)
const params = { type: 'object', properties: { id: { type: 'integer', minimum: 1 } }, required: ['id'] }
const refused = { 400: { $ref: 'Failure#' }, 404: { $ref: 'Failure#' } }
const missing = (reply, id) => reply.code(404).send({ statusCode: 404, error: 'Not Found', message: `There is no stone ${id}.` })

const querystring = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    least: { type: 'integer', default: 0 },
    order: { type: 'string', enum: ['name', 'hardness'], default: 'name' },
  },
}
app.get(
  '/stones',
  { schema: { querystring, response: { 200: { type: 'array', items: { $ref: 'StoredStone#' } }, 400: { $ref: 'Failure#' } } } },
  (request) => shelf.search(request.query),
)
app.post(
  '/stones',
  { schema: { body: { $ref: 'Stone#' }, response: { 201: { $ref: 'StoredStone#' }, 400: { $ref: 'Failure#' } } } },
  (request, reply) => {
    const stone = shelf.add(request.body)
    return reply.code(201).header('Location', `/stones/${stone.id}`).send(stone)
  },
)
app.get(
  '/stones/:id',
  { schema: { params, response: { 200: { $ref: 'StoredStone#' }, ...refused } } },
  ({ params: { id } }, reply) => shelf.get(id) ?? missing(reply, id),
)
app.put(
  '/stones/:id',
  { schema: { params, body: { $ref: 'Stone#' }, response: { 200: { $ref: 'StoredStone#' }, ...refused } } },
  ({ params: { id }, body }, reply) => shelf.replace(id, body) ?? missing(reply, id),
)
app.delete(
  '/stones/:id',
  { schema: { params, response: { 204: { type: 'null', description: 'It is gone.' }, ...refused } } },
  ({ params: { id } }, reply) => (shelf.remove(id) ? reply.code(204).send() : missing(reply, id)),
)
app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())

process.stdout.write(`${await app.listen({ port: 0, host: '127.0.0.1' })}/openapi.json\n`)
