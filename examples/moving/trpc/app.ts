import { initTRPC, TRPCError } from '@trpc/server'
import type { CreateHTTPContextOptions } from '@trpc/server/adapters/standalone'
import superjson from 'superjson'
import { z } from 'zod'
import { SoldError, sell, stones, type User, users } from '../stones.ts'

export const createContext = ({ req }: CreateHTTPContextOptions) => ({
  user: users.get(req.headers.authorization?.replace(/^Bearer /, '') ?? ''),
})

const t = initTRPC.context<typeof createContext>().create({
  transformer: superjson,
  errorFormatter: ({ shape, error }) => (error.code === 'INTERNAL_SERVER_ERROR' ? { ...shape, message: 'Internal Server Error' } : shape),
})

/** Every procedure stands on this one: an error of the shop is a CONFLICT. */
const publicProcedure = t.procedure.use(async ({ next }) => {
  const result = await next()
  if (!result.ok && result.error.cause instanceof SoldError) {
    throw new TRPCError({ code: 'CONFLICT', message: result.error.message, cause: result.error.cause })
  }
  return result
})

const userProcedure = publicProcedure.use(({ ctx: { user }, next }) => {
  if (user === undefined) throw new TRPCError({ code: 'UNAUTHORIZED', message: 'Who are you?' })
  return next({ ctx: { user } })
})

const procedureOf = (role: User['role']) =>
  userProcedure.use(({ ctx: { user }, next }) => {
    if (user.role !== role) throw new TRPCError({ code: 'FORBIDDEN', message: `This takes a ${role}.` })
    return next()
  })

const Id = z.object({ id: z.int() })
const NewStone = z.object({ name: z.string().min(1), hardness: z.int().min(1).max(10), cutAt: z.date() })

const findStone = (id: number) => {
  const stone = stones.find((one) => one.id === id)
  if (stone === undefined) throw new TRPCError({ code: 'NOT_FOUND', message: `There is no stone ${id}.` })
  return stone
}

const stonesRouter = t.router({
  all: publicProcedure
    .input(z.object({ minHardness: z.int().optional() }))
    .query(({ input: { minHardness = 0 } }) => stones.filter(({ hardness }) => hardness >= minHardness)),
  one: publicProcedure.input(Id).query(({ input }) => findStone(input.id)),
  add: procedureOf('keeper')
    .input(NewStone)
    .mutation(({ input }) => {
      const stone = { id: stones.length + 1, ...input }
      stones.push(stone)
      return stone
    }),
  photo: userProcedure.input(z.instanceof(FormData)).mutation(({ input }) => {
    findStone(Number(input.get('id')))
    const photo = input.get('photo')
    if (!(photo instanceof File)) throw new TRPCError({ code: 'BAD_REQUEST', message: 'The photo is missing.' })
    return { name: photo.name, size: photo.size }
  }),
  sell: procedureOf('keeper')
    .input(Id)
    .mutation(({ input }) => sell(findStone(input.id).id)),
})

export const appRouter = t.router({ stones: stonesRouter })
export type AppRouter = typeof appRouter
