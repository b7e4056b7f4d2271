/** The smallest API: one endpoint, described, served, listening. */
import { endpoint, ok, optional, text } from 'lapidary'
import { listen } from 'lapidary/node'
import { serve } from 'lapidary/server'
import { z } from 'zod'

const api = {
  hello: endpoint('GET /hello', {
    query: { name: optional(text) },
    response: ok(z.object({ msg: z.string() })),
  }),
}

const server = serve(api, {
  hello: ({ query }) => ({ msg: `Hello, ${query.name ?? 'anonymous coward'}` }),
})

const { url } = await listen(server, { port: Number(process.env['PORT'] ?? 3000) })
process.stdout.write(`${url}/hello?name=Ann\n`)

export { api, server }
