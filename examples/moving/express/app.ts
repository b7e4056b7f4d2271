import express, { type ErrorRequestHandler, type RequestHandler, Router } from 'express'
import multer, { MulterError } from 'multer'
import { z } from 'zod'
import { SoldError, sell, stones, type User, users } from '../stones.ts'

class StatusError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message)
  }
}

const Id = z.coerce.number().int()
const Search = z.object({ minHardness: z.coerce.number().int().optional() })
const NewStone = z.object({
  name: z.string().min(1),
  hardness: z.number().int().min(1).max(10),
  cutAt: z.iso.datetime().transform((text) => new Date(text)),
})

const parse = <Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> => {
  const result = schema.safeParse(value)
  if (!result.success) throw new StatusError(400, z.prettifyError(result.error))
  return result.data
}

const authenticate: RequestHandler = (request, response, next) => {
  const user = users.get(request.get('Authorization')?.replace(/^Bearer /, '') ?? '')
  if (user === undefined) throw new StatusError(401, 'Who are you?')
  response.locals['user'] = user
  next()
}

const requireRole =
  (role: User['role']): RequestHandler =>
  (_request, response, next) => {
    if (response.locals['user'].role !== role) throw new StatusError(403, `This takes a ${role}.`)
    next()
  }

const findStone = (id: unknown) => {
  const stone = stones.find((one) => one.id === parse(Id, id))
  if (stone === undefined) throw new StatusError(404, `There is no stone ${id}.`)
  return stone
}

const router = Router()

router.get('/', (request, response) => {
  const { minHardness = 0 } = parse(Search, request.query)
  response.json(stones.filter(({ hardness }) => hardness >= minHardness))
})

router.get('/:id', (request, response) => {
  response.json(findStone(request.params.id))
})

router.post('/', authenticate, requireRole('keeper'), express.json(), (request, response) => {
  const stone = { id: stones.length + 1, ...parse(NewStone, request.body) }
  stones.push(stone)
  response.status(201).location(`/stones/${stone.id}`).json(stone)
})

const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 1_000_000 } })

router.post('/:id/photo', authenticate, upload.single('photo'), (request, response) => {
  findStone(request.params['id'])
  if (request.file === undefined) throw new StatusError(400, 'The photo is missing.')
  response.json({ name: request.file.originalname, size: request.file.size })
})

router.post('/:id/sale', authenticate, requireRole('keeper'), (request, response) => {
  sell(findStone(request.params['id']).id)
  response.sendStatus(204)
})

const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof SoldError) response.status(409).json({ message: error.message })
  else if (error instanceof MulterError) response.status(error.code === 'LIMIT_FILE_SIZE' ? 413 : 400).json({ message: error.message })
  else if (error.status < 500) response.status(error.status).json({ message: error.message })
  else response.status(500).json({ message: 'Internal Server Error' })
}

export const app = express()
app.use('/stones', router)
app.use(onError)
