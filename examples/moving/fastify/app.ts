import multipart from '@fastify/multipart'
import Fastify, { type FastifyPluginAsync, type FastifyReply, type FastifyRequest } from 'fastify'
import { SoldError, sell, stones, type User, users } from '../stones.ts'

declare module 'fastify' {
  interface FastifyRequest {
    user: User | null
  }
}

class StatusError extends Error {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super(message)
  }
}

const members = {
  name: { type: 'string', minLength: 1 },
  hardness: { type: 'integer', minimum: 1, maximum: 10 },
  cutAt: { type: 'string', format: 'date-time' },
}
const NewStone = { type: 'object', properties: members, required: ['name', 'hardness', 'cutAt'] }
const Stone = { type: 'object', properties: { id: { type: 'integer' }, ...members } }
const params = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] }
const querystring = { type: 'object', properties: { minHardness: { type: 'integer' } } }

const authenticate = async (request: FastifyRequest) => {
  request.user = users.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '') ?? null
  if (request.user === null) throw new StatusError(401, 'Who are you?')
}

const requireRole = (role: User['role']) => async (request: FastifyRequest) => {
  if (request.user?.role !== role) throw new StatusError(403, `This takes a ${role}.`)
}

const findStone = (id: number) => {
  const stone = stones.find((one) => one.id === id)
  if (stone === undefined) throw new StatusError(404, `There is no stone ${id}.`)
  return stone
}

type ById = { Params: { id: number } }

const routes: FastifyPluginAsync = async (fastify) => {
  fastify.get<{ Querystring: { minHardness?: number } }>(
    '/',
    { schema: { querystring, response: { 200: { type: 'array', items: Stone } } } },
    async ({ query: { minHardness = 0 } }) => stones.filter(({ hardness }) => hardness >= minHardness),
  )

  fastify.get<ById>('/:id', { schema: { params, response: { 200: Stone } } }, async (request) => findStone(request.params.id))

  fastify.post<{ Body: { name: string; hardness: number; cutAt: string } }>(
    '/',
    { onRequest: [authenticate, requireRole('keeper')], schema: { body: NewStone, response: { 201: Stone } } },
    async ({ body: { name, hardness, cutAt } }, reply) => {
      const stone = { id: stones.length + 1, name, hardness, cutAt: new Date(cutAt) }
      stones.push(stone)
      return reply.code(201).header('Location', `/stones/${stone.id}`).send(stone)
    },
  )

  fastify.post<ById>('/:id/photo', { onRequest: [authenticate], schema: { params } }, async (request) => {
    findStone(request.params.id)
    const photo = await request.file()
    if (photo === undefined) throw new StatusError(400, 'The photo is missing.')
    return { name: photo.filename, size: (await photo.toBuffer()).length }
  })

  fastify.post<ById>('/:id/sale', { onRequest: [authenticate, requireRole('keeper')], schema: { params } }, async (request, reply) => {
    sell(findStone(request.params.id).id)
    return reply.code(204).send()
  })
}

const onError = (error: Error & { statusCode?: number }, _request: FastifyRequest, reply: FastifyReply) => {
  if (error instanceof SoldError) return reply.code(409).send({ message: error.message })
  const status = error.statusCode ?? 500
  return reply.code(status).send({ message: status < 500 ? error.message : 'Internal Server Error' })
}

export const app = Fastify()
app.decorateRequest('user', null)
app.setErrorHandler(onError)
app.register(multipart, { limits: { fileSize: 1_000_000 } })
app.register(routes, { prefix: '/stones' })
