import { endpoint, ok, problem, text } from 'lapidary'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const outOfStock = problem(409, '/problems/out-of-stock', z.object({ left: z.int() }))
const api = { one: endpoint('GET /one', { response: ok(text), errors: [outOfStock] }) }
export const server = serve(api, { one: ({ fail }) => fail(409, { body: { left: 1 } }) })
