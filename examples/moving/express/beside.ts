import { endpoint, int, ok, prefix, reply, schemaCodec } from 'lapidary'
import { fromNodeListener, listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { z } from 'zod'
import { stones } from '../stones.ts'
import { app } from './app.ts'

const dateTime = z.codec(z.iso.datetime(), z.date(), { decode: (text) => new Date(text), encode: (date) => date.toISOString() })
const Stone = schemaCodec(z.object({ id: z.int(), name: z.string(), hardness: z.int(), cutAt: dateTime }))

const api = prefix('/stones', {
  one: endpoint('GET /:id', { params: { id: int }, response: ok(Stone), errors: [reply(404)] }),
})

const server = serve(
  api,
  { one: ({ params, fail }) => stones.find(({ id }) => id === params.id) ?? fail(404, { detail: `There is no stone ${params.id}.` }) },
  { fallback: fromNodeListener(app) },
)

await listen(server, { port: Number(process.env['PORT']) })
