import fastify from 'fastify'
import { toNodeListener } from 'lapidary/node'
import { server } from '../server.ts'

const app = fastify()
const listener = toNodeListener(server)
// What Fastify does not parse, the server reads itself.
app.addContentTypeParser('*', (_request, _body, done) => done(null))
app.all('/api/*', (request, reply) => {
  reply.hijack()
  listener(Object.assign(request.raw, { body: request.body }), reply.raw)
})
await app.listen({ port: Number(process.env['PORT']) })
