/** An asynchronous handler returns what its endpoint does not answer. */
import { endpoint, int, ok } from 'lapidary'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const api = { point: endpoint('GET /points/:x', { params: { x: int }, response: ok(z.object({ x: z.int() })) }) }

serve(api, { point: async ({ params }) => ({ x: `${params.x}` }) })
