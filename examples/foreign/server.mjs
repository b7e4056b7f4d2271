// The shelf of stones on Fastify, as people write it: routes with schemas, everything else as the framework has it.
import Fastify from 'fastify'

const Stone = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 1, maxLength: 40 }, hardness: { type: 'integer', minimum: 1, maximum: 10 } },
  required: ['name', 'hardness'],
}
const byId = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }

const shelf = new Map([
  [1, { name: 'Agate', hardness: 7 }],
  [2, { name: 'Talc', hardness: 1 }],
])
let last = 2

const app = Fastify()

app.get('/stones', { schema: { response: { 200: { type: 'array', items: Stone } } } }, () => [...shelf.values()])

app.post('/stones', { schema: { body: Stone } }, (request, reply) => {
  last += 1
  shelf.set(last, request.body)
  reply.code(201).header('Location', `/stones/${last}`).send()
})

/** Answers 404 where there is nothing under the identifier. */
const there = (request, reply, found) => {
  const stone = shelf.get(request.params.id)
  if (stone === undefined) return reply.code(404).send({ error: 'Not Found', message: `There is no stone ${request.params.id}.` })
  return found(stone)
}

app.get('/stones/:id', { schema: { params: byId, response: { 200: Stone } } }, (request, reply) => there(request, reply, (stone) => stone))

app.put('/stones/:id', { schema: { params: byId, body: Stone } }, (request, reply) =>
  there(request, reply, () => {
    shelf.set(request.params.id, request.body)
    reply.code(204).send()
  }),
)

app.delete('/stones/:id', { schema: { params: byId } }, (request, reply) =>
  there(request, reply, () => {
    shelf.delete(request.params.id)
    reply.code(204).send()
  }),
)

const query = {
  type: 'object',
  properties: { name: { type: 'string' }, least: { type: 'integer' }, order: { enum: ['name', 'hardness'] } },
}
app.get('/search', { schema: { querystring: query } }, (request) => {
  const { name = '', least = 0, order = 'name' } = request.query
  const found = [...shelf.values()].filter((stone) => stone.name.includes(name) && stone.hardness >= least)
  return { found: found.sort((one, other) => (one[order] < other[order] ? -1 : 1)) }
})

process.stdout.write(`${await app.listen({ port: Number(process.env.PORT ?? 0), host: '127.0.0.1' })}\n`)
