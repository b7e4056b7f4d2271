// A shelf of stones on hapi with hapi-swagger, as their documentation shows it.
import Hapi from '@hapi/hapi'
import Inert from '@hapi/inert'
import Vision from '@hapi/vision'
import HapiSwagger from 'hapi-swagger'
import Joi from 'joi'
import { createShelf } from './shelf.mjs'

const shelf = createShelf()
const fields = {
  name: Joi.string().min(1).max(40).required(),
  hardness: Joi.number().integer().min(1).max(10).required(),
  note: Joi.string().allow(null),
}
const Stone = Joi.object(fields).label('Stone')
const StoredStone = Joi.object({ id: Joi.number().integer().required(), ...fields }).label('StoredStone')
const Failure = Joi.object({
  statusCode: Joi.number().integer().required(),
  error: Joi.string().required(),
  message: Joi.string().required(),
})
  .unknown()
  .label('Failure')
const params = Joi.object({ id: Joi.number().integer().min(1).required() })
const query = Joi.object({
  name: Joi.string().allow(''),
  least: Joi.number().integer().default(0),
  order: Joi.string().valid('name', 'hardness').default('name'),
})

const server = Hapi.server({ port: 0, host: '127.0.0.1' })
await server.register([
  Inert,
  Vision,
  {
    plugin: HapiSwagger,
    options: {
      OAS: 'v3.0',
      info: { title: 'Stones', version: '1.0.0' },
      jsonPath: '/openapi.json',
      documentationPage: false,
      swaggerUI: false,
    },
  },
])

const missing = (h, id) => h.response({ statusCode: 404, error: 'Not Found', message: `There is no stone ${id}.` }).code(404)
const documented = (responses) => ({ 'hapi-swagger': { responses: { ...responses, 400: { description: 'Refused', schema: Failure } } } })
const stone = { 200: { description: 'The stone', schema: StoredStone }, 404: { description: 'There is none', schema: Failure } }
server.route([
  {
    method: 'GET',
    path: '/stones',
    options: {
      tags: ['api'],
      validate: { query },
      plugins: documented({ 200: { description: 'All that fit', schema: Joi.array().items(StoredStone) } }),
    },
    handler: (request) => shelf.search(request.query),
  },
  {
    method: 'POST',
    path: '/stones',
    options: {
      tags: ['api'],
      validate: { payload: Stone },
      plugins: documented({ 201: { description: 'It is on the shelf', schema: StoredStone } }),
    },
    handler: (request, h) => {
      const added = shelf.add(request.payload)
      return h.response(added).created(`/stones/${added.id}`)
    },
  },
  {
    method: 'GET',
    path: '/stones/{id}',
    options: { tags: ['api'], validate: { params }, plugins: documented(stone) },
    handler: ({ params: { id } }, h) => shelf.get(id) ?? missing(h, id),
  },
  {
    method: 'PUT',
    path: '/stones/{id}',
    options: { tags: ['api'], validate: { params, payload: Stone }, plugins: documented(stone) },
    handler: ({ params: { id }, payload }, h) => shelf.replace(id, payload) ?? missing(h, id),
  },
  {
    method: 'DELETE',
    path: '/stones/{id}',
    options: { tags: ['api'], validate: { params }, plugins: documented({ 204: { description: 'It is gone' }, 404: stone[404] }) },
    handler: ({ params: { id } }, h) => (shelf.remove(id) ? h.response().code(204) : missing(h, id)),
  },
])
await server.start()
process.stdout.write(`${server.info.uri}/openapi.json\n`)
