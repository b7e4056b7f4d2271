import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { SoldError, sell, stones, type User, users } from '../stones.ts'

const Id = z.object({ id: z.coerce.number().int() })
const Search = z.object({ minHardness: z.coerce.number().int().optional() })
const NewStone = z.object({
  name: z.string().min(1),
  hardness: z.number().int().min(1).max(10),
  cutAt: z.iso.datetime().transform((text) => new Date(text)),
})

const authenticate = createMiddleware<{ Variables: { user: User } }>(async (c, next) => {
  const user = users.get(c.req.header('Authorization')?.replace(/^Bearer /, '') ?? '')
  if (user === undefined) throw new HTTPException(401, { message: 'Who are you?' })
  c.set('user', user)
  await next()
})

const requireRole = (role: User['role']) =>
  createMiddleware<{ Variables: { user: User } }>(async (c, next) => {
    if (c.var.user.role !== role) throw new HTTPException(403, { message: `This takes a ${role}.` })
    await next()
  })

const findStone = (id: number) => {
  const stone = stones.find((one) => one.id === id)
  if (stone === undefined) throw new HTTPException(404, { message: `There is no stone ${id}.` })
  return stone
}

const router = new Hono()
  .get('/', zValidator('query', Search), (c) => {
    const { minHardness = 0 } = c.req.valid('query')
    return c.json(stones.filter(({ hardness }) => hardness >= minHardness))
  })
  .get('/:id', zValidator('param', Id), (c) => c.json(findStone(c.req.valid('param').id)))
  .post('/', authenticate, requireRole('keeper'), zValidator('json', NewStone), (c) => {
    const stone = { id: stones.length + 1, ...c.req.valid('json') }
    stones.push(stone)
    return c.json(stone, 201, { Location: `/stones/${stone.id}` })
  })
  .post('/:id/photo', authenticate, bodyLimit({ maxSize: 1_000_000 }), zValidator('param', Id), async (c) => {
    findStone(c.req.valid('param').id)
    const { photo } = await c.req.parseBody()
    if (!(photo instanceof File)) throw new HTTPException(400, { message: 'The photo is missing.' })
    return c.json({ name: photo.name, size: photo.size })
  })
  .post('/:id/sale', authenticate, requireRole('keeper'), zValidator('param', Id), (c) => {
    sell(findStone(c.req.valid('param').id).id)
    return c.body(null, 204)
  })

export const app = new Hono().route('/stones', router)

app.onError((error, c) => {
  if (error instanceof SoldError) return c.json({ message: error.message }, 409)
  if (error instanceof HTTPException) return c.json({ message: error.message }, error.status)
  return c.json({ message: 'Internal Server Error' }, 500)
})
app.notFound((c) => c.json({ message: 'Not Found' }, 404))

export type App = typeof app
