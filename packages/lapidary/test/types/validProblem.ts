/** Problems of a type of their own: what `fail` takes, and what a client gets. Read by the compiler alone. */
import { created, endpoint, errors, int, problem, reply, text, withHeaders } from 'lapidary'
import { client, isDeclaredError } from 'lapidary/client'
import { type Handlers, serve } from 'lapidary/server'
import { z } from 'zod'

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
/** Compiles only for the answer yes. */
const yes = <_Result extends true>(): void => {}

const day = z.string().transform((value) => new Date(value))
const api = {
  order: endpoint('POST /orders', {
    body: text,
    response: created,
    errors: [
      reply(404),
      problem(409, '/problems/out-of-stock', z.object({ left: z.int() })),
      problem(409, '/problems/closed', z.object({ until: day })),
      problem(402, '/problems/out-of-credit'),
      problem(429, '/problems/too-fast', z.object({ limit: z.int() }), { headers: { 'Retry-After': int } }),
    ],
  }),
}

const handlers: Handlers<typeof api> = {
  order: ({ body, fail }) => {
    if (body === 'a') return fail(409, { body: { type: '/problems/out-of-stock', left: 3 }, detail: 'Only three are left.' })
    if (body === 'b') return fail(409, { body: { type: '/problems/closed', until: '2026-11-26' } })
    if (body === 'c') return fail(402, { body: { type: '/problems/out-of-credit' } })
    if (body === 'd') return fail(429, { body: { type: '/problems/too-fast', limit: 1 }, headers: { 'Retry-After': 1 } })
    if (body === 'e') return errors.conflict({ body: { type: '/problems/out-of-stock', left: 3 } })
    return withHeaders({ Location: '/orders/1' })
  },
}
export const server = serve(api, handlers)

const call = client(api, 'http://127.0.0.1:8081')
try {
  await call.order({ body: 'a' })
} catch (error) {
  if (isDeclaredError(api.order, error) && error.status === 409) {
    const { body } = error
    yes<Same<typeof body.title, string>>()
    if (body.type === '/problems/out-of-stock') yes<Same<typeof body.left, number>>()
    else yes<Same<typeof body.until, Date>>()
  }
}
